//! The command lines of other tools, for a program that is called by one of their names.
//!
//! Each tool has a parser of its own, made of the same groups of options as ours, so neither its help
//! nor its abbreviations know options that the tool lacks.

use std::ffi::OsString;

use clap::{ArgAction, Command, CommandFactory, FromArgMatches, Parser};

use super::{
    Args,
    algorithm::{AlgorithmOptions, CKSUM_NAMES, LengthOptions},
    checking::ListOptions,
    output::{CksumOptions, SumOptions},
    speed::{DebugOptions, MmapOptions, ThreadsOptions},
    tool::{ProgramName, Tool},
    usage::EarlyExit,
};
use crate::hash::family::is_available;

#[derive(Debug, Default, clap::Args)]
struct OtherHelpOptions {
    /// Print this help
    #[arg(long, action = ArgAction::Help)]
    help: Option<bool>,

    /// Print the version
    #[arg(long, action = ArgAction::Version)]
    version: Option<bool>,
}

/// Prints or checks digests.
#[derive(Debug, Parser)]
struct HashSum {
    /// Files, or with -c lists of digests
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,

    #[command(flatten)]
    help: OtherHelpOptions,

    #[command(flatten)]
    list: ListOptions,

    #[command(flatten)]
    output: SumOptions,
}

/// Prints or checks digests.
#[derive(Debug, Parser)]
struct B2sum {
    #[command(flatten)]
    sum: HashSum,

    #[command(flatten)]
    length: LengthOptions,
}

/// Prints or checks checksums and digests; by default prints POSIX's checksum, a CRC.
#[derive(Debug, Parser)]
struct Cksum {
    /// Digest to compute; see below
    #[arg(short, long, value_name = "TYPE")]
    algorithm: Vec<OsString>,

    #[command(flatten)]
    length: LengthOptions,

    #[command(flatten)]
    sum: HashSum,

    #[command(flatten)]
    cksum: CksumOptions,

    #[command(flatten)]
    debug: DebugOptions,
}

/// Prints checksums and numbers of blocks.
#[derive(Debug, Parser)]
struct BsdSum {
    /// Files
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,

    /// Use BSD's sum and blocks of 1024 bytes (default)
    #[arg(short, overrides_with = "sysv")]
    r: bool,

    /// Use System V's sum and blocks of 512 bytes
    #[arg(short, long)]
    sysv: bool,

    #[command(flatten)]
    help: OtherHelpOptions,
}

/// Prints or checks BLAKE3's digests.
#[derive(Debug, Parser)]
struct B3sum {
    /// Files, or with -c lists of digests
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,

    /// Read digests from the FILEs and check them
    #[arg(short, long)]
    check: bool,

    /// Do not print OK for files that match
    #[arg(long)]
    quiet: bool,

    /// Print digests without names, even with --tag
    #[arg(long, conflicts_with = "check")]
    no_names: bool,

    /// Print the digest's bytes alone
    #[arg(long, conflicts_with = "check")]
    raw: bool,

    /// Print lines with the algorithm's name
    #[arg(long)]
    tag: bool,

    /// Length of the digest in bytes
    #[arg(short, long, value_name = "BYTES", default_value_t = 32)]
    length: u64,

    /// Position in the output of the first byte that is printed
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    seek: u64,

    /// Hash under the key of 32 bytes that standard input has
    #[arg(long, conflicts_with = "derive_key", requires = "files")]
    keyed: bool,

    /// Derive a key for the purpose that CONTEXT names
    #[arg(long, value_name = "CONTEXT")]
    derive_key: Option<OsString>,

    #[command(flatten)]
    threads: ThreadsOptions,

    #[command(flatten)]
    no_mmap: MmapOptions,

    #[command(flatten)]
    help: OtherHelpOptions,
}

/// Parses the command line of another tool.
pub(super) fn read(argv: Vec<OsString>, called: &ProgramName) -> Result<Args, EarlyExit> {
    match called.tool {
        Tool::Sum | Tool::Jlanes => parse::<HashSum>(argv, called).map(HashSum::into_args),
        Tool::B2sum => parse(argv, called).map(|B2sum { sum, length }| {
            let mut args = sum.into_args();
            args.choice.length = length;
            args
        }),
        Tool::Cksum => parse(argv, called).map(Cksum::into_args),
        Tool::BsdSum => parse(argv, called).map(|BsdSum { files, sysv, .. }| {
            let algorithm = if sysv { vec!["sysv".into()] } else { Vec::new() };
            let choice = AlgorithmOptions { algorithm, ..AlgorithmOptions::default() };
            Args { files, choice, ..Args::default() }
        }),
        Tool::B3sum => parse(argv, called).map(B3sum::into_args),
    }
}

impl HashSum {
    fn into_args(self) -> Args {
        let mut args = Args { files: self.files, ..Args::default() };
        args.checking.list = self.list;
        args.output.sum = self.output;
        args
    }
}

impl Cksum {
    fn into_args(self) -> Args {
        let mut args = self.sum.into_args();
        args.choice = AlgorithmOptions { algorithm: self.algorithm, length: self.length };
        args.output.cksum = self.cksum;
        args.speed.debug = self.debug;
        args
    }
}

