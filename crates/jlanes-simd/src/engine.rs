//! [`Backend`] as an engine for every compression function: hands the work to the target's kernels.

use jlanes_core::{
    engine::{Engine, Input},
    hash::compression::{Columns, Compression},
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

            fn advance(
                &self,
                states: Columns<'_, <$compression as Compression>::Word>,
                input: Input<'_>,
                live: usize,
                blocks: usize,
                last: &[<$compression as Compression>::Word],
            ) {
                target::advance::<$compression>(self.features, states, input, live, blocks, last);
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

            fn kernel(&self, live: usize) -> &'static str {
                target::kernel_name::<$compression>(self.features, live)
            }
        }
    )*};
}
engines!(Sha1Compression, Sha2<u32>, Sha2<u64>, Threefish<4>, Threefish<8>, Threefish<16>);
