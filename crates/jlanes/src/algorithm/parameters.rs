//! Keys, salts and other values that change a digest.

use alloc::{string::String, vec::Vec};
use core::{error, fmt, marker::PhantomData, mem, ops::RangeInclusive};

use jlanes_core::wipe::Buffer;

use super::{Algorithm, Fixed, Hash, Kind, Skein, Unsupported, parse::BLOCK};
use crate::{
    Sha1, Sha256, Sha512,
    merkle::{self, DmVerity, FsVerity, Version},
};

/// Values besides the algorithm that change a digest, of a family `F` of algorithms, which has methods for its
/// values. [`Algorithm::with`] checks them.
///
/// `F` is one of [`Skein`], [`Blake2`](super::Blake2), [`Blake3`](super::Blake3), [`Xof`](super::Xof),
/// [`FsVerity`] and [`DmVerity`]. Without it, values may be of any algorithm: a [`Key`], or what
/// [`and`](Self::and) joins where the name of an algorithm comes at run time.
///
/// A method takes a value, or an option: `None` is as if the method had not been called. The default is no value
/// at all, which is what an algorithm's name alone means.
///
/// ```
/// use jlanes::{Algorithm, algorithm::{Parameters, Skein}};
///
/// let parameters = Parameters::<Skein>::new().key(b"key".to_vec()).nonce(b"nonce".to_vec());
/// assert!("skein512".parse::<Algorithm>()?.with(parameters.clone()).is_ok());
/// assert!("blake2b".parse::<Algorithm>()?.with(parameters).is_err());
/// # Ok::<(), jlanes::AlgorithmError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Parameters<F = ()> {
    pub(super) values: Values,
    family: PhantomData<fn() -> F>,
}

/// The values of all families; `None` and `false` are absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values {
    pub(super) key: Option<Key>,
    pub(super) salt: Option<Vec<u8>>,
    pub(super) personalization: Option<Vec<u8>>,
    pub(super) public_key: Option<Vec<u8>>,
    pub(super) key_id: Option<Vec<u8>>,
    pub(super) nonce: Option<Vec<u8>>,
    pub(super) customization: Option<Vec<u8>>,
    pub(super) context: Option<String>,
    pub(super) seek: Option<u64>,
    pub(super) block_size: Option<usize>,
    pub(super) hash_block_size: Option<usize>,
    pub(super) version: Option<Version>,
    pub(super) leaf: bool,
    pub(super) memory_order: bool,
}

impl<F> From<Values> for Parameters<F> {
    fn from(values: Values) -> Self {
        Self { values, family: PhantomData }
    }
}

impl<F> Default for Parameters<F> {
    fn default() -> Self {
        Values::NONE.into()
    }
}

impl<F> Parameters<F> {
    /// No values.
    pub fn new() -> Self {
        Self::default()
    }

    /// These values, for an algorithm of any family.
    pub fn any(self) -> Parameters {
        self.values.into()
    }

    /// These values, and those of `other` that are absent here. A value that several families have, such as a
    /// salt, is the same for all of them.
    pub fn and<G>(self, other: Parameters<G>) -> Parameters {
        let (own, other) = (self.values, other.values);
        Values {
            key: own.key.or(other.key),
            salt: own.salt.or(other.salt),
            personalization: own.personalization.or(other.personalization),
            public_key: own.public_key.or(other.public_key),
            key_id: own.key_id.or(other.key_id),
            nonce: own.nonce.or(other.nonce),
            customization: own.customization.or(other.customization),
            context: own.context.or(other.context),
            seek: own.seek.or(other.seek),
            block_size: own.block_size.or(other.block_size),
            hash_block_size: own.hash_block_size.or(other.hash_block_size),
            version: own.version.or(other.version),
            leaf: own.leaf || other.leaf,
            memory_order: own.memory_order || other.memory_order,
        }
        .into()
    }

    fn set(mut self, set: impl FnOnce(&mut Values)) -> Self {
        set(&mut self.values);
        self
    }
}

impl Parameters {
    /// The digest of j-pointers is that of one message as a leaf, not of a list.
    pub fn leaf() -> Self {
        Self::new().set(|it| it.leaf = true)
    }

    /// Digests of ISA-L's multi-hashes have the byte order of x86 memory, as ISA-L writes them.
    pub fn memory_order() -> Self {
        Self::new().set(|it| it.memory_order = true)
    }

