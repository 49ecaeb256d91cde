//! Merkle trees of other tools, on all lanes and cores, each with its tool's result.
//!
//! | function or type | tool or format |
//! |---|---|
//! | [`fsverity`](fn@fsverity), [`fsverity_root`], [`FsVerity::digest_many`] | `fsverity digest`; many small files share the lanes |
//! | [`dmverity`](fn@dmverity), [`DmVerity`] | `veritysetup format`: root hash and hash tree |
//! | [`btv1_pieces`], [`btv2`], [`btv2_pieces`] | BitTorrent: the pieces of v1; pieces root and piece layer of v2 |
//! | [`sha256tree`](fn@sha256tree), [`sha256tree_of_pieces`] | SHA256TREE of Bazel's Remote Execution API |
//! | [`glacier`](fn@glacier), [`s3_composite`], [`dropbox`](fn@dropbox) | the checksums of these stores |
//! | [`rfc6962`](fn@rfc6962), [`verify_inclusion`], [`verify_consistency`] | Certificate Transparency, with proofs from a [`Tree`] |
//! | [`TiledLog`] | the same tree as a growing log of tiles (C2SP's tlog-tiles, Go's checksum database) |
//! | [`ssz`](fn@ssz), [`bitcoin`](fn@bitcoin) | Ethereum's and Bitcoin's trees of 64-byte nodes |
//! | [`apk`](fn@apk) | Android's APK signature schemes 2 and 3 |
//! | [`go_h1`], [`git_blob_ids`], [`git_tree_id`] | `go.sum`; git repositories of SHA-256 (or SHA-1) |
//!
//! Each function hashes a slice, and its `par_` form does so on rayon's thread pool. For data in
//! pieces, a forced [`Backend`] or a kept tree, use the format's type:
//!
//! ```
//! use jlanes::{Sha256, merkle::{self, Format, FsVerity}};
//!
//! let data = [7; 10_000];
//! let format = FsVerity::<Sha256>::new(4096, b"salt")?;
//! let mut hasher = format.hasher();
//! hasher.update(&data[..5000]);
//! hasher.update(&data[5000..]);
//! let Ok(digest) = hasher.finalize();
//! assert_eq!(digest, merkle::fsverity::<Sha256>(&data, 4096, b"salt")?);
//! # Ok::<(), merkle::Error>(())
//! ```
//!
//! The types also have results that do not fit a function of a slice: the hash tree of a disk
//! image, the digests of a torrent's pieces, and many small files on shared lanes:
//!
//! ```
//! use jlanes::{Sha256, merkle::{self, BitTorrent, DmVerity, Format, FsVerity}};
//!
//! let data = vec![7; 1 << 20];
//! let image = DmVerity::<Sha256>::new(4096, b"salt")?.with_tree().digest(&data)?;
//! assert_eq!(image.root, merkle::dmverity::<Sha256>(&data, 4096, b"salt")?);
//! assert_eq!(image.tree.len(), (1 + 2) * 4096); // 256 digests fill two blocks, and one is above
//!
//! let torrent = BitTorrent::with_pieces(256 << 10)?.digest(&data)?;
//! assert_eq!((torrent.root, torrent.layer.len()), (merkle::btv2(&data)?, 4));
//!
//! let digests = FsVerity::<Sha256>::new(4096, b"")?.digest_many(&[b"one file", b"another"]);
//! assert_eq!(digests[1], merkle::fsverity::<Sha256>(b"another", 4096, b"")?);
//! # Ok::<(), merkle::Error>(())
//! ```
//!
//! A [`Tree`] keeps its digests. Appending or replacing a leaf costs its path, and RFC 6962's tree
//! issues proofs for holders of the root:
//!
//! ```
//! use jlanes::{Sha256, merkle::{self, Rfc6962, Tree, verify_consistency, verify_inclusion}};
//!
//! let mut log = Tree::new(Rfc6962::<Sha256>::entries());
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
//! let mut log = TiledLog::<Sha256>::new();
//! let entries: Vec<&[u8]> = vec![b"entry"; 300];
//! let whole = log.extend(&entries); // tiles that will never change
//! let partial = log.partial(); // to publish with `log.root()`
//! let paths: Vec<_> = whole.iter().chain(&partial).map(|(tile, _)| tile.to_string()).collect();
//! assert_eq!(paths, ["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"]);
//! ```

