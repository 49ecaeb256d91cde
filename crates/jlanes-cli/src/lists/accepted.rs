//! Which lines of lists are accepted.

use std::sync::Arc;

use jlanes::Algorithm;

use super::line::{Tags, digest};
use crate::hash::method::Options;

/// Which algorithms a list may name.
#[derive(Clone, Debug)]
pub(crate) struct Accepted {
    pub(crate) which: Which,
    /// Whether lines may have what is malformed for `sha256sum` and its like: digests in base64, as
    /// with cksum, and the tags of OpenSSL 3.
    pub(crate) more_forms: bool,
    /// What fsverity's own lines do not say, and what digests depend on besides.
    pub(crate) options: Arc<Options>,
}

/// The algorithms themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Which {
    /// Any, by its tag; lines without a tag are of the given one.
    Tagged { untagged: Option<Algorithm> },
    /// One, with or without its tag.
    Only(Algorithm),
    /// The SHA-2 family: without a tag, the digest's length tells which.
    Sha2,
}

/// The tags of the SHA-2 family, as cksum has it.
const SHA2: [&str; 4] = ["SHA224", "SHA256", "SHA384", "SHA512"];

impl Accepted {
    /// What messages call a malformed line, if `tagged` was the last tag: a list has the algorithm
    /// of lines without a tag, and where there is none, that of the last, and before all tags that
    /// of cksum.
    pub(crate) fn tag(&self, tagged: Option<Algorithm>) -> String {
        let algorithm = match self.which {
            Which::Tagged { untagged } => untagged.or(tagged),
            Which::Only(algorithm) => Some(algorithm),
            Which::Sha2 => return "SHA2".to_owned(),
        };
        algorithm.map_or("CRC".to_owned(), Algorithm::tag)
    }

    /// `algorithm`, if lists may name it and the options are about it.
    fn admit(&self, algorithm: Algorithm) -> Option<Algorithm> {
        let wanted = match self.which {
            Which::Tagged { .. } => true,
            Which::Only(only) => only == algorithm,
            Which::Sha2 => SHA2.contains(&&algorithm.tag()[..]),
        };
        let fits = || {
            self.options.refused_key(algorithm).is_none() && self.options.check(algorithm).is_ok()
        };
        (wanted && fits()).then_some(algorithm)
    }
}

impl Tags for Accepted {
    type Algorithm = Algorithm;

    fn tagged(&self, tag: &[u8]) -> Option<Algorithm> {
        let strange = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
        if tag.iter().any(strange) {
            return None;
        }
        let tag = str::from_utf8(tag).ok()?;
        let openssl = tag.strip_prefix("SHA2-").filter(|bits| self.more_forms && *bits != "1");
        self.admit(match openssl {
            Some(bits) => format!("SHA{}", bits.replace('/', "-")).parse().ok()?,
            None => tag.parse().ok()?,
        })
    }

    fn untagged(&self, digest: &[u8]) -> Option<Algorithm> {
        let algorithm = match self.which {
            Which::Tagged { untagged } => untagged?,
            Which::Only(algorithm) => algorithm,
            Which::Sha2 => {
                let mut family = SHA2.iter().filter_map(|tag| tag.parse().ok());
                family.find(|algorithm| self.digest(algorithm, digest).is_some())?
            }
        };
        self.admit(algorithm)
    }

    fn fsverity(&self, hash: &[u8]) -> Option<Algorithm> {
        let name = match hash {
            b"sha256" => "fsverity-sha256",
            b"sha512" => "fsverity-sha512",
            _ => return None,
        };
        self.admit(self.options.complete(name.parse().ok()?))
    }

    fn digest(&self, algorithm: &Algorithm, text: &[u8]) -> Option<Vec<u8>> {
        let is_hex = || text.iter().all(u8::is_ascii_hexdigit);
        (self.more_forms || is_hex()).then(|| digest::parse(*algorithm, text))?
    }
}