impl B3sum {
    fn into_args(self) -> Args {
        let mut args = Args { files: self.files, ..Args::default() };
        args.checking.list.check = self.check;
        args.checking.list.quiet = self.quiet;
        args.output.no_names = self.no_names && !self.raw;
        args.output.cksum.raw = self.raw;
        args.output.sum.tag = self.tag && !self.no_names;
        args.choice.algorithm = vec![format!("blake3-{}", self.length.saturating_mul(8)).into()];
        args.digests.keyed = self.keyed;
        args.digests.derive_key = self.derive_key;
        args.digests.seek = Some(self.seek).filter(|seek| *seek > 0);
        args.speed.threads = self.threads;
        args.speed.no_mmap = self.no_mmap;
        args
    }
}

fn parse<T: CommandFactory + FromArgMatches>(
    argv: Vec<OsString>,
    called: &ProgramName,
) -> Result<T, EarlyExit> {
    let command = command::<T>(called);
    let read = |command: Command| T::from_arg_matches(&command.try_get_matches_from(&argv)?);
    read(command.clone()).map_err(|error: clap::Error| EarlyExit::of(&error, &argv, &command, &[]))
}

/// The parser of a tool under the name that the user called.
fn command<T: CommandFactory>(called: &ProgramName) -> Command {
    let name = &called.name;
    let command = T::command()
        .bin_name(name.clone())
        .display_name(name.clone())
        .version(concat!("(jlanes-sum) ", env!("CARGO_PKG_VERSION")))
        .override_usage(format!("{name} [OPTION]... [FILE]..."))
        .after_help(algorithms(called.tool));
    super::configured(command)
}

/// The names that cksum accepts, as far as this build has them.
fn algorithms(tool: Tool) -> String {
    if tool != Tool::Cksum {
        return String::new();
    }
    let mut known: Vec<_> = CKSUM_NAMES.iter().filter(|(name, _)| is_available(name)).collect();
    // in the help, `sysv` comes first
    known.sort_by_key(|(name, _)| *name != "sysv");
    let lines =
        known.into_iter().filter_map(|(name, what)| Some(format!("  {name:<9} {}\n", (*what)?)));
    format!("TYPE is one of:\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::invocation::testing::{planned_as, refused_as};

    #[test]
    fn tools_have_no_options_but_their_own() {
        for (tool, args, message) in [
            ("sha256sum", "--json", "unrecognized option '--json'"),
            ("sha256sum", "-r", "invalid option -- 'r'"),
            ("sha256sum", "-a", "invalid option -- 'a'"),
            ("sha256sum", "--length=256", "unrecognized option '--length=256'"),
            ("cksum", "-r", "invalid option -- 'r'"),
            ("cksum", "--json", "unrecognized option '--json'"),
            ("cksum", "--threads=1", "unrecognized option '--threads=1'"),
            ("sum", "-c", "invalid option -- 'c'"),
            ("sum", "--tag", "unrecognized option '--tag'"),
        ] {
            assert_eq!(refused_as(tool, &[args]), message, "{tool} {args}");
        }
    }

    #[test]
    fn abbreviations_are_those_of_the_tool() {
        planned_as("cksum", &["--a=sha1", "--r", "--l=0"]);
        planned_as("sum", &["--s"]);
        let many = "option '--s' is ambiguous; possibilities: '--status' '--strict'";
        assert_eq!(refused_as("sha1sum", &["--s"]), many);
        let many = "option '--b' is ambiguous; possibilities: '--base64' '--binary'";
        assert_eq!(refused_as("cksum", &["--b"]), many);
    }

    #[test]
    fn the_last_of_several_algorithms_counts_as_cksum() {
        assert_eq!(
            refused_as("cksum", &["-c", "-a", "sha1", "-a", "crc"]).find("--check"),
            Some(0)
        );
        planned_as("cksum", &["-c", "-a", "crc", "-a", "sha1"]);
    }

    #[test]
    fn b3sums_options_mean_what_ours_mean() {
        let called = ProgramName { name: "b3sum".into(), tool: Tool::B3sum, spec: "blake3".into() };
        let argv = ["b3sum", "--num-threads=2", "--no-mmap", "--tag", "f", "-c", "--quiet"];
        let args = read(argv.map(OsString::from).to_vec(), &called).unwrap();
        assert!(args.checking.list.check && args.checking.list.quiet && args.output.sum.tag);
        let argv = ["b3sum", "-l", "64", "--derive-key", "any context", "f"];
        let args = read(argv.map(OsString::from).to_vec(), &called).unwrap();
        assert_eq!(args.choice.algorithm, ["blake3-512"]);
        assert_eq!(args.digests.derive_key, Some("any context".into()));
        let argv = ["b3sum", "--keyed", "f"];
        let args = read(argv.map(OsString::from).to_vec(), &called).unwrap();
        assert!(args.digests.keyed);
        let argv = ["b3sum", "--raw", "--tag", "--no-names", "--seek=7", "f"];
        let args = read(argv.map(OsString::from).to_vec(), &called).unwrap();
        assert!(args.output.cksum.raw && !args.output.no_names && !args.output.sum.tag);
        assert_eq!(args.digests.seek, Some(7));
        let argv = ["b3sum", "--keyed", "--derive-key", "any context", "f"];
        assert!(read(argv.map(OsString::from).to_vec(), &called).is_err());
        assert!(read(["b3sum", "--strict"].map(OsString::from).to_vec(), &called).is_err());
    }
}
