//! Meaningless data, the same in every run.

/// A stream of bytes that look random.
#[derive(Clone, Debug)]
pub struct Noise(u64);

impl Noise {
    /// The stream with an index.
    #[must_use]
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// The next word (SplitMix64).
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// The next number below `bound`, nearly evenly.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound.max(1) as u64) as usize
    }

    /// The next `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let words = (0..len.div_ceil(8)).flat_map(|_| self.word().to_le_bytes());
        words.take(len).collect()
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        for bytes in array.chunks_mut(8) {
            bytes.copy_from_slice(&self.word().to_le_bytes()[..bytes.len()]);
        }
        array
    }
}
