//! What is computed of an object: a digest, or one of the checksums that S3 keeps.

use std::{fmt, io, str::FromStr};

use crc_fast::CrcAlgorithm;
use jlanes::{
    Algorithm, Backend,
    algorithm::{AnyHash, AnyScheduler},
    multi::Source,
};
use jlanes_files::{Digester, FileHasher};

/// A hash of `jlanes`, or a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Hash(Algorithm),
    Checksum(Checksum),
}

/// A checksum of S3. It detects errors; anybody can make an object with a given one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checksum {
    Crc32,
    Crc32c,
    Crc64Nvme,
}

const CHECKSUMS: [(&str, Checksum); 3] =
    [("crc32", Checksum::Crc32), ("crc32c", Checksum::Crc32c), ("crc64nvme", Checksum::Crc64Nvme)];

impl FromStr for Method {
    type Err = String;

    /// The method of this name, which has a digest of an object.
    fn from_str(name: &str) -> Result<Self, String> {
        let known = CHECKSUMS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some((_, checksum)) = known {
            return Ok(Self::Checksum(*checksum));
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

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = CHECKSUMS.iter().find(|(_, checksum)| checksum == self);
        f.write_str(known.map_or("", |(name, _)| name))
    }
}

impl Method {
    /// The name in tagged lists.
    pub(crate) fn tag(self) -> String {
        match self {
            Self::Hash(algorithm) => algorithm.tag().to_string(),
            Self::Checksum(checksum) => checksum.to_string().to_ascii_uppercase(),
        }
    }

    /// A scheduler, if several objects share its lanes. A tree has none, since it fills the lanes with one
    /// object, and neither has a checksum.
    pub(crate) fn scheduler<S: Source + 'static>(self) -> Option<AnyScheduler<'static, S>> {
        let Self::Hash(algorithm) = self else { return None };
        let lanes = algorithm.lanes().ok()?;
        lanes.shares_lanes().then(|| lanes.scheduler())
    }
}

impl Digester for Method {
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
        match self {
            Self::Hash(algorithm) => algorithm.hasher(backend, parallel),
            Self::Checksum(checksum) => Box::new(Crc::new(*checksum)),
        }
    }

    fn hash(&self) -> Option<AnyHash> {
        match self {
            Self::Hash(algorithm) => Some((*algorithm).into()),
            Self::Checksum(_) => None,
        }
    }
}

struct Crc {
    digest: crc_fast::Digest,
    size: usize,
}

impl Crc {
    fn new(checksum: Checksum) -> Self {
        let (algorithm, size) = match checksum {
            Checksum::Crc32 => (CrcAlgorithm::Crc32IsoHdlc, 4),
            Checksum::Crc32c => (CrcAlgorithm::Crc32Iscsi, 4),
            Checksum::Crc64Nvme => (CrcAlgorithm::Crc64Nvme, 8),
        };
        Self { digest: crc_fast::Digest::new(algorithm), size }
    }
}

impl FileHasher for Crc {
    fn update(&mut self, data: &[u8]) {
        self.digest.update(data);
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        let bytes = self.digest.finalize().to_be_bytes();
        Ok(bytes[bytes.len() - self.size..].into())
    }
}
