//! RFC 7693, section 3.2. The state is `h`, the counter in two words, and a word of ones for the last
//! block. The counter is that of all bytes up to the end of this block.

use jlanes_core::hashes::blake2::Blake2;
use jlanes_reference::constants::{H_256, H_512};

use super::Standard;
use crate::term::Term;

/// Section 2.7; rows 10 and 11 of BLAKE2b are rows 0 and 1.
#[rustfmt::skip]
const SIGMA: [[usize; 16]; 10] = [
    [ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15],
    [14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3],
    [11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4],
    [ 7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8],
    [ 9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13],
    [ 2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9],
    [12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11],
    [13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10],
    [ 6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5],
    [10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0],
];

/// The differences between BLAKE2b and BLAKE2s (section 2.1).
struct Parameters {
    bits: u32,
    rounds: usize,
    rotations: [u32; 4],
    iv: [u64; 8],
}

impl Parameters {
    /// Section 3.1.
    fn g(&self, v: &mut [Term], [a, b, c, d]: [usize; 4], x: Term, y: Term) {
        let [r1, r2, r3, r4] = self.rotations;
        v[a] = v[a] + v[b] + x;
        v[d] = (v[d] ^ v[a]).rotr(r1);
        v[c] = v[c] + v[d];
        v[b] = (v[b] ^ v[c]).rotr(r2);
        v[a] = v[a] + v[b] + y;
        v[d] = (v[d] ^ v[a]).rotr(r3);
        v[c] = v[c] + v[d];
        v[b] = (v[b] ^ v[c]).rotr(r4);
    }

    fn f(&self, state: &[Term], m: &[Term]) -> Vec<Term> {
        let (h, bytes) = (&state[..8], Term::constant(u64::from(16 * self.bits / 8)));
        let low = state[8] + bytes;
        // the carry out of the highest bit, as an adder has it
        let carry = ((state[8] & bytes) | ((state[8] | bytes) & !low)) >> (self.bits - 1);
        let (high, last) = (state[9] + carry, state[10]);
        let mut v = h.to_vec();
        v.extend(self.iv.map(Term::constant));
        v[12] = v[12] ^ low;
        v[13] = v[13] ^ high;
        v[14] = v[14] ^ last;
        for i in 0..self.rounds {
            let s = SIGMA[i % 10];
            self.g(&mut v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
            self.g(&mut v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
            self.g(&mut v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
            self.g(&mut v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
            self.g(&mut v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
            self.g(&mut v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
            self.g(&mut v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
            self.g(&mut v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
        }
        let mut out: Vec<_> = (0..8).map(|i| h[i] ^ v[i] ^ v[i + 8]).collect();
        out.extend([low, high, last]);
        out
    }
}

impl Standard for Blake2<u32> {
    fn compressed(state: &[Term], block: &[Term]) -> Vec<Term> {
        let (rotations, iv) = ([16, 12, 8, 7], H_256.map(u64::from));
        Parameters { bits: 32, rounds: 10, rotations, iv }.f(state, block)
    }
}

impl Standard for Blake2<u64> {
    fn compressed(state: &[Term], block: &[Term]) -> Vec<Term> {
        let rotations = [32, 24, 16, 63];
        Parameters { bits: 64, rounds: 12, rotations, iv: H_512 }.f(state, block)
    }
}
