//! Instructions that are not lane-shaped: the SHA extensions work on one stream, or on a few
//! interleaved ones.

use jlanes_core::{
    compression::{Columns, Compression},
    engine::Input,
    sha2::Sha2,
    skein::threefish::Threefish,
};

#[cfg(target_arch = "x86_64")]
use crate::x86_64::ShaNi;

/// A compression function that may have instructions of its own.
pub(crate) trait Streams: Compression {
    /// Whether the SHA extensions compute it.
    const SHANI: bool = false;

    /// Advances `S` streams by `blocks` blocks each.
    #[cfg(target_arch = "x86_64")]
    fn shani<const S: usize>(
        _unit: ShaNi,
        _states: &mut [Self::State<Self::Word>; S],
        _data: [&[u8]; S],
        _blocks: usize,
    ) {
        unreachable!("not a function of the SHA extensions");
    }

    /// Advances `S` streams by one expanded block.
    #[cfg(target_arch = "x86_64")]
    fn shani_expanded<const S: usize>(
        _unit: ShaNi,
        _states: &mut [Self::State<Self::Word>; S],
        _schedule: &[Self::Word],
    ) {
        unreachable!("not a function of the SHA extensions");
    }
}

impl Streams for Sha2<u64> {}
impl Streams for Threefish<4> {}
impl Streams for Threefish<8> {}
impl Streams for Threefish<16> {}

impl Streams for Sha2<u32> {
    const SHANI: bool = true;

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn shani<const S: usize>(
        unit: ShaNi,
        states: &mut [[u32; 8]; S],
        data: [&[u8]; S],
        blocks: usize,
    ) {
        unit.sha256(states, data, blocks);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn shani_expanded<const S: usize>(unit: ShaNi, states: &mut [[u32; 8]; S], schedule: &[u32]) {
        unit.sha256_expanded(states, schedule);
    }
}

/// Advances the lanes `first..first + S` with the SHA extensions.
#[cfg(target_arch = "x86_64")]
pub(crate) fn advance<C: Streams, const S: usize>(
    unit: ShaNi,
    mut states: Columns<'_, C::Word>,
    input: Input<'_, C::Word>,
    first: usize,
    blocks: usize,
) {
    let mut own = [states.get::<C::State<C::Word>>(first); S];
    for s in 1..S {
        own[s] = states.get(first + s);
    }
    match input {
        Input::Pointers(lanes) => {
            let mut data = [lanes[first]; S];
            data.copy_from_slice(&lanes[first..][..S]);
            C::shani(unit, &mut own, data, blocks);
        }
        Input::Expanded(schedule) => C::shani_expanded(unit, &mut own, schedule),
    }
    for s in 0..S {
        states.set(first + s, &own[s]);
    }
}

/// Advances one stream with the SHA extensions.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn advance_one<C: Streams>(unit: ShaNi, state: &mut C::State<C::Word>, data: &[u8]) {
    C::shani(unit, core::array::from_mut(state), [data], data.len() / C::BLOCK);
}
