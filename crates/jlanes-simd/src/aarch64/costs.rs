//! The costs of AArch64's kernels, by hash and class of CPUs. ALL OF THEM ARE ESTIMATES: no CPU of this
//! architecture has been measured yet.
//!
//! They are results of llvm-mca 19 for the loops that rustc 1.95 generates for the kernels. Its models of
//! cores follow Arm's software optimization guides: `Neon` as Cortex-A72, `Sha2` as Neoverse N1, `Sha3`
//! between Neoverse V1 and V2. `Apple` is `Sha3` except where LLVM's model of M1 was slower. The models
//! exclude caches, loads and the front end.
//!
//! - SHA-512 has no vectors of two lanes: 924 cycles per lane on N1, and 537 for one stream.
//! - Threefish pays in two interleaved registers with `XAR` (86 cycles per lane on V1, 133 in scalar
//!   registers). One register is bound by latency, and without `XAR` a rotation takes two instructions, while
//!   the scalar one is part of an exclusive or.

#[cfg(feature = "blake2")]
use jlanes_core::hashes::blake2::Blake2;
#[cfg(any(feature = "skein", test))]
use jlanes_core::hashes::skein::threefish::Threefish;
use jlanes_core::hashes::{
    md5::Md5Compression, ripemd160::Ripemd160Compression, sha1::Sha1Compression, sha2::Sha2,
    sm3::Sm3Compression,
};

#[cfg(feature = "keccak")]
use jlanes_core::hashes::keccak::Keccak;

use super::CpuClass;
use crate::common::tuning::costs;

costs! {
    Sha2<u32>: [
        Neon: { one 592, quarter 1556 };
        Sha2: { one 98, pair 114, triple 171 } interleaved { one 150, pair 190, triple 270 };
        Sha3: { one 98, pair 105, triple 150 } interleaved { one 150, pair 180, triple 250 };
        Apple: { one 130, pair 130, triple 171 } interleaved { one 180, pair 200, triple 270 };
    ];
    Sha2<u64>: [
        Neon: { one 875 };
        Sha2: { one 537 };
        Sha3: { one 242, pair 308 };
        Apple: { one 242, pair 317 };
    ];
    Sha1Compression: [
        Neon: { one 534, quarter 817 };
        Sha2: { one 107, pair 144 } interleaved { one 160, pair 220 };
        Sha3: { one 107, pair 128 } interleaved { one 160, pair 210 };
        Apple: { one 107, pair 144 } interleaved { one 160, pair 220 };
    ];
    Md5Compression: [
        Neon: { one 350, quarter 640, half 860 };
        Sha2: { one 350, quarter 640, half 860 };
        Sha3: { one 350, quarter 640, half 860 };
        Apple: { one 350, quarter 640, half 860 };
    ];
    Ripemd160Compression: [
        Neon: { one 450, quarter 900 };
        Sha2: { one 450, quarter 900 };
        Sha3: { one 450, quarter 900 };
        Apple: { one 450, quarter 900 };
    ];
    Sm3Compression: [
        Neon: { one 560, quarter 1120 };
        Sha2: { one 560, quarter 1120 };
        Sha3: { one 560, quarter 1120 };
        Apple: { one 560, quarter 1120 };
    ];
}

#[cfg(any(feature = "skein", test))]
costs! {
    Threefish<4>: [
        Neon: { one 241 };
        Sha2: { one 177 };
        Sha3: { one 122, half 346 };
        Apple: { one 122, half 346 };
    ];
    Threefish<8>: [
        Neon: { one 383 };
        Sha2: { one 285 };
        Sha3: { one 194, half 616 };
        Apple: { one 194, half 616 };
    ];
    Threefish<16>: [
        Neon: { one 806 };
        Sha2: { one 621 };
        Sha3: { one 380 };
        Apple: { one 380 };
    ];
}

#[cfg(feature = "blake2")]
costs! {
    Blake2<u32>: [
        Neon: { one 450, quarter 900 };
        Sha2: { one 340, quarter 720 };
        Sha3: { one 340, quarter 500 };
        Apple: { one 300, quarter 380 };
    ];
    Blake2<u64>: [
        Sha3: { one 420, quarter 620 };
        Apple: { one 380, quarter 450 };
    ];
}

// estimated from BLAKE2s's: seven of its ten rounds
#[cfg(feature = "blake3")]
costs! {
    jlanes_core::hashes::blake3::Blake3Compression: [
        Neon: { one 315, quarter 630 };
        Sha2: { one 240, quarter 505 };
        Sha3: { one 240, quarter 350 };
        Apple: { one 210, quarter 265 };
    ];
}

// estimated from SHA-1's lanes and the ratio on x86-64
#[cfg(feature = "sha1dc")]
costs! {
    jlanes_core::hashes::sha1::checked::CheckedCompression: [
        Neon: { one 1000, quarter 1500 };
        Sha2: { one 700, quarter 1300 };
        Sha3: { one 700, quarter 1100 };
        Apple: { one 600, quarter 1000 };
    ];
}

// one stream only: kernels of lanes have not been tried
#[cfg(feature = "keccak")]
costs! {
    Keccak<9, 24>: [
        Neon: { one 1000 };
    ];
    Keccak<13, 24>: [
        Neon: { one 1000 };
    ];
    Keccak<17, 24>: [
        Neon: { one 1000 };
    ];
    Keccak<18, 24>: [
        Neon: { one 1000 };
    ];
    Keccak<21, 24>: [
        Neon: { one 1000 };
    ];
    Keccak<17, 12>: [
        Neon: { one 500 };
    ];
    Keccak<21, 12>: [
        Neon: { one 500 };
    ];
}
