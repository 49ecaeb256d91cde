//! The rounds on a model of the three instructions, compared with portable code.

use core::array;
use std::{format, vec::Vec};

use jlanes_core::{
    compression::{Compression, LaneStates},
    hashes::sha2::{Sha2, Sha2Word},
    kernel::HasKernels,
    lanes::messages::{LaneWork, Route},
    simd::{
        portable::Portable,
        vector::{ByteOrder, SimdWord},
        words::read_words,
    },
};
use jlanes_testing::message;

use super::*;
use crate::common::token::Token;

/// The instructions as Intel's manual defines them, word by word.
#[derive(Clone, Copy)]
struct Model(Avx2);

impl Instructions for Model {
    fn proof(self) -> Avx2 {
        self.0
    }

    fn rounds2(self, cdgh: U64x4, abef: U64x4, kw: U64x4) -> U64x4 {
        let ([mut h, mut g, mut d, mut c], [mut f, mut e, mut b, mut a]) =
            (words(cdgh), words(abef));
        for kw in &words(kw)[..2] {
            let ch = (e & f) ^ (!e & g);
            let maj = (a & b) ^ (a & c) ^ (b & c);
            let t1 = h.wrapping_add(big(1, e)).wrapping_add(ch).wrapping_add(*kw);
            let t2 = big(0, a).wrapping_add(maj);
            [h, g, f, e, d, c, b, a] = [g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2)];
        }
        U64x4::load(self.0, &[f, e, b, a])
    }

    fn message1(self, w: U64x4, next: U64x4) -> U64x4 {
        let ([w0, w1, w2, w3], [w4, ..]) = (words(w), words(next));
        let sum = |w: u64, next| w.wrapping_add(small(0, next));
        U64x4::load(self.0, &[sum(w0, w1), sum(w1, w2), sum(w2, w3), sum(w3, w4)])
    }

    fn message2(self, sums: U64x4, before: U64x4) -> U64x4 {
        let ([s16, s17, s18, s19], [_, _, w14, w15]) = (words(sums), words(before));
        let w16 = s16.wrapping_add(small(1, w14));
        let w17 = s17.wrapping_add(small(1, w15));
        let w18 = s18.wrapping_add(small(1, w16));
        let w19 = s19.wrapping_add(small(1, w17));
        U64x4::load(self.0, &[w16, w17, w18, w19])
    }
}

fn words(vector: U64x4) -> [u64; 4] {
    let mut words = [0; 4];
    vector.store(&mut words);
    words
}

/// Σ0 and Σ1.
fn big(which: usize, x: u64) -> u64 {
    u64::BIG[which].iter().fold(0, |sum, n| sum ^ x.rotate_right(*n))
}

/// σ0 and σ1.
fn small(which: usize, x: u64) -> u64 {
    let [a, b, shift] = u64::SMALL[which];
    x.rotate_right(a) ^ x.rotate_right(b) ^ (x >> shift)
}

const BLOCK: usize = Sha2::<u64>::BLOCK_BYTES;
/// Enough blocks for a single stream to be prefetched.
const BLOCKS: usize = 70;

/// The state after whole blocks and the `shared` block.
fn portable(mut state: [u64; 8], data: &[u8], shared: &[u64]) -> [u64; 8] {
    let (states, blocks) = (LaneStates::new(&mut state, 1), data.len() / BLOCK);
    let runs = [data];
    let work = LaneWork { shared, ..LaneWork::new(&runs, blocks) };
    let kernels = HasKernels::<Sha2<u64>>::kernels(&Portable::<1>);
    kernels.advance_messages(work, Route::StatesToStates(states));
    state
}

/// `S` streams over separate runs, of message bytes and of words in the CPU's order.
fn streams_advance<const S: usize>(unit: impl Instructions) {
    let text = message(1, S * BLOCKS * BLOCK);
    let runs: [&[u8]; S] = array::from_fn(|s| &text[s * BLOCKS * BLOCK..][..BLOCKS * BLOCK]);
    let native = runs.map(|run| {
        let words = run.as_chunks().0.iter().map(|word| u64::from_be_bytes(*word));
        words.flat_map(u64::to_ne_bytes).collect::<Vec<_>>()
    });
    let native = native.each_ref().map(Vec::as_slice);
    let mut block = [0; 16];
    read_words(ByteOrder::Big, &text[1..], &mut block);
    let mut schedule = [0; 80];
    Sha2::<u64>::share(&block, &mut schedule);
    let start: [[u64; 8]; S] = array::from_fn(|s| {
        let mut state = [0; 8];
        read_words(ByteOrder::Big, &text[7 * s..], &mut state);
        state
    });
    for blocks in [0, 1, 2, BLOCKS] {
        for shared in [&[][..], &schedule] {
            for (runs, bytes) in [(runs, RunByteOrder::Message), (native, RunByteOrder::Native)] {
                let mut states = start;
                let feed = Blocks::new(&runs, blocks);
                rounds::advance::<_, S>(unit, states.as_flattened_mut(), &feed, bytes, shared);
                for (s, state) in states.iter().enumerate() {
                    let run = &text[s * BLOCKS * BLOCK..][..blocks * BLOCK];
                    let which = format!("stream {s} of {S}, {blocks} blocks, {bytes:?}");
                    assert_eq!(*state, portable(start[s], run, shared), "{which}");
                }
            }
        }
    }
}

#[test]
fn streams_over_modelled_instructions_match_portable_code() {
    if let Some(avx2) = Avx2::detected() {
        streams_advance::<1>(Model(avx2));
        streams_advance::<2>(Model(avx2));
    }
}
