//! The lanes of one thread for one method, whatever the method is.

use std::io;

use jlanes::multi::Usage;

use crate::files::read::{End, FileSource, ReadError};

/// A message that is over.
pub(crate) struct Finished {
    pub(crate) end: End,
    pub(crate) digests: Result<Digests, ReadError>,
}

/// The digests of one message, in the algorithms' order.
pub(crate) type Digests = Vec<io::Result<Box<[u8]>>>;

/// How the lanes were used, for `--debug`.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// Kernels by live lanes: the first for one lane, the last for all.
    pub(crate) kernels: Vec<(usize, &'static str)>,
    pub(crate) lanes: usize,
    pub(crate) usage: Usage,
}

/// Messages that are hashed side by side.
pub(crate) trait Lanes {
    /// Lines a message up.
    fn submit(&mut self, source: FileSource);

    /// Messages that are not over.
    fn len(&self) -> usize;

    /// Goes on with all messages for a while; those that are over go to `finished`.
    fn step(&mut self, finished: &mut Vec<Finished>);

    /// How well the lanes were filled so far.
    fn usage(&self) -> Usage;

    fn report(&self) -> Report;
}
