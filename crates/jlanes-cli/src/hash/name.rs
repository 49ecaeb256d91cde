//! Names of computations with parameters, such as `fsverity-sha256+salt=00`, combined with the
//! parameters from options.

use jlanes::{
    Algorithm, AlgorithmError,
    algorithm::{Blake3, Hash, Key, Kind, ParameterError, Parameters, Skein, Xof},
    merkle::{DmVerity, Version},
};
use jlanes_files::Computation;

/// The prefixes of names that ask for a key: for HMAC, and the algorithm's own.
const HMAC: &str = "hmac-";
const MAC: &str = "mac-";

fn prefix(key: &Key) -> &'static str {
    match key {
        Key::Hmac(_) => HMAC,
        Key::Own(_) => MAC,
    }
}

/// The values that names and options give a digest, besides its algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) key: Option<Key>,
    /// Bytes of blocks of fs-verity, or of data blocks of dm-verity.
    pub(crate) block_size: Option<usize>,
    pub(crate) hash_block_size: Option<usize>,
    pub(crate) salt: Option<Vec<u8>>,
    pub(crate) version: Option<Version>,
    pub(crate) memory_order: bool,
    pub(crate) personalization: Option<Vec<u8>>,
    pub(crate) public_key: Option<Vec<u8>>,
    pub(crate) key_id: Option<Vec<u8>>,
    pub(crate) nonce: Option<Vec<u8>>,
    pub(crate) customization: Option<Vec<u8>>,
    pub(crate) context: Option<String>,
    pub(crate) seek: Option<u64>,
}

impl Given {
    /// The parameters of all families.
    fn parameters(self) -> Parameters {
        let key = self.key.map(Parameters::from).unwrap_or_default();
        let verity = Parameters::<DmVerity>::new()
            .block_size(self.block_size)
            .hash_block_size(self.hash_block_size)
            .salt(self.salt)
            .version(self.version);
        let skein = Parameters::<Skein>::new()
            .personalization(self.personalization)
            .public_key(self.public_key)
            .key_id(self.key_id)
            .nonce(self.nonce);
        let xof = Parameters::<Xof>::new().customization(self.customization);
        let blake3 =
            self.context.map_or_else(Parameters::<Blake3>::new, Parameters::<Blake3>::derive_key);
        let all = key.and(verity).and(skein).and(xof).and(blake3.seek(self.seek));
        if self.memory_order { all.and(Parameters::memory_order()) } else { all }
    }

    /// The key, and those of the other parameters for which `algorithm` has an option.
    fn of(&self, algorithm: Algorithm) -> Parameters {
        let mut own = self.clone();
        if let Kind::Blake2(_) = algorithm.kind() {
            own.salt = None;
            own.personalization = None;
        }
        own.parameters().for_algorithm(algorithm)
    }

    /// Whether `algorithm` has an option for everything that is given.
    pub(crate) fn is_of(&self, algorithm: Algorithm) -> bool {
        self.of(algorithm) == self.clone().parameters()
    }
}

/// A parsed name.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    plain: Computation,
    prefix: Option<&'static str>,
    /// The values in the name, without a key.
    values: Given,
}

/// The name of a function without parameters.
impl From<Computation> for Named {
    fn from(plain: Computation) -> Self {
        Self { plain, prefix: None, values: Given::default() }
    }
}

impl Named {
    /// Reads a name; capitals are as good as small letters, and `_` as good as `-`.
    ///
    /// # Errors
    /// Those of algorithms' names.
    pub(crate) fn parse(name: &str) -> Result<Self, AlgorithmError> {
        let name = name.to_ascii_lowercase().replace('_', "-");
        let (prefix, base, extra) = parts(&name);
        let plain: Computation = base.parse()?;
        if let Some(Kind::Xof(xof)) = plain.kind()
            && xof.is_of_tuples()
        {
            return Err(AlgorithmError::Unknown);
        }
        let values = values_in(extra).ok_or(AlgorithmError::Unknown)?;
        let named = Self { plain, prefix, values };
        // a name has one spelling, so that equal ones are equal
        let plain = &named.plain;
        match named.own() {
            Ok(own) if own.to_string() != format!("{plain}{extra}") => Err(AlgorithmError::Unknown),
            _ => Ok(named),
        }
    }

    /// The function without parameters.
    pub(crate) fn plain(&self) -> &Computation {
        &self.plain
    }

