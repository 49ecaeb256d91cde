//! Lanes and streams to the kernels that the policy names.

use jlanes_core::{
    compression::Columns,
    engine::{Input, advance_on, one_on},
    portable::Portable,
};

use super::{
    Features,
    policy::{self, Kernel},
    streams::{self, Streams, Unit},
};

/// [`Engine::advance`](jlanes_core::engine::Engine::advance).
pub(crate) fn advance<C: Streams>(
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
            Kernel::Sse41(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            Kernel::Avx(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            Kernel::Avx2(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            Kernel::Avx512Vl(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            Kernel::Avx512(isa) => advance_on::<_, C>(isa, states, input, first, blocks, last),
            Kernel::Stream(unit) => {
                streams::advance::<C, 1>(unit, states, input, first, blocks, last);
            }
            Kernel::Pair(unit) => {
                streams::advance::<C, 2>(unit, states, input, first, blocks, last);
            }
            Kernel::Triple(unit) => {
                streams::advance::<C, 3>(unit, states, input, first, blocks, last);
            }
        }
        first += kernel.lanes();
    }
}

/// [`Engine::advance_one`](jlanes_core::engine::Engine::advance_one).
pub(crate) fn advance_one<C: Streams>(
    features: Features,
    state: &mut C::State<C::Word>,
    data: &[u8],
) {
    if let Some(unit) = C::Unit::of(features) {
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
    if let Some(isa) = features.avx512vl() {
        data = C::schedules(isa, state, data);
    } else if let Some(isa) = features.avx2() {
        data = C::schedules(isa, state, data);
    }
    if !C::NARROW_SCHEDULES {
        return data;
    }
    if let Some(isa) = features.avx() {
        data = C::schedules(isa, state, data);
    } else if let Some(isa) = features.sse41() {
        data = C::schedules(isa, state, data);
    }
    data
}
