//! Messages from readers, under an algorithm selected at run time.

use alloc::boxed::Box;
use std::{
    io::{self, ErrorKind, Read},
    thread,
};

use jlanes_core::wipe::Buffer;

use super::lanes::AnyLanes;
use crate::multi::ReadSource;

/// A message that is read while it is hashed.
pub type Reader<'r> = Box<dyn Read + 'r>;

/// Messages waiting for a lane; one is enough if lanes empty one at a time.
const WAITING_READERS: usize = 1;

/// Bytes per read for algorithms without lanes.
const READ_BYTES: usize = 64 << 10;

impl AnyLanes {
    /// Hashes messages from readers to their ends, as many at once as there are lanes. It requests
    /// a reader when a lane is about to be free, so files can be opened that late. `done` gets the
    /// reader's index, in the order in which they end, and the digest or the error.
    ///
    /// Everything happens on the calling thread.
    ///
    /// ```
    /// use jlanes::{Algorithm, Digest, Sha512};
    ///
    /// let lanes = "sha512".parse::<Algorithm>()?.lanes()?;
    /// let texts = ["one", "two", "three"];
    /// let readers = texts.iter().map(|text| Box::new(text.as_bytes()) as _);
    /// lanes.digest_readers(readers, |i, digest| {
    ///     assert_eq!(digest.ok(), Some(&Sha512::digest(texts[i])[..]));
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn digest_readers<'r>(
        &self,
        mut readers: impl Iterator<Item = Reader<'r>>,
        mut done: impl FnMut(usize, io::Result<&[u8]>),
    ) {
        if self.shares_lanes_in_flight() {
            return self.digest_on_lanes(&mut readers, &mut done);
        }
        readers.enumerate().for_each(|(i, reader)| match self.digest_reader(reader) {
            Ok(digest) => done(i, Ok(&digest)),
            Err(error) => done(i, Err(error)),
        });
    }

    /// The digests of readers that share lanes.
    fn digest_on_lanes(
        &self,
        readers: &mut dyn Iterator<Item = Reader<'_>>,
        done: &mut dyn FnMut(usize, io::Result<&[u8]>),
    ) {
        let mut readers = readers.enumerate().fuse();
        let mut scheduler = self.scheduler();
        loop {
            while scheduler.waiting() < WAITING_READERS
                && let Some((i, reader)) = readers.next()
            {
                scheduler.submit(ReadSource(i, reader));
            }
            if scheduler.is_empty() {
                return;
            }
            for (i, digest) in scheduler.step() {
                match digest {
                    Ok(digest) => done(i, Ok(&digest)),
                    Err(error) => done(i, Err(error)),
                }
            }
        }
    }

    /// The digest of one reader under an algorithm without lanes.
    fn digest_reader(&self, mut reader: Reader<'_>) -> io::Result<Box<[u8]>> {
        let mut hasher = self.hasher();
        hasher.update(&self.settings.prefix);
        let mut piece = Buffer::new();
        piece.resize(READ_BYTES);
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok(hasher.finalize()),
                Ok(n) => hasher.update(&piece[..n]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => thread::yield_now(),
                Err(error) => return Err(error),
            }
        }
    }
}
