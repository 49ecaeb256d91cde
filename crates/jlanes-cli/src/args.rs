//! The command line: GNU's options and ours, and the task that they ask for.
//!
//! Each module has one subject: its options with their help, the rules for combining them, the
//! values they become, and the tests of these.

use std::{
    env,
    ffi::{OsStr, OsString},
};

use clap::{Arg, ArgAction, Command, CommandFactory, FromArgMatches, Parser};

mod algorithm;
mod bao;
mod catalogue;
mod checking;
mod digests;
mod expect;
mod help;
mod invocation;
mod list_tasks;
mod manual;
mod nearest;
mod other_tools;
mod output;
mod s3;
mod speed;
mod tool;
mod torrent;
mod usage;
mod values;
mod walking;

pub(crate) use invocation::Invocation;
pub(crate) use tool::is_gnu_program;

use self::{
    algorithm::AlgorithmOptions,
    bao::BaoOptions,
    checking::CheckingOptions,
    digests::DigestOptions,
    expect::ExpectOptions,
    help::HelpOptions,
    manual::ManualOptions,
    output::OutputOptions,
    s3::S3Options,
    speed::SpeedOptions,
    tool::{ProgramName, Tool},
    torrent::TorrentOptions,
    usage::EarlyExit,
    walking::WalkingOptions,
};

/// Prints or checks digests of files, many files at once on SIMD lanes.
///
/// With no FILE, or when FILE is -, reads standard input.
#[derive(Debug, Default, Parser)]
#[command(
    name = "jlanes-sum",
    version,
    override_usage = "jlanes-sum [OPTION]... [FILE|DIR]...",
    after_help = catalogue::help()
)]
struct Args {
    /// Files; directories with -r; lists of digests with -c
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,

    #[command(flatten)]
    choice: AlgorithmOptions,

    /// Read all files in directories, in byte order of their paths
    #[arg(short, long)]
    recursive: bool,

    #[command(flatten)]
    manual: ManualOptions,

    #[command(flatten)]
    help: HelpOptions,

    #[command(flatten)]
    walking: WalkingOptions,

    #[command(flatten)]
    checking: CheckingOptions,

    #[command(flatten)]
    expecting: ExpectOptions,

    #[command(flatten)]
    s3: S3Options,

    #[command(flatten)]
    torrents: TorrentOptions,

    #[command(flatten)]
    output: OutputOptions,

    #[command(flatten)]
    digests: DigestOptions,

    #[command(flatten)]
    outboards: BaoOptions,

    #[command(flatten)]
    speed: SpeedOptions,
}

impl Args {
    /// Parses the command line of a program that was `called` under some name.
    fn read(argv: Vec<OsString>, called: &ProgramName) -> Result<Self, EarlyExit> {
        // the parser costs as much as hashing dozens of small files, so the most frequent tasks,
        // digests of named files and the check of a list, do without it
        let is_name = |arg: &OsString| arg == "-" || !arg.as_encoded_bytes().starts_with(b"-");
        let may_check = called.tool != Tool::BsdSum && !operands_end_options();
        let is_check = |arg: &OsString| may_check && (arg == "-c" || arg == "--check");
        if argv.iter().skip(1).all(|arg| is_name(arg) || is_check(arg)) {
            let (files, checks): (Vec<_>, Vec<_>) = argv.into_iter().skip(1).partition(is_name);
            let mut args = Self { files, ..Self::default() };
            args.checking.list.check = !checks.is_empty();
            return Ok(args);
        }
        if called.tool != Tool::Jlanes {
            return other_tools::read(argv, called);
        }
        let command = configured(with_abbreviations(Self::command()));
        let read = |command: Command| Self::from_arg_matches(&command.try_get_matches_from(&argv)?);
        let args = read(command.clone()).map_err(|error: clap::Error| {
            EarlyExit::of(&error, &argv, &command, &GNU_SUM_OPTIONS)
        })?;
        let all = || command.clone().render_long_help().to_string();
        args.help.answer(all).map_or(Ok(args), Err)
    }

    /// Whether an option other than a key file reads standard input.
    fn reads_stdin(&self) -> bool {
        let lists = self.walking.lists().chain(&self.checking.audit);
        let any_list = lists.clone().next().is_some();
        let stdin = OsStr::new("-");
        (self.files.is_empty() && !any_list) || lists.chain(&self.files).any(|file| file == stdin)
    }
}

/// Whether all arguments after the first operand are operands, as POSIX wants, and as GNU's tools do if
/// this variable is set.
fn operands_end_options() -> bool {
    env::var_os("POSIXLY_CORRECT").is_some()
}

/// The names of values that are paths.
const PATHS: [&str; 5] = ["DIR", "DOC", "FILE", "LIST", "OUT"];

/// The options that each ask for a comparison, or for the files of a list. None may be lost to another of its name;
/// of other options, the last one counts.
const ASKED_ONCE: [&str; 7] =
    ["expect", "expect_json", "torrent", "verify_range", "files_from", "files0_from", "update"];

/// Settings that all parsers share.
fn configured(command: Command) -> Command {
    // the argument after an option that needs a value is its value, whatever it looks like, unless it
    // would be a file: an option in its place has lost its own, and would be created or overwritten
    let operands_end_options = operands_end_options();
    let greedy = |arg: Arg| {
        if arg.is_positional() {
            return arg.trailing_var_arg(operands_end_options);
        }
        let is_path = arg.get_value_names().is_some_and(|names| PATHS.contains(&names[0].as_str()));
        let action = arg.get_action();
        let any = !arg.is_require_equals_set() && action.takes_values();
        let is_single = matches!(action, ArgAction::Set | ArgAction::SetTrue);
        let id = arg.get_id().clone();
        let is_last = is_single && !ASKED_ONCE.contains(&id.as_str());
        let arg = if is_last { arg.overrides_with(id) } else { arg };
        if any && !is_path { arg.allow_hyphen_values(true) } else { arg }
    };
    command
        .infer_long_args(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .mut_args(greedy)
}

/// The long options of GNU's `sha256sum` and related tools.
const GNU_SUM_OPTIONS: [&str; 12] = [
    "binary",
    "check",
    "help",
    "ignore-missing",
    "quiet",
    "status",
    "strict",
    "tag",
    "text",
    "version",
    "warn",
    "zero",
];

/// Makes `command` accept GNU's abbreviations: every prefix that is unique among GNU's options, even if
/// options of ours share it.
fn with_abbreviations(command: Command) -> Command {
    GNU_SUM_OPTIONS.iter().fold(command, |command, option| {
        let known = |prefix: &&str| {
            GNU_SUM_OPTIONS.iter().filter(|other| other.starts_with(*prefix)).count() == 1
        };
        let prefixes = (1..option.len()).map(|len| &option[..len]).filter(known);
        command.mut_arg(option.replace('-', "_"), |arg| arg.aliases(prefixes))
    })
}
