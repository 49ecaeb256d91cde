//! Errors of the command line, in GNU's words.

use std::{ffi::OsString, io};

use clap::{
    Arg, Command,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

use super::nearest::nearest;
use crate::{
    hash::ComputationName,
    report::{Console, ExitState, output, quote},
};

/// The text that a command line leads to if it asks for no task: help, or an error.
#[derive(Debug)]
pub(crate) enum EarlyExit {
    /// Help or the version: no misuse, but the program ends after it.
    Help(String),
    /// An error, and a hint at the help.
    Usage(String),
    /// An error in a value. Each line is a message.
    Value(String),
}

impl EarlyExit {
    /// The error that the parser found in `argv`.
    ///
    /// An abbreviation that is ambiguous among the options `first` is reported with these alone,
    /// although `command` may have more options. If `first` is empty, the program was called as another
    /// tool, and messages have no suggestions.
    pub(super) fn of(error: &Error, argv: &[OsString], command: &Command, first: &[&str]) -> Self {
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Self::Help(error.to_string()),
            _ => {
                let message = explain(error, argv, command, first);
                match error.get(ContextKind::ValidValue) {
                    Some(ContextValue::Strings(values)) if !values.is_empty() => {
                        Self::one_of(message, values.iter().map(String::as_str))
                    }
                    _ => Self::Usage(message),
                }
            }
        }
    }

    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub(super) fn value(message: impl Into<String>) -> Self {
        Self::Value(message.into())
    }

    /// An error in a value, with a list of the valid ones.
    pub(super) fn one_of<'n>(
        message: impl Into<String>,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let mut message = message.into() + "\nValid arguments are:";
        names.into_iter().for_each(|name| message += &format!("\n  - '{name}'"));
        Self::Usage(message)
    }

    /// Prints the message.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn report(self, console: &Console) -> io::Result<ExitState> {
        match self {
            Self::Help(answer) => {
                return output::print(answer.as_bytes()).map(|()| ExitState::Good);
            }
            Self::Usage(message) => console.usage_error(&message),
            Self::Value(message) => {
                message.lines().for_each(|line| console.say(line));
            }
        }
        Ok(ExitState::Failed)
    }
}

/// An error, and a hint at the help.
pub(super) fn usage<T>(message: impl Into<String>) -> Result<T, EarlyExit> {
    Err(EarlyExit::usage(message))
}

/// GNU's message for clap's `error`.
fn explain(error: &Error, argv: &[OsString], command: &Command, first: &[&str]) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    // clap adds the name of the value to an option
    let option = text(ContextKind::InvalidArg).unwrap_or_default();
    let option = bare(option);
    let shown = quote::value(option);
    let value = text(ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        // other tools' name of --check, which is no range
        _ if option == "--verify-range" && argv.iter().any(|arg| arg == "--verify") => {
            unknown("--verify", argv, command, first)
        }
        ErrorKind::UnknownArgument => unknown(option, argv, command, first),
        ErrorKind::TooManyValues => format!("option {shown} doesn't allow an argument"),
        ErrorKind::InvalidValue if value.is_empty() => {
            match (option_after(option, argv, command), short_at_end(option, argv, command)) {
                (Some(next), _) => {
                    let (next, path) = (quote::name(next), quote::name(&[b"./", next].concat()));
                    format!(
                        "option {shown} requires an argument; {next} is an option, {path} a file"
                    )
                }
                (None, Some(short)) => format!("option requires an argument -- '{short}'"),
                (None, None) => format!("option {shown} requires an argument"),
            }
        }
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map(ToString::to_string);
            let value = quote::value(value);
            format!("{option}: invalid value {value}: {}", reason.unwrap_or_default())
        }
        ErrorKind::InvalidValue => format!("invalid argument {} for {shown}", quote::value(value)),
        ErrorKind::ArgumentConflict => {
            let other = match error.get(ContextKind::PriorArg) {
                Some(ContextValue::String(other)) => bare(other),
                Some(ContextValue::Strings(others)) => {
                    others.first().map_or("", |other| bare(other))
                }
                _ => "",
            };
            match other == option {
                true => format!("{option} may be given once"),
                false => format!("{option} and {other} are mutually exclusive"),
            }
        }
        _ => error.kind().to_string(),
    }
}

/// An option without the value's name that clap adds. Short options have none.
fn bare(option: &str) -> &str {
    match option.starts_with("--") {
        true => option.split([' ', '=', '[']).next().unwrap_or_default(),
        false => option,
    }
}

/// The argument after `option`, if that is another option.
fn option_after<'a>(option: &str, argv: &'a [OsString], command: &Command) -> Option<&'a [u8]> {
    let is_it = |argv: &[OsString]| {
        let last = argv.last().and_then(|last| last.to_str());
        last.is_some_and(|last| last.len() > 2 && option.starts_with(last))
            || short_at_end(option, argv, command).is_some()
    };
    let mut after = (1..argv.len()).filter(|at| is_it(&argv[..*at]));
    after.find_map(|at| Some(argv[at].as_encoded_bytes()).filter(|next| next.starts_with(b"-")))
}

