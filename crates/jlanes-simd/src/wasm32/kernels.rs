//! The tables of kernels for WebAssembly, one for each compression function.
//!
//! Of the kernels for one [`KernelKind`](jlanes_core::kernel::plan::KernelKind), the first that may be used
//! runs. No kernel has two registers: LLVM's back end for WebAssembly computes one after the other, so
//! the second hides no latency. Kernels are fused with their feed where that is possible, because V8 spills
//! the words of a block anyway (figures in
//! [EXPERIMENTS](https://github.com/jlanes/jlanes/blob/main/docs/EXPERIMENTS.md#figures-behind-comments)).

use jlanes_core::{
    compression::Compression,
    hashes::{md5::Md5Compression, sha1::Sha1Compression, sha2::Sha2, sm3::Sm3Compression},
    kernel::{Table, portable},
    simd::registers::OneRegister,
};

use super::Simd128;
use crate::common::{
    kernels::{HasFeed, fused, n_sms, single::schedule_in_vectors, vectors},
    rustcrypto,
    tuning::{HasTable, PlainHash},
};

impl HasFeed for Simd128 {
    type FeedSet = Self;
}

#[cfg(any(feature = "sha1", test))]
impl HasTable for Sha1Compression {
    const TABLE: &'static Table<u32> = &[
        n_sms::<Self, Simd128>(),
        rustcrypto::kernel::<Self>(),
        fused::<Self, Simd128, OneRegister>(),
        portable::kernel::<Self>(),
    ];
}

/// One stream of SHA-256 runs by RustCrypto's block function: ours, with its schedule in vectors, is no
/// faster.
#[cfg(any(feature = "sha2", test))]
impl HasTable for Sha2<u32> {
    const TABLE: &'static Table<u32> = &[
        n_sms::<Self, Simd128>(),
        rustcrypto::kernel::<Self>(),
        schedule_in_vectors::<u32, Simd128>(),
        fused::<Self, Simd128, OneRegister>(),
        portable::kernel::<Self>(),
    ];
}

/// One stream of SHA-512 runs by our schedule in vectors, with 1.37 of the speed of RustCrypto's block
/// function.
#[cfg(any(feature = "sha2", test))]
impl HasTable for Sha2<u64> {
    const TABLE: &'static Table<u64> = &[
        n_sms::<Self, Simd128>(),
        schedule_in_vectors::<u64, Simd128>(),
        fused::<Self, Simd128, OneRegister>(),
        portable::kernel::<Self>(),
    ];
}

macro_rules! one_register {
    ($($function:ty)*) => {$(
        impl HasTable for $function {
            const TABLE: &'static Table<Self::Word> = &[
                vectors::<Self, Simd128, OneRegister>(),
                portable::kernel::<Self>(),
            ];
        }
    )*};
}
one_register! { Sm3Compression }
#[cfg(feature = "sha1dc")]
mod sha1dc {
    use jlanes_core::hashes::sha1::checked::{CheckedCompression, CheckedStep};

    use super::*;
    use crate::common::kernels::vectors_by;

    impl HasTable for CheckedCompression {
        const TABLE: &'static Table<u32> =
            &[vectors_by::<CheckedStep<OneRegister>, Simd128>(), portable::kernel::<Self>()];
    }
}

impl<C: Compression> PlainHash<C> {
    pub(crate) const TABLE: &'static Table<C::Word> =
        &[fused::<C, Simd128, OneRegister>(), portable::kernel::<C>()];
}

impl HasTable for Md5Compression {
    const TABLE: &'static Table<u32> = PlainHash::<Self>::TABLE;
}

#[cfg(any(feature = "skein", test))]
mod skein {
    use super::*;
    use jlanes_core::hashes::skein::threefish::Threefish;

    one_register! { Threefish<8> Threefish<16> }

    /// No kernel has two lanes of 64 bits: without rotations of vectors they are slower than one stream after
    /// the other. The same holds for BLAKE2b.
    impl HasTable for Threefish<4> {
        const TABLE: &'static Table<u64> = &[portable::kernel::<Self>()];
    }
}

/// All rates and numbers of rounds share one table; they are arguments of the kernels.
#[cfg(feature = "keccak")]
mod keccak {
    use super::*;
    use jlanes_core::hashes::keccak::Keccak;

    type Any = Keccak<17, 24>;

    static TABLE: &Table<u64> =
        &[vectors::<Any, Simd128, OneRegister>(), portable::kernel::<Any>()];

    impl<const WORDS: usize, const ROUNDS: usize> HasTable for Keccak<WORDS, ROUNDS> {
        const TABLE: &'static Table<u64> = TABLE;
    }
}

#[cfg(feature = "blake3")]
mod blake3 {
    use super::*;
    use jlanes_core::hashes::blake3::Blake3Compression;

    impl HasTable for Blake3Compression {
        const TABLE: &'static Table<u32> =
            &[fused::<Self, Simd128, OneRegister>(), portable::kernel::<Self>()];
    }
}

#[cfg(feature = "blake2")]
mod blake2 {
    use super::*;
    use jlanes_core::hashes::blake2::Blake2;

    impl HasTable for Blake2<u32> {
        const TABLE: &'static Table<u32> =
            &[vectors::<Self, Simd128, OneRegister>(), portable::kernel::<Self>()];
    }

    impl HasTable for Blake2<u64> {
        const TABLE: &'static Table<u64> = &[portable::kernel::<Self>()];
    }
}
