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
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Method {
    Hash(Algorithm),
    Checksum(Checksum),
}

/// A checksum. It detects errors; anybody can make an object with a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Checksum {
    name: &'static str,
    crc: CrcAlgorithm,
    /// Bytes.
    size: usize,
}

/// Those of S3.
const CHECKSUMS: [Checksum; 3] = [
    Checksum { name: "crc32", crc: CrcAlgorithm::Crc32IsoHdlc, size: 4 },
    Checksum { name: "crc32c", crc: CrcAlgorithm::Crc32Iscsi, size: 4 },
    Checksum { name: "crc64nvme", crc: CrcAlgorithm::Crc64Nvme, size: 8 },
];

impl FromStr for Method {
    type Err = String;

    /// The method of this name, which has a digest of an object.
    fn from_str(name: &str) -> Result<Self, String> {
        if let Some(known) = CHECKSUMS.iter().find(|known| known.name.eq_ignore_ascii_case(name)) {
            return Ok(Self::Checksum(*known));
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
            Self::Checksum(checksum) => f.write_str(checksum.name),
        }
    }
}

impl Method {
    /// The name in tagged lists.
    pub(crate) fn tag(self) -> String {
        match self {
            Self::Hash(algorithm) => algorithm.tag().to_string(),
            Self::Checksum(checksum) => checksum.name.to_ascii_uppercase(),
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
            Self::Checksum(Checksum { crc, size, .. }) => {
                Box::new(Crc { digest: crc_fast::Digest::new(*crc), size: *size })
            }
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

impl FileHasher for Crc {
    fn update(&mut self, data: &[u8]) {
        self.digest.update(data);
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        let bytes = self.digest.finalize().to_be_bytes();
        Ok(bytes[bytes.len() - self.size..].into())
    }
}