    /// Whether the name has the prefix that belongs to `key`, or no prefix if there is no key. A name of a
    /// MAC needs no prefix.
    pub(crate) fn fits_key(&self, key: Option<&Key>) -> bool {
        let prefix = if self.needs_key() { self.prefix.or(Some(MAC)) } else { self.prefix };
        prefix == key.map(self::prefix)
    }

    /// Whether it is a MAC.
    fn needs_key(&self) -> bool {
        self.plain.algorithm().is_some_and(Algorithm::needs_key)
    }

    /// Whether the name asks for HMAC.
    pub(crate) fn is_hmac(&self) -> bool {
        self.prefix == Some(HMAC)
    }

    /// The function with the name's parameters, if it has all of them and none is the usual one.
    fn own(&self) -> Result<Computation, Misfit> {
        let own = with(&self.plain, &self.values)?;
        let has_all = values_in(parts(&own.to_string()).2).as_ref() == Some(&self.values);
        if has_all { Ok(own) } else { Err(Misfit::Parameter) }
    }

    /// The computation of this name. For parameters that it depends on and the name lacks, it takes the
    /// `given` ones.
    ///
    /// # Errors
    /// If the key is not one for this algorithm: a digest without a key must not pass for one with it.
    /// If the format lacks such parameters, or the name and the parameters contradict each other. A key
    /// is accepted although the name has no prefix for it.
    pub(crate) fn with(&self, given: &Given) -> Result<Computation, Misfit> {
        match (self.prefix, &given.key) {
            (Some(_), None) => return Err(Misfit::NoKey),
            (Some(_), key) if !self.fits_key(key.as_ref()) => return Err(Misfit::Contradiction),
            _ => {}
        }
        self.own()?;
        let own = with(&self.plain, &merged(&self.values, given)?)?;
        if self.needs_key() && own.key().is_none() { Err(Misfit::NoKey) } else { Ok(own) }
    }
}

/// The reason why a name and options do not fit together.
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
    /// The name and the options have different values.
    Contradiction,
    /// The algorithm lacks a parameter in the name, or the parameter has its default value.
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

/// `plain` with those of the `given` parameters that it depends on.
fn with(plain: &Computation, given: &Given) -> Result<Computation, Misfit> {
    match (plain.algorithm(), &given.key) {
        (Some(algorithm), key) => {
            if let (Kind::Hash(Hash::Skein(_)), Some(Key::Hmac(_))) = (algorithm.kind(), key) {
                return Err(Misfit::Hmac);
            }
            // for a digest of a list, files are hashed as its leaves
            let leaf = Parameters::leaf().for_algorithm(algorithm);
            Ok(algorithm.with(given.of(algorithm).and(leaf))?.into())
        }
        (None, None) => Ok(plain.clone()),
        (None, Some(Key::Hmac(_))) => Err(Misfit::Hmac),
        (None, Some(Key::Own(_))) => Err(Misfit::Key),
    }
}

/// The prefix of a name, the name of the algorithm, and the rest.
fn parts(name: &str) -> (Option<&'static str>, &str, &str) {
    let prefix = [HMAC, MAC].into_iter().find(|prefix| name.starts_with(prefix));
    let rest = &name[prefix.map_or(0, str::len)..];
    let (base, extra) = rest.split_at(rest.find('+').unwrap_or(rest.len()));
    (prefix, base, extra)
}

/// The values behind the name of an algorithm.
fn values_in(extra: &str) -> Option<Given> {
    let mut values = Given::default();
    extra.split('+').skip(1).try_for_each(|part| set(&mut values, part))?;
    Some(values)
}

/// Parses `NAME=VALUE`, or a name alone.
fn set(values: &mut Given, part: &str) -> Option<()> {
    let (name, value) = part.split_once('=').unwrap_or((part, ""));
    let hex = || hex::decode(value).ok();
    match name {
        "block" => values.block_size = Some(value.parse().ok()?),
        "hash-block" => values.hash_block_size = Some(value.parse().ok()?),
        "salt" => values.salt = Some(hex()?),
        "format" => values.version = (value == "0").then_some(Version::V0),
        "isal-memory-order" => values.memory_order = true,
        "personalization" => values.personalization = Some(hex()?),
        "public-key" => values.public_key = Some(hex()?),
        "key-id" => values.key_id = Some(hex()?),
        "nonce" => values.nonce = Some(hex()?),
        "customization" => values.customization = Some(hex()?),
        "seek" => values.seek = Some(value.parse().ok().filter(|seek| *seek > 0)?),
        "context" => values.context = Some(String::from_utf8(hex()?).ok()?),
        _ => return None,
    }
    Some(())
}

