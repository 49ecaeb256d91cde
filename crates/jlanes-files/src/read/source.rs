//! A file as the message of a lane: opening, reading, mapping, holes, and changes during the read.

use std::{
    ffi::CString,
    fs::File,
    io::{self, Seek, SeekFrom},
    mem,
    ops::Range,
    task::{Context, Poll},
};

use jlanes::multi::Source;

use super::{
    Buffer, LargeFileOrder, Opened, ReadAlone, Reader, Target, device,
    mapped::{MIN_MAPPED_BYTES, MappedFile, WindowOrFile},
    options::{MapPolicy, ProgressCallback, ReadOptions},
    parallel_range::{MapTrial, ParallelRange},
};
use crate::system::{FileKind, Stat, is_local, next_data, read_sequentially, stat_file};

/// The reason why a lane has given up a message: an error, or that the file has to be read alone.
#[derive(Debug)]
pub enum ReadError {
    Io(io::Error),
    /// The file must be read alone, in its turn.
    Alone(ReadAlone),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The input of a message, from the time before it is opened to its end.
#[derive(Debug)]
enum SourceState {
    Closed(Target),
    /// Just opened, with its status if known. The first piece is read and not mapped, because a small file ends in it.
    Unread(File, Option<Stat>),
    Open(File),
    Read(Reader),
    Mapped(MappedFile),
    Ended,
}

/// Properties of a finished message.
#[derive(Clone, Copy, Debug)]
pub struct ReadSummary {
    pub number: u64,
    /// Bytes read.
    pub len: u64,
    /// The file's status when it was opened, if it is recorded or watched.
    pub stat: Option<Stat>,
    /// Whether the file was seen to change while it was read.
    pub changed: bool,
}

impl ReadSummary {
    /// Of a message without bytes.
    pub(crate) fn empty(number: u64) -> Self {
        Self { number, len: 0, stat: None, changed: false }
    }
}

/// A file or stream as the message of a lane.
#[derive(Debug)]
pub struct FileSource {
    summary: ReadSummary,
    /// The header before the contents, until it is in the buffer.
    git_header: Option<String>,
    /// The length stated in the header.
    git_blob_len: Option<u64>,
    /// Whether the file is known to have holes.
    has_holes: bool,
    /// The offset where the next hole begins; there is no search before it. 0 before the first search,
    /// `u64::MAX` if the file has no hole from here on, or the system knows none.
    data_until: u64,
    reading: ReadOptions,
    input: SourceState,
}

impl FileSource {
    /// The file at `target`, to be opened when it gets its lane.
    pub(crate) fn new(number: u64, target: Target, reading: &ReadOptions) -> Self {
        Self::with(number, reading.clone(), SourceState::Closed(target))
    }

    /// The size of a file that is not open yet, if the system reports it.
    pub(crate) fn size(&self) -> Option<u64> {
        if let SourceState::Closed(target) = &self.input { target.size() } else { None }
    }

    /// Whether the message ends after one buffer. The lanes decide how large that is.
    pub(crate) fn ends_after_one_buffer(&self) -> bool {
        self.reading.first_buffer_only
    }

    /// A file that is read alone from now on. Blocks until a FIFO has a writer, or has had one.
    ///
    /// # Errors
    ///
    /// The system's error.
    pub(crate) fn alone(number: u64, file: ReadAlone, reading: &ReadOptions) -> io::Result<Self> {
        Ok(match file {
            ReadAlone::LargeFile(target) => {
                let reading = ReadOptions { large: LargeFileOrder::SideBySide, ..reading.clone() };
                Self::with(number, reading, SourceState::Closed(target))
            }
            ReadAlone::Stream(stream) => {
                let progress = reading.progress.clone();
                let reading =
                    ReadOptions { map: MapPolicy::Never, progress, ..ReadOptions::default() };
                Self::with(number, reading, SourceState::Open(stream.into_ready()?))
            }
        })
    }

    fn with(number: u64, reading: ReadOptions, input: SourceState) -> Self {
        Self {
            summary: ReadSummary::empty(number),
            git_header: None,
            git_blob_len: None,
            has_holes: false,
            data_until: 0,
            reading,
            input,
        }
    }

