//! The options for checking lists and for audits.
//!
//! [`ListOptions`] are those of GNU's tools, for the tools that are called by their names. An option that only checks
//! use is refused without one, ours in the same words as GNU's: it would otherwise change nothing unnoticed.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal},
};

use clap::ValueEnum;

use super::{
    output::OutputOptions,
    tool::{ProgramName, Tool},
    usage::{EarlyExit, usage},
    values::number,
};
use crate::{report::VerdictOptions, system};

/// The options for lists that GNU's tools have, too.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Checking")]
pub(super) struct ListOptions {
    /// Read lists of digests from the FILEs, and check the files that they name
    #[arg(short, long)]
    pub(super) check: bool,

    /// Neither fail nor report for missing files
    #[arg(long)]
    pub(super) ignore_missing: bool,

    /// Do not print OK for files that match
    #[arg(long, overrides_with_all = ["status", "warn"])]
    pub(super) quiet: bool,

    /// Print no verdicts; the exit status shows success
    #[arg(long, overrides_with_all = ["quiet", "warn"])]
    pub(super) status: bool,

    /// Fail for improperly formatted lines
    #[arg(long)]
    pub(super) strict: bool,

    /// Report improperly formatted lines, and with -r what is skipped
    #[arg(short, long, overrides_with_all = ["quiet", "status"])]
    pub(super) warn: bool,
}

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Checking")]
pub(super) struct CheckingOptions {
    #[command(flatten)]
    pub(super) list: ListOptions,

    /// Compare the FILEs or DIRs, or the working directory, with the digests in LIST. Reports
    /// changed, moved, new and missing files
    #[arg(long, value_name = "LIST")]
    #[arg(conflicts_with_all = ["check", "raw", "zero", "tag", "base64", "no_names"])]
    #[arg(conflicts_with_all = ["format", "fsverity_format"])]
    pub(super) audit: Vec<OsString>,

    /// With -c, check only NAME, which LIST must contain
    #[arg(long, value_name = "NAME", conflicts_with = "ignore_missing")]
    pub(super) only: Vec<OsString>,

    /// With -c, fail if fewer than N different files match
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(super) require: Option<u64>,

    /// Refuse digests of less than N bits [default: 128 with -c or a key, 0 with -a]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(super) min_bits: Option<u64>,

    /// Look up relative names of lists in DIR instead of the working directory
    #[arg(long, value_name = "DIR")]
    pub(super) base_dir: Option<OsString>,

    /// With -c, remove N leading directories from the names in lists, as patch -p does
    #[arg(long, value_name = "N", value_parser = number::<usize>)]
    pub(super) strip: Option<usize>,

    /// Refuse absolute names, and names that contain `..`
    #[arg(long)]
    pub(super) no_absolute: bool,

    /// With -c, for untrusted lists: refuse names and links that lead out of the base directory,
    /// everything but regular files, checksums, broken hashes, and digests of less than 128 bits;
    /// implies --strict
    #[arg(long)]
    pub(super) untrusted: bool,

    /// Print how many files got each verdict, or how many bytes duplicates waste
    #[arg(long)]
    pub(super) summary: bool,

    /// With -c, exit with 2 instead of 1 if something could not be read, and imply --strict; with
    /// --update, exit with 1 if files differ from LIST
    #[arg(long)]
    pub(super) detailed_exit: bool,

    /// Color FAILED, CHANGED and so on [default: auto, on terminals unless NO_COLOR is set]
    #[arg(long, alias = "colour", value_name = "WHEN", value_enum)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    color: Option<ColorWhen>,
}

/// The condition for colored verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColorWhen {
    /// If standard output is a terminal.
    Auto,
    Always,
    Never,
}

impl ColorWhen {
    fn is_now(self) -> bool {
        // https://no-color.org
        let is_unwanted = || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => io::stdout().is_terminal() && !is_unwanted() && system::shows_colors(),
        }
    }
}

impl CheckingOptions {
    /// The options that decide which verdicts are printed, and how.
    pub(super) fn verdict_options(
        &self,
        called: &ProgramName,
        output: &OutputOptions,
    ) -> VerdictOptions {
        // GNU's tools print no colors
        let when = self.color.unwrap_or(ColorWhen::Auto);
        let color = called.tool == Tool::Jlanes && when.is_now();
        VerdictOptions {
            quiet: self.list.quiet,
            status: self.list.status,
            json: output.json,
            color,
            summary: self.summary,
        }
    }

    /// Whether missing files are ignored.
    pub(super) fn ignores_missing(&self) -> bool {
        self.list.ignore_missing
    }

    /// Whether a walk reports skipped entries.
    pub(super) fn reports_skipped(&self) -> bool {
        self.list.warn
    }

    /// Whether the operands are lists, or there is an audit.
    pub(super) fn reads_lists(&self) -> bool {
        self.list.check || !self.audit.is_empty()
    }

    /// Refuses options for checking without `--check`: first GNU's, in its words, then ours.
    pub(super) fn refuse_without_check(
        &self,
        recurse: bool,
        counts: bool,
        expects: bool,
    ) -> Result<(), EarlyExit> {
        let list = &self.list;
        let audited = [
            (list.ignore_missing, "ignore-missing"),
            (list.status, "status"),
            (list.warn && !recurse, "warn"),
            (list.quiet, "quiet"),
            (list.strict, "strict"),
            (self.min_bits.is_some(), "min-bits"),
            (self.summary && !counts, "summary"),
            (self.base_dir.is_some(), "base-dir"),
            (self.no_absolute, "no-absolute"),
            (self.detailed_exit && !counts, "detailed-exit"),
            (self.color.is_some(), "color"),
        ];
        let checked = [
            (!self.only.is_empty(), "only"),
            (self.require.is_some(), "require"),
            (self.untrusted, "untrusted"),
            (self.strip.is_some(), "strip"),
        ];
        let is_shown = |name| {
            expects
                && ["ignore-missing", "status", "quiet", "summary", "color", "detailed-exit"]
                    .contains(&name)
        };
        let audited =
            audited.into_iter().filter(|(_, name)| self.audit.is_empty() && !is_shown(name));
        let mut checking = audited.chain(checked);
        match checking.find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, name)) => {
                usage(format!("the --{name} option is meaningful only when verifying checksums"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::refused;

    #[test]
    fn options_about_checks_need_one() {
        for (option, name) in [
            ("--only=f", "only"),
            ("--require=1", "require"),
            ("--strip=1", "strip"),
            ("--ignore-missing", "ignore-missing"),
            ("--status", "status"),
            ("--strict", "strict"),
            ("--quiet", "quiet"),
            ("-w", "warn"),
            ("--min-bits=1", "min-bits"),
            ("--summary", "summary"),
            ("--detailed-exit", "detailed-exit"),
            ("--base-dir=.", "base-dir"),
            ("--no-absolute", "no-absolute"),
            ("--color", "color"),
        ] {
            assert_eq!(
                refused(&[option, "f"]),
                format!("the --{name} option is meaningful only when verifying checksums")
            );
        }
    }

    #[test]
    fn audits_do_not_print_digests() {
        for other in ["--tag", "--raw", "-z", "--base64", "--no-names", "-c"] {
            let message = refused(&["--audit=f", other, "f"]);
            assert!(message.ends_with(" are mutually exclusive"), "{other}: {message}");
        }
    }
}
