//! The shape of a compression function: its constants as a value. Code above the kernels takes it as an
//! argument, so it is compiled once for all functions of a word size.

use crate::simd::vector::ByteOrder;

/// The maximum number of lanes of any kernel.
pub const MAX_LANES: usize = 32;

/// The longest block of all functions here, in bytes.
pub const MAX_BLOCK_BYTES: usize = 168;

/// Prepares a block that all lanes share: maps its words to other words.
pub type ShareFn<W> = fn(&[W], &mut [W]);

/// A compression function as a value.
#[derive(Clone, Copy, Debug)]
pub struct Shape<W: 'static> {
    /// Bytes of a block.
    pub block_bytes: usize,
    /// Words of a block.
    pub block_words: usize,
    /// Words of a state.
    pub state_words: usize,
    /// [`Compression::ROUNDS`](super::Compression::ROUNDS).
    pub rounds: usize,
    /// Whether the state becomes the whole output of the last block, and not a chaining value:
    /// BLAKE3's extendable output.
    pub whole_output: bool,
    /// The maximum number of lanes that any kernel fills.
    pub max_lanes: usize,
    /// The byte order of words.
    pub order: ByteOrder,
    /// [`Compression::ENDING`](super::Compression::ENDING).
    pub ending: Ending,
    /// [`Compression::share`](super::Compression::share), and the number of words of its result.
    pub share: (ShareFn<W>, usize),
}

/// The end of a message in its last block or in the state, apart from the bytes after the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The message's length in bits in the last two words of the block, in the words' order
    /// (Merkle-Damgård; FIPS 180-4, section 5.1).
    Length,
    /// The highest bit of the block's last word (a sponge's padding; FIPS 202, section 5.1).
    LastBit,
    /// Nothing in the block. The state counts bytes, and a compression adds a whole block: the
    /// missing bytes of the last one are subtracted before, and a flag is set (BLAKE2, Skein).
    Counter {
        /// The lower word of the counter.
        low: usize,
        /// The upper word of the counter, if any.
        high: Option<usize>,
        /// The word with the flag.
        flag: usize,
        /// The bits that the flag sets in that word.
        flag_bits: u64,
    },
}

/// The byte order of the blocks of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunByteOrder {
    /// The hash's order: a message.
    Message,
    /// The CPU's order.
    Native,
}

/// Advances streams by `blocks` blocks of their runs, and then by the shared block if `shared` is not
/// empty. The states are contiguous.
pub type AdvanceStreamsFn<W> = fn(
    shape: &Shape<W>,
    states: &mut [W],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[W],
);
