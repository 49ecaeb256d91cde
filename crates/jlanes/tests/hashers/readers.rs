//! `ReadSource` and `PollSource`: readers that are slow, are interrupted, would block, are pending, or fail; and
//! messages that sources own.

use std::{
    io::{self, ErrorKind, Read},
    task::{Context, Poll},
};

use jlanes::{
    Backend,
    multi::{PollSource, ReadSource},
};
use jlanes_testing::{backends, message};

use crate::table::{Hasher, expected};

for_every_hasher!(
    readers_may_be_slow,
    readers_may_be_pending,
    readers_longer_than_a_buffer,
    readers_may_fail,
    messages_may_be_owned
);

/// A reader that hands out few bytes at a time, is interrupted or not ready in between, and may fail.
struct Trickle<'m> {
    rest: &'m [u8],
    step: usize,
    calls: usize,
    /// The error that follows the last byte.
    fails: Option<ErrorKind>,
}

impl<'m> Trickle<'m> {
    fn new(message: &'m [u8], step: usize) -> Self {
        Self { rest: message, step, calls: 0, fails: None }
    }
}

impl Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        match self.calls % 5 {
            2 => return Err(ErrorKind::Interrupted.into()),
            3 => return Err(ErrorKind::WouldBlock.into()),
            _ => {}
        }
        if let (true, Some(kind)) = (self.rest.is_empty(), self.fails) {
            return Err(kind.into());
        }
        let n = (1 + self.calls * self.step % 200).min(out.len());
        self.rest.read(&mut out[..n])
    }
}

fn readers_may_be_slow<H: Hasher>() {
    let messages: Vec<_> = (0..37).map(|i| message(i, (i * 97 % 900) as usize)).collect();
    for backend in backends::<Backend>() {
        let sources = messages.iter().enumerate();
        let sources = sources.map(|(i, m)| ReadSource(i, Trickle::new(m, 2 * i + 1)));
        let outcomes = H::schedule(backend, sources);
        assert_eq!(outcomes.len(), messages.len());
        for (key, digest) in outcomes {
            let digest = digest.expect("it is no error to be slow");
            assert_eq!(digest, expected::<H>(&messages[key]), "{backend}, message {key}");
        }
    }
}

fn readers_may_be_pending<H: Hasher>() {
    let messages: Vec<_> = (0..37).map(|i| message(i, (i * 97 % 900) as usize)).collect();
    for backend in backends::<Backend>() {
        let sources = messages.iter().enumerate().map(|(i, m)| {
            let mut reader = Trickle::new(m, 2 * i + 1);
            PollSource(i, move |cx: &mut Context<'_>, bytes: &mut [u8]| match reader.read(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    cx.waker().wake_by_ref();
                    Poll::Pending
                }
                read => Poll::Ready(read),
            })
        });
        let outcomes = H::schedule(backend, sources);
        assert_eq!(outcomes.len(), messages.len());
        for (key, digest) in outcomes {
            let digest = digest.expect("it is no error to be pending");
            assert_eq!(digest, expected::<H>(&messages[key]), "{backend}, message {key}");
        }
    }
}

/// More messages than lanes, with lengths around a block's end, and empty ones.
fn messages_may_be_owned<H: Hasher>() {
    let messages: Vec<_> = (0..70).map(|i| message(i, (i * 61 % 300) as usize)).collect();
    for backend in backends::<Backend>() {
        let outcomes = H::schedule(backend, messages.iter().cloned().enumerate());
        assert_eq!(outcomes.len(), messages.len());
        for (key, Ok(digest)) in outcomes {
            assert_eq!(digest, expected::<H>(&messages[key]), "{backend}, message {key}");
        }
    }
}

fn readers_longer_than_a_buffer<H: Hasher>() {
    let lengths = [65_535, 65_536, 65_537, 3 * 65_536, 200_001];
    let messages: Vec<_> = lengths.map(|len| message(len as u64, len)).into();
    for backend in backends::<Backend>() {
        let sources = messages.iter().enumerate().map(|(i, m)| ReadSource(i, &m[..]));
        for (key, digest) in H::schedule(backend, sources) {
            let digest = digest.expect("a slice can be read");
            assert_eq!(digest, expected::<H>(&messages[key]), "{backend}, message {key}");
        }
    }
}

/// Every third reader fails, somewhere: before its first byte, within a block, at a block's end.
/// The others must not notice, least of all the ones that take over a failed message's lane.
fn readers_may_fail<H: Hasher>() {
    let messages: Vec<_> = (0..61).map(|i| message(i, (i * 64 % 513) as usize)).collect();
    let fails = |i: usize| match i % 6 {
        0 => Some(ErrorKind::PermissionDenied),
        3 => Some(ErrorKind::UnexpectedEof),
        _ => None,
    };
    for backend in backends::<Backend>() {
        let sources = messages.iter().enumerate().map(|(i, message)| {
            ReadSource(i, Trickle { fails: fails(i), ..Trickle::new(message, 2 * i + 1) })
        });
        let outcomes = H::schedule(backend, sources);
        assert_eq!(outcomes.len(), messages.len());
        for (key, outcome) in outcomes {
            match (fails(key), outcome) {
                (Some(kind), Err(error)) => assert_eq!(error.kind(), kind),
                (None, Ok(digest)) => {
                    assert_eq!(digest, expected::<H>(&messages[key]), "{backend}, message {key}");
                }
                (fails, outcome) => {
                    panic!("{backend}, message {key}: {outcome:?} with {fails:?}");
                }
            }
        }
    }
}
