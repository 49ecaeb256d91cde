//! Algorithms selected at run time, by the names that `jlanes-sum` takes and prints.
//!
//! | name | digest |
//! |---|---|
//! | `sha1` `sha224` `sha256` `sha384` `sha512` `sha512-224` `sha512-256` | FIPS 180-4 |
//! | `sha1dc` | SHA-1 with detection of collision attacks, and another digest for their messages: [`Sha1Checked`](crate::Sha1Checked) (feature `sha1dc`) |
//! | `md5` `ripemd160` (also `rmd160`) `sm3` | MD5 (broken), RIPEMD-160, SM3 (features of the same names) |
//! | `sha3-224` `sha3-256` `sha3-384` `sha3-512` | FIPS 202 |
//! | `keccak224` `keccak256` `keccak384` `keccak512` | Keccak with its original padding |
//! | `keccak256full` | the whole state after Keccak-256, 200 bytes, as in CryptoNight |
//! | `shake128-N` `shake256-N` | SHAKE; `N` bits, a multiple of 8 |
//! | `kt128` `kt256`, `kt128-N` | KangarooTwelve (RFC 9861); 256 and 512 bits if not given |
//! | `parallelhash128:B` `parallelhash256-N:B` `parallelhashxof128:B` | ParallelHash (SP 800-185) with blocks of `B` bytes |
//! | `skein256` `skein512` `skein1024`, `skein512-N` | Skein; `N` bits, a multiple of 8 |
//! | `blake2b` `blake2s`, `blake2b-N` | RFC 7693; `N` bits, a multiple of 8, at most 512 or 256 (feature `blake2`) |
//! | `blake3`, `blake3-N` | BLAKE3; `N` bits, a multiple of 8 (feature `blake3`) |
//! | `skein512-tree:YL.YF.YM`, `skein512-N-tree:YL.YF.YM` | Skein's tree mode |
//! | `jlanesJ-HASH`, `jlanesJ-HASH-raw` | [`JLanes`](crate::tree::JLanes) and [`JLanesRaw`](crate::tree::JLanesRaw) over one of these with a digest of one length, or simple Skein |
//! | `jpointers-HASH`, `jpointers-HASH-raw` | [`JPointers`](crate::tree::JPointers) and [`JPointersRaw`](crate::tree::JPointersRaw) |
//! | `mh-sha1` `mh-sha256` | ISA-L's multi-hash |
//! | `btv2` `sha256tree` `glacier` `dropbox` | [`merkle`](crate::merkle) |
//! | `fsverity-sha256`, `fsverity-sha512-BLOCK` | fs-verity; `BLOCK` bytes, 4096 if not given |
//! | `dmverity-sha1` `dmverity-sha256` `dmverity-sha512` | dm-verity |
//! | `s3-sha256:PART` `rfc6962-sha256:LEAF` | sizes in bytes |
//! | `etag:PART` | S3's entity tag of a multipart upload, with feature `md5` |
//!
//! Names are case-insensitive, and `_` equals `-`. Sizes take `k`, `m` and `g` for powers of 1024:
//! `s3-sha256:8M`. Spellings of other tools are accepted: `SHA-256`, `SHA2-256`, `SHA-512/256`,
//! `RIPEMD-160`, `blake2b512`, `K12`.

use alloc::string::{String, ToString};
use core::fmt;

use jlanes_tree::skein::TreeParams;

mod any_batch;
#[cfg(feature = "blake2")]
mod blake2;
#[cfg(feature = "blake3")]
mod blake3;
#[cfg(any(feature = "blake3", feature = "sha3"))]
mod cut;
mod fixed;
mod hasher;
mod hmac;
mod job;
mod jobs;
mod kernels;
mod lanes;
mod nodes;
mod one_by_one;
mod others;
mod parse;
mod pointers;
mod prefixed;
#[cfg(feature = "std")]
mod readers;
mod scheduler;
#[cfg(feature = "sha1dc")]
mod sha1dc;
#[cfg(feature = "sha3")]
mod xof;
#[cfg(any(feature = "blake3", feature = "sha3"))]
mod xofs;

#[cfg(feature = "blake2")]
pub use blake2::{Blake2, Blake2Word};
#[cfg(feature = "blake3")]
pub use blake3::{Blake3, Blake3Mode};
pub use fixed::Fixed;
pub use hasher::{AnyHasher, CloneBox, NotADigest};
pub use jobs::{AnyLanes, HmacUnsupported, KeyUnsupported};
pub use parse::AlgorithmError;
#[cfg(feature = "std")]
pub use readers::Reader;
pub use scheduler::AnyScheduler;
#[cfg(feature = "sha1dc")]
pub use sha1dc::Sha1Results;
#[cfg(feature = "sha3")]
pub use xof::{Xof, XofFunction};
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub use xofs::{AnyXofs, NotExtendable};

