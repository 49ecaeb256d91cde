//! Skein 1.3 word for word, with arguments and trees: words in vectors, one bit of the tweak at a
//! time. Section numbers in this module are those of *The Skein Hash Function Family*, version 1.3.
//!
//! ```
//! use jlanes_reference::skein::Skein;
//!
//! let digest = Skein { state_bytes: 64, output_bits: 512, ..Skein::default() }.hash(b"", 0);
//! assert_eq!(digest[..4], [0xbc, 0x5b, 0x4c, 0x50]);
//! ```

use alloc::{vec, vec::Vec};

mod threefish;

pub use threefish::threefish;

/// Values of the tweak's type field (section 3.5.1, table 6).
const KEY: u128 = 0;
const CONFIGURATION: u128 = 4;
const PERSONALIZATION: u128 = 8;
const PUBLIC_KEY: u128 = 12;
const KEY_IDENTIFIER: u128 = 16;
const NONCE: u128 = 20;
const MESSAGE: u128 = 48;
const OUTPUT: u128 = 63;

/// Skein with all its inputs except the message (section 3.5).
#[derive(Clone, Debug, Default)]
pub struct Skein<'a> {
    /// N_b: 32, 64 or 128.
    pub state_bytes: usize,
    /// N_o.
    pub output_bits: u64,
    /// K; empty for none.
    pub key: &'a [u8],
    /// Personalization.
    pub personalization: Option<&'a [u8]>,
    /// Public key.
    pub public_key: Option<&'a [u8]>,
    /// Key identifier.
    pub key_identifier: Option<&'a [u8]>,
    /// Nonce.
    pub nonce: Option<&'a [u8]>,
    /// Y_l, Y_f and Y_m; all 0 for no tree.
    pub tree: [u8; 3],
}

impl Skein<'_> {
    /// The digest of `message`; only `bits` bits of its last byte count, 0 means all eight.
    #[must_use]
    pub fn hash(&self, message: &[u8], bits: u32) -> Vec<u8> {
        let mut g = vec![0; self.state_bytes];
        if !self.key.is_empty() {
            g = ubi(&g, self.key, 0, KEY << 120);
        }
        g = ubi(&g, &self.configuration(), 0, CONFIGURATION << 120);
        for (kind, argument) in [
            (PERSONALIZATION, self.personalization),
            (PUBLIC_KEY, self.public_key),
            (KEY_IDENTIFIER, self.key_identifier),
            (NONCE, self.nonce),
        ] {
            if let Some(argument) = argument {
                g = ubi(&g, argument, 0, kind << 120);
            }
        }
        g = match self.tree {
            [0, 0, 0] => ubi(&g, message, bits, MESSAGE << 120),
            _ => self.tree(&g, message, bits),
        };
        self.output(&g)
    }

    /// The configuration string (section 3.5.2).
    fn configuration(&self) -> Vec<u8> {
        let mut c = Vec::new();
        c.extend_from_slice(b"SHA3");
        c.extend_from_slice(&1_u16.to_le_bytes());
        c.extend_from_slice(&[0; 2]);
        c.extend_from_slice(&self.output_bits.to_le_bytes());
        c.extend_from_slice(&self.tree);
        c.extend_from_slice(&[0; 13]);
        c
    }

    /// The output function (section 3.5.3).
    fn output(&self, g: &[u8]) -> Vec<u8> {
        let bytes = self.output_bits.div_ceil(8) as usize;
        let mut out = Vec::new();
        for counter in 0_u64.. {
            if out.len() >= bytes {
                break;
            }
            out.extend(ubi(g, &counter.to_le_bytes(), 0, OUTPUT << 120));
        }
        out.truncate(bytes);
        let unused = 8 * bytes as u64 - self.output_bits;
        if let Some(last) = out.last_mut() {
            *last &= (0xff << unused) as u8;
        }
        out
    }

    /// Tree hashing (section 3.5.6).
    fn tree(&self, g: &[u8], message: &[u8], bits: u32) -> Vec<u8> {
        let [y_l, y_f, y_m] = self.tree;
        let nb = self.state_bytes;
        // a leaf or node longer than any message is limited to the size of memory
        let bytes = |y: u8| nb.saturating_mul(1_usize.checked_shl(y.into()).unwrap_or(usize::MAX));
        let (leaf, node) = (bytes(y_l), bytes(y_f));
        let mut level = 1;
        let mut m = level_of(g, message, bits, leaf, level);
        while m.len() > nb {
            level += 1;
            if level == y_m {
                return ubi(g, &m, 0, u128::from(y_m) << 112 | MESSAGE << 120);
            }
            m = level_of(g, &m, 0, node, level);
        }
        m
    }
}

/// The next level: each piece of `size` bytes is one UBI call.
fn level_of(g: &[u8], m: &[u8], bits: u32, size: usize, level: u8) -> Vec<u8> {
    let pieces: Vec<&[u8]> = if m.is_empty() { vec![m] } else { m.chunks(size).collect() };
    let mut next = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        let bits = if i + 1 == pieces.len() { bits } else { 0 };
        let tweak = (i * size) as u128 + (u128::from(level) << 112) + (MESSAGE << 120);
        next.extend(ubi(g, piece, bits, tweak));
    }
    next
}

/// UBI(G, M, T_s) (section 3.4).
fn ubi(g: &[u8], message: &[u8], bits: u32, start_tweak: u128) -> Vec<u8> {
    let nb = g.len();
    let mut m = message.to_vec();
    let b = u128::from(bits > 0);
    if bits > 0 {
        let last = m.len() - 1;
        m[last] = m[last] & (0xff << (8 - bits)) as u8 | 0x80 >> bits;
    }
    let n_m = m.len();
    m.resize(n_m.next_multiple_of(nb).max(nb), 0);
    let blocks = m.len() / nb;
    let mut h = words(g);
    for i in 0..blocks {
        let (first, last) = (u128::from(i == 0), u128::from(i == blocks - 1));
        let tweak = start_tweak
            + n_m.min((i + 1) * nb) as u128
            + (first << 126)
            + (last << 127)
            + ((last * b) << 119);
        let block = words(&m[i * nb..][..nb]);
        let cipher = threefish(&h, [tweak as u64, (tweak >> 64) as u64], &block);
        h = cipher.iter().zip(&block).map(|(c, p)| c ^ p).collect();
    }
    h.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}
