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
        Avx2: { streams1 740, bits256 1521 };
        Avx2Sha: { streams1 740, bits256 1521 };
        Zen: { streams1 1211, bits256 3505 };
        Zen3: { streams1 740, bits256 1521 };
        Avx512: { streams1 740, bits256 838, bits512 1178 };
        Avx512Sha: { streams1 740, bits256 838, bits512 1178 };
        Zen4: { streams1 740, bits256 900, bits512 1750 };
        Zen5: { streams1 666, bits256 840, bits512 860 };
    ];
    Keccak<13, 24>: [
        Avx2: { streams1 742, bits256 1540 };
        Avx2Sha: { streams1 742, bits256 1540 };
        Zen: { streams1 1214, bits256 3549 };
        Zen3: { streams1 742, bits256 1540 };
        Avx512: { streams1 742, bits256 846, bits512 1217 };
        Avx512Sha: { streams1 742, bits256 846, bits512 1217 };
        Zen4: { streams1 742, bits256 900, bits512 1750 };
        Zen5: { streams1 667, bits256 840, bits512 860 };
    ];
    Keccak<17, 24>: [
        Avx2: { streams1 745, bits256 1560 };
        Avx2Sha: { streams1 745, bits256 1560 };
        Zen: { streams1 1219, bits256 3595 };
        Zen3: { streams1 745, bits256 1560 };
        Avx512: { streams1 745, bits256 855, bits512 1257 };
        Avx512Sha: { streams1 745, bits256 855, bits512 1257 };
        Zen4: { streams1 745, bits256 900, bits512 1750 };
        Zen5: { streams1 670, bits256 840, bits512 860 };
    ];
    Keccak<18, 24>: [
        Avx2: { streams1 745, bits256 1562 };
        Avx2Sha: { streams1 745, bits256 1562 };
        Zen: { streams1 1219, bits256 3600 };
        Zen3: { streams1 745, bits256 1562 };
        Avx512: { streams1 745, bits256 857, bits512 1260 };
        Avx512Sha: { streams1 745, bits256 857, bits512 1260 };
        Zen4: { streams1 745, bits256 900, bits512 1750 };
        Zen5: { streams1 670, bits256 840, bits512 860 };
    ];
    Keccak<21, 24>: [
        Avx2: { streams1 740, bits256 1577 };
        Avx2Sha: { streams1 740, bits256 1577 };
        Zen: { streams1 1211, bits256 3634 };
        Zen3: { streams1 740, bits256 1577 };
        Avx512: { streams1 740, bits256 865, bits512 1277 };
        Avx512Sha: { streams1 740, bits256 865, bits512 1277 };
        Zen4: { streams1 740, bits256 900, bits512 1750 };
        Zen5: { streams1 666, bits256 840, bits512 860 };
    ];
    Keccak<17, 12>: [
        Avx2: { streams1 380, bits256 822 };
        Avx2Sha: { streams1 380, bits256 822 };
        Zen: { streams1 622, bits256 1894 };
        Zen3: { streams1 380, bits256 822 };
        Avx512: { streams1 380, bits256 461, bits512 686 };
        Avx512Sha: { streams1 380, bits256 461, bits512 686 };
        Zen4: { streams1 380, bits256 450, bits512 875 };
        Zen5: { streams1 342, bits256 420, bits512 430 };
    ];
    Keccak<21, 12>: [
        Avx2: { streams1 377, bits256 837 };
        Avx2Sha: { streams1 377, bits256 837 };
        Zen: { streams1 617, bits256 1929 };
        Zen3: { streams1 377, bits256 837 };
        Avx512: { streams1 377, bits256 469, bits512 715 };
        Avx512Sha: { streams1 377, bits256 469, bits512 715 };
        Zen4: { streams1 377, bits256 450, bits512 875 };
        Zen5: { streams1 339, bits256 420, bits512 430 };
    ];
}
