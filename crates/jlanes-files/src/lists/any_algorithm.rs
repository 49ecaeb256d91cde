//! Rules for tags of every algorithm of the library: the usual choice for reading lists.

use jlanes::{Algorithm, algorithm::Kind};

use super::{Entry, Guess, TagRules, spelling::bits_of, untrusted_refusal};
use crate::Computation;

/// Accepts every [`Algorithm`] by its tag, if its digest is long enough. For a digest without a tag,
/// the list's name decides, or else its length.
#[derive(Clone, Debug)]
pub struct AnyAlgorithm {
    /// The algorithm of digests without a tag, if it is known.
    pub untagged: Option<Algorithm>,
    /// The name of the list's file: the digests in `SHA512SUMS` are of SHA-512.
    pub list: Vec<u8>,
    /// The algorithms of the digests in columns without a title, if there are several columns.
    pub columns: Vec<Algorithm>,
    /// The minimum number of bits of a digest [default: 128]. If it were smaller, the writer of a list
    /// could find another file with the same digest.
    pub least_bits: u64,
    /// Whether the list is untrusted [default: false]. If it is, entries that prove nothing are
    /// refused: those with digests of broken hashes only, such as MD5 and SHA-1, and those with a size
    /// only.
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

/// The algorithm with this tag, if this build computes it.
fn named(tag: &[u8]) -> Option<Algorithm> {
    str::from_utf8(tag).ok()?.parse::<Computation>().ok()?.algorithm()
}

impl TagRules for AnyAlgorithm {
    fn tagged(&self, tag: &[u8]) -> Option<Computation> {
        named(tag).map(Computation::from).filter(|it| it.bits() >= self.least_bits)
    }

    fn untagged(&self, text: &[u8]) -> Option<Computation> {
        let guess = || match Guess::new(bits_of(text), &self.list, |name| name.parse().ok()) {
            Guess::One(algorithm) => Some(algorithm),
            Guess::Several(_) | Guess::Nothing => None,
        };
        self.untagged.or_else(guess).map(Algorithm::into)
    }

    fn list(&self) -> &[u8] {
        &self.list
    }

    fn columns(&self) -> Vec<String> {
        self.columns.iter().map(|it| it.to_string().to_ascii_uppercase()).collect()
    }

    fn prefixed(&self, hash: &[u8]) -> Vec<Computation> {
        let is_called = |algorithm: &Algorithm| {
            let name = algorithm.to_string();
            name.strip_prefix("fsverity-").unwrap_or(&name).as_bytes() == hash
        };
        let is_hash = |it: &Algorithm| matches!(it.kind(), Kind::Hash(_));
        let known = match self.untagged {
            Some(only) => Some(only).filter(is_called),
            None => named(hash).filter(is_hash),
        };
        known.into_iter().map(Algorithm::into).collect()
    }

    fn tag_refusal(&self, tag: &[u8]) -> Option<String> {
        self.computation_refusal(&named(tag)?.into())
    }

    fn computation_refusal(&self, computation: &Computation) -> Option<String> {
        let (bits, least) = (computation.bits(), self.least_bits);
        (bits < least).then(|| format!("{computation} has {bits} bits, and {least} are the least"))
    }

    fn entry_refusal(&self, entry: &Entry) -> Option<String> {
        if self.untrusted { untrusted_refusal(entry) } else { None }
    }

    fn lenient(&self) -> Option<Self> {
        (self.least_bits > 0).then(|| Self { least_bits: 0, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::GnuParser;

    #[test]
    fn prefixes_are_of_hashes_or_of_the_algorithm_that_is_known() {
        let line = format!("sha256:{}  f", "0a".repeat(32));
        let known = |untagged: Option<&str>| {
            let untagged = untagged.map(|name| name.parse().unwrap());
            let mut parser = GnuParser::new(AnyAlgorithm { untagged, ..AnyAlgorithm::default() });
            let entry = parser.parse(line.as_bytes())?;
            Some(entry.digests.iter().map(|(it, _)| it.to_string()).collect::<Vec<_>>().join(","))
        };
        assert_eq!(known(None).as_deref(), Some("sha256"));
        assert_eq!(known(Some("sha256")).as_deref(), Some("sha256"));
        assert_eq!(known(Some("fsverity-sha256")).as_deref(), Some("fsverity-sha256"));
        assert_eq!(known(Some("sha512-256")), None);
    }
}
