//! The options that change digests.

use std::ffi::OsString;

use jlanes::{
    Algorithm, Sha1, Sha256, Sha512,
    algorithm::{Hash, Kind, Sha},
    merkle::{DmVerity, Error, FsVerity, Version},
    skein::{SkeinConfig, SkeinDigest, TreeParams},
};

/// fs-verity's and dm-verity's block where none is asked for.
const BLOCK: usize = 4096;

/// Everything that digests depend on besides the algorithm's name.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Bytes of fs-verity's blocks and dm-verity's data blocks.
    pub(crate) block_size: Option<usize>,
    /// Bytes of dm-verity's hash blocks, where they differ.
    pub(crate) hash_block_size: Option<usize>,
    pub(crate) salt: Option<Vec<u8>>,
    pub(crate) version: Option<Version>,
    /// Where dm-verity's hash tree goes.
    pub(crate) tree: Option<OsString>,
    /// ISA-L's digests as they lie in memory.
    pub(crate) memory_order: bool,
    pub(crate) secret: Option<Secret>,
    pub(crate) skein: SkeinArguments,
}

/// A key.
pub(crate) enum Secret {
    Hmac(Vec<u8>),
    Skein(Vec<u8>),
}

/// It is never shown.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// Skein's arguments that are no secret.
#[derive(Debug, Default)]
pub(crate) struct SkeinArguments {
    pub(crate) personalization: Option<Vec<u8>>,
    pub(crate) public_key: Option<Vec<u8>>,
    pub(crate) key_id: Option<Vec<u8>>,
    pub(crate) nonce: Option<Vec<u8>>,
}

impl SkeinArguments {
    fn any(&self) -> bool {
        let Self { personalization, public_key, key_id, nonce } = self;
        [personalization, public_key, key_id, nonce].iter().any(|argument| argument.is_some())
    }
}

impl Options {
    /// HMAC's key.
    pub(crate) fn hmac_key(&self) -> Option<&[u8]> {
        match &self.secret {
            Some(Secret::Hmac(key)) => Some(key),
            _ => None,
        }
    }

    /// Why the key is not one for `algorithm`, if it is not: a digest without the key must not pass
    /// for one with it.
    pub(crate) fn refused_key(&self, algorithm: Algorithm) -> Option<&'static str> {
        match (&self.secret, algorithm.kind()) {
            (None, _)
            | (Some(Secret::Hmac(_)), Kind::Hash(Hash::Sha(_)))
            | (Some(Secret::Skein(_)), Kind::Hash(Hash::Skein(_)) | Kind::SkeinTree(..)) => None,
            (Some(Secret::Hmac(_)), _) => Some("--hmac-key-file needs one of the SHA algorithms"),
            (Some(Secret::Skein(_)), _) => Some("--key-file needs Skein"),
        }
    }

    /// What is wrong with the options if no digest is wanted but those of `algorithms`: that one of
    /// them is about none.
    pub(crate) fn idle(&self, algorithms: &[Algorithm]) -> Option<&'static str> {
        let any = |is: fn(Kind) -> bool| algorithms.iter().any(|algorithm| is(algorithm.kind()));
        let is_skein = any(|kind| matches!(kind, Kind::Hash(Hash::Skein(_)) | Kind::SkeinTree(..)));
        let is_dmverity = any(|kind| matches!(kind, Kind::DmVerity(_)));
        let has_blocks = is_dmverity || any(|kind| matches!(kind, Kind::FsVerity { .. }));
        let is_multi_hash = any(|kind| matches!(kind, Kind::MhSha1 | Kind::MhSha256));
        [
            (self.skein.any() && !is_skein, "Skein's arguments need Skein"),
            (self.salt.is_some() && !has_blocks, "--salt needs fsverity or dmverity"),
            (self.block_size.is_some() && !has_blocks, "--block-size needs fsverity or dmverity"),
            (self.hash_block_size.is_some() && !is_dmverity, "--hash-block-size needs dmverity"),
            (self.version.is_some() && !is_dmverity, "--dmverity-format needs dmverity"),
            (self.tree.is_some() && !is_dmverity, "--dmverity-tree needs dmverity"),
            (self.memory_order && !is_multi_hash, "--isal-memory-order needs mh-sha1 or mh-sha256"),
        ]
        .into_iter()
        .find_map(|(wrong, message)| wrong.then_some(message))
    }

    /// Whether the algorithm's name has another block size than the options.
    pub(crate) fn contradicts(&self, algorithm: Algorithm) -> bool {
        let Kind::FsVerity { block, .. } = algorithm.kind() else { return false };
        block != BLOCK && self.block_size.is_some_and(|size| size != block)
    }

    /// `algorithm` with the block size of the options, where its name leaves it open.
    pub(crate) fn complete(&self, algorithm: Algorithm) -> Algorithm {
        match (algorithm.kind(), self.block_size) {
            (Kind::FsVerity { hash, block: BLOCK }, Some(size)) => {
                // a size that does not parse is refused by `check`
                format!("fsverity-{hash}-{size}").parse().unwrap_or(algorithm)
            }
            _ => algorithm,
        }
    }

    /// Whether `algorithm` can be computed with these options.
    ///
    /// # Errors
    /// A block size or a salt that the format does not have.
    pub(crate) fn check(&self, algorithm: Algorithm) -> Result<(), Error> {
        match algorithm.kind() {
            Kind::FsVerity { block, .. } => {
                // of the options, only a size that did not parse differs from the algorithm's
                let block = if block == BLOCK { self.block_size.unwrap_or(block) } else { block };
                FsVerity::<Sha256>::new(block, self.salt()).map(drop)
            }
            Kind::DmVerity(Sha::Sha1) => self.dmverity::<Sha1>().map(drop),
            Kind::DmVerity(Sha::Sha512) => self.dmverity::<Sha512>().map(drop),
            Kind::DmVerity(_) => self.dmverity::<Sha256>().map(drop),
            _ => Ok(()),
        }
    }

    /// The salt; none is empty.
    pub(super) fn salt(&self) -> &[u8] {
        self.salt.as_deref().unwrap_or_default()
    }

    /// dm-verity with these options.
    ///
    /// # Errors
    /// A block size or a salt that it does not have.
    pub(super) fn dmverity<H>(&self) -> Result<DmVerity<H>, Error> {
        let data = self.block_size.unwrap_or(BLOCK);
        let format =
            DmVerity::with_blocks(data, self.hash_block_size.unwrap_or(data), self.salt())?
                .version(self.version.unwrap_or_default());
        Ok(if self.tree.is_some() { format.with_tree() } else { format })
    }

    /// Skein with these options.
    pub(super) fn skein<H: SkeinDigest, E>(
        &self,
        bits: u64,
        tree: TreeParams,
        engine: E,
    ) -> SkeinConfig<H, E>
    where
        E: jlanes::multi::Engine<H::Threefish>,
    {
        let mut builder = SkeinConfig::<H>::builder().output_bits(bits).tree(tree);
        if let Some(Secret::Skein(key)) = &self.secret {
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
        builder.build_on(engine).expect("the algorithm's name was parsed")
    }
}
