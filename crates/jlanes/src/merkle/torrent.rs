//! BitTorrent's digests of files.

use alloc::vec::Vec;

use digest::Output;

use super::{BitTorrent, BitTorrentV1, Error, Format, PieceHashes};
use crate::{Sha1, Sha256};

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
