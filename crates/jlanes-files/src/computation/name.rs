//! Names of computations. In capitals they are the tags of lists; JSON contains them as they are.

use std::{fmt, str::FromStr};

#[cfg(not(feature = "checksums"))]
use jlanes::algorithm::Strength;
use jlanes::{Algorithm, AlgorithmError, algorithm::AnyHash};

use super::{Computation, DirHash};
#[cfg(feature = "checksums")]
use crate::Checksum;

impl DirHash {
    fn name(self) -> &'static str {
        match self {
            Self::H1 => "h1",
            Self::GitSha256 => "git-sha256",
        }
    }
}

/// The computation without a key and other parameters that has this name.
impl FromStr for Computation {
    type Err = AlgorithmError;

    fn from_str(name: &str) -> Result<Self, AlgorithmError> {
        let is_named = |hash: &DirHash| hash.name().eq_ignore_ascii_case(name);
        if let Some(hash) = DirHash::ALL.into_iter().find(is_named) {
            return Ok(Self::Directory(hash));
        }
        #[cfg(feature = "checksums")]
        if let Some(checksum) = Checksum::named(name) {
            return Ok(checksum.into());
        }
        match name.parse::<Algorithm>()? {
            #[cfg(not(feature = "checksums"))]
            algorithm if algorithm.strength() == Strength::Checksum => Err(AlgorithmError::Unknown),
            algorithm => Ok(algorithm.into()),
        }
    }
}

/// The name with all parameters that the digest depends on, except the key.
impl fmt::Display for Computation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest(hash) => fmt::Display::fmt(hash, f),
            #[cfg(feature = "checksums")]
            Self::Checksum(checksum) => checksum.fmt(f),
            Self::Directory(hash) => f.write_str(hash.name()),
        }
    }
}

impl Computation {
    /// The name in lists of digests, `SHA256 (FILE) = ...`.
    #[must_use]
    pub fn tag(&self) -> String {
        self.hash().map_or_else(|| self.to_string().to_ascii_uppercase(), AnyHash::tag)
    }
}
