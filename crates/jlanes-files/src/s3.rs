//! S3's checksums without an object's bytes, from those of its parts, and S3's own descriptions of objects.
//!
//! A full CRC is the sum of the parts' CRCs, each moved past the bytes that follow it, so parts are combined
//! by their lengths alone. A composite is the checksum of the parts' checksums. A [`Document`] is what
//! `aws s3api` prints about an object; [`Document::verify`] compares a file with it.
//!
//! ```
//! use jlanes::algorithm::S3Checksum;
//! use jlanes_files::s3;
//!
//! // an upload in two parts, of 5 MiB and of 1 MiB
//! let parts = [[0x5b, 0x44, 0x29, 0x0d], [0x6a, 0x70, 0xa2, 0xed]];
//! assert_eq!(s3::composite(S3Checksum::Crc32, &parts)?, "R/nORQ==-2");
//! let whole = s3::combined(S3Checksum::Crc32, [(parts[0], 5 << 20), (parts[1], 1 << 20)])?;
//! assert_eq!(*whole, [0xf9, 0x20, 0xc8, 0x0c]);
//! # Ok::<(), s3::PartsError>(())
//! ```

mod document;
mod verify;

use std::{error::Error, fmt};

use base64ct::{Base64, Encoding as _};
use crc_fast::CrcAlgorithm;
use jlanes::{Algorithm, Backend, algorithm::S3Checksum};

pub use self::{
    document::{Document, DocumentError},
    verify::{Verdict, VerifiedChecksum, VerifiedObject},
};
use crate::{Checksum, Computation, FileHasher, computation::PartDigests};

/// The error of parts without a checksum of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartsError {
    /// S3 has no composite of this checksum.
    NoComposite(S3Checksum),
    /// Only CRCs can be combined; the others need the bytes.
    NotCombinable(S3Checksum),
    /// An object has at least one part.
    NoParts,
    /// A part's checksum has another length than the algorithm's.
    Length {
        /// The algorithm.
        checksum: S3Checksum,
        /// Bytes of the part's checksum.
        found: usize,
    },
}

impl fmt::Display for PartsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoComposite(checksum) => write!(f, "S3 has no composite of {checksum}"),
            Self::NotCombinable(checksum) => {
                write!(f, "{checksum} of an object cannot be told from those of its parts")
            }
            Self::NoParts => f.write_str("an object has at least one part"),
            Self::Length { checksum, found } => {
                write!(f, "{checksum} has {} bytes, not {found}", checksum.output_size())
            }
        }
    }
}

impl Error for PartsError {}

/// The composite checksum of an object with these checksums of its parts, in order, as S3 prints it.
///
/// # Errors
/// If there is no part, one of another length, or no such composite.
pub fn composite(checksum: S3Checksum, parts: &[impl AsRef<[u8]>]) -> Result<String, PartsError> {
    if parts.is_empty() {
        return Err(PartsError::NoParts);
    }
    if !checksum.has_composite() {
        return Err(PartsError::NoComposite(checksum));
    }
    let mut digests = PartDigests::new(hasher(checksum, Backend::detect(), false));
    for part in parts {
        digests.add(checked(checksum, part.as_ref())?);
    }
    let Ok(result) = digests.finish() else { unreachable!("a checksum is of any data") };
    Ok(shown(&result[..checksum.output_size()], Some(parts.len() as u64)))
}

/// The CRC of an object from the CRCs and lengths of its parts, in order. Without a part it is that of an
/// empty object.
///
/// # Errors
/// If a part's checksum has another length, or the checksum is no CRC.
pub fn combined(
    checksum: S3Checksum,
    parts: impl IntoIterator<Item = (impl AsRef<[u8]>, u64)>,
) -> Result<Box<[u8]>, PartsError> {
    let algorithm = match checksum {
        S3Checksum::Crc32 => CrcAlgorithm::Crc32IsoHdlc,
        S3Checksum::Crc32c => CrcAlgorithm::Crc32Iscsi,
        S3Checksum::Crc64Nvme => CrcAlgorithm::Crc64Nvme,
        _ => return Err(PartsError::NotCombinable(checksum)),
    };
    let mut all = 0;
    for (part, len) in parts {
        let part = checked(checksum, part.as_ref())?;
        let part = part.iter().fold(0, |crc, byte| crc << 8 | u64::from(*byte));
        all = crc_fast::checksum_combine(algorithm, all, part, len);
    }
    Ok(all.to_be_bytes()[8 - checksum.output_size()..].into())
}

/// The value as S3 prints it.
fn shown(digest: &[u8], count: Option<u64>) -> String {
    let count = count.map(|count| format!("-{count}")).unwrap_or_default();
    format!("{}{count}", Base64::encode_string(digest))
}

/// A part's checksum, if it has the length of one.
fn checked(checksum: S3Checksum, part: &[u8]) -> Result<&[u8], PartsError> {
    let is_one = part.len() == checksum.output_size();
    if is_one { Ok(part) } else { Err(PartsError::Length { checksum, found: part.len() }) }
}

/// The hasher of an object's checksum.
fn hasher(checksum: S3Checksum, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
    match Checksum::of_s3(checksum) {
        Some(sum) => sum.hasher(),
        None => Computation::from(algorithm(checksum, None)).hasher(backend, parallel),
    }
}

/// The algorithm of an object's checksum, or of its composite of parts of this size.
fn algorithm(checksum: S3Checksum, part: Option<usize>) -> Algorithm {
    let part = part.map(|part| format!(":{part}")).unwrap_or_default();
    let name = format!("s3-{checksum}{part}");
    name.parse().expect("a document has no composite that S3 lacks")
}
