//! What a hash function adds to its compression function: a start, an end, an output.

pub mod compression;
pub mod digest_api;
pub mod padding;
pub mod shared_block;

use digest::array::{Array, ArraySize};

use crate::simd::lanes::{Array as _, Word};
use compression::Compression;

/// A hash function over a [`Compression`].
///
/// A message is a run of whole blocks and then an end: the blocks that depend on its length. The
/// provided methods are Merkle-Damgård's (FIPS 180-4, section 5.1).
pub trait HashFunction: Copy + Send + Sync + 'static {
    /// The compression function.
    type Compression: Compression;
    /// Bytes of the digest.
    type OutputSize: ArraySize;
    /// Name, as RustCrypto spells the hasher's type.
    const NAME: &'static str;
    /// Bytes that stay out of the run of whole blocks, for functions that treat the last block
    /// differently even where it is whole: 0 or 1.
    const HOLD_BACK: usize = 0;

    /// The state before the first byte.
    fn start() -> State<Self>;

    /// Makes the blocks of the end's part number `part` in `blocks` (room for two), adjusts
    /// `state` before they are compressed, and returns how many they are; 0 when the end is over.
    ///
    /// In part 0, `blocks[..tail]` holds the message's bytes after its run of whole blocks;
    /// `total` is the number of all its bytes.
    #[inline]
    fn end(
        part: usize,
        _state: &mut State<Self>,
        tail: usize,
        total: u128,
        blocks: &mut [u8],
    ) -> usize {
        if part == 0 { padding::pad::<Self::Compression>(tail, total, blocks) } else { 0 }
    }

    /// The digest, after the end.
    #[inline]
    fn output(state: &State<Self>) -> Output<Self> {
        let mut out = Output::<Self>::default();
        for (bytes, word) in out.chunks_mut(WordOf::<Self>::BYTES).zip(state.as_ref()) {
            // a digest may end within a word
            let mut whole = [0; size_of::<u64>()];
            word.write_be(&mut whole);
            bytes.copy_from_slice(&whole[..bytes.len()]);
        }
        out
    }
}

/// The word of `H`.
pub type WordOf<H> = <<H as HashFunction>::Compression as Compression>::Word;
/// The state of one message under `H`.
pub type State<H> = <<H as HashFunction>::Compression as Compression>::State<WordOf<H>>;
/// The digest of `H`.
pub type Output<H> = Array<u8, <H as HashFunction>::OutputSize>;

/// The longest block of any function here, in bytes.
pub const MAX_BLOCK: usize = 128;

/// Compile-time check that the buffers sized by [`MAX_BLOCK`] fit `H`.
pub(crate) const fn assert_block<H: HashFunction>() {
    assert!(<H::Compression as Compression>::BLOCK <= MAX_BLOCK);
    assert!(<H::Compression as Compression>::State::<WordOf<H>>::LEN <= 18);
}