/// `own`, completed by values of `given`.
fn merged(own: &Given, given: &Given) -> Result<Given, Misfit> {
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

#[cfg(test)]
mod tests {
    use jlanes::{Backend, algorithm::AnyHash};

    use super::*;

    fn computation(name: &str, given: &Given) -> Result<Computation, Misfit> {
        Named::parse(name).unwrap().with(given)
    }

    #[test]
    fn a_tag_says_all_that_a_digest_depends_on() {
        let given = Given {
            block_size: Some(1024),
            hash_block_size: Some(512),
            salt: Some(b"\xab".to_vec()),
            version: Some(Version::V0),
            memory_order: true,
            ..Given::default()
        };
        for (name, tag) in [
            ("sha256", "SHA256"),
            ("fsverity-sha256", "FSVERITY-SHA256-1024+SALT=AB"),
            ("dmverity-sha1", "DMVERITY-SHA1+BLOCK=1024+HASH-BLOCK=512+SALT=AB+FORMAT=0"),
            ("mh-sha1", "MH-SHA1+ISAL-MEMORY-ORDER"),
        ] {
            let computation = computation(name, &given).unwrap();
            assert_eq!(computation.tag(), tag);
            // no other parameter is needed to read the tag
            let plain = Given::default();
            assert_eq!(Named::parse(tag).unwrap().with(&plain), Ok(computation), "{tag}");
        }
    }

    #[test]
    fn usual_parameters_are_not_named() {
        let given = Given {
            block_size: Some(4096),
            hash_block_size: Some(4096),
            salt: Some(Vec::new()),
            version: Some(Version::V1),
            ..Given::default()
        };
        for name in ["dmverity-sha256", "fsverity-sha512"] {
            assert_eq!(computation(name, &given).unwrap().to_string(), name);
        }
    }

    #[test]
    fn files_under_a_digest_of_lists_are_leaves_which_no_name_tells() {
        let list = computation("jpointers-sha1-raw", &Given::default()).unwrap();
        assert!(list.hash().unwrap().hasher_on(Backend::detect()).is_ok());
        let whole = AnyHash::from(list.algorithm().unwrap());
        assert!(whole.hasher_on(Backend::detect()).is_err());
        assert_eq!(
            (&list.to_string()[..], &list.tag()[..]),
            ("jpointers-sha1-raw", "JPOINTERS-SHA1-RAW")
        );
        let sha1 = computation("sha1", &Given::default()).unwrap();
        assert_eq!(sha1, sha1.plain());
    }

    #[test]
    fn keyed_hashes_are_named_without_their_keys() {
        let given = |key: Key| Given { key: Some(key), ..Given::default() };
        let (hmac, mac) = (given(Key::Hmac(b"key".to_vec())), given(Key::Own(b"key".to_vec())));
        assert_eq!(computation("sha512-256", &hmac).unwrap().tag(), "HMAC-SHA512-256");
        let skein = computation("mac-skein512-128+nonce=", &mac).unwrap();
        assert_eq!(skein.to_string(), "mac-skein512-128+nonce=");
        assert_eq!(computation("hmac-sha1", &mac), Err(Misfit::Contradiction));
        assert_eq!(computation("hmac-sha1", &Given::default()), Err(Misfit::NoKey));
        assert_eq!(computation("btv2", &hmac), Err(Misfit::Hmac));
        assert_eq!(computation("sha1", &mac), Err(Misfit::Key));
        assert!(!Named::parse("sha1").unwrap().fits_key(hmac.key.as_ref()));
    }

    #[test]
    fn a_name_has_one_spelling() {
        let plain = Given::default();
        for name in ["sha256+salt=00", "dmverity-sha1+block=4096", "skein512+block=1024"] {
            assert_eq!(computation(name, &plain), Err(Misfit::Parameter), "{name}");
        }
        for name in [
            "dmverity-sha1+block=01024",
            "dmverity-sha1+salt=00+block=1024",
            "dmverity-sha1+salt=00+salt=00",
            "dmverity-sha1+salt=0",
            "dmverity-sha1+format=1",
            "dmverity-sha1+",
            "mh-sha1+isal-memory-order=1",
            "sha256+pepper=00",
        ] {
            assert!(Named::parse(name).is_err(), "{name}");
        }
        let salted = Given { salt: Some(vec![1]), ..Given::default() };
        let named = Named::parse("fsverity-sha256+salt=02").unwrap();
        assert_eq!(named.with(&salted), Err(Misfit::Contradiction));
    }
}
