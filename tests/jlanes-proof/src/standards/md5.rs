//! RFC 1321, section 3.4.

use jlanes_core::hashes::md5::Md5Compression;
use jlanes_reference::constants::T;

use super::{Standard, added};
use crate::term::Term;

/// `k` of each operation.
const K: [[usize; 16]; 4] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [1, 6, 11, 0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12],
    [5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2],
    [0, 7, 14, 5, 12, 3, 10, 1, 8, 15, 6, 13, 4, 11, 2, 9],
];

/// `s` of each operation, which repeats after four.
const S: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

impl Standard for Md5Compression {
    fn compressed(state: &[Term], x: &[Term]) -> Vec<Term> {
        let functions: [fn(Term, Term, Term) -> Term; 4] = [
            |x, y, z| (x & y) | (!x & z),
            |x, y, z| (x & z) | (y & !z),
            |x, y, z| x ^ y ^ z,
            |x, y, z| y ^ (x | !z),
        ];
        let [mut a, mut b, mut c, mut d] = *state else { panic!("four words") };
        for i in 0..64 {
            let (round, operation) = (i / 16, i % 16);
            let mixed = functions[round](b, c, d);
            let sum = a + mixed + x[K[round][operation]] + Term::constant(T[i].into());
            // the next operation is [DABC ...]
            (a, d, c, b) = (d, c, b, b + sum.rotl(S[round][operation % 4]));
        }
        added(state, &[a, b, c, d])
    }
}
