//! One message: SHA-1 by any kernel, and the conditions of its blocks in lanes.
//!
//! The conditions depend on the blocks alone, not on the state. So the lanes take as many blocks of the
//! message, and only blocks with candidates are compressed by the code that can recompress them.

use super::{
    ALL, FLAGS, PLAIN, SLOTS, UNFILTERED, compress_suspect,
    conditions::{Columns, STEPS},
    lanes_with, sets,
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

/// The candidates of some blocks.
pub struct Candidates<'a>(&'a [[u8; BLOCK]]);

impl VectorCode for Candidates<'_> {
    type Out = [[u32; SLOTS]; 2];

    #[inline(always)]
    fn call<I: Isa>(self, isa: I) -> [[u32; SLOTS]; 2] {
        let Self(blocks) = self;
        let (proof, lanes) = (isa.proof(), <I::U32 as SimdWord<u32>>::N);
        let mut runs = [&blocks[0][..]; SLOTS];
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
        sets(columns.candidates(proof))
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
    for blocks in blocks.chunks(<I::U32 as SimdWord<u32>>::N.min(SLOTS)) {
        let candidates = if flags & UNFILTERED == 0 {
            isa.run(Candidates(blocks))
        } else {
            ALL.map(|set| [set; SLOTS])
        };
        let suspects = lanes_with(&candidates);
        let mut left = blocks;
        while let [block, rest @ ..] = left {
            let at = blocks.len() - left.len();
            if suspects >> at & 1 != 0 {
                let (mut words, mut own) = ([0; 16], [0; 6]);
                read_words(ByteOrder::Big, block, &mut words);
                own.copy_from_slice(&state[..6]);
                compress_suspect(&mut own, &words, candidates.map(|set| set[at]));
                state[..6].copy_from_slice(&own);
                left = rest;
            } else {
                let harmless = (suspects >> at).trailing_zeros() as usize;
                let (now, later) = left.split_at(harmless.min(left.len()));
                plain(&mut state[..FLAGS], now.as_flattened());
                left = later;
            }
        }
    }
}
