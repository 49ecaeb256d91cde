//! The costs of Keccak's kernels, by words of a block and rounds. The CPUs and estimates are in
//! [EXPERIMENTS](https://github.com/jlanes/jlanes/blob/main/docs/EXPERIMENTS.md#figures-behind-comments).
//!
//! A rate takes about 60 KB of code in kernels of three instruction sets. Functions with the same rate and
//! number of rounds share them: SHA3-256, Keccak-256, SHAKE256.
//!
//! No kernel has 128 bits. A round has 101 logic operations and 29 rotations, and a rotation is three
//! instructions there. So two lanes would take 188 instructions for the three vector ports, and two streams
//! take 260 for the four scalar ones: no gain. This is counted, not measured.

use jlanes_core::hashes::keccak::Keccak;

use crate::{common::tuning::costs, x86_64::CpuClass};

costs! {
    Keccak<9, 24>: [
        Avx2: { one 740, half 1521 };
        Avx2Sha: { one 740, half 1521 };
        Zen: { one 1211, half 3505 };
        Zen3: { one 740, half 1521 };
        Avx512: { one 740, half 838, full 1178 };
        Avx512Sha: { one 740, half 838, full 1178 };
        Zen4: { one 740, half 900, full 1750 };
        Zen5: { one 666, half 840, full 860 };
    ];
    Keccak<13, 24>: [
        Avx2: { one 742, half 1540 };
        Avx2Sha: { one 742, half 1540 };
        Zen: { one 1214, half 3549 };
        Zen3: { one 742, half 1540 };
        Avx512: { one 742, half 846, full 1217 };
        Avx512Sha: { one 742, half 846, full 1217 };
        Zen4: { one 742, half 900, full 1750 };
        Zen5: { one 667, half 840, full 860 };
    ];
    Keccak<17, 24>: [
        Avx2: { one 745, half 1560 };
        Avx2Sha: { one 745, half 1560 };
        Zen: { one 1219, half 3595 };
        Zen3: { one 745, half 1560 };
        Avx512: { one 745, half 855, full 1257 };
        Avx512Sha: { one 745, half 855, full 1257 };
        Zen4: { one 745, half 900, full 1750 };
        Zen5: { one 670, half 840, full 860 };
    ];
    Keccak<18, 24>: [
        Avx2: { one 745, half 1562 };
        Avx2Sha: { one 745, half 1562 };
        Zen: { one 1219, half 3600 };
        Zen3: { one 745, half 1562 };
        Avx512: { one 745, half 857, full 1260 };
        Avx512Sha: { one 745, half 857, full 1260 };
        Zen4: { one 745, half 900, full 1750 };
        Zen5: { one 670, half 840, full 860 };
    ];
    Keccak<21, 24>: [
        Avx2: { one 740, half 1577 };
        Avx2Sha: { one 740, half 1577 };
        Zen: { one 1211, half 3634 };
        Zen3: { one 740, half 1577 };
        Avx512: { one 740, half 865, full 1277 };
        Avx512Sha: { one 740, half 865, full 1277 };
        Zen4: { one 740, half 900, full 1750 };
        Zen5: { one 666, half 840, full 860 };
    ];
    Keccak<17, 12>: [
        Avx2: { one 380, half 822 };
        Avx2Sha: { one 380, half 822 };
        Zen: { one 622, half 1894 };
        Zen3: { one 380, half 822 };
        Avx512: { one 380, half 461, full 686 };
        Avx512Sha: { one 380, half 461, full 686 };
        Zen4: { one 380, half 450, full 875 };
        Zen5: { one 342, half 420, full 430 };
    ];
    Keccak<21, 12>: [
        Avx2: { one 377, half 837 };
        Avx2Sha: { one 377, half 837 };
        Zen: { one 617, half 1929 };
        Zen3: { one 377, half 837 };
        Avx512: { one 377, half 469, full 715 };
        Avx512Sha: { one 377, half 469, full 715 };
        Zen4: { one 377, half 450, full 875 };
        Zen5: { one 339, half 420, full 430 };
    ];
}
