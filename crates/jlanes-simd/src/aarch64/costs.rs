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
        Neon: { streams1 592, bits128 1556 };
        Sha2: { streams1 98, streams2 114, streams3 171 }
            interleaved { streams1 150, streams2 190, streams3 270 };
        Sha3: { streams1 98, streams2 105, streams3 150 }
            interleaved { streams1 150, streams2 180, streams3 250 };
        Apple: { streams1 130, streams2 130, streams3 171 }
            interleaved { streams1 180, streams2 200, streams3 270 };
    ];
    Sha2<u64>: [
        Neon: { streams1 875 };
        Sha2: { streams1 537 };
        Sha3: { streams1 242, streams2 308 };
        Apple: { streams1 242, streams2 317 };
    ];
    Sha1Compression: [
        Neon: { streams1 534, bits128 817 };
        Sha2: { streams1 107, streams2 144 } interleaved { streams1 160, streams2 220 };
        Sha3: { streams1 107, streams2 128 } interleaved { streams1 160, streams2 210 };
        Apple: { streams1 107, streams2 144 } interleaved { streams1 160, streams2 220 };
    ];
    Md5Compression: [
        Neon: { streams1 350, bits128 640, bits256 860 };
        Sha2: { streams1 350, bits128 640, bits256 860 };
        Sha3: { streams1 350, bits128 640, bits256 860 };
        Apple: { streams1 350, bits128 640, bits256 860 };
    ];
    Ripemd160Compression: [
        Neon: { streams1 450, bits128 900 };
        Sha2: { streams1 450, bits128 900 };
        Sha3: { streams1 450, bits128 900 };
        Apple: { streams1 450, bits128 900 };
    ];
    Sm3Compression: [
        Neon: { streams1 560, bits128 1120 };
        Sha2: { streams1 560, bits128 1120 };
        Sha3: { streams1 560, bits128 1120 };
        Apple: { streams1 560, bits128 1120 };
    ];
}

#[cfg(any(feature = "skein", test))]
costs! {
    Threefish<4>: [
        Neon: { streams1 241 };
        Sha2: { streams1 177 };
        Sha3: { streams1 122, bits256 346 };
        Apple: { streams1 122, bits256 346 };
    ];
    Threefish<8>: [
        Neon: { streams1 383 };
        Sha2: { streams1 285 };
        Sha3: { streams1 194, bits256 616 };
        Apple: { streams1 194, bits256 616 };
    ];
    Threefish<16>: [
        Neon: { streams1 806 };
        Sha2: { streams1 621 };
        Sha3: { streams1 380 };
        Apple: { streams1 380 };
    ];
}

#[cfg(feature = "blake2")]
costs! {
    Blake2<u32>: [
        Neon: { streams1 450, bits128 900 };
        Sha2: { streams1 340, bits128 720 };
        Sha3: { streams1 340, bits128 500 };
        Apple: { streams1 300, bits128 380 };
    ];
    Blake2<u64>: [
        Sha3: { streams1 420, bits128 620 };
        Apple: { streams1 380, bits128 450 };
    ];
}

// estimated from BLAKE2s's: seven of its ten rounds
#[cfg(feature = "blake3")]
costs! {
    jlanes_core::hashes::blake3::Blake3Compression: [
        Neon: { streams1 315, bits128 630 };
        Sha2: { streams1 240, bits128 505 };
        Sha3: { streams1 240, bits128 350 };
        Apple: { streams1 210, bits128 265 };
    ];
}

// estimated from SHA-1's lanes and the ratio on x86-64
#[cfg(feature = "sha1dc")]
costs! {
    jlanes_core::hashes::sha1::checked::CheckedCompression: [
        Neon: { streams1 1000, bits128 1500 };
        Sha2: { streams1 700, bits128 1300 };
        Sha3: { streams1 700, bits128 1100 };
        Apple: { streams1 600, bits128 1000 };
    ];
}

// one stream only: kernels of lanes have not been tried
#[cfg(feature = "keccak")]
costs! {
    Keccak<9, 24>: [
        Neon: { streams1 1000 };
    ];
    Keccak<13, 24>: [
        Neon: { streams1 1000 };
    ];
    Keccak<17, 24>: [
        Neon: { streams1 1000 };
    ];
    Keccak<18, 24>: [
        Neon: { streams1 1000 };
    ];
    Keccak<21, 24>: [
        Neon: { streams1 1000 };
    ];
    Keccak<17, 12>: [
        Neon: { streams1 500 };
    ];
    Keccak<21, 12>: [
        Neon: { streams1 500 };
    ];
}
