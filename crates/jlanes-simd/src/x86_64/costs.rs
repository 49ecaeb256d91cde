//! The costs of x86-64's kernels, by hash and class of CPUs: results of `calibrate` in the bench package, or
//! estimates.
//!
//! [EXPERIMENTS](https://github.com/jlanes/jlanes/blob/main/docs/EXPERIMENTS.md#figures-behind-comments) has
//! the CPU and the day of each class, and which of its costs are estimates. Only MD5 has a kernel of two
//! registers (`double`), which gains a third over one; the words of two blocks of SHA-256 do not fit the
//! registers.

#[cfg(feature = "blake2")]
use jlanes_core::hashes::blake2::Blake2;
#[cfg(any(feature = "skein", test))]
use jlanes_core::hashes::skein::threefish::Threefish;
use jlanes_core::hashes::{
    md5::Md5Compression, ripemd160::Ripemd160Compression, sha1::Sha1Compression, sha2::Sha2,
    sm3::Sm3Compression,
};

use super::CpuClass;
use crate::common::tuning::costs;

costs! {
    Sha2<u32>: [
        Sse41: { one 504, quarter 1014 };
        Sse41Sha: { one 206, pair 220 };
        Avx2: { one 483, quarter 989, half 1002 };
        Avx2Sha: { one 133, pair 133 } interleaved { one 236, pair 236, half 1002 };
        Zen: { one 131, pair 145, triple 268 } interleaved { one 166, pair 230, triple 372 };
        Zen3: { one 133, pair 131, triple 166 }
            interleaved { one 185, pair 217, triple 277, half 975 };
        Avx512: { one 636, half 670, full 1005 } interleaved { one 682, half 667, full 943 };
        Avx512Sha: { one 134, pair 196, triple 290, half 617, full 894 }
            interleaved { one 148, pair 207, triple 313, half 612, full 844 };
        Zen4: { one 134, pair 138, triple 270, eight 390, half 557, full 1025 }
            interleaved { one 184, pair 163, eight 432, half 534, full 960 };
        Zen5: { one 133, pair 148, triple 251, half 660, full 575 }
            interleaved { one 164, pair 234, triple 343, half 640, full 596 };
    ];
    Sha2<u64>: [
        Sse41: { one 714 };
        Sse41Sha: { one 714 };
        Avx2: { one 603, half 1228 };
        Avx2Sha: { one 603, half 1228 };
        Zen: { one 632 } interleaved { one 694 };
        Zen3: { one 630, half 1185 };
        Avx512: { one 802, half 825, full 1200 } interleaved { one 855, half 857, full 1244 };
        Avx512Sha: { one 640, half 773, full 1101 };
        Zen4: { one 590, half 695, full 1289 };
        Zen5: { one 479, half 889, full 706 } interleaved { one 519, half 881, full 737 };
    ];
    Sha1Compression: [
        Sse41: { one 260, quarter 500 };
        Sse41Sha: { one 145, pair 184 };
        Avx2: { one 260, quarter 500, half 520 };
        Avx2Sha: { one 122, pair 130 } interleaved { one 200, pair 230, half 520 };
        Zen: { one 116, pair 168, triple 244 } interleaved { one 157, pair 247, triple 356 };
        Zen3: { one 122, pair 147, triple 164 } interleaved { one 182, pair 236, half 455 };
        Avx512: { one 393, half 358, full 550 } interleaved { one 437, half 379, full 485 };
        Avx512Sha: { one 120, pair 196, half 301, full 455 }
            interleaved { one 154, pair 247, half 287, full 417 };
        Zen4: { one 124, pair 152, triple 176, half 296, full 554 }
            interleaved { one 200, pair 230, half 300, full 552 };
        Zen5: { one 126, pair 147, triple 160, half 428, full 347 }
            interleaved { one 157, pair 204, triple 239, half 408, full 374 };
    ];
    Md5Compression: [
        Sse41: { one 347, quarter 462 };
        Sse41Sha: { one 347, quarter 462 };
        Avx2: { one 347, half 406 };
        Avx2Sha: { one 347, half 406 };
        Zen: { one 296, half 605 } interleaved { one 338, half 585 };
        Zen3: { one 300, half 430 };
        Avx512: { one 235, half 301, full 393, double 610 };
        Avx512Sha: { one 347, half 264, full 295, double 545 };
        Zen4: { one 365, half 364, full 470, double 745 };
        Zen5: { one 358, half 619, full 573, double 748 }
            interleaved { one 393, half 585, full 606, double 699 };
    ];
    Ripemd160Compression: [
        Sse41: { one 448, quarter 949 };
        Sse41Sha: { one 448, quarter 949 };
        Avx2: { one 448, half 699 };
        Avx2Sha: { one 448, half 699 };
        Zen: { one 459, quarter 954, half 1326 } interleaved { one 503, quarter 969, half 1315 };
        Zen3: { one 400, half 595 };
        Avx512: { one 477, half 488, full 692 } interleaved { one 477, half 484, full 634 };
        Avx512Sha: { one 448, half 399, full 662 };
        Zen4: { one 500, half 530, full 1126 } interleaved { one 543, half 503, full 741 };
        Zen5: { one 429, half 764, full 718 } interleaved { one 459, half 741, full 1313 };
    ];
    Sm3Compression: [
        Sse41: { one 562, quarter 1118 };
        Sse41Sha: { one 562, quarter 1118 };
        Avx2: { one 562, half 1129 };
        Avx2Sha: { one 562, half 1129 };
        Zen: { one 683, quarter 1765, half 2740 } interleaved { one 730, quarter 1805, half 2718 };
        Zen3: { one 600, half 1090 };
        Avx512: { one 715, half 658, full 1029 } interleaved { one 760, half 660, full 953 };
        Avx512Sha: { one 573, half 616, full 891 };
        Zen4: { one 590, half 660, full 1092 };
        Zen5: { one 504, half 919, full 862 } interleaved { one 538, half 900, full 906 };
    ];
}

