//! Tree hashes, and several digests from one read. Large files are hashed one at a time, each on all lanes and
//! threads; small ones are collected and hashed as a batch, unless one fills the lanes.

use std::{collections::VecDeque, sync::OnceLock};

use jlanes::multi::{Source, Usage};
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::{Digests, FileLanes, Finished, LanesRecipe, Receiver, Report, fills_lanes};
use crate::{
    Computation, FileHasher,
    read::{Buffer, FileEnd, FileSource, ReadError},
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
    recipe: LanesRecipe,
    waiting: VecDeque<FileSource>,
    current: Option<Current>,
    small: Small,
    buffer: Buffer,
    bytes: u64,
}

/// Small files that wait in memory until there are enough to hash them together.
#[derive(Default)]
struct Small {
    /// The contents, concatenated.
    bytes: Vec<u8>,
    /// The number and length of each.
    files: Vec<FileEnd>,
}

impl Small {
    /// Hashes and clears them.
    fn hash(&mut self, recipe: &LanesRecipe, finished: &mut Vec<Finished>) {
        if self.files.is_empty() {
            return;
        }
        let mut rest = &self.bytes[..];
        let messages: Vec<&[u8]> =
            self.files.iter().filter_map(|end| rest.split_off(..end.len as usize)).collect();
        let mut batches: Vec<_> =
            batches(recipe, &messages).into_iter().map(Vec::into_iter).collect();
        for end in self.files.drain(..) {
            let digests = batches.iter_mut().filter_map(Iterator::next).collect();
            finished.push(Finished { end, digests: Ok(digests) });
        }
        self.bytes.clear();
    }
}

/// The file that is being hashed.
struct Current {
    source: FileSource,
    hashers: Vec<Box<dyn FileHasher>>,
    /// Whether all threads hash it.
    parallel: bool,
    /// Whether the threads may read it, too.
    shares_reading: bool,
}

impl Current {
    /// A file; its hashers are created when its length is known.
    fn new(source: FileSource) -> Self {
        Self { source, hashers: Vec::new(), parallel: false, shares_reading: false }
    }
}

impl WholeFiles {
    pub(super) fn new(recipe: LanesRecipe) -> Self {
        let leaf = recipe.computations.iter().map(Computation::longest_leaf).max().unwrap_or(0);
        let leaves = WINDOW_LEAVES.saturating_mul(leaf);
        let window = leaves.clamp(WINDOW_BYTES, MAX_WINDOW_BYTES).next_power_of_two();
        let mut buffer = Buffer::new(READ_BYTES, window);
        if window == WINDOW_BYTES {
            buffer =
                buffer.of_threads(recipe.threads.clone(), leaves.clamp(CACHED_BYTES, READ_BYTES));
        }
        let (waiting, small) = (VecDeque::new(), Small::default());
        Self { recipe, waiting, current: None, small, buffer, bytes: 0 }
    }

    /// Creates a hasher for each computation. If `parallel`, they use all threads.
    fn hashers(&self, parallel: bool) -> Vec<Box<dyn FileHasher>> {
        let LanesRecipe { computations, backend, keep, .. } = &self.recipe;
        computations.iter().map(|it| it.hasher_with(*backend, parallel, keep.as_ref())).collect()
    }

    /// Whether a file with a first piece of this length should use all threads.
    fn shares(&self, first: usize) -> bool {
        first >= READ_BYTES && self.recipe.threads.pool().is_some()
    }

    /// Reads small files until there are enough to share lanes, or a larger one comes.
    fn gather(&mut self, finished: &mut Vec<Finished>) {
        while self.current.is_none()
            && self.small.bytes.len() < READ_BYTES
            && let Some(source) = self.waiting.pop_front()
        {
            let mut file = Current::new(source);
            match self.read_small(&mut file) {
                Ok(true) => {
                    let end = file.source.into_key();
                    self.bytes += end.len;
                    self.small.files.push(end);
                }
                Ok(false) => self.current = Some(file),
                Err(error) => {
                    self.buffer.clear();
                    let end = file.source.into_key();
                    finished.push(Finished { end, digests: Err(error) });
                }
            }
        }
    }

    /// Appends a file to the small ones, if it is small. Returns whether it was.
    fn read_small(&mut self, file: &mut Current) -> Result<bool, ReadError> {
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
    fn advance_next(&mut self) -> Option<Finished> {
        let next = self.current.take().or_else(|| self.waiting.pop_front().map(Current::new));
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
        Some(Finished { end: file.source.into_key(), digests })
    }

    /// Reads and hashes the next piece of a file. Returns whether there is more.
    fn advance(&mut self, file: &mut Current) -> Result<bool, ReadError> {
        let mut hole = file.source.skip_hole(&self.buffer)?;
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
            file.parallel = self.shares(n);
            file.shares_reading = file.parallel;
            file.hashers = self.hashers(file.parallel);
        }
        self.update(&mut file.hashers.iter_mut().collect::<Vec<_>>(), piece, file.parallel);
        self.bytes += n as u64;
        file.source.consume(&mut self.buffer, n);
        Ok(n > 0)
    }

    /// Hashes the next bytes of a file on threads that read them, if the hasher and the file allow it.
    /// Returns the number of bytes.
    fn read_on_threads(&self, file: &mut Current) -> Result<Option<u64>, ReadError> {
        let Current { source, hashers, shares_reading, .. } = file;
        let ([hasher], Some(pool), true) =
            (&mut hashers[..], self.recipe.threads.pool(), *shares_reading)
        else {
            return Ok(None);
        };
        let Some(next) = source.next_stretch(&self.buffer)? else { return Ok(None) };
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
        let range = next.range();
        source.skip_stretch(range.clone())?;
        Ok(Some(range.end - range.start))
    }

    /// Hashes a piece with all `hashers`, on all threads if the file is hashed in `parallel`.
    fn update(&self, hashers: &mut [&mut Box<dyn FileHasher>], piece: &[u8], parallel: bool) {
        match self.recipe.threads.pool().filter(|_| parallel) {
            Some(pool) => pool.install(|| hashers.par_iter_mut().for_each(|one| one.update(piece))),
            None => hashers.iter_mut().for_each(|one| one.update(piece)),
        }
    }
}

/// The digests of `messages` for each computation.
fn batches(recipe: &LanesRecipe, messages: &[&[u8]]) -> Vec<Digests> {
    let LanesRecipe { computations, backend, keep, .. } = recipe;
    computations.iter().map(|it| it.batch(messages, *backend, keep.as_ref())).collect()
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
        if self.current.is_none() && !fills_lanes(&self.recipe.computations) {
            self.gather(&mut finished);
            self.small.hash(&self.recipe, &mut finished);
        }
        finished.extend(self.advance_next());
        receiver(&mut finished.into_iter());
    }

    fn usage(&self) -> Usage {
        Usage::new(self.bytes / 64, 0)
    }

    fn report(&self) -> Report {
        Report { kernels: self.recipe.kernels(), lanes: 1, usage: Usage::default() }
    }
}
