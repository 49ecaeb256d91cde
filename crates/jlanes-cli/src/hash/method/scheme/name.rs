//! The names of schemes: what lines of lists are tagged with, in capitals, and what JSON tells.
//!
//! A name is that of the algorithm, with `hmac-` before it or, where the hash takes a key itself,
//! `mac-`, and behind it what else the digest depends on: `fsverity-sha256+salt=61626364`.

use std::fmt;

use jlanes::{AlgorithmError, merkle::Version};

use super::{Computation, Misfit, Scheme};
use crate::hash::method::{Parameters, Secret};

/// What stands before the names of algorithms with keys.
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
    fn of(secret: &Secret) -> Self {
        match secret {
            Secret::Hmac(_) => Self::Hmac,
            Secret::Own(_) => Self::Own,
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Hmac => HMAC,
            Self::Own => MAC,
        }
    }
}

/// What a name says.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    what: Computation,
    keyed: Option<Keyed>,
    parameters: Parameters,
}

impl From<Computation> for Named {
    fn from(what: Computation) -> Self {
        Self { what, keyed: None, parameters: Parameters::default() }
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
        let what = base.parse()?;
        let mut parameters = Parameters::default();
        for part in extra.split('+').skip(1) {
            set(&mut parameters, part).ok_or(AlgorithmError::Unknown)?;
        }
        // a name has one spelling, so that equal ones are equal
        if suffix(&parameters) == extra {
            Ok(Self { what, keyed, parameters })
        } else {
            Err(AlgorithmError::Unknown)
        }
    }

    /// What is computed.
    pub(crate) fn what(&self) -> Computation {
        self.what
    }

    /// Whether the name says that there is a key like `secret`, or none.
    pub(crate) fn tells_of(&self, secret: Option<&Secret>) -> bool {
        self.keyed == secret.map(Keyed::of)
    }

    /// Whether the name asks for HMAC.
    pub(crate) fn is_hmac(&self) -> bool {
        self.keyed == Some(Keyed::Hmac)
    }

    /// The scheme of this name, with the `given` parameters where it leaves them open.
    ///
    /// # Errors
    /// As [`Scheme::new`], and if the name and the parameters contradict each other. That a key is
    /// given of which the name does not tell is no error here.
    pub(crate) fn scheme(&self, given: &Parameters) -> Result<Scheme, Misfit> {
        match (self.keyed, &given.secret) {
            (Some(_), None) => return Err(Misfit::NoKey),
            (Some(kind), Some(secret)) if kind != Keyed::of(secret) => {
                return Err(Misfit::Contradiction);
            }
            _ => {}
        }
        if *Scheme::new(self.what, &self.parameters)?.parameters != self.parameters {
            return Err(Misfit::Parameter);
        }
        Scheme::new(self.what, &self.parameters.or(given)?)
    }
}

/// Reads `NAME=VALUE`, or a name alone.
fn set(parameters: &mut Parameters, part: &str) -> Option<()> {
    let (name, value) = part.split_once('=').unwrap_or((part, ""));
    let hex = || hex::decode(value).ok();
    let skein = &mut parameters.skein;
    match name {
        "block" => parameters.block_size = Some(value.parse().ok()?),
        "hash-block" => parameters.hash_block_size = Some(value.parse().ok()?),
        "salt" => parameters.salt = Some(hex()?),
        "format" => parameters.version = (value == "0").then_some(Version::V0),
        "isal-memory-order" => parameters.memory_order = true,
        "personalization" => skein.personalization = Some(hex()?),
        "public-key" => skein.public_key = Some(hex()?),
        "key-id" => skein.key_id = Some(hex()?),
        "nonce" => skein.nonce = Some(hex()?),
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
    let Parameters {
        block_size,
        hash_block_size,
        salt,
        version,
        memory_order,
        secret: _,
        skein,
        customization,
        tree: _,
        context,
        seek,
    } = parameters;
    [
        number("block", *block_size),
        number("hash-block", *hash_block_size),
        hex("salt", salt),
        (*version == Some(Version::V0)).then(|| "+format=0".to_owned()),
        memory_order.then(|| "+isal-memory-order".to_owned()),
        hex("personalization", &skein.personalization),
        hex("public-key", &skein.public_key),
        hex("key-id", &skein.key_id),
        hex("nonce", &skein.nonce),
        hex("customization", customization),
        context.as_ref().map(|context| format!("+context={}", hex::encode(context))),
        seek.map(|seek| format!("+seek={seek}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Scheme {
    /// The name in lists of digests, `SHA256 (FILE) = ...`. It says everything but the key.
    pub(crate) fn tag(&self) -> String {
        let (prefix, suffix) = (self.prefix().to_ascii_uppercase(), suffix(&self.parameters));
        format!("{prefix}{}{}", self.what.tag(), suffix.to_ascii_uppercase())
    }

    fn prefix(&self) -> &'static str {
        self.parameters.secret.as_ref().map_or("", |secret| Keyed::of(secret).prefix())
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.prefix(), self.what, suffix(&self.parameters))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scheme(name: &str, given: &Parameters) -> Result<Scheme, Misfit> {
        Named::parse(name).unwrap().scheme(given)
    }

    #[test]
    fn a_tag_says_all_that_a_digest_depends_on() {
        let given = Parameters {
            block_size: Some(1024),
            hash_block_size: Some(512),
            salt: Some(b"\xab".to_vec()),
            version: Some(Version::V0),
            memory_order: true,
            ..Parameters::default()
        };
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
        let given = Parameters {
            block_size: Some(4096),
            hash_block_size: Some(4096),
            salt: Some(Vec::new()),
            version: Some(Version::V1),
            ..Parameters::default()
        };
        for name in ["dmverity-sha256", "fsverity-sha512"] {
            assert_eq!(scheme(name, &given).unwrap().to_string(), name);
        }
    }

    #[test]
    fn keys_are_told_but_not_shown() {
        let hmac = Parameters { secret: Some(Secret::Hmac(b"key".to_vec())), ..Default::default() };
        let mac = Parameters { secret: Some(Secret::Own(b"key".to_vec())), ..Default::default() };
        assert_eq!(scheme("sha512-256", &hmac).unwrap().tag(), "HMAC-SHA512-256");
        let skein = scheme("mac-skein512-128+nonce=", &mac).unwrap();
        assert_eq!(skein.to_string(), "mac-skein512-128+nonce=");
        assert_eq!(scheme("hmac-sha1", &mac), Err(Misfit::Contradiction));
        assert_eq!(scheme("hmac-sha1", &Parameters::default()), Err(Misfit::NoKey));
        assert_eq!(scheme("btv2", &hmac), Err(Misfit::Hmac));
        assert_eq!(scheme("sha1", &mac), Err(Misfit::Key));
        assert!(!Named::parse("sha1").unwrap().tells_of(hmac.secret.as_ref()));
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
        let salted = Parameters { salt: Some(vec![1]), ..Parameters::default() };
        let named = Named::parse("fsverity-sha256+salt=02").unwrap();
        assert_eq!(named.scheme(&salted), Err(Misfit::Contradiction));
    }
}
