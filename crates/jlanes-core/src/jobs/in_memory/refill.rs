//! Lanes that take the next message as soon as theirs ends.

use core::{
    convert::Infallible,
    task::{Context, Poll, Waker},
};

use super::source::{MAX_PIECES, MessageSource};
use crate::{
    compression::{LaneBuffer, MAX_LANES},
    jobs::{
        hashing::Hashing,
        in_flight::{Ended, InFlight, Progress},
        lanes_in_flight::LaneMethods,
        source::Source,
    },
    lanes::{messages::Messages, rehash},
    simd::vector::{Array, Word},
};

impl<W: Word> Hashing<'_, W> {
    /// Hashes messages in one piece, in the given order: when a message ends, the next takes its
    /// lane. When no message is left, the live lanes are compacted. With `starts`, each message has
    /// its own start.
    ///
    /// The kernels pad these messages in place. An [`InFlight`] learns of a message's end only by
    /// polling again, and has to hold its rest: with it in place of this loop, 12 messages of up to
    /// 300 bytes had 0.64 of the speed, 20 had 0.70, 256 had 0.87, and 4,000 of 300 bytes on average
    /// 0.90 (SHA-256; EPYC, Zen 5, 2026-11-25).
    ///
    /// Nor does it help if sources know their last piece and the kernels pad it in place: 12 messages
    /// of up to 119 bytes had 0.62 of the speed (SHA-512: 0.83, MD5: 0.62), 12 of 100 to 1,000 bytes
    /// 0.72 (0.85, 0.77), and 100 of these 0.79 (0.97, 0.81). Two sizes of batches suggest 0.6 µs per
    /// batch and 0.05 µs per message (EPYC, Zen 3, 2026-11-25).
    pub(super) fn refill(
        &self,
        messages: &MessageSource<'_, '_>,
        starts: Option<&[W::State]>,
        out: &mut [u8],
    ) {
        let Self { kernels, hash, .. } = self;
        let words = hash.shape.state;
        let mut states = LaneBuffer::new(&hash.shape);
        let mut texts = [&[] as &[u8]; MAX_LANES];
        // blocks done and blocks left
        let (mut numbers, mut done, mut left) = ([0; MAX_LANES], [0; MAX_LANES], [0; MAX_LANES]);
        let mut live = 0;
        let mut order = messages.numbers();
        loop {
            while live < kernels.lanes()
                && let Some(i) = order.next()
            {
                let start = starts.map_or(&self.start, |starts| &starts[i]);
                states.states().set(live, &start.as_ref()[..words]);
                (texts[live], numbers[live]) = (messages.whole(i), i);
                (done[live], left[live]) = (0, hash.blocks(texts[live].len()));
                live += 1;
            }
            let Some(run) = left[..live].iter().copied().min() else { break };
            Messages {
                skip: &done[..live],
                blocks: run,
                end: Some((hash.padding, self.before)),
                ..Messages::advance(states.states(), &texts[..live])
            }
            .run(kernels);
            // the last lane replaces a free one; it has been checked before
            for l in (0..live).rev() {
                (done[l], left[l]) = (done[l] + run, left[l] - run);
                if left[l] > 0 {
                    continue;
                }
                let out = &mut out[numbers[l] * self.digest..][..self.digest];
                rehash::get_digest(hash, &states.states(), l, out);
                live -= 1;
                if l < live {
                    let mut state = W::State::splat(W::default());
                    states.get_into(live, &mut state.as_mut()[..words]);
                    states.states().set(l, &state.as_ref()[..words]);
                    (texts[l], numbers[l]) = (texts[live], numbers[live]);
                    (done[l], left[l]) = (done[live], left[live]);
                }
            }
        }
        states.wipe();
    }

    /// [`refill`](Self::refill) for messages in any number of pieces, and for every function.
    #[inline(never)] // keeps an `InFlight` off the caller's stack
    pub(super) fn refill_pieces(&self, messages: &MessageSource<'_, '_>, out: &mut [u8]) {
        let mut order = messages.numbers();
        let mut next = |_: &mut [W]| {
            let number = order.next()?;
            Some(Pieces { number, pieces: messages.one(number), at: 0 })
        };
        let mut done = |message: Pieces<'_>, Ok(end): Result<Ended<'_, W>, Infallible>| {
            end.write(&mut out[message.number * self.digest..][..self.digest]);
        };
        let mut batch = InFlight::with_methods(self, &[], LaneMethods::new());
        let cx = &mut Context::from_waker(Waker::noop());
        while batch.step(cx, &mut next, &mut done) != Progress::Idle {}
    }
}

/// A message of several pieces in memory, with its index in the list.
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
