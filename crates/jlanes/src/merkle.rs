//! Merkle trees of other tools, on all lanes and cores, each with its tool's result.
//!
//! | type | tool or format |
//! |---|---|
//! | [`FsVerity`] | `fsverity digest`; many small files share the lanes |
//! | [`DmVerity`] | `veritysetup format`: root hash and hash tree |
//! | [`BitTorrentV1`], [`BitTorrent`] | BitTorrent: the pieces of v1; pieces root and piece layer of v2 |
//! | [`HashRequest`] | hashes of v2 for a peer, with their proof |
//! | [`Sha256Tree`] | SHA256TREE of Bazel's Remote Execution API |
//! | [`Glacier`], [`S3`], [`Dropbox`] | the checksums of these stores |
//! | [`Rfc6962`], [`verify_inclusion`], [`verify_consistency`] | Certificate Transparency, with proofs from a [`Tree`] |
//! | [`cover`], [`verify_leaf_inclusion`], [`verify_subtree_consistency`] | its subtrees (Merkle Tree Certificates) |
//! | [`TiledLog`], [`LogProof`] | the same tree as a growing log of tiles (C2SP's tlog-tiles, Go's checksum database) |
//! | [`Ssz`], [`Bitcoin`] | Ethereum's and Bitcoin's trees of 64-byte nodes, with proofs from a [`Tree`] |
//! | [`Apk`] | Android's APK signature schemes 2 and 3 |
//! | [`go_h1`], [`git_blob_ids`], [`git_tree_id`] | `go.sum`; git repositories of SHA-256 (or SHA-1) |
//!
//! A type is a [`Format`]: it has the result of a slice, and a [`Hasher`] for data in pieces, on a
//! given [`Backend`](crate::Backend), or on rayon's thread pool with the feature `rayon`.
//!
//! ```
//! use jlanes::{Backend, Digest, Sha256, merkle::{self, Format, FsVerity, Glacier, Sha256Tree}};
//!
//! let archive = vec![7; 2 << 20]; // two leaves of a mebibyte, and the node above them
//! let leaf = Sha256::digest(&archive[..1 << 20]);
//! assert_eq!(Glacier.digest(&archive)?, Sha256::digest([leaf, leaf].concat()));
//! let portable = Glacier.on(Backend::portable()); // and `.parallel()`
//! assert_eq!(portable.digest(&archive), Glacier.digest(&archive));
//!
//! let data = [7; 10_000];
//! let format = FsVerity::sha256(4096, b"salt")?;
//! let mut hasher = format.hasher();
//! hasher.update(&data[..5000]);
//! hasher.update(&data[5000..]);
//! assert_eq!(hasher.finalize(), format.digest(&data));
//!
//! // formats with a digest of every input are hashers as others
//! let tree = merkle::Hasher::<Sha256Tree>::new().chain_update(b"short");
//! assert_eq!(Digest::finalize(tree), Sha256::digest(b"short"));
//! # Ok::<(), merkle::Error>(())
//! ```
//!
//! Results may be more than a digest: the hash tree of a disk image, the digests of a torrent's
//! pieces, a number of parts, a warning. Many small files share the lanes:
//!
//! ```
//! use jlanes::{
//!     Sha256,
//!     merkle::{self, BitTorrent, BitTorrentV1, Bitcoin, DmVerity, Format, FsVerity, S3},
//! };
//!
//! let data = vec![7; 1 << 20];
//! let image = DmVerity::new::<Sha256>(4096, b"salt")?.with_tree().digest(&data)?;
//! assert_eq!(image.tree.len(), (1 + 2) * 4096); // 256 digests fill two blocks, and one is above
//!
//! let torrent = BitTorrent::with_pieces(256 << 10)?.digest(&data)?;
//! assert_eq!((torrent.root, torrent.layer.len()), (BitTorrent::default().digest(&data)?.root, 4));
//! assert_eq!(BitTorrentV1::new(256 << 10)?.digest(&data)?.len(), 4);
//! assert!(S3::new(400 << 10)?.digest(&data)?.to_string().ends_with("-3"));
//!
//! // a list with repetitions may have the root of a shorter one (CVE-2012-2459)
//! let (a, b, c) = ([1; 32], [2; 32], [3; 32]);
//! let longer = Bitcoin.digest([a, b, c, c].as_flattened())?;
//! assert_eq!(longer.root, Bitcoin.digest([a, b, c].as_flattened())?.root);
//! assert!(longer.is_mutated);
//!
//! let format = FsVerity::sha256(4096, b"")?;
//! let digests = format.digest_many(&[b"one file", b"another"]);
//! assert_eq!(digests[32..], *format.digest(b"another")?);
//! # Ok::<(), merkle::Error>(())
//! ```
#![cfg_attr(
    feature = "md5",
    doc = r#"
