//! What to compute for each file.

use std::io::{self, ErrorKind::InvalidData};

use jlanes::{
    Algorithm, Backend,
    algorithm::{AnyHasher, AnyScheduler, Fixed, Hash, Kind, NotADigest, Sha1Results},
    multi::Messages,
    tree::ReadPart,
};

use crate::read::FileSource;

/// A digest or checksum to compute for files: an algorithm with its parameters.
///
/// [`Algorithm`] is one. Implement this for keys, salts or results of your own: only
/// [`hasher`](Self::hasher) is required, and the other methods make it faster. Equal digesters must
/// compute equal digests; they share lanes.
pub trait Digester: Clone + PartialEq + Send + Sync {
    /// A hasher for one file. If `parallel`, it may use all threads of the current rayon pool.
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher>;

    /// A scheduler that hashes several files on the lanes at once, if the algorithm supports this.
    fn scheduler(&self, _: Backend) -> Option<AnyScheduler<'static, FileSource>> {
        None
    }

    /// The result for a file, from what its lane of the [scheduler](Self::scheduler) returns.
    ///
    /// # Errors
    ///
    /// If the data has no digest.
    fn result(&self, output: Box<[u8]>) -> io::Result<Box<[u8]>> {
        Ok(output)
    }

    /// The digests of small files in memory.
    fn batch(&self, messages: &[&[u8]], backend: Backend) -> Vec<io::Result<Box<[u8]>>> {
        match self.scheduler(backend) {
            Some(lanes) => {
                lanes.digests(messages).into_iter().map(|output| self.result(output)).collect()
            }
            None => {
                let one = |message: &&[u8]| {
                    let mut hasher = self.hasher(backend, false);
                    hasher.update(message);
                    hasher.finish()
                };
                messages.iter().map(one).collect()
            }
        }
    }

    /// Whether even a small file fills all lanes, so that [`batch`](Self::batch) would gain
    /// nothing.
    fn is_alone(&self) -> bool {
        false
    }

    /// The longest leaf in bytes if this is a tree hash: several leaves are read at once.
    fn longest_leaf(&self) -> usize {
        0
    }

    /// The best number of threads, up to `most`, for this number of large files of similar size.
    fn threads(&self, _: Backend, _files: usize, most: usize) -> usize {
        most
    }

    /// The kernels it runs on, each with the smallest number of live lanes for which it is used.
    fn kernels(&self, _: Backend) -> Vec<(usize, &'static str)> {
        vec![(1, "scalar")]
    }
}

/// The computation of one digest of a file.
pub trait FileHasher: Send {
    /// Adds data.
    fn update(&mut self, data: &[u8]);

    /// Adds `len` bytes that the threads of the current rayon pool read themselves, if that is faster
    /// than [`update`](Self::update). Returns whether it did. `read` fills any part from its offset.
    fn read_parts(&mut self, _len: usize, _read: &ReadPart<'_>) -> bool {
        false
    }

    /// Adds `len` zeros, the hole of a file, if that is faster than [`update`](Self::update). Returns
    /// whether it did.
    fn skip_zeros(&mut self, _len: u64) -> bool {
        false
    }

    /// Returns the digest.
    ///
    /// # Errors
    ///
    /// If this data has no digest.
    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>>;
}

/// The digest that `hasher` computes: on the calling thread, or on all threads if it is `parallel`.
#[must_use]
pub fn file_hasher(hasher: Box<dyn AnyHasher>, parallel: bool) -> Box<dyn FileHasher> {
    Box::new(Any { hasher, parallel })
}

/// A hasher on the calling thread, or on all threads.
struct Any {
    hasher: Box<dyn AnyHasher>,
    parallel: bool,
}

impl FileHasher for Any {
    fn update(&mut self, data: &[u8]) {
        if self.parallel {
            self.hasher.par_update(data);
        } else {
            self.hasher.update(data);
        }
    }

    fn read_parts(&mut self, len: usize, read: &ReadPart<'_>) -> bool {
        self.parallel && self.hasher.par_read(len, read)
    }

    fn skip_zeros(&mut self, len: u64) -> bool {
        self.hasher.skip_zeros(len)
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        Ok(self.hasher.finalize())
    }
}

/// A hasher of [`Sha1Results`].
struct Checked(Box<dyn AnyHasher>);

impl FileHasher for Checked {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        checked(&self.0.finalize())
    }
}

/// Whether the algorithm is `sha1dc`, for which a file of a collision attack is an error.
fn is_checked(algorithm: Algorithm) -> bool {
    algorithm.kind() == Kind::Hash(Hash::Fixed(Fixed::Sha1Checked))
}

fn checked(output: &[u8]) -> io::Result<Box<[u8]>> {
    Sha1Results::result(output).map_err(|collision| io::Error::new(InvalidData, collision))
}

/// The algorithm has no digest of a file, as the hashes of lists.
struct Missing(NotADigest);

impl FileHasher for Missing {
    fn update(&mut self, _: &[u8]) {}

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, self.0))
    }
}

impl Digester for Algorithm {
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
        if is_checked(*self) {
            return Box::new(Checked(Sha1Results::hasher_on(backend)));
        }
        match self.hasher_on(backend) {
            Ok(hasher) => file_hasher(hasher, parallel),
            Err(error) => Box::new(Missing(error)),
        }
    }

    fn scheduler(&self, backend: Backend) -> Option<AnyScheduler<'static, FileSource>> {
        match self.kind() {
            _ if is_checked(*self) => Some(Sha1Results::scheduler_on(backend)),
            Kind::Hash(_) | Kind::Blake2(_) => Some(self.lanes().ok()?.on(backend).scheduler()),
            _ => None,
        }
    }

    fn result(&self, output: Box<[u8]>) -> io::Result<Box<[u8]>> {
        if is_checked(*self) { checked(&output) } else { Ok(output) }
    }

    fn batch(&self, messages: &[&[u8]], backend: Backend) -> Vec<io::Result<Box<[u8]>>> {
        if is_checked(*self) {
            let outputs = Sha1Results::scheduler_on::<FileSource>(backend).digests(messages);
            return outputs.iter().map(|output| checked(output)).collect();
        }
        match self.lanes() {
            Ok(lanes) => {
                let mut digests = vec![0; messages.len() * self.output_size()];
                lanes.on(backend).digest(Messages::slices(messages), &mut digests);
                digests.chunks(self.output_size()).map(|digest| Ok(digest.into())).collect()
            }
            Err(error) => {
                let missing = |_: &&[u8]| Box::new(Missing(error)).finish();
                messages.iter().map(missing).collect()
            }
        }
    }

    fn is_alone(&self) -> bool {
        !matches!(
            self.kind(),
            Kind::Hash(_)
                | Kind::Blake2(_)
                | Kind::Blake3(_)
                | Kind::JPointers { .. }
                | Kind::FsVerity { .. }
        )
    }

    fn longest_leaf(&self) -> usize {
        match self.kind() {
            Kind::Glacier => 1 << 20,
            Kind::Dropbox => 4 << 20,
            Kind::S3 { part } | Kind::ETag { part } => part,
            Kind::Rfc6962 { leaf } => leaf,
            Kind::Xof(xof) => xof.leaf_size().unwrap_or(0),
            _ => 0,
        }
    }

    fn threads(&self, backend: Backend, files: usize, most: usize) -> usize {
        self.threads_on(backend, files, most)
    }

    fn kernels(&self, backend: Backend) -> Vec<(usize, &'static str)> {
        self.kernels_on(backend)
    }
}
