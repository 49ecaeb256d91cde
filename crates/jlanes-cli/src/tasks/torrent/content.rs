//! A torrent's files as one sequence of bytes, from which pieces are read.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jlanes_files::torrent::Torrent;

use super::TorrentFiles;
use crate::system;

/// The concatenated files.
pub(crate) struct TorrentContent {
    files: Vec<PlacedFile>,
    /// The file that was read last, kept open because adjacent pieces are usually in the same file.
    open: Mutex<Option<(usize, Arc<File>)>>,
    /// The first error of each file that could not be read.
    failures: Mutex<BTreeMap<usize, io::Error>>,
}

/// A file of the torrent, and its place in the sequence of all bytes.
struct PlacedFile {
    path: Vec<u8>,
    start: u64,
    len: u64,
    is_padding: bool,
    state: InitialState,
}

/// The result of examining a file before any piece is read.
enum InitialState {
    Whole,
    /// The file has another length.
    Length(u64),
    Failed(io::Error),
}

impl TorrentContent {
    /// The files of `torrent`, at the paths of `torrent_files`.
    pub(super) fn new(torrent: &Torrent, torrent_files: &TorrentFiles) -> Self {
        let mut start = 0;
        let mut files = Vec::with_capacity(torrent.files.len());
        for file in &torrent.files {
            let path = torrent_files.path(file);
            let (len, is_padding) = (file.len, file.is_padding);
            let state = if is_padding { InitialState::Whole } else { examine(&path, len) };
            files.push(PlacedFile { path, start, len, is_padding, state });
            start += len;
        }
        Self { files, open: Mutex::default(), failures: Mutex::default() }
    }

    /// The range of bytes that file `at` takes.
    pub(super) fn range(&self, at: usize) -> (u64, u64) {
        let PlacedFile { start, len, .. } = self.files[at];
        (start, start + len)
    }

    /// The number of bytes of all files.
    pub(super) fn total(&self) -> u64 {
        self.files.last().map_or(0, |file| file.start + file.len)
    }

    /// The number of files that end at or before `at`.
    fn files_before(&self, at: u64) -> usize {
        self.files.partition_point(|file| file.start + file.len <= at)
    }

    /// Whether file `at` exists and has the right length.
    pub(super) fn is_whole(&self, at: usize) -> bool {
        matches!(self.files[at].state, InitialState::Whole)
    }

    /// Whether all bytes of a range, which is not empty, exist.
    pub(super) fn has(&self, (start, end): (u64, u64)) -> bool {
        // an empty file is part of no piece
        let has = |at| self.is_whole(at) || self.files[at].len == 0;
        (self.files_before(start)..=self.files_before(end - 1)).all(has)
    }

    /// The length of file `at`, if it is not the right one.
    ///
    /// # Errors
    /// The error that keeps the file from being read.
    pub(super) fn other_length(&self, at: usize) -> io::Result<Option<u64>> {
        match &self.files[at].state {
            InitialState::Whole => match lock(&self.failures).remove(&at) {
                Some(error) => Err(error),
                None => Ok(None),
            },
            InitialState::Length(len) => Ok(Some(*len)),
            InitialState::Failed(error) => Err(copy_error(error)),
        }
    }

    /// File `at`, open for reading at any offset.
    fn file(&self, at: usize) -> io::Result<Arc<File>> {
        let mut open = lock(&self.open);
        if let Some((_, file)) = open.as_ref().filter(|(of, _)| *of == at) {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(File::open(system::path(&self.files[at].path))?);
        *open = Some((at, Arc::clone(&file)));
        Ok(file)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A copy of an error.
fn copy_error(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

fn examine(path: &[u8], len: u64) -> InitialState {
    match system::stat(path).and_then(|stat| stat.regular_size()) {
        Err(error) => InitialState::Failed(error),
        Ok(size) if size == len => InitialState::Whole,
        Ok(size) => InitialState::Length(size),
    }
}

/// Reader of a piece, which may span several files.
pub(super) struct PieceReader {
    content: Arc<TorrentContent>,
    at: u64,
    end: u64,
    /// The file at `at`, once it is open.
    file: Option<(usize, Arc<File>)>,
}

impl PieceReader {
    pub(super) fn new(content: &Arc<TorrentContent>, (at, end): (u64, u64)) -> Self {
        Self { content: Arc::clone(content), at, end, file: None }
    }

    fn read_file(&mut self, of: usize, bytes: &mut [u8]) -> io::Result<usize> {
        let PlacedFile { start, len, .. } = self.content.files[of];
        let offset = self.at - start;
        let file = match self.file.take().filter(|(known, _)| *known == of) {
            Some((_, file)) => file,
            None => {
                let file = self.content.file(of)?;
                // lanes take turns with their pieces, which looks like random access to the system
                system::read_ahead(&file, offset, (self.end - self.at).min(len - offset));
                file
            }
        };
        let n = system::read_at(&file, bytes, offset)?;
        self.file = Some((of, file));
        if n == 0 { Err(io::Error::other("has become shorter")) } else { Ok(n) }
    }
}

impl Read for PieceReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.at == self.end || bytes.is_empty() {
            return Ok(0);
        }
        let of = self.content.files_before(self.at);
        let PlacedFile { start, len, is_padding, .. } = self.content.files[of];
        let most = (self.end.min(start + len) - self.at).min(bytes.len() as u64) as usize;
        let bytes = &mut bytes[..most];
        let read = if is_padding {
            bytes.fill(0);
            Ok(most)
        } else {
            self.read_file(of, bytes)
        };
        match read {
            Ok(n) => {
                self.at += n as u64;
                Ok(n)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let same = copy_error(&error);
                lock(&self.content.failures).entry(of).or_insert(error);
                Err(same)
            }
        }
    }
}
