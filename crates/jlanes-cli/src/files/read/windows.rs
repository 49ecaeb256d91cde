//! Large files, a mapped window at a time.

use std::{io, ops::Range, os::fd::OwnedFd};

use rustix::{
    fs::{SeekFrom, fstat, seek},
    io::pread,
    param::page_size,
};

use crate::guard::Mapping;

/// Bytes of the smallest file that is mapped.
pub(super) const LARGE: i64 = 1 << 20;

/// A regular file from some offset on.
#[derive(Debug)]
pub(super) struct Windows {
    fd: OwnedFd,
    window: Mapping,
    /// What is left of the window.
    rest: Range<usize>,
    /// Offset of the window's end.
    end: u64,
    /// Bytes of a window, and the alignment of its end.
    size: usize,
}

/// What comes after a window.
pub(super) enum Next {
    Window(Windows),
    /// The rest of the file, if there is any, has to be read; it starts at the file's position.
    Plain(OwnedFd),
}

impl Windows {
    /// The file `fd` from `at` on, `size` bytes at a time.
    pub(super) fn open(fd: OwnedFd, at: u64, size: usize) -> io::Result<Next> {
        let left = self::size(&fd)?.saturating_sub(at);
        let window = size - at as usize % size;
        // mappings start with a page
        let skip = at as usize % page_size();
        let len = skip + usize::try_from(left).map_or(window, |left| left.min(window));
        // where a file cannot be mapped it can be read
        match (left > 0).then(|| Mapping::new(&fd, at - skip as u64, len)) {
            Some(Ok(window)) => {
                let end = at + (len - skip) as u64;
                Ok(Next::Window(Self { fd, window, rest: skip..len, end, size }))
            }
            _ => {
                seek(&fd, SeekFrom::Start(at))?;
                Ok(Next::Plain(fd))
            }
        }
    }

    pub(super) fn piece(&self) -> &[u8] {
        &self.window.bytes()[self.rest.clone()]
    }

    pub(super) fn consume(&mut self, n: usize) {
        self.rest.start += n;
    }

    /// Goes on behind a window that has been hashed.
    ///
    /// # Errors
    /// If not everything in it was the file's.
    pub(super) fn next(self) -> io::Result<Next> {
        if let Some(lost) = self.window.lost() {
            let start = self.end - self.rest.end as u64;
            // a disk that fails says so again
            pread(&self.fd, &mut [0; 1], start + lost as u64)?;
            return Err(truncated());
        }
        // the part of the last page behind a file's end reads as zeros
        if size(&self.fd)? < self.end {
            return Err(truncated());
        }
        drop(self.window);
        Self::open(self.fd, self.end, self.size)
    }
}

fn size(fd: &OwnedFd) -> io::Result<u64> {
    Ok(u64::try_from(fstat(fd)?.st_size).unwrap_or(0))
}

fn truncated() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "truncated while it was read")
}
