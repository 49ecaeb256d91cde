//! The methods of [`Parameters`], by family: each takes a value that algorithms of the family have.

use alloc::vec::Vec;

use super::{Key, Parameters};
use crate::{
    algorithm::{Algorithm, Skein},
    merkle::{DmVerity, FsVerity, Version},
};

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
impl Parameters<crate::algorithm::Blake2> {
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
impl Parameters<crate::algorithm::Blake3> {
    /// The keyed mode.
    pub fn keyed(key: [u8; jlanes_core::hashes::blake3::KEY_BYTES]) -> Self {
        Self::new().set(|it| it.key = Some(Key::Own(key.into())))
    }

    /// A context for which a key is derived from the message.
    pub fn derive_key(context: impl Into<alloc::string::String>) -> Self {
        Self::new().set(|it| it.context = Some(context.into()))
    }

    /// The position in the output, in bytes, where the digest starts.
    pub fn seek(self, position: impl Into<Option<u64>>) -> Self {
        self.set(|it| it.seek = position.into())
    }
}

#[cfg(feature = "sha3")]
impl Parameters<crate::algorithm::Xof> {
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
