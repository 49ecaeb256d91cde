//! BLAKE2 as a sequential hash (RFC 7693), with the salt and the personalization of the paper
//! (J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn, C. Winnerlein, *BLAKE2: simpler, smaller, fast as
//! MD5*, 2013).
//!
//! ```
//! use jlanes_reference::{Blake2, blake2b};
//!
//! let mut digest = [0; 64];
//! blake2b(&Blake2::default(), b"abc", &mut digest);
//! assert_eq!(digest[..4], [0xba, 0x80, 0xa5, 0x3f]);
//! ```

mod blake2b;
mod blake2s;

pub use blake2b::{blake2b, blake2b_compress};
pub use blake2s::{blake2s, blake2s_compress};

/// All inputs of BLAKE2 except the message and the digest's length, which is that of the output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blake2<'a> {
    /// At most 64 bytes (BLAKE2b) or 32 (BLAKE2s); empty for none.
    pub key: &'a [u8],
    /// At most 16 bytes (BLAKE2b) or 8 (BLAKE2s), to which zeros are appended.
    pub salt: &'a [u8],
    /// The same length as the salt.
    pub personalization: &'a [u8],
}

impl Blake2<'_> {
    /// The parameter block of a sequential hash (section 2.8 of the paper) of eight words of `WORD`
    /// bytes: fanout and depth are 1, and the other tree parameters 0.
    fn parameter_block<const WORD: usize>(&self, digest_length: usize) -> [[u8; WORD]; 8] {
        assert!((1..=8 * WORD).contains(&digest_length), "a digest of {digest_length} bytes");
        assert!(self.key.len() <= 8 * WORD, "a key of {} bytes", self.key.len());
        assert!(self.salt.len() <= 2 * WORD, "a salt of {} bytes", self.salt.len());
        assert!(self.personalization.len() <= 2 * WORD, "too long a personalization");
        let byte = |at: usize| match at {
            0 => digest_length as u8,
            1 => self.key.len() as u8,
            2 | 3 => 1,
            _ if at < 4 * WORD => 0,
            _ if at < 6 * WORD => self.salt.get(at - 4 * WORD).copied().unwrap_or(0),
            _ => self.personalization.get(at - 6 * WORD).copied().unwrap_or(0),
        };
        core::array::from_fn(|i| core::array::from_fn(|k| byte(i * WORD + k)))
    }
}

/// The data blocks `d[0]` to `d[dd - 1]` of RFC 7693, section 3.3: the key's, if there is a key,
/// and the message's, of sixteen words of `WORD` bytes.
struct Blocks<'a, const WORD: usize> {
    key: &'a [u8],
    message: &'a [u8],
    /// `dd`.
    count: usize,
}

impl<'a, const WORD: usize> Blocks<'a, WORD> {
    fn new(key: &'a [u8], message: &'a [u8]) -> Self {
        let bb = 16 * WORD;
        let dd = key.len().div_ceil(bb) + message.len().div_ceil(bb);
        // no key and an empty message: one block of zeros
        Self { key, message, count: dd.max(1) }
    }

    /// Block `i`.
    fn block(&self, i: usize) -> [[u8; WORD]; 16] {
        let bb = 16 * WORD;
        let (data, start) = match (self.key.is_empty(), i) {
            (false, 0) => (self.key, 0),
            (false, _) => (self.message, (i - 1) * bb),
            (true, _) => (self.message, i * bb),
        };
        let byte = |at: usize| data.get(start + at).copied().unwrap_or(0);
        core::array::from_fn(|t| core::array::from_fn(|k| byte(t * WORD + k)))
    }

    /// The bytes up to the end of block `i`, or to the end of the message: the key counts as a
    /// whole block.
    fn bytes_to(&self, i: usize) -> usize {
        let bb = 16 * WORD;
        if i + 1 < self.count {
            (i + 1) * bb
        } else if self.key.is_empty() {
            self.message.len()
        } else {
            self.message.len() + bb
        }
    }
}

/// `SIGMA` (RFC 7693, section 2.7).
const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
