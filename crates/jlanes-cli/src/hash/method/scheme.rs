//! One digest or checksum that is wanted of files, with everything that it depends on.

use std::{fmt, str::FromStr, sync::Arc};

use jlanes::{
    Algorithm, AlgorithmError, Sha1, Sha256, Sha512,
    algorithm::{Blake3, Fixed, Hash, Kind},
    merkle::{Error, FsVerity, Version},
};

use super::{
    Checksum, Parameters, Secret,
    parameters::{BLOCK, SkeinArguments},
};

pub(crate) mod family;
mod name;

pub(crate) use self::{family::Family, name::Named};
use crate::{hash::DirHash, report::Doubt};

/// An algorithm with everything that its digests depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scheme {
    pub(super) what: Computation,
    /// The parameters that the algorithm depends on, unless they are its usual ones: schemes are equal
    /// if and only if their digests are.
    pub(super) parameters: Arc<Parameters>,
}

/// A function of a file or a directory, without parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Computation {
    Digest(Algorithm),
    Checksum(Checksum),
    /// It is of directories, and made of the digests of files.
    Directory(DirHash),
}

/// Why there is no such scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// The algorithm takes no key of HMAC.
    Hmac,
    /// The algorithm takes no key of its own.
    Key,
    /// The algorithm's own keys have at most this number of bytes.
    KeyTooLong(usize),
    /// The algorithm's own keys have this number of bytes.
    KeySize(usize),
    /// The name requires a key, and none was given.
    NoKey,
    /// The name and the options say different things.
    Contradiction,
    /// The name has a parameter that is none of the algorithm's, or its usual one.
    Parameter,
    /// The format does not have such a block or salt.
    Format(Error),
}

impl Scheme {
    /// What its name says, without anything else.
    pub(crate) fn plain(what: Computation) -> Self {
        Self { what, parameters: Arc::default() }
    }

    /// `what` with those of the `given` parameters that it depends on.
    ///
    /// # Errors
    /// If the key is not one for this algorithm, as a digest without a key must not pass for one
    /// with it, or the format does not have such parameters.
    pub(crate) fn new(what: Computation, given: &Parameters) -> Result<Self, Misfit> {
        match (what, &given.secret) {
            (Computation::Digest(algorithm), _) => Self::of_digest(algorithm, given),
            (_, None) => Ok(Self::plain(what)),
            (_, Some(Secret::Hmac(_))) => Err(Misfit::Hmac),
            (_, Some(Secret::Own(_))) => Err(Misfit::Key),
        }
    }

    fn of_digest(mut algorithm: Algorithm, given: &Parameters) -> Result<Self, Misfit> {
        let mut parameters = Parameters::default();
        match (&given.secret, algorithm.kind()) {
            (None, _) => {}
            (Some(Secret::Own(key)), Kind::Blake2(blake2))
                if key.len() > blake2.word().max_size() =>
            {
                return Err(Misfit::KeyTooLong(blake2.word().max_size()));
            }
            (Some(Secret::Own(key)), Kind::Blake3(_)) if key.len() != Blake3::KEY_SIZE => {
                return Err(Misfit::KeySize(Blake3::KEY_SIZE));
            }
            (Some(_), Kind::Blake2(_))
            | (Some(Secret::Own(_)), Kind::Blake3(_))
            | (Some(Secret::Hmac(_)), Kind::Hash(Hash::Fixed(_)))
            | (Some(Secret::Own(_)), Kind::Hash(Hash::Skein(_)) | Kind::SkeinTree(..)) => {
                parameters.secret.clone_from(&given.secret);
            }
            (Some(Secret::Hmac(_)), _) => return Err(Misfit::Hmac),
            (Some(Secret::Own(_)), _) => return Err(Misfit::Key),
        }
        let salt = given.salt.clone().filter(|salt| !salt.is_empty());
        match algorithm.kind() {
            Kind::Hash(Hash::Skein(_)) | Kind::SkeinTree(..) => {
                parameters.skein = given.skein.clone();
            }
            Kind::FsVerity { hash, block } => {
                let block = match given.block_size {
                    Some(size) if block != BLOCK && size != block => {
                        return Err(Misfit::Contradiction);
                    }
                    Some(size) => size,
                    None => block,
                };
                parameters.salt = salt;
                FsVerity::<Sha256>::new(block, parameters.salt()).map_err(Misfit::Format)?;
                algorithm = fsverity(hash, block).unwrap_or(algorithm);
            }
            Kind::DmVerity(hash) => {
                parameters.block_size = given.block_size.filter(|size| *size != BLOCK);
                let data = parameters.block_size.unwrap_or(BLOCK);
                parameters.hash_block_size = given.hash_block_size.filter(|size| *size != data);
                parameters.version = given.version.filter(|version| *version != Version::V1);
                parameters.salt = salt;
                parameters.tree.clone_from(&given.tree);
                match hash {
                    Fixed::Sha1 => parameters.dmverity::<Sha1>().map(drop),
                    Fixed::Sha512 => parameters.dmverity::<Sha512>().map(drop),
                    _ => parameters.dmverity::<Sha256>().map(drop),
                }
                .map_err(Misfit::Format)?;
            }
            Kind::Xof(xof) if xof.function().is_customizable() => {
                parameters.customization =
                    given.customization.clone().filter(|string| !string.is_empty());
            }
            Kind::Blake3(_) => {
                parameters.context.clone_from(&given.context);
                parameters.seek = given.seek;
            }
            Kind::MhSha1 | Kind::MhSha256 => parameters.memory_order = given.memory_order,
            _ => {}
        }
        Ok(Self { what: Computation::Digest(algorithm), parameters: Arc::new(parameters) })
    }

