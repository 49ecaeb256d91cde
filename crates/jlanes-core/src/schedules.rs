//! n-SMS: the message schedules of `n` consecutive blocks of one message, computed together
//! (\[SMS\]).
//!
//! The chaining value makes the rounds of one message serial, but its schedules are independent.
//! Block `k` of a group is lane `k` of a vector that computes `W_t + K_t`. Then the compressions
//! run one after the other in scalar registers, each with its lane. The vectors of the *next* group
//! are computed between the rounds of this one, to keep both kinds of units busy.
//!
//! [`hashes::sha2::single`](crate::hashes::sha2::single) does the same for one block at a time, with another method.

use crate::{
    compression::{Compression, Shape},
    simd::{
        portable::PlainWords,
        runs::Runs,
        vector::{Array, Isa, SimdWord, Vector, VectorCode, Word},
    },
};

/// A compression function with rounds that take only one word of a block each, `W_t + K_t`.
pub trait Scheduled: Compression {
    /// Rounds between two steps of the next group's schedule.
    const ROUNDS_PER_STEP: usize;

    /// `W_t`, from the words before it; `t` is at least 16.
    fn next_word<V: SimdWord<Self::Word>>(w: &[V], t: usize) -> V;

    /// `K_t`.
    fn constant(t: usize) -> Self::Word;

    /// [`ROUNDS_PER_STEP`](Self::ROUNDS_PER_STEP) rounds from round `t` on; round `t + i` takes `words[i *
    /// stride]`.
    fn rounds(
        s: &mut Self::State<PlainWords<Self::Word, 1>>,
        t: usize,
        words: &[Self::Word],
        stride: usize,
    );

    /// Advances a message by the blocks after its last whole group.
    fn rest<I: Isa>(
        isa: I,
        shape: &Shape<Self::Word>,
        state: &mut Self::State<Self::Word>,
        data: &[u8],
    );
}

/// The maximum number of schedules that are computed together: the 32-bit words of 256 bits. Wider vectors do
/// not repay the transposition of their blocks.
const MAX_SCHEDULES: usize = 8;

/// The maximum number of rounds of any function.
pub const MAX_ROUNDS: usize = 80;

/// `W_t + K_t` of block `k` of a group, at `t * N + k`.
type Words<W> = [W; MAX_ROUNDS * MAX_SCHEDULES];

/// Compresses one message's blocks by whole groups, and returns the remaining blocks.
#[derive(Debug)]
pub struct Schedules<'a, 's, C: Compression> {
    /// Chaining value.
    pub state: &'s mut C::State<C::Word>,
    /// Whole blocks.
    pub data: &'a [u8],
}

impl<'a, C: Scheduled, I: Isa> VectorCode<I> for Schedules<'a, '_, C> {
    type Out = &'a [u8];

    #[inline(always)]
    fn call(self, isa: I) -> &'a [u8] {
        let proof = isa.proof();
        let lanes = <<C::Word as Word>::Vector<I> as SimdWord<C::Word>>::N;
        assert!(lanes <= MAX_SCHEDULES);
        let mut groups = self.data.chunks_exact(lanes * C::BLOCK_BYTES);
        let rest = groups.remainder();
        let Some(first) = groups.next() else { return rest };
        let mut buffers = [[C::Word::default(); MAX_ROUNDS * MAX_SCHEDULES]; 2];
        let [mut now, mut ahead] = buffers.each_mut();
        let mut w = [<C::Word as Word>::Vector::<I>::splat(proof, C::Word::default()); MAX_ROUNDS];
        load::<C, _>(proof, first, &mut w, now);
        for t in C::Block::<C::Word>::LEN..C::ROUNDS {
            step::<C, _>(proof, &mut w, t, now);
        }
        for next in groups {
            load::<C, _>(proof, next, &mut w, ahead);
            for k in 0..lanes {
                let mut s = scalar::<C>(self.state);
                for r in (0..C::ROUNDS).step_by(C::ROUNDS_PER_STEP) {
                    let done = k * C::ROUNDS + r;
                    let from = (done / lanes).max(C::Block::<C::Word>::LEN);
                    for t in from..(done + C::ROUNDS_PER_STEP) / lanes {
                        step::<C, _>(proof, &mut w, t, ahead);
                    }
                    C::rounds(&mut s, r, &now[r * lanes + k..], lanes);
                }
                feed_forward::<C>(self.state, &s);
            }
            (now, ahead) = (ahead, now);
        }
        for k in 0..lanes {
            let mut s = scalar::<C>(self.state);
            for r in (0..C::ROUNDS).step_by(C::ROUNDS_PER_STEP) {
                C::rounds(&mut s, r, &now[r * lanes + k..], lanes);
            }
            feed_forward::<C>(self.state, &s);
        }
        rest
    }
}

/// The state of one message, each word a vector of one lane.
#[inline(always)]
pub(crate) fn scalar<C: Compression>(
    state: &C::State<C::Word>,
) -> C::State<PlainWords<C::Word, 1>> {
    let mut s = C::State::splat(PlainWords([C::Word::default()]));
    for (s, word) in s.as_mut().iter_mut().zip(state.as_ref()) {
        s.0[0] = *word;
    }
    s
}

#[inline(always)]
pub(crate) fn feed_forward<C: Compression>(
    state: &mut C::State<C::Word>,
    s: &C::State<PlainWords<C::Word, 1>>,
) {
    for (word, s) in state.as_mut().iter_mut().zip(s.as_ref()) {
        *word = word.wrapping_add(s.0[0]);
    }
}

/// The words of a group's blocks, the start of its schedule.
#[inline(always)]
fn load<C: Scheduled, V: Vector<C::Word>>(
    proof: V::Proof,
    group: &[u8],
    w: &mut [V; MAX_ROUNDS],
    words: &mut Words<C::Word>,
) {
    let mut blocks: [&[u8]; MAX_SCHEDULES] = [&[]; MAX_SCHEDULES];
    for l in 0..V::N {
        blocks[l] = &group[l * C::BLOCK_BYTES..];
    }
    let runs = Runs::new(&blocks[..V::N]);
    for first in (0..C::Block::<V>::LEN).step_by(V::N) {
        let columns = V::load_square(proof, C::ORDER, &runs, 0, first * C::Word::BYTES);
        for (t, column) in (first..).zip(columns.as_ref()) {
            w[t] = *column;
            keep::<C, V>(proof, w[t], t, words);
        }
    }
}

/// Computes and stores `W_t` of every block of the group.
#[inline(always)]
fn step<C: Scheduled, V: SimdWord<C::Word>>(
    proof: V::Proof,
    w: &mut [V; MAX_ROUNDS],
    t: usize,
    words: &mut Words<C::Word>,
) {
    w[t] = C::next_word(w, t);
    keep::<C, V>(proof, w[t], t, words);
}

/// Stores `W_t + K_t` for the rounds.
#[inline(always)]
fn keep<C: Scheduled, V: SimdWord<C::Word>>(
    proof: V::Proof,
    w: V,
    t: usize,
    words: &mut Words<C::Word>,
) {
    w.add(V::splat(proof, C::constant(t))).store(&mut words[t * V::N..][..V::N]);
}
