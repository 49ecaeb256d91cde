//! Tree hashes, and several digests from one read. Large files are hashed one at a time, each on all lanes and
//! threads; small ones are collected and hashed as a batch, unless one fills the lanes.

use std::{collections::VecDeque, sync::OnceLock, time::Instant};

use jlanes::multi::{Source, Usage};
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::{Digests, FileLanes, FinishedFile, LaneReport, LanesConfig, Receiver, fills_lanes};
use crate::{
    Computation, FileHasher,
    read::{Buffer, FileSource, MapTrial, ReadError, ReadSummary},
};

/// Bytes read at once. Longer files are hashed by all threads.
const READ_BYTES: usize = 4 << 20;

/// Bytes read at once by a single thread if leaves are short: half of a second-level cache.
const CACHED_BYTES: usize = 512 << 10;

/// Total bytes of small files hashed together with several digests or a tree hash. Larger files
/// fill the lanes of a tree alone.
const SMALL_FILES_BYTES: usize = 256 << 10;

/// Bytes of a large file mapped at once: enough work to wake all threads, and enough for several
/// leaves of any size, since long leaves run together only if they are in memory.
const WINDOW_BYTES: usize = 8 << 20;
/// The maximum number of bytes mapped at once, however long the leaves are.
const MAX_WINDOW_BYTES: usize = 32 << 20;
/// The number of leaves mapped at once, if they are long.
const WINDOW_LEAVES: usize = 16;

/// One thread's queue of files.
pub(super) struct WholeFiles {
    config: LanesConfig,
    waiting: VecDeque<FileSource>,
    current: Option<CurrentFile>,
    small: SmallFiles,
    buffer: Buffer,
    trial: MapTrial,
    bytes: u64,
}

/// Small files that wait in memory until there are enough to hash them together.
#[derive(Default)]
struct SmallFiles {
    /// The contents, concatenated.
    bytes: Vec<u8>,
    /// The number and length of each.
    files: Vec<ReadSummary>,
}

impl SmallFiles {
    /// Hashes and clears them.
    fn hash(&mut self, config: &LanesConfig, finished: &mut Vec<FinishedFile>) {
        if self.files.is_empty() {
            return;
        }
        let mut rest = &self.bytes[..];
        let messages: Vec<&[u8]> =
            self.files.iter().filter_map(|file| rest.split_off(..file.len as usize)).collect();
        let mut batches: Vec<_> =
            batches(config, &messages).into_iter().map(Vec::into_iter).collect();
        for summary in self.files.drain(..) {
            let digests = batches.iter_mut().filter_map(Iterator::next).collect();
            finished.push(FinishedFile { summary, digests: Ok(digests) });
        }
        self.bytes.clear();
    }
}

/// The file that is being hashed.
struct CurrentFile {
    source: FileSource,
    hashers: Vec<Box<dyn FileHasher>>,
    /// Whether all threads hash it.
    parallel: bool,
    /// Whether the threads may read it, too.
    shares_reading: bool,
}

impl CurrentFile {
    /// A file; its hashers are created when its length is known.
    fn new(source: FileSource) -> Self {
        Self { source, hashers: Vec::new(), parallel: false, shares_reading: false }
    }
}

impl WholeFiles {
    pub(super) fn new(config: LanesConfig) -> Self {
        let leaf = config.computations.iter().map(Computation::max_leaf_bytes).max().unwrap_or(0);
        let leaves = WINDOW_LEAVES.saturating_mul(leaf);
        let window = leaves.clamp(WINDOW_BYTES, MAX_WINDOW_BYTES).next_power_of_two();
        let mut buffer = Buffer::new(READ_BYTES, window);
        if window == WINDOW_BYTES {
            buffer =
                buffer.of_threads(config.threads.clone(), leaves.clamp(CACHED_BYTES, READ_BYTES));
        }
        let (waiting, small) = (VecDeque::new(), SmallFiles::default());
        Self { config, waiting, current: None, small, buffer, trial: MapTrial::default(), bytes: 0 }
    }

