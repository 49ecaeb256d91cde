//! Threefish's constants (Skein 1.3, section 3.3) and the codes of UBI's types (section 3.5.1): the
//! only copy outside the reference.

/// C240: makes the parity of an all-zero key nonzero.
pub(super) const PARITY: u64 = 0x1bd1_1bda_a9fc_1a22;

/// Rotation of each pair of words in rounds `0..8` modulo 8, table 4 of Skein 1.3.
pub(super) const ROTATIONS_256: [[u32; 2]; 8] =
    [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]];
/// As [`ROTATIONS_256`].
pub(super) const ROTATIONS_512: [[u32; 4]; 8] = [
    [46, 36, 19, 37],
    [33, 27, 14, 42],
    [17, 49, 36, 39],
    [44, 9, 54, 56],
    [39, 30, 34, 24],
    [13, 50, 10, 17],
    [25, 29, 39, 43],
    [8, 35, 56, 22],
];
/// As [`ROTATIONS_256`].
pub(super) const ROTATIONS_1024: [[u32; 8]; 8] = [
    [24, 13, 8, 47, 8, 17, 22, 37],
    [38, 19, 10, 55, 49, 18, 23, 52],
    [33, 4, 51, 13, 34, 41, 59, 17],
    [5, 20, 48, 41, 47, 28, 16, 25],
    [41, 9, 37, 31, 12, 47, 44, 30],
    [16, 34, 56, 51, 4, 53, 42, 41],
    [31, 44, 47, 46, 19, 42, 44, 25],
    [9, 48, 35, 52, 23, 31, 37, 20],
];

/// Word permutation after each round, table 3 of Skein 1.3.
pub(super) const PERMUTATION_256: [usize; 4] = [0, 3, 2, 1];
/// As [`PERMUTATION_256`].
pub(super) const PERMUTATION_512: [usize; 8] = [2, 1, 4, 7, 6, 5, 0, 3];
/// As [`PERMUTATION_256`].
pub(super) const PERMUTATION_1024: [usize; 16] =
    [0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1];
