//! The tables of kernels for AArch64, one for each compression function.
//!
//! Of the kernels for one [`KernelKind`](jlanes_core::kernel::plan::KernelKind), the first that the CPU
//! supports runs. The kind follows from the number of lanes: [`vectors`] of one register are `Bits128`, of
//! two `Bits256`.
//!
//! Vectors are idle during the scalar rounds of one stream, so they compute its schedule. Estimates for
//! Neoverse N1 (see `costs.rs`): 456 instead of 591 cycles for a block of SHA-256, 537 instead of 756 of
//! SHA-512.

use jlanes_core::{
    compression::Compression,
    hashes::{md5::Md5Compression, sha1::Sha1Compression, sha2::Sha2, sm3::Sm3Compression},
    kernel::{Table, portable},
    simd::registers::{OneRegister, TwoRegisters},
};

use super::{Neon, Sha2Ce, Sha3Ce, Sha512Ce, sha2ce, sha512ce};
use crate::common::{
    kernels::{HasFeed, n_sms, single::schedule_in_vectors, streams, vectors, vectors_with_shared},
    tuning::{HasTable, PlainHash},
};

impl HasFeed for Neon {
    type FeedSet = Self;
}

impl HasFeed for Sha3Ce {
    type FeedSet = Neon;
}

impl HasTable for Sha1Compression {
    const TABLE: &'static Table<u32> = &[
        streams::<Sha2Ce, 1, _>(sha2ce::sha1::<1>),
        n_sms::<Self, Sha3Ce>(),
        n_sms::<Self, Neon>(),
        streams::<Sha2Ce, 2, _>(sha2ce::sha1::<2>),
        streams::<Sha2Ce, 3, _>(sha2ce::sha1::<3>),
        vectors_with_shared::<Self, Sha3Ce>(),
        vectors_with_shared::<Self, Neon>(),
        portable::kernel::<Self>(),
    ];
}

impl HasTable for Sha2<u32> {
    const TABLE: &'static Table<u32> = &[
        streams::<Sha2Ce, 1, _>(sha2ce::sha256::<1>),
        n_sms::<Self, Sha3Ce>(),
        n_sms::<Self, Neon>(),
        schedule_in_vectors::<u32, Sha3Ce>(),
        schedule_in_vectors::<u32, Neon>(),
        streams::<Sha2Ce, 2, _>(sha2ce::sha256::<2>),
        streams::<Sha2Ce, 3, _>(sha2ce::sha256::<3>),
        vectors_with_shared::<Self, Sha3Ce>(),
        vectors_with_shared::<Self, Neon>(),
        portable::kernel::<Self>(),
    ];
}

impl HasTable for Sha2<u64> {
    const TABLE: &'static Table<u64> = &[
        streams::<Sha512Ce, 1, _>(sha512ce::sha512::<1>),
        n_sms::<Self, Sha3Ce>(),
        n_sms::<Self, Neon>(),
        schedule_in_vectors::<u64, Sha3Ce>(),
        schedule_in_vectors::<u64, Neon>(),
        streams::<Sha512Ce, 2, _>(sha512ce::sha512::<2>),
        portable::kernel::<Self>(),
    ];
}

impl HasTable for Md5Compression {
    const TABLE: &'static Table<u32> = &[
        vectors::<Self, Sha3Ce, TwoRegisters>(),
        vectors::<Self, Neon, TwoRegisters>(),
        vectors::<Self, Sha3Ce, OneRegister>(),
        vectors::<Self, Neon, OneRegister>(),
        portable::kernel::<Self>(),
    ];
}

impl<C: Compression> PlainHash<C> {
    pub(crate) const TABLE: &'static Table<C::Word> = &[
        vectors::<C, Sha3Ce, OneRegister>(),
        vectors::<C, Neon, OneRegister>(),
        portable::kernel::<C>(),
    ];
}

impl HasTable for Sm3Compression {
    const TABLE: &'static Table<u32> = PlainHash::<Self>::TABLE;
}

#[cfg(feature = "sha1dc")]
mod sha1dc {
    use jlanes_core::hashes::sha1::checked::{CheckedCompression, CheckedStep};

    use super::*;
    use crate::common::kernels::vectors_by;

    impl HasTable for CheckedCompression {
        const TABLE: &'static Table<u32> = &[
            vectors_by::<CheckedStep<OneRegister>, Sha3Ce>(),
            vectors_by::<CheckedStep<OneRegister>, Neon>(),
            portable::kernel::<Self>(),
        ];
    }
}

#[cfg(any(feature = "skein", test))]
mod skein {
    use super::*;
    use jlanes_core::hashes::skein::threefish::Threefish;

    macro_rules! two_registers {
        ($($function:ty)*) => {$(
            impl HasTable for $function {
                const TABLE: &'static Table<u64> = &[
                    vectors::<Self, Sha3Ce, TwoRegisters>(),
                    vectors::<Self, Neon, TwoRegisters>(),
                    portable::kernel::<Self>(),
                ];
            }
        )*};
    }
    two_registers! { Threefish<4> Threefish<8> }

    impl HasTable for Threefish<16> {
        const TABLE: &'static Table<u64> = &[portable::kernel::<Self>()];
    }
}

/// All rates and numbers of rounds share one table; they are arguments of the kernels.
#[cfg(feature = "keccak")]
mod keccak {
    use super::*;
    use jlanes_core::hashes::keccak::Keccak;

    static TABLE: &Table<u64> = &[portable::kernel::<Keccak<17, 24>>()];

    impl<const WORDS: usize, const ROUNDS: usize> HasTable for Keccak<WORDS, ROUNDS> {
        const TABLE: &'static Table<u64> = TABLE;
    }
}

#[cfg(feature = "blake3")]
mod blake3 {
    use super::*;
    use crate::common::kernels::single::blake3_rows;
    use jlanes_core::hashes::blake3::Blake3Compression;

    impl HasTable for Blake3Compression {
        const TABLE: &'static Table<u32> = &[
            blake3_rows::<Neon>(),
            vectors::<Self, Neon, OneRegister>(),
            portable::kernel::<Self>(),
        ];
    }
}

#[cfg(feature = "blake2")]
mod blake2 {
    use super::*;
    use crate::common::kernels::single::blake2_rows;
    use jlanes_core::hashes::blake2::Blake2;

    impl HasTable for Blake2<u32> {
        const TABLE: &'static Table<u32> = &[
            blake2_rows::<u32, Sha3Ce>(),
            blake2_rows::<u32, Neon>(),
            vectors::<Self, Sha3Ce, OneRegister>(),
            vectors::<Self, Neon, OneRegister>(),
            portable::kernel::<Self>(),
        ];
    }

    impl HasTable for Blake2<u64> {
        const TABLE: &'static Table<u64> = PlainHash::<Self>::TABLE;
    }
}
