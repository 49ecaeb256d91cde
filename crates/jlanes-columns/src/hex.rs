//! Hexadecimal encoding and decoding, without tables: no address depends on a digest.

/// Writes two lower-case hexadecimal digits per byte.
pub(crate) fn encode(bytes: &[u8], out: &mut [u8]) {
    let (fours, rest) = bytes.as_chunks::<4>();
    let (eights, tail) = out.as_chunks_mut::<8>();
    for (four, eight) in fours.iter().zip(eights) {
        *eight = encode_four_bytes(*four);
    }
    if !rest.is_empty() {
        let mut four = [0; 4];
        four[..rest.len()].copy_from_slice(rest);
        tail.copy_from_slice(&encode_four_bytes(four)[..tail.len()]);
    }
}

/// The eight digits of four bytes, by arithmetic that the compiler vectorizes.
#[inline(always)]
fn encode_four_bytes(bytes: [u8; 4]) -> [u8; 8] {
    let mut x = u64::from(u32::from_le_bytes(bytes));
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    // the high half of a byte comes first
    let x = (x >> 4 | x << 8) & 0x0f0f_0f0f_0f0f_0f0f;
    let is_letter = (x + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    (x + 0x3030_3030_3030_3030 + is_letter * u64::from(b'a' - b'9' - 1)).to_le_bytes()
}

/// Decodes hexadecimal digits of either case into `out`; `false` if `text` is not exactly that.
pub(crate) fn decode(text: &[u8], out: &mut [u8]) -> bool {
    let (pairs, rest) = text.as_chunks::<2>();
    if pairs.len() != out.len() || !rest.is_empty() {
        return false;
    }
    let mut bad = 0;
    for ([high, low], out) in pairs.iter().zip(out) {
        let (high, low) = (digit(*high), digit(*low));
        bad |= high | low;
        *out = high << 4 | low & 15;
    }
    bad < 16
}

/// The value of a digit, more than 15 for other characters; branch-free.
fn digit(text: u8) -> u8 {
    let number = text.wrapping_sub(b'0');
    let letter = (text | 0x20).wrapping_sub(b'a');
    let is = |condition: bool| 0u8.wrapping_sub(u8::from(condition));
    let (is_number, is_letter) = (is(number < 10), is(letter < 6));
    number & is_number | letter.wrapping_add(10) & is_letter | !(is_number | is_letter)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn bytes_come_back_from_their_letters() {
        let bytes: Vec<u8> = (0..=255).collect();
        for len in 0..=bytes.len() {
            let mut text = vec![0; 2 * len];
            encode(&bytes[..len], &mut text);
            assert_eq!(text, hex::encode(&bytes[..len]).into_bytes());
            let mut back = vec![0; len];
            assert!(decode(&text.to_ascii_uppercase(), &mut back));
            assert!(decode(&text, &mut back));
            assert_eq!(back, bytes[..len]);
        }
    }

    #[test]
    fn other_letters_are_refused() {
        for text in (0..=u16::MAX).map(u16::to_ne_bytes) {
            let (mut out, mut right) = ([0], [0]);
            let is_right = hex::decode_to_slice(text, &mut right).is_ok();
            assert_eq!(decode(&text, &mut out), is_right, "{text:?}");
            assert!(!is_right || out == right, "{text:?}");
        }
        assert!(!decode(b"abc", &mut [0]) && !decode(b"abcd", &mut [0]) && decode(b"", &mut []));
    }
}
