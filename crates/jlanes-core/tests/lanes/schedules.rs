//! Schedules in vectors: those of several blocks of a message, or of one.

use jlanes_core::{
    compression::Compression,
    hashes::{
        sha1::Sha1Compression,
        sha2::{Sha2, Sha2Word, single::SingleStream},
    },
    schedules::{MAX_ROUNDS, Scheduled, Schedules},
    simd::vector::{Array, Isa, Word},
};
use jlanes_testing::message;

use crate::{advance_one, called::Calls};

/// A state that is no initial value.
pub(crate) fn some_state<W: Word, S: Array<W>>(seed: u64) -> S {
    let mut state = S::splat(W::default());
    let bytes = message(seed, S::LEN * W::BYTES);
    for (word, bytes) in state.as_mut().iter_mut().zip(bytes.chunks(W::BYTES)) {
        *word = W::from_le(bytes);
    }
    state
}

fn groups<C: Scheduled, const N: usize>() {
    for blocks in [0, 1, N - 1, N, N + 1, 2 * N, 3 * N + 1] {
        let data = message(40, blocks * C::BLOCK_BYTES);
        let (mut ours, mut expected) = (some_state(1), some_state(1));
        let rest = Calls::<N>.run(Schedules::<C> { state: &mut ours, data: &data });
        assert_eq!(rest, &data[blocks / N * N * C::BLOCK_BYTES..], "{blocks} blocks by {N}");
        advance_one::<C>(&mut ours, rest);
        advance_one::<C>(&mut expected, &data);
        assert_eq!(ours.as_ref(), expected.as_ref(), "{blocks} blocks by {N}");
    }
}

fn blocks_by_themselves<W: Sha2Word, const N: usize>() {
    for blocks in [0, 1, 3] {
        let data = message(41, blocks * Sha2::<W>::BLOCK_BYTES);
        let (mut ours, mut expected) = (some_state(2), some_state(2));
        let mut words = [W::default(); MAX_ROUNDS];
        Calls::<N>.run(SingleStream::<W> { state: &mut ours, data: &data, words: &mut words });
        advance_one::<Sha2<W>>(&mut expected, &data);
        assert_eq!(ours.as_ref(), expected.as_ref(), "{blocks} blocks, {N} words at a time");
    }
}

#[test]
fn sha1() {
    groups::<Sha1Compression, 8>();
}

#[test]
fn sha256() {
    groups::<Sha2<u32>, 4>();
    groups::<Sha2<u32>, 8>();
    blocks_by_themselves::<u32, 4>();
    blocks_by_themselves::<u32, 8>();
}

#[test]
fn sha512() {
    groups::<Sha2<u64>, 2>();
    groups::<Sha2<u64>, 4>();
    blocks_by_themselves::<u64, 2>();
    blocks_by_themselves::<u64, 4>();
}
