//! What `--algorithm` and the options that go with it ask for, and what computes it.

use std::sync::Arc;

use jlanes::algorithm::Kind;

/// An expression in which `$hasher` is the hasher of a [`SkeinSize`](jlanes::algorithm::SkeinSize).
macro_rules! skein {
    ($size:expr, $hasher:ident => $result:expr) => {
        match $size {
            SkeinSize::Skein256 => {
                type $hasher = Skein256;
                $result
            }
            SkeinSize::Skein512 => {
                type $hasher = Skein512;
                $result
            }
            SkeinSize::Skein1024 => {
                type $hasher = Skein1024;
                $result
            }
        }
    };
}

mod batch;
mod checksum;
mod files;
mod parameters;
mod pointers;
mod scheme;
mod settings;
mod shared;
mod whole;

pub(crate) use self::{
    checksum::Checksum,
    parameters::{Parameters, Secret, SkeinArguments},
    pointers::{Pointers, of_one_file},
    scheme::{Family, Misfit, Named, Scheme, What, family},
    settings::{Settings, Threads},
    shared::threads,
};
use self::{files::FileHasher, whole::Whole};
use super::lanes::Lanes;

/// The digests of each file, and how they are computed.
#[derive(Clone)]
pub(crate) struct Method {
    pub(crate) schemes: Arc<[Scheme]>,
    pub(crate) settings: Settings,
}

impl Method {
    /// Empty lanes for it.
    pub(crate) fn lanes(self) -> Box<dyn Lanes> {
        let shared = match &*self.schemes {
            [scheme] => self.shared_lanes(scheme),
            _ => None,
        };
        shared.unwrap_or_else(|| Box::new(Whole::new(self)))
    }
}

impl Method {
    /// Bytes of the longest leaf of a tree.
    pub(crate) fn longest_leaf(&self) -> usize {
        let leaf = |scheme: &Scheme| match scheme.kind() {
            Some(Kind::Glacier) => 1 << 20,
            Some(Kind::Dropbox) => 4 << 20,
            Some(Kind::S3 { part }) => part,
            Some(Kind::Rfc6962 { leaf }) => leaf,
            Some(Kind::Xof(xof)) => xof.leaf_size().unwrap_or(0),
            _ => 0,
        };
        self.schemes.iter().map(leaf).max().unwrap_or(0)
    }
}

/// Whether each file has the lanes to itself under these schemes, even if it is small.
pub(crate) fn is_alone(schemes: &[Scheme]) -> bool {
    let [scheme] = schemes else { return false };
    let shares = |kind| {
        matches!(
            kind,
            Kind::Hash(_) | Kind::Blake2(_) | Kind::JPointers { .. } | Kind::FsVerity { .. }
        )
    };
    !scheme.kind().is_none_or(shares)
}
