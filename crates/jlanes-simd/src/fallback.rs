//! Targets without their own folder: one stream after the other, by RustCrypto's block functions or
//! in portable code. On x86-64 without SSE2, and with `--cfg jlanes_backend="portable"` everywhere, it is
//! portable code alone.

use jlanes_core::{
    compression::Compression,
    hashes::{sha1::Sha1Compression, sha2::Sha2},
    kernel::{Table, plan::Costs, portable},
};

use crate::common::{
    classes::classes,
    detection::ForcedSets,
    needs::Needs,
    tuning::{ClassCosts, HasCosts, HasTable, PlainHash},
};
#[cfg(not(any(jlanes_backend = "portable", target_arch = "x86_64")))]
use crate::common::{
    rustcrypto::{self, RustCrypto},
    token::Token,
};

/// Every backend that can be forced.
pub(crate) const FORCED: [ForcedSets<CpuClass>; 1] =
    [ForcedSets::new("portable", Needs::NONE, CpuClass::Portable)];

/// The costs of forced sets: no kernel has lanes.
pub(crate) const FORCED_COSTS: Costs = Costs { streams1: 1, ..Costs::NONE };

/// No sets, because RustCrypto's block functions detect instructions themselves.
pub(crate) fn detected() -> (Needs, CpuClass) {
    #[cfg(any(jlanes_backend = "portable", target_arch = "x86_64"))]
    return (Needs::NONE, CpuClass::Portable);
    #[cfg(not(any(jlanes_backend = "portable", target_arch = "x86_64")))]
    (RustCrypto::SETS, CpuClass::Portable)
}

/// Whether the CPU supports the sets `wanted`.
pub(crate) fn has(wanted: Needs) -> bool {
    wanted == Needs::NONE
}

classes! {
    /// The only class, because there are no costs.
    enum CpuClass {
        Portable;
    }
    forced {}
}

impl<C: Compression> HasCosts for C {
    type CpuClass = CpuClass;
    const COSTS: &'static [ClassCosts<CpuClass>] = &[];
}

impl<C: Compression> PlainHash<C> {
    pub(crate) const TABLE: &'static Table<C::Word> = &[portable::kernel::<C>()];
}

macro_rules! rustcrypto {
    ($($function:ty)*) => {$(
        impl HasTable for $function {
            const TABLE: &'static Table<Self::Word> = &[
                #[cfg(not(any(jlanes_backend = "portable", target_arch = "x86_64")))]
                rustcrypto::kernel::<Self>(),
                portable::kernel::<Self>(),
            ];
        }
    )*};
}
#[cfg(feature = "sha1")]
rustcrypto! { Sha1Compression }
#[cfg(feature = "sha2")]
rustcrypto! { Sha2<u32> Sha2<u64> }

macro_rules! portable {
    ($($function:ty)*) => {$(
        impl HasTable for $function {
            const TABLE: &'static Table<Self::Word> = &[portable::kernel::<Self>()];
        }
    )*};
}
portable! {
    jlanes_core::hashes::md5::Md5Compression
    jlanes_core::hashes::sm3::Sm3Compression
}
#[cfg(any(feature = "skein", test))]
portable! {
    jlanes_core::hashes::skein::threefish::Threefish<4>
    jlanes_core::hashes::skein::threefish::Threefish<8>
    jlanes_core::hashes::skein::threefish::Threefish<16>
}
#[cfg(feature = "blake2")]
portable! {
    jlanes_core::hashes::blake2::Blake2<u32>
    jlanes_core::hashes::blake2::Blake2<u64>
}

#[cfg(feature = "sha1dc")]
portable! {
    jlanes_core::hashes::sha1::checked::CheckedCompression
}

#[cfg(feature = "blake3")]
portable! {
    jlanes_core::hashes::blake3::Blake3Compression
}

/// All rates and numbers of rounds share one table; they are arguments of the kernels.
#[cfg(feature = "keccak")]
mod keccak {
    use jlanes_core::hashes::keccak::Keccak;

    use super::*;

    static TABLE: &Table<u64> = &[portable::kernel::<Keccak<17, 24>>()];

    impl<const WORDS: usize, const ROUNDS: usize> HasTable for Keccak<WORDS, ROUNDS> {
        const TABLE: &'static Table<u64> = TABLE;
    }
}

/// Runs a check under every token; there are no tokens.
#[cfg(test)]
pub(crate) fn on_every_token(_: impl crate::common::check::Check) {}

/// Prefetches the cache line at `bytes[offset]`: a no-op here.
#[inline(always)]
pub(crate) fn prefetch(_: &[u8], _offset: usize) {}
