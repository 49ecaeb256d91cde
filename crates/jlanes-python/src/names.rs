//! hashlib's names of algorithms, and this family's own.

use jlanes::{
    Algorithm,
    algorithm::{Fixed, Hash, Kind},
};
use pyo3::{exceptions::PyValueError, prelude::*};

/// The names that hashlib guarantees, and what they are called here.
const GUARANTEED: [(&str, &str); 14] = [
    ("blake2b", "blake2b"),
    ("blake2s", "blake2s"),
    ("md5", "md5"),
    ("sha1", "sha1"),
    ("sha224", "sha224"),
    ("sha256", "sha256"),
    ("sha384", "sha384"),
    ("sha3_224", "sha3-224"),
    ("sha3_256", "sha3-256"),
    ("sha3_384", "sha3-384"),
    ("sha3_512", "sha3-512"),
    ("sha512", "sha512"),
    ("shake_128", "shake128"),
    ("shake_256", "shake256"),
];

/// Algorithms that stand for all of their kind in `algorithms_available`: those without parameters,
/// and the usual ones of those that have some.
const OTHERS: [&str; 10] = [
    "skein256",
    "skein512",
    "skein1024",
    "mh-sha1",
    "mh-sha256",
    "glacier",
    "dropbox",
    "fsverity-sha256",
    "fsverity-sha512",
    "jlanes8-sha256",
];

/// What an algorithm with one of hashlib's names is called here.
pub(crate) fn own(name: &str) -> &str {
    let known = GUARANTEED.iter().find(|(hashlib, _)| hashlib.eq_ignore_ascii_case(name));
    known.map_or(name, |(_, own)| own)
}

/// The algorithm with one of hashlib's names, or one of the family's.
pub(crate) fn parse(name: &str) -> PyResult<Algorithm> {
    own(name)
        .parse()
        .map_err(|error| PyValueError::new_err(format!("unsupported hash type {name}: {error}")))
}

/// hashlib's name of an algorithm, where it has one.
pub(crate) fn name(algorithm: Algorithm) -> String {
    let own = algorithm.to_string();
    if let Some((hashlib, _)) = GUARANTEED.iter().find(|(_, name)| *name == own) {
        return (*hashlib).to_owned();
    }
    match algorithm.kind() {
        Kind::Hash(Hash::Fixed(_)) => own.replace('-', "_"),
        _ => own,
    }
}

/// The names that hashlib guarantees and that there are here.
pub(crate) fn guaranteed() -> impl Iterator<Item = &'static str> {
    let there_is =
        |(_, own): &&(&str, &str)| own.starts_with("shake") || own.parse::<Algorithm>().is_ok();
    GUARANTEED.iter().filter(there_is).map(|(hashlib, _)| *hashlib)
}

/// All names that need no parameters.
pub(crate) fn available() -> Vec<String> {
    let fixed = Fixed::all().map(|fixed| parse(&fixed.to_string()));
    let others = OTHERS.into_iter().map(parse);
    let named = fixed.chain(others).flatten().map(name);
    let mut names: Vec<String> = named.chain(guaranteed().map(str::to_owned)).collect();
    names.sort();
    names.dedup();
    names
}
