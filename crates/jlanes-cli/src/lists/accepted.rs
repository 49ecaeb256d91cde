//! Which lines of lists are accepted.

use std::sync::Arc;

use super::line::{Tags, digest};
use crate::hash::{Named, Parameters, Scheme};

/// Which digests a list may name.
#[derive(Clone, Debug)]
pub(crate) struct Accepted {
    pub(crate) which: Which,
    /// Whether lines may have what is malformed for `sha256sum` and its like: digests in base64, as
    /// with cksum, and the tags of OpenSSL 3.
    pub(crate) more_forms: bool,
    /// What tags, and lines without one, leave open.
    pub(crate) given: Arc<Parameters>,
    /// The least bits of a digest.
    pub(crate) least_bits: u64,
}

/// The digests themselves.
#[derive(Clone, Debug)]
pub(crate) enum Which {
    /// Any, by its tag; lines without a tag are of the given one.
    Tagged { untagged: Option<Scheme> },
    /// One, with or without its tag.
    Only(Scheme),
    /// The SHA-2 family: without a tag, the digest's length tells which.
    Sha2,
}

/// The tags of the SHA-2 family, as cksum has it.
const SHA2: [&str; 4] = ["SHA224", "SHA256", "SHA384", "SHA512"];

impl Accepted {
    /// What messages call a malformed line, if `tagged` was the last tag: the algorithm of lines
    /// without a tag, or else that of the last tag, or before all tags cksum's.
    pub(crate) fn tag(&self, tagged: Option<&Scheme>) -> String {
        let scheme = match &self.which {
            Which::Tagged { untagged } => untagged.as_ref().or(tagged),
            Which::Only(scheme) => Some(scheme),
            Which::Sha2 => return "SHA2".to_owned(),
        };
        scheme.map_or("CRC".to_owned(), Scheme::tag)
    }

    /// The scheme that a line names, if it is accepted.
    fn admit(&self, named: &Named) -> Option<Scheme> {
        let scheme = named.scheme(&self.given).ok()?;
        let wanted = match &self.which {
            Which::Tagged { .. } => true,
            Which::Only(only) => *only == scheme,
            Which::Sha2 => SHA2.contains(&&scheme.algorithm().tag()[..]),
        };
        (wanted && scheme.bits() >= self.least_bits).then_some(scheme)
    }

    /// The name that a tag stands for.
    fn named(&self, tag: &[u8]) -> Option<Named> {
        let strange = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
        if tag.iter().any(strange) {
            return None;
        }
        let tag = str::from_utf8(tag).ok()?;
        // OpenSSL's tags, with HMAC- before them too
        let (hmac, hash) = tag.strip_prefix("HMAC-").map_or(("", tag), |hash| ("HMAC-", hash));
        let openssl = hash.strip_prefix("SHA2-").filter(|bits| self.more_forms && *bits != "1");
        Named::parse(&match openssl {
            Some(bits) => format!("{hmac}SHA{}", bits.replace('/', "-")),
            None => tag.to_owned(),
        })
        .ok()
    }

    /// Why a line with this tag is not accepted, if that is because of what the tag names: whoever
    /// wrote the list must not choose whether there is a key, or digests that can be guessed.
    pub(crate) fn refusal(&self, tag: &[u8]) -> Option<String> {
        let named = self.named(tag)?;
        let tag = tag.escape_ascii();
        match (named.tells_of(None), &self.given.secret) {
            (false, None) => return Some(format!("{tag} needs a key")),
            (true, Some(_)) => return Some(format!("{tag} has no key, and one was given")),
            (false, secret) if !named.tells_of(secret.as_ref()) => {
                return Some(format!("{tag} needs another key than was given"));
            }
            _ => {}
        }
        let (bits, least) = (8 * named.algorithm().output_size() as u64, self.least_bits);
        (bits < least).then(|| format!("{tag} has {bits} bits, and {least} are the least"))
    }
}

impl Tags for Accepted {
    type Scheme = Scheme;

    fn tagged(&self, tag: &[u8]) -> Option<Scheme> {
        let named = self.named(tag)?;
        if !named.tells_of(self.given.secret.as_ref()) {
            return None;
        }
        self.admit(&named)
    }

    fn untagged(&self, digest: &[u8]) -> Option<Scheme> {
        match &self.which {
            Which::Tagged { untagged } => untagged.clone(),
            Which::Only(scheme) => Some(scheme.clone()),
            Which::Sha2 => {
                let named = SHA2.iter().filter_map(|tag| Named::parse(tag).ok());
                let mut family = named.filter_map(|named| self.admit(&named));
                family.find(|scheme| self.digest(scheme, digest).is_some())
            }
        }
    }

    fn fsverity(&self, hash: &[u8]) -> Option<Scheme> {
        let name = match hash {
            b"sha256" => "fsverity-sha256",
            b"sha512" => "fsverity-sha512",
            _ => return None,
        };
        self.admit(&Named::parse(name).ok()?)
    }

    fn digest(&self, scheme: &Scheme, text: &[u8]) -> Option<Vec<u8>> {
        let is_hex = || text.iter().all(u8::is_ascii_hexdigit);
        (self.more_forms || is_hex()).then(|| digest::parse(scheme.algorithm(), text))?
    }
}
