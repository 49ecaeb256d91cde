//! [`Backend`] as an engine for every compression function: hands the work to the target's kernels.

use jlanes_core::{
    engine::{Engine, Work},
    hash::compression::Compression,
    hashes::{sha1::Sha1Compression, sha2::Sha2, skein::threefish::Threefish},
};

use crate::{Backend, dispatch};

macro_rules! engines {
    ($($compression:ty),* $(,)?) => {$(
        impl Engine<$compression> for Backend {
            #[inline]
            fn lanes(&self) -> usize {
                dispatch::lanes::<$compression>(self.features)
            }

            fn run(&self, work: Work<'_, $compression>) {
                dispatch::run::<$compression>(self.features, work);
            }

            fn advance_one(
                &self,
                state: &mut <$compression as Compression>::State<
                    <$compression as Compression>::Word,
                >,
                data: &[u8],
            ) {
                dispatch::advance_one::<$compression>(self.features, state, data);
            }

            fn kernel_name(&self, live: usize) -> &'static str {
                dispatch::kernel_name::<$compression>(self.features, live)
            }

            fn step_cycles(&self, live: usize) -> u32 {
                dispatch::step_cycles::<$compression>(self.features, live)
            }
        }
    )*};
}
engines!(Sha1Compression, Sha2<u32>, Sha2<u64>, Threefish<4>, Threefish<8>, Threefish<16>);

// Hashes that are features. Unit tests ask for none of them, and their kernels take minutes to
// compile.
#[cfg(all(feature = "blake2", not(test)))]
engines!(jlanes_core::hashes::blake2::Blake2<u32>, jlanes_core::hashes::blake2::Blake2<u64>);
#[cfg(all(feature = "md5", not(test)))]
engines!(jlanes_core::hashes::md5::Md5Compression);
#[cfg(all(feature = "ripemd160", not(test)))]
engines!(jlanes_core::hashes::ripemd160::Ripemd160Compression);
#[cfg(all(feature = "sm3", not(test)))]
engines!(jlanes_core::hashes::sm3::Sm3Compression);

/// SHA-3, Keccak and SHAKE by rate, and TurboSHAKE.
#[cfg(all(feature = "keccak", not(test)))]
mod keccak {
    use super::*;
    use jlanes_core::hashes::keccak::Keccak;

    engines!(Keccak<9, 24>, Keccak<13, 24>, Keccak<17, 24>, Keccak<18, 24>, Keccak<21, 24>);
    engines!(Keccak<17, 12>, Keccak<21, 12>);
}
