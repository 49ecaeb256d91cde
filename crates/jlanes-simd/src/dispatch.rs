//! Lanes and streams to the kernels that the policy names.

use jlanes_core::{
    engine::{Work, one_on},
    hash::{MAX_BLOCK, compression::write_words},
    simd::{groups::One, lanes::Word, portable::Portable},
};

use crate::{
    features::Features,
    shared::shared,
    streams::{self, ManyStreams, Single, Streams, Unit},
    target::{Rows, Vectors},
    tuning::{Fed, Plan, Route},
};

/// A kernel for `C`, with the token that lets it run.
#[derive(Clone, Copy)]
enum ReadyKernel<C: Streams> {
    Portable,
    /// A stream a lane.
    Vectors(Vectors),
    /// One stream in scalar registers, its schedule in vectors.
    Single(Rows),
    /// One stream by instructions of its own.
    Stream(C::Unit),
    /// Two interleaved streams.
    Pair(C::Unit),
    /// Three.
    Triple(C::Unit),
    /// Eight, their schedules in vectors.
    Eight(C::Many),
}

impl<C: Streams> ReadyKernel<C> {
    /// The kernel that `route` means on a CPU with `features`.
    #[inline]
    fn of(features: Features, route: Route) -> Self {
        let found = match route {
            Route::One => None,
            Route::Pair => C::Unit::of(features).map(Self::Pair),
            Route::Triple if C::Unit::STREAMS < 3 => C::Unit::of(features).map(Self::Pair),
            Route::Triple => C::Unit::of(features).map(Self::Triple),
            Route::Eight => C::Many::of(features).map(Self::Eight),
            Route::Quarter | Route::Half | Route::Full | Route::Two => {
                Vectors::of(features, route).map(Self::Vectors)
            }
        };
        found.unwrap_or_else(|| Self::alone(features))
    }

    /// The kernel for one stream: a unit; where there is none, a schedule in vectors.
    ///
    /// n-SMS is left out, unless it is [asked for](Features::with_n_sms). On long streams it took
    /// 502, 484, 514 and 582 cycles for SHA-256 on an AMD EPYC (Zen 4), 2026-11-21, and 703, 663, 617
    /// and 602 for SHA-512: it has fewer instructions, but the rounds alone take 570 cycles of
    /// SHA-512, and its first group waits for its schedule. SHA-1 gains 5 % with AVX2 from 4 KiB on,
    /// and loses below.
    #[inline]
    fn alone(features: Features) -> Self {
        if let Some(unit) = C::Unit::of(features) {
            return Self::Stream(unit);
        }
        let rows = match C::SINGLE {
            Single::Nowhere => None,
            Single::FourWords if features.class().is_serial() => None,
            Single::Vectors | Single::FourWords => Rows::of::<C>(features),
            Single::Scalar => Rows::with_bmi(features),
            // what all lanes would take is what the one takes
            Single::Lane => match plan::<C>(features, Fed::Apart).route(1) {
                Route::One => None,
                _ => Rows::with_rotations(features),
            },
        };
        rows.map_or(Self::Portable, Self::Single)
    }

    /// Lanes that one call advances.
    #[inline]
    fn lanes(self) -> usize {
        match self {
            Self::Portable | Self::Single(_) | Self::Stream(_) => 1,
            Self::Vectors(vectors) => vectors.bytes() / C::Word::BYTES,
            Self::Pair(_) => 2,
            Self::Triple(_) => 3,
            Self::Eight(_) => 8,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Vectors(vectors) => vectors.name(),
            Self::Single(rows) => rows.name(),
            Self::Stream(_) | Self::Pair(_) | Self::Triple(_) => C::Unit::NAME,
            Self::Eight(_) => C::Many::NAME,
        }
    }
}

/// What the policy says of `C`.
#[inline(always)]
fn plan<C: Streams>(features: Features, fed: Fed) -> &'static Plan {
    &C::PLANS[fed as usize][features.class() as usize]
}

/// [`Engine::lanes`](jlanes_core::engine::Engine::lanes): enough for short messages too, which may want
/// more.
#[inline]
pub(crate) fn lanes<C: Streams>(features: Features) -> usize {
    plan::<C>(features, Fed::Apart).lanes().max(plan::<C>(features, Fed::Short).lanes())
}

