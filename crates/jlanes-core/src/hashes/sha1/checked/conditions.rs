//! Unavoidable conditions (section 5 of the paper): what a message must meet so that an attack by a
//! disturbance vector can work. One block in twenty meets all of some vector.
//!
//! A condition says that two bits of the expanded message agree, or that they differ. It stems from
//! the local collisions that the vector prescribes in the steps 35 to 64. So it depends on the
//! position of the steps relative to the vector's, and one row of the table holds for a range of
//! vectors.
//!
//! Lanes compute all vectors of a row at once: [`Columns`] collects the bits at one position from
//! all steps in one word. The exclusive or of two such words, one of them rotated, compares two
//! positions at one distance in all steps. Rotated again, it has a bit for each vector.

use super::vectors::{ALL, DisturbanceVector, VectorType};
use crate::{simd::lanes::SimdWord, unroll::unroll};
use VectorType::{I, II};

/// The steps with conditions.
pub(super) const STEPS: core::ops::Range<usize> = 35..65;

/// The positions with conditions.
const POSITIONS: [u32; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 28, 29, 30];

/// A bit of the expanded message: its step relative to the vector's, and its position.
type Bit = (isize, u32);

const AGREE: bool = false;
const DIFFER: bool = true;

/// A condition of the vectors of a type and rotation with the steps from `from` to `to`.
#[derive(Clone, Copy, Debug)]
struct Condition {
    kind: VectorType,
    rotation: u32,
    from: usize,
    to: usize,
    bits: [Bit; 2],
    differ: bool,
}

/// A row of the table.
const fn when(
    kind: VectorType,
    rotation: u32,
    from: usize,
    to: usize,
    first: Bit,
    differ: bool,
    second: Bit,
) -> Condition {
    Condition { kind, rotation, from, to, bits: [first, second], differ }
}

