//! Checks of arithmetic, shifts and logic, on words that show every carry and every bit.

use std::{vec, vec::Vec};

use jlanes_core::simd::{
    registers::RegisterPair,
    vector::{SimdWord, Vector, Word},
};
use jlanes_testing::message;

use super::{Check, on_every_isa, stored, words};

/// Sets of `N` words: the extreme ones in every lane, and random ones.
fn samples<W: Word, V: SimdWord<W>>() -> Vec<Vec<W>> {
    let row = V::N * W::BYTES;
    let extremes = [0x00, 0x01, 0x7f, 0x80, 0xff].map(|byte| vec![byte; row]);
    let random = (0..10).map(|seed| message(seed, row));
    extremes.into_iter().chain(random).map(|bytes| words(&bytes)).collect()
}

#[derive(Clone, Copy)]
struct Arithmetic;

impl Check for Arithmetic {
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let samples = samples::<W, V>();
        for a in &samples {
            for b in &samples {
                let each = |f: fn(W, W) -> W| -> Vec<W> {
                    a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect()
                };
                let (va, vb) = (V::load(proof, a), V::load(proof, b));
                assert_eq!(stored(va.add(vb)), each(W::wrapping_add));
                assert_eq!(stored(va.xor(vb)), each(W::xor));
                assert_eq!(stored(va.and(vb)), each(W::and));
                assert_eq!(stored(va.or(vb)), each(W::or));
                assert_eq!(stored(va.andnot(vb)), each(W::andnot));
            }
        }
    }
}

#[test]
fn arithmetic_matches_words() {
    on_every_isa(Arithmetic);
}

#[derive(Clone, Copy)]
struct Shifts;

impl Check for Shifts {
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        for a in samples::<W, V>() {
            let vector = V::load(proof, &a);
            for n in 0..8 * W::BYTES as u32 {
                let rotated: Vec<W> = a.iter().map(|word| word.rotr(n)).collect();
                let shifted: Vec<W> = a.iter().map(|word| word.shr(n)).collect();
                assert_eq!(stored(vector.rotr(n)), rotated, "rotation by {n}");
                assert_eq!(stored(vector.shr(n)), shifted, "shift by {n}");
            }
        }
    }
}

#[test]
fn rotations_and_shifts_match_words() {
    on_every_isa(Shifts);
}

#[derive(Clone, Copy)]
struct Carries;

impl Check for Carries {
    /// A carry from each bit to each higher one, and out of the word; every lane has another carry.
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let bits = 8 * W::BYTES;
        for shift in 0..bits {
            for length in 0..bits {
                let place = |l: usize| (shift + l) % bits;
                // ones from the bit on, `length` of them or as many as there is room for
                let ones = |l: usize| W::truncate(((1 << length) - 1) << place(l));
                let a: Vec<W> = (0..V::N).map(ones).collect();
                let b: Vec<W> = (0..V::N).map(|l| W::truncate(1 << place(l))).collect();
                let sums: Vec<W> = a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b)).collect();
                let (a, b) = (V::load(proof, &a), V::load(proof, &b));
                assert_eq!(stored(a.add(b)), sums, "{length} bits from {shift} on");
                assert_eq!(stored(b.add(a)), sums, "{length} bits from {shift} on");
            }
        }
    }
}

#[test]
fn sums_carry_at_every_bit() {
    on_every_isa(Carries);
}

#[derive(Clone, Copy)]
struct Places;

impl Check for Places {
    /// The place of each bit after each rotation and each shift; every lane has another one.
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let bits = 8 * W::BYTES as u32;
        for bit in 0..bits {
            let place = |l: usize| (bit + l as u32) % bits;
            let words: Vec<W> = (0..V::N).map(|l| W::truncate(1 << place(l))).collect();
            let vector = V::load(proof, &words);
            for n in 0..bits {
                let rotated = |l: usize| W::truncate(1 << ((place(l) + bits - n) % bits));
                let shifted = |l: usize| W::truncate((1 << place(l)) >> n);
                let all = |word: &dyn Fn(usize) -> W| -> Vec<W> { (0..V::N).map(word).collect() };
                assert_eq!(stored(vector.rotr(n)), all(&rotated), "bit {bit} by {n}");
                assert_eq!(stored(vector.shr(n)), all(&shifted), "bit {bit} by {n}");
            }
        }
    }
}

