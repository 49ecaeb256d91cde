//! Names of computations with parameters, such as `fsverity-sha256+salt=00`, combined with the
//! parameters from options.
//!
//! Tags in lists have such names. A name has everything that the digest depends on but the key, and one
//! spelling, so equal names are equal computations.

use jlanes::{
    Algorithm, AlgorithmError,
    algorithm::{BaseHash, Blake3, Key, Kind, ParameterError, Parameters, Skein, Xof},
    merkle::{DmVerity, Version},
};
use jlanes_files::Computation;

/// The prefix of names of HMACs.
const HMAC: &str = "hmac-";
/// The prefix of names of other MACs.
const MAC: &str = "mac-";

fn prefix(key: &Key) -> &'static str {
    match key {
        Key::Hmac(_) => HMAC,
        Key::Own(_) => MAC,
    }
}

/// The key and the other values that options give digests, besides their algorithm.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenParameters {
    pub(crate) key: Option<Key>,
    /// The option that names the key's file.
    pub(crate) key_option: &'static str,
    pub(crate) options: Vec<GivenOption>,
}

/// The value of an option, or of several for one algorithm.
#[derive(Clone, Debug)]
pub(crate) struct GivenOption {
    pub(crate) name: &'static str,
    pub(crate) value: Parameters,
    /// The rest of the error, after the option's name, if no digest has such a value.
    pub(crate) needs: &'static str,
}

impl GivenParameters {
    /// The values without the key.
    fn values(&self) -> Parameters {
        let values = self.options.iter().map(|option| option.value.clone());
        values.fold(Parameters::new(), Parameters::and)
    }

    /// Whether there is a value, besides the key, that `algorithm` has.
    pub(crate) fn has_value_of(&self, algorithm: Algorithm) -> bool {
        self.values().for_algorithm(algorithm) != Parameters::new()
    }

    /// The key with some of the options.
    pub(crate) fn with_only(&self, options: &[GivenOption]) -> Self {
        Self { key: self.key.clone(), key_option: self.key_option, options: options.to_vec() }
    }
}

impl GivenOption {
    /// Whether `algorithm` takes all values of this option.
    pub(crate) fn applies_to(&self, algorithm: Algorithm) -> bool {
        parameters(algorithm, None, &self.value) == self.value
    }
}

/// The key, and those of the other values for which `algorithm` has an option.
fn parameters(algorithm: Algorithm, key: Option<&Key>, values: &Parameters) -> Parameters {
    let key = key.cloned().map(Parameters::from).unwrap_or_default();
    let all = match algorithm.kind() {
        // BLAKE2 has a salt and a personalization, but no option for them
        Kind::Blake2(_) => key,
        _ => key.and(values.clone()),
    };
    all.for_algorithm(algorithm)
}

/// A parsed name: the algorithm, a prefix for MACs, and the values of parameters.
#[derive(Clone, Debug)]
pub(crate) struct ComputationName {
    plain: Computation,
    prefix: Option<&'static str>,
    /// The values in the name.
    values: Parameters,
    /// The computation of the name alone, if it has all of these values and none is the usual one.
    by_name: Result<Computation, Misfit>,
}

/// The name of a function without parameters.
impl From<Computation> for ComputationName {
    fn from(plain: Computation) -> Self {
        Self { by_name: Ok(plain.clone()), plain, prefix: None, values: Parameters::new() }
    }
}

