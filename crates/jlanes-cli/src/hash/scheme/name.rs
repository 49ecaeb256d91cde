//! The names of schemes: in capitals they are the tags of lists, and JSON contains them.
//!
//! A name is the algorithm's name with its parameters behind it: `fsverity-sha256+salt=61626364`. With a
//! key, `hmac-` precedes it, or `mac-` for the key of the algorithm's own keyed mode.

use std::fmt;

use jlanes::{
    AlgorithmError,
    algorithm::{Key, Parameters},
    merkle::Version,
};

use super::{Misfit, Scheme, merged};

/// The prefixes of names with keys.
const HMAC: &str = "hmac-";
const MAC: &str = "mac-";

/// The key that a name asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyed {
    Hmac,
    /// The algorithm's own.
    Own,
}

impl Keyed {
    fn of(key: &Key) -> Self {
        match key {
            Key::Hmac(_) => Self::Hmac,
            Key::Own(_) => Self::Own,
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Hmac => HMAC,
            Self::Own => MAC,
        }
    }
}

/// A parsed name.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    plain: Scheme,
    keyed: Option<Keyed>,
    parameters: Parameters,
}

/// The name of a function without parameters.
impl From<Scheme> for Named {
    fn from(plain: Scheme) -> Self {
        Self { plain, keyed: None, parameters: Parameters::default() }
    }
}

impl Named {
    /// Reads a name; capitals are as good as small letters, and `_` as good as `-`.
    ///
    /// # Errors
    /// Those of algorithms' names.
    pub(crate) fn parse(name: &str) -> Result<Self, AlgorithmError> {
        let name = name.to_ascii_lowercase().replace('_', "-");
        let kinds = [Keyed::Hmac, Keyed::Own].into_iter();
        let mut keys = kinds.filter_map(|kind| Some((kind, name.strip_prefix(kind.prefix())?)));
        let (keyed, rest) = match keys.next() {
            Some((kind, rest)) => (Some(kind), rest),
            None => (None, &name[..]),
        };
        let (base, extra) = rest.split_at(rest.find('+').unwrap_or(rest.len()));
        let plain = base.parse()?;
        let mut parameters = Parameters::default();
        for part in extra.split('+').skip(1) {
            set(&mut parameters, part).ok_or(AlgorithmError::Unknown)?;
        }
        // a name has one spelling, so that equal ones are equal
        if suffix(&parameters) == extra {
            Ok(Self { plain, keyed, parameters })
        } else {
            Err(AlgorithmError::Unknown)
        }
    }

    /// The function, without what it depends on.
    pub(crate) fn plain(&self) -> &Scheme {
        &self.plain
    }

    /// Whether the name has the prefix for `key`, or none if there is no key.
    pub(crate) fn tells_of(&self, key: Option<&Key>) -> bool {
        self.keyed == key.map(Keyed::of)
    }

    /// Whether the name asks for HMAC.
    pub(crate) fn is_hmac(&self) -> bool {
        self.keyed == Some(Keyed::Hmac)
    }

    /// The scheme of this name, with the `given` parameters where it leaves them open.
    ///
    /// # Errors
    /// As [`Scheme::with`], and if the name and the parameters contradict each other. A given key is
    /// no error if the name has no prefix.
    pub(crate) fn scheme(&self, given: &Parameters) -> Result<Scheme, Misfit> {
        match (self.keyed, &given.key) {
            (Some(_), None) => return Err(Misfit::NoKey),
            (Some(kind), Some(key)) if kind != Keyed::of(key) => {
                return Err(Misfit::Contradiction);
            }
            _ => {}
        }
        if self.plain.with(&self.parameters)?.parameters() != self.parameters {
            return Err(Misfit::Parameter);
        }
        self.plain.with(&merged(&self.parameters, given)?)
    }
}

/// Reads `NAME=VALUE`, or a name alone.
fn set(parameters: &mut Parameters, part: &str) -> Option<()> {
    let (name, value) = part.split_once('=').unwrap_or((part, ""));
    let hex = || hex::decode(value).ok();
    match name {
        "block" => parameters.block_size = Some(value.parse().ok()?),
        "hash-block" => parameters.hash_block_size = Some(value.parse().ok()?),
        "salt" => parameters.salt = Some(hex()?),
        "format" => parameters.version = (value == "0").then_some(Version::V0),
        "isal-memory-order" => parameters.memory_order = true,
        "personalization" => parameters.personalization = Some(hex()?),
        "public-key" => parameters.public_key = Some(hex()?),
        "key-id" => parameters.key_id = Some(hex()?),
        "nonce" => parameters.nonce = Some(hex()?),
        "customization" => parameters.customization = Some(hex()?),
        "seek" => parameters.seek = Some(value.parse().ok().filter(|seek| *seek > 0)?),
        "context" => parameters.context = Some(String::from_utf8(hex()?).ok()?),
        _ => return None,
    }
    Some(())
}

