//! Lanes and streams to the kernels that the policy names.

use jlanes_core::{
    engine::{Work, one_on},
    simd::{
        isa::Isa,
        lanes::{One, OneSerial, Word},
        portable::Portable,
    },
};

use super::{
    Avx, Avx2, Avx512, Avx512Vl, Features, Sse41,
    streams::{self, Streams, Unit},
    tuning::{Plan, Route},
};
use crate::shared::shared;

/// A kernel for `C`, with the token that lets it run.
#[derive(Clone, Copy)]
enum Kernel<C: Streams> {
    Portable,
    /// Also where there is AVX: that saves moves of registers, which gains 2 % of SHA-256.
    Sse41(Sse41),
    Avx2(Avx2),
    Avx512Vl(Avx512Vl),
    Avx512(Avx512),
    /// One stream in scalar registers, its schedule in vectors.
    Single(Rows),
    /// One stream by instructions of its own.
    Stream(C::Unit),
    /// Two interleaved streams.
    Pair(C::Unit),
    /// Three.
    Triple(C::Unit),
}

/// Vectors of consecutive words of a block.
#[derive(Clone, Copy)]
enum Rows {
    Sse41(Sse41),
    Avx(Avx),
    Avx2(Avx2),
    Avx512Vl(Avx512Vl),
}

impl<C: Streams> Kernel<C> {
    /// The kernel that `route` means on a CPU with `features`.
    #[inline]
    fn of(features: Features, route: Route) -> Self {
        let found = match route {
            Route::One => None,
            Route::Pair => C::Unit::of(features).map(Self::Pair),
            Route::Triple if C::Unit::STREAMS < 3 => C::Unit::of(features).map(Self::Pair),
            Route::Triple => C::Unit::of(features).map(Self::Triple),
            Route::Quarter => {
                let implied = || features.avx().map(Isa::proof);
                features.sse41().or_else(implied).map(Self::Sse41)
            }
            Route::Half => {
                let vl = features.avx512vl().map(Self::Avx512Vl);
                vl.or_else(|| features.avx2().map(Self::Avx2))
            }
            Route::Full => features.avx512().map(Self::Avx512),
        };
        found.unwrap_or_else(|| Self::alone(features))
    }

    /// The kernel for one stream.
    ///
    /// Where no unit computes it, the schedule is computed in vectors of four words. With eight, a
    /// word's dependence on the one two before it costs more than the length gains; only
    /// AVX-512VL's rotations make up for that. Cycles a block by SSE4.1, AVX, AVX2, AVX-512VL and in
    /// portable code: on an AMD EPYC (Zen 4), 2026-11-21, SHA-256 495, 473, 518, 463 and 625,
    /// SHA-512 698, 619, 587, 570 and 780; on Zen 5 SHA-256 457, 438, 615, 379 and 512, SHA-512
    /// - , - , 533, 478 and 643.
    ///
    /// n-SMS is left out, unless it is [asked for](Features::with_n_sms). On long streams it took
    /// 502, 484, 514 and 582 cycles for SHA-256 on Zen 4, and 703, 663, 617 and 602 for SHA-512: it
    /// has fewer instructions, but the rounds alone take 570 cycles of SHA-512, and its first group
    /// waits for its schedule. SHA-1 gains 5 % with AVX2 from 4 KiB on, and loses below.
    #[inline]
    fn alone(features: Features) -> Self {
        if let Some(unit) = C::Unit::of(features) {
            return Self::Stream(unit);
        }
        if !C::SINGLE {
            return Self::Portable;
        }
        if let Some(isa) = features.avx512vl() {
            return Self::Single(Rows::Avx512Vl(isa));
        }
        let narrow = features.avx().map(Rows::Avx);
        let wide = features.avx2().map(Rows::Avx2);
        let avx =
            if C::Word::BYTES == size_of::<u32>() { narrow.or(wide) } else { wide.or(narrow) };
        avx.or(features.sse41().map(Rows::Sse41)).map_or(Self::Portable, Self::Single)
    }

