//! What `--algorithm` and the options that go with it ask for, and what computes it.

use std::sync::Arc;

use jlanes::algorithm::{Fixed, Hash, Kind};

/// Calls a function with a [`Fixed`]'s hash function as its type.
macro_rules! fixed {
    ($fixed:expr, $f:ident($($arg:expr),*)) => {
        match $fixed {
            Fixed::Md5 => $f::<jlanes_core::hashes::md5::Md5>($($arg),*),
            Fixed::Ripemd160 => $f::<jlanes_core::hashes::ripemd160::Ripemd160>($($arg),*),
            Fixed::Sm3 => $f::<jlanes_core::hashes::sm3::Sm3>($($arg),*),
            Fixed::Sha1 => $f::<jlanes_core::hashes::sha1::Sha1>($($arg),*),
            Fixed::Sha224 => $f::<jlanes_core::hashes::sha2::Sha224>($($arg),*),
            Fixed::Sha256 => $f::<jlanes_core::hashes::sha2::Sha256>($($arg),*),
            Fixed::Sha384 => $f::<jlanes_core::hashes::sha2::Sha384>($($arg),*),
            Fixed::Sha512 => $f::<jlanes_core::hashes::sha2::Sha512>($($arg),*),
            Fixed::Sha512_224 => $f::<jlanes_core::hashes::sha2::Sha512_224>($($arg),*),
            Fixed::Sha512_256 => $f::<jlanes_core::hashes::sha2::Sha512_256>($($arg),*),
            Fixed::Sha3_224 => $f::<jlanes_core::hashes::keccak::functions::Sha3_224>($($arg),*),
            Fixed::Sha3_256 => $f::<jlanes_core::hashes::keccak::functions::Sha3_256>($($arg),*),
            Fixed::Sha3_384 => $f::<jlanes_core::hashes::keccak::functions::Sha3_384>($($arg),*),
            Fixed::Sha3_512 => $f::<jlanes_core::hashes::keccak::functions::Sha3_512>($($arg),*),
            Fixed::Keccak224 => $f::<jlanes_core::hashes::keccak::functions::Keccak224>($($arg),*),
            Fixed::Keccak256 => $f::<jlanes_core::hashes::keccak::functions::Keccak256>($($arg),*),
            Fixed::Keccak384 => $f::<jlanes_core::hashes::keccak::functions::Keccak384>($($arg),*),
            Fixed::Keccak512 => $f::<jlanes_core::hashes::keccak::functions::Keccak512>($($arg),*),
            other => unreachable!("the tool is not built with {other}"),
        }
    };
}

/// Calls a function with the hasher of a [`SkeinSize`](jlanes::algorithm::SkeinSize) as its type.
macro_rules! skein {
    ($size:expr, $f:ident($($arg:expr),*)) => {
        match $size {
            SkeinSize::Skein256 => $f::<Skein256>($($arg),*),
            SkeinSize::Skein512 => $f::<Skein512>($($arg),*),
            SkeinSize::Skein1024 => $f::<Skein1024>($($arg),*),
        }
    };
}

/// Calls a function with the word of BLAKE2 as its type.
macro_rules! blake2 {
    ($word:expr, $f:ident($($arg:expr),*)) => {
        match $word {
            Blake2Word::U32 => $f::<u32>($($arg),*),
            Blake2Word::U64 => $f::<u64>($($arg),*),
        }
    };
}

mod batch;
mod checksum;
mod files;
mod hmac;
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

/// The hash that an algorithm is built of.
fn hash_of(kind: Kind) -> Hash {
    match kind {
        Kind::Hash(hash) | Kind::JLanes { hash, .. } | Kind::JPointers { hash, .. } => hash,
        Kind::SkeinTree(skein, _) => Hash::Skein(skein),
        Kind::FsVerity { hash, .. } | Kind::DmVerity(hash) => Hash::Fixed(hash),
        Kind::MhSha1 => Hash::Fixed(Fixed::Sha1),
        // the permutation that these have in common
        Kind::Xof(_) => Hash::Fixed(Fixed::Sha3_256),
        // every other tree stands on SHA-256
        _ => Hash::Fixed(Fixed::Sha256),
    }
}
