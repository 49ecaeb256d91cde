//! The costs of x86-64's kernels, by hash and class of CPUs: results of `calibrate` in the bench package, or
//! estimates.
//!
//! [EXPERIMENTS](https://github.com/jlanes/jlanes/blob/main/docs/EXPERIMENTS.md#figures-behind-comments) has
//! the CPU and the day of each class, and which of its costs are estimates. Only MD5 has a kernel of two
//! registers (`bits1024`), which gains a third over one; the words of two blocks of SHA-256 do not fit the
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
        Sse41: { streams1 504, bits128 1014 };
        Sse41Sha: { streams1 206, streams2 220 };
        Avx2: { streams1 483, bits128 989, bits256 1002 };
        Avx2Sha: { streams1 133, streams2 133 }
            interleaved { streams1 236, streams2 236, bits256 1002 };
        Zen: { streams1 131, streams2 145, streams3 268 }
            interleaved { streams1 166, streams2 230, streams3 372 };
        Zen3: { streams1 133, streams2 131, streams3 166, streams4 216 }
            interleaved { streams1 185, streams2 217, streams3 277, bits256 975 };
        Avx512: { streams1 636, bits256 670, bits512 1005 }
            interleaved { streams1 682, bits256 667, bits512 943 };
        Avx512Sha: { streams1 134, streams2 196, streams3 290, bits256 617, bits512 894 }
            interleaved { streams1 148, streams2 207, streams3 313, bits256 612, bits512 844 };
        Zen4: { streams1 134, streams2 138, streams3 270, streams8 390, bits256 557, bits512 1025 }
            interleaved { streams1 184, streams2 163, streams8 432, bits256 534, bits512 960 };
        Zen5: { streams1 133, streams2 148, streams3 251, bits256 660, bits512 575 }
            interleaved { streams1 164, streams2 234, streams3 343, bits256 640, bits512 596 };
    ];
    Sha2<u64>: [
        Sse41: { streams1 714 };
        Sse41Sha: { streams1 714 };
        Avx2: { streams1 603, bits256 1228 };
        Avx2Sha: { streams1 603, bits256 1228 };
        Zen: { streams1 632 } interleaved { streams1 694 };
        Zen3: { streams1 630, bits256 1185 };
        Avx512: { streams1 802, bits256 825, bits512 1200 }
            interleaved { streams1 855, bits256 857, bits512 1244 };
        Avx512Sha: { streams1 640, bits256 773, bits512 1101 };
        Zen4: { streams1 590, bits256 695, bits512 1289 };
        Zen5: { streams1 479, bits256 889, bits512 706 }
            interleaved { streams1 519, bits256 881, bits512 737 };
    ];
    Sha1Compression: [
        Sse41: { streams1 260, bits128 500 };
        Sse41Sha: { streams1 145, streams2 184 };
        Avx2: { streams1 260, bits128 500, bits256 520 };
        Avx2Sha: { streams1 122, streams2 130 }
            interleaved { streams1 200, streams2 230, bits256 520 };
        Zen: { streams1 116, streams2 168, streams3 244 }
            interleaved { streams1 157, streams2 247, streams3 356 };
        Zen3: { streams1 122, streams2 147, streams3 164 }
            interleaved { streams1 182, streams2 236, bits256 455 };
        Avx512: { streams1 393, bits256 358, bits512 550 }
            interleaved { streams1 437, bits256 379, bits512 485 };
        Avx512Sha: { streams1 120, streams2 196, bits256 301, bits512 455 }
            interleaved { streams1 154, streams2 247, bits256 287, bits512 417 };
        Zen4: { streams1 124, streams2 152, streams3 176, bits256 296, bits512 554 }
            interleaved { streams1 200, streams2 230, bits256 300, bits512 552 };
        Zen5: { streams1 126, streams2 147, streams3 160, bits256 428, bits512 347 }
            interleaved { streams1 157, streams2 204, streams3 239, bits256 408, bits512 374 };
    ];
    Md5Compression: [
        Sse41: { streams1 347, bits128 462 };
        Sse41Sha: { streams1 347, bits128 462 };
        Avx2: { streams1 347, bits256 406 };
        Avx2Sha: { streams1 347, bits256 406 };
        Zen: { streams1 296, bits256 605 } interleaved { streams1 338, bits256 585 };
        Zen3: { streams1 300, bits256 430 };
        Avx512: { streams1 235, bits256 301, bits512 393, bits1024 610 };
        Avx512Sha: { streams1 347, bits256 264, bits512 295, bits1024 545 };
        Zen4: { streams1 365, bits256 364, bits512 470, bits1024 745 };
        Zen5: { streams1 358, bits256 619, bits512 573, bits1024 748 }
            interleaved { streams1 393, bits256 585, bits512 606, bits1024 699 };
    ];
    Ripemd160Compression: [
        Sse41: { streams1 448, bits128 949 };
        Sse41Sha: { streams1 448, bits128 949 };
        Avx2: { streams1 448, bits256 699 };
        Avx2Sha: { streams1 448, bits256 699 };
        Zen: { streams1 459, bits128 954, bits256 1326 }
            interleaved { streams1 503, bits128 969, bits256 1315 };
        Zen3: { streams1 400, bits256 595 };
        Avx512: { streams1 477, bits256 488, bits512 692 }
            interleaved { streams1 477, bits256 484, bits512 634 };
        Avx512Sha: { streams1 448, bits256 399, bits512 662 };
        Zen4: { streams1 500, bits256 530, bits512 1126 }
            interleaved { streams1 543, bits256 503, bits512 741 };
        Zen5: { streams1 429, bits256 764, bits512 718 }
            interleaved { streams1 459, bits256 741, bits512 1313 };
    ];
    Sm3Compression: [
        Sse41: { streams1 562, bits128 1118 };
        Sse41Sha: { streams1 562, bits128 1118 };
        Avx2: { streams1 562, bits256 1129 };
        Avx2Sha: { streams1 562, bits256 1129 };
        Zen: { streams1 683, bits128 1765, bits256 2740 }
            interleaved { streams1 730, bits128 1805, bits256 2718 };
        Zen3: { streams1 600, bits256 1090 };
        Avx512: { streams1 715, bits256 658, bits512 1029 }
            interleaved { streams1 760, bits256 660, bits512 953 };
        Avx512Sha: { streams1 573, bits256 616, bits512 891 };
        Zen4: { streams1 461, bits256 660, bits512 1092 };
        Zen5: { streams1 504, bits256 919, bits512 862 }
            interleaved { streams1 538, bits256 900, bits512 906 };
    ];
}

