//! [`AnyLanes`], the handle for jobs on many messages under an algorithm that is selected at run time.

mod jobs;
mod without_function;

use alloc::boxed::Box;
use core::{error, fmt};

use jlanes_core::{
    function::{AnyFunction, Function},
    simd::vector::Word,
    wipe::Buffer,
    with_function,
};
use jlanes_tree::join::Join;

use super::{Algorithm, AnyHash, AnyHasher, NotADigest};
use crate::{
    Backend,
    multi::{Messages, jobs::ThreadedJobs, threads::Threads},
};

/// Hashes many messages at once under an [`Algorithm`]: [`Lanes`](crate::multi::Lanes) with the
/// hash function as a value.
///
/// Digests are contiguous: `n` messages take `n * output_size()` bytes. Trees and KangarooTwelve
/// hash one message after the other, because each message fills the lanes.
///
/// It has the jobs of the typed handle:
///
/// | [`Lanes`](crate::multi::Lanes) | `AnyLanes` |
/// |---|---|
/// | `digest`, `digest_all` | [`digest`](Self::digest) |
/// | `digests` | [`digests`](Self::digests) |
/// | `nodes` | [`nodes`](Self::nodes) |
/// | `pairs` | [`pairs`](Self::pairs) |
/// | `double`, `double_nodes` | [`double`](Self::double) |
/// | `chains`, `chains_of` | [`chains`](Self::chains) |
/// | `tweaked_chains`, also of `Xofs` | [`tweaked_chains`](Self::tweaked_chains) |
/// | `hmac` | [`hmac`](Self::hmac) |
/// | `hmac_keyed` | [`hmac_keyed`](Self::hmac_keyed) |
/// | `hmac_mismatches` | [`hmac_mismatches`](Self::hmac_mismatches) |
/// | `pbkdf2` | [`pbkdf2`](Self::pbkdf2) |
/// | `scheduler` | [`scheduler`](Self::scheduler) |
/// | `Xofs`, for extendable outputs | [`xofs`](Self::xofs) |
/// | `try_digests`, of `Sha1Checked` alone | |
///
/// ```
/// use jlanes::{Algorithm, Digest, Sha512, multi::Messages};
///
/// let lanes = "sha512".parse::<Algorithm>()?.lanes()?;
/// let words = Messages::offsets(b"onetwothree", &[0, 3, 6, 11])?;
/// let mut digests = vec![0; words.len() * lanes.output_size()];
/// lanes.digest(words, &mut digests);
/// assert_eq!(digests[64..128], *Sha512::digest(b"two"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AnyLanes {
    pub(super) hash: AnyHash,
    /// The function, if messages share lanes, and neither a key nor another prefix precedes them.
    pub(super) function: Option<AnyFunction>,
    pub(super) settings: Settings,
}

/// The settings that all jobs share.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) backend: Backend,
    pub(super) prefix: Buffer,
    #[cfg(feature = "rayon")]
    parallel: bool,
}

impl Settings {
    pub(super) fn join(&self) -> Join {
        #[cfg(feature = "rayon")]
        if self.parallel {
            return Join::Rayon;
        }
        Join::Serial
    }

    pub(super) fn threads(&self) -> Threads {
        #[cfg(feature = "rayon")]
        if self.parallel {
            return Threads::Rayon;
        }
        Threads::One
    }

    pub(super) fn jobs<'j, W: Word>(&'j self, function: &'j Function<W>) -> ThreadedJobs<'j, W> {
        ThreadedJobs { function, prefix: &self.prefix, threads: self.threads() }
    }
}

/// The error for a job that is not defined for an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// HMAC and PBKDF2, which need a hash, not a tree, and one key.
    Hmac(Algorithm),
    /// Outputs that continue, which only extendable-output functions have.
    Xofs(Algorithm),
    /// It hashes messages, not tuples.
    Tuples(Algorithm),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hmac(algorithm) => write!(f, "HMAC is not defined for {algorithm}"),
            Self::Xofs(algorithm) => write!(f, "{algorithm} has no extendable output"),
            Self::Tuples(algorithm) => write!(f, "{algorithm} is no digest of a tuple"),
        }
    }
}

impl error::Error for Unsupported {}

