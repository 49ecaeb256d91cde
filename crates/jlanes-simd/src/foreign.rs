//! One stream by the block functions of RustCrypto's crates `sha1` and `sha2`: what the linear path
//! runs on where this crate has no kernels.
//!
//! Those crates know SHA instructions of targets that jlanes does not, such as 32-bit x86's, so
//! nobody loses by switching. Where jlanes has kernels they are no dependency; only the tests
//! compile this module there.

use jlanes_core::{
    hash::compression::Compression,
    hashes::{sha1::Sha1Compression, sha2::Sha2},
    simd::{lanes::Word, portable::PlainWords},
};

use crate::{
    features::{Features, Sets},
    feed::Feed,
    shared::shared,
    streams::Unit,
};

/// What a target has that uses this module.
pub(crate) const SET: Sets = Sets::one(7);

/// The block functions, as a unit that works on a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign;

/// A compression function that another crate computes.
trait Blocks: Compression {
    /// Advances one stream by the whole blocks in `data`.
    fn advance(state: &mut Self::State<Self::Word>, data: &[u8]);
}

impl Blocks for Sha1Compression {
    fn advance(state: &mut [u32; 5], data: &[u8]) {
        sha1::block_api::compress(state, data.as_chunks().0);
    }
}

impl Blocks for Sha2<u32> {
    fn advance(state: &mut [u32; 8], data: &[u8]) {
        sha2::block_api::compress256(state, data.as_chunks().0);
    }
}

impl Blocks for Sha2<u64> {
    fn advance(state: &mut [u64; 8], data: &[u8]) {
        sha2::block_api::compress512(state, data.as_chunks().0);
    }
}

/// The longest block, SHA-512's.
const MAX_BLOCK: usize = 128;

impl<C: Blocks> Unit<C> for Foreign {
    const NAME: &'static str = "foreign";
    const STREAMS: usize = 1;

    #[inline(always)]
    fn of(features: Features) -> Option<Self> {
        features.sets().has(SET).then_some(Self)
    }

    fn advance<F: Feed<C::Word, S>, const S: usize>(
        self,
        states: &mut [C::State<C::Word>; S],
        feed: F,
        blocks: usize,
        last: Option<&C::Shared>,
    ) {
        if let Some(runs) = feed.runs() {
            for (state, run) in states.iter_mut().zip(runs) {
                C::advance(state, &run[..blocks * C::BLOCK]);
            }
        } else {
            for b in 0..blocks {
                let mut block = [[0; MAX_BLOCK]; S];
                for i in 0..4 {
                    let vectors = feed.vectors::<PlainWords<C::Word, 4>>((), b, i);
                    for (block, quad) in block.iter_mut().zip(vectors) {
                        let bytes = block[4 * i * C::Word::BYTES..].chunks_mut(C::Word::BYTES);
                        quad.0.iter().zip(bytes).for_each(|(word, bytes)| word.write_be(bytes));
                    }
                }
                for (state, block) in states.iter_mut().zip(&block) {
                    C::advance(state, &block[..C::BLOCK]);
                }
            }
        }
        if let Some(last) = last {
            states.iter_mut().for_each(|state| shared::<C>(state, last));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use jlanes_core::{
        engine::{Engine, Input, Work},
        hash::compression::{LaneStates, block_words, max_lanes},
        simd::{lanes::Array, layout::Interleaved, portable::Portable},
    };
    use jlanes_testing::message;

    use super::*;
    use crate::streams;

    const BLOCKS: usize = 5;

    #[derive(Clone, Copy)]
    struct Foreigner;

    impl<C: Blocks> Engine<C> for Foreigner {
        fn lanes(&self) -> usize {
            1
        }
        fn run(&self, mut work: Work<'_, C>) {
            for lane in 0..work.lanes() {
                streams::run::<C, Foreign, 1>(Foreign, &mut work, lane);
            }
        }
        fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]) {
            C::advance(state, data);
        }
        fn kernel_name(&self, _: usize) -> &'static str {
            "foreign"
        }
    }

    /// Both sides' states, the same random ones.
    fn states<C: Compression>() -> [Vec<C::Word>; 2] {
        let bytes = message(1, C::State::<C::Word>::LEN * max_lanes::<C>() * C::Word::BYTES);
        let words: Vec<_> = bytes.chunks(C::Word::BYTES).map(C::Word::from_le).collect();
        [words.clone(), words]
    }

    fn agree<C: Blocks>() {
        let lanes = max_lanes::<C>();
        let text = message(2, BLOCKS * C::BLOCK * lanes);
        let runs: Vec<&[u8]> = text.chunks(BLOCKS * C::BLOCK).collect();
        let shared = C::share(&block_words::<C>(&text));
        let rows = Interleaved { data: &text, lanes };
        for input in [Input::Runs(&runs), Input::Interleaved(rows)] {
            for live in [0, 1, 3, lanes] {
                for (blocks, last) in [(BLOCKS, None), (1, Some(&shared)), (0, Some(&shared))] {
                    let [mut foreign, mut own] = states::<C>();
                    let states = LaneStates::new(&mut foreign, lanes);
                    Engine::<C>::advance(&Foreigner, states, input, live, blocks, last);
                    let states = LaneStates::new(&mut own, lanes);
                    Engine::<C>::advance(&Portable::<1>, states, input, live, blocks, last);
                    assert_eq!(foreign, own, "{live} lanes, {blocks} blocks");
                }
            }
        }
    }

    #[test]
    fn sha1_agrees() {
        agree::<Sha1Compression>();
    }

    #[test]
    fn sha256_agrees() {
        agree::<Sha2<u32>>();
    }

    #[test]
    fn sha512_agrees() {
        agree::<Sha2<u64>>();
    }
}
