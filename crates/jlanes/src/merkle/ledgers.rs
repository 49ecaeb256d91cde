//! The trees of transparency logs and of blockchains.

use digest::Output;

use super::{Bitcoin, Error, Format, NodeHash, Rfc6962, Ssz};
use crate::{Sha256, multi::MultiDigest};

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
/// Lists with repetitions may have the root of a shorter one (CVE-2012-2459). To check blocks, take the type
/// [`Bitcoin`], which flags such lists:
///
/// ```
/// use jlanes::merkle::{self, Bitcoin, Format};
///
/// let (a, b, c) = ([1; 32], [2; 32], [3; 32]);
/// let longer = Bitcoin::default().digest([a, b, c, c].as_flattened())?;
/// assert_eq!(longer.root, merkle::bitcoin([a, b, c].as_flattened())?);
/// assert!(longer.is_mutated);
/// # Ok::<(), merkle::Error>(())
/// ```
///
/// # Errors
/// [`Error::Empty`], [`Error::Partial`].
pub fn bitcoin(ids: &[u8]) -> Result<Output<Sha256>, Error> {
    Ok(Bitcoin::default().digest(ids)?.root)
}