/// What stands behind the algorithm's name.
fn suffix(parameters: &Parameters) -> String {
    let number = |name: &str, value: Option<usize>| value.map(|value| format!("+{name}={value}"));
    let hex = |name: &str, value: &Option<Vec<u8>>| {
        value.as_ref().map(|value| format!("+{name}={}", hex::encode(value)))
    };
    [
        number("block", parameters.block_size),
        number("hash-block", parameters.hash_block_size),
        hex("salt", &parameters.salt),
        (parameters.version == Some(Version::V0)).then(|| "+format=0".to_owned()),
        parameters.memory_order.then(|| "+isal-memory-order".to_owned()),
        hex("personalization", &parameters.personalization),
        hex("public-key", &parameters.public_key),
        hex("key-id", &parameters.key_id),
        hex("nonce", &parameters.nonce),
        hex("customization", &parameters.customization),
        parameters.context.as_ref().map(|context| format!("+context={}", hex::encode(context))),
        parameters.seek.map(|seek| format!("+seek={seek}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Scheme {
    /// The name in lists of digests, `SHA256 (FILE) = ...`. It has everything except the key.
    pub(crate) fn tag(&self) -> String {
        let Some(hash) = self.any_hash() else { return self.to_string().to_ascii_uppercase() };
        let (prefix, suffix) = affixes(hash.parameters());
        let [prefix, suffix] = [prefix, &suffix].map(str::to_ascii_uppercase);
        format!("{prefix}{}{suffix}", hash.algorithm().tag())
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest(hash) | Self::WithTree(hash, _) => {
                let (prefix, suffix) = affixes(hash.parameters());
                write!(f, "{prefix}{}{suffix}", hash.algorithm())
            }
            Self::Checksum(checksum) => checksum.fmt(f),
            Self::Directory(hash) => f.write_str(hash.name()),
        }
    }
}

/// Text before and behind an algorithm's name.
fn affixes(parameters: &Parameters) -> (&'static str, String) {
    let prefix = parameters.key.as_ref().map_or("", |key| Keyed::of(key).prefix());
    (prefix, suffix(parameters))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(set: impl FnOnce(&mut Parameters)) -> Parameters {
        let mut parameters = Parameters::default();
        set(&mut parameters);
        parameters
    }

    fn scheme(name: &str, given: &Parameters) -> Result<Scheme, Misfit> {
        Named::parse(name).unwrap().scheme(given)
    }

    #[test]
    fn a_tag_says_all_that_a_digest_depends_on() {
        let given = parameters(|it| {
            it.block_size = Some(1024);
            it.hash_block_size = Some(512);
            it.salt = Some(b"\xab".to_vec());
            it.version = Some(Version::V0);
            it.memory_order = true;
        });
        for (name, tag) in [
            ("sha256", "SHA256"),
            ("fsverity-sha256", "FSVERITY-SHA256-1024+SALT=AB"),
            ("dmverity-sha1", "DMVERITY-SHA1+BLOCK=1024+HASH-BLOCK=512+SALT=AB+FORMAT=0"),
            ("mh-sha1", "MH-SHA1+ISAL-MEMORY-ORDER"),
        ] {
            let scheme = scheme(name, &given).unwrap();
            assert_eq!(scheme.tag(), tag);
            // and needs nothing else to be read
            let plain = Parameters::default();
            assert_eq!(Named::parse(tag).unwrap().scheme(&plain), Ok(scheme), "{tag}");
        }
    }

    #[test]
    fn usual_parameters_are_not_told() {
        let given = parameters(|it| {
            it.block_size = Some(4096);
            it.hash_block_size = Some(4096);
            it.salt = Some(Vec::new());
            it.version = Some(Version::V1);
        });
        for name in ["dmverity-sha256", "fsverity-sha512"] {
            assert_eq!(scheme(name, &given).unwrap().to_string(), name);
        }
    }

    #[test]
    fn keys_are_told_but_not_shown() {
        let hmac = Parameters::from(Key::Hmac(b"key".to_vec()));
        let mac = Parameters::from(Key::Own(b"key".to_vec()));
        assert_eq!(scheme("sha512-256", &hmac).unwrap().tag(), "HMAC-SHA512-256");
        let skein = scheme("mac-skein512-128+nonce=", &mac).unwrap();
        assert_eq!(skein.to_string(), "mac-skein512-128+nonce=");
        assert_eq!(scheme("hmac-sha1", &mac), Err(Misfit::Contradiction));
        assert_eq!(scheme("hmac-sha1", &Parameters::default()), Err(Misfit::NoKey));
        assert_eq!(scheme("btv2", &hmac), Err(Misfit::Hmac));
        assert_eq!(scheme("sha1", &mac), Err(Misfit::Key));
        assert!(!Named::parse("sha1").unwrap().tells_of(hmac.key.as_ref()));
    }

    #[test]
    fn a_name_has_one_spelling() {
        let plain = Parameters::default();
        for name in ["sha256+salt=00", "dmverity-sha1+block=4096", "skein512+block=1024"] {
            assert_eq!(scheme(name, &plain), Err(Misfit::Parameter), "{name}");
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
        let salted = parameters(|it| it.salt = Some(vec![1]));
        let named = Named::parse("fsverity-sha256+salt=02").unwrap();
        assert_eq!(named.scheme(&salted), Err(Misfit::Contradiction));
    }
}
