//! BLAKE3 against the crate `blake3` and its published vectors, on every backend.

#![allow(clippy::unwrap_used)] // the helpers too are tests

mod algorithm;
mod batches;
mod hashers;
#[path = "../common/xofs.rs"]
mod machine;
mod outputs;
mod xofs;

use jlanes_core::hashes::blake3::Mode;
use jlanes_testing::message;

/// A key that is no other one.
const KEY: &[u8; 32] = b"a key of thirty-two bytes for us";
/// A context.
const CONTEXT: &str = "jlanes tests 2026-11-24 a context";

/// A mode, with the same of the crate `blake3`.
#[derive(Clone, Copy, Debug)]
enum Of {
    Hash,
    Keyed,
    DeriveKey,
}

impl Of {
    const ALL: [Self; 3] = [Self::Hash, Self::Keyed, Self::DeriveKey];

    fn mode(self) -> Mode {
        match self {
            Self::Hash => Mode::HASH,
            Self::Keyed => Mode::keyed(KEY),
            Self::DeriveKey => Mode::derive_key(jlanes::Backend::detect(), CONTEXT.as_bytes()),
        }
    }

    fn peer(self) -> blake3::Hasher {
        match self {
            Self::Hash => blake3::Hasher::new(),
            Self::Keyed => blake3::Hasher::new_keyed(KEY),
            Self::DeriveKey => blake3::Hasher::new_derive_key(CONTEXT),
        }
    }
}

/// Lengths around the edges of blocks, of chunks, and of subtrees that fill the lanes.
fn lengths() -> impl Iterator<Item = usize> {
    let blocks = [1, 2, 3, 15].into_iter().flat_map(|blocks: usize| {
        let edge = blocks * 64;
        [edge - 1, edge, edge + 1]
    });
    let chunks = (1..=9).chain([15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 255, 256, 257, 300]);
    let chunks = chunks.flat_map(|chunks: usize| {
        let edge = chunks * 1024;
        [edge - 64, edge - 1, edge, edge + 1, edge + 65]
    });
    [0, 1, 2, 31, 32, 33].into_iter().chain(blocks).chain(chunks)
}

/// A message of this length.
fn text(len: usize) -> Vec<u8> {
    message(len as u64, len)
}
