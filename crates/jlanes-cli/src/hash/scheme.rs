//! A digest or checksum of files or directories, with everything that it depends on.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Write},
    str::FromStr,
    sync::Arc,
};

use jlanes::{
    Algorithm, AlgorithmError, Backend,
    algorithm::{AnyHash, Hash, Key, Kind, ParameterError, Parameters, Strength},
};
use jlanes_files::{Checksum, Digester, FileHasher, dmverity_hasher, file_hasher};

mod name;

pub(crate) use self::name::Named;
use crate::{
    files::Replacement,
    hash::DirHash,
    report::{quote, reason},
};

/// A digest or checksum with everything that it depends on. Schemes are cloned for each line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Digest(Arc<AnyHash>),
    /// dm-verity, and where its hash tree goes.
    WithTree(Arc<AnyHash>, OsString),
    Checksum(Checksum),
    /// It is of directories, and made of the digests of files.
    Directory(DirHash),
}

impl From<Algorithm> for Scheme {
    fn from(algorithm: Algorithm) -> Self {
        Self::Digest(Arc::new(algorithm.into()))
    }
}

/// Why there is no such scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// The algorithm does not take the parameters.
    Parameters(ParameterError),
    /// It takes no key of HMAC.
    Hmac,
    /// It takes no key of its own.
    Key,
    /// The name requires a key, and none was given.
    NoKey,
    /// The name and the options say different things.
    Contradiction,
    /// The name has a parameter that is none of the algorithm's, or its usual one.
    Parameter,
}

impl From<ParameterError> for Misfit {
    fn from(error: ParameterError) -> Self {
        match error {
            ParameterError::Hmac(_) => Self::Hmac,
            ParameterError::Key(_) => Self::Key,
            ParameterError::Contradiction(_) => Self::Contradiction,
            ParameterError::Unused(_) => Self::Parameter,
            error => Self::Parameters(error),
        }
    }
}

impl Scheme {
    /// The same function of files or directories, without a key and parameters.
    pub(crate) fn plain(&self) -> Self {
        self.algorithm().map_or_else(|| self.clone(), Self::from)
    }

    /// The same function with those of the `given` parameters that it depends on.
    ///
    /// # Errors
    /// If the key is not one for this algorithm, as a digest without a key must not pass for one
    /// with it, or the format does not have such parameters.
    pub(crate) fn with(&self, given: &Parameters) -> Result<Self, Misfit> {
        match (self.algorithm(), &given.key) {
            (Some(algorithm), key) => {
                if let (Kind::Hash(Hash::Skein(_)), Some(Key::Hmac(_))) = (algorithm.kind(), key) {
                    return Err(Misfit::Hmac);
                }
                let hash = algorithm.with(taken(algorithm, given))?;
                Ok(Self::Digest(Arc::new(hash)))
            }
            (None, None) => Ok(self.clone()),
            (None, Some(Key::Hmac(_))) => Err(Misfit::Hmac),
            (None, Some(Key::Own(_))) => Err(Misfit::Key),
        }
    }

    /// Writes the hash tree to `path`, if it is dm-verity.
    pub(crate) fn with_tree(self, path: OsString) -> Self {
        match self {
            Self::Digest(hash) if matches!(hash.algorithm().kind(), Kind::DmVerity(_)) => {
                Self::WithTree(hash, path)
            }
            scheme => scheme,
        }
    }

    /// Where the hash tree goes, if somewhere.
    pub(super) fn tree(&self) -> Option<&OsStr> {
        if let Self::WithTree(_, path) = self { Some(path) } else { None }
    }

    /// The algorithm with its parameters, if it is one.
    pub(super) fn any_hash(&self) -> Option<&AnyHash> {
        match self {
            Self::Digest(hash) | Self::WithTree(hash, _) => Some(hash),
            Self::Checksum(_) | Self::Directory(_) => None,
        }
    }

    /// The algorithm, if it is one.
    pub(crate) fn algorithm(&self) -> Option<Algorithm> {
        self.any_hash().map(AnyHash::algorithm)
    }

