//! Mistakes on the command line, in GNU's words.

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
    let option = option.split([' ', '=']).next().unwrap_or_default();
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
        ErrorKind::MissingRequiredArgument => {
            let needed = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::Strings(needed)) => needed.join(" and "),
                _ => option.to_owned(),
            };
            format!("an option needs {needed}")
        }
        ErrorKind::InvalidValue => format!("invalid argument '{value}' for '{option}'"),
        ErrorKind::ArgumentConflict => format!("{option} cannot be used with other modes"),
        _ => error.kind().to_string(),
    }
}

fn unknown(option: &str, tool: Tool) -> String {
    match option.strip_prefix("--") {
        None => format!("invalid option -- '{}'", option.trim_start_matches('-')),
        Some(prefix) => match &candidates(prefix, tool)[..] {
            [] | [_] => format!("unrecognized option '{option}'"),
            many => format!("option '{option}' is ambiguous; possibilities: {}", many.join(" ")),
        },
    }
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
