//! The kernels of a [`Backend`] for every compression function: those of the target, with the plan of the
//! class of the CPU.

use jlanes_core::{
    compression::{Compression, Shape, max_lanes},
    hashes,
    kernel::{HasKernels, Kernels, Table},
    simd::vector::Word,
};

use crate::{
    backend::Backend,
    common::tuning::{HasCosts, HasTable, PlainHash},
    features::Features,
    plans::Plans,
    target::CpuClass,
};

/// The target's kernels and plans of a compression function, for any CPU.
struct TargetKernels<W: 'static> {
    shape: Shape<W>,
    table: &'static Table<W>,
    /// A reference, because a static without pointers needs no relocation when a program starts.
    plans: &'static Plans,
}

impl<W: Word> TargetKernels<W> {
    /// Of a hash with a table of its own.
    const fn tabled<C: HasTable + HasCosts<CpuClass = CpuClass> + Compression<Word = W>>() -> Self {
        let plans = const { &Plans::new(C::COSTS, C::TABLE, W::BYTES, max_lanes::<C>()) };
        Self { shape: Shape::of::<C>(), table: C::TABLE, plans }
    }

    /// Of a plain hash, with the costs of `Similar`.
    #[allow(dead_code)] // only some features have such a hash
    const fn plain<C: Compression<Word = W>, Similar: HasCosts<CpuClass = CpuClass>>() -> Self {
        let plans = const {
            &Plans::new(Similar::COSTS, PlainHash::<C>::TABLE, W::BYTES, max_lanes::<C>())
        };
        Self { shape: Shape::of::<C>(), table: PlainHash::<C>::TABLE, plans }
    }

    /// The kernels and plans on a CPU with `features`.
    #[inline]
    fn for_features(&'static self, features: Features) -> Kernels<W> {
        let Self { shape, table, plans } = self;
        Kernels {
            shape,
            table,
            has: features.sets_and_marks().bits(),
            plans: plans.of(features.class()),
        }
    }
}

/// The kernels of compression functions, by the constructor of [`TargetKernels`].
macro_rules! kernels {
    ($constructor:ident: $($compression:ty $(, $similar:ty)?);* $(;)?) => {$(
        impl HasKernels<$compression> for Backend {
            #[inline]
            fn kernels(&self) -> Kernels<<$compression as Compression>::Word> {
                static TARGET_KERNELS: TargetKernels<<$compression as Compression>::Word> =
                    TargetKernels::$constructor::<$compression $(, $similar)?>();
                TARGET_KERNELS.for_features(self.features)
            }
        }
    )*};
}
#[cfg(any(feature = "sha1", test))]
kernels!(tabled: hashes::sha1::Sha1Compression);
#[cfg(any(feature = "sha2", test))]
kernels!(tabled: hashes::sha2::Sha2<u32>; hashes::sha2::Sha2<u64>);
#[cfg(any(feature = "skein", test))]
kernels! {
    tabled: hashes::skein::Threefish256; hashes::skein::Threefish512; hashes::skein::Threefish1024;
}

// Unit tests leave out the compression functions below, because their kernels take long to compile.
#[cfg(all(feature = "blake2", not(test)))]
kernels!(tabled: hashes::blake2::Blake2<u32>; hashes::blake2::Blake2<u64>);
#[cfg(all(feature = "blake3", not(test)))]
kernels!(tabled: hashes::blake3::Blake3Compression);
#[cfg(all(feature = "md5", not(test)))]
kernels!(tabled: hashes::md5::Md5Compression);
#[cfg(all(feature = "ripemd160", not(test)))]
kernels! {
    plain: hashes::ripemd160::Ripemd160Compression, hashes::ripemd160::Ripemd160Compression;
}
#[cfg(all(feature = "sha1dc", not(test)))]
kernels!(tabled: hashes::sha1::checked::CheckedCompression);
#[cfg(all(feature = "sm3", not(test)))]
kernels!(tabled: hashes::sm3::Sm3Compression);

/// SHA-3, Keccak and SHAKE by rate, and TurboSHAKE.
#[cfg(all(feature = "keccak", not(test)))]
mod keccak {
    use super::{hashes::keccak::Keccak, *};

    kernels! {
        tabled: Keccak<9, 24>; Keccak<13, 24>; Keccak<17, 24>; Keccak<18, 24>; Keccak<21, 24>;
        Keccak<17, 12>; Keccak<21, 12>;
    }
}
