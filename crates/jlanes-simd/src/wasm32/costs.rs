//! The costs of WebAssembly's kernels, in cycles of 3.66 GHz: Node 20 on an AMD EPYC (Zen 4). Other engines
//! and CPUs have not been measured.

#[cfg(feature = "blake2")]
use jlanes_core::hashes::blake2::Blake2;
#[cfg(feature = "keccak")]
use jlanes_core::hashes::keccak::Keccak;
#[cfg(any(feature = "skein", test))]
use jlanes_core::hashes::skein::threefish::Threefish;
use jlanes_core::hashes::{
    md5::Md5Compression, ripemd160::Ripemd160Compression, sha1::Sha1Compression, sha2::Sha2,
    sm3::Sm3Compression,
};

use super::CpuClass;
use crate::common::tuning::costs;

costs! {
    Md5Compression: [
        Simd128: { streams1 355, bits128 425 };
    ];
    Ripemd160Compression: [
        Simd128: { streams1 447, bits128 681 };
    ];
    Sm3Compression: [
        Simd128: { streams1 604, bits128 1446 };
    ];
}

#[cfg(any(feature = "skein", test))]
costs! {
    Threefish<4>: [
        Simd128: { streams1 209 };
    ];
    Threefish<8>: [
        Simd128: { streams1 399, bits128 659 };
    ];
    Threefish<16>: [
        Simd128: { streams1 1812, bits128 2606 };
    ];
}

#[cfg(any(feature = "sha1", test))]
costs! {
    Sha1Compression: [
        Simd128: { streams1 282, bits128 487 };
    ];
}

// estimated from SHA-1's
#[cfg(feature = "sha1dc")]
costs! {
    jlanes_core::hashes::sha1::checked::CheckedCompression: [
        Simd128: { streams1 600, bits128 900 };
    ];
}

#[cfg(any(feature = "sha2", test))]
costs! {
    Sha2<u32>: [
        Simd128: { streams1 571, bits128 1109 };
    ];
    Sha2<u64>: [
        Simd128: { streams1 717, bits128 1340 };
    ];
}

#[cfg(feature = "blake2")]
costs! {
    Blake2<u32>: [
        Simd128: { streams1 370, bits128 999 };
    ];
    Blake2<u64>: [
        Simd128: { streams1 454 };
    ];
}

#[cfg(feature = "blake3")]
costs! {
    jlanes_core::hashes::blake3::Blake3Compression: [
        Simd128: { streams1 253, bits128 447 };
    ];
}

#[cfg(feature = "keccak")]
costs! {
    Keccak<9, 24>: [
        Simd128: { streams1 1618, bits128 2394 };
    ];
    Keccak<13, 24>: [
        Simd128: { streams1 1618, bits128 2394 };
    ];
    Keccak<17, 24>: [
        Simd128: { streams1 1618, bits128 2394 };
    ];
    Keccak<18, 24>: [
        Simd128: { streams1 1618, bits128 2394 };
    ];
    Keccak<21, 24>: [
        Simd128: { streams1 1618, bits128 2394 };
    ];
    Keccak<17, 12>: [
        Simd128: { streams1 809, bits128 1197 };
    ];
    Keccak<21, 12>: [
        Simd128: { streams1 809, bits128 1197 };
    ];
}
