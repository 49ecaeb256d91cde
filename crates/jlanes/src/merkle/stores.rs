//! The checksums of Amazon's and Dropbox's stores.

use digest::Output;

use super::{Composite, Dropbox, Error, Format, Glacier, S3};
#[cfg(feature = "md5")]
use super::{ETag, EntityTag};
use crate::Sha256;

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
