//! Many messages under an algorithm selected at run time.

use alloc::{boxed::Box, vec::Vec};
use core::{error, fmt};

use jlanes_core::batch::function::AnyFunction;
use jlanes_tree::join::Join;

use super::{
    Algorithm, AnyHasher, Kind, NotADigest,
    job::{Job, OnBackend, with},
};
use crate::{
    Backend,
    multi::{Messages, parts::Parts},
};

/// Hashes many messages at once under an [`Algorithm`]: [`Lanes`](crate::multi::Lanes) with the
/// hash function as a value.
///
/// Digests are contiguous: `n` messages take `n * output_size()` bytes. Trees and KangarooTwelve
/// hash one message after the other, because each message fills the lanes.
///
/// It has every job of the typed handle:
///
/// | [`Lanes`](crate::multi::Lanes) | `AnyLanes` |
/// |---|---|
/// | `digest`, `digest_with`, `digest_all` | [`digest`](Self::digest) |
/// | `digests` | [`digests`](Self::digests) |
/// | `nodes` | [`nodes`](Self::nodes) |
/// | `pairs` | [`pairs`](Self::pairs) |
/// | `double`, `double_nodes` | [`double`](Self::double) |
/// | `chains`, `chains_of` | [`chains`](Self::chains) |
/// | `tweaked_chains`, `multi::xof_chains` | [`tweaked_chains`](Self::tweaked_chains) |
/// | `hmac`, `hmac_with` | [`hmac`](Self::hmac) |
/// | `hmac_keyed` | [`hmac_keyed`](Self::hmac_keyed) |
/// | `hmac_mismatches` | [`hmac_mismatches`](Self::hmac_mismatches) |
/// | `pbkdf2` | [`pbkdf2`](Self::pbkdf2) |
/// | `scheduler` | [`scheduler`](Self::scheduler) |
/// | `Xofs`, for extendable outputs | [`xofs`](Self::xofs) |
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
    algorithm: Algorithm,
    /// The function, if messages can share lanes; `None` under the algorithm's own key.
    pub(super) function: Option<OnBackend>,
    pub(super) settings: Settings,
}

/// The settings that all jobs share.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) backend: Backend,
    pub(super) prefix: Box<[u8]>,
    /// The algorithm's own key; may be empty.
    pub(super) key: Box<[u8]>,
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

    pub(super) fn parts(&self) -> Parts {
        #[cfg(feature = "rayon")]
        if self.parallel {
            return Parts::Rayon;
        }
        Parts::One
    }
}

/// The error for HMAC and PBKDF2 under an algorithm that does not define them: they need a hash,
/// not a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HmacUnsupported(pub(super) Algorithm);

impl fmt::Display for HmacUnsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HMAC is not defined for {}", self.0)
    }
}

impl error::Error for HmacUnsupported {}

/// The error for a key that the algorithm does not take: it has no keyed mode, or one for keys of
/// other lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUnsupported {
    algorithm: Algorithm,
    len: usize,
}

impl fmt::Display for KeyUnsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let algorithm = self.algorithm;
        match algorithm.kind() {
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => {
                let most = blake2.word().max_size();
                write!(f, "{algorithm} takes a key of 1 to {most} bytes, not of {}", self.len)
            }
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => {
                let size = super::Blake3::KEY_SIZE;
                write!(f, "{algorithm} takes a key of {size} bytes, not of {}", self.len)
            }
            _ => write!(f, "{algorithm} has no keyed mode"),
        }
    }
}

impl error::Error for KeyUnsupported {}

impl fmt::Debug for AnyLanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // the prefix may be a secret
        write!(f, "AnyLanes({}, {})", self.algorithm, self.settings.backend)
    }
}

impl Algorithm {
    /// Lanes on the detected backend and the calling thread.
    ///
    /// # Errors
    /// As [`hasher`](Self::hasher).
    pub fn lanes(self) -> Result<AnyLanes, NotADigest> {
        let function = match self.0 {
            Kind::Hash(hash) => hash.function(),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => blake2.function(),
            _ => None,
        };
        if function.is_none() {
            self.hasher()?;
        }
        let settings = Settings {
            backend: Backend::detect(),
            prefix: Box::default(),
            key: Box::default(),
            #[cfg(feature = "rayon")]
            parallel: false,
        };
        Ok(AnyLanes { algorithm: self, function, settings })
    }
}

