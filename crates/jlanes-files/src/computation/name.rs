//! Names of computations. In capitals they are the tags of lists; JSON contains them as they are.

use std::{fmt, str::FromStr};

use jlanes::{
    Algorithm, AlgorithmError,
    algorithm::{Key, Parameters},
    merkle::Version,
};

use super::{Computation, DirHash};
#[cfg(feature = "checksums")]
use crate::Checksum;

impl DirHash {
    fn name(self) -> &'static str {
        match self {
            Self::H1 => "h1",
            Self::GitSha256 => "git-sha256",
        }
    }
}

/// The computation without a key and other parameters that has this name.
impl FromStr for Computation {
    type Err = AlgorithmError;

    fn from_str(name: &str) -> Result<Self, AlgorithmError> {
        let is_named = |hash: &DirHash| hash.name().eq_ignore_ascii_case(name);
        if let Some(hash) = DirHash::ALL.into_iter().find(is_named) {
            return Ok(Self::Directory(hash));
        }
        #[cfg(feature = "checksums")]
        if let Some(checksum) = Checksum::named(name) {
            return Ok(checksum.into());
        }
        name.parse::<Algorithm>().map(Self::from)
    }
}

/// The name with all parameters that the digest depends on, except the key.
impl fmt::Display for Computation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest(hash) => {
                let (prefix, suffix) = affixes(hash.parameters());
                write!(f, "{prefix}{}{suffix}", hash.algorithm())
            }
            #[cfg(feature = "checksums")]
            Self::Checksum(checksum) => checksum.fmt(f),
            Self::Directory(hash) => f.write_str(hash.name()),
        }
    }
}

impl Computation {
    /// The name in lists of digests, `SHA256 (FILE) = ...`.
    #[must_use]
    pub fn tag(&self) -> String {
        let Some(hash) = self.hash() else { return self.to_string().to_ascii_uppercase() };
        let (prefix, suffix) = affixes(hash.parameters());
        let [prefix, suffix] = [prefix, &suffix].map(str::to_ascii_uppercase);
        format!("{prefix}{}{suffix}", hash.algorithm().tag())
    }
}

/// Text that parameters put before and after an algorithm's name.
fn affixes(parameters: &Parameters) -> (&'static str, String) {
    let prefix = match &parameters.key {
        Some(Key::Hmac(_)) => "hmac-",
        Some(Key::Own(_)) => "mac-",
        None => "",
    };
    let number = |name: &str, value: Option<usize>| value.map(|value| format!("+{name}={value}"));
    let hex = |name: &str, value: Option<&[u8]>| {
        let digits = value?.iter().map(|byte| format!("{byte:02x}"));
        Some(format!("+{name}={}", digits.collect::<String>()))
    };
    let suffix = [
        number("block", parameters.block_size),
        number("hash-block", parameters.hash_block_size),
        hex("salt", parameters.salt.as_deref()),
        (parameters.version == Some(Version::V0)).then(|| "+format=0".to_owned()),
        parameters.memory_order.then(|| "+isal-memory-order".to_owned()),
        hex("personalization", parameters.personalization.as_deref()),
        hex("public-key", parameters.public_key.as_deref()),
        hex("key-id", parameters.key_id.as_deref()),
        hex("nonce", parameters.nonce.as_deref()),
        hex("customization", parameters.customization.as_deref()),
        hex("context", parameters.context.as_deref().map(str::as_bytes)),
        parameters.seek.map(|seek| format!("+seek={seek}")),
    ];
    (prefix, suffix.into_iter().flatten().collect())
}
