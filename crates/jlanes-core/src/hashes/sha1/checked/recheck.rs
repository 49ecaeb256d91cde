//! Recompression of suspects (section 3 of the paper): whether the other message of a pair leads to the same
//! chaining value.
//!
//! A disturbance vector prescribes the difference of both messages. They have the same state before step 58
//! or 65; from there, the other message's steps run back to its start and on to its end.

use core::{array, ops::Range};

use super::super::{IV, K, ROUNDS, schedule};
use crate::simd::{portable::PlainWords, vector::SimdWord};

/// The step of the first of sixteen words of a schedule, from which all others follow.
pub(super) const WINDOW_START: usize = 49;

/// Blocks of other messages, one pair per lane, with the values from which they are recompressed.
#[derive(Clone, Copy)]
pub(super) struct Suspect<V> {
    /// The words of the other message's schedule from step [`WINDOW_START`] on, that of step `t` at
    /// `t % 16`.
    pub(super) words: [V; 16],
    /// The state that the messages share, before step 58, or 65 in late lanes.
    pub(super) state: [V; 5],
    /// The chaining value after this message's block.
    pub(super) end: [V; 5],
    /// A mask of late lanes, in which the shared state is before step 65.
    pub(super) late: V,
}

/// The first row of a [`Suspect`]'s state, after its words.
pub(super) const STATE_ROW: usize = 16;
/// The first row of its end.
pub(super) const END_ROW: usize = STATE_ROW + IV.len();
/// The row of its mask.
pub(super) const MASK_ROW: usize = END_ROW + IV.len();
/// The number of all its rows.
pub(super) const SUSPECT_ROWS: usize = MASK_ROW + 1;

/// Steps of a stage.
const STAGE: usize = ROUNDS / 4;

/// The earlier of the two steps at which states are shared.
pub(super) const EARLY_STEP: usize = 58;
/// The later of the two steps at which states are shared.
pub(super) const LATE_STEP: usize = 65;

impl<V: SimdWord<u32>> Suspect<V> {
    /// The suspect in the [`SUSPECT_ROWS`] rows that `row` returns.
    #[inline(always)]
    pub(super) fn from_rows(row: impl Fn(usize) -> V) -> Self {
        Self {
            words: array::from_fn(&row),
            state: array::from_fn(|i| row(STATE_ROW + i)),
            end: array::from_fn(|i| row(END_ROW + i)),
            late: row(MASK_ROW),
        }
    }

    /// The bits in which the other message's chaining value differs: zero in lanes of an attack.
    #[inline(always)]
    pub(super) fn difference(&self, proof: V::Proof) -> V {
        let (mut state, mut words) = (self.state, self.words);
        steps_back(proof, 3, 3 * STAGE..LATE_STEP, &mut state, &mut words);
        steps_back(proof, 2, EARLY_STEP..3 * STAGE, &mut state, &mut words);
        for (early, shared) in state.iter_mut().zip(self.state) {
            *early = V::ch(self.late, *early, shared);
        }
        let (mut end, mut later) = (state, words);
        for t in EARLY_STEP..3 * STAGE {
            step(proof, 2, &mut end, later[t % 16]);
        }
        for t in 3 * STAGE..ROUNDS {
            let word = if t < WINDOW_START + 16 { later[t % 16] } else { schedule(&mut later, t) };
            step(proof, 3, &mut end, word);
        }
        steps_back(proof, 2, 2 * STAGE..EARLY_STEP, &mut state, &mut words);
        steps_back(proof, 1, STAGE..2 * STAGE, &mut state, &mut words);
        steps_back(proof, 0, 0..STAGE, &mut state, &mut words);
        let mut difference = V::splat(proof, 0);
        for i in 0..IV.len() {
            difference = difference.or(state[i].add(end[i]).xor(self.end[i]));
        }
        difference
    }
}

/// Advances one message's working variables by `steps`, from [`WINDOW_START`] on. `words` are those of the window, and
/// then the latest.
pub(super) fn steps_of_one(steps: Range<usize>, state: &mut [u32; 5], words: &mut [u32; 16]) {
    let (mut s, mut w) = (state.map(|it| PlainWords([it])), words.map(|it| PlainWords([it])));
    for t in steps {
        let word = if t < WINDOW_START + 16 { w[t % 16] } else { schedule(&mut w, t) };
        if t < 3 * STAGE { step((), 2, &mut s, word) } else { step((), 3, &mut s, word) }
    }
    (*state, *words) = (s.map(|it| it.0[0]), w.map(|it| it.0[0]));
}

/// The word of step `t`, from those of the next sixteen steps.
#[inline(always)]
fn word_before<V: SimdWord<u32>>(w: &[V; 16], t: usize) -> V {
    let others = V::xor3(w[(t + 13) % 16], w[(t + 8) % 16], w[(t + 2) % 16]);
    others.xor(w[t % 16].rotr(1))
}

/// The function `f` of a stage (FIPS 180-4, section 4.1.1).
#[inline(always)]
fn stage_fn<V: SimdWord<u32>>(stage: usize, b: V, c: V, d: V) -> V {
    match stage {
        0 => V::ch(b, c, d),
        2 => V::maj(b, c, d),
        _ => V::xor3(b, c, d),
    }
}

#[inline(always)]
fn step<V: SimdWord<u32>>(proof: V::Proof, stage: usize, state: &mut [V; 5], word: V) {
    let [a, b, c, d, e] = *state;
    let sum = stage_fn(stage, b, c, d).add(V::splat(proof, K[stage])).add(word);
    *state = [a.rotr(27).add(e).add(sum), a, b.rotr(2), c, d];
}

/// Undoes [`step`].
#[inline(always)]
fn step_back<V: SimdWord<u32>>(proof: V::Proof, stage: usize, state: &mut [V; 5], word: V) {
    let [after, a, b, c, d] = *state;
    let b = b.rotr(30);
    let sum = stage_fn(stage, b, c, d).add(V::splat(proof, K[stage])).add(word).add(a.rotr(27));
    // after - sum
    let ones = V::splat(proof, u32::MAX);
    *state = [a, b, c, d, ones.xor(ones.xor(after).add(sum))];
}

/// Undoes `steps`, all of `stage`. The words of steps from [`WINDOW_START`] on are those of the window.
#[inline(always)]
fn steps_back<V: SimdWord<u32>>(
    proof: V::Proof,
    stage: usize,
    steps: Range<usize>,
    state: &mut [V; 5],
    words: &mut [V; 16],
) {
    for t in steps.rev() {
        if t < WINDOW_START {
            words[t % 16] = word_before(words, t);
        }
        step_back(proof, stage, state, words[t % 16]);
    }
}
