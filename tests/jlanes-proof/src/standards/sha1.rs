//! FIPS 180-4, section 6.1.2.

use jlanes_core::hashes::sha1::Sha1Compression;
use jlanes_reference::constants::K_1;

use super::{Scheduled, Standard, added, ch, maj};
use crate::term::Term;

impl Standard for Sha1Compression {
    fn compressed(state: &[Term], block: &[Term]) -> Vec<Term> {
        Self::rounds(state, &Self::schedule(block))
    }
}

impl Scheduled for Sha1Compression {
    fn schedule(block: &[Term]) -> Vec<Term> {
        let mut w = block.to_vec();
        for t in 16..80 {
            w.push((w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotl(1));
        }
        w
    }

    fn constant(t: usize) -> u64 {
        K_1[t / 20].into()
    }

    fn rounds(state: &[Term], w: &[Term]) -> Vec<Term> {
        let [mut a, mut b, mut c, mut d, mut e] = *state else { panic!("five words") };
        for t in 0..80 {
            let f = match t {
                0..20 => ch(b, c, d),
                40..60 => maj(b, c, d),
                _ => b ^ c ^ d,
            };
            let sum = a.rotl(5) + f + e + Term::constant(Self::constant(t)) + w[t];
            (e, d, c, b, a) = (d, c, b.rotl(30), a, sum);
        }
        added(state, &[a, b, c, d, e])
    }
}
