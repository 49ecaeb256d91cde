//! Test messages that a few numbers describe.

/// The first `len` bytes of SplitMix64's output words, little-endian: the messages of the corpora.
#[must_use]
pub fn message(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    let mut bytes = Vec::with_capacity(len.next_multiple_of(8));
    while bytes.len() < len {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        bytes.extend_from_slice(&z.to_le_bytes());
    }
    bytes.truncate(len);
    bytes
}

/// `len` bytes that count from `first` to 250 and start over. No block or lane size divides 251, so a
/// byte in a wrong place shows.
#[must_use]
pub fn paint(len: usize, first: usize) -> Vec<u8> {
    (0..len).map(|i| ((first + i) % 251) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn seed_zero_starts_as_documented() {
        assert_eq!(message(0, 8), [0xaf, 0xcd, 0x1d, 0x7b, 0x39, 0xa8, 0x20, 0xe2]);
    }

    #[test]
    fn a_shorter_message_is_a_prefix() {
        for len in 0..17 {
            assert_eq!(message(7, len), message(7, 17)[..len]);
        }
    }
}
