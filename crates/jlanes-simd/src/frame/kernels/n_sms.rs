//! n-SMS: computes the schedules of several blocks of one stream together.

use jlanes_core::{
    compression::{Bytes, Shape},
    hashes::{
        sha1::Sha1Compression,
        sha2::{Sha2, Sha2Word},
    },
    kernel::{
        Kernel,
        stream::{self, advance_shared},
    },
    simd::lanes::Isa,
    sms::{
        Scheduled, Schedules,
        single::{MAX_ROUNDS, SingleStream},
    },
};

use super::{
    marked,
    single::{by_message, own},
    streams,
};
use crate::frame::{sets::Sets, token::Token};

/// The kernel, for backends that request it and for CPUs where it is faster.
pub(crate) const fn n_sms<C: NSms, I: Isa + Token>() -> Kernel<C::Word> {
    n_sms_then::<C, I, I>()
}

/// The same, with the blocks after the last whole group by `R`, which may be faster for these.
pub(crate) const fn n_sms_then<C: NSms, I: Isa + Token, R: Isa + Token>() -> Kernel<C::Word> {
    marked(R::SETS.union(Sets::N_SMS), streams::<I, 1, _>(advance::<C, I, R>))
}

fn advance<C: NSms, I: Isa + Token, R: Isa + Token>(
    shape: &Shape<C::Word>,
    state: &mut [C::Word],
    runs: &[&[u8]],
    bytes: Bytes,
    blocks: usize,
    last: &[C::Word],
) {
    let (isa, single) = (I::get(), R::get());
    let mut own = own::<C>(state);
    by_message(shape, runs[0], bytes, blocks, |data| {
        let rest = isa.run(Schedules::<C> { state: &mut own, data });
        if !rest.is_empty() {
            C::rest(single, shape, &mut own, rest);
        }
    });
    state.copy_from_slice(own.as_ref());
    advance_shared::<C>(shape, state, last);
}

/// A function that n-SMS supports.
pub(crate) trait NSms: Scheduled {
    /// Advances one stream by the blocks after the last whole group.
    fn rest<I: Isa>(
        isa: I,
        shape: &Shape<Self::Word>,
        state: &mut Self::State<Self::Word>,
        data: &[u8],
    );
}

impl<W: Sha2Word> NSms for Sha2<W> {
    fn rest<I: Isa>(isa: I, _: &Shape<W>, state: &mut [W; 8], data: &[u8]) {
        let mut words = [W::default(); MAX_ROUNDS];
        isa.run(SingleStream::<Self> { state, data, words: &mut words });
    }
}

impl NSms for Sha1Compression {
    fn rest<I: Isa>(_: I, shape: &Shape<u32>, state: &mut [u32; 5], data: &[u8]) {
        let blocks = data.len() / shape.block;
        stream::advance_one::<Self>(shape, state, &[data], Bytes::Message, blocks, &[]);
    }
}