#[cfg(any(feature = "skein", test))]
costs! {
    Threefish<4>: [
        Avx2: { streams1 160, bits256 254 };
        Avx2Sha: { streams1 160, bits256 254 };
        Zen: { streams1 275, bits256 566 } interleaved { streams1 291, bits256 560 };
        Zen3: { streams1 255, bits256 330 };
        Avx512: { streams1 294, bits256 271, bits512 516 }
            interleaved { streams1 308, bits256 272, bits512 432 };
        Avx512Sha: { streams1 253, bits256 276, bits512 358 };
        Zen4: { streams1 160, bits256 191, bits512 328 };
        Zen5: { streams1 133, bits256 380, bits512 390 };
    ];
    Threefish<8>: [
        Avx2: { streams1 320, bits256 508 };
        Avx2Sha: { streams1 320, bits256 508 };
        Zen: { streams1 415, bits256 1147 } interleaved { streams1 447, bits256 1150 };
        Zen3: { streams1 322, bits256 500 };
        Avx512: { streams1 397, bits256 423, bits512 614 }
            interleaved { streams1 424, bits256 415, bits512 598 };
        Avx512Sha: { streams1 340, bits256 403, bits512 556 };
        Zen4: { streams1 320, bits256 382, bits512 657 };
        Zen5: { streams1 250, bits256 493, bits512 517 }
            interleaved { streams1 268, bits256 486, bits512 489 };
    ];
    Threefish<16>: [
        Avx2: { streams1 720, bits256 1130 };
        Avx2Sha: { streams1 720, bits256 1130 };
        Zen: { streams1 886, bits256 3180 } interleaved { streams1 957, bits256 3100 };
        Zen3: { streams1 794, bits256 1214 };
        Avx512: { streams1 920, bits256 1084, bits512 1453 }
            interleaved { streams1 981, bits256 1102, bits512 1433 };
        Avx512Sha: { streams1 644, bits256 815, bits512 1231 };
        Zen4: { streams1 720, bits256 850, bits512 1460 };
        Zen5: { streams1 650, bits256 832, bits512 1021 }
            interleaved { streams1 737, bits256 769, bits512 784 };
    ];
}

