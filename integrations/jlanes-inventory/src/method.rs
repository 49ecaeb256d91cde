//! What is computed of an object: a digest, or a checksum.

use std::{fmt, str::FromStr};

use jlanes::{Algorithm, Backend, algorithm::AnyHash};
use jlanes_files::{Checksum, Digester, FileHasher};

/// A hash of `jlanes`, or a checksum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Method {
    Hash(Algorithm),
    Checksum(Checksum),
}

impl FromStr for Method {
    type Err = String;

    /// The method of this name, which has a digest of an object.
    fn from_str(name: &str) -> Result<Self, String> {
        if let Some(checksum) = Checksum::named(name).filter(|checksum| checksum.is_listed()) {
            return Ok(Self::Checksum(checksum));
        }
        let algorithm: Algorithm = name.parse().map_err(|error| format!("'{name}': {error}"))?;
        algorithm.hasher().map_err(|error| format!("'{name}': {error}"))?;
        Ok(Self::Hash(algorithm))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash(algorithm) => algorithm.fmt(f),
            Self::Checksum(checksum) => checksum.fmt(f),
        }
    }
}

impl Method {
    /// The name in tagged lists.
    pub(crate) fn tag(self) -> String {
        match self {
            Self::Hash(algorithm) => algorithm.tag(),
            Self::Checksum(checksum) => checksum.to_string().to_ascii_uppercase(),
        }
    }
}

impl Digester for Method {
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
        match self {
            Self::Hash(algorithm) => algorithm.hasher(backend, parallel),
            Self::Checksum(checksum) => checksum.hasher(backend, parallel),
        }
    }

    fn hash(&self) -> Option<AnyHash> {
        match self {
            Self::Hash(algorithm) => Some((*algorithm).into()),
            Self::Checksum(_) => None,
        }
    }
}
