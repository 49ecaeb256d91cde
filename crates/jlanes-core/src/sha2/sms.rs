//! n-SMS: the message schedules of `n` consecutive blocks of one message, computed together
//! (\[SMS\]; SPEC 1.1).
//!
//! The chaining value makes the rounds of one message serial, but its schedules are independent.
//! Block `k` of a group is lane `k` of a vector that computes `W_t + K_t`; then the compressions
//! run one after another in scalar registers, each with its lane. The vectors of the *next* group
//! are computed between the rounds of this one, so that both kinds of units have work.

use super::{Sha2, Sha2Word, round};
use crate::{
    compression::Compression,
    isa::{Isa, Kernel},
    lanes::Lanes,
    layout::{Layout, Pointers},
    portable::Plain,
};

/// The most lanes of a vector that is worth its transposition here: 256 bits of 32-bit words.
const MAX_LANES: usize = 8;

/// Rounds between two looks at the next group's schedule.
const STRETCH: usize = 8;

/// `W_t + K_t` of block `k` of a group, at `t * N + k`.
type Words<W> = [W; round::MAX_ROUNDS * MAX_LANES];

/// Compresses one message's blocks by whole groups, and returns those that are left over.
#[derive(Debug)]
pub struct Schedules<'a, 's, W> {
    /// Chaining value.
    pub state: &'s mut [W; 8],
    /// Whole blocks.
    pub data: &'a [u8],
}

impl<'a, W: Sha2Word> Kernel for Schedules<'a, '_, W> {
    type Out = &'a [u8];

    #[inline(always)]
    fn call<I: Isa>(self, isa: I) -> &'a [u8] {
        let proof = isa.proof();
        let lanes = <W::Vector<I> as Lanes<W>>::N;
        assert!(lanes <= MAX_LANES);
        let mut groups = self.data.chunks_exact(lanes * Sha2::<W>::BLOCK);
        let rest = groups.remainder();
        let Some(first) = groups.next() else { return rest };
        let mut buffers = [[W::default(); round::MAX_ROUNDS * MAX_LANES]; 2];
        let [mut now, mut ahead] = buffers.each_mut();
        let mut w = load::<W, W::Vector<I>>(proof, first);
        for t in 0..W::ROUNDS {
            step(proof, &mut w, t, now);
        }
        loop {
            let next = groups.next();
            if let Some(bytes) = next {
                w = load(proof, bytes);
            }
            for k in 0..lanes {
                let mut s = self.state.map(|word| Plain([word]));
                for r in (0..W::ROUNDS).step_by(STRETCH) {
                    rounds(&mut s, &now[r * lanes..][..STRETCH * lanes], lanes, k);
                    if next.is_some() {
                        let t = (k * W::ROUNDS + r) / lanes;
                        for t in t..t + STRETCH / lanes {
                            step(proof, &mut w, t, ahead);
                        }
                    }
                }
                for i in 0..8 {
                    self.state[i] = self.state[i].wrapping_add(s[i].0[0]);
                }
            }
            if next.is_none() {
                return rest;
            }
            (now, ahead) = (ahead, now);
        }
    }
}

/// The words of a group's blocks, and room for those that follow.
#[inline(always)]
fn load<W: Sha2Word, V: Lanes<W>>(proof: V::Proof, group: &[u8]) -> [V; round::MAX_ROUNDS] {
    let mut blocks: [&[u8]; MAX_LANES] = [&[]; MAX_LANES];
    for l in 0..V::N {
        blocks[l] = &group[l * Sha2::<W>::BLOCK..];
    }
    let mut w = [V::splat(proof, W::default()); round::MAX_ROUNDS];
    let block = Pointers(&blocks).load::<Sha2<W>, V>(proof, 0);
    w[..16].copy_from_slice(&block);
    w
}

/// `W_t` of every block of the group, and `W_t + K_t` to where the rounds find it.
#[inline(always)]
fn step<W: Sha2Word, V: Lanes<W>>(
    proof: V::Proof,
    w: &mut [V; round::MAX_ROUNDS],
    t: usize,
    words: &mut Words<W>,
) {
    if t >= 16 {
        w[t] = round::next_word(w, t);
    }
    w[t].add(V::splat(proof, W::K[t])).store(&mut words[t * V::N..][..V::N]);
}

/// Eight rounds with the words of block `k`.
#[inline(always)]
fn rounds<W: Sha2Word>(s: &mut [Plain<W, 1>; 8], words: &[W], lanes: usize, k: usize) {
    let words = &words[k..][..(STRETCH - 1) * lanes + 1];
    crate::unroll::unroll!(@ I {
        round::round::<W, Plain<W, 1>, I>(s, Plain([words[I * lanes]]));
    } 0 1 2 3 4 5 6 7);
}
