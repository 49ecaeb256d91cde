//! A second hash over the digests of the first: HMAC's outer hash, digests of digests.

use super::asked::Numbers;
use crate::{
    engine::{
        Engine, Work,
        rehash::{self, DigestBlock, Rehash},
    },
    hash::{
        HashFunction, Output, WordOf,
        compression::{AllLanes, Compression, LaneStates, max_lanes},
    },
    simd::lanes::Array,
};

/// A second hash over the first one's digest, from a start that is the same for all.
pub(crate) struct Again<H: HashFunction> {
    pub(crate) start: rehash::Start<H::Compression>,
    pub(crate) block: DigestBlock<H::Compression>,
}

impl<H: HashFunction> Again<H> {
    /// The second hash of `live` lanes' digests.
    pub(super) fn work<'a>(
        &'a self,
        digests: LaneStates<'a, WordOf<H>>,
        live: usize,
    ) -> Rehash<'a, H::Compression> {
        let starts = core::slice::from_ref(&self.start);
        Rehash { digests, block: &self.block, starts, rounds: 1, sum: None, live, out: None }
    }

    /// The second hash of digests that have left the lanes, those of these numbers.
    pub(super) fn of_digests<E: Engine<H::Compression>>(
        &self,
        engine: E,
        order: Numbers<'_>,
        out: &mut [Output<H>],
    ) {
        let mut order = order.iter();
        let mut states = AllLanes::<H::Compression>::default();
        loop {
            let mut owners = <H::Compression as Compression>::PerLane::<usize>::splat(0);
            let owners = owners.as_mut();
            let mut live = 0;
            for i in order.by_ref().take(max_lanes::<H::Compression>()) {
                rehash::put_digest::<H>(&mut states.states(), live, &out[i]);
                owners[live] = i;
                live += 1;
            }
            if live == 0 {
                return states.wipe();
            }
            engine.run(Work::Rehash(self.work(states.states(), live)));
            for (l, i) in owners[..live].iter().enumerate() {
                out[*i] = rehash::get_digest::<H>(&states.states(), l);
            }
        }
    }
}
