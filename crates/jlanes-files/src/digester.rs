//! What to compute for each file.

mod trees;

use std::io::{self, ErrorKind::InvalidData};

use jlanes::{
    Algorithm, Backend, Collision, Sha1Checked,
    algorithm::{AnyHash, AnyHasher, AnyScheduler, Fixed, Hash, Kind, NotADigest, Sha1Results},
    multi::{Lanes, Messages, Source},
    tree::ReadPart,
};

pub use self::trees::dmverity_hasher;

/// A digest or checksum to compute for files.
///
/// An [`Algorithm`] is one, and so is an [`AnyHash`], which has a key, a salt or other parameters.
/// Implement this for results of your own. Equal digesters must compute equal digests; they share
/// lanes.
pub trait Digester: Clone + PartialEq + Send + Sync {
    /// A hasher for one file. If `parallel`, it may use all threads of the current rayon pool.
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher>;

    /// The hash of `jlanes`, if it is one: several files share its lanes, and the engine knows how
    /// to schedule it. [`hasher`](Self::hasher) computes the same digests.
    fn hash(&self) -> Option<AnyHash> {
        None
    }
}

impl Digester for Algorithm {
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
        file_hasher(&(*self).into(), backend, parallel)
    }

    fn hash(&self) -> Option<AnyHash> {
        Some((*self).into())
    }
}

impl Digester for AnyHash {
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
        file_hasher(self, backend, parallel)
    }

    fn hash(&self) -> Option<AnyHash> {
        Some(self.clone())
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

/// A hasher for one file under `hash`: on the calling thread, or on all threads if `parallel`.
///
/// S3's digest and its entity tag are followed by the number of parts, in eight bytes with the most
/// significant one first. [`FileHasher::finish`] fails for data without a digest in a format, and
/// for all data under algorithms that hash lists.
#[must_use]
pub fn file_hasher(hash: &AnyHash, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
    if is_checked(hash) {
        let (hasher, result) = (Sha1Results::hasher_on(backend), checked as ToResult);
        return Box::new(Any { hasher, parallel: false, result });
    }
    match hash.hasher_on(backend) {
        Ok(hasher) => Box::new(Any { hasher, parallel, result: Ok }),
        Err(error) => {
            trees::hasher(hash, backend, parallel).unwrap_or_else(|| Box::new(Missing(error)))
        }
    }
}

/// A hasher on the calling thread, or on all threads.
struct Any {
    hasher: Box<dyn AnyHasher>,
    parallel: bool,
    result: ToResult,
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
        (self.result)(self.hasher.finalize())
    }
}

/// Whether the hash is `sha1dc`, for which a file of a collision attack is an error.
fn is_checked(hash: &AnyHash) -> bool {
    let sha1dc = Algorithm::from(Hash::Fixed(Fixed::Sha1Checked));
    *hash == sha1dc.into()
}

fn checked(output: Box<[u8]>) -> io::Result<Box<[u8]>> {
    Sha1Results::result(&output).or_else(attacked)
}

fn attacked(collision: Collision) -> io::Result<Box<[u8]>> {
    Err(io::Error::new(InvalidData, collision))
}

/// The algorithm has no digest of a file, as the hashes of lists.
struct Missing(NotADigest);

impl FileHasher for Missing {
    fn update(&mut self, _: &[u8]) {}

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, self.0))
    }
}

/// Makes the digest of a file, or its error, from an output of a [`scheduler`].
pub type ToResult = fn(Box<[u8]>) -> io::Result<Box<[u8]>>;

/// A scheduler that hashes several files, or messages from elsewhere, on the lanes at once. Where the
/// hash has none, each message needs a [`hasher`](Digester::hasher).
///
/// The second value turns each output into the result for its message, which is an error where
/// [`FileHasher::finish`] has one.
#[must_use]
pub fn scheduler<S: Source>(
    digester: &impl Digester,
    backend: Backend,
) -> Option<(AnyScheduler<S>, ToResult)> {
    let hash = digester.hash()?;
    if is_checked(&hash) {
        return Some((Sha1Results::scheduler_on(backend), checked));
    }
    let lanes = hash.lanes().ok()?.on(backend);
    lanes.shares_lanes().then(|| (lanes.scheduler(), Ok as ToResult))
}

/// The digests of small files in memory.
pub(crate) fn batch(
    digester: &impl Digester,
    messages: &[&[u8]],
    backend: Backend,
) -> Vec<io::Result<Box<[u8]>>> {
    let hash = digester.hash();
    if hash.as_ref().is_some_and(is_checked) {
        let results = Lanes::<Sha1Checked>::new().on(backend).try_digests(messages).into_iter();
        return results
            .map(|result| result.map_or_else(attacked, |it| Ok(it[..].into())))
            .collect();
    }
    if let Some(Ok(lanes)) = hash.map(|hash| hash.lanes()) {
        let lanes = lanes.on(backend);
        let digests = lanes.digests(Messages::slices(messages));
        return digests.chunks(lanes.output_size()).map(|digest| Ok(digest.into())).collect();
    }
    let one = |message: &&[u8]| {
        let mut hasher = digester.hasher(backend, false);
        hasher.update(message);
        hasher.finish()
    };
    messages.iter().map(one).collect()
}

/// Whether even a small file fills all lanes, so that [`batch`] would gain nothing.
pub(crate) fn is_alone(digester: &impl Digester) -> bool {
    digester.hash().is_some_and(|hash| {
        !matches!(
            hash.algorithm().kind(),
            Kind::Hash(_)
                | Kind::Blake2(_)
                | Kind::Blake3(_)
                | Kind::JPointers { .. }
                | Kind::FsVerity { .. }
        )
    })
}

/// The longest leaf in bytes if this is a tree hash: several leaves are read at once.
pub(crate) fn longest_leaf(digester: &impl Digester) -> usize {
    match digester.hash().map(|hash| hash.algorithm().kind()) {
        Some(Kind::Glacier) => 1 << 20,
        Some(Kind::Dropbox) => 4 << 20,
        Some(Kind::S3 { part } | Kind::ETag { part }) => part,
        Some(Kind::Rfc6962 { leaf }) => leaf,
        Some(Kind::Xof(xof)) => xof.leaf_size().unwrap_or(0),
        _ => 0,
    }
}

/// The best number of threads, up to `most`, for this number of large files of similar size.
pub(crate) fn threads(
    digester: &impl Digester,
    backend: Backend,
    files: usize,
    most: usize,
) -> usize {
    digester.hash().map_or(most, |hash| hash.algorithm().threads_on(backend, files, most))
}

/// The kernels it runs on, each with the smallest number of live lanes for which it is used.
pub(crate) fn kernels(digester: &impl Digester, backend: Backend) -> Vec<(usize, &'static str)> {
    digester.hash().map_or(vec![(1, "scalar")], |hash| hash.algorithm().kernels_on(backend))
}
