//! Lanes and streams to the kernels that the policy names.

use jlanes_core::{
    engine::{Input, advance_on, one_on},
    hash::compression::Columns,
    simd::portable::Portable,
};

use super::{
    Features,
    policy::{self, Kernel, Rows},
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
            Kernel::Single(rows) => single::<C>(rows, states, input, first, blocks, last),
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

/// Advances lane `first` by itself. Interleaved words and shared last blocks, which are no bytes in a
/// row, are left to portable code.
fn single<C: Streams>(
    rows: Rows,
    mut states: Columns<'_, C::Word>,
    input: Input<'_>,
    first: usize,
    blocks: usize,
    last: &[C::Word],
) {
    let Input::Pointers(lanes) = input else {
        return advance_on::<_, C>(Portable::<1>, states, input, first, blocks, last);
    };
    let mut state: C::State<C::Word> = states.get(first);
    stream::<C>(rows, &mut state, &lanes[first][..blocks * C::BLOCK]);
    states.set(first, &state);
    if !last.is_empty() {
        advance_on::<_, C>(Portable::<1>, states, Input::NONE, first, 0, last);
    }
}

/// Advances one stream by the whole blocks in `data`, one by one.
fn stream<C: Streams>(rows: Rows, state: &mut C::State<C::Word>, data: &[u8]) {
    match rows {
        Rows::Sse41(isa) => C::single(isa, state, data),
        Rows::Avx(isa) => C::single(isa, state, data),
        Rows::Avx2(isa) => C::single(isa, state, data),
        Rows::Avx512Vl(isa) => C::single(isa, state, data),
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
    let rest = if features.n_sms() { schedules::<C>(features, state, data) } else { data };
    match policy::alone::<C>(features) {
        Kernel::Single(rows) => stream::<C>(rows, state, rest),
        _ if rest.is_empty() => {}
        _ => one_on::<_, C>(Portable::<1>, state, rest),
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
    if let Some(isa) = features.avx() {
        data = C::schedules(isa, state, data);
    } else if let Some(isa) = features.sse41() {
        data = C::schedules(isa, state, data);
    }
    data
}
