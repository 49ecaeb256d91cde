//! Instructions that are not lane-shaped: the SHA extensions work on one stream, or on a few
//! interleaved ones.

use jlanes_core::{
    compression::{Columns, Compression},
    engine::Input,
    isa::Isa,
    lanes::Word,
    layout::Interleaved,
    sha1::Sha1Compression,
    sha2::{Sha2, sms::Schedules},
    skein::threefish::Threefish,
};

#[cfg(target_arch = "x86_64")]
use crate::x86_64::{Feed, ShaNi};

/// A compression function that may have instructions of its own.
pub(crate) trait Streams: Compression {
    /// Whether the SHA extensions compute it.
    const SHANI: bool = false;
    /// So many live lanes or fewer are faster in scalar registers than in any vectors.
    const SCALAR: usize = 0;
    /// So many live lanes or fewer are faster in 256-bit vectors than in 512-bit ones.
    const NARROW: usize = 0;

    /// Advances one stream by groups of blocks whose schedules are computed in vectors, where that
    /// is known and pays; returns the bytes that are left over.
    #[inline(always)]
    fn schedules<'a, I: Isa>(
        _isa: I,
        _state: &mut Self::State<Self::Word>,
        data: &'a [u8],
    ) -> &'a [u8] {
        data
    }

    /// Advances `S` streams by `blocks` blocks each, then by the expanded block `last`, if any.
    #[cfg(target_arch = "x86_64")]
    fn shani<const S: usize>(
        _unit: ShaNi,
        _states: &mut [Self::State<Self::Word>; S],
        _feed: Feed<'_, S>,
        _blocks: usize,
        _last: &[Self::Word],
    ) {
        unreachable!("not a function of the SHA extensions");
    }
}

/// Four lanes at 256 bits are as fast as eight half-empty ones at 512, or faster.
impl Streams for Sha2<u64> {
    const SCALAR: usize = 1;
    const NARROW: usize = 4;

    #[inline(always)]
    fn schedules<'a, I: Isa>(isa: I, state: &mut [u64; 8], data: &'a [u8]) -> &'a [u8] {
        isa.run(Schedules { state, data })
    }
}

/// GB/s of live bytes on an AMD EPYC 9004, 2026-11-21: Threefish-512 has 0.76 in scalar registers,
/// 0.37 a lane in eight lanes, and 0.63 a lane in four lanes with AVX-512VL. So five live lanes
/// take eight. The other sizes are alike.
impl<const W: usize> Streams for Threefish<W>
where
    Self: Compression,
{
    const SCALAR: usize = 1;
    const NARROW: usize = 4;
}

/// Up to ten lanes: eight at 256 bits, and the others as streams.
impl Streams for Sha2<u32> {
    const SHANI: bool = true;
    const NARROW: usize = 10;

    #[inline(always)]
    fn schedules<'a, I: Isa>(isa: I, state: &mut [u32; 8], data: &'a [u8]) -> &'a [u8] {
        isa.run(Schedules { state, data })
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn shani<const S: usize>(
        unit: ShaNi,
        states: &mut [[u32; 8]; S],
        feed: Feed<'_, S>,
        blocks: usize,
        last: &[u32],
    ) {
        unit.sha256(states, feed, blocks, last);
    }
}

/// As for SHA-256.
impl Streams for Sha1Compression {
    const SHANI: bool = true;
    const NARROW: usize = 10;

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn shani<const S: usize>(
        unit: ShaNi,
        states: &mut [[u32; 5]; S],
        feed: Feed<'_, S>,
        blocks: usize,
        last: &[u32],
    ) {
        unit.sha1(states, feed, blocks, last);
    }
}

/// Advances the lanes `first..first + S` with the SHA extensions.
#[cfg(target_arch = "x86_64")]
pub(crate) fn advance<C: Streams, const S: usize>(
    unit: ShaNi,
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
    let feed = match input {
        Input::Pointers(lanes) => {
            let mut data = [lanes[first]; S];
            data.copy_from_slice(&lanes[first..][..S]);
            Feed::runs(data)
        }
        Input::Interleaved(rows) => {
            Feed::Interleaved(Interleaved { data: &rows.data[first * C::Word::BYTES..], ..rows })
        }
    };
    C::shani(unit, &mut own, feed, blocks, last);
    for s in 0..S {
        states.set(first + s, &own[s]);
    }
}

/// Advances one stream with the SHA extensions.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn advance_one<C: Streams>(unit: ShaNi, state: &mut C::State<C::Word>, data: &[u8]) {
    let blocks = data.len() / C::BLOCK;
    C::shani(unit, core::array::from_mut(state), Feed::runs([data]), blocks, &[]);
}
