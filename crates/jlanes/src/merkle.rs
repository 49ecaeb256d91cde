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
//! | [`go_h1`], [`git_blob_ids`], [`git_tree_id`] | `go.sum`; git repositories of SHA-256 |
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

use alloc::{string::String, vec::Vec};

use crate::multi::MultiDigest;
use digest::{Output, array::Array};
use jlanes_tree::merkle::{
    apk, bitcoin, bittorrent, btv1, dropbox, git, glacier, gosum, s3, sha256tree, ssz,
};

use crate::{Backend, Sha1, Sha256};

#[cfg(feature = "rayon")]
mod parallel;

pub use jlanes_core::engine::Engine;
#[cfg(feature = "md5")]
pub use jlanes_tree::merkle::etag::EntityTag;
pub use jlanes_tree::merkle::{
    CompressionOf, DigestOf, EngineOf, Error, Format, Frame, FunctionOf, Hasher, Keep, Leaf,
    LeafKind, Node, NodeHash, Odd, Summary, Tree,
    bittorrent::PieceHashes,
    dmverity::{DmVerity, Verity, Version},
    fsverity::{Algorithm as FsVerityAlgorithm, FsVerity, Root as FsVerityRoot},
    git::{Entry as GitEntry, Mode as GitMode},
    rfc6962::{Rfc6962, Tile, TiledLog, verify_consistency, verify_inclusion},
    s3::Composite,
};
#[cfg(feature = "rayon")]
pub use parallel::{
    par_apk, par_bitcoin, par_btv1_pieces, par_btv2, par_btv2_pieces, par_dmverity, par_dropbox,
    par_fsverity, par_fsverity_root, par_glacier, par_rfc6962, par_s3_composite, par_sha256tree,
    par_ssz,
};

/// BitTorrent v1's pieces.
pub type BitTorrentV1 = btv1::Pieces<Sha1>;
/// BitTorrent v2's tree of a file.
pub type BitTorrent = bittorrent::BitTorrent<Sha256>;
/// Amazon Glacier's tree hash.
pub type Glacier = glacier::Glacier<Sha256>;
/// Dropbox's content hash.
pub type Dropbox = dropbox::Dropbox<Sha256>;
/// S3's composite checksum.
pub type S3 = s3::S3<Sha256>;
/// S3's entity tag of a multipart upload.
#[cfg(feature = "md5")]
pub type ETag = jlanes_tree::merkle::etag::ETag<crate::Md5>;
/// SHA256TREE of Bazel's Remote Execution API.
pub type Sha256Tree = sha256tree::Sha256Tree<Sha256>;
/// SSZ's root of chunks.
pub type Ssz = ssz::Ssz<Sha256>;
/// Bitcoin's root of transaction ids.
pub type Bitcoin = bitcoin::Bitcoin<Sha256>;
/// The hasher of an APK's sections.
pub type Apk<E = Backend> = apk::Apk<Sha256, E>;

/// fs-verity's file digest of a file, in blocks of `block` bytes.
///
/// ```
/// use jlanes::{Sha256, merkle};
///
/// let digest = merkle::fsverity::<Sha256>(b"", 4096, b"")?;
/// assert_eq!(digest[..4], [0x3d, 0x24, 0x8c, 0xa5]);
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::BlockSize`] if `block` is no power of two from 1024 to 65536, [`Error::SaltTooLong`]
/// above 32 bytes.
pub fn fsverity<H>(data: &[u8], block: usize, salt: &[u8]) -> Result<Output<H>, Error>
where
    H: MultiDigest<Function: FsVerityAlgorithm> + Clone,
{
    Ok(FsVerity::<H>::new(block, salt)?.digest(data)?)
}

/// fs-verity's root hash of a file; zeros for an empty file.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle};
///
/// let page = [7; 4096]; // the root of one block is its hash
/// assert_eq!(merkle::fsverity_root::<Sha256>(&page, 4096, b"")?, Sha256::digest(page));
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// As [`fsverity`](fn@fsverity).
pub fn fsverity_root<H>(data: &[u8], block: usize, salt: &[u8]) -> Result<Output<H>, Error>
where
    H: MultiDigest<Function: FsVerityAlgorithm> + Clone,
{
    Ok(FsVerityRoot(FsVerity::<H>::new(block, salt)?).digest(data)?)
}

/// dm-verity's root hash, of version 1, with data and hash blocks of `block` bytes.
///
/// [`DmVerity`] has the other parameters, and the hash tree.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle};
///
/// let block = [7; 4096];
/// let root = merkle::dmverity::<Sha256>(&block, 4096, b"salt")?;
/// assert_eq!(root, Sha256::new().chain_update(b"salt").chain_update(block).finalize());
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::BlockSize`] if `block` is no power of two from 512 to 524288, [`Error::SaltTooLong`]
/// above 256 bytes, [`Error::Partial`] or [`Error::Empty`] if `data` is not whole blocks.
pub fn dmverity<H: MultiDigest<Function: NodeHash> + Clone>(
    data: &[u8],
    block: usize,
    salt: &[u8],
) -> Result<Output<H>, Error> {
    Ok(DmVerity::<H>::new(block, salt)?.digest(data)?.root)
}

