//! The standards over terms: formulas in the order and with the names of their texts. Constants with a
//! definition come from [`jlanes_reference`]; the others are typed here again.

use jlanes_core::compression::Compression;

use crate::{names::Name, term::Term};

mod blake2;
pub mod blake3;
mod keccak;
mod md5;
mod ripemd160;
mod sha1;
mod sha2;
mod skein;
mod sm3;

/// A compression function with a standard.
pub trait Standard: Compression<Word: Name> {
    /// The state after `block`.
    fn compressed(state: &[Term], block: &[Term]) -> Vec<Term>;
}

/// A standard with a message schedule.
pub trait Scheduled: Standard {
    /// `W_t` of all rounds.
    fn schedule(block: &[Term]) -> Vec<Term>;
    /// `K_t`.
    fn constant(t: usize) -> u64;
    /// The state after rounds over `words`.
    fn rounds(state: &[Term], words: &[Term]) -> Vec<Term>;
}

/// FIPS 180-4, section 4.1: `(x & y) ^ (!x & z)`.
fn ch(x: Term, y: Term, z: Term) -> Term {
    (x & y) ^ (!x & z)
}

/// FIPS 180-4, section 4.1: `(x & y) ^ (x & z) ^ (y & z)`.
fn maj(x: Term, y: Term, z: Term) -> Term {
    (x & y) ^ (x & z) ^ (y & z)
}

/// The sums of two states, word by word.
fn added(a: &[Term], b: &[Term]) -> Vec<Term> {
    a.iter().zip(b).map(|(a, b)| *a + *b).collect()
}
