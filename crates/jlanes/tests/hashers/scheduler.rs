//! `Scheduler`: messages that arrive in pieces, while others run.

use std::{
    convert::Infallible,
    task::{Context, Poll},
};

use jlanes::{
    Algorithm, Backend, Sha256,
    digest::Output,
    multi::{Lanes, Scheduler, Source},
};
use jlanes_testing::{backends, message};

use crate::table::{Hasher, expected};

for_every_hasher!(slices, messages_in_pieces, submitting_while_others_run);

/// A message in pieces of the given lengths, over and over; `None` between them is the buffer.
#[derive(Clone, Debug)]
pub(crate) struct Pieces<'m> {
    key: usize,
    rest: &'m [u8],
    lengths: std::iter::Cycle<std::slice::Iter<'m, usize>>,
    piece: &'m [u8],
}

impl<'m> Pieces<'m> {
    /// `lengths` may contain no zero: an empty piece is the message's end.
    pub(crate) fn new(key: usize, message: &'m [u8], lengths: &'m [usize]) -> Self {
        Self { key, rest: message, lengths: lengths.iter().cycle(), piece: &[] }
    }
}

impl Source for Pieces<'_> {
    type Key = usize;
    type Error = Infallible;
    type Buffer = ();

    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), Infallible>> {
        if self.piece.is_empty() {
            let len = *self.lengths.next().expect("the lengths start over");
            (self.piece, self.rest) = self.rest.split_at(len.min(self.rest.len()));
        }
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        self.piece
    }

    fn consume(&mut self, (): &mut (), n: usize) {
        self.piece = &self.piece[n..];
    }

    fn into_key(self) -> usize {
        self.key
    }
}

/// Checks that every message came out once, with its digest.
fn check<H: Hasher>(messages: &[Vec<u8>], outcomes: Vec<(usize, Result<Output<H>, Infallible>)>) {
    let mut seen = vec![false; messages.len()];
    for (key, Ok(digest)) in outcomes {
        assert!(!std::mem::replace(&mut seen[key], true), "message {key} came twice");
        assert_eq!(digest, expected::<H>(&messages[key]), "message {key}");
    }
    assert!(seen.iter().all(|seen| *seen), "messages are missing: {seen:?}");
}

fn messages() -> Vec<Vec<u8>> {
    (0..41).map(|i| message(i, (i * i * 37 % 1000) as usize)).collect()
}

fn slices<H: Hasher>() {
    let messages = messages();
    for backend in backends::<Backend>() {
        for count in 0..=messages.len() {
            let sources = messages[..count].iter().map(Vec::as_slice).enumerate();
            check::<H>(&messages[..count], H::schedule(backend, sources));
        }
    }
}

fn messages_in_pieces<H: Hasher>() {
    let messages = messages();
    for lengths in [&[1][..], &[63, 1], &[64], &[128, 1, 127], &[65, 300], &[5, 250, 17]] {
        for backend in backends::<Backend>() {
            let pieces = messages.iter().enumerate().map(|(i, m)| Pieces::new(i, m, lengths));
            check::<H>(&messages, H::schedule(backend, pieces));
        }
    }
}

/// Messages are submitted one a step, so that lanes fill up while others are under way.
fn submitting_while_others_run<H: Hasher>() {
    let messages = messages();
    let mut scheduler = Scheduler::<H, _>::new();
    let mut outcomes = Vec::new();
    for source in messages.iter().map(Vec::as_slice).enumerate() {
        scheduler.submit(source);
        outcomes.extend(scheduler.step());
    }
    while !scheduler.is_empty() {
        outcomes.extend(scheduler.step());
    }
    check::<H>(&messages, outcomes);
}

#[test]
fn a_scheduler_counts_what_it_holds() {
    let mut scheduler = Lanes::<Sha256>::new().on(Backend::portable()).scheduler();
    assert!(scheduler.is_empty() && scheduler.drain().next().is_none());
    for key in 0..3 {
        scheduler.submit((key, &[0; 100][..]));
    }
    assert_eq!((scheduler.len(), scheduler.waiting()), (3, 3));
    // the portable backend has one lane, and 100 bytes are two blocks with their padding
    assert_eq!(scheduler.step().count(), 0);
    assert_eq!((scheduler.len(), scheduler.waiting()), (3, 2));
    assert_eq!(scheduler.drain().size_hint(), (3, Some(3)));
    assert_eq!(scheduler.drain().count(), 3);
    assert!(scheduler.is_empty());
    let usage = scheduler.usage();
    assert_eq!((usage.blocks, usage.steps), (6, 6));
}

/// Of many digests that end in one step, a caller may take one at a time.
#[test]
fn what_a_step_has_left_comes_with_the_next() {
    fn one_by_one<D>(step: &mut dyn FnMut() -> Option<(usize, D)>) -> Vec<usize> {
        let mut keys: Vec<_> = (0..200).filter_map(|_| step()).map(|(key, _)| key).collect();
        keys.sort_unstable();
        keys
    }
    let all: Vec<_> = (0..30).collect();
    let mut scheduler = Scheduler::<Sha256, _>::new();
    all.iter().for_each(|key| scheduler.submit((*key, &b"short"[..])));
    assert_eq!(one_by_one(&mut || scheduler.step().next()), all);
    assert!(scheduler.is_empty());
    for name in ["sha256", "jlanes8-sha256"] {
        let lanes = name.parse::<Algorithm>().unwrap().lanes().unwrap();
        let mut scheduler = lanes.scheduler();
        all.iter().for_each(|key| scheduler.submit((*key, &b"short"[..])));
        assert_eq!(one_by_one(&mut || scheduler.step().next()), all, "{name}");
        assert!(scheduler.is_empty());
    }
}

#[test]
fn a_drained_scheduler_starts_anew() {
    let texts = [message(0, 500), message(1, 500), message(2, 500)];
    let mut scheduler = Scheduler::<Sha256, _>::default();
    for text in &texts {
        for key in 0..20 {
            scheduler.submit((key, &text[key..]));
        }
        for (key, Ok(digest)) in scheduler.drain() {
            assert_eq!(digest, expected::<Sha256>(&text[key..]), "message {key}");
        }
    }
}