#[cfg(feature = "blake2")]
costs! {
    Blake2<u32>: [
        Sse41: { streams1 330, bits128 756 };
        Sse41Sha: { streams1 330, bits128 756 };
        Avx2: { streams1 318, bits256 791 };
        Avx2Sha: { streams1 318, bits256 791 };
        Zen: { streams1 365, bits128 1070, bits256 1938 }
            interleaved { streams1 430, bits128 1023, bits256 1959 };
        Zen3: { streams1 318, bits256 740 };
        Avx512: { streams1 318, bits256 560, bits512 896 };
        Avx512Sha: { streams1 318, bits256 626, bits512 852 };
        Zen4: { streams1 318, bits256 530, bits512 980 };
        Zen5: { streams1 300, bits256 520, bits512 530 };
    ];
    Blake2<u64>: [
        Sse41: { streams1 446 };
        Sse41Sha: { streams1 446 };
        Avx2: { streams1 402, bits256 856 };
        Avx2Sha: { streams1 402, bits256 856 };
        Zen: { streams1 512, bits256 1775 } interleaved { streams1 575, bits256 1745 };
        Zen3: { streams1 402, bits256 830 };
        Avx512: { streams1 412, bits256 717, bits512 987 };
        Avx512Sha: { streams1 412, bits256 756, bits512 977 };
        Zen4: { streams1 412, bits256 640, bits512 1180 };
        Zen5: { streams1 400, bits256 600, bits512 620 };
    ];
}
// Zen 4 is measured, and Zen 3 in proportion to it without AVX-512; the others are estimated from BLAKE2s's: seven of
// its ten rounds, `streams2` and `streams4` from Zen 4
#[cfg(feature = "blake3")]
costs! {
    jlanes_core::hashes::blake3::Blake3Compression: [
        Sse41: { streams1 240, bits128 530 };
        Sse41Sha: { streams1 240, bits128 530 };
        Avx2: { streams1 230, streams2 236, streams4 300, bits256 420 };
        Avx2Sha: { streams1 230, streams2 236, streams4 300, bits256 420 };
        Zen: { streams1 292, bits256 713 } interleaved { streams1 344, bits256 733 };
        Zen3: { streams1 230, streams2 230, streams4 275, bits256 365 };
        Avx512: { streams1 200, streams2 200, streams4 250, bits256 490, bits512 663 };
        Avx512Sha: { streams1 200, streams2 200, streams4 250, bits256 440, bits512 600 };
        Zen4: { streams1 152, streams2 152, streams4 167, bits256 252, bits512 390 };
        Zen5: { streams1 190, streams2 190, streams4 210, bits256 360, bits512 370 };
    ];
}
#[cfg(feature = "sha1dc")]
costs! {
    jlanes_core::hashes::sha1::checked::CheckedCompression: [
        Sse41: { streams1 640, bits128 1100 };
        Sse41Sha: { streams1 230, bits128 1100 };
        Avx2: { streams1 640, bits256 900 };
        Avx2Sha: { streams1 230, bits256 900 };
        Zen: { streams1 197, bits256 1555 } interleaved { streams1 269, bits256 1634 };
        Zen3: { streams1 140, bits256 900 };
        Avx512: { streams1 640, bits256 600, bits512 800 };
        Avx512Sha: { streams1 200, bits256 600, bits512 800 };
        Zen4: { streams1 140, bits256 520, bits512 880 };
        Zen5: { streams1 200, bits256 520, bits512 600 };
    ];
}
#[cfg(feature = "keccak")]
mod keccak;
