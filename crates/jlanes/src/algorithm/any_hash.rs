//! [`AnyHash`], an algorithm with its parameters.

use alloc::{boxed::Box, sync::Arc};

use jlanes_core::{function::AnyFunction, wipe::Buffer};
use jlanes_tree::multi_hash::MultiHash;

use super::{
    Algorithm, AnyHasher, BaseHash, Fixed, Key, Kind, NotADigest, ParameterError, Parameters,
    hasher::{merkle, multi_hash},
    hmac::{self, PrefixedHasher},
    parameters::Values,
    prefixed_function::PrefixedFunction,
};
use crate::{
    Backend, Sha1, Sha256,
    merkle::{DmVerity, Dropbox, FsVerity, Glacier, Rfc6962, Sha256Tree},
    skein::TreeParams,
};

/// An [`Algorithm`] and its [`Parameters`]: everything that its digests depend on. Equal ones have equal
/// digests.
///
/// [`Algorithm::with`] makes one, and so does `From` for an algorithm without parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyHash {
    algorithm: Algorithm,
    /// `None` for the default, which needs no allocation. Clones share the key.
    values: Option<Arc<Values>>,
}

/// The algorithm without parameters.
impl From<Algorithm> for AnyHash {
    fn from(algorithm: Algorithm) -> Self {
        Self { algorithm, values: None }
    }
}

impl Algorithm {
    /// The algorithm with a [`Key`] or other parameters.
    ///
    /// ```
    /// use jlanes::{
    ///     Algorithm, Backend,
    ///     algorithm::{Key, Parameters, Skein},
    ///     skein::{Skein512, SkeinConfig},
    /// };
    ///
    /// let hmac = Algorithm::SHA256.with(Key::Hmac(b"Jefe".to_vec()))?;
    /// let mut tag = hmac.hasher_on(Backend::detect())?;
    /// tag.update(b"what do ya want ");
    /// tag.update(b"for nothing?");
    /// assert_eq!(tag.finalize()[..4], [0x5b, 0xdc, 0xc1, 0x46]); // RFC 4231, test case 2
    ///
    /// let parameters = Parameters::<Skein>::new().key(b"key".to_vec()).nonce(b"nonce".to_vec());
    /// let hash = "skein512".parse::<Algorithm>()?.with(parameters)?;
    /// let mut tag = hash.hasher_on(Backend::detect())?;
    /// tag.update(b"message");
    /// let config = SkeinConfig::<Skein512>::builder().key(b"key").nonce(b"nonce").build()?;
    /// assert_eq!(tag.finalize(), config.hash(b"message"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the algorithm does not have these parameters, or not with these values.
    pub fn with<F>(self, parameters: impl Into<Parameters<F>>) -> Result<AnyHash, ParameterError> {
        let given = parameters.into().values;
        given.check_key(self)?;
        let mut own = given.for_algorithm(self);
        if own != given {
            return Err(ParameterError::Unused(self));
        }
        let algorithm = own.normalize(self)?;
        let values = (own != Values::NONE).then(|| Arc::new(own));
        Ok(AnyHash { algorithm, values })
    }
}

impl AnyHash {
    /// The algorithm. For fs-verity it includes the block size.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The key, if there is one.
    #[must_use]
    pub fn key(&self) -> Option<&Key> {
        self.values().key.as_ref()
    }

    /// The format, if it is dm-verity.
    #[must_use]
    pub fn dmverity(&self) -> Option<DmVerity> {
        let Kind::DmVerity(hash) = self.algorithm.kind() else { return None };
        // `with` has checked the sizes
        self.values().dmverity(hash).ok()
    }

    /// The parameters' values; default ones are absent.
    pub(super) fn values(&self) -> &Values {
        static NONE: Values = Values::NONE;
        self.values.as_deref().unwrap_or(&NONE)
    }

    /// Whether there are no parameters.
    pub(super) fn has_no_parameters(&self) -> bool {
        self.values.is_none()
    }

