//! One stream by the block functions of RustCrypto's crates `sha1` and `sha2`: what the linear path
//! runs on where this crate has no kernels.
//!
//! Those crates know SHA instructions of targets that jlanes does not, such as AArch64's, so nobody
//! loses by switching. On x86-64 they are no dependency; only the tests compile this module there.

use jlanes_core::{
    engine::{Work, one_on},
    hash::compression::Compression,
    hashes::{sha1::Sha1Compression, sha2::Sha2, skein::threefish::Threefish},
    simd::{lanes::One, portable::Portable},
};

use crate::shared::shared;

/// A compression function that another crate may compute.
pub(crate) trait Foreign: Compression {
    /// Advances one stream by the whole blocks in `data`.
    fn advance(state: &mut Self::State<Self::Word>, data: &[u8]);
}

impl Foreign for Sha1Compression {
    fn advance(state: &mut [u32; 5], data: &[u8]) {
        sha1::block_api::compress(state, data.as_chunks().0);
    }
}

impl Foreign for Sha2<u32> {
    fn advance(state: &mut [u32; 8], data: &[u8]) {
        sha2::block_api::compress256(state, data.as_chunks().0);
    }
}

impl Foreign for Sha2<u64> {
    fn advance(state: &mut [u64; 8], data: &[u8]) {
        sha2::block_api::compress512(state, data.as_chunks().0);
    }
}

/// RustCrypto's crate `skein` is plain Rust and has no block function to call.
impl<const W: usize> Foreign for Threefish<W>
where
    Self: Compression,
{
    fn advance(state: &mut Self::State<Self::Word>, data: &[u8]) {
        one_on::<_, Self>(Portable::<1>, state, data);
    }
}

/// [`Engine::run`](jlanes_core::engine::Engine::run), one lane after the other. Interleaved lanes
/// and shared last blocks, which are no bytes in a row, are left to portable code.
pub(crate) fn run<C: Foreign>(mut work: Work<'_, C>) {
    for lane in 0..work.lanes() {
        match &mut work {
            Work::Messages(work) => work.on_streams::<1>(lane, |[state], [run], blocks, last| {
                C::advance(state, &run[..blocks * C::BLOCK]);
                if let Some(last) = last {
                    shared::<C>(state, last);
                }
            }),
            Work::Rehash(work) => {
                work.on_streams::<1>(lane, |[state], [block]| C::advance(state, block));
            }
            Work::Interleaved(_) => work.on::<_, One>(Portable::<1>, lane, lane + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use jlanes_core::{
        engine::{Engine, Input},
        hash::compression::{LaneStates, block_words, max_lanes},
        simd::{
            lanes::{Array, Word},
            layout::Interleaved,
        },
    };
    use jlanes_testing::message;

    use super::*;

    const BLOCKS: usize = 5;

    #[derive(Clone, Copy)]
    struct Foreigner;

    impl<C: Foreign> Engine<C> for Foreigner {
        fn lanes(&self) -> usize {
            1
        }
        fn run(&self, work: Work<'_, C>) {
            run(work);
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

    fn agree<C: Foreign>() {
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

    #[test]
    fn threefish_agrees() {
        agree::<Threefish<4>>();
        agree::<Threefish<8>>();
        agree::<Threefish<16>>();
    }
}
