//! Skein 1.3, sections 3.3 and 3.4: Threefish, and a block of UBI. The state is the chaining value and
//! the tweak. The position in the tweak is that of the end of the block.

use jlanes_core::hashes::skein::threefish::Threefish;

use super::Standard;
use crate::term::Term;

const C240: u64 = 0x1bd1_1bda_a9fc_1a22;

/// The differences between the sizes (tables 3 and 4).
struct Size {
    words: usize,
    rounds: usize,
    permutation: &'static [usize],
    rotations: &'static [&'static [u32]],
}

const THREEFISH_256: Size = Size {
    words: 4,
    rounds: 72,
    permutation: &[0, 3, 2, 1],
    rotations: &[
        &[14, 16],
        &[52, 57],
        &[23, 40],
        &[5, 37],
        &[25, 33],
        &[46, 12],
        &[58, 22],
        &[32, 32],
    ],
};

const THREEFISH_512: Size = Size {
    words: 8,
    rounds: 72,
    permutation: &[2, 1, 4, 7, 6, 5, 0, 3],
    rotations: &[
        &[46, 36, 19, 37],
        &[33, 27, 14, 42],
        &[17, 49, 36, 39],
        &[44, 9, 54, 56],
        &[39, 30, 34, 24],
        &[13, 50, 10, 17],
        &[25, 29, 39, 43],
        &[8, 35, 56, 22],
    ],
};

const THREEFISH_1024: Size = Size {
    words: 16,
    rounds: 80,
    permutation: &[0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1],
    rotations: &[
        &[24, 13, 8, 47, 8, 17, 22, 37],
        &[38, 19, 10, 55, 49, 18, 23, 52],
        &[33, 4, 51, 13, 34, 41, 59, 17],
        &[5, 20, 48, 41, 47, 28, 16, 25],
        &[41, 9, 37, 31, 12, 47, 44, 30],
        &[16, 34, 56, 51, 4, 53, 42, 41],
        &[31, 44, 47, 46, 19, 42, 44, 25],
        &[9, 48, 35, 52, 23, 31, 37, 20],
    ],
};

impl Size {
    fn encrypted(&self, key: &[Term], tweak: [Term; 2], plain: &[Term]) -> Vec<Term> {
        let n = self.words;
        let mut k = key.to_vec();
        k.push(key.iter().fold(Term::constant(C240), |parity, word| parity ^ *word));
        let t = [tweak[0], tweak[1], tweak[0] ^ tweak[1]];
        let subkey = |s: usize, i: usize| {
            let word = k[(s + i) % (n + 1)];
            match n - i {
                3 => word + t[s % 3],
                2 => word + t[(s + 1) % 3],
                1 => word + Term::constant(s as u64),
                _ => word,
            }
        };
        let mut v = plain.to_vec();
        for d in 0..self.rounds {
            if d % 4 == 0 {
                v = (0..n).map(|i| v[i] + subkey(d / 4, i)).collect();
            }
            let mut f = v.clone();
            for j in 0..n / 2 {
                f[2 * j] = v[2 * j] + v[2 * j + 1];
                f[2 * j + 1] = v[2 * j + 1].rotl(self.rotations[d % 8][j]) ^ f[2 * j];
            }
            v = self.permutation.iter().map(|from| f[*from]).collect();
        }
        (0..n).map(|i| v[i] + subkey(self.rounds / 4, i)).collect()
    }

    fn ubi_block(&self, state: &[Term], message: &[Term]) -> Vec<Term> {
        let (chain, tweak) = state.split_at(self.words);
        let position = tweak[0] + Term::constant(8 * self.words as u64);
        let cipher = self.encrypted(chain, [position, tweak[1]], message);
        let mut out: Vec<_> = cipher.iter().zip(message).map(|(c, m)| *c ^ *m).collect();
        // "first" is bit 126 of the tweak
        out.extend([position, tweak[1] & !Term::constant(1 << (126 - 64))]);
        out
    }
}

macro_rules! threefish {
    ($($words:literal: $size:ident;)*) => {$(
        impl Standard for Threefish<$words> {
            fn compressed(state: &[Term], block: &[Term]) -> Vec<Term> {
                $size.ubi_block(state, block)
            }
        }
    )*};
}
threefish! {
    4: THREEFISH_256;
    8: THREEFISH_512;
    16: THREEFISH_1024;
}
