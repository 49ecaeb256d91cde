//! The trees of build systems, packages and repositories.

use alloc::string::String;
#[cfg(feature = "sha1dc")]
use alloc::{vec, vec::Vec};

use digest::{Output, array::Array};
#[cfg(feature = "sha1dc")]
use jlanes_core::hashes::sha1::checked::Sha1WithFlags;
use jlanes_tree::merkle::{git, gosum};

use super::{Apk, Error, Format, GitEntry, Sha256Tree};
use crate::{Backend, Sha256, multi::MultiDigest};
#[cfg(feature = "sha1dc")]
use crate::{Collision, Sha1Checked};

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

/// [`git_blob_ids`] with SHA-1 and detection of collision attacks, as in git itself: an error for each blob
/// with a block of an attack.
///
/// ```
/// use jlanes::merkle;
///
/// let ids = merkle::try_git_blob_ids(&[b""]);
/// assert_eq!(ids[0]?[..4], [0xe6, 0x9d, 0xe2, 0x9b]); // git's empty blob
/// # Ok::<(), jlanes::Collision>(())
/// ```
#[cfg(feature = "sha1dc")]
#[must_use]
pub fn try_git_blob_ids(contents: &[&[u8]]) -> Vec<Result<Output<Sha1Checked>, Collision>> {
    let mut ends = vec![Default::default(); contents.len()];
    git::blob_ids::<Sha1WithFlags, _>(Backend::detect(), contents, &mut ends);
    ends.iter().map(|end| crate::sha1_checked::result(end)).collect()
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
