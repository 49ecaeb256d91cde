//! FIPS 180-4, sections 6.2.2 and 6.4.2.

use jlanes_core::hashes::sha2::Sha2;
use jlanes_reference::constants::{K_256, K_512};

use super::{Scheduled, Standard, added, ch, maj};
use crate::term::Term;

/// The differences between SHA-256 and SHA-512 (sections 4.1.2 and 4.1.3).
struct Functions {
    rounds: usize,
    big: [fn(Term) -> Term; 2],
    small: [fn(Term) -> Term; 2],
}

const SHA256: Functions = Functions {
    rounds: 64,
    big: [|x| x.rotr(2) ^ x.rotr(13) ^ x.rotr(22), |x| x.rotr(6) ^ x.rotr(11) ^ x.rotr(25)],
    small: [|x| x.rotr(7) ^ x.rotr(18) ^ (x >> 3), |x| x.rotr(17) ^ x.rotr(19) ^ (x >> 10)],
};

const SHA512: Functions = Functions {
    rounds: 80,
    big: [|x| x.rotr(28) ^ x.rotr(34) ^ x.rotr(39), |x| x.rotr(14) ^ x.rotr(18) ^ x.rotr(41)],
    small: [|x| x.rotr(1) ^ x.rotr(8) ^ (x >> 7), |x| x.rotr(19) ^ x.rotr(61) ^ (x >> 6)],
};

impl Functions {
    fn schedule(&self, block: &[Term]) -> Vec<Term> {
        let mut w = block.to_vec();
        for t in 16..self.rounds {
            w.push(self.small[1](w[t - 2]) + w[t - 7] + self.small[0](w[t - 15]) + w[t - 16]);
        }
        w
    }

    fn rounds(&self, state: &[Term], w: &[Term], constant: fn(usize) -> u64) -> Vec<Term> {
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state else {
            panic!("eight words")
        };
        for t in 0..self.rounds {
            let k = Term::constant(constant(t));
            let t1 = h + self.big[1](e) + ch(e, f, g) + k + w[t];
            let t2 = self.big[0](a) + maj(a, b, c);
            (h, g, f, e, d, c, b, a) = (g, f, e, d + t1, c, b, a, t1 + t2);
        }
        added(state, &[a, b, c, d, e, f, g, h])
    }
}

macro_rules! sha2 {
    ($($word:ty: $functions:ident, $constants:ident;)*) => {$(
        impl Standard for Sha2<$word> {
            fn compressed(state: &[Term], block: &[Term]) -> Vec<Term> {
                Self::rounds(state, &Self::schedule(block))
            }
        }

        impl Scheduled for Sha2<$word> {
            fn schedule(block: &[Term]) -> Vec<Term> {
                $functions.schedule(block)
            }

            fn constant(t: usize) -> u64 {
                $constants[t].into()
            }

            fn rounds(state: &[Term], words: &[Term]) -> Vec<Term> {
                $functions.rounds(state, words, Self::constant)
            }
        }
    )*};
}
sha2! {
    u32: SHA256, K_256;
    u64: SHA512, K_512;
}
