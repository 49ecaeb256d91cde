//! Verdicts on files: printing, counting, and the exit status that they lead to.

use std::{fmt, io, time::SystemTime};

use jlanes::algorithm::Strength;

use jlanes_files::{
    Computation,
    lists::{Encoding, digest},
};

use super::{
    Console, Output,
    json::{self, Details},
};

/// The digest in its printed form.
pub(crate) fn digest_text(computation: &Computation, bytes: &[u8]) -> String {
    digest::text(computation, bytes, Encoding::Hex)
}

/// The expected digest, as details of a verdict.
pub(crate) fn details(computation: &Computation, expected: &[u8]) -> Details<'static> {
    let (algorithm, expected) = (computation.to_string(), digest_text(computation, expected));
    let broken = computation.strength() == Strength::Broken;
    Details { algorithm: Some(algorithm), expected: Some(expected), broken, ..Details::default() }
}

/// How a task ended, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitState {
    /// All is well.
    Good,
    /// Files differ from lists, or lists do not meet their requirements.
    Differs,
    /// A file could not be read, or output not written.
    Failed,
}

impl From<bool> for ExitState {
    fn from(is_good: bool) -> Self {
        if is_good { Self::Good } else { Self::Failed }
    }
}

/// The verdict on a file, listed or not; each kind is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Ok,
    Failed,
    Unreadable,
    Changed,
    Moved,
    New,
    /// Nobody can tell whether the file matches.
    Unknown,
    Missing,
}

impl Verdict {
    /// The number of kinds. `Missing` is the last one.
    const KINDS: usize = Self::Missing as usize + 1;

    fn word(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Failed => "FAILED",
            Self::Unreadable => "FAILED open or read",
            Self::Changed => "CHANGED",
            Self::Moved => "MOVED",
            Self::New => "NEW",
            Self::Unknown => "UNKNOWN",
            Self::Missing => "MISSING",
        }
    }

    /// The escape sequence of its color, if it has one.
    fn color(self) -> Option<&'static str> {
        match self {
            Self::Ok => None,
            Self::Moved | Self::New | Self::Unknown => Some("\x1b[33m"),
            Self::Failed | Self::Unreadable | Self::Changed | Self::Missing => Some("\x1b[1;31m"),
        }
    }

    fn exit_state(self) -> ExitState {
        match self {
            Self::Ok => ExitState::Good,
            Self::Failed
            | Self::Changed
            | Self::Moved
            | Self::New
            | Self::Unknown
            | Self::Missing => ExitState::Differs,
            Self::Unreadable => ExitState::Failed,
        }
    }
}

/// The choice of verdicts that are printed, and their looks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VerdictOptions {
    /// Do not print OK.
    pub(crate) quiet: bool,
    /// Print no verdicts.
    pub(crate) status: bool,
    pub(crate) json: bool,
    pub(crate) color: bool,
    /// Print a summary at the end.
    pub(crate) summary: bool,
}

/// A fact that is printed after the verdict.
#[derive(Clone, Copy)]
pub(crate) enum Remark<'r> {
    None,
    /// The file's former name.
    From(&'r [u8]),
    /// The algorithm, if the list does not name it.
    By(&'r dyn fmt::Display),
}

/// Prints verdicts.
pub(crate) struct Verdicts<'v> {
    console: &'v Console,
    shown: VerdictOptions,
    output: Output,
    /// The number of verdicts of each kind.
    counts: [u64; Verdict::KINDS],
    /// The number of malformed lines.
    malformed: u64,
    /// The number of files that match by weak digests only.
    weak_matches: [u64; WEAKNESSES.len()],
    /// The number of links and special files that were left out.
    left_out: u64,
    ended: ExitState,
    begun: SystemTime,
}

/// The reasons why a match proves little, the weakest first.
const WEAKNESSES: [&str; 3] = [
    "its size alone",
    "a checksum alone, which anybody can match",
    "MD5 or SHA-1 alone, which are broken",
];

impl<'v> Verdicts<'v> {
    pub(crate) fn new(console: &'v Console, shown: VerdictOptions) -> Self {
        let (output, counts, weak_matches) =
            (Output::default(), [0; Verdict::KINDS], [0; WEAKNESSES.len()]);
        let (malformed, left_out, ended, begun) = (0, 0, ExitState::Good, SystemTime::now());
        Self { console, shown, output, counts, malformed, weak_matches, left_out, ended, begun }
    }