/// BitTorrent v1's digests of the pieces of `piece` bytes of a torrent's files, which follow each other.
///
/// Together they are the `pieces` of the torrent. There is no digest over them: a torrent's own covers
/// its files' names, too.
///
/// ```
/// use jlanes::{Digest, Sha1, merkle};
///
/// let data = vec![7; 100_000];
/// let pieces = merkle::btv1_pieces(&data, 16 << 10)?;
/// assert_eq!((pieces.len(), pieces[0]), (7, Sha1::digest(&data[..16 << 10])));
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::ZeroSize`].
pub fn btv1_pieces(data: &[u8], piece: usize) -> Result<Vec<Output<Sha1>>, Error> {
    Ok(BitTorrentV1::new(piece)?.digest(data)?)
}

/// BitTorrent v2's pieces root of a file.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle};
///
/// assert_eq!(merkle::btv2(b"short")?, Sha256::digest(b"short"));
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::Empty`]: an empty file has none.
pub fn btv2(data: &[u8]) -> Result<Output<Sha256>, Error> {
    Ok(BitTorrent::default().digest(data)?.root)
}

/// [`btv2`] with the layer of pieces of `piece` bytes.
///
/// ```
/// use jlanes::merkle;
///
/// let file = vec![7; 100_000];
/// let pieces = merkle::btv2_pieces(&file, 32 << 10)?;
/// assert_eq!((pieces.root, pieces.layer.len()), (merkle::btv2(&file)?, 4));
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::Empty`]; [`Error::BlockSize`] if `piece` is not a power of two or is less than 16 KiB.
pub fn btv2_pieces(data: &[u8], piece: usize) -> Result<PieceHashes, Error> {
    BitTorrent::with_pieces(piece)?.digest(data)
}

/// Amazon Glacier's tree hash.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle};
///
/// let archive = vec![7; 2 << 20]; // two leaves of a mebibyte, and the node above them
/// let leaf = Sha256::digest(&archive[..1 << 20]);
/// assert_eq!(merkle::glacier(&archive)?, Sha256::digest([leaf, leaf].concat()));
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// None; all formats return a `Result`.
pub fn glacier(data: &[u8]) -> Result<Output<Sha256>, Error> {
    Ok(Glacier::default().digest(data)?)
}

/// Dropbox's content hash.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle};
///
/// assert_eq!(merkle::dropbox(b"short")?, Sha256::digest(Sha256::digest(b"short")));
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// None; all formats return a `Result`.
pub fn dropbox(data: &[u8]) -> Result<Output<Sha256>, Error> {
    Ok(Dropbox::default().digest(data)?)
}

/// SHA256TREE of a blob, as in Bazel's Remote Execution API.
///
/// Blobs of at most 1 KiB have their SHA-256. Longer ones are hashed as a tree, on all lanes.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle::{self, Sha256Tree}};
///
/// assert_eq!(merkle::sha256tree(b"short"), Sha256::digest(b"short"));
///
/// // as it arrives, in bounded memory
/// let blob = [7; 10_000];
/// let mut hasher = merkle::Hasher::<Sha256Tree>::new();
/// blob.chunks(3000).for_each(|piece| hasher.update(piece));
/// assert_eq!(Digest::finalize(hasher), merkle::sha256tree(&blob));
/// ```
#[must_use]
pub fn sha256tree(data: &[u8]) -> Output<Sha256> {
    let Ok(digest) = Sha256Tree::default().digest(data);
    digest
}

/// [`sha256tree`](fn@sha256tree) of a blob from the digests of its pieces, which others may have hashed.
///
/// All pieces have the same length, a power of two of at least 1 KiB; the last one may be shorter.
///
/// ```
/// use jlanes::merkle;
///
/// let blob = vec![7; 300_000];
/// let pieces: Vec<_> = blob.chunks(64 << 10).map(merkle::sha256tree).collect();
/// assert_eq!(merkle::sha256tree_of_pieces(&pieces), merkle::sha256tree(&blob));
/// ```
#[must_use]
pub fn sha256tree_of_pieces(pieces: &[Output<Sha256>]) -> Output<Sha256> {
    let Ok(digest) = Sha256Tree::of_pieces().digest(Array::slice_as_flattened(pieces));
    digest
}