/// The conditions: a spanning tree of each set of bits that determine each other.
#[rustfmt::skip]
const CONDITIONS: [Condition; 60] = [
    when(I, 0, 43, 52, (-4, 4), DIFFER, (-3, 29)),
    when(I, 0, 43, 52, (-2, 4), DIFFER, (-1, 29)),
    when(I, 0, 43, 52, (0, 4), DIFFER, (1, 29)),
    when(I, 0, 43, 52, (-3, 29), AGREE, (-2, 4)),
    when(I, 0, 43, 52, (-1, 29), AGREE, (0, 4)),
    when(I, 0, 43, 52, (3, 29), AGREE, (4, 29)),
    when(I, 0, 43, 52, (-6, 4), DIFFER, (-4, 4)),
    when(I, 0, 43, 52, (1, 29), DIFFER, (3, 29)),
    when(I, 0, 44, 52, (-4, 29), AGREE, (-3, 29)),
    when(I, 0, 45, 52, (-10, 4), AGREE, (-6, 29)),
    when(I, 0, 47, 52, (-7, 29), AGREE, (-6, 29)),
    when(I, 0, 43, 48, (15, 0), DIFFER, (16, 5)),
    when(I, 0, 48, 52, (-8, 29), AGREE, (-7, 29)),
    when(I, 0, 48, 52, (-13, 4), AGREE, (-9, 29)),
    when(I, 0, 43, 45, (18, 1), DIFFER, (19, 6)),
    when(I, 0, 50, 52, (-14, 4), DIFFER, (-13, 4)),
    when(I, 0, 43, 44, (16, 5), AGREE, (20, 30)),
    when(I, 0, 51, 51, (-16, 3), AGREE, (-12, 28)),
    when(I, 2, 46, 51, (-11, 1), DIFFER, (-10, 6)),
    when(I, 2, 46, 51, (-7, 1), DIFFER, (-6, 6)),
    when(I, 2, 46, 51, (0, 6), AGREE, (1, 1)),
    when(I, 2, 46, 51, (-6, 6), AGREE, (-4, 6)),
    when(I, 2, 46, 51, (-4, 6), AGREE, (-2, 6)),
    when(I, 2, 46, 51, (-2, 6), AGREE, (0, 6)),
    when(I, 2, 49, 51, (-14, 1), DIFFER, (-13, 6)),
    when(I, 2, 49, 51, (-10, 6), AGREE, (-9, 1)),
    when(I, 2, 46, 48, (15, 2), DIFFER, (16, 7)),
    when(I, 2, 51, 51, (-16, 5), AGREE, (-12, 30)),
    when(I, 2, 51, 51, (-14, 1), AGREE, (-14, 6)),
    when(II, 0, 45, 56, (-2, 29), AGREE, (-1, 29)),
    when(II, 0, 45, 56, (-1, 29), AGREE, (0, 29)),
    when(II, 0, 45, 56, (-9, 4), AGREE, (-5, 29)),
    when(II, 0, 45, 56, (-4, 4), AGREE, (0, 29)),
    when(II, 0, 45, 56, (4, 4), AGREE, (8, 29)),
    when(II, 0, 46, 56, (-6, 29), AGREE, (-5, 29)),
    when(II, 0, 45, 55, (2, 4), AGREE, (4, 29)),
    when(II, 0, 45, 54, (4, 29), AGREE, (5, 29)),
    when(II, 0, 47, 56, (-7, 29), AGREE, (-6, 29)),
    when(II, 0, 47, 56, (-12, 3), AGREE, (-8, 28)),
    when(II, 0, 47, 56, (-12, 4), AGREE, (-8, 29)),
    when(II, 0, 45, 53, (4, 4), DIFFER, (5, 29)),
    when(II, 0, 45, 52, (7, 29), AGREE, (8, 29)),
    when(II, 0, 52, 56, (-16, 4), DIFFER, (-14, 4)),
    when(II, 0, 48, 52, (-13, 30), DIFFER, (-12, 3)),
    when(II, 0, 45, 48, (15, 0), DIFFER, (16, 5)),
    when(II, 0, 53, 56, (-14, 4), DIFFER, (-13, 29)),
    when(II, 0, 54, 56, (-18, 4), DIFFER, (-16, 4)),
    when(II, 0, 55, 56, (-16, 4), DIFFER, (-15, 29)),
    when(II, 0, 45, 45, (18, 1), DIFFER, (19, 6)),
    when(II, 0, 56, 56, (-16, 29), AGREE, (-15, 29)),
    when(II, 2, 46, 51, (-10, 1), DIFFER, (-9, 6)),
    when(II, 2, 46, 51, (-5, 1), DIFFER, (-4, 6)),
    when(II, 2, 46, 51, (-4, 6), AGREE, (-3, 1)),
    when(II, 2, 46, 51, (1, 1), DIFFER, (2, 6)),
    when(II, 2, 46, 51, (4, 6), AGREE, (5, 1)),
    when(II, 2, 46, 51, (2, 6), AGREE, (4, 6)),
    when(II, 2, 49, 51, (-13, 0), DIFFER, (-12, 5)),
    when(II, 2, 49, 51, (-9, 6), AGREE, (-8, 1)),
    when(II, 2, 49, 51, (-12, 5), AGREE, (-8, 30)),
    when(II, 2, 46, 46, (15, 2), DIFFER, (16, 7)),
];

impl Condition {
    /// Its vectors, as a set.
    const fn vectors(&self) -> u32 {
        let (mut set, mut step) = (0, self.from);
        while step <= self.to {
            let vector = DisturbanceVector { kind: self.kind, step, rotation: self.rotation };
            if vector.is_checked() {
                set |= 1 << vector.bit();
            }
            step += 1;
        }
        set
    }

    /// Whether a condition needs the bit at `position` of the word of `step`.
    const fn needs(&self, step: usize, position: u32) -> bool {
        let mut i = 0;
        while i < 2 {
            let (relative, at) = self.bits[i];
            let vector = step as isize - relative;
            if at == position && vector >= self.from as isize && vector <= self.to as isize {
                return true;
            }
            i += 1;
        }
        false
    }