S3's entity tag of a multipart upload:

```
use jlanes::merkle::{self, ETag, Format};

assert!(ETag::new(1000)?.digest(&[7; 2500])?.to_string().ends_with("-3"));
assert_eq!(ETag::new(1000)?.digest(b"abc")?.to_string(), "900150983cd24fb0d6963f7d28e17f72");
# Ok::<(), merkle::Error>(())
```
"#
)]
//!
//! A [`Tree`] keeps its digests. Appending or replacing a leaf costs its path, and RFC 6962's tree
//! issues proofs for holders of the root:
//!
//! ```
//! use jlanes::{Sha256, merkle::{self, Rfc6962, Tree, verify_consistency, verify_inclusion}};
//!
//! let mut log = Tree::new(Rfc6962::entries::<Sha256>());
//! let entries: [&[u8]; 2] = [b"boot", b"login"];
//! log.extend(&entries)?;
//! let Ok(old) = log.digest();
//! log.push(b"logout")?;
//! let Ok(root) = log.digest();
//!
//! verify_inclusion::<Sha256>(b"login", (1, 3), &log.inclusion(1)?, &root)?;
//! verify_consistency::<Sha256>((2, &old), (3, &root), &log.consistency(2)?)?;
//! # Ok::<(), merkle::Error>(())
//! ```
//!
//! A [`TiledLog`] keeps only what it needs to append entries, and publishes the digests in files:
//!
//! ```
//! use jlanes::{Sha256, merkle::TiledLog};
//!
//! let mut log = TiledLog::new::<Sha256>();
//! let entries: Vec<&[u8]> = vec![b"entry"; 300];
//! let whole = log.extend(&entries); // tiles that will never change
//! let partial = log.partial(); // to publish with `log.root()`
//! let paths: Vec<_> = whole.iter().chain(&partial).map(|(tile, _)| tile.to_string()).collect();
//! assert_eq!(paths, ["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"]);
//! ```

mod git;

#[cfg(feature = "sha1dc")]
pub use git::try_git_blob_ids;
pub use git::{git_blob_ids, git_tree_id};
#[cfg(feature = "md5")]
pub use jlanes_tree::merkle::etag::{ETag, EntityTag};
pub use jlanes_tree::merkle::{
    Error, Format, Frame, Hasher, Keep, Leaf, LeafKind, Node, NodeFunction, Odd, Rules, Summary,
    Tree,
    apk::Apk,
    bitcoin::{Bitcoin, Root as BitcoinRoot},
    bittorrent::{BitTorrent, HashRequest, PieceHashes},
    bittorrent_v1::BitTorrentV1,
    dmverity::{DmVerity, Verity, Version},
    dropbox::Dropbox,
    fsverity::FsVerity,
    git::{Entry as GitEntry, Mode as GitMode},
    glacier::Glacier,
    gosum::{go_h1, go_h1_of_digests},
    rfc6962::{
        LogProof, Rfc6962, Subtree, Tile, TiledLog, TreeHead, cover, inclusion_root, is_subtree,
        leaf_hash, verify_consistency, verify_inclusion, verify_leaf_inclusion,
        verify_subtree_consistency,
    },
    s3::{Composite, S3},
    sha256tree::Sha256Tree,
    ssz::Ssz,
};
