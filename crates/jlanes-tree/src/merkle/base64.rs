//! Base64 (RFC 4648, section 4), as S3 and Go print digests.

use alloc::string::String;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// `bytes` in base64, padded.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut octets = [0; 4];
        octets[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(octets);
        for digit in 0..4 {
            let sextet = bits >> (18 - 6 * digit) & 0x3f;
            let symbol = char::from(ALPHABET[sextet as usize]);
            text.push(if digit <= group.len() { symbol } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn rfc_4648_section_10() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in pairs {
            assert_eq!(encode(bytes.as_bytes()), text);
        }
    }
}