#[test]
fn every_bit_is_moved_to_its_place() {
    on_every_isa(Places);
}

#[derive(Clone, Copy)]
struct Ternary;

impl Ternary {
    #[inline(always)]
    fn compare<W: Word, V: Vector<W>>(proof: V::Proof, a: &[W], b: &[W], c: &[W]) {
        let each =
            |f: fn(W, W, W) -> W| -> Vec<W> { (0..V::N).map(|l| f(a[l], b[l], c[l])).collect() };
        let (va, vb, vc) = (V::load(proof, a), V::load(proof, b), V::load(proof, c));
        assert_eq!(stored(V::xor3(va, vb, vc)), each(|a, b, c| a.xor(b).xor(c)));
        assert_eq!(stored(V::ch(va, vb, vc)), each(|a, b, c| a.and(b).xor(a.andnot(c))));
        let maj = |a: W, b: W, c: W| a.and(b).xor(a.and(c)).xor(b.and(c));
        assert_eq!(stored(V::maj(va, vb, vc)), each(maj));
        assert_eq!(stored(V::chi(va, vb, vc)), each(|a, b, c| a.xor(b.andnot(c))));
    }
}

impl Check for Ternary {
    /// Bit `i` of the three bytes is input `i` of the truth table, so eight bits are all of it.
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let [a, b, c] = [0b1111_0000, 0b1100_1100, 0b1010_1010]
            .map(|column| words::<W>(&vec![column; V::N * W::BYTES]));
        Self::compare::<W, V>(proof, &a, &b, &c);
        let samples = samples::<W, V>();
        for (i, a) in samples.iter().enumerate() {
            let [b, c] = [1, 2].map(|step| &samples[(i + step) % samples.len()]);
            Self::compare::<W, V>(proof, a, b, c);
        }
    }
}

#[test]
fn three_operand_logic_matches_its_truth_table() {
    on_every_isa(Ternary);
}

#[derive(Clone, Copy)]
struct Pairs;

impl Check for Pairs {
    /// Two interleaved vectors compute what each computes alone.
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let both: Vec<W> = words(&message(8, 2 * V::N * W::BYTES));
        let others: Vec<W> = words(&message(9, 2 * V::N * W::BYTES));
        let out = |pair: RegisterPair<V>| {
            let mut words = vec![W::default(); 2 * V::N];
            pair.store(&mut words);
            words
        };
        let each = |f: fn(W, W) -> W| -> Vec<W> {
            both.iter().zip(&others).map(|(a, b)| f(*a, *b)).collect()
        };
        let (a, b) =
            (RegisterPair::<V>::load(proof, &both), RegisterPair::<V>::load(proof, &others));
        assert_eq!(out(a), both);
        assert_eq!(out(RegisterPair::<V>::splat(proof, both[0])), vec![both[0]; 2 * V::N]);
        assert_eq!(out(a.add(b)), each(W::wrapping_add));
        assert_eq!(out(a.xor(b)), each(W::xor));
        assert_eq!(out(a.and(b)), each(W::and));
        assert_eq!(out(a.or(b)), each(W::or));
        assert_eq!(out(a.andnot(b)), each(W::andnot));
        assert_eq!(out(a.rotr(7)), each(|a, _| a.rotr(7)));
        assert_eq!(out(a.shr(3)), each(|a, _| a.shr(3)));
        let c = a.add(b);
        assert_eq!(out(RegisterPair::xor3(a, b, c)), out(a.xor(b).xor(c)));
        assert_eq!(out(RegisterPair::ch(a, b, c)), out(a.and(b).xor(a.andnot(c))));
        assert_eq!(out(RegisterPair::maj(a, b, c)), out(a.and(b).xor(a.and(c)).xor(b.and(c))));
        assert_eq!(out(RegisterPair::chi(a, b, c)), out(a.xor(b.andnot(c))));
    }
}

#[test]
fn pairs_are_two_vectors() {
    on_every_isa(Pairs);
}
