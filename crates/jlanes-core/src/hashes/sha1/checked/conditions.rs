//! Unavoidable conditions (section 5 of the paper): what a message must meet so that an attack by a
//! disturbance vector can work. One block in twenty meets all of some vector.
//!
//! A condition says that two bits of the expanded message agree, or that they differ. It stems from
//! the local collisions that the vector prescribes in the steps 35 to 64. So it depends on the
//! position of the steps relative to the vector's, and one row of the table holds for a range of
//! vectors.

use super::disturbance_vectors::{DisturbanceVector, VectorType};
use VectorType::{I, II};

/// The steps with conditions.
pub(super) const STEPS: core::ops::Range<usize> = 35..65;

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

/// The conditions: a spanning tree of each set of bits that determine each other. Of two bits, the first
/// is the one that leaves fewer different rotations to the vectors ([`Check::to_vectors`]).
#[rustfmt::skip]
const CONDITIONS: [Condition; 60] = [
    when(I, 0, 43, 52, (-3, 29), DIFFER, (-4, 4)),
    when(I, 0, 43, 52, (-1, 29), DIFFER, (-2, 4)),
    when(I, 0, 43, 52, (1, 29), DIFFER, (0, 4)),
    when(I, 0, 43, 52, (-3, 29), AGREE, (-2, 4)),
    when(I, 0, 43, 52, (-1, 29), AGREE, (0, 4)),
    when(I, 0, 43, 52, (4, 29), AGREE, (3, 29)),
    when(I, 0, 43, 52, (-6, 4), DIFFER, (-4, 4)),
    when(I, 0, 43, 52, (1, 29), DIFFER, (3, 29)),
    when(I, 0, 44, 52, (-3, 29), AGREE, (-4, 29)),
    when(I, 0, 45, 52, (-6, 29), AGREE, (-10, 4)),
    when(I, 0, 47, 52, (-6, 29), AGREE, (-7, 29)),
    when(I, 0, 43, 48, (16, 5), DIFFER, (15, 0)),
    when(I, 0, 48, 52, (-7, 29), AGREE, (-8, 29)),
    when(I, 0, 48, 52, (-9, 29), AGREE, (-13, 4)),
    when(I, 0, 43, 45, (19, 6), DIFFER, (18, 1)),
    when(I, 0, 50, 52, (-14, 4), DIFFER, (-13, 4)),
    when(I, 0, 43, 44, (16, 5), AGREE, (20, 30)),
    when(I, 0, 51, 51, (-12, 28), AGREE, (-16, 3)),
    when(I, 2, 46, 51, (-10, 6), DIFFER, (-11, 1)),
    when(I, 2, 46, 51, (-6, 6), DIFFER, (-7, 1)),
    when(I, 2, 46, 51, (0, 6), AGREE, (1, 1)),
    when(I, 2, 46, 51, (-4, 6), AGREE, (-6, 6)),
    when(I, 2, 46, 51, (-2, 6), AGREE, (-4, 6)),
    when(I, 2, 46, 51, (0, 6), AGREE, (-2, 6)),
    when(I, 2, 49, 51, (-13, 6), DIFFER, (-14, 1)),
    when(I, 2, 49, 51, (-10, 6), AGREE, (-9, 1)),
    when(I, 2, 46, 48, (15, 2), DIFFER, (16, 7)),
    when(I, 2, 51, 51, (-16, 5), AGREE, (-12, 30)),
    when(I, 2, 51, 51, (-14, 1), AGREE, (-14, 6)),
    when(II, 0, 45, 56, (-1, 29), AGREE, (-2, 29)),
    when(II, 0, 45, 56, (0, 29), AGREE, (-1, 29)),
    when(II, 0, 45, 56, (-5, 29), AGREE, (-9, 4)),
    when(II, 0, 45, 56, (0, 29), AGREE, (-4, 4)),
    when(II, 0, 45, 56, (8, 29), AGREE, (4, 4)),
    when(II, 0, 46, 56, (-5, 29), AGREE, (-6, 29)),
    when(II, 0, 45, 55, (2, 4), AGREE, (4, 29)),
    when(II, 0, 45, 54, (5, 29), AGREE, (4, 29)),
    when(II, 0, 47, 56, (-6, 29), AGREE, (-7, 29)),
    when(II, 0, 47, 56, (-8, 28), AGREE, (-12, 3)),
    when(II, 0, 47, 56, (-8, 29), AGREE, (-12, 4)),
    when(II, 0, 45, 53, (5, 29), DIFFER, (4, 4)),
    when(II, 0, 45, 52, (8, 29), AGREE, (7, 29)),
    when(II, 0, 52, 56, (-16, 4), DIFFER, (-14, 4)),
    when(II, 0, 48, 52, (-12, 3), DIFFER, (-13, 30)),
    when(II, 0, 45, 48, (16, 5), DIFFER, (15, 0)),
    when(II, 0, 53, 56, (-13, 29), DIFFER, (-14, 4)),
    when(II, 0, 54, 56, (-18, 4), DIFFER, (-16, 4)),
    when(II, 0, 55, 56, (-15, 29), DIFFER, (-16, 4)),
    when(II, 0, 45, 45, (19, 6), DIFFER, (18, 1)),
    when(II, 0, 56, 56, (-15, 29), AGREE, (-16, 29)),
    when(II, 2, 46, 51, (-9, 6), DIFFER, (-10, 1)),
    when(II, 2, 46, 51, (-4, 6), DIFFER, (-5, 1)),
    when(II, 2, 46, 51, (-4, 6), AGREE, (-3, 1)),
    when(II, 2, 46, 51, (2, 6), DIFFER, (1, 1)),
    when(II, 2, 46, 51, (4, 6), AGREE, (5, 1)),
    when(II, 2, 46, 51, (4, 6), AGREE, (2, 6)),
    when(II, 2, 49, 51, (-12, 5), DIFFER, (-13, 0)),
    when(II, 2, 49, 51, (-9, 6), AGREE, (-8, 1)),
    when(II, 2, 49, 51, (-12, 5), AGREE, (-8, 30)),
    when(II, 2, 46, 46, (15, 2), DIFFER, (16, 7)),
];

