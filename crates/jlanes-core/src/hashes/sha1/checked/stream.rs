//! One message: SHA-1 by any kernel, and the conditions of its blocks in lanes.
//!
//! The conditions depend on the blocks alone, not on the state. So the lanes take as many blocks of the
//! message, and only blocks with candidates are compressed by the code that can recompress them.

use super::{
    FLAGS, PLAIN, UNFILTERED, compress_one,
    conditions::{Columns, STEPS},
};
use crate::{
    hash::compression::read_words,
    hashes::sha1::schedule,
    kernel::feed::{Runs, load_block},
    simd::{
        isa::{Isa, VectorCode},
        lanes::{ByteOrder, SimdWord},
    },
    unroll::unroll,
};

/// Bytes of a block.
const BLOCK: usize = 64;
/// The most blocks at once.
const MOST: usize = 16;

/// Which of some blocks have candidates, one bit each.
pub struct Candidates<'a>(&'a [[u8; BLOCK]]);

impl VectorCode for Candidates<'_> {
    type Out = u32;

    #[inline(always)]
    fn call<I: Isa>(self, isa: I) -> u32 {
        let Self(blocks) = self;
        let (proof, lanes) = (isa.proof(), <I::U32 as SimdWord<u32>>::N);
        let mut runs = [&blocks[0][..]; MOST];
        for (run, block) in runs.iter_mut().zip(blocks) {
            *run = block;
        }
        let runs = Runs::new(&runs[..lanes]);
        let mut w: [I::U32; 16] = load_block(proof, ByteOrder::Big, (&runs, None), 0);
        let mut columns = Columns::new(proof);
        let mut beside = w[0];
        unroll!(4, stage => {
            unroll!(20, i => {
                let t = 20 * stage + i;
                if t < STEPS.end {
                    let word = schedule(&mut w, t);
                    if STEPS.contains(&t) {
                        columns.take(proof, t, word, &mut beside);
                    }
                }
            });
        });
        let mut found = [0; MOST];
        let [first, second] = columns.candidates(proof);
        first.or(second).store(&mut found);
        let bits = found.iter().enumerate().take(blocks.len());
        bits.fold(0, |bits, (i, found)| bits | u32::from(*found != 0) << i)
    }
}

/// Advances one message by the blocks of `data`: `plain` advances SHA-1's state.
#[inline]
pub fn advance<I: Isa>(isa: I, state: &mut [u32], data: &[u8], plain: impl Fn(&mut [u32], &[u8])) {
    let (blocks, _) = data.as_chunks::<BLOCK>();
    let flags = state[FLAGS];
    if flags & PLAIN != 0 {
        return plain(&mut state[..FLAGS], blocks.as_flattened());
    }
    for blocks in blocks.chunks(<I::U32 as SimdWord<u32>>::N.min(MOST)) {
        let mut left = blocks;
        let candidates = if flags & UNFILTERED == 0 { isa.run(Candidates(blocks)) } else { !0 };
        while let [first, rest @ ..] = left {
            let at = blocks.len() - left.len();
            if candidates >> at & 1 != 0 {
                let (mut words, mut own) = ([0; 16], [0; 6]);
                read_words(ByteOrder::Big, first, &mut words);
                own.copy_from_slice(&state[..6]);
                compress_one(&mut own, &words);
                state[..6].copy_from_slice(&own);
                left = rest;
            } else {
                let harmless = (candidates >> at).trailing_zeros() as usize;
                let (now, later) = left.split_at(harmless.min(left.len()));
                plain(&mut state[..FLAGS], now.as_flattened());
                left = later;
            }
        }
    }
}
