//! The algorithms, in one table.

use std::{fmt, str::FromStr};

use jlanes::{
    Backend, Sha256,
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

static ALGORITHMS: [Spec; 4] = [
    Spec { name: "sha256", tag: "SHA256", len: 32, lanes: scheduled::<Sha256> },
    Spec { name: "skein256", tag: "SKEIN256", len: 32, lanes: scheduled::<Skein256> },
    Spec { name: "skein512", tag: "SKEIN512", len: 64, lanes: scheduled::<Skein512> },
    Spec { name: "skein1024", tag: "SKEIN1024", len: 128, lanes: scheduled::<Skein1024> },
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
