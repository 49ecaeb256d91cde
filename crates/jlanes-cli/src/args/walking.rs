//! The options that choose files: rules for directories, and lists of names.

use std::ffi::OsString;

use clap::ValueEnum;
use jlanes_files::{OutputFile, OutputPolicy, Patterns, Rules, lists::normalized_path};

use super::{
    usage::{EarlyExit, usage},
    values::{Size, number, or_stdin},
};
use crate::{
    files::Operands,
    report::quote,
    system::{self, FileKind},
};

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Files")]
pub(super) struct WalkingOptions {
    /// Read file names from LIST, each terminated by NUL; - is standard input
    #[arg(long, value_name = "LIST", conflicts_with = "files_from")]
    files0_from: Option<OsString>,

    /// Read file names from LIST, one per line, also with CR LF; - is standard input
    #[arg(long, value_name = "LIST")]
    files_from: Option<OsString>,

    /// With -r, read only files that match GLOB. Without a slash GLOB matches names, with a slash
    /// it matches paths below the DIR, or a FILE itself
    #[arg(long, value_name = "GLOB")]
    include: Vec<OsString>,

    /// With -r, skip files and directories that match GLOB, also among the operands
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<OsString>,

    /// With -r, skip .git and what the patterns in .gitignore, .git/info/exclude and the user's own
    /// file match, also files that git tracks all the same
    #[arg(long)]
    gitignore: bool,

    /// With -r, descend at most N levels
    #[arg(long, value_name = "N", value_parser = number::<usize>)]
    max_depth: Option<usize>,

    /// With -r, skip files larger than SIZE. K, M, G, T, P and E are powers of 1024; KB, MB and so
    /// on are powers of 1000
    #[arg(long, value_name = "SIZE")]
    max_size: Option<Size>,

    /// With -r, stay on the file system of the DIR
    #[arg(short = 'x', long)]
    one_file_system: bool,

    /// With -r, follow symbolic links
    #[arg(short = 'L', long)]
    dereference: bool,

    /// Hash the text of symbolic links instead of following them
    #[arg(long, conflicts_with = "dereference")]
    pub(super) hash_links: bool,

    /// Report files that change while they are read, and fail
    #[arg(long)]
    pub(super) warn_changed: bool,

    /// Order of files with -r [default: name]
    #[arg(long, value_name = "ORDER", value_enum)]
    sort: Option<Sort>,
}

/// The order of a directory's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Byte order of paths.
    Name,
    /// The order of the file system, which is faster.
    None,
}

impl WalkingOptions {
    /// The files with lists of names.
    pub(super) fn lists(&self) -> impl Iterator<Item = &OsString> + Clone {
        self.files0_from.iter().chain(&self.files_from)
    }

    /// Refuses lists of names together with `--check`.
    pub(super) fn refuse_when_checking(&self) -> Result<(), EarlyExit> {
        if self.lists().next().is_some() {
            return usage("lists of file names are meaningless when verifying checksums");
        }
        Ok(())
    }