    /// Gets the next bytes, into `buffer` unless the file is mapped.
    fn refill(&mut self, buffer: &mut Buffer) -> Result<(), ReadError> {
        match mem::replace(&mut self.input, SourceState::Ended) {
            SourceState::Closed(target) => match self.open(target, buffer.capacity)? {
                None => self.refill(buffer),
                Some(link) => {
                    let git_header = self.git_header.take().unwrap_or_default();
                    buffer.put(git_header.as_bytes(), link.to_bytes());
                    self.record_read(link.to_bytes().len() as u64);
                    Ok(())
                }
            },
            SourceState::Unread(file, _) => self.read(file, buffer),
            SourceState::Open(file) if self.is_to_be_mapped(&file, buffer)? => {
                // without a window, reading goes on
                self.reading.map = MapPolicy::Never;
                self.start_window(MappedFile::open(file, self.summary.len, buffer.window)?, buffer)
            }
            SourceState::Open(file) => {
                buffer.shrink_to_cache();
                self.read(file, buffer)
            }
            SourceState::Read(reader) => self.read_from(reader, buffer),
            SourceState::Mapped(mapped) => self.start_window(mapped.next()?, buffer),
            SourceState::Ended => Ok(()),
        }
    }

    /// Opens a file that is not open yet, if threads may read it from its beginning. Returns whether they should,
    /// because it has `least` bytes or more.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or must be read alone.
    pub(crate) fn open_large(&mut self, least: usize) -> Result<bool, ReadError> {
        let ReadOptions { hash_links, first_buffer_only, .. } = self.reading;
        let may_share = |target: &Target| !hash_links && !first_buffer_only && !target.is_git();
        match mem::replace(&mut self.input, SourceState::Ended) {
            SourceState::Closed(target) if may_share(&target) => self.open(target, least)?,
            other => {
                self.input = other;
                return Ok(false);
            }
        };
        let SourceState::Unread(file, stat) = &self.input else { return Ok(false) };
        let is_large = stat.map_or_else(|| stat_file(file), Ok)?.size >= least as u64;
        if is_large {
            read_sequentially(file);
        }
        Ok(is_large)
    }

    /// Opens the file; up to `small` bytes need not be read alone. Returns the message of a symbolic link.
    fn open(&mut self, target: Target, small: usize) -> Result<Option<CString>, ReadError> {
        let git = target.is_git();
        match target.open(self.reading.hash_links || git)? {
            Opened::Regular(file, mut stat) => {
                let (device, large) = (target.device(), self.reading.large);
                if device::must_read_alone(&file, stat, device, small as u64, large)? {
                    return Err(ReadError::Alone(ReadAlone::LargeFile(target)));
                }
                if git {
                    self.start_git_blob(stat_file(&file)?.size);
                }
                if self.reading.record_stat || self.reading.detect_changes {
                    stat = Some(stat.map_or_else(|| stat_file(&file), Ok)?);
                    self.summary.stat = stat.filter(|stat| stat.kind == FileKind::File);
                }
                self.input = SourceState::Unread(file, stat);
            }
            Opened::Link(text) => {
                if git {
                    self.start_git_blob(text.to_bytes().len() as u64);
                }
                return Ok(Some(text));
            }
            Opened::Reader(reader) => self.input = SourceState::Read(reader),
            Opened::Stream(stream) => return Err(ReadError::Alone(ReadAlone::Stream(stream))),
        }
        Ok(None)
    }

    /// Starts git's blob of `len` bytes.
    fn start_git_blob(&mut self, len: u64) {
        self.git_header = Some(format!("blob {len}\0"));
        self.git_blob_len = Some(len);
    }

    fn is_to_be_mapped(&self, file: &File, buffer: &Buffer) -> io::Result<bool> {
        Ok(match self.reading.map {
            MapPolicy::Never => false,
            MapPolicy::Local if buffer.is_better_than_window() => false,
            MapPolicy::Local => stat_file(file)?.size >= MIN_MAPPED_BYTES && is_local(file),
            MapPolicy::Always => stat_file(file)?.size >= MIN_MAPPED_BYTES,
        })
    }

    fn start_window(&mut self, next: WindowOrFile, buffer: &mut Buffer) -> Result<(), ReadError> {
        match next {
            WindowOrFile::Window(mapped) => {
                self.record_read(mapped.piece().len() as u64);
                self.input = SourceState::Mapped(mapped);
                Ok(())
            }
            WindowOrFile::File(file) => self.read(file, buffer),
        }
    }

    fn read(&mut self, file: File, buffer: &mut Buffer) -> Result<(), ReadError> {
        let git_header = self.git_header.take();
        let to_hole = self.data_until.saturating_sub(self.summary.len);
        let (n, more) = if self.has_holes && to_hole > 0 {
            let n = buffer.read_at_most(&file, to_hole)?;
            (n, n > 0)
        } else {
            buffer.read(&file, git_header.as_deref().unwrap_or_default().as_bytes())?
        };
        let more = more && !self.reading.first_buffer_only;
        if more {
            if self.summary.len == 0 {
                read_sequentially(&file);
            }
            self.input = SourceState::Open(file);
        } else if let Some(before) = self.summary.stat.filter(|_| self.reading.detect_changes) {
            let after = stat_file(&file)?;
            self.summary.changed = (before.size, before.modified) != (after.size, after.modified);
        }
        self.record_read(n as u64);
        if !more && self.git_blob_len.is_some_and(|len| len != self.summary.len) {
            return Err(io::Error::other("changed its length while it was read").into());
        }
        Ok(())
    }

