//! Lists of any algorithm.

use jlanes::{Algorithm, algorithm::Kind};

use super::{Entry, Facts, Guess, Tags, digest, distrust, spelling::bits_of};

/// Accepts every [`Algorithm`] by its tag, if its digest is long enough. A digest without a tag is of the
/// algorithm that the list's name tells, or else of the usual one of its length.
#[derive(Clone, Debug)]
pub struct AnyAlgorithm {
    /// The algorithm of digests without a tag, if it is known.
    pub untagged: Option<Algorithm>,
    /// The name of the list's file: digests in `SHA512SUMS` are SHA-512's.
    pub list: Vec<u8>,
    /// The algorithms of digests that stand in columns without a title, if there are several.
    pub columns: Vec<Algorithm>,
    /// The least bits of a digest [default: 128]: the writer of a list can find another file with the
    /// same few.
    pub least_bits: u64,
    /// Whether strangers may have written the list [default: false]. Then entries are refused that prove
    /// nothing against them: those of broken hashes alone, as MD5 and SHA-1, and those of sizes alone.
    pub untrusted: bool,
}

impl Default for AnyAlgorithm {
    fn default() -> Self {
        Self {
            untagged: None,
            list: Vec::new(),
            columns: Vec::new(),
            least_bits: 128,
            untrusted: false,
        }
    }
}

/// The algorithm with the tag `tag`.
fn named(tag: &[u8]) -> Option<Algorithm> {
    str::from_utf8(tag).ok()?.parse().ok()
}

fn bits(algorithm: &Algorithm) -> u64 {
    8 * algorithm.output_size() as u64
}

impl Tags for AnyAlgorithm {
    type Scheme = Algorithm;

    fn tagged(&self, tag: &[u8]) -> Option<Algorithm> {
        named(tag).filter(|algorithm| bits(algorithm) >= self.least_bits)
    }

    fn untagged(&self, text: &[u8]) -> Option<Algorithm> {
        if self.untagged.is_some() {
            return self.untagged;
        }
        match Guess::new(bits_of(text), &self.list, |name| name.parse().ok()) {
            Guess::One(algorithm) => Some(algorithm),
            Guess::Several(_) | Guess::Nothing => None,
        }
    }

    fn list(&self) -> &[u8] {
        &self.list
    }

    fn columns(&self) -> Vec<String> {
        self.columns.iter().map(|it| it.to_string().to_ascii_uppercase()).collect()
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

    fn refusal(&self, tag: &[u8]) -> Option<String> {
        self.refusal_of(&named(tag)?)
    }

    fn refusal_of(&self, algorithm: &Algorithm) -> Option<String> {
        let (bits, least) = (bits(algorithm), self.least_bits);
        (bits < least).then(|| format!("{algorithm} has {bits} bits, and {least} are the least"))
    }

    fn refusal_of_entry(&self, entry: &Entry<Algorithm>) -> Option<String> {
        let facts = |algorithm: &Algorithm| Facts {
            tag: algorithm.to_string().to_ascii_uppercase(),
            bits: bits(algorithm),
            size: algorithm.output_size(),
            weakness: algorithm.strength().weakness(),
        };
        if self.untrusted { distrust(entry, facts) } else { None }
    }

    fn lenient(&self) -> Option<Self> {
        (self.least_bits > 0).then(|| Self { least_bits: 0, ..self.clone() })
    }

    fn digest(&self, algorithm: &Algorithm, text: &[u8]) -> Option<Vec<u8>> {
        digest::parse(*algorithm, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::Parser;

    #[test]
    fn prefixes_are_of_hashes_or_of_the_algorithm_that_is_known() {
        let line = format!("sha256:{}  f", "0a".repeat(32));
        let known = |untagged: Option<&str>| {
            let untagged = untagged.map(|name| name.parse().unwrap());
            let mut parser = Parser::new(AnyAlgorithm { untagged, ..AnyAlgorithm::default() });
            let entry = parser.parse(line.as_bytes())?;
            Some(entry.digests.iter().map(|(it, _)| it.to_string()).collect::<Vec<_>>().join(","))
        };
        assert_eq!(known(None).as_deref(), Some("sha256"));
        assert_eq!(known(Some("sha256")).as_deref(), Some("sha256"));
        assert_eq!(known(Some("fsverity-sha256")).as_deref(), Some("fsverity-sha256"));
        assert_eq!(known(Some("sha512-256")), None);
    }
}
