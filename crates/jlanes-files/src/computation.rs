//! Computations over a file: digests, checksums, and digests of directories.

mod name;
mod parts;
#[cfg(feature = "checksums")]
mod sequential_parts;
mod trees;

use std::{
    error::Error,
    io::{self, ErrorKind::InvalidData},
    sync::Arc,
};

use jlanes::{
    Algorithm, Backend, Collision, Sha1Checked,
    algorithm::{
        AnyHash, AnyHasher, AnyScheduler, BaseHash, Fixed, Key, Kind, Sha1Results, Strength,
    },
    multi::{Lanes, Messages, Source},
    tree::ReadPart,
};

pub(crate) use self::parts::{Multipart, PartDigests};
#[cfg(feature = "checksums")]
pub(crate) use self::sequential_parts::SequentialParts;
#[cfg(feature = "checksums")]
use crate::Checksum;

/// A computation over a file, with everything that it depends on. Files with equal computations share
/// lanes.
///
/// An [`Algorithm`] becomes one, an [`AnyHash`], which has a key, a salt or other parameters, and a
/// [`Checksum`](crate::Checksum). Parsing takes their names. [`Display`](std::fmt::Display) adds the
/// parameters, `fsverity-sha256+salt=61626364`, and `hmac-` where there is a key for HMAC, or `mac-`
/// where it is for the algorithm's own keyed mode.
///
/// ```
/// use jlanes::{Algorithm, algorithm::Key};
/// use jlanes_files::Computation;
///
/// let hmac = Algorithm::SHA256.with(Key::Hmac(b"key".to_vec()))?;
/// assert_eq!(Computation::from(hmac).tag(), "HMAC-SHA256");
/// assert_eq!("sha256".parse(), Ok(Computation::from(Algorithm::SHA256)));
/// # Ok::<(), jlanes::algorithm::ParameterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Computation {
    /// A digest.
    Digest(AnyHash),
    /// A checksum.
    #[cfg(feature = "checksums")]
    Checksum(Checksum),
    /// The digest of a directory, made of those of its files. A file has none.
    Directory(DirHash),
}

/// The formats that have digests of directories alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirHash {
    /// Go's, as in go.sum.
    H1,
    /// The id of git's tree, in a repository of SHA-256.
    GitSha256,
}

impl DirHash {
    const ALL: [Self; 2] = [Self::H1, Self::GitSha256];
}

impl From<Algorithm> for Computation {
    fn from(algorithm: Algorithm) -> Self {
        Self::Digest(algorithm.into())
    }
}

impl From<AnyHash> for Computation {
    fn from(hash: AnyHash) -> Self {
        Self::Digest(hash)
    }
}

#[cfg(feature = "checksums")]
impl From<Checksum> for Computation {
    fn from(checksum: Checksum) -> Self {
        Self::Checksum(checksum)
    }
}

/// The size from which a part of one file shares the lanes with those of others.
const MIN_SHARED_PART_BYTES: usize = 64 << 10;

/// Receiver of a file's hash tree under dm-verity.
pub(crate) type TreeCallback = Arc<dyn Fn(&[u8]) -> io::Result<()> + Send + Sync>;

impl Computation {
    /// The algorithm with its parameters; `None` for checksums and for digests of directories.
    #[must_use]
    pub fn hash(&self) -> Option<&AnyHash> {
        match self {
            Self::Digest(hash) => Some(hash),
            #[cfg(feature = "checksums")]
            Self::Checksum(_) => None,
            Self::Directory(_) => None,
        }
    }

    /// The algorithm without its parameters; `None` for checksums and for digests of directories.
    #[must_use]
    pub fn algorithm(&self) -> Option<Algorithm> {
        self.hash().map(AnyHash::algorithm)
    }