impl AnyLanes {
    /// Runs on a given backend.
    #[must_use]
    pub fn on(mut self, backend: Backend) -> Self {
        self.settings.backend = backend;
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

    /// Hashes under the algorithm's own key, which BLAKE2 and BLAKE3 have: 1 to 64 bytes for BLAKE2b, 1 to
    /// 32 for BLAKE2s, 32 for BLAKE3. The tags differ from HMAC's.
    ///
    /// ```
    /// use jlanes::{Algorithm, multi::Messages};
    ///
    /// let lanes = "blake2s-128".parse::<Algorithm>()?.lanes()?.keyed(b"secret")?;
    /// let mut tags = [0; 2 * 16];
    /// lanes.digest(Messages::slices(&[&b"one"[..], b"another"]), &mut tags);
    /// assert_ne!(tags[..16], tags[16..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the algorithm has no key of its own, or not of this length.
    #[cfg_attr(not(any(feature = "blake2", feature = "blake3")), expect(unused_mut))] // no other has a key
    pub fn keyed(mut self, key: &[u8]) -> Result<Self, KeyUnsupported> {
        match self.algorithm.kind() {
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) if (1..=blake2.word().max_size()).contains(&key.len()) => {
                self.function = None;
                self.settings.key = key.into();
                Ok(self)
            }
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) if key.len() == super::Blake3::KEY_SIZE => {
                self.settings.key = key.into();
                Ok(self)
            }
            _ => Err(KeyUnsupported { algorithm: self.algorithm, len: key.len() }),
        }
    }

    /// The algorithm.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Bytes of a digest.
    #[must_use]
    pub fn output_size(&self) -> usize {
        self.algorithm.output_size()
    }

    /// Writes the digests of `messages`, in order and contiguous.
    ///
    /// # Panics
    /// If `out` is not [`output_size`](Self::output_size) bytes for each message.
    pub fn digest(&self, messages: Messages<'_>, out: &mut [u8]) {
        self.check(messages.len(), out.len());
        match self.on_backend() {
            Some(any) => with!(any, |f| Job::new(&self.settings, f).digest(messages, out)),
            None => self.others(&slices(messages), out),
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
    pub fn hmac(
        &self,
        key: &[u8],
        messages: Messages<'_>,
        out: &mut [u8],
    ) -> Result<(), HmacUnsupported> {
        self.check(messages.len(), out.len());
        match self.on_backend() {
            Some(any) => with!(any, |f| Job::new(&self.settings, f).hmac(key, messages, out)),
            None => self.other_hmac(key, &slices(messages), out)?,
        }
        Ok(())
    }

    /// Writes HMAC tags under one key per message.
    ///
    /// # Errors
    /// If HMAC is not defined for the algorithm.
    ///
    /// # Panics
    /// If `keys` and `messages` differ in length, or if `out` is not
    /// [`output_size`](Self::output_size) bytes for each message.
    pub fn hmac_keyed(
        &self,
        keys: Messages<'_>,
        messages: Messages<'_>,
        out: &mut [u8],
    ) -> Result<(), HmacUnsupported> {
        self.check(messages.len(), out.len());
        assert_eq!(keys.len(), messages.len(), "as many keys as messages");
        match self.on_backend() {
            Some(any) => {
                with!(any, |f| Job::new(&self.settings, f).hmac_keyed(keys, messages, out));
            }
            None => self.other_hmac_keyed(keys, &slices(messages), out)?,
        }
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
    pub fn pbkdf2(
        &self,
        passwords: Messages<'_>,
        salts: Messages<'_>,
        rounds: u32,
        width: usize,
        out: &mut [u8],
    ) -> Result<(), HmacUnsupported> {
        assert_eq!(passwords.len(), salts.len(), "as many salts as passwords");
        let bytes = passwords.len().checked_mul(width);
        assert_eq!(bytes, Some(out.len()), "as many keys as passwords");
        let mut outs: Vec<&mut [u8]> = out.chunks_mut(width.max(1)).collect();
        match self.on_backend() {
            Some(any) => with!(any, |f| {
                Job::new(&self.settings, f).pbkdf2(passwords, salts, rounds, &mut outs);
            }),
            None => self.other_pbkdf2(&slices(passwords), &slices(salts), rounds, &mut outs)?,
        }
        Ok(())
    }

    /// The function on the backend, if messages can share its lanes.
    pub(super) fn on_backend(&self) -> Option<AnyFunction> {
        Some(self.function?(self.settings.backend))
    }

    pub(super) fn check(&self, messages: usize, bytes: usize) {
        let all = messages.checked_mul(self.output_size());
        assert_eq!(all, Some(bytes), "as many digests as messages");
    }

    /// A hasher for one message in pieces, under the [key](Self::keyed) but without the
    /// [prefix](Self::prefix).
    #[must_use]
    pub fn hasher(&self) -> Box<dyn AnyHasher> {
        #[cfg(feature = "blake2")]
        if let Kind::Blake2(blake2) = self.algorithm.kind() {
            let key = Some(&*self.settings.key).filter(|key| !key.is_empty());
            return blake2.hasher_on(key, self.settings.backend);
        }
        #[cfg(feature = "blake3")]
        if let Kind::Blake3(blake3) = self.algorithm.kind() {
            let mode = super::Blake3Mode::of_key(&self.settings.key);
            return blake3.hasher_on(mode, self.settings.backend);
        }
        match self.algorithm.hasher_on(self.settings.backend) {
            Ok(hasher) => hasher,
            Err(_) => unreachable!("the algorithm has had a hasher before"),
        }
    }
}

pub(super) fn slices(messages: Messages<'_>) -> Vec<&[u8]> {
    (0..messages.len()).map(|i| messages.get(i)).collect()
}