impl Condition {
    /// Whether the vectors have the same kind and rotation.
    const fn is_like(&self, other: &Self) -> bool {
        self.kind as u8 == other.kind as u8 && self.rotation == other.rotation
    }

    /// The vectors of the condition, as a set.
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

    /// The operations on columns that find the vectors with this condition unmet.
    const fn check(&self) -> Check {
        let [(first, position), (second, other)] = self.bits;
        let vector =
            DisturbanceVector { kind: self.kind, step: self.from, rotation: self.rotation };
        let row = self.from as isize + first + position as isize;
        let to_vectors = (row - vector.bit() as isize).rem_euclid(32) as u32;
        Check {
            columns: [position as usize, other as usize],
            apart: (other as isize - position as isize + second - first).rem_euclid(32) as u32,
            to_vectors,
            vectors: self.vectors().rotate_left(to_vectors),
            differ: self.differ,
            set: self.rotation as usize / 2,
        }
    }
}

/// A condition as operations on columns of bits, by [`Condition::check`].
#[derive(Clone, Copy)]
pub(super) struct Check {
    /// The columns of both bits.
    pub(super) columns: [usize; 2],
    /// The rotation from the column of the second bit to that of the first.
    pub(super) apart: u32,
    /// The rotation from the column of the first bit to the set of vectors.
    pub(super) to_vectors: u32,
    /// The vectors of the condition, before the rotation `to_vectors`.
    pub(super) vectors: u32,
    pub(super) differ: bool,
    /// The index of the set of vectors.
    pub(super) set: usize,
}

/// The checks, those with the same set and rotation to it side by side.
pub(super) const CHECKS: [Check; CONDITIONS.len()] = {
    let mut checks = [CONDITIONS[0].check(); CONDITIONS.len()];
    let mut i = 0;
    while i < checks.len() {
        let check = CONDITIONS[i].check();
        let mut at = i;
        while at > 0 && check.sort_key() < checks[at - 1].sort_key() {
            checks[at] = checks[at - 1];
            at -= 1;
        }
        checks[at] = check;
        i += 1;
    }
    checks
};

/// The positions of the first checks of one block, enough to exclude most blocks.
pub(super) const EARLY_POSITIONS: [usize; 4] = [1, 4, 6, 29];
/// The other positions.
pub(super) const LATE_POSITIONS: [usize; 7] = [0, 2, 3, 5, 7, 28, 30];

/// The checks of one block, on columns that are not rotated by their positions. First come those of
/// [`EARLY_POSITIONS`]. Those of vectors of one kind and rotation take turns with others, so that most vectors fail
/// early.
pub(super) const CHECKS_OF_BITS: [Check; CONDITIONS.len()] = {
    let mut checks = [CONDITIONS[0].check(); CONDITIONS.len()];
    let (mut count, mut turn) = (0, 0);
    while turn < 2 * CONDITIONS.len() {
        let (mut i, mut of_turn) = (0, 0);
        while i < CONDITIONS.len() {
            if i > 0 && !CONDITIONS[i].is_like(&CONDITIONS[i - 1]) {
                of_turn = 0;
            }
            let check = CONDITIONS[i].check().of_bits();
            if of_turn + CONDITIONS.len() * !check.is_early() as usize == turn {
                checks[count] = check;
                count += 1;
            }
            (i, of_turn) = (i + 1, of_turn + 1);
        }
        turn += 1;
    }
    assert!(count == checks.len() && checks[39].is_early(), "the first forty are early");
    checks
};

impl Check {
    /// Whether the check has [`EARLY_POSITIONS`] alone.
    const fn is_early(&self) -> bool {
        matches!(self.columns, [1 | 4 | 6 | 29, 1 | 4 | 6 | 29])
    }

    /// The check on columns that are not rotated by their positions: the vectors are the last to be rotated, and
    /// checks of the same bits at the same distance begin alike.
    const fn of_bits(self) -> Self {
        let [first, second] = self.columns;
        let apart = (self.apart + first as u32 + 32 - second as u32) % 32;
        let to_vectors = (self.to_vectors + 32 - first as u32) % 32;
        let vectors = self.vectors.rotate_right(self.to_vectors);
        if first < second || first == second && apart < 16 {
            return Self { apart, to_vectors, vectors, ..self };
        }
        let (columns, back) = ([second, first], (32 - apart) % 32);
        Self { columns, apart: back, to_vectors: (to_vectors + apart) % 32, vectors, ..self }
    }

    const fn sort_key(&self) -> usize {
        32 * self.set + self.to_vectors as usize
    }

    /// Whether the check at `i` is the last one with its set and rotation.
    pub(super) const fn is_last(i: usize) -> bool {
        i + 1 == CHECKS.len() || CHECKS[i].sort_key() != CHECKS[i + 1].sort_key()
    }
}

/// Whether there is a condition on the bit at `position` of the word of `step`.
pub(super) const fn is_needed(step: usize, position: u32) -> bool {
    let mut c = 0;
    while c < CONDITIONS.len() {
        if CONDITIONS[c].needs(step, position) {
            return true;
        }
        c += 1;
    }
    false
}
