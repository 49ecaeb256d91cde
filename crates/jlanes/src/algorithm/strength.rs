//! [`Strength`]: how hard it is to make two messages with one digest, for every algorithm.

use super::{Algorithm, AnyHash, BaseHash, kind::NodeHash};

/// The difficulty of making two messages with the same digest.
///
/// This is the strength of the hash function. Two more things count: the length of the digest
/// ([`Algorithm::output_size`]), as nothing is strong with 64 bits, and the format of a tree. Glacier's,
/// BitTorrent's and dm-verity's do not separate leaves from nodes, so that messages of different lengths may
/// have the same digest; these formats always go with a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// A checksum finds accidents alone: anybody can change a message to have a given one.
    Checksum,
    /// Collisions are known: anybody can make two messages with the same digest.
    Broken,
    /// No way is known that is faster than trying as many messages as the digest's length implies.
    CollisionResistant,
}

impl Strength {
    /// The reason why messages with one digest may differ if somebody wants them to; `None` for strong
    /// functions.
    #[must_use]
    pub fn weakness(self) -> Option<&'static str> {
        match self {
            Self::Checksum => Some("a checksum, which anybody can forge"),
            Self::Broken => Some("broken: files that differ may have equal digests"),
            Self::CollisionResistant => None,
        }
    }
}

impl Algorithm {
    /// The strength of its hash function, without a key.
    ///
    /// ```
    /// use jlanes::{Algorithm, algorithm::Strength};
    ///
    /// let strength = |name: &str| name.parse().map(Algorithm::strength);
    /// assert_eq!(strength("sha256"), Ok(Strength::CollisionResistant));
    /// assert_eq!(strength("jlanes8-sha1"), Ok(Strength::Broken));
    /// ```
    #[must_use]
    pub fn strength(self) -> Strength {
        match self.node_hash() {
            NodeHash::Hash(BaseHash::Fixed(fixed)) => fixed.strength(),
            NodeHash::Hash(BaseHash::Skein(_)) => Strength::CollisionResistant,
            #[cfg(feature = "blake2")]
            NodeHash::Blake2(_) => Strength::CollisionResistant,
            #[cfg(feature = "blake3")]
            NodeHash::Blake3(_) => Strength::CollisionResistant,
            #[cfg(feature = "sha3")]
            NodeHash::Xof(_) => Strength::CollisionResistant,
            NodeHash::Checksum(_) => Strength::Checksum,
        }
    }
}

impl AnyHash {
    /// The strength against someone who does not know the key, if there is one: the known attacks on hashes
    /// do not forge a digest with a key.
    #[must_use]
    pub fn strength(&self) -> Strength {
        match self.key() {
            Some(_) => Strength::CollisionResistant,
            None => self.algorithm().strength(),
        }
    }
}
