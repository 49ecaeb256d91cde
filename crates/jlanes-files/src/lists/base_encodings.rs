//! Digits of digests, hexadecimal and base64, in lists of any format.

use base64ct::{Base64, Encoding as _};

/// Decodes `text`, lowercase hexadecimal, into `bytes`. Returns whether it is that.
pub fn from_hex(text: &[u8], bytes: &mut Vec<u8>) -> bool {
    let (words, rest) = text.as_chunks::<8>();
    let mut last = [b'0'; 8];
    last[..rest.len()].copy_from_slice(rest);
    bytes.clear();
    let mut is_hex = text.len().is_multiple_of(2);
    for word in words.iter().chain([&last]) {
        let (value, is_whole) = eight_digits(u64::from_le_bytes(*word));
        bytes.extend_from_slice(&value.to_le_bytes());
        is_hex &= is_whole;
    }
    bytes.truncate(text.len() / 2);
    is_hex
}

/// The value of eight digits, the first one in the lowest byte, and whether all of them are digits.
fn eight_digits(text: u64) -> (u32, bool) {
    /// One in each byte.
    const ONES: u64 = u64::MAX / 0xff;
    /// The highest bit of each byte.
    const HIGH: u64 = ONES << 7;

    // sets the highest bit of each byte that is at least `least`; ASCII bytes do not carry
    let from = |least: u8| text.wrapping_add(u64::from(0x80 - least) * ONES);
    let is_digit = from(b'0') & !from(b'9' + 1) | from(b'a') & !from(b'f' + 1);
    let values = (text & (0xf * ONES)) + 9 * ((text >> 6) & ONES);
    let pairs = (values << 4 | values >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
    ((fours | fours >> 16) as u32, is_digit & !text & HIGH == HIGH)
}

/// Decodes a digest of `len` bytes: hexadecimal in upper or lower case, or base64.
pub(super) fn decode_digest(text: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut digest = Vec::with_capacity(len);
    if text.len() == 2 * len && from_hex(text, &mut digest) {
        return Some(digest);
    }
    // base64 of two or four bytes is as long as hexadecimal, but has padding
    let hex = hex::decode(text).ok().filter(|digest| digest.len() == len);
    hex.or_else(|| from_base64(text)).filter(|digest| digest.len() == len)
}

/// Decodes base64. Like GNU's tools, it ignores the unused bits of the last symbol.
#[must_use]
pub fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(text).ok()?;
    let symbols = text.trim_end_matches('=');
    // symbols replace the padding, and the bytes that they add are removed
    let padding = "AA".get(..text.len() - symbols.len())?;
    let mut bytes = Base64::decode_vec(&[symbols, padding].concat()).ok()?;
    bytes.truncate(bytes.len() - padding.len());
    Some(bytes)
}
