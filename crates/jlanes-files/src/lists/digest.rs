//! Digests as text.

use base64ct::{Base64, Encoding as _};
use jlanes::{Algorithm, algorithm::Kind};

use super::{Encoding, decode};

/// Bytes of the number of parts behind S3's digest and its entity tag.
const PARTS: usize = 8;

/// The digest as it is printed.
pub fn text(algorithm: Algorithm, digest: &[u8], encoding: Encoding) -> String {
    match (algorithm.kind(), digest.split_last_chunk::<PARTS>()) {
        (Kind::S3 { .. }, Some((digest, parts))) => {
            format!("{}-{}", Base64::encode_string(digest), u64::from_be_bytes(*parts))
        }
        (Kind::ETag { .. }, Some((digest, parts))) => match u64::from_be_bytes(*parts) {
            1 => encoding.encode(digest),
            parts => format!("{}-{parts}", hex::encode(digest)),
        },
        _ => encoding.encode(digest),
    }
}

/// The bytes of the digest alone.
pub fn raw(algorithm: Algorithm, digest: &[u8]) -> &[u8] {
    &digest[..algorithm.output_size()]
}

/// The digest that `text` spells.
pub fn parse(algorithm: Algorithm, text: &[u8]) -> Option<Vec<u8>> {
    let len = algorithm.output_size();
    let parts = || str::from_utf8(text).ok()?.rsplit_once('-');
    let (digest, parts) = match (algorithm.kind(), parts()) {
        (Kind::S3 { .. }, Some((digest, parts))) => (Base64::decode_vec(digest).ok()?, parts),
        // of one part there is no number
        (Kind::ETag { .. }, Some((_, "1"))) | (Kind::S3 { .. }, None) => return None,
        (Kind::ETag { .. }, Some((digest, parts))) => (hex::decode(digest).ok()?, parts),
        (Kind::ETag { .. }, None) => (decode(text, len)?, "1"),
        _ => return decode(text, len),
    };
    let parts: u64 = parts.parse().ok()?;
    (digest.len() == len).then(|| [&digest[..], &parts.to_be_bytes()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_parts_are_where_they_belong() {
        let sha256 = "A".repeat(43) + "=";
        let md5 = "0a".repeat(16);
        for (algorithm, text, is_one) in [
            ("s3-sha256:8388608", format!("{sha256}-2"), true),
            ("s3-sha256:8388608", sha256.clone(), false),
            ("s3-sha256:8388608", format!("{sha256}-x"), false),
            ("etag:8388608", format!("{md5}-2"), true),
            ("etag:8388608", md5.clone(), true),
            // S3 does not write it so
            ("etag:8388608", format!("{md5}-1"), false),
            ("sha256", sha256.clone(), true),
            ("sha256", format!("{sha256}-2"), false),
        ] {
            let algorithm = algorithm.parse().unwrap();
            let digest = parse(algorithm, text.as_bytes());
            assert_eq!(digest.is_some(), is_one, "{text}");
            if let Some(digest) = digest.filter(|_| text != sha256) {
                assert_eq!(super::text(algorithm, &digest, Encoding::Hex), text);
            }
        }
    }
}
