//! Padding and parsing (sections 5.1 and 5.2).

/// A message as the standard sees it: padded, in blocks of sixteen words of `WORD` bytes.
pub(super) struct Padded<'m, const WORD: usize> {
    message: &'m [u8],
    /// `N`, the number of blocks.
    pub(super) blocks: usize,
}

impl<'m, const WORD: usize> Padded<'m, WORD> {
    pub(super) fn new(message: &'m [u8]) -> Self {
        // the bit "1" takes a byte, the length two words
        let bytes = message.len() + 1 + 2 * WORD;
        Self { message, blocks: bytes.div_ceil(16 * WORD) }
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
        } else if to_the_end < 2 * WORD {
            (bits >> (8 * to_the_end)) as u8
        } else {
            0
        }
    }
}
