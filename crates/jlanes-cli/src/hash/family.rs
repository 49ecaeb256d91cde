//! Names for several algorithms with different lengths, such as GNU's `-a sha2`. `--length` selects one.

use jlanes_files::Computation;

use super::ComputationName;

/// Algorithms that share a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// The name in messages.
    pub(crate) tag: &'static str,
    /// The names of its members without the length.
    prefix: &'static str,
    /// The possible lengths in bits; `None` for all whole bytes up to [`MAX_BITS`].
    pub(crate) lengths: Option<[u64; 4]>,
}

/// The maximum length in bits in a family without fixed lengths, which is also the default.
pub(crate) const MAX_BITS: u64 = 512;

/// SHA-2.
pub(crate) const SHA2: Family =
    Family { name: "sha2", tag: "SHA2", prefix: "sha", lengths: Some([224, 256, 384, 512]) };

/// The families of GNU's `cksum`.
pub(crate) const FAMILIES: [Family; 3] = [
    SHA2,
    Family { name: "sha3", tag: "SHA3", prefix: "sha3-", lengths: Some([224, 256, 384, 512]) },
    Family { name: "blake2b", tag: "BLAKE2b", prefix: "blake2b-", lengths: None },
];

impl Family {
    /// The member with digests of `bits` bits, if this build has it.
    pub(crate) fn member(&self, bits: u64) -> Option<ComputationName> {
        let has_it = match self.lengths {
            Some(lengths) => lengths.contains(&bits),
            None => (1..=MAX_BITS).contains(&bits) && bits.is_multiple_of(8),
        };
        if !has_it {
            return None;
        }
        let whole = self.lengths.is_none() && bits == MAX_BITS;
        let name = if whole { self.name.to_owned() } else { format!("{}{bits}", self.prefix) };
        ComputationName::parse(&name).ok()
    }

    /// Whether `computation` is a member.
    pub(crate) fn has(&self, computation: &Computation) -> bool {
        let member = self.member(computation.bits());
        member.is_some_and(|member| *member.plain() == computation.plain())
    }

    /// Whether this build has any of its members.
    pub(crate) fn is_available(&self) -> bool {
        self.member(MAX_BITS).is_some()
    }
}

/// Whether this build has an algorithm or a family called `name`.
pub(crate) fn is_available(name: &str) -> bool {
    match FAMILIES.iter().find(|family| family.name == name) {
        Some(family) => family.is_available(),
        None => name.parse::<Computation>().is_ok(),
    }
}
