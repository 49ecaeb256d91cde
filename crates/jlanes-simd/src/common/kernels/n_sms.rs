//! Kernels by n-SMS, simultaneous message schedules: those of several blocks of one stream are computed together.

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    kernel::{Kernel, stream::advance_shared},
    schedules::{Scheduled, Schedules},
    simd::vector::Isa,
};

use super::{
    single::{in_message_order, state_copy},
    streams, with_marks,
};
use crate::common::{needs::Needs, token::Token};

/// The kernel of `C` by n-SMS, for backends that request it and for CPUs where it is faster.
pub(crate) const fn n_sms<C: Scheduled, I: Isa + Token>() -> Kernel<C::Word> {
    n_sms_then::<C, I, I>()
}

/// The kernel of `C` by n-SMS, with the blocks after the last whole group compressed by `R`, which may be
/// faster for these.
pub(crate) const fn n_sms_then<C: Scheduled, I: Isa + Token, R: Isa + Token>() -> Kernel<C::Word> {
    with_marks(R::SETS.union(Needs::N_SMS), streams::<I, 1, _>(advance::<C, I, R>))
}

fn advance<C: Scheduled, I: Isa + Token, R: Isa + Token>(
    shape: &Shape<C::Word>,
    state: &mut [C::Word],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[C::Word],
) {
    let (isa, single) = (I::get(), R::get());
    let mut typed = state_copy::<C>(state);
    in_message_order(shape, runs[0], order, blocks, |data| {
        let rest = isa.run(Schedules::<C> { state: &mut typed, data });
        if !rest.is_empty() {
            C::rest(single, shape, &mut typed, rest);
        }
    });
    state.copy_from_slice(typed.as_ref());
    advance_shared::<C>(shape, state, shared);
}
