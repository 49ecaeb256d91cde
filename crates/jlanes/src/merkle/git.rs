//! Git's object ids with the hash as a type.

#[cfg(feature = "sha1dc")]
use alloc::{vec, vec::Vec};

use digest::{Output, array::Array};
use jlanes_core::function::Start;
#[cfg(feature = "sha1dc")]
use jlanes_core::hashes::sha1::checked::Sha1WithFlags;
use jlanes_tree::merkle::git;

use super::{Error, GitEntry};
use crate::multi::MultiDigest;
#[cfg(feature = "sha1dc")]
use crate::{Backend, Collision, Sha1Checked};

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
    let function = Start::<H::Hash>::new().function(H::backend());
    git::blob_ids(&function, contents, Array::slice_as_flattened_mut(out));
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
    let function = Start::<Sha1WithFlags>::new().function(Backend::detect());
    let mut outputs = vec![0; contents.len() * function.output_size()];
    git::blob_ids(&function, contents, &mut outputs);
    outputs.chunks_exact(function.output_size()).map(crate::sha1_checked::result).collect()
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
    let function = Start::<H::Hash>::new().function(H::backend());
    let mut id = Output::<H>::default();
    id.copy_from_slice(&git::tree_id(&function, entries)?);
    Ok(id)
}
