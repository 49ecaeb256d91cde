//! Whole processes as contestants: command lines over one list of files.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{Read, Seek, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeVal,
};

use crate::{
    clock::Stopwatch,
    measure::{Samples, Timing},
};

/// A command line to be given the names of files. Words in braces are placeholders, which a [`Site`] replaces.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    /// The program and its arguments before the files.
    pub(crate) command: Vec<String>,
    pub(crate) names: Names,
    pub(crate) output_kind: OutputKind,
}

/// The tool that this workspace builds, as a word of a command line.
pub(crate) const JLANES_SUM: &str = "{jlanes-sum}";
/// This program.
pub(crate) const THIS: &str = "{jlanes-bench}";
/// A list of the files' digests.
pub(crate) const LIST: &str = "{list}";
/// The first of the files.
pub(crate) const FIRST: &str = "{first}";
/// A file for the tool to write.
pub(crate) const OUTPUT_FILE: &str = "{written}";
/// An eighth of the number of files: enough processes for two cores, few enough that starting them is not what is
/// measured.
pub(crate) const EIGHTH: &str = "{eighth}";

/// How a tool learns the names of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// They follow the other arguments; where they do not fit one command line, `xargs` runs the
    /// tool several times.
    Arguments,
    /// They follow the other arguments, or where they do not fit come on standard input, for
    /// `--files0-from=-`.
    Either,
    /// They come on standard input, each ended by NUL.
    Input,
    /// It has them already.
    Known,
}

/// Kinds of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputKind {
    /// Lines of hexadecimal digest and name, the same as every other tool's in the contest.
    Digests,
    /// Such lines, but of another function.
    OtherDigests,
    /// Text with the same digests somewhere in it.
    Quotes,
    /// Only the exit status counts.
    Status,
}

impl Tool {
    /// A tool that prints the same digests as the others in its contest.
    pub(crate) fn new(name: &str, command: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            names: Names::Arguments,
            output_kind: OutputKind::Digests,
        }
    }

    /// Says that it computes another function.
    pub(crate) fn of_another_function(self) -> Self {
        match self.output_kind {
            OutputKind::Status => self,
            _ => self.printing(OutputKind::OtherDigests),
        }
    }

    pub(crate) fn printing(self, output_kind: OutputKind) -> Self {
        Self { output_kind, ..self }
    }

    pub(crate) fn with_names(self, names: Names) -> Self {
        Self { names, ..self }
    }
}

/// A directory in which tools run, and the files that they hash.
pub(crate) struct Site<'a> {
    /// The directory that the names are relative to.
    pub(crate) directory: &'a Path,
    pub(crate) names: &'a [String],
    /// Keeps what a tool writes, outside the directory.
    pub(crate) scratch: &'a Path,
    /// Whether files are on the disk alone before a tool runs, and not in memory too.
    pub(crate) cold: bool,
}

/// Bytes of names that surely fit a command line: Linux allows a quarter of the stack, 2 MiB, for
/// these and the environment.
const COMMAND_LINE_BYTES: usize = 1 << 20;

/// One run of a tool.
struct Run {
    wall: Duration,
    cpu: Duration,
    output: Vec<u8>,
}

