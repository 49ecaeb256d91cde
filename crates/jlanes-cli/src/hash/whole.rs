//! Files that are hashed one at a time, each with all lanes and, if it is large, all threads to
//! itself: trees, and several digests from one read.

use std::{collections::VecDeque, sync::OnceLock};

use jlanes::multi::{Source, Usage};
use rayon::{
    ThreadPoolBuilder,
    iter::{IntoParallelRefMutIterator, ParallelIterator},
};

use super::lanes::{Finished, Lanes, Report};
use crate::{
    method::{FileHasher, Method},
    read::{Buffer, FileSource, ReadError},
};

/// Bytes that are read at once. A file that has more is hashed by all threads.
const PIECE: usize = 4 << 20;

/// Bytes of a large file that are mapped at once: enough work to wake all threads for.
const WINDOW: usize = 8 << 20;

/// One thread's queue of files.
pub(crate) struct Whole {
    method: Method,
    waiting: VecDeque<FileSource>,
    current: Option<Current>,
    buffer: Buffer,
    bytes: u64,
}

/// The file that is being hashed.
struct Current {
    source: FileSource,
    hashers: Vec<Box<dyn FileHasher>>,
    /// Whether all threads hash it.
    parallel: bool,
}

impl Current {
    /// A file whose hashers are made when it is known how long it is.
    fn new(source: FileSource) -> Self {
        Self { source, hashers: Vec::new(), parallel: false }
    }
}

impl Whole {
    pub(crate) fn new(method: Method) -> Self {
        let (waiting, buffer) = (VecDeque::new(), Buffer::new(PIECE, WINDOW));
        Self { method, waiting, current: None, buffer, bytes: 0 }
    }

    /// Whether a file whose first piece is so long is worth all threads.
    fn shares(&self, first: usize) -> bool {
        /// Whether rayon's pool could be started.
        static POOL: OnceLock<bool> = OnceLock::new();
        let start = |threads| ThreadPoolBuilder::new().num_threads(threads).build_global().is_ok();
        let threads = || self.method.settings.threads();
        first >= PIECE && threads() > 1 && *POOL.get_or_init(|| start(threads()))
    }

    /// Reads and hashes the next piece of a file. Returns whether it goes on.
    fn advance(&mut self, file: &mut Current) -> Result<bool, ReadError> {
        file.source.fill(&mut self.buffer)?;
        let piece = file.source.piece(&self.buffer);
        let n = piece.len();
        if file.hashers.is_empty() {
            file.parallel = self.shares(n);
            file.hashers = self.method.hashers(file.parallel);
        }
        if file.parallel && file.hashers.len() > 1 {
            file.hashers.par_iter_mut().for_each(|hasher| hasher.update(piece));
        } else {
            file.hashers.iter_mut().for_each(|hasher| hasher.update(piece));
        }
        self.bytes += n as u64;
        file.source.consume(&mut self.buffer, n);
        Ok(n > 0)
    }
}

impl Lanes for Whole {
    fn submit(&mut self, source: FileSource) {
        self.waiting.push_back(source);
    }

    fn len(&self) -> usize {
        self.waiting.len() + usize::from(self.current.is_some())
    }

    fn step(&mut self, finished: &mut Vec<Finished>) {
        let next = self.current.take().or_else(|| self.waiting.pop_front().map(Current::new));
        let Some(mut file) = next else { return };
        let digests = match self.advance(&mut file) {
            Ok(true) => return self.current = Some(file),
            Ok(false) => Ok(file.hashers.into_iter().map(FileHasher::finish).collect()),
            Err(error) => {
                self.buffer.clear();
                Err(error)
            }
        };
        let (number, len) = file.source.into_key();
        finished.push(Finished { number, len, digests });
    }

    fn usage(&self) -> Usage {
        Usage { blocks: self.bytes / 64, ..Usage::default() }
    }

    fn report(&self) -> Report {
        Report { kernels: self.method.kernels(), lanes: 1, usage: Usage::default() }
    }
}
