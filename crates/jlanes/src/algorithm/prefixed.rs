//! Messages with a common prefix.

use alloc::rc::Rc;
use core::task::{Context, Poll};

use jlanes_core::{batch::Source, wipe::Buffer};

/// A message with an optional prefix.
pub(super) struct Prefixed<S> {
    source: S,
    /// `None` once it has been hashed.
    prefix: Option<Rc<Buffer>>,
    /// The number of its bytes that have been hashed.
    at: usize,
}

impl<S> Prefixed<S> {
    /// A message in its initial state.
    pub(super) fn new(source: S, prefix: Option<Rc<Buffer>>) -> Self {
        Self { source, prefix, at: 0 }
    }
}

impl<S: Source> Source for Prefixed<S> {
    type Key = S::Key;
    type Error = S::Error;
    type Buffer = S::Buffer;

    #[inline]
    fn fill(&mut self, cx: &mut Context<'_>, buffer: &mut S::Buffer) -> Poll<Result<(), S::Error>> {
        match self.prefix {
            Some(_) => Poll::Ready(Ok(())),
            None => self.source.fill(cx, buffer),
        }
    }

    #[inline]
    fn piece<'a>(&'a self, buffer: &'a S::Buffer) -> &'a [u8] {
        match &self.prefix {
            Some(prefix) => &prefix[self.at..],
            None => self.source.piece(buffer),
        }
    }

    #[inline]
    fn consume(&mut self, buffer: &mut S::Buffer, n: usize) {
        let Some(prefix) = &self.prefix else { return self.source.consume(buffer, n) };
        self.at += n;
        if self.at == prefix.len() {
            self.prefix = None;
        }
    }

    #[inline]
    fn into_key(self) -> S::Key {
        self.source.into_key()
    }
}
