//! Padding and parsing, as MD4 began them: FIPS 180-4 (sections 5.1 and 5.2) and GB/T 32905-2016
//! (section 5.2) write words with their first byte on the left, RFC 1321 (sections 3.1 and 3.2) and
//! RIPEMD-160 with their first byte on the right.

/// A message as a standard sees it: padded, in blocks of sixteen words of `WORD` bytes.
pub(super) struct Padded<'m, const WORD: usize> {
    message: &'m [u8],
    /// Whether the message's length is written with its low-order byte first.
    little_endian: bool,
    /// `N`, the number of blocks.
    pub(super) blocks: usize,
}

impl<'m, const WORD: usize> Padded<'m, WORD> {
    pub(super) fn new(message: &'m [u8]) -> Self {
        // the bit "1" takes a byte, the length two words
        let bytes = message.len() + 1 + 2 * WORD;
        Self { message, little_endian: false, blocks: bytes.div_ceil(16 * WORD) }
    }

    /// The padding of MD5 and RIPEMD-160.
    pub(super) fn little_endian(message: &'m [u8]) -> Self {
        Self { little_endian: true, ..Self::new(message) }
    }

    /// The bytes of `M_t(i)`, where blocks are counted from 0.
    pub(super) fn word(&self, i: usize, t: usize) -> [u8; WORD] {
        core::array::from_fn(|k| self.byte((16 * i + t) * WORD + k))
    }

    fn byte(&self, at: usize) -> u8 {
        let bits = 8 * self.message.len() as u128;
        let to_the_end = self.blocks * 16 * WORD - 1 - at;
        if at < self.message.len() {
            self.message[at]
        } else if at == self.message.len() {
            0x80
        } else if to_the_end >= 2 * WORD {
            0
        } else if self.little_endian {
            (bits >> (8 * (2 * WORD - 1 - to_the_end))) as u8
        } else {
            (bits >> (8 * to_the_end)) as u8
        }
    }
}
