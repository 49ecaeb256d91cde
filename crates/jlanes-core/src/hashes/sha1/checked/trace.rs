//! [`Trace`], the values of a compression from which the check of its block starts, so that a block without a
//! candidate costs nothing more.

use super::{
    super::{K, at, round, schedule},
    candidates::Bits,
    conditions::STEPS,
    disturbance_vectors::{DIFFERENCES, DisturbanceVector},
    recheck::{EARLY_STEP, END_ROW, LATE_STEP, MASK_ROW, STATE_ROW, WINDOW_START},
};
use crate::{simd::vector::SimdWord, unroll::unroll};

/// The values of a compression that the check of its block needs.
pub(super) struct Trace<V> {
    /// The words of the schedule from step [`WINDOW_START`] on, that of step `t` at `t % 16`.
    words: [V; 16],
    /// The states before the steps [`EARLY_STEP`] and [`LATE_STEP`].
    states: [[V; 5]; 2],
    /// The candidates among the disturbance vectors, one set for each rotation.
    pub(super) candidates: [V; 2],
}

/// The first candidates in [`Trace::rows`], after its other words and the chaining value.
pub(super) const CANDIDATES_ROW: usize = 16 + 2 * 5 + 5;
/// Words of a [`Trace`], and of the chaining value after it.
pub(super) const TRACE_ROWS: usize = CANDIDATES_ROW + 2;

impl<V: SimdWord<u32>> Trace<V> {
    /// Advances `state` by the block `w`; without `CONDITIONS`, there are no candidates.
    #[inline(always)]
    pub(super) fn of<const CONDITIONS: bool>(
        proof: V::Proof,
        state: &mut [V; 6],
        mut w: [V; 16],
    ) -> Self {
        let [a, b, c, d, e, _] = *state;
        let mut s = [a, b, c, d, e];
        let (mut states, mut window) = ([s; 2], w);
        let mut bits = Bits::new(proof);
        unroll!(4, stage => {
            let k = V::splat(proof, K[stage]);
            unroll!(20, i => {
                let t = 20 * stage + i;
                if t == EARLY_STEP || t == LATE_STEP {
                    states[usize::from(t == LATE_STEP)] = [0, 1, 2, 3, 4].map(|name| s[at(i, name)]);
                }
                let mut word = schedule(&mut w, t);
                if CONDITIONS && STEPS.contains(&t) {
                    V::keep_interleaved(&mut word, &mut s[at(i, 4)]);
                    w[t % 16] = word;
                }
                round(stage, i, &mut s, word.add(k));
                if CONDITIONS && STEPS.contains(&t) {
                    bits.take(proof, t, word, &mut s[at(i, 1)]);
                }
                if t == WINDOW_START + 15 {
                    window = w;
                }
            });
        });
        for i in 0..s.len() {
            state[i] = state[i].add(s[i]);
        }
        let none = [V::splat(proof, 0); 2];
        let candidates = if CONDITIONS { bits.candidates(proof) } else { none };
        Self { words: window, states, candidates }
    }

    /// All words of the trace; `state` is the one after the block.
    #[inline(always)]
    pub(super) fn rows(&self, state: &[V; 6]) -> [V; TRACE_ROWS] {
        let mut rows = [self.words[0]; TRACE_ROWS];
        rows[..16].copy_from_slice(&self.words);
        rows[16..26].copy_from_slice(self.states.as_flattened());
        rows[26..CANDIDATES_ROW].copy_from_slice(&state[..5]);
        rows[CANDIDATES_ROW..].copy_from_slice(&self.candidates);
        rows
    }
}

/// Passes to `take` the rows of a [`Suspect`](super::recheck::Suspect), by the disturbance vector with bit `bit` in
/// set `set`. `row` returns the words of one lane of [`Trace::rows`].
#[inline(always)]
pub(super) fn write_suspect(
    row: impl Fn(usize) -> u32,
    set: usize,
    bit: usize,
    mut take: impl FnMut(usize, u32),
) {
    let difference = &DIFFERENCES[set][bit % 32];
    let late = DisturbanceVector::from_bit(bit, 0).is_late();
    for i in 0..16 {
        take(i, row(i) ^ difference[i]);
    }
    for i in 0..5 {
        take(STATE_ROW + i, if late { row(21 + i) } else { row(16 + i) });
        take(END_ROW + i, row(26 + i));
    }
    take(MASK_ROW, if late { u32::MAX } else { 0 });
}