    /// Creates a hasher for each computation. If `parallel`, they use all threads.
    fn hashers(&self, parallel: bool) -> Vec<Box<dyn FileHasher>> {
        let LanesConfig { computations, backend, on_tree, .. } = &self.config;
        computations.iter().map(|it| it.hasher_with(*backend, parallel, on_tree.as_ref())).collect()
    }

    /// Opens a file. If all threads should read it from its beginning, creates the hashers, and returns true.
    fn begins_on_threads(&self, file: &mut CurrentFile) -> Result<bool, ReadError> {
        let is_large = file.hashers.is_empty()
            && self.config.threads.count() > 1
            && file.source.open_large(READ_BYTES)?
            && self.config.threads.pool().is_some();
        if is_large {
            (file.parallel, file.shares_reading) = (true, true);
            file.hashers = self.hashers(true);
        }
        Ok(is_large)
    }

    /// Whether a file with a first piece of this length should use all threads.
    fn uses_all_threads(&self, first: usize) -> bool {
        first >= READ_BYTES && self.config.threads.pool().is_some()
    }

    /// Reads small files until there are enough to share lanes, or a larger one comes.
    fn gather(&mut self, finished: &mut Vec<FinishedFile>) {
        while self.current.is_none()
            && self.small.bytes.len() < READ_BYTES
            && let Some(source) = self.waiting.pop_front()
        {
            let mut file = CurrentFile::new(source);
            match self.read_small(&mut file) {
                Ok(true) => {
                    let summary = file.source.into_key();
                    self.bytes += summary.len;
                    self.small.files.push(summary);
                }
                Ok(false) => self.current = Some(file),
                Err(error) => {
                    self.buffer.clear();
                    let summary = file.source.into_key();
                    finished.push(FinishedFile { summary, digests: Err(error) });
                }
            }
        }
    }

    /// Appends a file to the small ones, if it is small. Returns whether it was.
    fn read_small(&mut self, file: &mut CurrentFile) -> Result<bool, ReadError> {
        if self.begins_on_threads(file)? {
            return Ok(false);
        }
        file.source.read_on(&mut self.buffer)?;
        let piece = file.source.piece(&self.buffer);
        let (start, n) = (self.small.bytes.len(), piece.len());
        if n > SMALL_FILES_BYTES {
            return Ok(false);
        }
        self.small.bytes.extend_from_slice(piece);
        file.source.consume(&mut self.buffer, n);
        let next = file.source.read_on(&mut self.buffer);
        let ended = next.is_ok() && file.source.piece(&self.buffer).is_empty();
        if !ended {
            // more follows: the file comes in small pieces
            file.hashers = self.hashers(false);
            let first = self.small.bytes.split_off(start);
            file.hashers.iter_mut().for_each(|hasher| hasher.update(&first));
        }
        next.map(|()| ended)
    }

    /// Advances the current file or the next one. Returns the file if it finished.
    fn advance_next(&mut self) -> Option<FinishedFile> {
        let next = self.current.take().or_else(|| self.waiting.pop_front().map(CurrentFile::new));
        let mut file = next?;
        let digests = match self.advance(&mut file) {
            Ok(true) => {
                self.current = Some(file);
                return None;
            }
            Ok(false) => Ok(file.hashers.into_iter().map(FileHasher::finish).collect()),
            Err(error) => {
                self.buffer.clear();
                Err(error)
            }
        };
        Some(FinishedFile { summary: file.source.into_key(), digests })
    }