/// An algorithm that is selected at run time.
///
/// Parse a [name](self) to create one. Its [`Display`](fmt::Display) is the name in the table, with
/// sizes in digits, and parses to the same algorithm.
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
pub struct Algorithm(Kind);

/// The kinds of [`Algorithm`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A plain hash.
    Hash(Hash),
    /// BLAKE2 of any length.
    #[cfg(feature = "blake2")]
    Blake2(Blake2),
    /// BLAKE3 of any length.
    #[cfg(feature = "blake3")]
    Blake3(Blake3),
    /// Skein's tree mode.
    SkeinTree(Skein, TreeParams),
    /// SHAKE, KangarooTwelve or ParallelHash, with an output of any length.
    #[cfg(feature = "sha3")]
    Xof(Xof),
    /// j-lanes: one message on `lanes` lanes.
    JLanes {
        /// `j`, from 1 to 256.
        lanes: u16,
        /// The hash of lanes and root.
        hash: Hash,
        /// Whether it is the paper's construction, without domain separation.
        raw: bool,
    },
    /// j-pointers: a list of messages.
    JPointers {
        /// The hash of messages and root.
        hash: Hash,
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
    /// S3's composite SHA-256.
    S3 {
        /// Bytes of a part.
        part: usize,
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

/// A hash that trees can be built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hash {
    /// A hash with a fixed digest length.
    Fixed(Fixed),
    /// Skein without a tree.
    Skein(Skein),
}

/// Skein with an output length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Skein {
    size: SkeinSize,
    bytes: usize,
}

/// The size of Skein's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkeinSize {
    /// Skein-256.
    Skein256,
    /// Skein-512.
    Skein512,
    /// Skein-1024.
    Skein1024,
}

/// The plain hash.
impl From<Hash> for Algorithm {
    fn from(hash: Hash) -> Self {
        Self(Kind::Hash(hash))
    }
}

impl Algorithm {
    /// SHA-256.
    pub const SHA256: Self = Self(Kind::Hash(Hash::Fixed(Fixed::Sha256)));

    /// The kind of algorithm and its parameters.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.0
    }

    /// The name in lists of digests, `SHA256 (FILE) = ...`. It is in capitals except for BLAKE2's
    /// last letter, and fs-verity's includes the block size. It parses to the algorithm.
    ///
    /// ```
    /// use jlanes::Algorithm;
    ///
    /// let algorithm: Algorithm = "fsverity-sha256".parse()?;
    /// assert_eq!(algorithm.tag(), "FSVERITY-SHA256-4096");
    /// assert_eq!(algorithm.tag().parse(), Ok(algorithm));
    /// # Ok::<(), jlanes::AlgorithmError>(())
    /// ```
    #[must_use]
    pub fn tag(self) -> String {
        let mut tag = self.to_string();
        if let Kind::FsVerity { hash, block } = self.0 {
            tag = alloc::format!("fsverity-{hash}-{block}");
        }
        tag.make_ascii_uppercase();
        #[cfg(feature = "blake2")]
        if let Kind::Blake2(_) = self.0 {
            tag = tag.replacen("2B", "2b", 1).replacen("2S", "2s", 1);
        }
        tag
    }

    /// Bytes of the digest. S3's number of parts does not count.
    #[must_use]
    pub fn output_size(self) -> usize {
        match self.0 {
            Kind::Hash(hash) | Kind::JLanes { hash, .. } | Kind::JPointers { hash, .. } => {
                hash.output_size()
            }
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => blake2.output_size(),
            #[cfg(feature = "blake3")]
            Kind::Blake3(blake3) => blake3.output_size(),
            Kind::SkeinTree(skein, _) => skein.output_size(),
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => xof.output_size(),
            Kind::FsVerity { hash, .. } | Kind::DmVerity(hash) => hash.output_size(),
            #[cfg(feature = "md5")]
            Kind::ETag { .. } => Fixed::Md5.output_size(),
            Kind::MhSha1 => Fixed::Sha1.output_size(),
            Kind::MhSha256
            | Kind::BitTorrent
            | Kind::Sha256Tree
            | Kind::Glacier
            | Kind::S3 { .. }
            | Kind::Dropbox
            | Kind::Rfc6962 { .. } => Fixed::Sha256.output_size(),
        }
    }
}