    pub(crate) fn what(&self) -> Computation {
        self.what
    }

    /// The kind of algorithm, if it is one.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self.what {
            Computation::Digest(algorithm) => Some(algorithm.kind()),
            Computation::Checksum(_) | Computation::Directory(_) => None,
        }
    }

    /// The key, if there is one.
    pub(crate) fn secret(&self) -> Option<&[u8]> {
        match &self.parameters.secret {
            Some(Secret::Hmac(key) | Secret::Own(key)) => Some(key),
            None => None,
        }
    }

    /// Whether it finds accidents only: anybody can make a file with a given checksum.
    pub(crate) fn is_checksum(&self) -> bool {
        matches!(self.what, Computation::Checksum(_))
    }

    /// Whether anybody can make two files with the same digest.
    pub(crate) fn is_broken(&self) -> bool {
        // detection finds the attacks that are known, and not all
        let is_broken =
            |hash: Hash| matches!(hash, Hash::Fixed(Fixed::Md5 | Fixed::Sha1 | Fixed::Sha1Checked));
        self.parameters.secret.is_none()
            && match self.kind() {
                Some(
                    Kind::Hash(hash) | Kind::JLanes { hash, .. } | Kind::JPointers { hash, .. },
                ) => is_broken(hash),
                Some(Kind::DmVerity(hash)) => is_broken(Hash::Fixed(hash)),
                Some(Kind::MhSha1) => true,
                _ => false,
            }
    }

    /// Why a match says little.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        match self.what {
            Computation::Checksum(_) => Some(Doubt::Checksum),
            _ => self.is_broken().then_some(Doubt::Broken),
        }
    }

    /// Bits of the digest.
    pub(crate) fn bits(&self) -> u64 {
        self.what.bits()
    }
}

impl Computation {
    pub(crate) const SHA256: Self = Self::Digest(Algorithm::SHA256);

    /// Bytes of the digest.
    pub(crate) fn output_size(self) -> usize {
        match self {
            Self::Digest(algorithm) => algorithm.output_size(),
            Self::Checksum(checksum) => checksum.size(),
            Self::Directory(_) => Algorithm::SHA256.output_size(),
        }
    }

    /// Bits of the digest.
    pub(crate) fn bits(self) -> u64 {
        8 * self.output_size() as u64
    }

    /// The name in lists of digests.
    pub(crate) fn tag(self) -> String {
        match self {
            Self::Digest(algorithm) => algorithm.tag(),
            Self::Checksum(_) | Self::Directory(_) => self.to_string().to_ascii_uppercase(),
        }
    }
}

impl fmt::Display for Computation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest(algorithm) => algorithm.fmt(f),
            Self::Checksum(checksum) => checksum.fmt(f),
            Self::Directory(hash) => f.write_str(hash.name()),
        }
    }
}

impl FromStr for Computation {
    type Err = AlgorithmError;

    fn from_str(name: &str) -> Result<Self, AlgorithmError> {
        let directory =
            DirHash::ALL.into_iter().find(|hash| hash.name().eq_ignore_ascii_case(name));
        match (directory, Checksum::named(name)) {
            (Some(hash), _) => Ok(Self::Directory(hash)),
            (_, Some(checksum)) => Ok(Self::Checksum(checksum)),
            _ => name.parse().map(Self::Digest),
        }
    }
}

/// fs-verity with blocks of `block` bytes.
fn fsverity(hash: Fixed, block: usize) -> Option<Algorithm> {
    format!("fsverity-{hash}-{block}").parse().ok()
}

impl Parameters {
    /// These, and those of `given` that these leave open.
    fn or(&self, given: &Self) -> Result<Self, Misfit> {
        fn one<T: Clone + PartialEq>(
            own: &Option<T>,
            given: &Option<T>,
        ) -> Result<Option<T>, Misfit> {
            match (own, given) {
                (Some(own), Some(given)) if own != given => Err(Misfit::Contradiction),
                _ => Ok(own.clone().or_else(|| given.clone())),
            }
        }
        let (skein, other) = (&self.skein, &given.skein);
        Ok(Self {
            block_size: one(&self.block_size, &given.block_size)?,
            hash_block_size: one(&self.hash_block_size, &given.hash_block_size)?,
            salt: one(&self.salt, &given.salt)?,
            version: one(&self.version, &given.version)?,
            memory_order: self.memory_order || given.memory_order,
            secret: one(&self.secret, &given.secret)?,
            skein: SkeinArguments {
                personalization: one(&skein.personalization, &other.personalization)?,
                public_key: one(&skein.public_key, &other.public_key)?,
                key_id: one(&skein.key_id, &other.key_id)?,
                nonce: one(&skein.nonce, &other.nonce)?,
            },
            customization: one(&self.customization, &given.customization)?,
            tree: one(&self.tree, &given.tree)?,
            context: one(&self.context, &given.context)?,
            seek: one(&self.seek, &given.seek)?,
        })
    }
}