    /// Lanes that one call advances.
    #[inline]
    fn lanes(self) -> usize {
        let of_bytes = |bytes| bytes / C::Word::BYTES;
        match self {
            Self::Portable | Self::Single(_) | Self::Stream(_) => 1,
            Self::Sse41(_) => of_bytes(16),
            Self::Avx2(_) | Self::Avx512Vl(_) => of_bytes(32),
            Self::Avx512(_) => of_bytes(64),
            Self::Pair(_) => 2,
            Self::Triple(_) => 3,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Sse41(_) | Self::Single(Rows::Sse41(_)) => "sse41",
            Self::Single(Rows::Avx(_)) => "avx",
            Self::Avx2(_) | Self::Single(Rows::Avx2(_)) => "avx2",
            Self::Avx512Vl(_) | Self::Single(Rows::Avx512Vl(_)) => "avx512vl",
            Self::Avx512(_) => "avx512",
            Self::Stream(_) | Self::Pair(_) | Self::Triple(_) => C::Unit::NAME,
        }
    }
}

/// What the policy says of `C`.
#[inline(always)]
fn plan<C: Streams>(features: Features, interleaved: bool) -> &'static Plan {
    &C::PLANS[usize::from(interleaved)][features.class() as usize]
}

/// [`Engine::lanes`](jlanes_core::engine::Engine::lanes).
#[inline]
pub(crate) fn lanes<C: Streams>(features: Features) -> usize {
    plan::<C>(features, false).lanes()
}

/// [`Engine::step_cycles`](jlanes_core::engine::Engine::step_cycles).
pub(crate) fn step_cycles<C: Streams>(features: Features, live: usize) -> u32 {
    plan::<C>(features, false).cycles(C::Word::BYTES, live)
}

/// [`Engine::kernel_name`](jlanes_core::engine::Engine::kernel_name).
pub(crate) fn kernel_name<C: Streams>(features: Features, live: usize) -> &'static str {
    Kernel::<C>::of(features, plan::<C>(features, false).route(live)).name()
}

/// [`Engine::run`](jlanes_core::engine::Engine::run).
pub(crate) fn run<C: Streams>(features: Features, mut work: Work<'_, C>) {
    let plan = plan::<C>(features, matches!(work, Work::Interleaved(_)));
    let lanes = work.lanes();
    let mut first = 0;
    while first < lanes {
        let kernel = Kernel::<C>::of(features, plan.route(lanes - first));
        let width = kernel.lanes();
        // as many full groups as there are, or the last lanes
        let mut end = lanes.min(first + width);
        if work.is_stream_of_groups() && lanes - first > width {
            end = lanes - (lanes - first) % width;
        }
        match kernel {
            Kernel::Portable => work.on::<_, One>(Portable::<1>, first, end),
            Kernel::Sse41(isa) => {
                if const { C::USED.quarter } {
                    work.on::<_, One>(isa, first, end);
                }
            }
            Kernel::Avx2(isa) => work.on::<_, One>(isa, first, end),
            Kernel::Avx512Vl(isa) => work.on::<_, One>(isa, first, end),
            Kernel::Avx512(isa) => {
                if const { C::SERIAL } && features.serial() {
                    work.on::<_, OneSerial>(isa, first, end);
                } else {
                    work.on::<_, One>(isa, first, end);
                }
            }
            Kernel::Single(rows) => {
                (first..end).for_each(|lane| single::<C>(rows, &mut work, lane));
            }
            Kernel::Stream(unit) => {
                (first..end).for_each(|first| streams::run::<C, 1>(unit, &mut work, first));
            }
            Kernel::Pair(unit) => {
                (first..end)
                    .step_by(2)
                    .for_each(|first| streams::run::<C, 2>(unit, &mut work, first));
            }
            Kernel::Triple(unit) => {
                (first..end)
                    .step_by(3)
                    .for_each(|first| streams::run::<C, 3>(unit, &mut work, first));
            }
        }
        first = end;
    }
}

/// Does the work of lane `lane` by itself. Interleaved words, which are no bytes in a row, are left
/// to portable code.
fn single<C: Streams>(rows: Rows, work: &mut Work<'_, C>, lane: usize) {
    match work {
        Work::Messages(work) => work.on_streams::<1>(lane, |[state], [run], blocks, last| {
            stream::<C>(rows, state, &run[..blocks * C::BLOCK]);
            if let Some(last) = last {
                shared::<C>(state, last);
            }
        }),
        Work::Rehash(work) => {
            work.on_streams::<1>(lane, |[state], [block]| stream::<C>(rows, state, block));
        }
        Work::Interleaved(_) => work.on::<_, One>(Portable::<1>, lane, lane + 1),
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
    match Kernel::<C>::alone(features) {
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
