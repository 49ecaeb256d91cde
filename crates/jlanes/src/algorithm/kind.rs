//! [`Algorithm`] and its kinds. The name fixes everything about a function except a key and other parameters,
//! which an [`AnyHash`](super::AnyHash) adds.

use jlanes_tree::skein::TreeParams;

#[cfg(feature = "blake2")]
use super::Blake2;
#[cfg(feature = "blake3")]
use super::Blake3;
#[cfg(feature = "sha3")]
use super::Xof;
use super::{BaseHash, Fixed, S3Checksum, Skein};

/// An algorithm that is selected at run time.
///
/// Parse a [name](crate::algorithm) to create one. Its [`Display`](core::fmt::Display) is the name in
/// the table, with sizes in digits, and parses to the same algorithm.
///
/// ```
/// use jlanes::{Algorithm, Sha256, Digest, tree::JLanes};
///
/// let algorithm: Algorithm = "JLANES8_SHA256".parse()?;
/// assert_eq!(algorithm.to_string(), "jlanes8-sha256");
/// let mut hasher = algorithm.hasher()?;
/// hasher.update(b"any message");
/// assert_eq!(*hasher.finalize(), *JLanes::<Sha256, 8>::digest(b"any message"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Algorithm(pub(super) Kind);

/// The kinds of [`Algorithm`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A hash function without a tree, of one output length or Skein of any.
    Hash(BaseHash),
    /// BLAKE2 of any length.
    #[cfg(feature = "blake2")]
    Blake2(Blake2),
    /// BLAKE3 of any length.
    #[cfg(feature = "blake3")]
    Blake3(Blake3),
    /// Skein's tree mode.
    SkeinTree(Skein, TreeParams),
    /// SHAKE, KangarooTwelve, ParallelHash, KMAC or TupleHash, with an output of any length.
    #[cfg(feature = "sha3")]
    Xof(Xof),
    /// j-lanes: one message on `lanes` lanes.
    JLanes {
        /// `j`, from 1 to 256.
        lanes: u16,
        /// The hash of lanes and root.
        hash: BaseHash,
        /// Whether it is the paper's construction, without domain separation.
        raw: bool,
    },
    /// j-pointers: a list of messages.
    JPointers {
        /// The hash of messages and root.
        hash: BaseHash,
        /// Whether it is the paper's construction, without domain separation.
        raw: bool,
    },
    /// ISA-L's `mh_sha1`.
    MhSha1,
    /// ISA-L's `mh_sha256`.
    MhSha256,
    /// BitTorrent v2's pieces root.
    BitTorrent,
    /// fs-verity's file digest, without a salt.
    FsVerity {
        /// The hash.
        hash: Fixed,
        /// Bytes of a block.
        block: usize,
    },
    /// dm-verity's root hash. The name excludes block sizes, salt and version.
    DmVerity(Fixed),
    /// SHA256TREE of Bazel's Remote Execution API.
    Sha256Tree,
    /// Amazon Glacier's tree hash.
    Glacier,
    /// A checksum of S3.
    S3 {
        /// The checksum.
        checksum: S3Checksum,
        /// Bytes of a part for the composite of the parts' checksums; `None` for the whole object.
        part: Option<usize>,
    },
    /// S3's entity tag, of MD5s.
    #[cfg(feature = "md5")]
    ETag {
        /// Bytes of a part.
        part: usize,
    },
    /// Dropbox's content hash.
    Dropbox,
    /// RFC 6962's tree hash of chunks, with SHA-256.
    Rfc6962 {
        /// Bytes of a chunk.
        leaf: usize,
    },
}

impl Kind {
    /// Whether messages in flight, which arrive in pieces, share the lanes. Otherwise they take turns.
    pub(super) fn shares_lanes_in_flight(self) -> bool {
        match self {
            Self::Hash(_) => true,
            #[cfg(feature = "blake2")]
            Self::Blake2(_) => true,
            // as leaves; a handle for whole lists does not exist
            Self::JPointers { .. } => true,
            _ => self.s3_hash().is_some(),
        }
    }
}

