//! Names of algorithms as Python's callers spell them: hashlib's `sha3_256`, `sha3-256` as elsewhere in
//! jlanes, or a constructor of either package. An unknown name gets the nearest one as a hint.

use std::{borrow::Cow, ops::Deref, sync::LazyLock};

use jlanes::{
    Algorithm,
    algorithm::{AnyHash, BaseHash, Fixed, Key, Kind},
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};

use crate::{inputs, xof::Xof};

/// The names that hashlib guarantees, each with jlanes' own.
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

/// More names for `algorithms_available`; of families with parameters, the usual members.
const OTHERS: [&str; 12] = [
    "blake3",
    "skein256",
    "skein512",
    "skein1024",
    "mh-sha1",
    "mh-sha256",
    "sha256tree",
    "glacier",
    "dropbox",
    "fsverity-sha256",
    "fsverity-sha512",
    "jlanes8-sha256",
];

/// The algorithm with this name of hashlib's or ours. Names are exact, apart from their case and from
/// `_` for `-`.
pub(crate) fn find(name: &str) -> Result<Algorithm, String> {
    // a cache: parsing a name takes as long as hashing a small message
    static USUAL: LazyLock<Vec<(&str, Algorithm)>> = LazyLock::new(|| {
        let parsed = |(hashlib, own): &(&'static str, &str)| Some((*hashlib, own.parse().ok()?));
        GUARANTEED.iter().filter_map(parsed).collect()
    });
    if let Some((_, algorithm)) = USUAL.iter().find(|(usual, _)| usual.eq_ignore_ascii_case(name)) {
        return Ok(*algorithm);
    }
    let error = match name.parse::<Algorithm>() {
        Ok(algorithm) => return Ok(algorithm),
        Err(error) => error,
    };
    if let Some(xof) = Xof::find(name) {
        let own = xof.name();
        return Err(format!(
            "a digest of {name} has any length: use xof_many or new('{name}'), or name a length in bits, \
             as in '{own}-256'"
        ));
    }
    let near = nearest(name).map(|near| format!("; did you mean '{near}'?"));
    let near = near.unwrap_or_else(|| "; jlanes.algorithms_available has the names".into());
    Err(format!("unsupported hash type {name}: {error}{near}"))
}

/// [`find`], for Python.
pub(crate) fn parse(name: &str) -> PyResult<Algorithm> {
    find(name).map_err(PyValueError::new_err)
}

/// An algorithm as hashlib and hmac accept it: by name, or by a constructor of either package.
pub(crate) struct Name<'a>(Cow<'a, str>);

impl Deref for Name<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Name<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = object.extract() {
            return Ok(Self(Cow::Borrowed(name)));
        }
        let name = object.getattr_opt("__name__")?.and_then(|name| name.extract::<String>().ok());
        let name = name.unwrap_or_default();
        // OpenSSL's constructors have this prefix
        let name = name.strip_prefix("openssl_").unwrap_or(&name);
        for module in ["jlanes", "hashlib"] {
            let named = object.py().import(module)?.getattr_opt(name)?;
            if named.is_some_and(|named| named.is(&*object)) && find_any(name) {
                return Ok(Self(Cow::Owned(name.to_owned())));
            }
        }
        Err(PyTypeError::new_err(format!(
            "an algorithm is a name as 'sha256', or a constructor as jlanes.sha256, not {}",
            object.get_type().name()?
        )))
    }
}

/// The name of an algorithm, which may be given as a constructor.
#[pyfunction]
pub(crate) fn algorithm_name(algorithm: Name<'_>) -> String {
    algorithm.0.into_owned()
}

/// Whether a hash has this name, with digests of one length or of any length.
fn find_any(name: &str) -> bool {
    Xof::find(name).is_some() || find(name).is_ok()
}

/// The algorithm with this name, keyed if there is a key. hashlib ignores an empty key. Here it is an
/// error, because a caller who passes a key expects a keyed hash.
pub(crate) fn keyed(name: &str, key: Option<&Bound<'_, PyAny>>) -> PyResult<AnyHash> {
    let algorithm = parse(name)?;
    let Some(key) = key else { return Ok(algorithm.into()) };
    let hash = algorithm.with(Key::Own(inputs::to_vec(key)?));
    hash.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A name in lower case, without separators.
fn bare(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The nearest name, if it is similar enough.
fn nearest(name: &str) -> Option<String> {
    let given = bare(name);
    let distance = |known: &String| distance(given.as_bytes(), bare(known).as_bytes());
    let near = available().into_iter().min_by_key(distance)?;
    (distance(&near) <= 2 && distance(&near) < given.len() / 2).then_some(near)
}

/// The Levenshtein distance.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// hashlib's name of an algorithm, or else ours.
pub(crate) fn name(algorithm: Algorithm) -> String {
    let own = algorithm.to_string();
    if let Some((hashlib, _)) = GUARANTEED.iter().find(|(_, name)| *name == own) {
        return (*hashlib).to_owned();
    }
    match algorithm.kind() {
        Kind::Hash(BaseHash::Fixed(_)) => own.replace('-', "_"),
        _ => own,
    }
}

/// The names that hashlib guarantees, except for hashes that this build lacks.
pub(crate) fn guaranteed() -> impl Iterator<Item = &'static str> {
    let there_is =
        |(_, own): &&(&str, &str)| own.starts_with("shake") || own.parse::<Algorithm>().is_ok();
    GUARANTEED.iter().filter(there_is).map(|(hashlib, _)| *hashlib)
}

/// The names for `algorithms_available`.
pub(crate) fn available() -> Vec<String> {
    let fixed = Fixed::all().map(|fixed| parse(&fixed.to_string()));
    let others = OTHERS.into_iter().map(parse);
    let named = fixed.chain(others).flatten().map(name);
    let mut names: Vec<String> = named.chain(guaranteed().map(str::to_owned)).collect();
    names.sort();
    names.dedup();
    names
}
