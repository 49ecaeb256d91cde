//! A block that all lanes share, for one stream.

use jlanes_core::{
    hash::compression::Compression,
    simd::{
        isa::{Isa, Kernel},
        lanes::Array,
        portable::{PlainWords, Portable},
    },
};

/// Advances one stream by a shared block, in portable code.
pub(crate) fn shared<C: Compression>(state: &mut C::State<C::Word>, block: &C::Shared) {
    Portable::<1>.run(SharedBlock::<C> { state, block });
}

struct SharedBlock<'a, C: Compression> {
    state: &'a mut C::State<C::Word>,
    block: &'a C::Shared,
}

impl<C: Compression> Kernel for SharedBlock<'_, C> {
    type Out = ();

    #[inline(always)]
    fn call<I: Isa>(self, _: I) {
        let mut lane = C::State::<PlainWords<C::Word, 1>>::splat(PlainWords([C::Word::default()]));
        for (lane, word) in lane.as_mut().iter_mut().zip(self.state.as_ref()) {
            lane.0[0] = *word;
        }
        C::compress_shared((), &mut lane, self.block);
        for (word, lane) in self.state.as_mut().iter_mut().zip(lane.as_ref()) {
            *word = lane.0[0];
        }
    }
}
