//! [`Backend`] as an engine for every compression function: hands the work to the target's kernels.

use jlanes_core::{
    engine::{Engine, Work},
    hash::compression::Compression,
    hashes::{sha1::Sha1Compression, sha2::Sha2, skein::threefish::Threefish},
};

use crate::{Backend, target};

macro_rules! engines {
    ($($compression:ty),* $(,)?) => {$(
        impl Engine<$compression> for Backend {
            #[inline]
            fn lanes(&self) -> usize {
                target::lanes::<$compression>(self.features)
            }

            fn run(&self, work: Work<'_, $compression>) {
                target::run::<$compression>(self.features, work);
            }

            fn advance_one(
                &self,
                state: &mut <$compression as Compression>::State<
                    <$compression as Compression>::Word,
                >,
                data: &[u8],
            ) {
                target::advance_one::<$compression>(self.features, state, data);
            }

            fn kernel_name(&self, live: usize) -> &'static str {
                target::kernel_name::<$compression>(self.features, live)
            }

            fn step_cycles(&self, live: usize) -> u32 {
                target::step_cycles::<$compression>(self.features, live)
            }
        }
    )*};
}
engines!(Sha1Compression, Sha2<u32>, Sha2<u64>, Threefish<4>, Threefish<8>, Threefish<16>);
