//! GB/T 32905-2016, section 5.3.

use jlanes_core::hashes::sm3::Sm3Compression;

use super::Standard;
use crate::term::Term;

fn p0(x: Term) -> Term {
    x ^ x.rotl(9) ^ x.rotl(17)
}

fn p1(x: Term) -> Term {
    x ^ x.rotl(15) ^ x.rotl(23)
}

impl Standard for Sm3Compression {
    fn compressed(v: &[Term], block: &[Term]) -> Vec<Term> {
        let mut w = block.to_vec();
        for j in 16..68 {
            let new = p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotl(15)) ^ w[j - 13].rotl(7) ^ w[j - 6];
            w.push(new);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *v else {
            panic!("eight words")
        };
        for j in 0..64 {
            let t = Term::constant(if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a });
            let ss1 = (a.rotl(12) + e + t.rotl(j as u32 % 32)).rotl(7);
            let ss2 = ss1 ^ a.rotl(12);
            let (ff, gg) = match j {
                0..16 => (a ^ b ^ c, e ^ f ^ g),
                _ => ((a & b) | (a & c) | (b & c), (e & f) | (!e & g)),
            };
            let tt1 = ff + d + ss2 + (w[j] ^ w[j + 4]);
            let tt2 = gg + h + ss1 + w[j];
            (d, c, b, a) = (c, b.rotl(9), a, tt1);
            (h, g, f, e) = (g, f.rotl(19), e, p0(tt2));
        }
        [a, b, c, d, e, f, g, h].into_iter().zip(v).map(|(new, old)| new ^ *old).collect()
    }
}