impl Site<'_> {
    fn run(&self, tool: &Tool) -> Result<Run> {
        if self.cold {
            nix::unistd::sync();
            let dropped = fs::write("/proc/sys/vm/drop_caches", "3");
            dropped.context("the page cache cannot be dropped here")?;
        }
        let mut output = File::options()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(self.scratch.join("output"))?;
        let (words, names) = self.command(tool)?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(self.directory);
        command.stderr(Stdio::piped());
        match tool.output_kind {
            OutputKind::Status => command.stdout(Stdio::null()),
            _ => command.stdout(output.try_clone()?),
        };
        match names {
            Names::Arguments | Names::Either => command.args(self.names).stdin(Stdio::null()),
            Names::Input => command.stdin(self.name_list()?),
            Names::Known => command.stdin(Stdio::null()),
        };

        let (wall, cpu) = (Stopwatch::Wall.now(), children_time()?);
        let result = command.output().with_context(|| format!("no {} here", words[0]))?;
        let (wall, cpu) = (Stopwatch::Wall.now() - wall, children_time()? - cpu);
        if !result.status.success() {
            let message = String::from_utf8_lossy(&result.stderr);
            bail!("{}, {}", result.status, message.lines().next().unwrap_or("silent"));
        }
        let mut bytes = Vec::new();
        output.rewind()?;
        output.read_to_end(&mut bytes)?;
        Ok(Run { wall, cpu, output: bytes })
    }

    /// A tool's command line for these files, and how it learns their names.
    fn command(&self, tool: &Tool) -> Result<(Vec<String>, Names)> {
        let own = tool.command.iter().map(|word| self.word(tool, word));
        let mut words = own.collect::<Result<Vec<String>>>()?;
        let pointer = size_of::<usize>();
        let bytes: usize = self.names.iter().map(|name| name.len() + 1 + pointer).sum();
        let names = match tool.names {
            Names::Arguments if bytes > COMMAND_LINE_BYTES => {
                words.splice(0..0, ["xargs".to_owned(), "-0".to_owned()]);
                Names::Input
            }
            Names::Either if bytes > COMMAND_LINE_BYTES => {
                words.push("--files0-from=-".to_owned());
                Names::Input
            }
            names => names,
        };
        Ok((words, names))
    }

    /// A word of a command line here.
    fn word(&self, tool: &Tool, word: &str) -> Result<String> {
        let path = match word {
            JLANES_SUM => std::env::current_exe()?.with_file_name("jlanes-sum"),
            THIS => std::env::current_exe()?,
            LIST => self.list(),
            FIRST => self.directory.join(self.names.first().map_or("", String::as_str)),
            OUTPUT_FILE => self.scratch.join(&tool.name),
            EIGHTH => return Ok(self.names.len().div_ceil(8).to_string()),
            _ => return Ok(word.to_owned()),
        };
        Ok(path.display().to_string())
    }

    /// The output of `tool`.
    pub(crate) fn output(&self, tool: &Tool) -> Result<Vec<u8>> {
        Ok(self.run(tool)?.output)
    }

    /// The most memory that `tool` has resident at a time, in bytes.
    pub(crate) fn peak(&self, tool: &Tool) -> Result<u64> {
        let note = self.scratch.join("peak");
        let mut command = vec![THIS.to_owned(), "peak".to_owned(), note.display().to_string()];
        command.extend_from_slice(&tool.command);
        self.run(&Tool { command, ..tool.clone() })?;
        fs::read_to_string(note)?.trim().parse().context("a number of bytes")
    }

    /// The path of the list of digests, for tools that check one.
    pub(crate) fn list(&self) -> PathBuf {
        self.scratch.join("SHA256SUMS")
    }

    fn name_list(&self) -> Result<File> {
        let path = self.scratch.join("names");
        let mut list = File::create(&path)?;
        list.write_all((self.names.join("\0") + "\0").as_bytes())?;
        Ok(File::open(path)?)
    }
}

/// User and system time of the processes that ended so far.
fn children_time() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = |time: TimeVal| time.tv_sec() * 1_000_000 + time.tv_usec();
    Ok(Duration::from_micros((micros(usage.user_time()) + micros(usage.system_time())) as u64))
}

/// A tool's times: wall clock, and all cores' together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    pub(crate) wall: Samples,
    pub(crate) cpu: Samples,
}

/// Times the tools alternately, compared with the first; a tool that cannot run here gives the reason
/// instead.
pub(crate) fn alternate(
    site: &Site<'_>,
    tools: &[Tool],
    timing: Timing,
) -> Result<Vec<Result<Times, String>>> {
    let mut agreed: Option<(&str, Vec<u8>)> = None;
    let mut contestants = Vec::new();
    for tool in tools {
        let run = match site.run(tool) {
            Ok(run) => run,
            Err(why) => {
                contestants.push(Err(format!("{why:#}")));
                continue;
            }
        };
        let lines = sorted_digests(&run.output)?;
        match (&agreed, tool.output_kind) {
            (None, OutputKind::Digests) => agreed = Some((&tool.name, lines.clone())),
            (Some((other, theirs)), OutputKind::Digests) => {
                ensure!(*theirs == lines, "{} and {other} disagree", tool.name);
            }
            (Some((other, theirs)), OutputKind::Quotes) => {
                ensure!(quotes(&lines, theirs), "{} and {other} disagree", tool.name);
            }
            _ => {}
        }
        let expected = (tool.output_kind != OutputKind::Quotes).then_some(lines);
        contestants.push(Ok(Contestant { expected, times: Times::default() }));
    }
    // without times of the first tool, those of the others have nothing to be compared with
    let rounds = if contestants[0].is_ok() { timing.rounds } else { 0 };
    for _ in 0..rounds {
        for (tool, contestant) in tools.iter().zip(&mut contestants) {
            if let Ok(contestant) = contestant {
                contestant.time(site, tool, timing.min_time)?;
            }
        }
    }
    Ok(contestants.into_iter().map(|contestant| contestant.map(|it| it.times)).collect())
}

