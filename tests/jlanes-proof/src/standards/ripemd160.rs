//! The pseudo-code of RIPEMD-160's authors, with the orders of words as permutations and the shifts by
//! word, as in the tables of their paper.

use jlanes_core::hashes::ripemd160::Ripemd160Compression;
use jlanes_reference::constants::{K_160, K_160_PRIME};

use super::Standard;
use crate::term::Term;

/// The permutation ρ.
const RHO: [usize; 16] = [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8];

/// The shift of each word in each round, of both lines.
const SHIFTS: [[u32; 16]; 5] = [
    [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    [12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7],
    [13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9],
    [14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6],
    [15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5],
];

/// `f(j, x, y, z)`, by round.
fn f(round: usize, x: Term, y: Term, z: Term) -> Term {
    match round {
        0 => x ^ y ^ z,
        1 => (x & y) | (!x & z),
        2 => (x | !y) ^ z,
        3 => (x & z) | (y & !z),
        _ => x ^ (y | !z),
    }
}

/// A line; `first` is the order of words in its first round, `function` the function of each round.
fn line(
    state: &[Term],
    x: &[Term],
    first: impl Fn(usize) -> usize,
    constants: [u32; 5],
    function: impl Fn(usize) -> usize,
) -> [Term; 5] {
    let [mut a, mut b, mut c, mut d, mut e] = *state else { panic!("five words") };
    for j in 0..80 {
        let round = j / 16;
        let mut word = first(j % 16);
        for _ in 0..round {
            word = RHO[word];
        }
        let k = Term::constant(constants[round].into());
        let t = (a + f(function(round), b, c, d) + x[word] + k).rotl(SHIFTS[round][word]) + e;
        (a, e, d, c, b) = (e, d, c.rotl(10), b, t);
    }
    [a, b, c, d, e]
}

impl Standard for Ripemd160Compression {
    fn compressed(h: &[Term], x: &[Term]) -> Vec<Term> {
        let [a, b, c, d, e] = line(h, x, |i| i, K_160, |round| round);
        let pi = |i| (9 * i + 5) % 16;
        let [a2, b2, c2, d2, e2] = line(h, x, pi, K_160_PRIME, |round| 4 - round);
        vec![h[1] + c + d2, h[2] + d + e2, h[3] + e + a2, h[4] + a + b2, h[0] + b + c2]
    }
}