impl ComputationName {
    /// Reads a name, in any case and with `_` or `-`.
    ///
    /// # Errors
    /// Those of algorithms' names.
    pub(crate) fn parse(name: &str) -> Result<Self, AlgorithmError> {
        let name = name.to_ascii_lowercase().replace('_', "-");
        let (prefix, base, extra) = split_name(&name);
        let plain: Computation = base.parse()?;
        if let Some(Kind::Xof(xof)) = plain.kind()
            && xof.is_of_tuples()
        {
            return Err(AlgorithmError::Unknown);
        }
        let values = values_in(extra).ok_or(AlgorithmError::Unknown)?;
        let by_name = by_name(&plain, &values);
        // a name has one spelling, so that equal ones are equal
        match &by_name {
            Ok(known) if known.to_string() != format!("{plain}{extra}") => {
                Err(AlgorithmError::Unknown)
            }
            _ => Ok(Self { plain, prefix, values, by_name }),
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

    /// The computation of this name. For parameters that it depends on and the name lacks, it takes the
    /// `given` ones.
    ///
    /// # Errors
    /// If the key is not one for this algorithm: a digest without a key must not pass for one with it.
    /// If the format lacks such parameters, or the name and the parameters contradict each other. A key
    /// is accepted although the name has no prefix for it.
    pub(crate) fn computation(&self, given: &GivenParameters) -> Result<Computation, Misfit> {
        match (self.prefix, &given.key) {
            (Some(_), None) => return Err(Misfit::NeedsKey),
            (Some(_), key) if !self.fits_key(key.as_ref()) => return Err(Misfit::Contradiction),
            _ => {}
        }
        self.by_name.as_ref().map_err(|misfit| *misfit)?;
        let (in_name, in_options) = (self.values.clone(), given.values());
        let values = in_name.clone().and(in_options.clone());
        // the order matters only if name and options have different values for one parameter
        if in_options.and(in_name) != values {
            return Err(Misfit::Contradiction);
        }
        let computation = with_parameters(&self.plain, given.key.as_ref(), &values)?;
        match self.needs_key() && computation.key().is_none() {
            true => Err(Misfit::NeedsKey),
            false => Ok(computation),
        }
    }
}

/// The reason why a name and options do not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// The algorithm does not take the parameters.
    Parameters(ParameterError),
    /// It takes no key of HMAC.
    TakesNoHmacKey,
    /// It takes no key of its own.
    TakesNoKey,
    /// The name requires a key, and none was given.
    NeedsKey,
    /// The name and the options have different values.
    Contradiction,
    /// The name has a parameter that the algorithm lacks, or one with its default value.
    Parameter,
}

impl From<ParameterError> for Misfit {
    fn from(error: ParameterError) -> Self {
        match error {
            ParameterError::Hmac(_) => Self::TakesNoHmacKey,
            ParameterError::Key(_) => Self::TakesNoKey,
            ParameterError::Contradiction(_) => Self::Contradiction,
            ParameterError::Unused(_) => Self::Parameter,
            error => Self::Parameters(error),
        }
    }
}

/// `plain` with the values of its name, if it has all of them and none is the usual one.
fn by_name(plain: &Computation, values: &Parameters) -> Result<Computation, Misfit> {
    let computation = with_parameters(plain, None, values)?;
    let has_all = values_in(split_name(&computation.to_string()).2).as_ref() == Some(values);
    if has_all { Ok(computation) } else { Err(Misfit::Parameter) }
}

/// `plain` with the key and those of the values that it depends on.
fn with_parameters(
    plain: &Computation,
    key: Option<&Key>,
    values: &Parameters,
) -> Result<Computation, Misfit> {
    match (plain.algorithm(), key) {
        (Some(algorithm), key) => {
            if let (Kind::Hash(BaseHash::Skein(_)), Some(Key::Hmac(_))) = (algorithm.kind(), key) {
                return Err(Misfit::TakesNoHmacKey);
            }
            // for a digest of a list, files are hashed as its leaves
            let leaf = Parameters::leaf().for_algorithm(algorithm);
            Ok(algorithm.with(parameters(algorithm, key, values).and(leaf))?.into())
        }
        (None, None) => Ok(plain.clone()),
        (None, Some(Key::Hmac(_))) => Err(Misfit::TakesNoHmacKey),
        (None, Some(Key::Own(_))) => Err(Misfit::TakesNoKey),
    }
}

/// The prefix of a name, the name of the algorithm, and the rest.
fn split_name(name: &str) -> (Option<&'static str>, &str, &str) {
    let prefix = [HMAC, MAC].into_iter().find(|prefix| name.starts_with(prefix));
    let rest = &name[prefix.map_or(0, str::len)..];
    let (base, extra) = rest.split_at(rest.find('+').unwrap_or(rest.len()));
    (prefix, base, extra)
}

/// The values behind the name of an algorithm.
fn values_in(extra: &str) -> Option<Parameters> {
    let mut parts = extra.split('+').skip(1);
    parts.try_fold(Parameters::new(), |values, part| Some(values.and(value(part)?)))
}

/// The value of `NAME=VALUE`, or of a name alone.
fn value(part: &str) -> Option<Parameters> {
    let (name, value) = part.split_once('=').unwrap_or((part, ""));
    let hex = || hex::decode(value).ok();
    let (verity, skein) = (Parameters::<DmVerity>::new(), Parameters::<Skein>::new());
    let (xof, blake3) = (Parameters::<Xof>::new(), Parameters::<Blake3>::new());
    Some(match name {
        "block" => verity.block_size(value.parse::<usize>().ok()?).any(),
        "hash-block" => verity.hash_block_size(value.parse::<usize>().ok()?).any(),
        "salt" => verity.salt(hex()?).any(),
        "format" => verity.version((value == "0").then_some(Version::V0)).any(),
        "isal-memory-order" => Parameters::memory_order(),
        "personalization" => skein.personalization(hex()?).any(),
        "public-key" => skein.public_key(hex()?).any(),
        "key-id" => skein.key_id(hex()?).any(),
        "nonce" => skein.nonce(hex()?).any(),
        "customization" => xof.customization(hex()?).any(),
        "seek" => blake3.seek(value.parse::<u64>().ok().filter(|seek| *seek > 0)?).any(),
        "context" => Parameters::derive_key(String::from_utf8(hex()?).ok()?).any(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use jlanes::{Backend, algorithm::AnyHash};

    use super::*;

    /// Options without a key.
    fn options(value: Parameters<DmVerity>) -> GivenParameters {
        GivenParameters { options: vec![option(value.any())], ..GivenParameters::default() }
    }

    fn option(value: Parameters) -> GivenOption {
        GivenOption { name: "", value, needs: "" }
    }

    fn computation(name: &str, given: &GivenParameters) -> Result<Computation, Misfit> {
        ComputationName::parse(name).unwrap().computation(given)
    }

    #[test]
    fn a_tag_says_all_that_a_digest_depends_on() {
        let verity = Parameters::<DmVerity>::new().block_size(1024).hash_block_size(512);
        let mut given = options(verity.salt(b"\xab".to_vec()).version(Version::V0));
        given.options.push(option(Parameters::memory_order()));
        for (name, tag) in [
            ("sha256", "SHA256"),
            ("fsverity-sha256", "FSVERITY-SHA256-1024+SALT=AB"),
            ("dmverity-sha1", "DMVERITY-SHA1+BLOCK=1024+HASH-BLOCK=512+SALT=AB+FORMAT=0"),
            ("mh-sha1", "MH-SHA1+ISAL-MEMORY-ORDER"),
        ] {
            let computation = computation(name, &given).unwrap();
            assert_eq!(computation.tag(), tag);
            // no other parameter is needed to read the tag
            let plain = GivenParameters::default();
            assert_eq!(
                ComputationName::parse(tag).unwrap().computation(&plain),
                Ok(computation),
                "{tag}"
            );
        }
    }

    #[test]
    fn usual_parameters_are_not_named() {
        let verity = Parameters::<DmVerity>::new().block_size(4096).hash_block_size(4096);
        let given = options(verity.salt(Vec::new()).version(Version::V1));
        for name in ["dmverity-sha256", "fsverity-sha512"] {
            assert_eq!(computation(name, &given).unwrap().to_string(), name);
        }
    }

    #[test]
    fn files_under_a_digest_of_lists_are_leaves_which_no_name_tells() {
        let list = computation("jpointers-sha1-raw", &GivenParameters::default()).unwrap();
        assert!(list.hash().unwrap().hasher_on(Backend::detect()).is_ok());
        let whole = AnyHash::from(list.algorithm().unwrap());
        assert!(whole.hasher_on(Backend::detect()).is_err());
        assert_eq!(
            (&list.to_string()[..], &list.tag()[..]),
            ("jpointers-sha1-raw", "JPOINTERS-SHA1-RAW")
        );
        let sha1 = computation("sha1", &GivenParameters::default()).unwrap();
        assert_eq!(sha1, sha1.plain());
    }

    #[test]
    fn keyed_hashes_are_named_without_their_keys() {
        let given = |key: Key| GivenParameters { key: Some(key), ..GivenParameters::default() };
        let (hmac, mac) = (given(Key::Hmac(b"key".to_vec())), given(Key::Own(b"key".to_vec())));
        assert_eq!(computation("sha512-256", &hmac).unwrap().tag(), "HMAC-SHA512-256");
        let skein = computation("mac-skein512-128+nonce=", &mac).unwrap();
        assert_eq!(skein.to_string(), "mac-skein512-128+nonce=");
        assert_eq!(computation("hmac-sha1", &mac), Err(Misfit::Contradiction));
        assert_eq!(computation("hmac-sha1", &GivenParameters::default()), Err(Misfit::NeedsKey));
        assert_eq!(computation("btv2", &hmac), Err(Misfit::TakesNoHmacKey));
        assert_eq!(computation("sha1", &mac), Err(Misfit::TakesNoKey));
        assert!(!ComputationName::parse("sha1").unwrap().fits_key(hmac.key.as_ref()));
    }

    #[test]
    fn a_name_has_one_spelling() {
        let plain = GivenParameters::default();
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
            assert!(ComputationName::parse(name).is_err(), "{name}");
        }
        let salted = options(Parameters::<DmVerity>::new().salt(vec![1]));
        let named = ComputationName::parse("fsverity-sha256+salt=02").unwrap();
        assert_eq!(named.computation(&salted), Err(Misfit::Contradiction));
    }
}
