//! The compression function of *BLAKE3: one function, fast everywhere*, section 2.2. The state is the
//! chaining value, the counter in two words, the length of the block, and the flags.

use jlanes_core::hashes::blake3::Blake3Compression;
use jlanes_reference::constants::H_256;

use super::Standard;
use crate::term::Term;

/// Table 2.
const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

fn g(v: &mut [Term], [a, b, c, d]: [usize; 4], x: Term, y: Term) {
    v[a] = v[a] + v[b] + x;
    v[d] = (v[d] ^ v[a]).rotr(16);
    v[c] = v[c] + v[d];
    v[b] = (v[b] ^ v[c]).rotr(12);
    v[a] = v[a] + v[b] + y;
    v[d] = (v[d] ^ v[a]).rotr(8);
    v[c] = v[c] + v[d];
    v[b] = (v[b] ^ v[c]).rotr(7);
}

/// The flags `d` of this block. In a word of the state, they are the lowest byte; the byte above has
/// the additional flags of the last block, and the highest byte is set for the last block.
fn flags(word: Term) -> Term {
    let byte = |n: u32| (word >> (8 * n)) & Term::constant(0xff);
    byte(0) | (byte(1) & byte(3))
}

/// All sixteen words of the output.
#[must_use]
pub fn output(state: &[Term], block: &[Term]) -> Vec<Term> {
    let (h, mut m) = (&state[..8], block.to_vec());
    let mut v = h.to_vec();
    v.extend(H_256[..4].iter().map(|word| Term::constant((*word).into())));
    v.extend(&state[8..11]);
    v.push(flags(state[11]));
    for _ in 0..7 {
        g(&mut v, [0, 4, 8, 12], m[0], m[1]);
        g(&mut v, [1, 5, 9, 13], m[2], m[3]);
        g(&mut v, [2, 6, 10, 14], m[4], m[5]);
        g(&mut v, [3, 7, 11, 15], m[6], m[7]);
        g(&mut v, [0, 5, 10, 15], m[8], m[9]);
        g(&mut v, [1, 6, 11, 12], m[10], m[11]);
        g(&mut v, [2, 7, 8, 13], m[12], m[13]);
        g(&mut v, [3, 4, 9, 14], m[14], m[15]);
        m = PERMUTATION.iter().map(|from| m[*from]).collect();
    }
    let low = (0..8).map(|i| v[i] ^ v[i + 8]);
    low.chain((0..8).map(|i| v[i + 8] ^ h[i])).collect()
}

impl Standard for Blake3Compression {
    fn compressed(state: &[Term], block: &[Term]) -> Vec<Term> {
        let mut out = output(state, block);
        out[8..].copy_from_slice(&state[8..]);
        // the next block does not begin a chunk
        out[11] = state[11] & !Term::constant(1);
        out
    }
}