    /// The kind of the [`algorithm`](Self::algorithm), if there is one.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.algorithm().map(Algorithm::kind)
    }

    /// The key, if there is one.
    #[must_use]
    pub fn key(&self) -> Option<&Key> {
        self.hash()?.key()
    }

    /// The computation without a key and other parameters.
    #[must_use]
    pub fn plain(&self) -> Self {
        self.algorithm().map_or_else(|| self.clone(), Self::from)
    }

    /// How hard it is to make two files with the same result.
    #[must_use]
    pub fn strength(&self) -> Strength {
        match self {
            Self::Digest(hash) => hash.strength(),
            #[cfg(feature = "checksums")]
            Self::Checksum(checksum) => checksum.strength(),
            // H1 and git's tree ids are SHA-256
            Self::Directory(_) => Algorithm::SHA256.strength(),
        }
    }

    /// Bytes of the result. S3's number of parts does not count.
    #[must_use]
    pub fn output_size(&self) -> usize {
        match self {
            Self::Digest(hash) => hash.algorithm().output_size(),
            #[cfg(feature = "checksums")]
            Self::Checksum(checksum) => checksum.output_size(),
            Self::Directory(_) => Algorithm::SHA256.output_size(),
        }
    }

    /// Bits of the result.
    #[must_use]
    pub fn bits(&self) -> u64 {
        8 * self.output_size() as u64
    }

    /// Whether lists contain the result in hexadecimal with a tag. The checksums of `cksum` and `sum`
    /// have lines of another format.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        match self {
            Self::Digest(_) | Self::Directory(_) => true,
            #[cfg(feature = "checksums")]
            Self::Checksum(checksum) => checksum.is_listed(),
        }
    }

    /// A hasher for one file: on the calling thread, or on all threads of the current rayon pool if
    /// `parallel`.
    ///
    /// S3's composite and its entity tag are followed by the number of parts, in eight bytes with the most
    /// significant one first. [`FileHasher::finish`] fails for data without a digest in a format, and
    /// for all data where the digest is of a list or a directory.
    #[must_use]
    pub fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
        self.hasher_with(backend, parallel, None)
    }

    /// [`hasher`](Self::hasher) that also passes the hash tree of dm-verity to `on_tree`.
    pub(crate) fn hasher_with(
        &self,
        backend: Backend,
        parallel: bool,
        on_tree: Option<&TreeCallback>,
    ) -> Box<dyn FileHasher> {
        let hash = match self {
            Self::Digest(hash) => hash,
            #[cfg(feature = "checksums")]
            Self::Checksum(checksum) => return checksum.hasher(),
            Self::Directory(_) => {
                return Box::new(FailingHasher("a file has no digest of a directory".into()));
            }
        };
        if is_sha1dc(hash) {
            let (hasher, result) = (Sha1Results::hasher_on(backend), sha1dc_result as ToResult);
            return Box::new(DigestHasher { hasher, parallel: false, result });
        }
        match hash.hasher_on(backend) {
            Ok(hasher) => Box::new(DigestHasher { hasher, parallel, result: Ok }),
            Err(error) => trees::hasher(hash, backend, parallel, on_tree)
                .unwrap_or_else(|| Box::new(FailingHasher(error.into()))),
        }
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

/// The hasher of a digest, on the calling thread or on all threads.
struct DigestHasher {
    hasher: Box<dyn AnyHasher>,
    parallel: bool,
    result: ToResult,
}

impl FileHasher for DigestHasher {
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
fn is_sha1dc(hash: &AnyHash) -> bool {
    let sha1dc = Algorithm::from(BaseHash::Fixed(Fixed::Sha1Checked));
    *hash == sha1dc.into()
}

fn sha1dc_result(output: Box<[u8]>) -> io::Result<Box<[u8]>> {
    Sha1Results::result(&output).or_else(collision_error)
}

fn collision_error(collision: Collision) -> io::Result<Box<[u8]>> {
    Err(io::Error::new(InvalidData, collision))
}

/// A hasher that always fails, for digests of lists and directories: a single file has none.
struct FailingHasher(Box<dyn Error + Send + Sync>);

impl FileHasher for FailingHasher {
    fn update(&mut self, _: &[u8]) {}

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, self.0))
    }
}

