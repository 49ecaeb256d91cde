//! Digests as text: hexadecimal, base64, decimal checksums, S3's number of parts, Go's prefix.

use base64ct::{Base64, Encoding as _};
use jlanes::algorithm::Kind;

use super::{Encoding, base_encodings::decode_digest, from_base64};
use crate::{Computation, DirHash};

/// Bytes of the number of parts, which follows S3's digest and entity tag.
const PART_COUNT_BYTES: usize = 8;

/// The prefix of Go's digests.
pub const H1: &str = "h1:";

/// The digest as printed. The checksums of `cksum` and `sum` are decimal numbers.
#[must_use]
pub fn text(computation: &Computation, digest: &[u8], encoding: Encoding) -> String {
    match computation {
        Computation::Digest(hash) => {
            match (hash.algorithm().kind(), digest.split_last_chunk::<PART_COUNT_BYTES>()) {
                (Kind::S3 { part: None, .. }, _) => Base64::encode_string(digest),
                (Kind::S3 { part: Some(_), .. }, Some((digest, parts))) => {
                    format!("{}-{}", Base64::encode_string(digest), u64::from_be_bytes(*parts))
                }
                (Kind::ETag { .. }, Some((digest, parts))) => match u64::from_be_bytes(*parts) {
                    1 => encoding.encode(digest),
                    parts => format!("{}-{parts}", hex::encode(digest)),
                },
                _ => encoding.encode(digest),
            }
        }
        #[cfg(feature = "checksums")]
        Computation::Checksum(checksum) if !checksum.is_listed() => {
            digest.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)).to_string()
        }
        #[cfg(feature = "checksums")]
        Computation::Checksum(_) => encoding.encode(digest),
        Computation::Directory(DirHash::H1) => format!("{H1}{}", Base64::encode_string(digest)),
        Computation::Directory(DirHash::GitSha256) => hex::encode(digest),
    }
}

/// Parses a digest; `None` if `text` is none of `computation`. The checksums of `cksum` and `sum`
/// cannot be parsed: their lines are not checked.
#[must_use]
pub fn parse(computation: &Computation, text: &[u8]) -> Option<Vec<u8>> {
    let len = computation.output_size();
    let hash = match computation {
        Computation::Digest(hash) => hash,
        #[cfg(feature = "checksums")]
        Computation::Checksum(checksum) => {
            return if checksum.is_listed() { decode_digest(text, len) } else { None };
        }
        Computation::Directory(DirHash::H1) => {
            return from_base64(text.strip_prefix(H1.as_bytes())?)
                .filter(|digest| digest.len() == len);
        }
        Computation::Directory(DirHash::GitSha256) => {
            return hex::decode(text).ok().filter(|digest| digest.len() == len);
        }
    };
    let parts = || str::from_utf8(text).ok()?.rsplit_once('-');
    let (digest, parts) = match (hash.algorithm().kind(), parts()) {
        (Kind::S3 { part: None, .. }, _) => {
            return from_base64(text).filter(|digest| digest.len() == len);
        }
        (Kind::S3 { .. }, Some((digest, parts))) => (Base64::decode_vec(digest).ok()?, parts),
        // a single part has no number
        (Kind::ETag { .. }, Some((_, "1"))) | (Kind::S3 { .. }, None) => return None,
        (Kind::ETag { .. }, Some((digest, parts))) => (hex::decode(digest).ok()?, parts),
        (Kind::ETag { .. }, None) => (decode_digest(text, len)?, "1"),
        _ => return decode_digest(text, len),
    };
    let parts: u64 = parts.parse().ok().filter(|number: &u64| number.to_string() == parts)?;
    (digest.len() == len && parts > 0).then(|| [&digest[..], &parts.to_be_bytes()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "checksums")]
    fn checksums_with_forms_of_their_own_are_no_digests() {
        use crate::Checksum;

        assert_eq!(parse(&Checksum::Crc.into(), b"12191315"), None);
        assert_eq!(text(&Checksum::Crc.into(), &[0, 0xba, 6, 0x53], Encoding::Hex), "12191315");
        for text in ["352441c2", "NSRBwg=="] {
            let crc32 = parse(&Checksum::Crc32.into(), text.as_bytes());
            assert_eq!(crc32, Some(vec![0x35, 0x24, 0x41, 0xc2]), "{text}");
        }
    }

    #[test]
    fn numbers_of_parts_are_where_they_belong() {
        let sha256 = "A".repeat(43) + "=";
        let md5 = "0a".repeat(16);
        for (algorithm, text, is_one) in [
            ("s3-sha256:8388608", format!("{sha256}-2"), true),
            ("s3-sha256:8388608", sha256.clone(), false),
            ("s3-sha256:8388608", format!("{sha256}-x"), false),
            ("s3-sha256:8388608", format!("{sha256}-0"), false),
            ("s3-sha256:8388608", format!("{sha256}-02"), false),
            ("s3-sha256:8388608", format!("{sha256}-+2"), false),
            ("s3-sha256", sha256.clone(), true),
            ("s3-sha256", "0a".repeat(32), false),
            ("s3-sha256", format!("{sha256}-2"), false),
            ("etag:8388608", format!("{md5}-2"), true),
            ("etag:8388608", md5.clone(), true),
            // not S3's spelling
            ("etag:8388608", format!("{md5}-1"), false),
            ("sha256", sha256.clone(), true),
            ("sha256", format!("{sha256}-2"), false),
        ] {
            let computation = algorithm.parse().unwrap();
            let digest = parse(&computation, text.as_bytes());
            assert_eq!(digest.is_some(), is_one, "{text}");
            if let Some(digest) = digest.filter(|_| text != sha256) {
                assert_eq!(super::text(&computation, &digest, Encoding::Hex), text);
            }
        }
    }
}
