//! Lanes that take the next message as soon as theirs ends.

use core::{
    convert::Infallible,
    task::{Context, Poll},
};

use crate::{
    batch::Source,
    engine::{Engine, Work, messages::Messages, rehash},
    hash::{
        HashFunction, Output, State,
        compression::{AllLanes, Compression},
    },
    simd::lanes::Array,
};

/// Lane refill: messages in one piece, each with a number and a start, take lanes as they come from
/// `next`; one that ends gives its lane to the next at once. When no message is left, the live
/// lanes close ranks.
pub(crate) fn refill<'a, 's, H: HashFunction + 's, E: Engine<H::Compression>>(
    engine: E,
    before: u128,
    next: &mut dyn FnMut() -> Option<(usize, &'a [u8], &'s State<H>)>,
    done: &mut dyn FnMut(usize, Output<H>),
) {
    let mut states = AllLanes::<H::Compression>::default();
    let mut messages = <H::Compression as Compression>::PerLane::<&[u8]>::splat(&[]);
    // blocks that are done, and those that are not
    let mut skip = <H::Compression as Compression>::PerLane::<usize>::splat(0);
    let mut left = skip;
    let mut numbers = skip;
    let (messages, skip) = (messages.as_mut(), skip.as_mut());
    let (left, numbers) = (left.as_mut(), numbers.as_mut());
    let mut live = 0;
    loop {
        while live < engine.lanes() {
            let Some((number, message, start)) = next() else { break };
            states.states().set(live, start);
            (messages[live], skip[live], numbers[live]) = (message, 0, number);
            left[live] = H::PADDING.blocks::<H::Compression>(message.len());
            live += 1;
        }
        let Some(run) = left[..live].iter().copied().min() else { break };
        engine.run(Work::Messages(Messages {
            skip: &skip[..live],
            blocks: run,
            end: Some((H::PADDING, before)),
            ..Messages::advance(states.states(), &messages[..live])
        }));
        let mut l = 0;
        while l < live {
            skip[l] += run;
            left[l] -= run;
            if left[l] > 0 {
                l += 1;
                continue;
            }
            done(numbers[l], rehash::get_digest::<H>(&states.states(), l));
            if let Some((number, message, start)) = next() {
                states.states().set(l, start);
                (messages[l], skip[l], numbers[l]) = (message, 0, number);
                left[l] = H::PADDING.blocks::<H::Compression>(message.len());
                l += 1;
            } else {
                // the last lane moves here, and has not been looked at yet
                live -= 1;
                let state: State<H> = states.states().get(live);
                states.states().set(l, &state);
                (messages[l], skip[l]) = (messages[live], skip[live]);
                (left[l], numbers[l]) = (left[live], numbers[live]);
            }
        }
    }
    states.wipe();
}

/// The most pieces of a message.
const MOST: usize = 4;

/// A message of some pieces in memory, with its number in the list.
#[derive(Debug)]
pub(super) struct Pieces<'m> {
    index: usize,
    pieces: [&'m [u8]; MOST],
    at: usize,
}

impl<'m> Pieces<'m> {
    pub(super) fn new<const P: usize>(index: usize, own: [&'m [u8]; P]) -> Self {
        const { assert!(P <= MOST, "messages have no more pieces") }
        let mut pieces: [&[u8]; MOST] = [&[]; MOST];
        pieces[..P].copy_from_slice(&own);
        Self { index, pieces, at: 0 }
    }
}

impl Source for Pieces<'_> {
    type Key = usize;
    type Error = Infallible;
    type Buffer = ();

    #[inline]
    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), Infallible>> {
        while self.at + 1 < MOST && self.pieces[self.at].is_empty() {
            self.at += 1;
        }
        Poll::Ready(Ok(()))
    }

    #[inline]
    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        self.pieces[self.at]
    }

    #[inline]
    fn consume(&mut self, (): &mut (), n: usize) {
        self.pieces[self.at] = &self.pieces[self.at][n..];
    }

    #[inline]
    fn into_key(self) -> usize {
        self.index
    }
}
