//! BLAKE3: BLAKE2s's round, seven times, on chunks of 1 KiB that are leaves of a binary tree.
//!
//! ```text
//! chunk:    the blocks of 64 bytes one after the other, from the key; the first is marked, the last too
//! parent:   one block of two values, from the key
//! root:     marked as well; its output goes on for as long as one reads
//! ```
//!
//! A message of one chunk is a [`HashFunction`] like any other ([`Chunk`]). A [tree] and many
//! messages are built from chunks and parents in lanes.

use digest::consts::U32;

use super::sha2::consts::IV_256;
use crate::{
    compression::{Compression, Ending, Shape},
    hash::HashFunction,
    simd::vector::{ByteOrder, SimdWord},
};

mod batch;
pub mod hasher;
#[cfg(feature = "alloc")]
mod many;
mod node;
#[cfg(feature = "alloc")]
pub mod outputs;
pub mod reader;
mod round;
pub mod rows;
mod stack;
pub mod tree;

pub use round::take_flags;

/// Bytes of a block.
pub const BLOCK: usize = 64;
/// Bytes of a chunk.
pub const CHUNK: usize = 1024;
/// Bytes of a key, of a chaining value and of the default digest.
pub const KEY_BYTES: usize = 32;

/// The compression function.
///
/// A lane's state is the chaining value, the counter in two words, the length of the block, and the
/// flags. So lanes can be anywhere in their chunks and trees. Four more words hold the rest of the
/// whole output.
#[derive(Clone, Copy, Debug)]
pub struct Blake3Compression;

/// The state of a lane.
pub type State = [u32; 16];

/// The position of the counter's lower word in a state; the upper one follows.
const COUNTER: usize = 8;
/// The position of the block's length in a state.
const LENGTH: usize = 10;
/// The position of the flags: those of the next block in the lowest byte, the additional ones of
/// the last block in the second. The highest byte is set before the last block
/// ([`Ending::Counter`]).
const FLAGS: usize = 11;

/// The flag of the first block of a chunk, which is cleared after it.
const CHUNK_START: u32 = 1;
/// The flag of the last block of a chunk.
const CHUNK_END: u32 = 1 << 1;
/// The flag of a parent.
const PARENT: u32 = 1 << 2;
/// The flag of the last block of the root.
const ROOT: u32 = 1 << 3;
/// The flag of blocks under a key.
const KEYED_HASH: u32 = 1 << 4;
/// The flag of the context of a key derivation.
const DERIVE_KEY_CONTEXT: u32 = 1 << 5;
/// The flag of the key material of a key derivation.
const DERIVE_KEY_MATERIAL: u32 = 1 << 6;

impl Compression for Blake3Compression {
    type Word = u32;
    type State<T: Copy> = [T; 16];
    type Block<T: Copy> = [T; 16];
    const MAX_LANES: usize = 16;
    const BLOCK_BYTES: usize = BLOCK;
    const ORDER: ByteOrder = ByteOrder::Little;
    const ENDING: Ending =
        Ending::Counter { low: LENGTH, high: None, flag: FLAGS, flag_bits: 0xff00_0000 };
    const NUMBER: Option<usize> = Some(COUNTER);

    #[inline(always)]
    fn compress<V: SimdWord<u32>>(proof: V::Proof, state: &mut [V; 16], block: [V; 16]) {
        round::compress(proof, state, &block, false);
    }

    #[inline(always)]
    fn compress_as<V: SimdWord<u32>>(
        proof: V::Proof,
        shape: &Shape<u32>,
        state: &mut [V; 16],
        block: [V; 16],
    ) {
        round::compress(proof, state, &block, shape.whole_output);
    }
}

/// [`Blake3Compression`] with the whole output as its state.
static WHOLE_OUTPUT: Shape<u32> = Shape { whole_output: true, ..Shape::of::<Blake3Compression>() };

/// The key and the flag of one of BLAKE3's three modes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    key: [u32; 8],
    flag: u32,
}

impl Mode {
    /// The unkeyed hash.
    pub const HASH: Self = Self { key: IV_256, flag: 0 };

    /// The keyed hash.
    #[must_use]
    pub fn keyed(key: &[u8; KEY_BYTES]) -> Self {
        Self { key: words(key), flag: KEYED_HASH }
    }

    /// The mode for hashing the context of a key derivation.
    const CONTEXT: Self = Self { key: IV_256, flag: DERIVE_KEY_CONTEXT };

    /// The key derivation in the context with this hash.
    fn derived(context: &[u8; KEY_BYTES]) -> Self {
        Self { key: words(context), flag: DERIVE_KEY_MATERIAL }
    }

    /// The start of chunk `number`; its last block also has the flags `last`.
    fn chunk(&self, number: u64, last: u32) -> State {
        self.state(number, CHUNK_START | (CHUNK_END | last) << 8)
    }

    /// The start of a parent.
    fn parent(&self, root: u32) -> State {
        self.state(0, PARENT | root)
    }

    fn state(&self, counter: u64, flags: u32) -> State {
        let mut state = [0; 16];
        state[..8].copy_from_slice(&self.key);
        state[COUNTER] = counter as u32;
        state[COUNTER + 1] = (counter >> 32) as u32;
        state[LENGTH] = BLOCK as u32;
        state[FLAGS] = self.flag | flags;
        state
    }

    /// Overwrites the key, with the feature `zeroize`.
    fn wipe(&mut self) {
        crate::wipe::words(&mut self.key);
    }
}

/// The words of a key or a chaining value.
fn words(bytes: &[u8; KEY_BYTES]) -> [u32; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// BLAKE3 of messages of at most one [`CHUNK`]; longer ones are trees.
#[derive(Clone, Copy, Debug)]
pub struct Chunk;

impl HashFunction for Chunk {
    type Compression = Blake3Compression;
    type OutputSize = U32;
    const NAME: &'static str = "Blake3";

    #[inline]
    fn start() -> State {
        Mode::HASH.chunk(0, ROOT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_have_two_words() {
        let state = Mode::HASH.chunk(7 << 32 | 5, 0);
        assert_eq!(state[COUNTER..COUNTER + 2], [5, 7]);
    }
}
