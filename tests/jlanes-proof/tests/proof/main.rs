//! The proofs, hash by hash.

mod faults;
mod forms;
mod fused;
mod schedules;

use faults::{faults, faults_serial, faults_wide};
use forms::{Shared, all, few_registers, one_text, serial};
use fused::{fused, fused_serial};
use jlanes_core::hashes::{
    blake2::Blake2,
    blake3::Blake3Compression,
    keccak::Keccak,
    md5::Md5Compression,
    ripemd160::Ripemd160Compression,
    sha1::Sha1Compression,
    sha2::Sha2,
    skein::{Threefish256, Threefish512, Threefish1024},
    sm3::Sm3Compression,
};
use jlanes_proof::{
    names::{also, word_of},
    standards::Scheduled,
    term::Term,
};

impl Shared for Md5Compression {}
impl Shared for Ripemd160Compression {}
impl Shared for Sm3Compression {}
impl Shared for Blake2<u32> {}
impl Shared for Blake2<u64> {}
impl Shared for Blake3Compression {}
impl<const WORDS: usize, const ROUNDS: usize> Shared for Keccak<WORDS, ROUNDS> {}
impl Shared for Threefish256 {}
impl Shared for Threefish512 {}
impl Shared for Threefish1024 {}

/// `W_t`, to which the rounds add `K_t` in plain arithmetic.
impl Shared for Sha1Compression {
    fn shared(block: &[Term]) -> Vec<u32> {
        let schedule = Self::schedule(block).into_iter().enumerate();
        let word = |(t, term)| {
            let (word, k): (u32, _) = (word_of(term), Self::constant(t));
            also(word.wrapping_add(k as u32), term + Term::constant(k));
            word
        };
        schedule.map(word).collect()
    }
}

macro_rules! sha2 {
    ($($word:ty),*) => {$(
        /// `W_t + K_t`.
        impl Shared for Sha2<$word> {
            fn shared(block: &[Term]) -> Vec<$word> {
                let schedule = Self::schedule(block).into_iter().enumerate();
                schedule.map(|(t, w)| word_of(w + Term::constant(Self::constant(t)))).collect()
            }
        }
    )*};
}
sha2!(u32, u64);

macro_rules! proofs {
    ($($name:ident: $compression:ty, $($forms:ident)*;)*) => {$(
        #[test]
        fn $name() {
            $($forms::<$compression>();)*
        }
    )*};
}
proofs! {
    sha1: Sha1Compression, all fused;
    sha256: Sha2<u32>, all serial fused fused_serial;
    sha512: Sha2<u64>, all serial fused fused_serial;
    md5: Md5Compression, all fused;
    ripemd160: Ripemd160Compression, all fused;
    sm3: Sm3Compression, all fused;
    blake2s: Blake2<u32>, all few_registers;
    blake2b: Blake2<u64>, all few_registers;
    blake3: Blake3Compression, all few_registers;
    sha3_256: Keccak<17, 24>, all;
    sha3_512: Keccak<9, 24>, one_text;
    sha3_384: Keccak<13, 24>, one_text;
    sha3_224: Keccak<18, 24>, one_text;
    shake128: Keccak<21, 24>, one_text;
    turboshake128: Keccak<21, 12>, all;
    turboshake256: Keccak<17, 12>, one_text;
    threefish256: Threefish256, all;
    threefish512: Threefish512, all;
    threefish1024: Threefish1024, all;
}

/// Proofs fail where the texts are wrong.
mod mistakes {
    use super::*;

    proofs! {
        sha1: Sha1Compression, faults;
        sha256: Sha2<u32>, faults faults_serial;
        sha512: Sha2<u64>, faults faults_serial;
        md5: Md5Compression, faults faults_wide;
        ripemd160: Ripemd160Compression, faults faults_wide;
        sm3: Sm3Compression, faults;
        blake2s: Blake2<u32>, faults faults_wide;
        blake2b: Blake2<u64>, faults faults_wide;
        blake3: Blake3Compression, faults;
        sha3_256: Keccak<17, 24>, faults;
        turboshake128: Keccak<21, 12>, faults;
        threefish256: Threefish256, faults;
        threefish512: Threefish512, faults;
        threefish1024: Threefish1024, faults;
    }
}