    /// Reads and hashes the next piece of a file. Returns whether there is more.
    fn advance(&mut self, file: &mut CurrentFile) -> Result<bool, ReadError> {
        if self.begins_on_threads(file)? {
            return Ok(true);
        }
        // standard input is open before it has hashers, which the first piece brings
        let has_begun = !file.hashers.is_empty();
        let mut hole = if has_begun { file.source.skip_hole(&self.buffer)? } else { 0 };
        if hole > 0 {
            let slow =
                file.hashers.iter_mut().filter_map(|one| (!one.skip_zeros(hole)).then_some(one));
            let mut slow: Vec<_> = slow.collect();
            let zeros = vec![0; if slow.is_empty() { 0 } else { READ_BYTES }];
            while hole > 0 && !slow.is_empty() {
                let n = hole.min(READ_BYTES as u64);
                self.update(&mut slow, &zeros[..n as usize], file.parallel);
                hole -= n;
            }
            return Ok(true);
        }
        if let Some(n) = self.read_on_threads(file)? {
            self.bytes += n;
            return Ok(true);
        }
        file.source.read_on(&mut self.buffer)?;
        let piece = file.source.piece(&self.buffer);
        let n = piece.len();
        if file.hashers.is_empty() {
            file.parallel = self.uses_all_threads(n);
            file.shares_reading = file.parallel;
            file.hashers = self.hashers(file.parallel);
        }
        self.update(&mut file.hashers.iter_mut().collect::<Vec<_>>(), piece, file.parallel);
        self.bytes += n as u64;
        file.source.consume(&mut self.buffer, n);
        Ok(n > 0)
    }

    /// Hashes the next bytes of a file on threads that read or map them, if the hasher and the file allow it.
    /// Returns the number of bytes.
    fn read_on_threads(&mut self, file: &mut CurrentFile) -> Result<Option<u64>, ReadError> {
        let CurrentFile { source, hashers, shares_reading, .. } = file;
        let ([hasher], Some(pool), true) =
            (&mut hashers[..], self.config.threads.pool(), *shares_reading)
        else {
            return Ok(None);
        };
        let Some(next) = source.next_parallel_range(&self.buffer, &self.trial)? else {
            return Ok(None);
        };
        let start = Instant::now();
        if let Some(mapping) = self.trial.maps().then(|| next.map()).flatten() {
            let bytes = mapping.bytes();
            pool.install(|| hasher.update(bytes));
            next.check(&mapping)?;
        } else {
            let failure = OnceLock::new();
            let read = |bytes: &mut [u8], at| {
                if let Err(error) = next.read(bytes, at) {
                    let _ = failure.set(error);
                }
            };
            *shares_reading = pool.install(|| hasher.read_parts(next.len(), &read));
            if let Some(error) = failure.into_inner() {
                return Err(error.into());
            }
            if !*shares_reading {
                return Ok(None);
            }
        }
        self.trial.record(next.len(), start.elapsed());
        let range = next.range();
        source.skip_range(range.clone())?;
        Ok(Some(range.end - range.start))
    }

    /// Hashes a piece with all `hashers`, on all threads if the file is hashed in `parallel`.
    fn update(&self, hashers: &mut [&mut Box<dyn FileHasher>], piece: &[u8], parallel: bool) {
        match self.config.threads.pool().filter(|_| parallel) {
            Some(pool) => pool.install(|| hashers.par_iter_mut().for_each(|one| one.update(piece))),
            None => hashers.iter_mut().for_each(|one| one.update(piece)),
        }
    }
}

/// The digests of `messages` for each computation.
fn batches(config: &LanesConfig, messages: &[&[u8]]) -> Vec<Digests> {
    let LanesConfig { computations, backend, on_tree, .. } = config;
    computations.iter().map(|it| it.batch(messages, *backend, on_tree.as_ref())).collect()
}

impl FileLanes for WholeFiles {
    fn submit(&mut self, source: FileSource) {
        self.waiting.push_back(source);
    }

    fn len(&self) -> usize {
        self.waiting.len() + usize::from(self.current.is_some())
    }

    fn step(&mut self, receiver: &mut Receiver<'_>) {
        let mut finished = Vec::new();
        if self.current.is_none() && !fills_lanes(&self.config.computations) {
            self.gather(&mut finished);
            self.small.hash(&self.config, &mut finished);
        }
        finished.extend(self.advance_next());
        receiver(&mut finished.into_iter());
    }

    fn usage(&self) -> Usage {
        Usage::new(self.bytes / 64, 0)
    }

    fn report(&self) -> LaneReport {
        LaneReport { kernels: self.config.kernels(), lanes: 1, usage: Usage::default() }
    }
}