impl fmt::Debug for AnyLanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // the prefix may be a secret
        write!(f, "AnyLanes({}, {})", self.algorithm(), self.settings.backend)
    }
}

impl Algorithm {
    /// [`AnyHash::lanes`] without parameters.
    ///
    /// # Errors
    /// As [`hasher`](Self::hasher).
    pub fn lanes(self) -> Result<AnyLanes, NotADigest> {
        AnyHash::from(self).lanes()
    }
}

impl AnyHash {
    /// Lanes on the detected backend and the calling thread.
    ///
    /// ```
    /// use jlanes::{Algorithm, algorithm::Key, multi::Messages};
    ///
    /// let hash = "blake2s-128".parse::<Algorithm>()?.with(Key::Own(b"secret".to_vec()))?;
    /// let tags = hash.lanes()?.digests(Messages::slices(&[&b"one"[..], b"another"]));
    /// assert_ne!(tags[..16], tags[16..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Algorithm::hasher`].
    pub fn lanes(&self) -> Result<AnyLanes, NotADigest> {
        let backend = Backend::detect();
        let function = self.function_without_prefix(backend);
        if function.is_none() {
            self.hasher_on(backend)?;
        }
        let settings = Settings {
            backend,
            prefix: Buffer::new(),
            #[cfg(feature = "rayon")]
            parallel: false,
        };
        Ok(AnyLanes { hash: self.clone(), function, settings })
    }
}

impl AnyLanes {
    /// Runs on a given backend.
    #[must_use]
    pub fn on(mut self, backend: Backend) -> Self {
        if backend != self.settings.backend {
            self.settings.backend = backend;
            self.function = self.hash.function_without_prefix(backend);
        }
        self
    }

    /// Prepends `prefix` to every message, as [`Lanes::prefix`](crate::multi::Lanes::prefix).
    #[must_use]
    pub fn prefix(mut self, prefix: &[u8]) -> Self {
        self.settings.prefix = prefix.into();
        self
    }

    /// Runs on rayon's thread pool, with the same results, as
    /// [`Lanes::parallel`](crate::multi::Lanes::parallel).
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn parallel(mut self) -> Self {
        self.settings.parallel = true;
        self
    }

