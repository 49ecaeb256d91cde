//! What the choice of a kernel asks about a compression function, and the instructions that are not
//! lane-shaped: the SHA extensions work on one stream, or on a few interleaved ones.

use core::convert::Infallible;

use jlanes_core::{
    engine::{Work, one_on},
    hash::compression::Compression,
    hashes::{sha1::Sha1Compression, sha2::Sha2, skein::threefish::Threefish},
    simd::{isa::Isa, layout::Interleaved, portable::Portable},
    sms::{Schedules, single::Single},
};

use super::{
    Features, Sha512Ni, ShaNi,
    feed::{Feed, Runs},
    tuning::Tuned,
};

/// Instructions that compute `C` on streams.
pub(crate) trait Unit<C: Compression>: Copy {
    /// Name of the backend that forces them.
    const NAME: &'static str;
    /// Streams that can be interleaved, 1 to 3.
    const STREAMS: usize;

    /// The proof that the CPU has them, if they are among `features`.
    fn of(features: Features) -> Option<Self>;

    /// Advances `S` interleaved streams by `blocks` blocks each, then by the block that they share
    /// if there is one.
    ///
    /// # Panics
    /// If `feed` has fewer blocks.
    fn advance<F: Feed<S>, const S: usize>(
        self,
        states: &mut [C::State<C::Word>; S],
        feed: F,
        blocks: usize,
        last: Option<&C::Shared>,
    );
}

/// No instructions, for functions that no CPU computes.
impl<C: Compression> Unit<C> for Infallible {
    const NAME: &'static str = "none";
    const STREAMS: usize = 1;

    #[inline(always)]
    fn of(_: Features) -> Option<Self> {
        None
    }

    fn advance<F: Feed<S>, const S: usize>(
        self,
        _: &mut [C::State<C::Word>; S],
        _: F,
        _: usize,
        _: Option<&C::Shared>,
    ) {
        match self {}
    }
}

/// A compression function on this target.
pub(crate) trait Streams: Compression + Tuned {
    /// The instructions that compute it on streams.
    type Unit: Unit<Self>;

    /// Whether [`single`](Self::single) is more than portable code.
    const SINGLE: bool = false;

    /// Advances one stream by its blocks, whose schedules are computed in vectors one by one.
    #[inline(always)]
    fn single<I: Isa>(_isa: I, state: &mut Self::State<Self::Word>, data: &[u8]) {
        one_on::<_, Self>(Portable::<1>, state, data);
    }

    /// Advances one stream by groups of blocks whose schedules are computed in vectors together,
    /// where that is known; returns the bytes that are left over.
    #[inline(always)]
    fn schedules<'a, I: Isa>(
        _isa: I,
        _state: &mut Self::State<Self::Word>,
        data: &'a [u8],
    ) -> &'a [u8] {
        data
    }
}

impl Streams for Sha2<u64> {
    type Unit = Sha512Ni;
    const SINGLE: bool = true;

    #[inline(always)]
    fn single<I: Isa>(isa: I, state: &mut [u64; 8], data: &[u8]) {
        isa.run(Single::<Self> { state, data });
    }

    #[inline(always)]
    fn schedules<'a, I: Isa>(isa: I, state: &mut [u64; 8], data: &'a [u8]) -> &'a [u8] {
        isa.run(Schedules::<Self> { state, data })
    }
}

impl<const W: usize> Streams for Threefish<W>
where
    Self: Compression + Tuned,
{
    type Unit = Infallible;
}

impl Streams for Sha2<u32> {
    type Unit = ShaNi;
    const SINGLE: bool = true;

    #[inline(always)]
    fn single<I: Isa>(isa: I, state: &mut [u32; 8], data: &[u8]) {
        isa.run(Single::<Self> { state, data });
    }

    #[inline(always)]
    fn schedules<'a, I: Isa>(isa: I, state: &mut [u32; 8], data: &'a [u8]) -> &'a [u8] {
        isa.run(Schedules::<Self> { state, data })
    }
}

impl Streams for Sha1Compression {
    type Unit = ShaNi;

    #[inline(always)]
    fn schedules<'a, I: Isa>(isa: I, state: &mut [u32; 5], data: &'a [u8]) -> &'a [u8] {
        isa.run(Schedules::<Self> { state, data })
    }
}

/// Does the work of the lanes `first..first + S` as interleaved streams.
pub(super) fn run<C: Streams, const S: usize>(unit: C::Unit, work: &mut Work<'_, C>, first: usize) {
    match work {
        Work::Messages(work) => work.on_streams::<S>(first, |states, runs, blocks, last| {
            unit.advance(states, Runs(runs), blocks, last);
        }),
        Work::Rehash(work) => work.on_streams::<S>(first, |states, blocks| {
            unit.advance(states, Runs(blocks), 1, None);
        }),
        Work::Interleaved(work) => {
            let mut own: [C::State<C::Word>; S] =
                core::array::from_fn(|s| work.states.get(first + s));
            let data = &work.rows.data[first * size_of::<C::Word>()..];
            let rows = Interleaved { data, ..work.rows };
            unit.advance(&mut own, rows, work.blocks, work.last);
            for s in 0..S {
                work.states.set(first + s, &own[s]);
            }
        }
    }
}

/// Advances one stream.
#[inline]
pub(super) fn advance_one<C: Streams>(unit: C::Unit, state: &mut C::State<C::Word>, data: &[u8]) {
    let blocks = data.len() / C::BLOCK;
    unit.advance(core::array::from_mut(state), Runs([data]), blocks, None);
}