    /// The key, and those of the other values that `algorithm` has.
    pub fn for_algorithm(&self, algorithm: Algorithm) -> Self {
        self.values.for_algorithm(algorithm).into()
    }
}

/// An empty value differs from an absent one, except for the key.
impl Parameters<Skein> {
    /// The key.
    pub fn key(self, key: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.key = key.into().map(Key::Own))
    }

    /// The personalization string.
    pub fn personalization(self, personalization: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.personalization = personalization.into())
    }

    /// The public key.
    pub fn public_key(self, public_key: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.public_key = public_key.into())
    }

    /// The key identifier.
    pub fn key_id(self, key_id: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.key_id = key_id.into())
    }

    /// The nonce.
    pub fn nonce(self, nonce: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.nonce = nonce.into())
    }
}

#[cfg(feature = "blake2")]
impl Parameters<super::Blake2> {
    /// The key.
    pub fn key(self, key: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.key = key.into().map(Key::Own))
    }

    /// The salt.
    pub fn salt(self, salt: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.salt = salt.into())
    }

    /// The personalization.
    pub fn personalization(self, personalization: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.personalization = personalization.into())
    }
}

#[cfg(feature = "blake3")]
impl Parameters<super::Blake3> {
    /// The keyed mode.
    pub fn keyed(key: [u8; jlanes_core::hashes::blake3::KEY]) -> Self {
        Self::new().set(|it| it.key = Some(Key::Own(key.into())))
    }

    /// A context for which a key is derived from the message.
    pub fn derive_key(context: impl Into<String>) -> Self {
        Self::new().set(|it| it.context = Some(context.into()))
    }

    /// The position in the output, in bytes, where the digest starts.
    pub fn seek(self, position: impl Into<Option<u64>>) -> Self {
        self.set(|it| it.seek = position.into())
    }
}

#[cfg(feature = "sha3")]
impl Parameters<super::Xof> {
    /// KMAC's key.
    pub fn key(self, key: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.key = key.into().map(Key::Own))
    }

    /// The customization string of KangarooTwelve (RFC 9861, section 3.2), ParallelHash, KMAC or TupleHash
    /// (SP 800-185).
    pub fn customization(self, customization: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.customization = customization.into())
    }
}

impl Parameters<FsVerity> {
    /// Bytes of a block.
    pub fn block_size(self, size: impl Into<Option<usize>>) -> Self {
        self.set(|it| it.block_size = size.into())
    }

    /// The salt.
    pub fn salt(self, salt: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.salt = salt.into())
    }
}

impl Parameters<DmVerity> {
    /// Bytes of a data block.
    pub fn block_size(self, size: impl Into<Option<usize>>) -> Self {
        self.set(|it| it.block_size = size.into())
    }

    /// Bytes of a hash block; by default those of a data block.
    pub fn hash_block_size(self, size: impl Into<Option<usize>>) -> Self {
        self.set(|it| it.hash_block_size = size.into())
    }

    /// The salt.
    pub fn salt(self, salt: impl Into<Option<Vec<u8>>>) -> Self {
        self.set(|it| it.salt = salt.into())
    }

    /// The version of the format.
    pub fn version(self, version: impl Into<Option<Version>>) -> Self {
        self.set(|it| it.version = version.into())
    }
}

/// A key, by its use.
#[derive(Clone, PartialEq, Eq)]
pub enum Key {
    /// For HMAC, of any length.
    Hmac(Vec<u8>),
    /// For the algorithm's own keyed mode. [`Algorithm::key_sizes`] are the possible lengths.
    Own(Vec<u8>),
}

/// With the feature `zeroize`, wipes the key.
impl Drop for Key {
    fn drop(&mut self) {
        let (Self::Hmac(key) | Self::Own(key)) = self;
        drop(Buffer::from(mem::take(key)));
    }
}

/// Formats the kind of key, never its bytes.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hmac(_) => "Hmac(..)",
            Self::Own(_) => "Own(..)",
        })
    }
}

/// The key alone.
impl From<Key> for Parameters {
    fn from(key: Key) -> Self {
        Self::new().set(|it| it.key = Some(key))
    }
}

