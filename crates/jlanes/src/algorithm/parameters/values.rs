//! [`Values`], the parameters of all families in one record: which of them an algorithm has, and whether they
//! fit it.

use alloc::{string::String, vec::Vec};

use jlanes_core::hashes::skein::params::Arguments;

#[cfg(doc)]
use super::Parameters;
use super::{Key, ParameterError};
use crate::{
    Sha1, Sha256, Sha512,
    algorithm::{Algorithm, BaseHash, Fixed, Kind, parse::DEFAULT_BLOCK},
    merkle::{self, DmVerity, FsVerity, Version},
};

/// The values of all families; `None` and `false` are absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::algorithm) struct Values {
    pub(in crate::algorithm) key: Option<Key>,
    pub(in crate::algorithm) salt: Option<Vec<u8>>,
    pub(in crate::algorithm) personalization: Option<Vec<u8>>,
    pub(in crate::algorithm) public_key: Option<Vec<u8>>,
    pub(in crate::algorithm) key_id: Option<Vec<u8>>,
    pub(in crate::algorithm) nonce: Option<Vec<u8>>,
    pub(in crate::algorithm) customization: Option<Vec<u8>>,
    pub(in crate::algorithm) context: Option<String>,
    pub(in crate::algorithm) seek: Option<u64>,
    pub(in crate::algorithm) block_size: Option<usize>,
    pub(in crate::algorithm) hash_block_size: Option<usize>,
    pub(in crate::algorithm) version: Option<Version>,
    pub(in crate::algorithm) leaf: bool,
    pub(in crate::algorithm) memory_order: bool,
}

impl Values {
    pub(in crate::algorithm) const NONE: Self = Self {
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

    /// [`Parameters::and`].
    pub(in crate::algorithm) fn or(self, other: Self) -> Self {
        Self {
            key: self.key.or(other.key),
            salt: self.salt.or(other.salt),
            personalization: self.personalization.or(other.personalization),
            public_key: self.public_key.or(other.public_key),
            key_id: self.key_id.or(other.key_id),
            nonce: self.nonce.or(other.nonce),
            customization: self.customization.or(other.customization),
            context: self.context.or(other.context),
            seek: self.seek.or(other.seek),
            block_size: self.block_size.or(other.block_size),
            hash_block_size: self.hash_block_size.or(other.hash_block_size),
            version: self.version.or(other.version),
            leaf: self.leaf || other.leaf,
            memory_order: self.memory_order || other.memory_order,
        }
    }

    /// [`Parameters::for_algorithm`].
    pub(in crate::algorithm) fn for_algorithm(&self, algorithm: Algorithm) -> Self {
        let mut used = Self { key: self.key.clone(), ..Self::NONE };
        match algorithm.kind() {
            _ if self.hmac_key().is_some() => {}
            Kind::Hash(BaseHash::Skein(_)) | Kind::SkeinTree(..) => {
                used.personalization.clone_from(&self.personalization);
                used.public_key.clone_from(&self.public_key);
                used.key_id.clone_from(&self.key_id);
                used.nonce.clone_from(&self.nonce);
            }
            #[cfg(feature = "blake2")]
            Kind::Blake2(_) => {
                used.salt.clone_from(&self.salt);
                used.personalization.clone_from(&self.personalization);
            }
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => {
                used.context.clone_from(&self.context);
                used.seek = self.seek;
            }
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) if !xof.is_shake() => {
                used.customization.clone_from(&self.customization);
            }
            Kind::FsVerity { .. } => {
                used.block_size = self.block_size;
                used.salt.clone_from(&self.salt);
            }
            Kind::DmVerity(_) => {
                used.block_size = self.block_size;
                used.hash_block_size = self.hash_block_size;
                used.version = self.version;
                used.salt.clone_from(&self.salt);
            }
            Kind::JPointers { .. } => used.leaf = self.leaf,
            Kind::MhSha1 | Kind::MhSha256 => used.memory_order = self.memory_order,
            _ => {}
        }
        used
    }

    /// dm-verity with these values.
    pub(in crate::algorithm) fn dmverity(&self, hash: Fixed) -> Result<DmVerity, merkle::Error> {
        let data = self.block_size.unwrap_or(DEFAULT_BLOCK);
        let nodes = self.hash_block_size.unwrap_or(data);
        let format = match hash {
            Fixed::Sha1 => DmVerity::with_blocks::<Sha1>(data, nodes, self.salt()),
            Fixed::Sha512 => DmVerity::with_blocks::<Sha512>(data, nodes, self.salt()),
            _ => DmVerity::with_blocks::<Sha256>(data, nodes, self.salt()),
        };
        Ok(format?.version(self.version.unwrap_or_default()))
    }

    /// HMAC's key.
    pub(in crate::algorithm) fn hmac_key(&self) -> Option<&[u8]> {
        match &self.key {
            Some(Key::Hmac(key)) => Some(key),
            _ => None,
        }
    }

    /// The key of the algorithm's keyed mode.
    pub(in crate::algorithm) fn own_key(&self) -> Option<&[u8]> {
        match &self.key {
            Some(Key::Own(key)) => Some(key),
            _ => None,
        }
    }

    /// Skein's arguments.
    pub(in crate::algorithm) fn skein_arguments(&self) -> Arguments<'_> {
        Arguments {
            key: self.own_key().unwrap_or_default(),
            personalization: self.personalization.as_deref(),
            public_key: self.public_key.as_deref(),
            key_id: self.key_id.as_deref(),
            nonce: self.nonce.as_deref(),
        }
    }

    /// The salt, by default an empty one.
    pub(in crate::algorithm) fn salt(&self) -> &[u8] {
        self.salt.as_deref().unwrap_or_default()
    }

    /// The customization string, by default an empty one.
    #[cfg(feature = "sha3")]
    pub(in crate::algorithm) fn customization(&self) -> &[u8] {
        self.customization.as_deref().unwrap_or_default()
    }

    pub(in crate::algorithm) fn check_key(
        &self,
        algorithm: Algorithm,
    ) -> Result<(), ParameterError> {
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
    pub(in crate::algorithm) fn normalize(
        &mut self,
        algorithm: Algorithm,
    ) -> Result<Algorithm, ParameterError> {
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
                    Some(size) if block != DEFAULT_BLOCK && size != block => {
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
                self.block_size = self.block_size.filter(|size| *size != DEFAULT_BLOCK);
                let data = self.block_size.unwrap_or(DEFAULT_BLOCK);
                self.hash_block_size = self.hash_block_size.filter(|size| *size != data);
                self.version = self.version.filter(|version| *version != Version::default());
            }
            _ => {}
        }
        Ok(algorithm)
    }
}