#[cfg(any(feature = "skein", test))]
costs! {
    Threefish<4>: [
        Avx2: { one 160, half 254 };
        Avx2Sha: { one 160, half 254 };
        Zen: { one 275, half 566 } interleaved { one 291, half 560 };
        Zen3: { one 255, half 330 };
        Avx512: { one 294, half 271, full 516 } interleaved { one 308, half 272, full 432 };
        Avx512Sha: { one 253, half 276, full 358 };
        Zen4: { one 160, half 191, full 328 };
        Zen5: { one 133, half 380, full 390 };
    ];
    Threefish<8>: [
        Avx2: { one 320, half 508 };
        Avx2Sha: { one 320, half 508 };
        Zen: { one 415, half 1147 } interleaved { one 447, half 1150 };
        Zen3: { one 322, half 500 };
        Avx512: { one 397, half 423, full 614 } interleaved { one 424, half 415, full 598 };
        Avx512Sha: { one 340, half 403, full 556 };
        Zen4: { one 320, half 382, full 657 };
        Zen5: { one 250, half 493, full 517 } interleaved { one 268, half 486, full 489 };
    ];
    Threefish<16>: [
        Avx2: { one 720, half 1130 };
        Avx2Sha: { one 720, half 1130 };
        Zen: { one 886, half 3180 } interleaved { one 957, half 3100 };
        Zen3: { one 794, half 1214 };
        Avx512: { one 920, half 1084, full 1453 } interleaved { one 981, half 1102, full 1433 };
        Avx512Sha: { one 644, half 815, full 1231 };
        Zen4: { one 720, half 850, full 1460 };
        Zen5: { one 650, half 832, full 1021 } interleaved { one 737, half 769, full 784 };
    ];
}

#[cfg(feature = "blake2")]
costs! {
    Blake2<u32>: [
        Sse41: { one 330, quarter 756 };
        Sse41Sha: { one 330, quarter 756 };
        Avx2: { one 318, half 791 };
        Avx2Sha: { one 318, half 791 };
        Zen: { one 365, quarter 1070, half 1938 } interleaved { one 430, quarter 1023, half 1959 };
        Zen3: { one 318, half 740 };
        Avx512: { one 318, half 560, full 896 };
        Avx512Sha: { one 318, half 626, full 852 };
        Zen4: { one 318, half 530, full 980 };
        Zen5: { one 300, half 520, full 530 };
    ];
    Blake2<u64>: [
        Sse41: { one 446 };
        Sse41Sha: { one 446 };
        Avx2: { one 402, half 856 };
        Avx2Sha: { one 402, half 856 };
        Zen: { one 512, half 1775 } interleaved { one 575, half 1745 };
        Zen3: { one 402, half 830 };
        Avx512: { one 412, half 717, full 987 };
        Avx512Sha: { one 412, half 756, full 977 };
        Zen4: { one 412, half 640, full 1180 };
        Zen5: { one 400, half 600, full 620 };
    ];
}
// Zen 4 is measured, the others are estimated from BLAKE2s's: seven of its ten rounds; `pair` and `four` from Zen 4
#[cfg(feature = "blake3")]
costs! {
    jlanes_core::hashes::blake3::Blake3Compression: [
        Sse41: { one 240, quarter 530 };
        Sse41Sha: { one 240, quarter 530 };
        Avx2: { one 230, half 420 };
        Avx2Sha: { one 230, half 420 };
        Zen: { one 292, half 713 } interleaved { one 344, half 733 };
        Zen3: { one 230, half 395 };
        Avx512: { one 200, pair 200, four 250, half 490, full 663 };
        Avx512Sha: { one 200, pair 200, four 250, half 440, full 600 };
        Zen4: { one 152, pair 152, four 167, half 252, full 390 };
        Zen5: { one 190, pair 190, four 210, half 360, full 370 };
    ];
}
#[cfg(feature = "sha1dc")]
costs! {
    jlanes_core::hashes::sha1::checked::CheckedCompression: [
        Sse41: { one 640, quarter 1100 };
        Sse41Sha: { one 230, quarter 1100 };
        Avx2: { one 640, half 900 };
        Avx2Sha: { one 230, half 900 };
        Zen: { one 197, half 1555 } interleaved { one 269, half 1634 };
        Zen3: { one 230, half 900 };
        Avx512: { one 640, half 600, full 800 };
        Avx512Sha: { one 200, half 600, full 800 };
        Zen4: { one 200, half 520, full 880 };
        Zen5: { one 200, half 520, full 600 };
    ];
}
#[cfg(feature = "keccak")]
mod keccak;