/// [`Engine::step_cycles`](jlanes_core::engine::Engine::step_cycles).
pub(crate) fn step_cycles<C: Streams>(features: Features, live: usize) -> u32 {
    plan::<C>(features, Fed::Apart).cycles(C::Word::BYTES, live)
}

/// [`Engine::kernel_name`](jlanes_core::engine::Engine::kernel_name).
pub(crate) fn kernel_name<C: Streams>(features: Features, live: usize) -> &'static str {
    ReadyKernel::<C>::of(features, plan::<C>(features, Fed::Apart).route(live)).name()
}

/// Blocks from which on many streams pay, unless they are [whole](jlanes_core::engine::messages::Whole)
/// messages: padded ends are copied one by one, and states go through memory.
const LONG: usize = 8;

/// [`Engine::run`](jlanes_core::engine::Engine::run).
pub(crate) fn run<C: Streams>(features: Features, mut work: Work<'_, C>) {
    let fed = match &work {
        Work::Messages(work) if work.blocks < LONG && !work.is_whole() => Fed::Short,
        Work::Messages(_) => Fed::Apart,
        Work::Interleaved(_) => Fed::Interleaved,
        Work::Rehash(_) => Fed::Short,
    };
    let plan = plan::<C>(features, fed);
    let lanes = work.lanes();
    let mut first = 0;
    while first < lanes {
        let route = plan.route(lanes - first);
        let kernel = ReadyKernel::<C>::of(features, route);
        let width = kernel.lanes();
        let mut end = lanes.min(first + width);
        // as many full groups as the plan has one after the other
        let groups = work.is_stream_of_groups() || !matches!(kernel, ReadyKernel::Vectors(_));
        while groups && lanes - end >= width && plan.route(lanes - end) == route {
            end += width;
        }
        match kernel {
            ReadyKernel::Portable => work.on::<_, One>(Portable::<1>, first, end),
            ReadyKernel::Vectors(vectors) => vectors.run(&mut work, first, end),
            ReadyKernel::Single(rows) => {
                (first..end).for_each(|lane| single::<C>(rows, &mut work, lane));
            }
            ReadyKernel::Stream(unit) => {
                (first..end).for_each(|first| streams::run::<C, _, 1>(unit, &mut work, first));
            }
            ReadyKernel::Pair(unit) => {
                (first..end)
                    .step_by(2)
                    .for_each(|first| streams::run::<C, _, 2>(unit, &mut work, first));
            }
            ReadyKernel::Triple(unit) => {
                (first..end)
                    .step_by(3)
                    .for_each(|first| streams::run::<C, _, 3>(unit, &mut work, first));
            }
            ReadyKernel::Eight(many) => streams::run_many(many, &mut work, first, end),
        }
        first = end;
    }
}

/// Does the work of lane `lane` by itself. Interleaved words, which are no bytes in a row, are left
/// to portable code.
fn single<C: Streams>(rows: Rows, work: &mut Work<'_, C>, lane: usize) {
    match work {
        Work::Messages(work) => work.on_streams::<1>(lane, |[state], [run], blocks, last| {
            rows.single::<C>(state, &run[..blocks * C::BLOCK]);
            if let Some(last) = last {
                shared::<C>(state, last);
            }
        }),
        Work::Rehash(work) => {
            work.on_streams::<1>(lane, |[state], [block]| {
                let mut bytes = [0; MAX_BLOCK];
                write_words::<C>(block, &mut bytes[..C::BLOCK]);
                rows.single::<C>(state, &bytes[..C::BLOCK]);
            });
        }
        Work::Interleaved(_) => work.on::<_, One>(Portable::<1>, lane, lane + 1),
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
    match ReadyKernel::<C>::alone(features) {
        ReadyKernel::Single(rows) => rows.single::<C>(state, rest),
        _ if rest.is_empty() => {}
        _ => one_on::<_, C>(Portable::<1>, state, rest),
    }
}

/// Advances one stream by n-SMS.
fn schedules<'a, C: Streams>(
    features: Features,
    state: &mut C::State<C::Word>,
    mut data: &'a [u8],
) -> &'a [u8] {
    for rows in Rows::for_n_sms(features).into_iter().flatten() {
        data = rows.schedules::<C>(state, data);
    }
    data
}
