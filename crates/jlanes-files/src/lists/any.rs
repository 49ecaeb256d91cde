//! Lists of any algorithm.

use jlanes::{Algorithm, algorithm::Kind};

use super::{Guess, Tags, digest};

/// Accepts every [`Algorithm`] by its tag. A digest without a tag is of the algorithm that its length
/// and the list's name suggest.
#[derive(Clone, Debug, Default)]
pub struct AnyAlgorithm {
    /// The algorithm of digests without a tag, if it is known.
    pub untagged: Option<Algorithm>,
    /// The name of the list's file: digests in `SHA512SUMS` are SHA-512's.
    pub list: Vec<u8>,
}

impl Tags for AnyAlgorithm {
    type Scheme = Algorithm;

    fn tagged(&self, tag: &[u8]) -> Option<Algorithm> {
        str::from_utf8(tag).ok()?.parse().ok()
    }

    fn untagged(&self, text: &[u8]) -> Option<Algorithm> {
        if self.untagged.is_some() {
            return self.untagged;
        }
        match Guess::new(4 * text.len() as u64, &self.list) {
            Guess::One(name) => name.parse().ok(),
            Guess::Several(_) | Guess::Nothing => None,
        }
    }

    fn prefixed(&self, hash: &[u8]) -> Vec<Algorithm> {
        let named = |algorithm: &Algorithm| {
            let name = algorithm.to_string();
            name.strip_prefix("fsverity-").unwrap_or(&name).as_bytes() == hash
        };
        match self.untagged {
            Some(only) => Some(only).filter(named).into_iter().collect(),
            None => {
                let plain = str::from_utf8(hash).ok().and_then(|name| name.parse().ok());
                let is_hash = |it: &Algorithm| matches!(it.kind(), Kind::Hash(_));
                plain.filter(is_hash).into_iter().collect()
            }
        }
    }

    fn digest(&self, algorithm: &Algorithm, text: &[u8]) -> Option<Vec<u8>> {
        digest::parse(*algorithm, text)
    }
}
