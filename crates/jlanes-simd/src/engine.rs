//! [`Backend`] as an engine for every compression function: hands the work to the target's kernels.

#[cfg(feature = "blake2")]
use jlanes_core::hashes::blake2::Blake2;
use jlanes_core::{
    engine::{Engine, Work},
    hash::compression::Compression,
    hashes::{
        md5::Md5Compression, ripemd160::Ripemd160Compression, sha1::Sha1Compression, sha2::Sha2,
        skein::threefish::Threefish, sm3::Sm3Compression,
    },
};

#[cfg(feature = "keccak")]
use jlanes_core::hashes::keccak::Keccak;

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
#[cfg(feature = "blake2")]
engines!(Blake2<u32>, Blake2<u64>);
#[cfg(feature = "md5")]
engines!(Md5Compression);
#[cfg(feature = "ripemd160")]
engines!(Ripemd160Compression);
#[cfg(feature = "sm3")]
engines!(Sm3Compression);

// SHA-3, Keccak and SHAKE by rate, and TurboSHAKE
#[cfg(feature = "keccak")]
engines!(
    Keccak<9, 24>,
    Keccak<13, 24>,
    Keccak<17, 24>,
    Keccak<18, 24>,
    Keccak<21, 24>,
    Keccak<17, 12>,
    Keccak<21, 12>,
);
