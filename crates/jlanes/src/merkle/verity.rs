//! fs-verity and dm-verity: trees that Linux checks as it reads.

use digest::Output;

use super::{DmVerity, Error, Format, FsVerity, FsVerityAlgorithm, FsVerityRoot, NodeHash};
use crate::multi::MultiDigest;

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