    /// A hasher on a given backend.
    ///
    /// # Errors
    /// As [`Algorithm::hasher`].
    pub fn hasher_on(&self, backend: Backend) -> Result<Box<dyn AnyHasher>, NotADigest> {
        let values = self.values();
        if let Some(key) = values.hmac_key() {
            return Ok(hmac::hasher(self.algorithm, key, backend));
        }
        let computed_by = |instead| NotADigest { algorithm: self.algorithm, instead };
        Ok(match self.algorithm.kind() {
            Kind::Hash(BaseHash::Fixed(fixed)) => fixed.hasher_on(backend),
            Kind::Hash(BaseHash::Skein(skein)) => {
                skein.hasher(TreeParams::default(), values, backend)
            }
            Kind::SkeinTree(skein, tree) => skein.hasher(tree, values, backend),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => blake2.hasher(values, backend),
            #[cfg(feature = "blake3")]
            Kind::Blake3(blake3) => blake3.hasher(values, backend),
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => {
                let tuple = computed_by("jlanes::algorithm::AnyHash::tuple_digest");
                xof.hasher(values, backend).ok_or(tuple)?
            }
            Kind::JLanes { lanes, hash, raw } => hash.j_lanes_hasher(lanes.into(), raw, backend),
            Kind::MhSha1 => multi_hash(MultiHash::<Sha1>::with_backend(backend), values),
            Kind::MhSha256 => multi_hash(MultiHash::<Sha256>::with_backend(backend), values),
            Kind::FsVerity { hash: Fixed::Sha512, block } => {
                merkle(FsVerity::sha512(block, values.salt()), backend)
            }
            Kind::FsVerity { block, .. } => merkle(FsVerity::sha256(block, values.salt()), backend),
            Kind::Sha256Tree => merkle(Ok(Sha256Tree::default()), backend),
            Kind::Glacier => merkle(Ok(Glacier), backend),
            Kind::Dropbox => merkle(Ok(Dropbox), backend),
            Kind::Rfc6962 { leaf } => merkle(Rfc6962::chunks::<Sha256>(leaf), backend),
            Kind::JPointers { hash, raw } if values.leaf => {
                let mut initial = hash.hasher_on(backend);
                initial.update(&hash.leaf_prefix(raw));
                PrefixedHasher::boxed(initial, None)
            }
            Kind::S3 { checksum, part } => match (checksum.hash(), part) {
                (Some(hash), None) => hash.hasher_on(backend),
                (Some(_), Some(_)) => return Err(computed_by("jlanes::merkle::S3")),
                (None, _) => return Err(computed_by("jlanes-files")),
            },
            Kind::JPointers { raw: false, .. } => {
                return Err(computed_by("jlanes::tree::JPointers"));
            }
            Kind::JPointers { raw: true, .. } => {
                return Err(computed_by("jlanes::tree::JPointersRaw"));
            }
            Kind::BitTorrent => return Err(computed_by("jlanes::merkle::BitTorrent")),
            Kind::DmVerity(_) => return Err(computed_by("jlanes::merkle::DmVerity")),
            #[cfg(feature = "md5")]
            Kind::ETag { .. } => return Err(computed_by("jlanes::merkle::ETag")),
        })
    }

    /// The hash function of messages that share lanes; `None` for algorithms that fill the lanes with one
    /// message.
    pub(super) fn prefixed_function(&self, backend: Backend) -> Option<PrefixedFunction> {
        if let Some(key) = self.values().hmac_key() {
            return Some(self.algorithm.hmac_function(key, backend));
        }
        Some(PrefixedFunction {
            function: self.function(backend)?,
            own_prefix: self.own_prefix(),
            outer: None,
        })
    }

    /// The hash function, if several messages share lanes and there is neither a key, which a handle
    /// would keep a second time, nor another prefix.
    pub(super) fn function_without_prefix(&self, backend: Backend) -> Option<AnyFunction> {
        let has_no_prefix = self.values().key.is_none() && self.own_prefix().is_empty();
        if has_no_prefix { self.function(backend) } else { None }
    }

    /// The hash function of messages after [`own_prefix`](Self::own_prefix), if several share lanes.
    fn function(&self, backend: Backend) -> Option<AnyFunction> {
        match self.algorithm.kind() {
            Kind::Hash(BaseHash::Fixed(fixed)) => Some(fixed.function(backend)),
            Kind::Hash(BaseHash::Skein(skein)) => Some(skein.function(self.values(), backend)),
            Kind::JPointers { hash, .. } if self.values().leaf => Some(hash.function(backend)),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => Some(blake2.function(self.values(), backend)),
            kind => kind.s3_hash().map(|hash| hash.function(backend)),
        }
    }

    /// The bytes before every message: the block of a key, or the leaf prefix of j-pointers.
    fn own_prefix(&self) -> Buffer {
        match self.algorithm.kind() {
            Kind::JPointers { hash, raw } => hash.leaf_prefix(raw).into(),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => blake2.key_block(self.values()),
            _ => Buffer::new(),
        }
    }
}