impl Algorithm {
    /// Bytes of a block of the hash, as HMAC needs them. For a tree it is the hash of its nodes.
    #[must_use]
    pub fn block_size(self) -> usize {
        match self.0 {
            Kind::Hash(hash) | Kind::JLanes { hash, .. } | Kind::JPointers { hash, .. } => {
                hash.block_size()
            }
            Kind::SkeinTree(skein, _) => skein.size.state_size(),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => blake2.block_size(),
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => 64,
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => xof.block_size(),
            Kind::FsVerity { hash, .. } | Kind::DmVerity(hash) => hash.block_size(),
            #[cfg(feature = "md5")]
            Kind::ETag { .. } => Fixed::Md5.block_size(),
            Kind::MhSha1
            | Kind::MhSha256
            | Kind::BitTorrent
            | Kind::Sha256Tree
            | Kind::Glacier
            | Kind::S3 { .. }
            | Kind::Dropbox
            | Kind::Rfc6962 { .. } => Fixed::Sha256.block_size(),
        }
    }
}

impl Hash {
    /// Bytes of the digest.
    #[must_use]
    pub fn output_size(self) -> usize {
        match self {
            Self::Fixed(fixed) => fixed.output_size(),
            Self::Skein(skein) => skein.output_size(),
        }
    }

    /// Bytes of a block.
    #[must_use]
    pub fn block_size(self) -> usize {
        match self {
            Self::Fixed(fixed) => fixed.block_size(),
            Self::Skein(skein) => skein.size.state_size(),
        }
    }

    /// Bytes of the word by which trees distribute a message.
    #[must_use]
    pub fn word_size(self) -> usize {
        match self {
            Self::Fixed(fixed) => fixed.word_size(),
            Self::Skein(_) => 8,
        }
    }
}

impl Algorithm {
    /// The maximum number of bytes of a digest: 1 MiB. Skein has no practical limit, but digests
    /// are kept in memory, and a name may come from an untrusted list.
    pub const MAX_OUTPUT: usize = 1 << 20;
}

impl Skein {
    /// The size of the state.
    #[must_use]
    pub fn size(self) -> SkeinSize {
        self.size
    }

    /// Bytes of the digest.
    #[must_use]
    pub fn output_size(self) -> usize {
        self.bytes
    }

    /// Bits of the digest.
    #[must_use]
    pub fn output_bits(self) -> u64 {
        8 * self.bytes as u64
    }
}

impl SkeinSize {
    /// Bytes of the state, which is also the usual digest.
    #[must_use]
    pub fn state_size(self) -> usize {
        match self {
            Self::Skein256 => 32,
            Self::Skein512 => 64,
            Self::Skein1024 => 128,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = |raw| if raw { "-raw" } else { "" };
        match self.0 {
            Kind::Hash(hash) => hash.fmt(f),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => blake2.fmt(f),
            #[cfg(feature = "blake3")]
            Kind::Blake3(blake3) => blake3.fmt(f),
            Kind::SkeinTree(skein, tree) => {
                write!(f, "{skein}-tree:{}.{}.{}", tree.yl(), tree.yf(), tree.ym())
            }
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => xof.fmt(f),
            Kind::JLanes { lanes, hash, raw } => write!(f, "jlanes{lanes}-{hash}{}", profile(raw)),
            Kind::JPointers { hash, raw } => write!(f, "jpointers-{hash}{}", profile(raw)),
            Kind::MhSha1 => f.write_str("mh-sha1"),
            Kind::MhSha256 => f.write_str("mh-sha256"),
            Kind::BitTorrent => f.write_str("btv2"),
            Kind::FsVerity { hash, block: parse::BLOCK } => write!(f, "fsverity-{hash}"),
            Kind::FsVerity { hash, block } => write!(f, "fsverity-{hash}-{block}"),
            Kind::DmVerity(hash) => write!(f, "dmverity-{hash}"),
            Kind::Sha256Tree => f.write_str("sha256tree"),
            Kind::Glacier => f.write_str("glacier"),
            Kind::S3 { part } => write!(f, "s3-sha256:{part}"),
            #[cfg(feature = "md5")]
            Kind::ETag { part } => write!(f, "etag:{part}"),
            Kind::Dropbox => f.write_str("dropbox"),
            Kind::Rfc6962 { leaf } => write!(f, "rfc6962-sha256:{leaf}"),
        }
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(fixed) => fixed.fmt(f),
            Self::Skein(skein) => skein.fmt(f),
        }
    }
}

impl fmt::Display for Skein {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.size.state_size();
        write!(f, "skein{}", 8 * state)?;
        if self.bytes == state { Ok(()) } else { write!(f, "-{}", self.output_bits()) }
    }
}
