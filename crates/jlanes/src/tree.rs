//! Trees: one message, or a list of them, on all lanes and cores.
//!
//! For one large message and a free choice, use KangarooTwelve (RFC 9861), a standard: `Kt128` and
//! `Kt256`. `ParallelHash128` and `ParallelHash256` are NIST's trees (SP 800-185). They need the
//! feature `sha3`.
//!
//! [`JLanes`] distributes one message over the lanes, word by word. It is a
//! [`Digest`](crate::Digest):
//!
//! ```
//! use jlanes::{Digest, Sha256, tree::{JLanes, JLanesDyn}};
//!
//! let digest = JLanes::<Sha256, 8>::digest(b"any message");
//! let mut hasher = JLanesDyn::<Sha256>::new(8)?;
//! hasher.update(b"any ");
//! hasher.update(b"message");
//! assert_eq!(hasher.finalize(), digest);
//! # Ok::<(), jlanes::tree::TreeError>(())
//! ```
//!
//! The digest differs from plain SHA-256, and it depends on the number of lanes, the paper's `j`.
//! [`JLanesRaw`] is the paper's construction; `jlanes_tree::soundness` explains why it is not the default.
//!
//! [`JPointers`] hashes a list of messages, [`GenericJLanes`] distributes a message over lanes of
//! any hash, and [`MhSha256`] and [`MhSha1`] compute the digests of ISA-L's multi-hash.
//!
//! ```
//! use jlanes::{Digest, Sha512, tree::{GenericJLanes, JLanes, JPointers}};
//!
//! let mut list = JPointers::<Sha512>::new();
//! list.push(b"a message");
//! list.push_all(&[b"others", b"", b"in order"]);
//! let all: [&[u8]; 4] = [b"a message", b"others", b"", b"in order"];
//! assert_eq!(list.finalize(), JPointers::<Sha512>::digest(&all));
//!
//! let mut any_hash = GenericJLanes::<Sha512>::new(8, 8)?; // 8 lanes, words of 8 bytes
//! any_hash.update(b"any message");
//! assert_eq!(any_hash.finalize(), JLanes::<Sha512, 8>::digest(b"any message"));
//! # Ok::<(), jlanes::tree::TreeError>(())
//! ```
#![cfg_attr(
    feature = "rayon",
    doc = r#"
[`par_digest`] does the same on all cores:

```
use jlanes::{Digest, Sha256, tree::{JLanes, par_digest}};

let message = vec![7; 1 << 20];
assert_eq!(par_digest::<JLanes<Sha256, 32>>(&message), JLanes::<Sha256, 32>::digest(&message));
```
"#
)]

#[cfg(feature = "rayon")]
pub use jlanes_tree::{ParRead, ParUpdate, ReadPart, par_digest};
#[cfg(feature = "sha3")]
mod keccak_trees;

pub use jlanes_tree::{
    TreeError,
    jlanes::{
        GenericJLanes, GenericJLanesRaw, GenericLaneTree, JLanes, JLanesDyn, JLanesRaw, LaneTree,
    },
    jpointers::{JPointers, JPointersRaw, PointerTree},
    multi_hash::MultiHash,
};
#[cfg(feature = "sha3")]
pub use jlanes_tree::{kangaroo, parallel_hash};
#[cfg(feature = "sha3")]
pub use keccak_trees::{Kt128, Kt128Reader, Kt256, Kt256Reader, ParallelHash128, ParallelHash256};

/// ISA-L's `mh_sha1`.
///
/// ```
/// use jlanes::{Digest, tree::MhSha1};
///
/// let memory_order = MhSha1::to_memory_order(MhSha1::digest(b"as ISA-L prints it"));
/// assert_eq!(memory_order.len(), 20);
/// ```
pub type MhSha1 = MultiHash<crate::Sha1>;
/// ISA-L's `mh_sha256`.
///
/// ```
/// use jlanes::{Digest, tree::MhSha256};
///
/// assert_eq!(MhSha256::digest(b"")[..4], [0x7e, 0xc5, 0xda, 0x16]);
/// ```
pub type MhSha256 = MultiHash<crate::Sha256>;
