//! One message: SHA-1 by any kernel, and the conditions of its blocks in lanes.
//!
//! The conditions depend on the blocks alone, not on the state. So the lanes take as many blocks of the
//! message, and only blocks with candidates are compressed by the code that can recompress them.

use core::iter;

pub use super::candidates::{OPERATIONS_BEFORE, POINTS, SideWork, candidates};
use super::{
    ALL, FLAGS, MAX_WAITING_BLOCKS, NO_DETECTION, Recheck, UNFILTERED, WaitingBlocks,
    compress_suspect, defer, lanes_with_candidates, sets, trace_one,
};
use crate::simd::{
    runs::Runs,
    transpose::load_block,
    vector::{ByteOrder, Isa, SimdWord, Vector, VectorCode},
    words::read_words,
};

/// Bytes of a block.
const BLOCK: usize = 64;

/// The candidates of some blocks.
pub struct Candidates<'a>(&'a [[u8; BLOCK]]);

impl<I: Isa> VectorCode<I> for Candidates<'_> {
    type Out = [[u32; MAX_WAITING_BLOCKS]; 2];

    #[inline(always)]
    fn call(self, isa: I) -> [[u32; MAX_WAITING_BLOCKS]; 2] {
        let Self(blocks) = self;
        let w = words::<I::U32>(isa.proof(), blocks);
        sets(candidates(isa.proof(), w, &mut ()))
    }
}

/// The words of a block in each lane; lanes without a block repeat the first one.
#[inline(always)]
pub fn words<V: Vector<u32>>(proof: V::Proof, blocks: &[[u8; BLOCK]]) -> [V; 16] {
    let mut runs = [&blocks[0][..]; MAX_WAITING_BLOCKS];
    for (run, block) in runs.iter_mut().zip(blocks) {
        *run = block;
    }
    load_block(proof, ByteOrder::Big, (&Runs::new(&runs[..V::N]), None), 0)
}

/// Advances one message by the blocks of `data`: `plain` advances SHA-1's state.
#[inline]
pub fn advance<I: Isa>(isa: I, state: &mut [u32], data: &[u8], plain: impl Fn(&mut [u32], &[u8])) {
    let (blocks, _) = data.as_chunks::<BLOCK>();
    let flags = state[FLAGS];
    if flags & NO_DETECTION != 0 {
        return plain(&mut state[..FLAGS], blocks.as_flattened());
    }
    for blocks in blocks.chunks(<I::U32 as SimdWord<u32>>::N.min(MAX_WAITING_BLOCKS)) {
        let candidates = if flags & UNFILTERED == 0 {
            isa.run(Candidates(blocks))
        } else {
            ALL.map(|set| [set; MAX_WAITING_BLOCKS])
        };
        let suspects = lanes_with_candidates(&candidates);
        let mut left = blocks;
        while let [block, rest @ ..] = left {
            let at = blocks.len() - left.len();
            if suspects >> at & 1 != 0 {
                let (mut words, mut checked) = ([0; 16], [0; 6]);
                read_words(ByteOrder::Big, block, &mut words);
                checked.copy_from_slice(&state[..6]);
                compress_suspect(&mut checked, &words, candidates.map(|set| set[at]));
                state[..6].copy_from_slice(&checked);
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

/// [`advance`], with `together` for groups of `N` blocks: it advances SHA-1's state by them, and writes the
/// states before them and their candidates.
#[inline]
pub fn advance_together<I: Isa, const N: usize>(
    isa: I,
    state: &mut [u32],
    data: &[u8],
    plain: impl Fn(&mut [u32], &[u8]),
    together: impl Fn(&mut [u32; FLAGS], &[[u8; BLOCK]; N], &mut [[u32; FLAGS]; N], &mut [[u32; N]; 2]),
) {
    if state[FLAGS] & (NO_DETECTION | UNFILTERED) != 0 {
        return advance(isa, state, data, plain);
    }
    let Some(sha1) = state.first_chunk_mut() else { unreachable!("a state and flags") };
    let start = *sha1;
    let mut waiting = WaitingBlocks::default();
    let (groups, rest) = data.as_chunks().0.as_chunks();
    for group in groups {
        let (mut before, mut sets) = ([[0; FLAGS]; N], [[0; N]; 2]);
        together(sha1, group, &mut before, &mut sets);
        let [first, second] = sets;
        for (at, candidates) in iter::zip(first, second).enumerate() {
            if candidates != (0, 0) {
                let (mut words, mut checked) = ([0; 16], [0; FLAGS + 1]);
                read_words(ByteOrder::Big, &group[at], &mut words);
                checked[..FLAGS].copy_from_slice(&before[at]);
                let row = trace_one::<false>(&mut checked, &words);
                defer(isa, |i| row[i], candidates.into(), &mut waiting);
            }
        }
    }
    if waiting.len > 0 {
        isa.run(Recheck { waiting: &mut waiting });
    }
    if waiting.found {
        // a block of an attack is compressed twice more, so that the following ones start from other states
        *sha1 = start;
        return advance(isa, state, data, plain);
    }
    advance(isa, state, rest.as_flattened(), plain);
}