    /// Prints the verdict on the file `name`, in JSON with `details`.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn print<'d>(
        &mut self,
        verdict: Verdict,
        name: &[u8],
        details: impl FnOnce() -> Details<'d>,
    ) -> io::Result<()> {
        self.print_with_remark(verdict, name, Remark::None, details)
    }

    /// Prints the verdict with a remark.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn print_with_remark<'d>(
        &mut self,
        verdict: Verdict,
        name: &[u8],
        remark: Remark<'_>,
        details: impl FnOnce() -> Details<'d>,
    ) -> io::Result<()> {
        self.counts[verdict as usize] += 1;
        self.ended = self.ended.max(verdict.exit_state());
        let VerdictOptions { quiet, status, json, color, .. } = self.shown;
        if status || (quiet && verdict == Verdict::Ok) {
            return Ok(());
        }
        if json {
            let details = details();
            let from = if let Remark::From(name) = remark { Some(name) } else { None };
            return self
                .output
                .line(|out| json::verdict(name, verdict.word(), from, &details, out));
        }
        let name = self.console.quote(name);
        let remark = match remark {
            Remark::None => Vec::new(),
            Remark::From(name) => [b" from ", &*self.console.quote(name)].concat(),
            Remark::By(computation) => format!(" ({computation})").into_bytes(),
        };
        let begin = verdict.color().filter(|_| color);
        let (begin, end) = begin.map_or(("", ""), |begin| (begin, "\x1b[0m"));
        self.output.line(|out| {
            let word = [begin, verdict.word(), end].map(str::as_bytes);
            for part in [&*name, b": "].into_iter().chain(word) {
                out.extend_from_slice(part);
            }
            out.extend_from_slice(&remark);
            out.push(b'\n');
        })
    }

    /// Counts files that match and are not reported.
    pub(crate) fn count_matches(&mut self, files: usize) {
        self.counts[Verdict::Ok as usize] += files as u64;
    }

    /// Counts a match, given the strengths of all compared digests, if even the best one is weak.
    /// Returns whether there is a strong one.
    pub(crate) fn count_if_weak(&mut self, strengths: impl Iterator<Item = Strength>) -> bool {
        let weakness = match strengths.max() {
            Some(Strength::CollisionResistant) => return true,
            Some(Strength::Broken) => 2,
            Some(Strength::Checksum) => 1,
            None => 0,
        };
        self.weak_matches[weakness] += 1;
        false
    }

    /// Resets the numbers of weak matches.
    pub(crate) fn clear_weak_matches(&mut self) {
        self.weak_matches = [0; WEAKNESSES.len()];
    }

    /// Counts a link or a special file that was left out.
    pub(crate) fn count_left_out(&mut self) {
        self.left_out += 1;
    }

    /// Counts malformed lines.
    pub(crate) fn count_malformed(&mut self, lines: u64) {
        self.malformed += lines;
    }

    /// Prints a message on standard error, after the verdicts so far.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn say(&mut self, message: impl AsRef<[u8]>) -> io::Result<()> {
        self.output.flush()?;
        self.console.say(message);
        Ok(())
    }

    /// Prints a message about the file or list `name`, after the verdicts so far.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn say_about(&mut self, name: &[u8], message: impl AsRef<[u8]>) -> io::Result<()> {
        self.output.flush()?;
        self.console.say_about(name, message);
        Ok(())
    }

    /// Warns of `count` files or lines, if there are any. `one` is the singular of the noun, `many` the
    /// plural.
    /// # Errors
    /// Those of output.
    pub(crate) fn warn(
        &mut self,
        count: u64,
        (one, many): (&str, &str),
        what: &str,
    ) -> io::Result<()> {
        let warning = counted(count, one, many).map(|noun| format!("WARNING: {noun} {what}"));
        warning.map_or(Ok(()), |warning| self.say(warning))
    }

    /// Prints the error of a file, after the verdicts so far.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn report_error(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        self.output.flush()?;
        self.console.report_error(name, error);
        Ok(())
    }

    /// Reports a file that changed while it was read, if it did.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn report_if_changed(&mut self, name: &[u8], changed: bool) -> io::Result<()> {
        self.ended = self.ended.max(ExitState::from(!changed));
        self.output.report_if_changed(self.console, name, changed)
    }

    /// Prints what is buffered.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Prints the summary and the counts of verdicts of `kinds`, if wanted. Returns the worst outcome.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(&mut self, kinds: &[Verdict]) -> io::Result<ExitState> {
        if self.shown.summary {
            let count = |kind: &Verdict| (kind.word(), self.counts[*kind as usize]);
            let mut counts: Vec<_> = kinds.iter().map(count).collect();
            counts.push(("improperly formatted", self.malformed));
            let (json, output) = (self.shown.json, &mut self.output);
            let begun = self.begun;
            output.line(|out| match json {
                true => json::summary(&counts, begun, out),
                false => summary(&counts, out),
            })?;
        }
        self.output.flush()?;
        if self.shown.status {
            return Ok(self.ended);
        }
        for (count, what) in self.weak_matches.into_iter().zip(WEAKNESSES) {
            self.warn(count, ("file was", "files were"), &format!("verified by {what}"))?;
        }
        let (one, many) = ("link or special file was", "links and special files were");
        if let Some(files) = counted(self.left_out, one, many) {
            let what = "left out; -w names them, --hash-links compares links";
            self.console.say(format!("{files} {what}"));
        }
        Ok(self.ended)
    }
}

/// The number with its noun; `None` for zero.
fn counted(count: u64, one: &str, many: &str) -> Option<String> {
    let noun = if count == 1 { one } else { many };
    (count > 0).then(|| format!("{count} {noun}"))
}

/// Appends `summary: 3 OK, 1 FAILED` and so on.
fn summary(counts: &[(&str, u64)], out: &mut Vec<u8>) {
    let counts: Vec<_> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    out.extend(format!("summary: {}\n", counts.join(", ")).bytes());
}
