//! The disturbance vectors (section 4.2 of the paper), and the difference that each prescribes between the two
//! messages of a pair.

use super::recheck::WINDOW_START;
use crate::hashes::sha1::ROUNDS;

/// The two types of disturbance vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VectorType {
    /// One bit after fifteen words of zeros.
    I,
    /// Two more bits among these words.
    II,
}

/// A disturbance vector: its type, the step of its first word of zeros, and the rotation of all its
/// words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DisturbanceVector {
    /// The type.
    pub kind: VectorType,
    /// `K`, the step of the vector's first word of zeros.
    pub step: usize,
    /// `b`, the rotation of all its words.
    pub rotation: u32,
}

/// The first step of type I.
pub(super) const FIRST_STEP: usize = 43;
/// The first step of type II.
const FIRST_II: usize = 45;
/// The bit of a set of vectors for the first vector of type II; those of type I start at bit 0.
const BIT_II: usize = 10;

/// The vectors of a rotation as a set, by [`DisturbanceVector::bit`].
pub(super) const ALL: [u32; 2] = [set(0), set(2)];

/// Whether attacks by this vector are known to be the best ones: the 32 vectors of the paper.
const fn is_checked(kind: VectorType, step: usize, rotation: u32) -> bool {
    match (kind, rotation) {
        (VectorType::I, 0) => step >= 43 && step <= 52,
        (VectorType::I, 2) => step >= 46 && step <= 51,
        (VectorType::II, 0) => step >= 45 && step <= 56,
        (VectorType::II, 2) => step == 46 || (step >= 49 && step <= 51),
        _ => false,
    }
}

const fn set(rotation: u32) -> u32 {
    let (mut set, mut bit) = (0, 0);
    while bit < 32 {
        if DisturbanceVector::from_bit(bit, rotation).is_checked() {
            set |= 1 << bit;
        }
        bit += 1;
    }
    set
}

impl DisturbanceVector {
    /// The vector of a bit in the set of `rotation`; may be one that is not checked.
    pub(super) const fn from_bit(bit: usize, rotation: u32) -> Self {
        if bit < BIT_II {
            Self { kind: VectorType::I, step: FIRST_STEP + bit, rotation }
        } else {
            Self { kind: VectorType::II, step: FIRST_II + bit - BIT_II, rotation }
        }
    }

    /// The vector's bit in the set of its rotation.
    pub(super) const fn bit(self) -> usize {
        match self.kind {
            VectorType::I => self.step - FIRST_STEP,
            VectorType::II => self.step - FIRST_II + BIT_II,
        }
    }

    pub(super) const fn is_checked(self) -> bool {
        is_checked(self.kind, self.step, self.rotation)
    }

    /// Whether both messages of a pair have the same state before [`LATE_STEP`](super::recheck::LATE_STEP), and not
    /// before [`EARLY_STEP`](super::recheck::EARLY_STEP).
    pub(super) const fn is_late(self) -> bool {
        self.step >= 50
    }

    /// The difference of the messages in sixteen words of the schedule from step `start` on, the one of step
    /// `t` at `t % 16`: a local collision for each bit of the vector.
    const fn difference(self, start: usize) -> [u32; 16] {
        /// The vector's words for negative steps, in which local collisions start.
        const STEPS_BEFORE: usize = 5;
        let mut v = [0_u32; STEPS_BEFORE + ROUNDS];
        let zeros = STEPS_BEFORE + self.step;
        v[zeros + 15] = 1;
        if let VectorType::II = self.kind {
            (v[zeros + 1], v[zeros + 3]) = (1 << 31, 1 << 31);
        }
        // the recurrence of message schedules, in both directions
        let mut t = zeros + 16;
        while t < v.len() {
            v[t] = (v[t - 3] ^ v[t - 8] ^ v[t - 14] ^ v[t - 16]).rotate_left(1);
            t += 1;
        }
        let mut t = zeros;
        while t > 0 {
            t -= 1;
            v[t] = v[t + 16].rotate_right(1) ^ v[t + 13] ^ v[t + 8] ^ v[t + 2];
        }
        let mut difference = [0; 16];
        let mut i = 0;
        while i < 16 {
            // a disturbance, and its corrections in the next five steps
            let t = STEPS_BEFORE + start + i;
            let later = v[t - 3] ^ v[t - 4] ^ v[t - 5];
            let word = v[t] ^ v[t - 1].rotate_left(5) ^ v[t - 2] ^ later.rotate_right(2);
            difference[(start + i) % 16] = word.rotate_left(self.rotation);
            i += 1;
        }
        difference
    }
}

/// [`DisturbanceVector::difference`] from step [`WINDOW_START`] on, by rotation (0 or 2) and bit.
pub(super) static DIFFERENCES: [[[u32; 16]; 32]; 2] =
    [differences(0, WINDOW_START), differences(2, WINDOW_START)];

/// The difference of the blocks.
pub(super) static BLOCK_DIFFERENCES: [[[u32; 16]; 32]; 2] = [differences(0, 0), differences(2, 0)];

const fn differences(rotation: u32, start: usize) -> [[u32; 16]; 32] {
    let mut all = [[0; 16]; 32];
    let mut bit = 0;
    while bit < 32 {
        let vector = DisturbanceVector::from_bit(bit, rotation);
        if vector.is_checked() {
            all[bit] = vector.difference(start);
        }
        bit += 1;
    }
    all
}
