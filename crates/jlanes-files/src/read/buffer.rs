//! Read buffers of lanes, and mapped windows in their place.

use std::{
    fs::File,
    io::{self, Read as _},
};

use super::Reader;
use crate::{system, threads::Threads};

/// Bytes of a lane's mapped window: mapping much smaller ones takes a noticeable part of the time of hashing.
const WINDOW_BYTES: usize = 2 << 20;

/// Bytes of a lane's buffer. Those of 16 lanes fit into a second-level cache of 1 MiB with room to
/// spare.
const BUFFER_BYTES: usize = 32 << 10;

/// Bytes read at once from a reader.
const READ_BYTES: usize = 16 << 10;

/// The buffer of a message.
#[derive(Debug)]
pub struct Buffer {
    bytes: Vec<u8>,
    /// The number of consumed bytes.
    start: usize,
    pub(super) capacity: usize,
    /// Size of a window of mapped files, and the alignment of its end.
    pub(super) window: usize,
    /// The threads that hash the messages, and the capacity if there is only one.
    shared: Option<(Threads, usize)>,
}

/// A lane's buffer.
impl Default for Buffer {
    fn default() -> Self {
        Self::new(BUFFER_BYTES, WINDOW_BYTES)
    }
}

impl Buffer {
    /// A buffer for `capacity` bytes, allocated at first use, and windows of `window` bytes.
    pub(crate) fn new(capacity: usize, window: usize) -> Self {
        Self { bytes: Vec::new(), start: 0, capacity, window, shared: None }
    }

    /// The buffer of one message at a time, hashed by all `threads`. If that is one thread, the buffer
    /// has a capacity of `in_cache` bytes after the first piece, and uses no windows.
    pub(crate) fn of_threads(self, threads: Threads, in_cache: usize) -> Self {
        Self { shared: Some((threads, in_cache)), ..self }
    }

    /// Whether one thread hashes a file from this buffer, and a window holds no more of the file. Then
    /// page faults and cache misses of a window take longer than copying (docs/EXPERIMENTS.md, "Reading
    /// files").
    pub(super) fn is_better_than_window(&self) -> bool {
        self.in_cache().is_some()
    }

    /// The capacity with which the bytes stay in the cache of the only thread.
    fn in_cache(&self) -> Option<usize> {
        self.shared.as_ref().filter(|(threads, _)| threads.count() == 1).map(|(_, bytes)| *bytes)
    }

    /// Shrinks the buffer, if only one thread hashes its messages, so that the next pieces stay in the
    /// thread's cache (docs/EXPERIMENTS.md, "Reading files").
    pub(super) fn shrink_to_cache(&mut self) {
        if let Some(capacity) = self.in_cache().filter(|bytes| *bytes < self.capacity) {
            self.capacity = capacity;
            self.bytes = Vec::new();
        }
    }

    /// Discards the contents.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.start = 0;
    }

    /// The unconsumed bytes.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Drops the first `n` bytes of the rest.
    pub(super) fn consume(&mut self, n: usize) {
        self.start += n;
    }

    /// Fills the buffer from `file`, after `head`. Returns the number of bytes read, and whether
    /// the file may have more.
    pub(super) fn read(&mut self, file: &File, head: &[u8]) -> io::Result<(usize, bool)> {
        self.begin(head);
        let more = loop {
            if self.bytes.len() == self.bytes.capacity() {
                break true;
            }
            if system::read(file, &mut self.bytes)? == 0 {
                break false;
            }
        };
        Ok((self.bytes.len() - head.len(), more))
    }

    /// Reads up to `most` bytes from `file`. Returns their number, 0 at the end.
    pub(super) fn read_at_most(&mut self, file: &File, most: u64) -> io::Result<usize> {
        self.begin(&[]);
        file.take(most.min(self.capacity as u64)).read_to_end(&mut self.bytes)
    }

    /// Fills the buffer from `reader`, as [`read`](Self::read) does.
    pub(super) fn read_from(&mut self, reader: &Reader) -> io::Result<(usize, bool)> {
        self.begin(&[]);
        let mut read = 0;
        let result = loop {
            if read == self.capacity {
                break Ok((read, true));
            }
            // Safe code reads only into initialized bytes. It initializes few at a time, so as not to
            // slow down reading, and each only once, however little the reader gives.
            let end = self.capacity.min(read + READ_BYTES);
            if self.bytes.len() < end {
                self.bytes.resize(end, 0);
            }
            match reader.read(&mut self.bytes[read..end]) {
                Ok(0) => break Ok((read, false)),
                Ok(n) => read += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.bytes.truncate(read);
        result
    }

    /// Adds `text` after `head`.
    pub(super) fn put(&mut self, head: &[u8], text: &[u8]) {
        self.begin(head);
        self.bytes.extend_from_slice(text);
    }

    fn begin(&mut self, head: &[u8]) {
        self.clear();
        self.bytes.reserve_exact(self.capacity);
        self.bytes.extend_from_slice(head);
    }
}