/// The error of parameters that do not fit an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterError {
    /// HMAC is not defined for the algorithm.
    Hmac(Unsupported),
    /// The algorithm has no keyed mode.
    Key(Algorithm),
    /// The keyed mode does not take keys of this length.
    KeySize {
        /// The algorithm.
        algorithm: Algorithm,
        /// Bytes of the key.
        len: usize,
    },
    /// BLAKE2's salt or personalization is too long.
    TooLong(Algorithm),
    /// At least one of the parameters is for other algorithms.
    Unused(Algorithm),
    /// The block size differs from the one in the algorithm's name, or BLAKE3 has a key and a
    /// context.
    Contradiction(Algorithm),
    /// The format does not support the salt or the size of a block.
    Format(merkle::Error),
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hmac(error) => error.fmt(f),
            Self::Key(algorithm) => write!(f, "{algorithm} has no keyed mode"),
            Self::KeySize { algorithm, len } => {
                let sizes = algorithm.key_sizes().map(RangeInclusive::into_inner);
                let (min, max) = sizes.unwrap_or_default();
                write!(f, "{algorithm} takes a key of ")?;
                match max {
                    usize::MAX => f.write_str("at least one byte")?,
                    _ if min == max => write!(f, "{max} bytes")?,
                    _ => write!(f, "{min} to {max} bytes")?,
                }
                write!(f, ", not of {len}")
            }
            Self::TooLong(algorithm) => {
                write!(f, "a salt or personalization too long for {algorithm}")
            }
            Self::Unused(algorithm) => write!(f, "a parameter that {algorithm} does not have"),
            Self::Contradiction(algorithm) => {
                write!(f, "parameters of {algorithm} that contradict each other")
            }
            Self::Format(error) => error.fmt(f),
        }
    }
}

impl error::Error for ParameterError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Hmac(error) => Some(error),
            Self::Format(error) => Some(error),
            _ => None,
        }
    }
}

impl Algorithm {
    /// The lengths of keys in bytes for the algorithm's own keyed mode; `None` if it has none.
    #[must_use]
    pub fn key_sizes(self) -> Option<RangeInclusive<usize>> {
        match self.kind() {
            Kind::Hash(Hash::Skein(_)) | Kind::SkeinTree(..) => Some(1..=usize::MAX),
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) if xof.is_mac() => Some(1..=usize::MAX),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => Some(1..=blake2.word.max_size()),
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => {
                Some(jlanes_core::hashes::blake3::KEY..=jlanes_core::hashes::blake3::KEY)
            }
            _ => None,
        }
    }

    /// Whether the algorithm is a MAC, which is nothing without a key.
    #[must_use]
    pub fn needs_key(self) -> bool {
        match self.kind() {
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => xof.is_mac(),
            _ => false,
        }
    }
}

impl Values {
    pub(super) const NONE: Self = Self {
        key: None,
        salt: None,
        personalization: None,
        public_key: None,
        key_id: None,
        nonce: None,
        customization: None,
        context: None,
        seek: None,
        block_size: None,
        hash_block_size: None,
        version: None,
        leaf: false,
        memory_order: false,
    };

