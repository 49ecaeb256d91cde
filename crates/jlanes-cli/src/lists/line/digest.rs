//! Digests as text.

use base64ct::{Base64, Encoding as _};
use jlanes::{Algorithm, algorithm::Kind};

use super::{Encoding, decode};

/// Bytes of the number of parts behind S3's digest.
const PARTS: usize = 8;

/// The digest as it is printed.
pub(crate) fn text(algorithm: Algorithm, digest: &[u8], encoding: Encoding) -> String {
    match (algorithm.kind(), digest.split_last_chunk::<PARTS>()) {
        (Kind::S3 { .. }, Some((digest, parts))) => {
            format!("{}-{}", Base64::encode_string(digest), u64::from_be_bytes(*parts))
        }
        _ => encoding.encode(digest),
    }
}

/// The bytes of the digest alone.
pub(crate) fn raw(algorithm: Algorithm, digest: &[u8]) -> &[u8] {
    &digest[..algorithm.output_size()]
}

/// The digest that `text` spells.
pub(crate) fn parse(algorithm: Algorithm, text: &[u8]) -> Option<Vec<u8>> {
    let len = algorithm.output_size();
    if !matches!(algorithm.kind(), Kind::S3 { .. }) {
        return decode(text, len);
    }
    let (digest, parts) = str::from_utf8(text).ok()?.rsplit_once('-')?;
    let parts: u64 = parts.parse().ok()?;
    let mut digest = Base64::decode_vec(digest).ok().filter(|digest| digest.len() == len)?;
    digest.extend_from_slice(&parts.to_be_bytes());
    Some(digest)
}
