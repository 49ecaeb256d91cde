//! The formats on rayon's thread pool.

use alloc::vec::Vec;

use crate::multi::MultiDigest;
use digest::Output;

use super::{
    Apk, BitTorrent, BitTorrentV1, Bitcoin, Composite, DmVerity, Dropbox, Error, Format, FsVerity,
    FsVerityAlgorithm, FsVerityRoot, Glacier, NodeHash, PieceHashes, Rfc6962, S3, Sha256Tree, Ssz,
};
use crate::{Backend, Sha1, Sha256};

/// [`fsverity`](fn@super::fsverity) on rayon's thread pool.
///
/// # Errors
/// As the serial form; so with all functions here.
pub fn par_fsverity<H>(data: &[u8], block: usize, salt: &[u8]) -> Result<Output<H>, Error>
where
    H: MultiDigest<Function: FsVerityAlgorithm> + Clone,
{
    Ok(FsVerity::<H>::new(block, salt)?.par_digest(data)?)
}

/// [`fsverity_root`](super::fsverity_root) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_fsverity_root<H>(data: &[u8], block: usize, salt: &[u8]) -> Result<Output<H>, Error>
where
    H: MultiDigest<Function: FsVerityAlgorithm> + Clone,
{
    Ok(FsVerityRoot(FsVerity::<H>::new(block, salt)?).par_digest(data)?)
}

/// [`dmverity`](fn@super::dmverity) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_dmverity<H: MultiDigest<Function: NodeHash> + Clone>(
    data: &[u8],
    block: usize,
    salt: &[u8],
) -> Result<Output<H>, Error> {
    Ok(DmVerity::<H>::new(block, salt)?.par_digest(data)?.root)
}

/// [`btv1_pieces`](super::btv1_pieces) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_btv1_pieces(data: &[u8], piece: usize) -> Result<Vec<Output<Sha1>>, Error> {
    Ok(BitTorrentV1::new(piece)?.par_digest(data)?)
}

/// [`btv2`](super::btv2) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_btv2(data: &[u8]) -> Result<Output<Sha256>, Error> {
    Ok(BitTorrent::default().par_digest(data)?.root)
}

/// [`btv2_pieces`](super::btv2_pieces) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_btv2_pieces(data: &[u8], piece: usize) -> Result<PieceHashes, Error> {
    BitTorrent::with_pieces(piece)?.par_digest(data)
}

/// [`glacier`](fn@super::glacier) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_glacier(data: &[u8]) -> Result<Output<Sha256>, Error> {
    Ok(Glacier::default().par_digest(data)?)
}

/// [`dropbox`](fn@super::dropbox) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_dropbox(data: &[u8]) -> Result<Output<Sha256>, Error> {
    Ok(Dropbox::default().par_digest(data)?)
}

/// [`sha256tree`](fn@super::sha256tree) on rayon's thread pool.
#[must_use]
pub fn par_sha256tree(data: &[u8]) -> Output<Sha256> {
    let Ok(digest) = Sha256Tree::default().par_digest(data);
    digest
}

/// [`s3_composite`](super::s3_composite) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_s3_composite(data: &[u8], part: usize) -> Result<Composite, Error> {
    Ok(S3::new(part)?.par_digest(data)?)
}

/// [`rfc6962`](fn@super::rfc6962) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_rfc6962<H: MultiDigest<Function: NodeHash> + Clone>(
    data: &[u8],
    leaf: usize,
) -> Result<Output<H>, Error> {
    Ok(Rfc6962::<H>::chunks(leaf)?.par_digest(data)?)
}

/// [`ssz`](fn@super::ssz) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_ssz(chunks: &[u8], limit: Option<u64>) -> Result<Output<Sha256>, Error> {
    limit.map_or_else(Ssz::default, Ssz::with_limit).par_digest(chunks)
}

/// [`bitcoin`](fn@super::bitcoin) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_bitcoin(ids: &[u8]) -> Result<Output<Sha256>, Error> {
    Ok(Bitcoin::default().par_digest(ids)?.root)
}

/// [`apk`](fn@super::apk) on rayon's thread pool.
///
/// # Errors
/// As the serial form.
pub fn par_apk(sections: [&[u8]; 3]) -> Result<Output<Sha256>, Error> {
    let mut apk = Apk::new(Backend::detect());
    for section in sections {
        apk.par_update(section);
        apk.end_section();
    }
    Ok(apk.finalize())
}
