//! Lanes as streams, by code that knows no lanes: what kernels of SHA instructions are given.

use jlanes_core::{
    batch::{Start, chain, list::digest},
    engine::{Engine, Work},
    hash::{
        MAX_BLOCK, Output,
        compression::{Compression, LaneStates, write_words},
    },
    simd::portable::Portable,
};
use jlanes_testing::message;

use crate::{Function, block, edges, expected, macs, outs};

for_every_function!(messages, messages_one_after_the_other, digests_again, keys_of_passwords);

/// Up to three streams at a time. Whole messages are taken as they are, if `WHOLE` says so.
#[derive(Clone, Copy)]
struct Streams<const WHOLE: bool>;

fn advance<C: Compression>(state: &mut C::State<C::Word>, data: &[u8], last: Option<&C::Shared>) {
    Engine::<C>::advance_one(&Portable::<1>, state, data);
    if let Some(last) = last {
        Engine::<C>::advance_shared(&Portable::<1>, LaneStates::new(state.as_mut(), 1), 1, last);
    }
}

fn run<C: Compression, const S: usize>(work: &mut Work<'_, C>, first: usize) {
    match work {
        Work::Messages(work) => work.on_streams::<S>(first, |states, runs, blocks, last| {
            for (state, run) in states.iter_mut().zip(runs) {
                advance::<C>(state, &run[..blocks * C::BLOCK], last);
            }
        }),
        Work::Rehash(work) => work.on_streams::<S>(first, |states, blocks| {
            for (state, block) in states.iter_mut().zip(blocks) {
                let mut bytes = [0; MAX_BLOCK];
                write_words::<C>(block, &mut bytes[..C::BLOCK]);
                advance::<C>(state, &bytes[..C::BLOCK], None);
            }
        }),
        Work::Interleaved(_) => unreachable!("lists have none"),
    }
}

impl<C: Compression, const WHOLE: bool> Engine<C> for Streams<WHOLE> {
    fn lanes(&self) -> usize {
        3
    }

    fn run(&self, mut work: Work<'_, C>) {
        let lanes = work.lanes();
        if WHOLE
            && let Work::Messages(messages) = &mut work
            && let Some(whole) = messages.whole(0, lanes)
        {
            let size = whole.digests.len() / lanes.max(1);
            for (message, out) in whole.messages.iter().zip(whole.digests.chunks_mut(size)) {
                let mut state = *whole.start;
                advance::<C>(&mut state, &message[..whole.blocks * C::BLOCK], whole.last);
                write_words::<C>(state.as_ref(), out);
            }
            return;
        }
        let mut first = 0;
        while first < lanes {
            let (streams, run): (_, fn(&mut Work<'_, C>, usize)) =
                if lanes - first < 3 { (1, run::<C, 1>) } else { (3, run::<C, 3>) };
            run(&mut work, first);
            first += streams;
        }
    }

    fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]) {
        advance::<C>(state, data, None);
    }

    fn kernel_name(&self, _: usize) -> &'static str {
        "streams"
    }
}

fn check<H: Function, const WHOLE: bool>() {
    let text = message(6, 5 * block::<H>() + 200);
    let longer = edges::<H>().into_iter().map(|len| len + 3 * block::<H>());
    for len in edges::<H>().into_iter().chain(longer) {
        for count in [1, 2, 3, 40] {
            // alike, and not
            for more in [0, 1] {
                let one = |i: usize| &text[i..][..len + more * i % 7];
                let mut out = outs::<H>(count);
                digest::<H, _, 1>(Streams::<WHOLE>, &Start::new(), |i| [one(i)], &mut out);
                for (i, digest) in out.iter().enumerate() {
                    assert_eq!(*digest, expected::<H>(one(i)), "{i} of {count} of {len} bytes");
                }
            }
        }
    }
}

fn messages<H: Function>() {
    check::<H, true>();
}

fn messages_one_after_the_other<H: Function>() {
    check::<H, false>();
}

fn digests_again<H: Function>() {
    for count in [1, 3, 5] {
        let first: Vec<_> = (0..count).map(|i| expected::<H>(&[i])).collect();
        let mut digests = first.clone();
        chain::digest::<H, _>(Streams::<false>, &[], &mut digests, 3);
        for (first, digest) in first.into_iter().zip(digests) {
            let again = |before: Output<H>, _| expected::<H>(&before);
            assert_eq!(digest, (0..3).fold(first, again));
        }
    }
}

fn keys_of_passwords<H: Function>() {
    macs::keys::<H, _>(Streams::<false>);
}
