//! Hashes many files on threads of its own: small ones together in memory, large ones as they are
//! read.

use std::{
    fs::File,
    io::{self, Read},
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use jlanes::{
    algorithm::{AnyHasher, AnyLanes},
    multi::Messages,
};

/// Files larger than this are hashed as they are read.
const LARGE: u64 = 1 << 20;

/// Bytes of small files that are hashed together; about as many as a second-level cache holds.
const TOGETHER: usize = 2 << 20;

/// The most files that are hashed together, and the fewest that fill lanes.
const MOST: usize = 512;
const FEWEST: usize = 16;

/// Bytes that are read at once of a large file with several digests.
const PIECE: usize = 256 << 10;

/// A file's digests, one for each algorithm, and how long it was.
pub(crate) type Digests = io::Result<(u64, Box<[Box<[u8]>]>)>;

/// What is known of a file when it has been hashed: its number, and its digests.
pub(crate) type Finished = (usize, Digests);

/// Files that are being hashed. Dropping it stops the work.
pub(crate) struct Running {
    pub(crate) finished: Mutex<Receiver<Finished>>,
    shared: Arc<Shared>,
}

struct Shared {
    paths: Vec<PathBuf>,
    algorithms: Vec<AnyLanes>,
    threads: usize,
    /// The first file that nobody has taken.
    next: AtomicUsize,
    /// Numbers of large files that nobody has taken.
    large: Mutex<Vec<usize>>,
    bytes: AtomicU64,
    stop: AtomicBool,
}

impl Running {
    /// Starts to hash `paths` on so many threads.
    pub(crate) fn start(
        paths: Vec<PathBuf>,
        algorithms: Vec<AnyLanes>,
        threads: usize,
    ) -> io::Result<Self> {
        let threads = threads.min(paths.len()).max(1);
        let shared = Arc::new(Shared {
            paths,
            algorithms,
            threads,
            next: AtomicUsize::new(0),
            large: Mutex::default(),
            bytes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        });
        let (sender, finished) = channel();
        let running = Self { finished: Mutex::new(finished), shared };
        for i in 0..threads {
            let (shared, sender) = (Arc::clone(&running.shared), sender.clone());
            let thread = thread::Builder::new().name(format!("jlanes-files-{i}"));
            thread.spawn(move || Worker::new(&shared, &sender).work())?;
        }
        Ok(running)
    }

    /// Bytes that have been read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.shared.bytes.load(Ordering::Relaxed)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        // Nobody waits for the workers: one of them may be reading from a pipe that stays silent.
    }
}

struct Worker<'a> {
    shared: &'a Shared,
    sender: &'a Sender<Finished>,
    /// Small files side by side, where each ends, and their numbers.
    bytes: Vec<u8>,
    ends: Vec<i64>,
    numbers: Vec<usize>,
}

impl<'a> Worker<'a> {
    fn new(shared: &'a Shared, sender: &'a Sender<Finished>) -> Self {
        let bytes = Vec::with_capacity(TOGETHER + LARGE as usize);
        Self { shared, sender, bytes, ends: Vec::new(), numbers: Vec::new() }
    }

    fn work(mut self) {
        while !self.stopped() && self.gather() {
            self.hash_together();
        }
        // every worker comes here after the last large file that it has found
        match &*self.shared.algorithms {
            [one] => self.hash_large(one),
            several => {
                while let Some(i) = self.next_large() {
                    self.send(i, self.hash_for(i, several));
                }
            }
        }
    }

    fn stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    fn send(&self, i: usize, digests: Digests) {
        // nobody listens any more if the work was stopped
        let _ = self.sender.send((i, digests));
    }

    /// Reads small files, as many as fill the lanes well and leave others their part. Returns
    /// whether there may be more.
    fn gather(&mut self) -> bool {
        let shared = self.shared;
        self.bytes.clear();
        self.numbers.clear();
        self.ends.clear();
        self.ends.push(0);
        let left = shared.paths.len().saturating_sub(shared.next.load(Ordering::Relaxed));
        let most = (left / (2 * shared.threads)).clamp(FEWEST, MOST);
        while self.bytes.len() < TOGETHER && self.numbers.len() < most {
            let i = shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = shared.paths.get(i) else {
                return !self.numbers.is_empty();
            };
            let start = self.bytes.len();
            match read_small(path, &mut self.bytes) {
                Ok(true) => {
                    shared.bytes.fetch_add((self.bytes.len() - start) as u64, Ordering::Relaxed);
                    self.numbers.push(i);
                    self.ends.push(self.bytes.len() as i64);
                }
                Ok(false) => {
                    self.bytes.truncate(start);
                    self.large().push(i);
                }
                Err(error) => {
                    self.bytes.truncate(start);
                    self.send(i, Err(error));
                }
            }
        }
        true
    }