    /// The algorithm.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.hash.algorithm()
    }

    /// Bytes of a digest.
    #[must_use]
    pub fn output_size(&self) -> usize {
        self.algorithm().output_size()
    }

    /// Writes the digests of `messages`, in order and contiguous.
    ///
    /// # Panics
    /// If `out` is not [`output_size`](Self::output_size) bytes for each message.
    pub fn digest(&self, messages: Messages<'_>, out: &mut [u8]) {
        if let Some(key) = self.hash.values().hmac_key() {
            let tags = self.without_parameters().hmac(key, messages, out);
            return tags.expect("`with` has checked the algorithm");
        }
        match &self.function {
            Some(any) => {
                with_function!(any, |f| self.settings.jobs(f).digest(&messages.as_batch(), out));
            }
            None => {
                self.check_output_len(messages.len(), out.len());
                self.digest_without_function(messages, out);
            }
        }
    }

    /// Writes the HMAC tags of `messages` under one key, in order and contiguous.
    ///
    /// ```
    /// use jlanes::{Algorithm, multi::Messages};
    ///
    /// let lanes = Algorithm::SHA256.lanes()?;
    /// let mut tags = [0; 2 * 32];
    /// lanes.hmac(b"key", Messages::records(b"onetwo", 3)?, &mut tags)?;
    /// # assert_ne!(tags[..32], tags[32..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If HMAC is not defined for the algorithm.
    ///
    /// # Panics
    /// If `out` is not [`output_size`](Self::output_size) bytes for each message.
    #[track_caller]
    pub fn hmac(
        &self,
        key: &[u8],
        messages: Messages<'_>,
        out: &mut [u8],
    ) -> Result<(), Unsupported> {
        self.check_output_len(messages.len(), out.len());
        with_function!(self.hmac_function()?, |f| {
            self.settings.jobs(f).hmac(key, &messages.as_batch(), out);
        });
        Ok(())
    }

    /// The function, if HMAC is defined for it.
    fn hmac_function(&self) -> Result<&AnyFunction, Unsupported> {
        let algorithm = self.algorithm();
        algorithm.check_hmac()?;
        // HMAC is not defined for a hash with a key or arguments of its own
        let plain = self.function.as_ref().filter(|_| self.hash.has_no_parameters());
        plain.ok_or(Unsupported::Hmac(algorithm))
    }

    /// Writes HMAC tags under one key per message.
    ///
    /// # Errors
    /// If HMAC is not defined for the algorithm.
    ///
    /// # Panics
    /// If `keys` and `messages` differ in length, or if `out` is not
    /// [`output_size`](Self::output_size) bytes for each message.
    #[track_caller]
    pub fn hmac_keyed(
        &self,
        keys: Messages<'_>,
        messages: Messages<'_>,
        out: &mut [u8],
    ) -> Result<(), Unsupported> {
        self.check_output_len(messages.len(), out.len());
        assert_eq!(keys.len(), messages.len(), "as many keys as messages");
        with_function!(self.hmac_function()?, |f| {
            self.settings.jobs(f).hmac_keyed(&keys.as_batch(), &messages.as_batch(), out);
        });
        Ok(())
    }

    /// Derives keys of `width` bytes, contiguous, from passwords with PBKDF2 and HMAC.
    ///
    /// # Errors
    /// If HMAC is not defined for the algorithm.
    ///
    /// # Panics
    /// If `passwords` and `salts` differ in length, if `out` is not `width` bytes for each, or if a
    /// key is longer than PBKDF2's 2^32 - 1 digests.
    #[track_caller]
    pub fn pbkdf2(
        &self,
        passwords: Messages<'_>,
        salts: Messages<'_>,
        rounds: u32,
        width: usize,
        out: &mut [u8],
    ) -> Result<(), Unsupported> {
        assert_eq!(passwords.len(), salts.len(), "as many salts as passwords");
        let bytes = passwords.len().checked_mul(width);
        assert_eq!(bytes, Some(out.len()), "as many keys as passwords");
        with_function!(self.hmac_function()?, |f| {
            let (passwords, salts) = (passwords.as_batch(), salts.as_batch());
            self.settings.jobs(f).pbkdf2_records(&passwords, &salts, rounds, (out, width.max(1)));
        });
        Ok(())
    }

    #[track_caller]
    pub(super) fn check_output_len(&self, messages: usize, bytes: usize) {
        let all = messages.checked_mul(self.output_size());
        assert_eq!(all, Some(bytes), "as many digests as messages");
    }

    /// A hasher for one message in pieces, without the [prefix](Self::prefix).
    #[must_use]
    pub fn hasher(&self) -> Box<dyn AnyHasher> {
        match self.hash.hasher_on(self.settings.backend) {
            Ok(hasher) => hasher,
            Err(_) => unreachable!("the algorithm has had a hasher before"),
        }
    }

    /// Whether messages in flight, which arrive in pieces, share the lanes. Otherwise they take turns.
    #[must_use]
    pub fn shares_lanes_in_flight(&self) -> bool {
        self.algorithm().kind().shares_lanes_in_flight()
    }

    /// The same lanes for the algorithm without its parameters.
    fn without_parameters(&self) -> Self {
        let hash = AnyHash::from(self.algorithm());
        let function = hash.function_without_prefix(self.settings.backend);
        Self { hash, function, settings: self.settings.clone() }
    }
}

#[cfg(all(test, feature = "sha2"))]
mod tests {
    use super::*;
    use crate::algorithm::Key;

    /// Jobs on another backend would have the same results.
    #[test]
    fn a_key_does_not_change_the_backend() {
        let hash = Algorithm::SHA256.with(Key::Hmac(b"key".to_vec())).expect("SHA-256 has HMAC");
        for backend in Backend::available() {
            let kernel =
                |lanes: AnyLanes| with_function!(lanes.function?, |f| Some(f.kernels().name(8)));
            let plain = Algorithm::SHA256.lanes().expect("SHA-256 is a digest").on(backend);
            let keyed = hash.lanes().expect("SHA-256 is a digest").on(backend);
            assert_eq!(kernel(keyed.without_parameters()), kernel(plain), "{backend}");
        }
    }
}