/// Turns an output of a [`scheduler`](Computation::scheduler) into a file's digest or error.
pub type ToResult = fn(Box<[u8]>) -> io::Result<Box<[u8]>>;

impl Computation {
    /// A scheduler that hashes several files, or messages from elsewhere, on the lanes at once. `None`
    /// if each message needs a [`hasher`](Self::hasher) of its own.
    ///
    /// The second value turns each output into the result for its message, which is an error where
    /// [`FileHasher::finish`] has one.
    #[must_use]
    pub fn scheduler<S: Source + 'static>(
        &self,
        backend: Backend,
    ) -> Option<(AnyScheduler<S>, ToResult)> {
        let hash = self.hash()?;
        if is_sha1dc(hash) {
            return Some((Sha1Results::scheduler_on(backend), sha1dc_result));
        }
        let lanes = hash.lanes().ok()?.on(backend);
        lanes.shares_lanes_in_flight().then(|| (lanes.scheduler(), Ok as ToResult))
    }

    /// The results of small files in memory.
    pub(crate) fn batch(
        &self,
        messages: &[&[u8]],
        backend: Backend,
        on_tree: Option<&TreeCallback>,
    ) -> Vec<io::Result<Box<[u8]>>> {
        let hash = self.hash();
        if hash.is_some_and(is_sha1dc) {
            let results = Lanes::<Sha1Checked>::new().on(backend).try_digests(messages).into_iter();
            return results
                .map(|result| result.map_or_else(collision_error, |it| Ok(it[..].into())))
                .collect();
        }
        if let Some(Ok(lanes)) = hash.map(AnyHash::lanes) {
            let lanes = lanes.on(backend);
            let digests = lanes.digests(Messages::slices(messages));
            return digests.chunks(lanes.output_size()).map(|digest| Ok(digest.into())).collect();
        }
        let one = |message: &&[u8]| {
            let mut hasher = self.hasher_with(backend, false, on_tree);
            hasher.update(message);
            hasher.finish()
        };
        messages.iter().map(one).collect()
    }

    /// Whether even a small file fills all lanes, so that [`batch`](Self::batch) would gain nothing.
    pub(crate) fn fills_lanes(&self) -> bool {
        self.shared_parts().is_none()
            && self.kind().is_some_and(|kind| {
                !matches!(
                    kind,
                    Kind::Hash(_)
                        | Kind::Blake2(_)
                        | Kind::Blake3(_)
                        | Kind::JPointers { .. }
                        | Kind::FsVerity { .. }
                        | Kind::S3 { part: None, .. }
                )
            })
    }

    /// The parts that are hashed next to other files'; `None` without parts, or if one file's fill the lanes.
    pub(crate) fn shared_parts(&self) -> Option<Multipart> {
        Multipart::new(self.kind()?).filter(|parts| parts.size >= MIN_SHARED_PART_BYTES)
    }

    /// The longest leaf in bytes if this is a tree hash: several leaves are read at once.
    pub(crate) fn max_leaf_bytes(&self) -> usize {
        match self.kind() {
            Some(Kind::Glacier) => 1 << 20,
            Some(Kind::Dropbox) => 4 << 20,
            Some(Kind::S3 { checksum, part: Some(part) }) if checksum.hash().is_some() => part,
            Some(Kind::ETag { part }) => part,
            Some(Kind::Rfc6962 { leaf }) => leaf,
            Some(Kind::Xof(xof)) => xof.leaf_size().unwrap_or(0),
            _ => 0,
        }
    }

    /// The best number of threads, up to `most`, for this number of large files of similar size.
    pub(crate) fn threads(&self, backend: Backend, files: usize, most: usize) -> usize {
        self.algorithm().map_or(most, |algorithm| algorithm.threads_on(backend, files, most))
    }

    /// The kernels it runs on, each with the smallest number of live lanes for which it is used.
    pub(crate) fn kernels(&self, backend: Backend) -> Vec<(usize, &'static str)> {
        self.algorithm().map_or(vec![(1, "scalar")], |algorithm| algorithm.kernels_on(backend))
    }
}
