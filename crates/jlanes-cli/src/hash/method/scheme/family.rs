//! Names that stand for several algorithms, which differ in the length of the digest: GNU's
//! `-a sha2`, of which `--length` says which it is.

use super::{Named, What};

/// Algorithms that have a name together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// What messages call it.
    pub(crate) tag: &'static str,
    /// The names of its members, as far as the length.
    prefix: &'static str,
    /// The lengths in bits, where these are few; otherwise any whole bytes up to [`LONGEST`].
    pub(crate) lengths: Option<[u64; 4]>,
}

/// The longest digest of a family that has any length, and the one that it has by itself.
pub(crate) const LONGEST: u64 = 512;

/// The families that GNU's `cksum` has.
pub(crate) const FAMILIES: [Family; 3] = [
    Family { name: "sha2", tag: "SHA2", prefix: "sha", lengths: Some([224, 256, 384, 512]) },
    Family { name: "sha3", tag: "SHA3", prefix: "sha3-", lengths: Some([224, 256, 384, 512]) },
    Family { name: "blake2b", tag: "BLAKE2b", prefix: "blake2b-", lengths: None },
];

impl Family {
    /// The member with digests of so many bits, if there is one here.
    pub(crate) fn member(&self, bits: u64) -> Option<Named> {
        let has_it = match self.lengths {
            Some(lengths) => lengths.contains(&bits),
            None => (1..=LONGEST).contains(&bits) && bits.is_multiple_of(8),
        };
        if !has_it {
            return None;
        }
        let whole = self.lengths.is_none() && bits == LONGEST;
        let name = if whole { self.name.to_owned() } else { format!("{}{bits}", self.prefix) };
        Named::parse(&name).ok()
    }

    /// Whether it has `what`.
    pub(crate) fn has(&self, what: What) -> bool {
        self.member(what.bits()).is_some_and(|member| member.what() == what)
    }

    /// Whether there is any of it here.
    pub(crate) fn exists(&self) -> bool {
        self.member(LONGEST).is_some()
    }
}