    /// The kind of algorithm, if it is one.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.algorithm().map(Algorithm::kind)
    }

    /// The key, and those of the `given` parameters for which it has an option.
    pub(crate) fn taken(&self, given: &Parameters) -> Parameters {
        self.algorithm().map_or_else(Parameters::default, |algorithm| taken(algorithm, given))
    }

    pub(super) fn parameters(&self) -> Parameters {
        self.any_hash().map_or_else(Parameters::default, |hash| hash.parameters().clone())
    }

    /// The key, if there is one.
    pub(crate) fn secret(&self) -> Option<&[u8]> {
        match &self.any_hash()?.parameters().key {
            Some(Key::Hmac(key) | Key::Own(key)) => Some(key),
            None => None,
        }
    }

    /// How hard it is to make two files with the same digest.
    pub(crate) fn strength(&self) -> Strength {
        match self {
            Self::Digest(hash) | Self::WithTree(hash, _) => hash.strength(),
            Self::Checksum(checksum) => checksum.strength(),
            // made of SHA-256
            Self::Directory(_) => Algorithm::SHA256.strength(),
        }
    }

    /// Why two files with the same digest may differ, if somebody wants them to.
    pub(crate) fn weakness(&self) -> Option<&'static str> {
        self.strength().weakness()
    }

    /// Whether lists have it: the checksums of `cksum` and `sum` have lines of their own.
    pub(crate) fn is_listed(&self) -> bool {
        !matches!(self, Self::Checksum(checksum) if !checksum.is_listed())
    }

    /// Bytes of the digest.
    pub(crate) fn output_size(&self) -> usize {
        match self {
            Self::Digest(hash) | Self::WithTree(hash, _) => hash.algorithm().output_size(),
            Self::Checksum(checksum) => checksum.output_size(),
            Self::Directory(_) => Algorithm::SHA256.output_size(),
        }
    }

    /// Bits of the digest.
    pub(crate) fn bits(&self) -> u64 {
        8 * self.output_size() as u64
    }
}

impl Digester for Scheme {
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
        if let Self::Checksum(checksum) = self {
            return checksum.hasher(backend, parallel);
        }
        let hash = self.hash().expect("files are hashed, and directories made of their digests");
        if let Some(path) = self.tree().map(ToOwned::to_owned) {
            let write = move |tree: &[u8]| write_tree(&path, tree);
            let hasher = dmverity_hasher(&hash, backend, parallel, write);
            return hasher.expect("only dm-verity has a tree to write");
        }
        file_hasher(&hash, backend, parallel)
    }

    fn hash(&self) -> Option<AnyHash> {
        let hash = self.any_hash()?;
        let Kind::JPointers { .. } = hash.algorithm().kind() else { return Some(hash.clone()) };
        // the digest of a list is made of the digests of its files as leaves
        let mut parameters = Parameters::default();
        parameters.leaf = true;
        hash.algorithm().with(parameters).ok()
    }
}

/// The function without parameters that has this name.
impl FromStr for Scheme {
    type Err = AlgorithmError;

    fn from_str(name: &str) -> Result<Self, AlgorithmError> {
        let directory =
            DirHash::ALL.into_iter().find(|hash| hash.name().eq_ignore_ascii_case(name));
        match (directory, Checksum::named(name)) {
            (Some(hash), _) => Ok(Self::Directory(hash)),
            (_, Some(checksum)) => Ok(Self::Checksum(checksum)),
            _ => name.parse::<Algorithm>().map(Self::from),
        }
    }
}

/// Writes dm-verity's hash tree to where it is asked for.
fn write_tree(path: &OsStr, tree: &[u8]) -> io::Result<()> {
    // a part of a tree would be taken for one
    let write = || {
        let place = Replacement::new(path)?;
        place.file()?.write_all(tree)?;
        place.commit()
    };
    write().map_err(|error: io::Error| {
        let path = quote::value(path);
        io::Error::new(error.kind(), format!("hash tree {path}: {}", reason(&error)))
    })
}

/// The key, and those of the `given` parameters for which `algorithm` has an option.
fn taken(algorithm: Algorithm, given: &Parameters) -> Parameters {
    let mut own = given.for_algorithm(algorithm);
    if let Kind::Blake2(_) = algorithm.kind() {
        own.salt = None;
        own.personalization = None;
    }
    own
}

/// `own`, and those of `given` that it leaves open.
fn merged(own: &Parameters, given: &Parameters) -> Result<Parameters, Misfit> {
    fn add<T: Clone + PartialEq>(own: &mut Option<T>, given: &Option<T>) -> Result<(), Misfit> {
        match given {
            Some(given) if own.get_or_insert_with(|| given.clone()) != given => {
                Err(Misfit::Contradiction)
            }
            _ => Ok(()),
        }
    }
    let mut all = own.clone();
    add(&mut all.block_size, &given.block_size)?;
    add(&mut all.hash_block_size, &given.hash_block_size)?;
    add(&mut all.salt, &given.salt)?;
    add(&mut all.version, &given.version)?;
    all.memory_order |= given.memory_order;
    add(&mut all.key, &given.key)?;
    add(&mut all.personalization, &given.personalization)?;
    add(&mut all.public_key, &given.public_key)?;
    add(&mut all.key_id, &given.key_id)?;
    add(&mut all.nonce, &given.nonce)?;
    add(&mut all.customization, &given.customization)?;
    add(&mut all.context, &given.context)?;
    add(&mut all.seek, &given.seek)?;
    Ok(all)
}