/// S3's composite SHA-256 of an object in parts of `part` bytes.
///
/// ```
/// use jlanes::merkle;
///
/// let composite = merkle::s3_composite(&[7; 2500], 1000)?;
/// assert!(composite.to_string().ends_with("-3")); // base64, and the number of parts
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::ZeroSize`].
pub fn s3_composite(data: &[u8], part: usize) -> Result<Composite, Error> {
    Ok(S3::new(part)?.digest(data)?)
}

/// S3's entity tag of an object in parts of `part` bytes: MD5 of its parts' MD5s, or of the object where
/// that is one part.
///
/// ```
/// use jlanes::merkle;
///
/// assert!(merkle::etag(&[7; 2500], 1000)?.to_string().ends_with("-3"));
/// assert_eq!(merkle::etag(b"abc", 1000)?.to_string(), "900150983cd24fb0d6963f7d28e17f72");
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::ZeroSize`].
#[cfg(feature = "md5")]
pub fn etag(data: &[u8], part: usize) -> Result<EntityTag, Error> {
    Ok(ETag::new(part)?.digest(data)?)
}

/// RFC 6962's Merkle tree hash of chunks of `leaf` bytes.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle};
///
/// let root = merkle::rfc6962::<Sha256>(b"one leaf", 1024)?;
/// assert_eq!(root, Sha256::digest(b"\0one leaf"));
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::ZeroSize`].
pub fn rfc6962<H: MultiDigest<Function: NodeHash> + Clone>(
    data: &[u8],
    leaf: usize,
) -> Result<Output<H>, Error> {
    Ok(Rfc6962::<H>::chunks(leaf)?.digest(data)?)
}

/// SSZ's root of chunks of 32 bytes, for a type with at most `limit` chunks.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle};
///
/// let chunks = [7; 64];
/// assert_eq!(merkle::ssz(&chunks, None)?, Sha256::digest(chunks));
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::TooManyChunks`].
pub fn ssz(chunks: &[u8], limit: Option<u64>) -> Result<Output<Sha256>, Error> {
    limit.map_or_else(Ssz::default, Ssz::with_limit).digest(chunks)
}

/// Bitcoin's Merkle root of transaction ids of 32 bytes, in internal byte order.
///
/// ```
/// use jlanes::merkle;
///
/// let coinbase = [7; 32]; // the only transaction of a block is its root
/// assert_eq!(merkle::bitcoin(&coinbase)?, coinbase);
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::Empty`], [`Error::Partial`].
pub fn bitcoin(ids: &[u8]) -> Result<Output<Sha256>, Error> {
    Bitcoin::default().digest(ids)
}

/// The chunk digest of an APK's three sections: entries, central directory, and end of central
/// directory with the directory's offset as if there was no signing block.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle};
///
/// let (entries, directory, end) = (b"entries", b"directory", b"end of directory");
/// let chunk = |bytes: &[u8]| {
///     let len = (bytes.len() as u32).to_le_bytes();
///     Sha256::new().chain_update([0xa5]).chain_update(len).chain_update(bytes).finalize()
/// };
/// let chunks = [chunk(entries), chunk(directory), chunk(end)].concat();
/// let top = Sha256::new().chain_update([0x5a, 3, 0, 0, 0]).chain_update(chunks).finalize();
/// assert_eq!(merkle::apk([entries, directory, end])?, top);
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// None; all formats return a `Result`.
pub fn apk(sections: [&[u8]; 3]) -> Result<Output<Sha256>, Error> {
    let mut apk = Apk::new(Backend::detect());
    for section in sections {
        apk.update(section);
        apk.end_section();
    }
    Ok(apk.finalize())
}

/// Go's directory hash `h1:` of files, given as names and contents.
///
/// ```
/// use jlanes::merkle;
///
/// assert_eq!(merkle::go_h1(&[])?, "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::Name`] for a name with a newline.
pub fn go_h1(files: &[(&str, &[u8])]) -> Result<String, Error> {
    gosum::h1(Backend::detect(), files)
}

/// [`go_h1`] of files that are already hashed.
///
/// ```
/// use jlanes::{Digest, Sha256, merkle};
///
/// let of_digests = merkle::go_h1_of_digests([("go.mod", Sha256::digest(b"module m\n"))])?;
/// assert_eq!(of_digests, merkle::go_h1(&[("go.mod", b"module m\n")])?);
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// As [`go_h1`].
pub fn go_h1_of_digests<'n>(
    files: impl IntoIterator<Item = (&'n str, Output<Sha256>)>,
) -> Result<String, Error> {
    gosum::h1_of_digests(Backend::detect(), files)
}

/// Git's ids of blobs: `out[i]` is the id of `contents[i]`.
///
/// ```
/// use jlanes::{Sha256, merkle};
///
/// let mut ids = [Default::default(); 2];
/// merkle::git_blob_ids::<Sha256>(&[b"", b"contents"], &mut ids);
/// assert_eq!(ids[0][..4], [0x47, 0x3a, 0x0f, 0x4c]); // git's empty blob
/// ```
///
/// # Panics
/// If `contents` and `out` differ in length.
pub fn git_blob_ids<H: MultiDigest>(contents: &[&[u8]], out: &mut [Output<H>]) {
    git::blob_ids::<H::Function, _>(H::engine(), contents, out);
}

/// Git's id of a tree.
///
/// ```
/// use jlanes::{Sha256, merkle};
///
/// let empty = merkle::git_tree_id::<Sha256>(&[])?;
/// assert_eq!(empty[..4], [0x6e, 0xf1, 0x9b, 0x41]); // git's empty tree
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::Name`], [`Error::DuplicateName`].
pub fn git_tree_id<H: MultiDigest>(
    entries: &[GitEntry<'_, Output<H>>],
) -> Result<Output<H>, Error> {
    git::tree_id::<H::Function, _>(H::engine(), entries)
}
