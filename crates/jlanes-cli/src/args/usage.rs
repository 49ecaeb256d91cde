//! Mistakes on the command line, in GNU's words.

use std::env;

use clap::{
    Command, CommandFactory,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

use super::{Args, Tool};

/// What GNU's option parser says for clap's `error`.
pub(crate) fn explain(error: &Error, tool: Tool) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    // clap shows an option with its value's name behind it
    let option = text(ContextKind::InvalidArg).unwrap_or_default();
    let option = bare(option);
    let value = text(ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        ErrorKind::UnknownArgument => unknown(option, tool),
        ErrorKind::TooManyValues => format!("option '{option}' doesn't allow an argument"),
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("option '{option}' requires an argument")
        }
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map(ToString::to_string);
            format!("{option}: invalid value '{value}': {}", reason.unwrap_or_default())
        }
        ErrorKind::InvalidValue => format!("invalid argument '{value}' for '{option}'"),
        ErrorKind::ArgumentConflict => {
            let other = match error.get(ContextKind::PriorArg) {
                Some(ContextValue::String(other)) => bare(other),
                Some(ContextValue::Strings(others)) => {
                    others.first().map_or("", |other| bare(other))
                }
                _ => "",
            };
            format!("{option} and {other} are mutually exclusive")
        }
        _ => error.kind().to_string(),
    }
}

/// An option without what clap shows behind it.
fn bare(option: &str) -> &str {
    option.split([' ', '=', '[']).next().unwrap_or_default()
}

fn unknown(option: &str, tool: Tool) -> String {
    let Some(prefix) = option.strip_prefix("--") else {
        return format!("invalid option -- '{}'", option.trim_start_matches('-'));
    };
    let given = given(option);
    match &candidates(prefix, tool)[..] {
        [] | [_] => format!("unrecognized option '{given}'"),
        many => format!("option '{given}' is ambiguous; possibilities: {}", many.join(" ")),
    }
}

/// `option` as it was given, perhaps with a value.
fn given(option: &str) -> String {
    let is_meant = |arg: &String| arg.split('=').next() == Some(option);
    let mut args = env::args_os().filter_map(|arg| arg.into_string().ok());
    args.find(is_meant).unwrap_or_else(|| option.to_owned())
}

/// The long options that `prefix` may stand for; only GNU's, if it is ambiguous there already.
fn candidates(prefix: &str, tool: Tool) -> Vec<String> {
    let quoted = |long: &str| format!("'--{long}'");
    let gnus: Vec<_> = tool.candidates(prefix).map(quoted).collect();
    if gnus.len() > 1 {
        return gnus;
    }
    let command: Command = Args::command();
    let longs = command.get_arguments().filter_map(|arg| arg.get_long());
    longs.filter(|long| long.starts_with(prefix)).map(quoted).collect()
}