    /// [`Parameters::for_algorithm`].
    pub(super) fn for_algorithm(&self, algorithm: Algorithm) -> Self {
        let mut own = Self { key: self.key.clone(), ..Self::NONE };
        match algorithm.kind() {
            _ if self.hmac_key().is_some() => {}
            Kind::Hash(Hash::Skein(_)) | Kind::SkeinTree(..) => {
                own.personalization.clone_from(&self.personalization);
                own.public_key.clone_from(&self.public_key);
                own.key_id.clone_from(&self.key_id);
                own.nonce.clone_from(&self.nonce);
            }
            #[cfg(feature = "blake2")]
            Kind::Blake2(_) => {
                own.salt.clone_from(&self.salt);
                own.personalization.clone_from(&self.personalization);
            }
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => {
                own.context.clone_from(&self.context);
                own.seek = self.seek;
            }
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) if !xof.is_shake() => {
                own.customization.clone_from(&self.customization);
            }
            Kind::FsVerity { .. } => {
                own.block_size = self.block_size;
                own.salt.clone_from(&self.salt);
            }
            Kind::DmVerity(_) => {
                own.block_size = self.block_size;
                own.hash_block_size = self.hash_block_size;
                own.version = self.version;
                own.salt.clone_from(&self.salt);
            }
            Kind::JPointers { .. } => own.leaf = self.leaf,
            Kind::MhSha1 | Kind::MhSha256 => own.memory_order = self.memory_order,
            _ => {}
        }
        own
    }

    /// dm-verity with these values.
    pub(super) fn dmverity(&self, hash: Fixed) -> Result<DmVerity, merkle::Error> {
        let data = self.block_size.unwrap_or(BLOCK);
        let nodes = self.hash_block_size.unwrap_or(data);
        let format = match hash {
            Fixed::Sha1 => DmVerity::with_blocks::<Sha1>(data, nodes, self.salt()),
            Fixed::Sha512 => DmVerity::with_blocks::<Sha512>(data, nodes, self.salt()),
            _ => DmVerity::with_blocks::<Sha256>(data, nodes, self.salt()),
        };
        Ok(format?.version(self.version.unwrap_or_default()))
    }

    /// HMAC's key.
    pub(super) fn hmac_key(&self) -> Option<&[u8]> {
        match &self.key {
            Some(Key::Hmac(key)) => Some(key),
            _ => None,
        }
    }

    /// The key of the algorithm's keyed mode.
    pub(super) fn own_key(&self) -> Option<&[u8]> {
        match &self.key {
            Some(Key::Own(key)) => Some(key),
            _ => None,
        }
    }

    /// The salt, by default an empty one.
    pub(super) fn salt(&self) -> &[u8] {
        self.salt.as_deref().unwrap_or_default()
    }

    /// The customization string, by default an empty one.
    #[cfg(feature = "sha3")]
    pub(super) fn customization(&self) -> &[u8] {
        self.customization.as_deref().unwrap_or_default()
    }

    pub(super) fn check_key(&self, algorithm: Algorithm) -> Result<(), ParameterError> {
        match (&self.key, algorithm.key_sizes()) {
            (None, _) => Ok(()),
            (Some(Key::Hmac(_)), _) => algorithm.check_hmac().map_err(ParameterError::Hmac),
            (Some(Key::Own(_)), None) => Err(ParameterError::Key(algorithm)),
            (Some(Key::Own(key)), Some(sizes)) if !sizes.contains(&key.len()) => {
                Err(ParameterError::KeySize { algorithm, len: key.len() })
            }
            (Some(Key::Own(_)), _) if self.context.is_some() => {
                Err(ParameterError::Contradiction(algorithm))
            }
            (Some(Key::Own(_)), Some(_)) => Ok(()),
        }
    }

    /// Removes default values, so that equal parameters have one form, and checks the others.
    /// Returns the algorithm with the block size of fs-verity.
    pub(super) fn normalize(&mut self, algorithm: Algorithm) -> Result<Algorithm, ParameterError> {
        let remove_empty =
            |bytes: &mut Option<Vec<u8>>| *bytes = bytes.take().filter(|b| !b.is_empty());
        match algorithm.kind() {
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => {
                remove_empty(&mut self.salt);
                remove_empty(&mut self.personalization);
                let most = blake2.word.max_size() / 4;
                let is_long =
                    |bytes: &Option<Vec<u8>>| bytes.as_ref().is_some_and(|b| b.len() > most);
                if is_long(&self.salt) || is_long(&self.personalization) {
                    return Err(ParameterError::TooLong(algorithm));
                }
            }
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => self.seek = self.seek.filter(|seek| *seek > 0),
            #[cfg(feature = "sha3")]
            Kind::Xof(_) => remove_empty(&mut self.customization),
            Kind::FsVerity { hash, block } => {
                remove_empty(&mut self.salt);
                let block = match self.block_size.take() {
                    Some(size) if block != BLOCK && size != block => {
                        return Err(ParameterError::Contradiction(algorithm));
                    }
                    size => size.unwrap_or(block),
                };
                FsVerity::sha256(block, self.salt()).map_err(ParameterError::Format)?;
                return Ok(Algorithm(Kind::FsVerity { hash, block }));
            }
            Kind::DmVerity(hash) => {
                remove_empty(&mut self.salt);
                self.dmverity(hash).map_err(ParameterError::Format)?;
                self.block_size = self.block_size.filter(|size| *size != BLOCK);
                let data = self.block_size.unwrap_or(BLOCK);
                self.hash_block_size = self.hash_block_size.filter(|size| *size != data);
                self.version = self.version.filter(|version| *version != Version::default());
            }
            _ => {}
        }
        Ok(algorithm)
    }
}