    /// Refuses options about directories if no directory is walked.
    pub(super) fn refuse_without_recursion(&self) -> Result<(), EarlyExit> {
        let walking = [
            (!self.include.is_empty(), "include"),
            (!self.exclude.is_empty(), "exclude"),
            (self.gitignore, "gitignore"),
            (self.max_depth.is_some(), "max-depth"),
            (self.max_size.is_some(), "max-size"),
            (self.one_file_system, "one-file-system"),
            (self.dereference, "dereference"),
            (self.sort.is_some(), "sort"),
        ];
        match walking.into_iter().find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, name)) => {
                usage(format!("the --{name} option is meaningful only with --recursive"))
            }
        }
    }

    /// Warnings about patterns that cannot match, because they begin with a directory that is in none
    /// of `dirs`, the operands.
    pub(super) fn unmatched_pattern_warnings(&self, dirs: &[OsString]) -> Vec<String> {
        let options = [("--include", &self.include), ("--exclude", &self.exclude)];
        let mut patterns = options
            .into_iter()
            .flat_map(|(option, patterns)| patterns.iter().map(move |pattern| (option, pattern)))
            .peekable();
        let paths: Vec<_> = dirs.iter().map(|dir| system::bytes(dir)).collect();
        let are_directories = || paths.iter().all(|path| system::is_directory(path));
        if patterns.peek().is_none() || paths.is_empty() || !are_directories() {
            return Vec::new();
        }
        let idle = patterns.filter(|(_, pattern)| {
            let pattern = system::bytes(pattern);
            let mut parts = pattern.split(|byte| *byte == b'/').filter(|part| !part.is_empty());
            let (Some(first), Some(_)) = (parts.next(), parts.next()) else { return false };
            let is_plain = !first.iter().any(|byte| b"*?[{\\".contains(byte));
            let is_in = |dir: &[u8]| system::lstat(&[dir, b"/", first].concat()).is_ok();
            is_plain && !paths.iter().any(|dir| is_in(dir))
        });
        let messages = idle.map(|(option, pattern)| {
            let below_dir = paths.iter().find_map(|dir| {
                let dir = normalized_path(dir);
                let pattern = system::bytes(pattern);
                let start = pattern.iter().position(|byte| *byte != b'/')?;
                let after = pattern[start..].strip_prefix(&dir[..])?;
                Some(String::from_utf8_lossy(after.strip_prefix(b"/")?).into_owned())
            });
            let pattern = quote::value(pattern);
            let what =
                format!("{option}: {pattern} matches nothing: paths are those below the DIR");
            match below_dir {
                Some(name) => format!("{what}, as in {}", quote::value(format!("/{name}"))),
                None => what,
            }
        });
        messages.collect()
    }

    /// The operands; the working directory if there are no names at all.
    pub(super) fn or_working_dir(&self, mut files: Vec<OsString>) -> Vec<OsString> {
        if files.is_empty() && self.lists().next().is_none() {
            files.push(".".into());
        }
        files
    }

    /// The source of the names of the files.
    pub(super) fn operands(self, files: Vec<OsString>) -> Result<Operands, EarlyExit> {
        let (option, list, end) = match (self.files0_from, self.files_from) {
            (Some(list), _) => ("--files0-from", list, 0),
            (_, Some(list)) => ("--files-from", list, b'\n'),
            _ => {
                return Ok(Operands::Given(
                    or_stdin(files).into_iter().map(system::into_bytes).collect(),
                ));
            }
        };
        if !files.is_empty() {
            return usage(format!("file operands cannot be combined with {option}"));
        }
        Ok(Operands::Listed { list, end })
    }

    /// The rules for choosing files, in directories too if `recurse`. If `report_skipped`, skipped entries are
    /// reported.
    pub(super) fn rules(&self, recurse: bool, report_skipped: bool) -> Result<Rules, EarlyExit> {
        let patterns = |option: &str, list: &[OsString]| {
            let list: Vec<_> = list.iter().map(|pattern| system::bytes(pattern)).collect();
            Patterns::new(&list).map_err(|(pattern, why)| {
                let pattern = quote::name(&pattern);
                EarlyExit::usage(format!("{option}: invalid pattern {pattern}: {why}"))
            })
        };
        Ok(Rules {
            max_depth: self.max_depth,
            max_size: self.max_size.map(|Size(bytes)| bytes),
            one_file_system: self.one_file_system,
            follow: self.dereference,
            hash_links: self.hash_links,
            git: false,
            gitignore: self.gitignore,
            unsorted: self.sort == Some(Sort::None),
            include: patterns("--include", &self.include)?,
            exclude: patterns("--exclude", &self.exclude)?,
            recurse,
            report_skipped,
            report_links: false,
            outputs: output().into_iter().collect(),
        })
    }
}

/// The file behind standard output, which may be among the hashed files.
fn output() -> Option<OutputFile> {
    let stat = system::stat_stdout().ok()?;
    let output = OutputFile { identity: stat.identity, name: None, policy: OutputPolicy::Report };
    (stat.kind == FileKind::File).then_some(output)
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::refused;

    #[test]
    fn options_about_directories_need_to_go_through_them() {
        for (option, name) in [
            ("--sort=name", "sort"),
            ("-bL", "dereference"),
            ("-x", "one-file-system"),
            ("--max-depth=1", "max-depth"),
            ("--max-size=1", "max-size"),
            ("--include=*", "include"),
            ("--exclude=*", "exclude"),
            ("--gitignore", "gitignore"),
        ] {
            let message = format!("the --{name} option is meaningful only with --recursive");
            assert_eq!(refused(&[option, "f"]), message);
        }
    }

    #[test]
    fn names_come_from_one_place() {
        assert_eq!(
            refused(&["-c", "--files-from=f"]),
            "lists of file names are meaningless when verifying checksums"
        );
        assert_eq!(
            refused(&["--files-from=f", "f"]),
            "file operands cannot be combined with --files-from"
        );
        for option in ["--files-from", "--files0-from", "--update"] {
            assert_eq!(refused(&[option, "f", option, "g"]), format!("{option} may be given once"));
        }
    }

    #[test]
    fn values_are_checked() {
        for (option, message) in [
            (
                "--sort=size",
                "invalid argument 'size' for '--sort'\nValid arguments are:\n  - 'name'\n  - 'none'",
            ),
            ("--max-depth=-1", "--max-depth: invalid value '-1': not a whole number"),
            ("--max-size=1X", "--max-size: invalid value '1X': unknown unit 'X'"),
            ("--include=", "--include: invalid pattern '': it matches nothing"),
            ("--exclude=/", "--exclude: invalid pattern '/': it matches nothing"),
            ("--max-size=KB", "--max-size: invalid value 'KB': not a whole number"),
            ("--max-size=16E", "--max-size: invalid value '16E': too large"),
            ("--max-size=1\u{e9}", "--max-size: invalid value '1\u{e9}': unknown unit '\u{e9}'"),
        ] {
            assert_eq!(refused(&[option, "-r", "f"]), message);
        }
    }
}