struct Contestant {
    /// The output that it must have; nothing if its output has more than digests in it.
    expected: Option<Vec<u8>>,
    times: Times,
}

impl Contestant {
    /// Runs the tool once, and again until that took `min_time`.
    fn time(&mut self, site: &Site<'_>, tool: &Tool, min_time: Duration) -> Result<()> {
        let (mut wall, mut cpu, mut runs) = (Duration::ZERO, Duration::ZERO, 0);
        while runs == 0 || wall < min_time {
            let run = site.run(tool)?;
            if let Some(expected) = &self.expected {
                ensure!(sorted_digests(&run.output)? == *expected, "{} wavers", tool.name);
            }
            wall += run.wall;
            cpu += run.cpu;
            runs += 1;
        }
        self.times.wall.0.push(wall.as_secs_f64() / f64::from(runs));
        self.times.cpu.0.push(cpu.as_secs_f64() / f64::from(runs));
        Ok(())
    }
}

/// The lines of an output without what tools differ in: the order, and the mark between digest and
/// name.
fn sorted_digests(output: &[u8]) -> Result<Vec<u8>> {
    let output = std::str::from_utf8(output).context("names in UTF-8")?;
    let mut lines: Vec<String> = output
        .lines()
        .map(|line| {
            let line = line.strip_prefix("sha256:").unwrap_or(line);
            let (digest, name) = line.split_once(' ').unwrap_or((line, ""));
            format!("{} {digest}\n", name.trim_start_matches([' ', '*']))
        })
        .collect();
    lines.sort_unstable();
    Ok(lines.concat().into_bytes())
}

/// Whether the digests of `lines`, as [`sorted_digests`] gives them, are all in `text`.
fn quotes(text: &[u8], lines: &[u8]) -> bool {
    let words: HashSet<&[u8]> = text.split(|byte| !byte.is_ascii_alphanumeric()).collect();
    let mut digests = lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    digests.all(|line| line.rsplit(|&byte| byte == b' ').next().is_some_and(|d| words.contains(d)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_of_different_tools_are_the_same_lines() {
        let gnu = sorted_digests(b"aa  one\nbb  two words\n").unwrap();
        assert_eq!(sorted_digests(b"bb *two words\naa *one\n").unwrap(), gnu);
        assert_eq!(sorted_digests(b"sha256:aa one\nsha256:bb two words\n").unwrap(), gnu);
        assert_ne!(sorted_digests(b"bb  one\naa  two words\n").unwrap(), gnu);
    }

    #[test]
    fn digests_within_other_text_are_found() {
        let ours = sorted_digests(b"aa  one\nbb  two words\n").unwrap();
        assert!(quotes(b"%% sizes\n3,aa,/one\n4,bb,/two words\n", &ours));
        assert!(!quotes(b"3,aa,/one\n4,bbb,/two words\n", &ours));
    }

    #[test]
    fn a_tool_that_is_not_there_is_a_gap() {
        let scratch = tempfile::tempdir().unwrap();
        let (directory, scratch) = (scratch.path(), scratch.path());
        let site = Site { directory, names: &[], scratch, cold: false };
        let timing = Timing { rounds: 1, min_time: Duration::ZERO, stopwatch: Stopwatch::Wall };
        let times = alternate(&site, &[Tool::new("none", &["/no/such/tool"])], timing).unwrap();
        assert!(times[0].as_ref().is_err_and(|why| why.contains("/no/such/tool")));
    }
}