/// The hash itself, not a tree of it.
impl From<BaseHash> for Algorithm {
    fn from(hash: BaseHash) -> Self {
        Self(Kind::Hash(hash))
    }
}

impl Algorithm {
    /// The maximum number of bytes of a digest: 1 MiB. Skein has no practical limit, but digests
    /// are kept in memory, and a name may come from an untrusted list.
    pub const MAX_OUTPUT: usize = 1 << 20;

    /// SHA-256.
    pub const SHA256: Self = Self(Kind::Hash(BaseHash::Fixed(Fixed::Sha256)));

    /// The kind of algorithm and its parameters.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.0
    }

    /// Bytes of the digest. S3's number of parts does not count.
    #[must_use]
    pub fn output_size(self) -> usize {
        match self.node_hash() {
            NodeHash::Hash(hash) => hash.output_size(),
            #[cfg(feature = "blake2")]
            NodeHash::Blake2(blake2) => blake2.bytes,
            #[cfg(feature = "blake3")]
            NodeHash::Blake3(blake3) => blake3.bytes,
            #[cfg(feature = "sha3")]
            NodeHash::Xof(xof) => xof.bytes,
            NodeHash::Checksum(checksum) => checksum.output_size(),
        }
    }

    /// Bytes of a block of the hash, as HMAC needs them. For a tree it is the hash of its nodes. A
    /// checksum has blocks of one byte.
    #[must_use]
    pub fn block_size(self) -> usize {
        match self.node_hash() {
            NodeHash::Hash(hash) => hash.block_size(),
            #[cfg(feature = "blake2")]
            NodeHash::Blake2(blake2) => blake2.block_size(),
            #[cfg(feature = "blake3")]
            NodeHash::Blake3(_) => 64,
            #[cfg(feature = "sha3")]
            NodeHash::Xof(xof) => xof.block_size(),
            NodeHash::Checksum(_) => 1,
        }
    }

    /// The hash of messages, or of a tree's nodes.
    pub(super) fn node_hash(self) -> NodeHash {
        NodeHash::Hash(match self.0 {
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => return NodeHash::Blake2(blake2),
            #[cfg(feature = "blake3")]
            Kind::Blake3(blake3) => return NodeHash::Blake3(blake3),
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => return NodeHash::Xof(xof),
            Kind::Hash(hash) | Kind::JLanes { hash, .. } | Kind::JPointers { hash, .. } => hash,
            Kind::SkeinTree(skein, _) => BaseHash::Skein(skein),
            Kind::FsVerity { hash, .. } | Kind::DmVerity(hash) => BaseHash::Fixed(hash),
            Kind::MhSha1 => BaseHash::Fixed(Fixed::Sha1),
            #[cfg(feature = "md5")]
            Kind::ETag { .. } => BaseHash::Fixed(Fixed::Md5),
            Kind::S3 { checksum, .. } => match checksum.hash() {
                Some(hash) => BaseHash::Fixed(hash),
                None => return NodeHash::Checksum(checksum),
            },
            Kind::MhSha256
            | Kind::BitTorrent
            | Kind::Sha256Tree
            | Kind::Glacier
            | Kind::Dropbox
            | Kind::Rfc6962 { .. } => BaseHash::Fixed(Fixed::Sha256),
        })
    }
}

/// The hash that an algorithm or its nodes are made of.
pub(super) enum NodeHash {
    Hash(BaseHash),
    #[cfg(feature = "blake2")]
    Blake2(Blake2),
    #[cfg(feature = "blake3")]
    Blake3(Blake3),
    #[cfg(feature = "sha3")]
    Xof(Xof),
    /// A checksum of S3 that is no hash.
    Checksum(S3Checksum),
}