/// The letter of `option`, if the option is the last argument of `argv`.
fn short_at_end(option: &str, argv: &[OsString], command: &Command) -> Option<char> {
    let last = argv.last()?.to_str()?.strip_prefix('-')?;
    let letter = last.chars().last().filter(|_| !last.starts_with('-'));
    let is_it = |arg: &&Arg| arg.get_long() == option.strip_prefix("--");
    command.get_arguments().find(is_it)?.get_short().filter(|short| letter == Some(*short))
}

fn unknown(option: &str, argv: &[OsString], command: &Command, first: &[&str]) -> String {
    let Some(prefix) = option.strip_prefix("--") else {
        return format!("invalid option -- {}", quote::value(option.trim_start_matches('-')));
    };
    let given = quote::value(as_written(option, argv));
    match &candidates(prefix, command, first)[..] {
        [] | [_] => {
            let longs = command.get_arguments().filter_map(|arg| arg.get_long());
            let is_ours = !first.is_empty();
            let other =
                our_option(prefix).or_else(|| Some(format!("--{}", nearest(prefix, longs)?)));
            match other.filter(|_| is_ours) {
                Some(other) => format!("unrecognized option {given}; did you mean '{other}'?"),
                None => format!("unrecognized option {given}"),
            }
        }
        many => format!("option {given} is ambiguous; possibilities: {}", many.join(" ")),
    }
}

/// Our option for the one that other tools call `long`.
fn our_option(long: &str) -> Option<String> {
    let ours = match long {
        "verify" => "--check",
        "compare" => "--expect",
        "recurse" | "recursively" => "--recursive",
        "bsd" => "--tag",
        "jobs" | "num-threads" => "--threads",
        // rhash has one option for each hash
        hash if ComputationName::parse(hash).is_ok() => return Some(format!("-a {hash}")),
        _ => return None,
    };
    Some(ours.to_owned())
}

/// `option` as the user wrote it, possibly with a value.
fn as_written<'a>(option: &'a str, argv: &'a [OsString]) -> &'a str {
    let is_meant = |arg: &&str| arg.split('=').next() == Some(option);
    argv.iter().filter_map(|arg| arg.to_str()).find(is_meant).unwrap_or(option)
}

/// The long options with this prefix; only those in `first` if there are several.
fn candidates(prefix: &str, command: &Command, first: &[&str]) -> Vec<String> {
    let quoted = |long: &str| format!("'--{long}'");
    let is_meant = |long: &&str| long.starts_with(prefix);
    let known: Vec<_> = first.iter().copied().filter(is_meant).map(quoted).collect();
    if known.len() > 1 {
        return known;
    }
    let longs = command.get_arguments().filter_map(|arg| arg.get_long());
    let mut longs: Vec<_> = longs.filter(is_meant).map(quoted).collect();
    longs.sort();
    longs
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::{planned_as, refused};

    #[test]
    fn mistakes_have_gnus_messages() {
        let ambiguous = "ambiguous; possibilities: '--status' '--strict'";
        for (args, message) in [
            (&["--nonsense"][..], "unrecognized option '--nonsense'"),
            (&["-Q"], "invalid option -- 'Q'"),
            (&["-b=1"], "invalid option -- '='"),
            (&["--algorithm"], "option '--algorithm' requires an argument"),
            (&["--algo"], "option '--algorithm' requires an argument"),
            (&["-ba"], "option requires an argument -- 'a'"),
            (&["-o"], "option requires an argument -- 'o'"),
            (
                &["--update", "--detailed-exit", "LIST", "d"],
                "option '--update' requires an argument; '--detailed-exit' is an option, \
                 './--detailed-exit' a file",
            ),
            (
                &["--upd", "--allow-rem", "LIST", "d"],
                "option '--update' requires an argument; '--allow-rem' is an option, './--allow-rem' a file",
            ),
            (
                &["-ro", "-b", "f"],
                "option '--output' requires an argument; '-b' is an option, './-b' a file",
            ),
            (
                &["--audit", "--excldue=x"],
                "unrecognized option '--excldue=x'; did you mean '--exclude'?",
            ),
            (&["--none=1"], "unrecognized option '--none=1'"),
            (&["--excldue=x"], "unrecognized option '--excldue=x'; did you mean '--exclude'?"),
            (&["--md5", "f"], "unrecognized option '--md5'; did you mean '-a md5'?"),
            (&["--verify"], "unrecognized option '--verify'; did you mean '--check'?"),
            (&["--verify", "LIST"], "unrecognized option '--verify'; did you mean '--check'?"),
            (&["--s"], &format!("option '--s' is {ambiguous}")),
            (&["--s=1"], &format!("option '--s=1' is {ambiguous}")),
            (&["--json=1"], "option '--json' doesn't allow an argument"),
        ] {
            assert_eq!(refused(args), message, "{args:?}");
        }
    }

    #[test]
    fn files_may_be_called_like_options() {
        for args in [
            &["--update=--tag", "d"][..],
            &["--update", "./--tag", "d"],
            &["-o--tag", "f"],
            &["-o", "LIST", "--", "--tag"],
            // no files
            &["-r", "--exclude", "--tag", "d"],
        ] {
            planned_as("jlanes-sum", args);
        }
    }
}
