//! Abbreviated long options. GNU's tools take any beginning of an option's name that no other
//! option shares; ours has more options, but what a GNU tool understands it must understand too.

use clap::Command;

/// The long options of GNU's `sha256sum` and its like, and those that only its `cksum` has.
const SUM: [&str; 12] = [
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
const CKSUM: [&str; 6] = ["algorithm", "base64", "debug", "length", "raw", "untagged"];

/// The GNU tool whose abbreviations count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Sum,
    Cksum,
}

impl Tool {
    fn options(self) -> impl Iterator<Item = &'static str> + Clone {
        let more: &[_] = if self == Self::Cksum { &CKSUM } else { &[] };
        SUM.iter().chain(more).copied()
    }

    /// The tool's options that `prefix` may stand for.
    pub(super) fn candidates(self, prefix: &str) -> impl Iterator<Item = &'static str> + Clone {
        self.options().filter(move |option| option.starts_with(prefix))
    }

    /// Makes `command` understand what the tool understands, whatever else begins so.
    pub(super) fn teach(self, command: Command) -> Command {
        self.options().fold(command, |command, option| {
            let known = |prefix: &&str| self.candidates(prefix).count() == 1;
            let prefixes = (1..option.len()).map(|len| &option[..len]).filter(known);
            command.mut_arg(option.replace('-', "_"), |arg| arg.aliases(prefixes))
        })
    }
}