    /// How columns tell that it is not met.
    const fn check(&self) -> Check {
        let [(first, position), (second, other)] = self.bits;
        let vector =
            DisturbanceVector { kind: self.kind, step: self.from, rotation: self.rotation };
        let row = self.from as isize + first + position as isize;
        Check {
            columns: [column(position), column(other)],
            apart: (other as isize - position as isize + second - first).rem_euclid(32) as u32,
            to_vectors: (row - vector.bit() as isize).rem_euclid(32) as u32,
            vectors: self.vectors(),
            differ: self.differ,
            set: self.rotation as usize / 2,
        }
    }
}

/// [`Condition::check`].
#[derive(Clone, Copy)]
struct Check {
    /// The columns of both bits.
    columns: [usize; 2],
    /// The rotation from the column of the second bit to that of the first.
    apart: u32,
    /// The rotation from there to the set of vectors.
    to_vectors: u32,
    /// The vectors.
    vectors: u32,
    differ: bool,
    /// Their set.
    set: usize,
}

const CHECKS: [Check; CONDITIONS.len()] = {
    let mut checks = [CONDITIONS[0].check(); CONDITIONS.len()];
    let mut i = 0;
    while i < checks.len() {
        checks[i] = CONDITIONS[i].check();
        i += 1;
    }
    checks
};

/// By step and position: the mask of the bit in its column, or 0 if there is no condition on it.
const PICKED: [[u32; POSITIONS.len()]; 80] = {
    let mut picked = [[0; POSITIONS.len()]; 80];
    let mut step = STEPS.start;
    while step < STEPS.end {
        let mut i = 0;
        while i < POSITIONS.len() {
            let mut c = 0;
            while c < CONDITIONS.len() {
                if CONDITIONS[c].needs(step, POSITIONS[i]) {
                    picked[step][i] = 1 << ((step as u32 + POSITIONS[i]) % 32);
                }
                c += 1;
            }
            i += 1;
        }
        step += 1;
    }
    picked
};

/// The index of a position in [`POSITIONS`].
const fn column(position: u32) -> usize {
    let mut i = 0;
    while POSITIONS[i] != position {
        i += 1;
    }
    i
}

/// The bits with conditions, by position: the one of step `t` at position `p` is bit `t + p`, modulo
/// 32, of the column of `p`.
pub(super) struct Columns<V>([V; POSITIONS.len()]);

impl<V: SimdWord<u32>> Columns<V> {
    #[inline(always)]
    pub(super) fn new(proof: V::Proof) -> Self {
        Self([V::splat(proof, 0); POSITIONS.len()])
    }

    /// Takes the bits of the word of step `t`, one of [`STEPS`] and a constant at every call site.
    #[inline(always)]
    pub(super) fn take(&mut self, proof: V::Proof, t: usize, word: V, beside: &mut V) {
        let row = word.rotr((32 - t as u32 % 32) % 32);
        unroll!(11, i => {
            if PICKED[t][i] != 0 {
                self.0[i] = self.0[i].or(row.and(V::splat(proof, PICKED[t][i])));
                V::keep_step(&mut self.0[i], beside);
            }
        });
    }

    /// The vectors with all conditions met, as a set for each rotation.
    #[inline(always)]
    pub(super) fn candidates(&self, proof: V::Proof) -> [V; 2] {
        let mut failed = [V::splat(proof, 0); 2];
        unroll!(20, i => { self.check(proof, i, &mut failed); });
        unroll!(20, i => { self.check(proof, 20 + i, &mut failed); });
        unroll!(20, i => { self.check(proof, 40 + i, &mut failed); });
        // not by `map`, which would not inherit the features of the vectors' code
        let [first, second] = failed;
        [first.andnot(V::splat(proof, ALL[0])), second.andnot(V::splat(proof, ALL[1]))]
    }

    #[inline(always)]
    fn check(&self, proof: V::Proof, i: usize, failed: &mut [V; 2]) {
        let Check { columns: [first, second], apart, to_vectors, vectors, differ, set } = CHECKS[i];
        let different = self.0[first].xor(self.0[second].rotr(apart)).rotr(to_vectors);
        let vectors = V::splat(proof, vectors);
        let wrong = if differ { different.andnot(vectors) } else { different.and(vectors) };
        failed[set] = failed[set].or(wrong);
    }
}