use crate::{Backend, Sha1, Sha256};

mod ledgers;
#[cfg(feature = "rayon")]
mod parallel;
mod sources;
mod stores;
mod torrent;
mod verity;

pub use jlanes_core::engine::Engine;
#[cfg(feature = "md5")]
pub use jlanes_tree::merkle::etag::EntityTag;
pub use jlanes_tree::merkle::{
    CompressionOf, DigestOf, EngineOf, Error, Format, Frame, FunctionOf, Hasher, Keep, Leaf,
    LeafKind, Node, NodeHash, Odd, Summary, Tree,
    bitcoin::Root as BitcoinRoot,
    bittorrent::PieceHashes,
    dmverity::{DmVerity, Verity, Version},
    fsverity::{Algorithm as FsVerityAlgorithm, FsVerity, Root as FsVerityRoot},
    git::{Entry as GitEntry, Mode as GitMode},
    rfc6962::{Rfc6962, Tile, TiledLog, verify_consistency, verify_inclusion},
    s3::Composite,
};
pub use ledgers::{bitcoin, rfc6962, ssz};
#[cfg(feature = "rayon")]
pub use parallel::{
    par_apk, par_bitcoin, par_btv1_pieces, par_btv2, par_btv2_pieces, par_dmverity, par_dropbox,
    par_fsverity, par_fsverity_root, par_glacier, par_rfc6962, par_s3_composite, par_sha256tree,
    par_ssz,
};
#[cfg(feature = "sha1dc")]
pub use sources::try_git_blob_ids;
pub use sources::{
    apk, git_blob_ids, git_tree_id, go_h1, go_h1_of_digests, sha256tree, sha256tree_of_pieces,
};
#[cfg(feature = "md5")]
pub use stores::etag;
pub use stores::{dropbox, glacier, s3_composite};
pub use torrent::{btv1_pieces, btv2, btv2_pieces};
pub use verity::{dmverity, fsverity, fsverity_root};

/// The formats over any hash with the digests that they need. The names in [`merkle`](self) are
/// these types over the hash of the format's standard.
pub mod formats {
    #[cfg(feature = "md5")]
    pub use jlanes_tree::merkle::etag::ETag;
    pub use jlanes_tree::merkle::{
        apk::Apk, bitcoin::Bitcoin, bittorrent::BitTorrent, btv1::Pieces, dropbox::Dropbox,
        glacier::Glacier, s3::S3, sha256tree::Sha256Tree, ssz::Ssz,
    };
}

/// BitTorrent v1's pieces.
pub type BitTorrentV1 = formats::Pieces<Sha1>;
/// BitTorrent v2's tree of a file.
pub type BitTorrent = formats::BitTorrent<Sha256>;
/// Amazon Glacier's tree hash.
pub type Glacier = formats::Glacier<Sha256>;
/// Dropbox's content hash.
pub type Dropbox = formats::Dropbox<Sha256>;
/// S3's composite checksum.
pub type S3 = formats::S3<Sha256>;
/// S3's entity tag of a multipart upload.
#[cfg(feature = "md5")]
pub type ETag = formats::ETag<crate::Md5>;
/// SHA256TREE of Bazel's Remote Execution API.
pub type Sha256Tree = formats::Sha256Tree<Sha256>;
/// SSZ's root of chunks.
pub type Ssz = formats::Ssz<Sha256>;
/// Bitcoin's root of transaction ids.
pub type Bitcoin = formats::Bitcoin<Sha256>;
/// The hasher of an APK's sections.
pub type Apk<E = Backend> = formats::Apk<Sha256, E>;
