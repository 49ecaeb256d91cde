//! The name that the program was called by: under the name of a GNU tool or of `b3sum`, it has that tool's
//! options and no others.

use super::usage::EarlyExit;
use crate::{hash::family::is_available, report::quote};

/// A tool with options of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// `jlanes-sum`.
    Jlanes,
    /// `sha256sum` and related tools.
    Sum,
    /// `b2sum`, which has `--length`, too.
    B2sum,
    Cksum,
    /// `sum`.
    BsdSum,
    /// BLAKE3's `b3sum`.
    B3sum,
}

/// The names of tools, with their options and algorithms.
const NAMES: [(&str, Tool, &str); 10] = [
    ("md5sum", Tool::Sum, "md5"),
    ("sha1sum", Tool::Sum, "sha1"),
    ("sha224sum", Tool::Sum, "sha224"),
    ("sha256sum", Tool::Sum, "sha256"),
    ("sha384sum", Tool::Sum, "sha384"),
    ("sha512sum", Tool::Sum, "sha512"),
    ("b2sum", Tool::B2sum, "blake2b"),
    ("b3sum", Tool::B3sum, "blake3"),
    ("cksum", Tool::Cksum, "crc"),
    ("sum", Tool::BsdSum, "bsd"),
];

/// Beginnings of hashes' names, from which names of checksum programs are made.
const HASHES: [&str; 24] = [
    "adler",
    "ascon",
    "blake",
    "city",
    "crc",
    "fnv",
    "gost",
    "has",
    "highway",
    "jh",
    "kangaroo",
    "keccak",
    "lsh",
    "md",
    "murmur",
    "rmd",
    "ripemd",
    "shake",
    "sip",
    "sm",
    "snefru",
    "streebog",
    "tiger",
    "whirlpool",
];

/// The name that the program was called by, and the tool and the algorithm that this name means.
#[derive(Clone, Debug)]
pub(super) struct ProgramName {
    /// The name for messages.
    pub(super) name: String,
    pub(super) tool: Tool,
    /// The algorithm if the user names none.
    pub(super) spec: String,
}

impl ProgramName {
    /// Interprets the name `program`.
    ///
    /// # Errors
    /// An unknown `*sum` name of a hash. We never fall back to another hash.
    pub(super) fn parse(program: &[u8]) -> Result<Self, EarlyExit> {
        let name = String::from_utf8_lossy(program).into_owned();
        if let Some((_, tool, spec)) = NAMES.iter().find(|(known, ..)| *known == name) {
            return match is_available(spec) {
                true => Ok(Self { tool: *tool, spec: (*spec).to_owned(), name }),
                false => Err(missing(spec)),
            };
        }
        let spec = match name.strip_suffix("sum") {
            Some(hash) if is_available(hash) => hash.to_owned(),
            Some(hash) if names_a_hash(hash) || hash == "sha" => return Err(missing(hash)),
            // tools of other systems, such as `md5` and `crc32`
            None if is_available(&name) => name.clone(),
            None if is_a_hash(&name) => return Err(missing(&name)),
            _ => "sha256".to_owned(),
        };
        Ok(Self { tool: Tool::Jlanes, spec, name })
    }

    /// Whether to do exactly what GNU's tool of this name does.
    pub(super) fn is_gnu_tool(&self) -> bool {
        !matches!(self.tool, Tool::Jlanes | Tool::B3sum)
    }
}

fn missing(hash: &str) -> EarlyExit {
    let hash = quote::value(hash);
    EarlyExit::value(format!("there is no {hash} in this program, and no other hash in its place"))
}

/// Whether `program` has the name of one of GNU's tools.
pub(crate) fn is_gnu_program(program: &[u8]) -> bool {
    let known = NAMES.iter().find(|(name, ..)| name.as_bytes() == program);
    known.is_some_and(|(_, tool, _)| *tool != Tool::B3sum)
}

/// Whether `name`, the whole name of a program, is that of a hash: a known beginning, then a number.
fn is_a_hash(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
    stem.len() < name.len() && (stem == "sha" || stem == "xxh" || HASHES.contains(&stem))
}

/// Whether the text before `sum` in a program's name looks like the name of a hash.
fn names_a_hash(stem: &str) -> bool {
    let stem = stem.trim_end_matches(['-', '_']).to_ascii_lowercase();
    let has_number = stem.starts_with(|c: char| c.is_ascii_alphabetic())
        && stem.contains(|c: char| c.is_ascii_digit());
    has_number || HASHES.iter().any(|hash| stem.starts_with(hash)) || stem.starts_with("xx")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(name: &str) -> Result<(Tool, String), String> {
        match ProgramName::parse(name.as_bytes()) {
            Ok(called) => Ok((called.tool, called.spec)),
            Err(EarlyExit::Value(message)) => Err(message),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn names_choose_options_and_algorithm() {
        for (name, tool, spec) in [
            ("jlanes-sum", Tool::Jlanes, "sha256"),
            ("jlanes-sum-0.1", Tool::Jlanes, "sha256"),
            ("sha512-256sum", Tool::Jlanes, "sha512-256"),
            ("skein512sum", Tool::Jlanes, "skein512"),
            ("sha384sum", Tool::Sum, "sha384"),
            ("b2sum", Tool::B2sum, "blake2b"),
            ("blake2s-128sum", Tool::Jlanes, "blake2s-128"),
            ("cksum", Tool::Cksum, "crc"),
            ("sum", Tool::BsdSum, "bsd"),
            ("md5", Tool::Jlanes, "md5"),
            ("sha512", Tool::Jlanes, "sha512"),
            ("crc32", Tool::Jlanes, "crc32"),
            ("xxh64sum", Tool::Jlanes, "xxh64"),
            ("hasher", Tool::Jlanes, "sha256"),
            ("checksum", Tool::Jlanes, "sha256"),
            ("mysum", Tool::Jlanes, "sha256"),
        ] {
            assert_eq!(called(name), Ok((tool, spec.to_owned())), "{name}");
        }
    }

    #[test]
    fn no_hash_takes_the_place_of_another() {
        for (name, ..) in NAMES {
            match called(name) {
                Ok((_, spec)) => assert!(is_available(&spec), "{name}"),
                Err(message) => assert!(message.contains("no other hash"), "{name}"),
            }
        }
        for name in ["md4", "sha7", "shasum", "md4sum", "sha7sum", "xxhsum", "tigersum", "gost-sum"]
        {
            assert!(called(name).is_err(), "{name}");
        }
    }
}
