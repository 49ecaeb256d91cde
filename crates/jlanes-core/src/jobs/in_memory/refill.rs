//! Lanes that take the next message as soon as theirs ends.

use core::{
    convert::Infallible,
    task::{Context, Poll, Waker},
};

use super::batch::{Batch, MAX_PIECES};
use crate::{
    compression::{LaneBuffer, MAX_LANES},
    jobs::{
        hashing::Hashing,
        in_flight::{Ended, InFlight, Progress},
        lanes_in_flight::LaneMethods,
        source::Source,
    },
    lanes::{
        messages::{LaneWork, MessageEnd, Route},
        rehash,
    },
    simd::vector::{Array, Word},
};

impl<W: Word> Hashing<'_, W> {
    /// Hashes messages in one piece, in the given order: when a message ends, the next takes its
    /// lane. When no message is left, the live lanes are compacted. With `starts`, each message has
    /// its own start.
    ///
    /// The kernels pad these messages in place. An [`InFlight`] learns of a message's end only by polling
    /// again, and has to hold its rest: in place of this loop it has 0.62 to 0.97 of the speed for small
    /// batches, even with sources that know their last piece
    /// ([EXPERIMENTS](https://github.com/jlanes/jlanes/blob/main/docs/EXPERIMENTS.md#figures-behind-comments)).
    pub(super) fn refill(
        &self,
        messages: &Batch<'_, '_>,
        starts: Option<&[W::State]>,
        out: &mut [u8],
    ) {
        let Self { kernels, hash, .. } = self;
        let words = hash.shape.state_words;
        let mut states = LaneBuffer::new(&hash.shape);
        let mut texts = [&[] as &[u8]; MAX_LANES];
        // blocks done and blocks left
        let (mut indices, mut done, mut left) = ([0; MAX_LANES], [0; MAX_LANES], [0; MAX_LANES]);
        let mut live = 0;
        let mut order = messages.indices();
        let end = Some(MessageEnd { padding: hash.padding, before: self.before, all_end: false });
        loop {
            while live < kernels.lanes_to_fill()
                && let Some(i) = order.next()
            {
                let start = starts.map_or(&self.start, |starts| &starts[i]);
                states.states().set(live, &start.as_ref()[..words]);
                (texts[live], indices[live]) = (messages.message_of_index(i), i);
                (done[live], left[live]) = (0, hash.blocks(texts[live].len()));
                live += 1;
            }
            let Some(blocks) = left[..live].iter().copied().min() else { break };
            let blocks_done = &done[..live];
            let work = LaneWork { blocks_done, end, ..LaneWork::new(&texts[..live], blocks) };
            work.run(Route::StatesToStates(states.states()), kernels);
            // a free lane takes the message of the last one, which the loop has seen already
            for l in (0..live).rev() {
                (done[l], left[l]) = (done[l] + blocks, left[l] - blocks);
                if left[l] > 0 {
                    continue;
                }
                let out = &mut out[indices[l] * self.digest_bytes..][..self.digest_bytes];
                rehash::get_digest(hash, &states.states(), l, out);
                live -= 1;
                if l < live {
                    let mut state = W::State::splat(W::default());
                    states.get_into(live, &mut state.as_mut()[..words]);
                    states.states().set(l, &state.as_ref()[..words]);
                    (texts[l], indices[l]) = (texts[live], indices[live]);
                    (done[l], left[l]) = (done[live], left[live]);
                }
            }
        }
        states.wipe();
    }

    /// [`refill`](Self::refill) for messages in any number of pieces, and for every function.
    #[inline(never)] // keeps an `InFlight` off the caller's stack
    pub(super) fn refill_pieces(&self, messages: &Batch<'_, '_>, out: &mut [u8]) {
        let mut order = messages.indices();
        let mut next = |_: &mut [W]| {
            let number = order.next()?;
            Some(Pieces { number, pieces: messages.pieces_of_index(number), at: 0 })
        };
        let mut done = |message: Pieces<'_>, Ok(end): Result<Ended<'_, W>, Infallible>| {
            end.write(&mut out[message.number * self.digest_bytes..][..self.digest_bytes]);
        };
        let mut in_flight = InFlight::with_methods(self, &[], LaneMethods::new());
        let cx = &mut Context::from_waker(Waker::noop());
        while in_flight.step(cx, &mut next, &mut done) != Progress::Idle {}
    }
}

/// A message of several pieces in memory, with its index in the batch.
#[derive(Debug)]
struct Pieces<'m> {
    number: usize,
    pieces: [&'m [u8]; MAX_PIECES],
    at: usize,
}

impl Source for Pieces<'_> {
    type Key = usize;
    type Error = Infallible;
    type Buffer = ();

    #[inline]
    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), Infallible>> {
        while self.at + 1 < MAX_PIECES && self.pieces[self.at].is_empty() {
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
        self.number
    }
}
