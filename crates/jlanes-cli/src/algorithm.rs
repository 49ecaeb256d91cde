//! The algorithms, in one table.

use std::{fmt, str::FromStr};

use jlanes::{
    Backend, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256,
    skein::{Skein256, Skein512, Skein1024},
};

use crate::hash::lanes::{Lanes, scheduled};

/// One way to digest a file.
#[derive(Clone, Copy)]
pub(crate) struct Algorithm(&'static Spec);

struct Spec {
    /// As `--algorithm` takes it.
    name: &'static str,
    /// As tagged lines show it.
    tag: &'static str,
    /// Bytes of the digest.
    len: usize,
    lanes: fn(Backend) -> Box<dyn Lanes>,
}

const fn spec(
    name: &'static str,
    tag: &'static str,
    len: usize,
    lanes: fn(Backend) -> Box<dyn Lanes>,
) -> Spec {
    Spec { name, tag, len, lanes }
}

static ALGORITHMS: [Spec; 10] = [
    spec("sha256", "SHA256", 32, scheduled::<Sha256>),
    spec("sha1", "SHA1", 20, scheduled::<Sha1>),
    spec("sha224", "SHA224", 28, scheduled::<Sha224>),
    spec("sha384", "SHA384", 48, scheduled::<Sha384>),
    spec("sha512", "SHA512", 64, scheduled::<Sha512>),
    spec("sha512-224", "SHA512-224", 28, scheduled::<Sha512_224>),
    spec("sha512-256", "SHA512-256", 32, scheduled::<Sha512_256>),
    spec("skein256", "SKEIN256", 32, scheduled::<Skein256>),
    spec("skein512", "SKEIN512", 64, scheduled::<Skein512>),
    spec("skein1024", "SKEIN1024", 128, scheduled::<Skein1024>),
];

impl Algorithm {
    /// Every algorithm.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        ALGORITHMS.iter().map(Self)
    }

    pub(crate) fn name(self) -> &'static str {
        self.0.name
    }

    pub(crate) fn tag(self) -> &'static str {
        self.0.tag
    }

    /// Bytes of the digest.
    pub(crate) fn digest_len(self) -> usize {
        self.0.len
    }

    /// Empty lanes on `backend`.
    pub(crate) fn lanes(self, backend: Backend) -> Box<dyn Lanes> {
        (self.0.lanes)(backend)
    }

    /// The algorithm whose lines are tagged `tag`.
    pub(crate) fn of_tag(tag: &[u8]) -> Option<Self> {
        Self::all().find(|algorithm| algorithm.tag().as_bytes() == tag)
    }
}

impl Default for Algorithm {
    /// SHA-256.
    fn default() -> Self {
        Self(&ALGORITHMS[0])
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Algorithm {}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Algorithm({})", self.name())
    }
}

/// No algorithm has this name.
#[derive(Debug)]
pub(crate) struct UnknownAlgorithm;

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        let name = name.to_ascii_lowercase().replace('_', "-");
        Self::all().find(|algorithm| algorithm.name() == name).ok_or(UnknownAlgorithm)
    }
}
