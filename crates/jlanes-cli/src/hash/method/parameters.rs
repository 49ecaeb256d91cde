//! What digests depend on besides their algorithm.

use std::ffi::OsString;

use jlanes::{
    algorithm::Blake3Mode,
    digest::OutputSizeUser,
    merkle::{DmVerity, Error, Version},
    skein::{Builder, SkeinConfig, SkeinDigest, TreeParams},
};

/// fs-verity's and dm-verity's block where none is asked for.
pub(super) const BLOCK: usize = 4096;

/// Everything that a digest depends on besides its algorithm. The default is what plain names of
/// algorithms stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters {
    /// Bytes of fs-verity's blocks and dm-verity's data blocks.
    pub(crate) block_size: Option<usize>,
    /// Bytes of dm-verity's hash blocks, where they differ.
    pub(crate) hash_block_size: Option<usize>,
    pub(crate) salt: Option<Vec<u8>>,
    /// dm-verity's.
    pub(crate) version: Option<Version>,
    /// ISA-L's digests as they lie in memory.
    pub(crate) memory_order: bool,
    pub(crate) secret: Option<Secret>,
    pub(crate) skein: SkeinArguments,
    /// KangarooTwelve's or ParallelHash's.
    pub(crate) customization: Option<Vec<u8>>,
    /// Where dm-verity's hash tree goes, on which no digest depends.
    pub(crate) tree: Option<OsString>,
    /// The purpose of BLAKE3's keys.
    pub(crate) context: Option<String>,
    /// Where in BLAKE3's output the digest begins, if not at its start.
    pub(crate) seek: Option<u64>,
}

/// A key.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Secret {
    Hmac(Vec<u8>),
    /// That of Skein, BLAKE2 or BLAKE3.
    Own(Vec<u8>),
}

/// It is never shown.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// Skein's arguments that are no secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SkeinArguments {
    pub(crate) personalization: Option<Vec<u8>>,
    pub(crate) public_key: Option<Vec<u8>>,
    pub(crate) key_id: Option<Vec<u8>>,
    pub(crate) nonce: Option<Vec<u8>>,
}

impl Parameters {
    /// HMAC's key.
    pub(super) fn hmac_key(&self) -> Option<&[u8]> {
        match &self.secret {
            Some(Secret::Hmac(key)) => Some(key),
            _ => None,
        }
    }

    /// The salt; none is empty.
    pub(super) fn salt(&self) -> &[u8] {
        self.salt.as_deref().unwrap_or_default()
    }

    /// dm-verity with these parameters.
    ///
    /// # Errors
    /// A block size or a salt that it does not have.
    pub(super) fn dmverity<H: OutputSizeUser>(&self) -> Result<DmVerity<H>, Error> {
        let data = self.block_size.unwrap_or(BLOCK);
        let hash = self.hash_block_size.unwrap_or(data);
        Ok(DmVerity::with_blocks(data, hash, self.salt())?
            .version(self.version.unwrap_or_default()))
    }

    /// The algorithm's own key.
    pub(super) fn own_key(&self) -> Option<&[u8]> {
        match &self.secret {
            Some(Secret::Own(key)) => Some(key),
            _ => None,
        }
    }

    /// The mode of BLAKE3.
    pub(super) fn blake3_mode(&self) -> Blake3Mode<'_> {
        match (self.own_key().map(TryInto::try_into), &self.context) {
            (Some(Ok(key)), _) => Blake3Mode::Keyed(key),
            (_, Some(context)) => Blake3Mode::DeriveKey(context),
            _ => Blake3Mode::Hash,
        }
    }

    /// Skein with these parameters.
    pub(super) fn skein<H: SkeinDigest>(&self, bits: u64, tree: TreeParams) -> Builder<'_, H> {
        let mut builder = SkeinConfig::<H>::builder().output_bits(bits).tree(tree);
        if let Some(key) = self.own_key() {
            builder = builder.key(key);
        }
        let SkeinArguments { personalization, public_key, key_id, nonce } = &self.skein;
        if let Some(personalization) = personalization {
            builder = builder.personalization(personalization);
        }
        if let Some(public_key) = public_key {
            builder = builder.public_key(public_key);
        }
        if let Some(key_id) = key_id {
            builder = builder.key_id(key_id);
        }
        if let Some(nonce) = nonce {
            builder = builder.nonce(nonce);
        }
        builder
    }
}
