//! Large files, one mapped window at a time.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom},
    ops::Range,
};

use crate::system::{Mapping, page_size, probe, stat_file};

/// The smallest size of a file that is mapped.
pub(super) const MIN_MAPPED_BYTES: u64 = 1 << 20;

/// A regular file from some offset on.
#[derive(Debug)]
pub(super) struct MappedFile {
    file: File,
    window: Mapping,
    /// The rest of the window.
    rest: Range<usize>,
    /// File offset of the window's end.
    end: u64,
    /// Size of a window, and the alignment of its end.
    size: usize,
}

/// The next bytes of a file: a mapped window, or the file itself, which is read into a buffer.
pub(super) enum WindowOrFile {
    Window(MappedFile),
    /// The rest of the file, if any, is read from the file's position.
    File(File),
}

impl MappedFile {
    /// `file` from `at` on, `size` bytes at a time.
    pub(super) fn open(mut file: File, at: u64, size: usize) -> io::Result<WindowOrFile> {
        let left = self::size(&file)?.saturating_sub(at);
        let window = size - at as usize % size;
        // a mapping starts at a page
        let skip = at as usize % page_size();
        let len = skip + usize::try_from(left).map_or(window, |left| left.min(window));
        // a file that cannot be mapped may still be readable
        match (left > 0).then(|| Mapping::new(&file, at - skip as u64, len)) {
            Some(Ok(window)) => {
                let end = at + (len - skip) as u64;
                Ok(WindowOrFile::Window(Self { file, window, rest: skip..len, end, size }))
            }
            _ => {
                file.seek(SeekFrom::Start(at))?;
                Ok(WindowOrFile::File(file))
            }
        }
    }

    pub(super) fn piece(&self) -> &[u8] {
        &self.window.bytes()[self.rest.clone()]
    }

    pub(super) fn consume(&mut self, n: usize) {
        self.rest.start += n;
    }

    /// Continues after a hashed window.
    ///
    /// # Errors
    ///
    /// If a part of it did not come from the file.
    pub(super) fn next(self) -> io::Result<WindowOrFile> {
        check_mapped(&self.file, &self.window, self.end - self.rest.end as u64, self.end)?;
        #[allow(clippy::drop_non_drop, reason = "some systems map nothing")]
        drop(self.window);
        Self::open(self.file, self.end, self.size)
    }
}

/// Checks that all bytes of `mapping`, those of `file` from `start` to `end`, came from the file.
pub(super) fn check_mapped(file: &File, mapping: &Mapping, start: u64, end: u64) -> io::Result<()> {
    if let Some(lost) = mapping.lost() {
        // a failing disk reports its error again
        probe(file, start + lost as u64)?;
        return Err(truncated());
    }
    // bytes between the end of the file and the end of its last page read as zeros
    if size(file)? < end { Err(truncated()) } else { Ok(()) }
}

fn size(file: &File) -> io::Result<u64> {
    Ok(stat_file(file)?.size)
}

pub(super) fn truncated() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "truncated while it was read")
}
