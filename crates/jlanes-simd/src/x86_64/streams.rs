//! What the choice of a kernel asks about a compression function, and the instructions that are not
//! lane-shaped: the SHA extensions work on one stream, or on a few interleaved ones.

use core::convert::Infallible;

use jlanes_core::{
    engine::{Input, one_on},
    hash::compression::{Columns, Compression},
    hashes::{sha1::Sha1Compression, sha2::Sha2, skein::threefish::Threefish},
    simd::{isa::Isa, lanes::Word, layout::Interleaved, portable::Portable},
    sms::{Schedules, single::Single},
};

use super::{
    Features, Sha512Ni, ShaNi,
    feed::{Feed, Runs},
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
    /// and whose expansion is `last`, if that is not empty.
    ///
    /// # Panics
    /// If `feed` has fewer blocks.
    fn advance<F: Feed<S>, const S: usize>(
        self,
        states: &mut [C::State<C::Word>; S],
        feed: F,
        blocks: usize,
        last: &[C::Word],
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
        _: &[C::Word],
    ) {
        match self {}
    }
}

/// A compression function on this target.
pub(crate) trait Streams: Compression {
    /// The instructions that compute it on streams.
    type Unit: Unit<Self>;
    /// So many live lanes or fewer are faster in scalar registers than in any vectors.
    const SCALAR: usize = 0;
    /// So many live lanes or fewer are faster in 256-bit vectors than in 512-bit ones.
    const NARROW: usize = 0;

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

/// Four lanes at 256 bits are as fast as eight half-empty ones at 512, or faster.
impl Streams for Sha2<u64> {
    type Unit = Sha512Ni;
    const SCALAR: usize = 1;
    const NARROW: usize = 4;
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

/// GB/s of live bytes on an AMD EPYC (Zen 4), 2026-11-21: Threefish-512 has 0.76 in scalar registers,
/// 0.37 a lane in eight lanes, and 0.63 a lane in four lanes with AVX-512VL. So five live lanes
/// take eight. The other sizes are alike.
impl<const W: usize> Streams for Threefish<W>
where
    Self: Compression,
{
    type Unit = Infallible;
    const SCALAR: usize = 1;
    const NARROW: usize = 4;
}

/// Up to ten lanes: eight at 256 bits, and the others as streams.
impl Streams for Sha2<u32> {
    type Unit = ShaNi;
    const SCALAR: usize = 1;
    const NARROW: usize = 10;
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

/// Thresholds as for SHA-256.
impl Streams for Sha1Compression {
    type Unit = ShaNi;
    const NARROW: usize = 10;

    #[inline(always)]
    fn schedules<'a, I: Isa>(isa: I, state: &mut [u32; 5], data: &'a [u8]) -> &'a [u8] {
        isa.run(Schedules::<Self> { state, data })
    }
}

/// Advances the lanes `first..first + S` as interleaved streams.
pub(super) fn advance<C: Streams, const S: usize>(
    unit: C::Unit,
    mut states: Columns<'_, C::Word>,
    input: Input<'_>,
    first: usize,
    blocks: usize,
    last: &[C::Word],
) {
    let mut own = [states.get::<C::State<C::Word>>(first); S];
    for s in 1..S {
        own[s] = states.get(first + s);
    }
    match input {
        Input::Pointers(lanes) => {
            let mut runs = [lanes[first]; S];
            runs.copy_from_slice(&lanes[first..][..S]);
            unit.advance(&mut own, Runs(runs), blocks, last);
        }
        Input::Interleaved(rows) => {
            let data = &rows.data[first * C::Word::BYTES..];
            unit.advance(&mut own, Interleaved { data, ..rows }, blocks, last);
        }
    }
    for s in 0..S {
        states.set(first + s, &own[s]);
    }
}

/// Advances one stream.
#[inline]
pub(super) fn advance_one<C: Streams>(unit: C::Unit, state: &mut C::State<C::Word>, data: &[u8]) {
    let blocks = data.len() / C::BLOCK;
    unit.advance(core::array::from_mut(state), Runs([data]), blocks, &[]);
}