    fn read_from(&mut self, reader: Reader, buffer: &mut Buffer) -> Result<(), ReadError> {
        let (n, more) = buffer.read_from(&reader)?;
        if more {
            self.input = SourceState::Read(reader);
        }
        self.record_read(n as u64);
        Ok(())
    }

    fn record_read(&mut self, bytes: u64) {
        self.summary.len += bytes;
        if let Some(ProgressCallback(count)) = &self.reading.progress {
            count(bytes);
        }
    }
}

impl FileSource {
    /// The open file, if its next bytes are not mapped.
    fn unmapped(&self) -> Option<&File> {
        match &self.input {
            SourceState::Unread(file, _) | SourceState::Open(file) => Some(file),
            _ => None,
        }
    }

    /// Skips the hole after a consumed piece. Returns its length, or 0.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn skip_hole(&mut self, buffer: &Buffer) -> io::Result<u64> {
        let Some(file) = self.unmapped() else { return Ok(0) };
        let at = self.summary.len;
        if at < self.data_until || !self.piece(buffer).is_empty() || self.git_blob_len.is_some() {
            return Ok(0);
        }
        // standard input need not begin at the start of the file, and a pipe has no position
        let is_whole = { file }.stream_position().is_ok_and(|position| position == at);
        let Some(data) = is_whole.then(|| next_data(file, at)).flatten() else {
            self.data_until = u64::MAX;
            return Ok(0);
        };
        (&*file).seek(SeekFrom::Start(data.start))?;
        if data.start == at && data.end >= stat_file(file)?.size {
            // no hole
            self.data_until = u64::MAX;
            return Ok(0);
        }
        // mapped bytes are not skipped, so windows end here
        self.reading.map = MapPolicy::Never;
        self.has_holes = true;
        self.data_until = data.end;
        self.record_read(data.start - at);
        Ok(data.start - at)
    }

    /// The next bytes of a file that threads may read at the same time, if there are any.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn next_parallel_range(
        &self,
        buffer: &Buffer,
        trial: &MapTrial,
    ) -> io::Result<Option<ParallelRange<'_>>> {
        let Some(file) = self.unmapped() else { return Ok(None) };
        // holes and headers are handled in order
        let has_order = self.has_holes || self.git_blob_len.is_some();
        let ReadOptions { map, first_buffer_only, .. } = self.reading;
        let must_read = has_order || first_buffer_only || map == MapPolicy::Always;
        if must_read || self.data_until != u64::MAX || !self.piece(buffer).is_empty() {
            return Ok(None);
        }
        // a pipe has no position
        let Ok(start) = { file }.stream_position() else { return Ok(None) };
        let may_be_mapped = map == MapPolicy::Local && is_local(file);
        let (size, max) = (stat_file(file)?.size, trial.max_range_bytes());
        Ok(ParallelRange::new(file, start, size, max, may_be_mapped))
    }

    /// Skips a range that threads have read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn skip_range(&mut self, range: Range<u64>) -> io::Result<()> {
        let Some(mut file) = self.unmapped() else { unreachable!("it has ranges") };
        file.seek(SeekFrom::Start(range.end))?;
        self.record_read(range.end - range.start);
        Ok(())
    }

    /// Makes the piece non-empty, unless the file is at its end. Reading may block.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn read_on(&mut self, buffer: &mut Buffer) -> Result<(), ReadError> {
        if self.piece(buffer).is_empty() {
            buffer.clear();
            // the next user of the lane must not find these bytes
            return self.refill(buffer).inspect_err(|_| buffer.clear());
        }
        Ok(())
    }
}

impl Source for FileSource {
    type Key = ReadSummary;
    type Error = ReadError;
    type Buffer = Buffer;

    fn fill(&mut self, _: &mut Context<'_>, buffer: &mut Buffer) -> Poll<Result<(), ReadError>> {
        Poll::Ready(self.read_on(buffer))
    }

    fn piece<'a>(&'a self, buffer: &'a Buffer) -> &'a [u8] {
        match &self.input {
            SourceState::Mapped(mapped) => mapped.piece(),
            _ => buffer.rest(),
        }
    }

    fn consume(&mut self, buffer: &mut Buffer, n: usize) {
        match &mut self.input {
            SourceState::Mapped(mapped) => mapped.consume(n),
            _ => buffer.consume(n),
        }
    }

    fn into_key(self) -> ReadSummary {
        self.summary
    }
}
