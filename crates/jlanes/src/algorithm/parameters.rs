//! Keys, salts and other values that change a digest.

use alloc::{string::String, vec::Vec};
use core::{error, fmt, mem, ops::RangeInclusive};

use jlanes_core::wipe::Buffer;

use super::{Algorithm, Fixed, Hash, Kind, Unsupported, parse::BLOCK};
use crate::{
    Backend, Sha1, Sha256, Sha512,
    merkle::{self, DmVerity, FsVerity, Version},
    multi::MultiDigest,
};

/// Values besides the algorithm that change a digest. [`Algorithm::with`] checks that they fit.
///
/// The default is none of them, which is what an algorithm's name alone means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameters {
    /// A key.
    pub key: Option<Key>,
    /// The salt of BLAKE2, fs-verity or dm-verity.
    pub salt: Option<Vec<u8>>,
    /// The personalization of BLAKE2 or Skein. For Skein, here and below, an empty value differs
    /// from none.
    pub personalization: Option<Vec<u8>>,
    /// Skein's public key.
    pub public_key: Option<Vec<u8>>,
    /// Skein's key identifier.
    pub key_id: Option<Vec<u8>>,
    /// Skein's nonce.
    pub nonce: Option<Vec<u8>>,
    /// The customization string of KangarooTwelve (RFC 9861, section 3.2) or ParallelHash
    /// (SP 800-185, section 6).
    pub customization: Option<Vec<u8>>,
    /// The context for which BLAKE3 derives a key from the message.
    pub context: Option<String>,
    /// The position in BLAKE3's output, in bytes, where the digest starts.
    pub seek: Option<u64>,
    /// Bytes of fs-verity's blocks or dm-verity's data blocks.
    pub block_size: Option<usize>,
    /// Bytes of dm-verity's hash blocks; by default those of the data blocks.
    pub hash_block_size: Option<usize>,
    /// The version of dm-verity.
    pub version: Option<Version>,
    /// Whether the digest is that of one message as a leaf of j-pointers, not of a list.
    pub leaf: bool,
    /// Whether digests of ISA-L's multi-hashes have the byte order of x86 memory, as ISA-L writes
    /// them.
    pub memory_order: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Self::NONE
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
        Self { key: Some(key), ..Self::NONE }
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
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => Some(1..=blake2.word.max_size()),
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => {
                Some(jlanes_core::hashes::blake3::KEY..=jlanes_core::hashes::blake3::KEY)
            }
            _ => None,
        }
    }
}

impl Parameters {
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

    /// The key, and those of the other parameters that `algorithm` has.
    #[must_use]
    pub fn for_algorithm(&self, algorithm: Algorithm) -> Self {
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

    /// dm-verity with these parameters.
    ///
    /// # Errors
    /// As [`DmVerity::with_blocks`].
    pub fn dmverity<H>(&self) -> Result<DmVerity, merkle::Error>
    where
        H: MultiDigest<Backend = Backend>,
    {
        let data = self.block_size.unwrap_or(BLOCK);
        let nodes = self.hash_block_size.unwrap_or(data);
        let format = DmVerity::with_blocks::<H>(data, nodes, self.salt())?;
        Ok(format.version(self.version.unwrap_or_default()))
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
                match hash {
                    Fixed::Sha1 => self.dmverity::<Sha1>().map(drop),
                    Fixed::Sha512 => self.dmverity::<Sha512>().map(drop),
                    _ => self.dmverity::<Sha256>().map(drop),
                }
                .map_err(ParameterError::Format)?;
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
