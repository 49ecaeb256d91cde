//! What the program was called as: GNU's tools differ in what they do without options.

use jlanes::Algorithm;

pub(super) use super::abbreviations::Tool;
use super::algorithm::is_sha;

/// What the program was called as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// `jlanes-sum`, and any name that is not known.
    Jlanes,
    /// `sha256sum` and its like: one algorithm.
    Sum(Algorithm),
    /// `cksum`: lines are tagged.
    Cksum,
}

impl Role {
    pub(super) fn of(program: &[u8]) -> Self {
        if program == b"cksum" {
            return Self::Cksum;
        }
        let name = program.strip_suffix(b"sum").and_then(|name| str::from_utf8(name).ok());
        match name.and_then(|name| name.parse().ok()) {
            Some(algorithm) if is_sha(algorithm) => Self::Sum(algorithm),
            _ => Self::Jlanes,
        }
    }

    /// The GNU tool whose abbreviations of options count.
    pub(super) fn tool(self) -> Tool {
        if self == Self::Cksum { Tool::Cksum } else { Tool::Sum }
    }
}
