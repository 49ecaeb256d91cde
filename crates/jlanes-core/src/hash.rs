//! What a hash function adds to its compression function: a start, an end, an output.

pub mod compression;
pub mod digest_api;
pub mod padding;
pub mod shared_block;

use digest::{
    array::{Array, ArraySize},
    typenum::Unsigned,
};

use compression::{Compression, write_words};
use padding::Padding;
use shared_block::SharedOf;

use crate::{engine::Engine, simd::lanes::copy, wipe};

/// A hash function over a [`Compression`].
///
/// A message is a run of whole blocks and then an end: the block or two that depend on its length.
/// The digest is the first words of the state after that, unless [`end`](Self::end) and
/// [`output`](Self::output) say otherwise.
pub trait HashFunction: Copy + Send + Sync + 'static {
    /// The compression function.
    type Compression: Compression;
    /// Bytes of the digest.
    type OutputSize: ArraySize;
    /// Name, as RustCrypto spells the hasher's type.
    const NAME: &'static str;
    /// What follows a message.
    const PADDING: Padding = Padding::Length;
    /// Whether the digest is more than the first words of the state after the padding.
    const OUTPUT_TRANSFORM: bool = false;
    /// The [shared last block](shared_block) of messages of one block, if it need not be computed.
    const ONE_BLOCK: Option<&'static SharedOf<Self>> = None;

    /// The state before the first byte.
    fn start() -> State<Self>;

    /// Called with `part` = 0, 1, 2 ... Writes the next closing blocks into `blocks` (room for two),
    /// adjusts `state` before they are compressed, and returns their number; 0 means finished.
    ///
    /// In part 0, `blocks[..tail]` holds the message's bytes after its run of whole blocks, and zeros
    /// follow; `total` is the number of all its bytes.
    #[inline]
    fn end(
        part: usize,
        state: &mut State<Self>,
        tail: usize,
        total: u128,
        blocks: &mut [u8],
    ) -> usize {
        match part {
            0 => padding::pad::<Self::Compression>(Self::PADDING, state, tail, total, blocks),
            _ => 0,
        }
    }

    /// The digest, after the end.
    #[inline]
    fn output(state: &State<Self>) -> Output<Self> {
        let mut out = Output::<Self>::default();
        write_words::<Self::Compression>(state.as_ref(), &mut out);
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
pub const MAX_BLOCK: usize = 168;

/// Blocks that `H` may compress before it knows whether more than `len` bytes follow.
#[inline]
#[must_use]
pub const fn whole_blocks<H: HashFunction>(len: usize) -> usize {
    len.saturating_sub(H::PADDING.hold_back()) / H::Compression::BLOCK
}

/// Ends one stream: absorbs `tail`, what follows the whole blocks of a message of `total` bytes, and
/// what `H` puts behind it.
///
/// # Panics
/// If `tail` is longer than what [`whole_blocks`] leaves.
#[inline]
pub fn end_one<H: HashFunction, E: Engine<H::Compression>>(
    engine: &E,
    state: &mut State<H>,
    tail: &[u8],
    total: u128,
) {
    // room for two blocks, and not for much more: it is cleared each time
    match H::Compression::BLOCK {
        ..=64 => end_in::<H, E, 128>(engine, state, tail, total),
        65..=128 => end_in::<H, E, 256>(engine, state, tail, total),
        _ => end_in::<H, E, { 2 * MAX_BLOCK }>(engine, state, tail, total),
    }
}

#[inline]
fn end_in<H: HashFunction, E: Engine<H::Compression>, const ROOM: usize>(
    engine: &E,
    state: &mut State<H>,
    tail: &[u8],
    total: u128,
) {
    let mut blocks = [0; ROOM];
    copy(&mut blocks, tail);
    for part in 0.. {
        let n = H::end(part, state, tail.len(), total, &mut blocks);
        engine.advance_one(state, &blocks[..n * H::Compression::BLOCK]);
        if n == 0 || !H::OUTPUT_TRANSFORM {
            break;
        }
    }
    wipe::bytes(&mut blocks);
}

/// Bytes of a digest of `H`.
#[must_use]
pub const fn digest_size<H: HashFunction>() -> usize {
    H::OutputSize::USIZE
}

/// Compile-time check that the buffers sized by [`MAX_BLOCK`] fit `H`.
pub(crate) const fn assert_block<H: HashFunction>() {
    assert!(<H::Compression as Compression>::BLOCK <= MAX_BLOCK);
}
