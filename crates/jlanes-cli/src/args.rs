//! The command line: GNU's options, and ours.
//!
//! A file for each subject has its options with their help, the rules for what they go together
//! with, what they come to, and the tests of that.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
};

use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser};

mod abbreviations;
mod about;
mod algorithm;
mod checking;
mod digests;
mod output;
mod plan;
mod speed;
mod tool;
mod usage;
mod values;
mod walking;

pub(crate) use plan::Plan;

use self::{
    about::About, algorithm::Choice, checking::Checking, digests::Digests, output::Output,
    speed::Speed, tool::Tool, usage::Misuse, walking::Walking,
};

/// Prints or checks digests of files, many files at once on SIMD lanes.
///
/// With no FILE, or when FILE is -, reads standard input.
#[derive(Debug, Default, Parser)]
#[command(
    name = "jlanes-sum",
    version,
    infer_long_args = true,
    override_usage = "jlanes-sum [OPTION]... [FILE|DIR]...",
    args_override_self = true,
    after_help = algorithm::NAMES,
    disable_help_flag = true,
    disable_version_flag = true
)]
struct Args {
    /// Files, or directories with -r, or with -c lists of digests
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,

    #[command(flatten)]
    choice: Choice,

    /// Go through directories, in byte order of paths
    #[arg(short, long)]
    recursive: bool,

    #[command(flatten)]
    about: About,

    /// Print this help
    #[arg(long, action = ArgAction::Help)]
    help: Option<bool>,

    /// Print the version
    #[arg(long, action = ArgAction::Version)]
    version: Option<bool>,

    #[command(flatten)]
    walking: Walking,

    #[command(flatten)]
    checking: Checking,

    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    digests: Digests,

    #[command(flatten)]
    speed: Speed,
}

impl Args {
    /// Reads a command line, with the abbreviations of `tool`.
    fn read(argv: Vec<OsString>, tool: Tool) -> Result<Self, Misuse> {
        // the parser costs as much as hashing dozens of small files: what is asked for most often,
        // the sums of names or the check of a list, does without
        let is_name = |arg: &OsString| arg == "-" || !arg.as_bytes().starts_with(b"-");
        let is_check = |arg: &OsString| arg == "-c" || arg == "--check";
        if argv.iter().skip(1).all(|arg| is_name(arg) || is_check(arg)) {
            let (files, checks): (Vec<_>, Vec<_>) = argv.into_iter().skip(1).partition(is_name);
            let mut args = Self { files, ..Self::default() };
            args.checking.check = !checks.is_empty();
            return Ok(args);
        }
        // what follows an option that needs a value is its value, whatever it looks like
        let greedy = |arg: Arg| {
            let any = !arg.is_positional() && !arg.is_require_equals_set();
            if any && arg.get_action().takes_values() { arg.allow_hyphen_values(true) } else { arg }
        };
        let command = tool.teach(Self::command()).mut_args(greedy);
        let read = || {
            let matches = command.try_get_matches_from(&argv)?;
            let at = |id| matches.get_flag(id).then(|| matches.index_of(id)).flatten();
            let text_after_tag = at("text") > at("tag");
            let mut args = Self::from_arg_matches(&matches)?;
            args.output.text_after_tag = text_after_tag;
            Ok(args)
        };
        read().map_err(|error: clap::Error| Misuse::of(&error, &argv, tool))
    }

    /// Whether standard input is asked for as something other than a key.
    fn reads_stdin(&self) -> bool {
        let lists = self.walking.lists().chain(&self.checking.audit);
        let any_list = lists.clone().next().is_some();
        let stdin = OsStr::new("-");
        (self.files.is_empty() && !any_list) || lists.chain(&self.files).any(|file| file == stdin)
    }
}
