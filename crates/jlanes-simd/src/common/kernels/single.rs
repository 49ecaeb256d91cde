//! Kernels of one stream with consecutive words in vectors: those of a schedule, or the rows of BLAKE2
//! and BLAKE3. They read blocks only in message byte order.

#[cfg(feature = "blake2")]
use jlanes_core::hashes::blake2::{Blake2, Blake2Word, rows::RowCompression};
use jlanes_core::{
    compression::{Compression, MAX_BLOCK_BYTES, RunByteOrder, Shape},
    hashes::sha2::{Sha2, Sha2Word, single::SingleStream},
    kernel::{Kernel, stream::advance_shared},
    schedules::MAX_ROUNDS,
    simd::vector::{Array, ByteOrder, Isa, Word},
};
#[cfg(feature = "blake3")]
use jlanes_core::{
    hashes::blake3::{self, Blake3Compression},
    kernel::stream::advance_shared_by,
};

use super::streams;
use crate::common::token::Token;

/// A kernel of one stream with the schedule of each block in vectors and its rounds in scalar registers.
pub(crate) const fn schedule_in_vectors<W: Sha2Word, I: Isa + Token>() -> Kernel<W> {
    streams::<I, 1, _>(advance_schedule::<W, I>)
}

fn advance_schedule<W: Sha2Word, I: Isa + Token>(
    shape: &Shape<W>,
    state: &mut [W],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[W],
) {
    let isa = I::get();
    let mut own = state_copy::<Sha2<W>>(state);
    let mut words = [W::default(); MAX_ROUNDS];
    in_message_order(shape, runs[0], order, blocks, |data| {
        isa.run(SingleStream { state: &mut own, data, words: &mut words });
    });
    state.copy_from_slice(&own);
    advance_shared::<Sha2<W>>(shape, state, shared);
}

/// A kernel of one stream of BLAKE2 with rows of four words in vectors.
#[cfg(feature = "blake2")]
pub(crate) const fn blake2_rows<W: Blake2Word, I: Isa + Token>() -> Kernel<W> {
    const { assert!(RowCompression::<W>::fits::<I>(), "a vector has room for a row") };
    streams::<I, 1, _>(advance_blake2_rows::<W, I>)
}

#[cfg(feature = "blake2")]
fn advance_blake2_rows<W: Blake2Word, I: Isa + Token>(
    shape: &Shape<W>,
    state: &mut [W],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[W],
) {
    let isa = I::get();
    let mut own = state_copy::<Blake2<W>>(state);
    in_message_order(shape, runs[0], order, blocks, |data| {
        isa.run(RowCompression::<W> { state: &mut own, data });
    });
    state.copy_from_slice(&own);
    advance_shared::<Blake2<W>>(shape, state, shared);
}

/// A kernel of one stream of BLAKE3 with rows of four words in vectors.
#[cfg(feature = "blake3")]
pub(crate) const fn blake3_rows<I: Isa + Token>() -> Kernel<u32> {
    streams::<I, 1, _>(advance_blake3_rows::<I>)
}

#[cfg(feature = "blake3")]
fn advance_blake3_rows<I: Isa + Token>(
    shape: &Shape<u32>,
    state: &mut [u32],
    runs: &[&[u8]],
    _: RunByteOrder,
    blocks: usize,
    shared: &[u32],
) {
    let isa = I::get();
    const { assert!(cfg!(target_endian = "little"), "messages have the order of native words") }
    let advance = |state: &mut [u32], data: &[u8]| {
        // in place: a copy would wait for the words that have just been written
        let Some(state) = state.first_chunk_mut() else { panic!("a whole state") };
        isa.run(blake3::rows::RowCompression { state, data, whole: shape.whole_output });
    };
    advance(state, &runs[0][..blocks * shape.block_bytes]);
    advance_shared_by::<Blake3Compression>(shape, state, shared, advance);
}

/// A copy of a state.
pub(super) fn state_copy<C: Compression>(state: &[C::Word]) -> C::State<C::Word> {
    let mut own = C::State::splat(C::Word::default());
    own.as_mut().copy_from_slice(state);
    own
}

/// Calls `advance` with the first `blocks` blocks of `run`, in message byte order: with all of them at once
/// if `run` has that order, otherwise with a copy of one after the other.
#[inline]
pub(crate) fn in_message_order<W: Word>(
    shape: &Shape<W>,
    run: &[u8],
    order: RunByteOrder,
    blocks: usize,
    mut advance: impl FnMut(&[u8]),
) {
    let run = &run[..blocks * shape.block_bytes];
    if order == RunByteOrder::Message || shape.order == ByteOrder::NATIVE {
        advance(run);
    } else {
        advance_reordered(shape, run, &mut advance);
    }
}

/// Calls `advance` with a copy of each block of native words, in message byte order.
#[inline(never)] // once for all kernels
fn advance_reordered<W: Word>(shape: &Shape<W>, run: &[u8], advance: &mut dyn FnMut(&[u8])) {
    let mut block = [0; MAX_BLOCK_BYTES];
    let block = &mut block[..shape.block_bytes];
    for run in run.chunks_exact(shape.block_bytes) {
        for (to, from) in block.chunks_exact_mut(W::BYTES).zip(run.chunks_exact(W::BYTES)) {
            W::read(ByteOrder::NATIVE, from).write(shape.order, to);
        }
        advance(block);
    }
}