    fn hash_together(&self) {
        let messages = match Messages::large_offsets(&self.bytes, &self.ends) {
            Ok(messages) => messages,
            Err(error) => unreachable!("ends of files that were read one after the other: {error}"),
        };
        let all = self.shared.algorithms.iter().map(|lanes| {
            let mut out = vec![0; messages.len() * lanes.output_size()];
            lanes.digest(messages, &mut out);
            (out, lanes.output_size())
        });
        let all: Vec<_> = all.collect();
        for (at, i) in self.numbers.iter().enumerate() {
            let digest = |(out, size): &(Vec<u8>, usize)| out[at * size..][..*size].into();
            let len = messages.get(at).len() as u64;
            self.send(*i, Ok((len, all.iter().map(digest).collect())));
        }
    }

    fn large(&self) -> std::sync::MutexGuard<'_, Vec<usize>> {
        self.shared.large.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_large(&self) -> Option<usize> {
        if self.stopped() { None } else { self.large().pop() }
    }

    /// Hashes large files with one digest, on lanes if there are several of them.
    fn hash_large(&self, lanes: &AnyLanes) {
        let lens = Mutex::new(Vec::<(usize, u64)>::new());
        let lens = || lens.lock().unwrap_or_else(PoisonError::into_inner);
        let readers = std::iter::from_fn(|| {
            let i = self.next_large()?;
            let mut list = lens();
            list.push((i, 0));
            let at = list.len() - 1;
            let reader = Large { shared: self.shared, file: Err(i), read: 0 };
            let note = move |read: u64| lens()[at].1 = read;
            Some(Box::new(Noted { reader, note }) as Box<dyn Read + '_>)
        });
        lanes.digest_readers(readers, |at, digest| {
            let (i, len) = lens()[at];
            self.send(i, digest.map(|digest| (len, Box::from([Box::from(digest)]))));
        });
    }

    /// Several digests of one large file.
    fn hash_for(&self, i: usize, algorithms: &[AnyLanes]) -> Digests {
        let hasher = |lanes: &AnyLanes| {
            let hasher = lanes.algorithm().hasher_on(jlanes::Backend::detect());
            hasher.map_err(|error| io::Error::other(error.to_string()))
        };
        let mut hashers: Vec<Box<dyn AnyHasher>> =
            algorithms.iter().map(hasher).collect::<io::Result<_>>()?;
        let mut reader = Large { shared: self.shared, file: Err(i), read: 0 };
        let mut piece = vec![0; PIECE];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => break,
                Ok(n) => hashers.iter_mut().for_each(|hasher| hasher.update(&piece[..n])),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok((reader.read, hashers.into_iter().map(|hasher| hasher.finalize()).collect()))
    }
}

/// Appends a file to `bytes`, unless it is large. Returns whether it was small.
fn read_small(path: &PathBuf, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    if len > LARGE {
        return Ok(false);
    }
    let start = bytes.len();
    bytes.reserve(len as usize + 1);
    // files may grow, and some have a length that is not theirs, such as those in /proc
    file.take(LARGE + 1).read_to_end(bytes)?;
    Ok((bytes.len() - start) as u64 <= LARGE)
}

/// A large file, which is opened when it is read.
struct Large<'a> {
    shared: &'a Shared,
    /// The file, or its number as long as it is not open.
    file: Result<File, usize>,
    read: u64,
}

impl Read for Large<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.shared.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        if let Err(i) = self.file {
            self.file = Ok(File::open(&self.shared.paths[i])?);
        }
        let Ok(file) = &mut self.file else { return Ok(0) };
        let n = file.read(buffer)?;
        self.read += n as u64;
        self.shared.bytes.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// A large file that says how much of it has been read.
struct Noted<'a, N> {
    reader: Large<'a>,
    note: N,
}

impl<N: Fn(u64)> Read for Noted<'_, N> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        (self.note)(self.reader.read);
        Ok(n)
    }
}
