//! [`Backend`] as an engine: hands the lanes to the kernels that the policy names.

use jlanes_core::{
    compression::{Columns, Compression},
    engine::{Engine, Input, advance_on, one_on},
    portable::Portable,
    sha1::Sha1Compression,
    sha2::Sha2,
    skein::threefish::Threefish,
};

use crate::{
    Backend,
    features::Features,
    policy::{self, Kernel},
    streams::{self, Streams},
};

fn advance<C: Streams>(
    features: Features,
    mut states: Columns<'_, C::Word>,
    input: Input<'_>,
    live: usize,
    blocks: usize,
    last: &[C::Word],
) {
    let interleaved = matches!(input, Input::Interleaved(_));
    let mut first = 0;
    while first < live {
        let kernel = policy::kernel::<C>(features, live - first, interleaved);
        let states = states.reborrow();
        match kernel {
            Kernel::Portable => {
                advance_on::<_, C>(Portable::<1>, states, input, first, blocks, last);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Sse41(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512Vl(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(unit, 1) => {
                streams::advance::<C, 1>(unit, states, input, first, blocks, last);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(unit, 2) => {
                streams::advance::<C, 2>(unit, states, input, first, blocks, last);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(unit, 3) => {
                streams::advance::<C, 3>(unit, states, input, first, blocks, last);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(unit, _) => {
                streams::advance::<C, 4>(unit, states, input, first, blocks, last);
            }
        }
        first += kernel.lanes::<C>();
    }
}

fn advance_one<C: Streams>(features: Features, state: &mut C::State<C::Word>, data: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    if let (true, Some(unit)) = (C::SHANI, features.shani()) {
        return streams::advance_one::<C>(unit, state, data);
    }
    let rest = schedules::<C>(features, state, data);
    if !rest.is_empty() {
        one_on::<_, C>(Portable::<1>, state, rest);
    }
}

/// Advances one stream by n-SMS, the widest vectors of at most 256 bits first. Wider ones would
/// group more blocks than a short message has, and the rounds are what takes the time.
fn schedules<'a, C: Streams>(
    features: Features,
    state: &mut C::State<C::Word>,
    mut data: &'a [u8],
) -> &'a [u8] {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(isa) = features.avx512vl() {
            data = C::schedules(isa, state, data);
        } else if let Some(isa) = features.avx2() {
            data = C::schedules(isa, state, data);
        }
        if let Some(isa) = features.avx() {
            data = C::schedules(isa, state, data);
        } else if let Some(isa) = features.sse41() {
            data = C::schedules(isa, state, data);
        }
    }
    data
}

macro_rules! engines {
    ($($compression:ty),* $(,)?) => {$(
        impl Engine<$compression> for Backend {
            #[inline]
            fn lanes(&self) -> usize {
                policy::lanes::<$compression>(self.features)
            }

            fn advance(
                &self,
                states: Columns<'_, <$compression as Compression>::Word>,
                input: Input<'_>,
                live: usize,
                blocks: usize,
                last: &[<$compression as Compression>::Word],
            ) {
                advance::<$compression>(self.features, states, input, live, blocks, last);
            }

            fn advance_one(
                &self,
                state: &mut <$compression as Compression>::State<
                    <$compression as Compression>::Word,
                >,
                data: &[u8],
            ) {
                advance_one::<$compression>(self.features, state, data);
            }

            fn kernel(&self, live: usize) -> &'static str {
                policy::kernel::<$compression>(self.features, live, false).name()
            }
        }
    )*};
}
engines!(Sha1Compression, Sha2<u32>, Sha2<u64>, Threefish<4>, Threefish<8>, Threefish<16>);
