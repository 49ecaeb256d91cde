//! Every operation of every vector type, against the same operation on each lane's word.
//!
//! A check is written once over [`Lanes`] and runs under each token of the CPU, compiled for it as
//! a kernel would be; [`Portable`] goes along, at widths that no register has.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    vec,
    vec::Vec,
};

use jlanes_core::simd::{
    groups::Pair,
    isa::{Isa, Kernel},
    lanes::{Array, ByteOrder, Lanes, Vector, Word},
    portable::Portable,
};
use jlanes_testing::{backends, message};

use crate::{Backend, target::on_every_token};

/// A check of one vector type.
trait Check: Copy {
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof);
}

/// A check, on both vector types of an instruction set.
#[derive(Clone, Copy)]
struct OnBoth<C>(C);

impl<C: Check> Kernel for OnBoth<C> {
    type Out = ();

    #[inline(always)]
    fn call<I: Isa>(self, isa: I) {
        self.0.check::<u32, I::U32>(isa.proof());
        self.0.check::<u64, I::U64>(isa.proof());
    }
}

fn on_every_isa<C: Check>(check: C) {
    Portable::<1>.run(OnBoth(check));
    Portable::<3>.run(OnBoth(check));
    Portable::<8>.run(OnBoth(check));
    for backend in backends::<Backend>() {
        on_every_token(backend.features, OnBoth(check));
    }
}

/// Sets of `N` words: the extreme ones in every lane, and random ones.
fn samples<W: Word, V: Lanes<W>>() -> Vec<Vec<W>> {
    let row = V::N * W::BYTES;
    let extremes = [0x00, 0x01, 0x7f, 0x80, 0xff].map(|byte| vec![byte; row]);
    let random = (0..10).map(|seed| message(seed, row));
    extremes.into_iter().chain(random).map(|bytes| words(&bytes)).collect()
}

/// Little-endian words.
fn words<W: Word>(bytes: &[u8]) -> Vec<W> {
    bytes.chunks_exact(W::BYTES).map(W::from_le).collect()
}

/// The vector's words.
fn stored<W: Word, V: Lanes<W>>(vector: V) -> Vec<W> {
    let mut words = vec![W::default(); V::N];
    vector.store(&mut words);
    words
}

#[derive(Clone, Copy)]
struct Memory;

impl Check for Memory {
    /// Loads and stores at every alignment, and next to bytes that must stay.
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let row = V::N * W::BYTES;
        let bytes = message(1, row + 64);
        for offset in 0..64 {
            let bytes = &bytes[offset..];
            let le: Vec<W> = words(&bytes[..row]);
            let be: Vec<W> = bytes[..row].chunks_exact(W::BYTES).map(W::from_be).collect();
            assert_eq!(stored(V::load_bytes(proof, ByteOrder::Little, bytes)), le);
            assert_eq!(stored(V::load_bytes(proof, ByteOrder::Big, bytes)), be);
        }
        let source: Vec<W> = words(&message(2, 2 * row));
        for first in 0..V::N {
            let mut target = source.clone();
            target.reverse();
            let mut expected = target.clone();
            expected[first..first + V::N].copy_from_slice(&source[first..first + V::N]);
            V::load(proof, &source[first..]).store(&mut target[first..]);
            assert_eq!(target, expected);
        }
        for word in &source {
            assert_eq!(stored(V::splat(proof, *word)), vec![*word; V::N]);
        }
    }
}

#[test]
fn loads_and_stores_match_slices() {
    on_every_isa(Memory);
}

#[derive(Clone, Copy)]
struct Bytes;

impl Check for Bytes {
    /// Stores of bytes, whole and in part, next to bytes that must stay.
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let row = V::N * W::BYTES;
        let source = message(5, row);
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let vector = V::load_bytes(proof, order, &source);
            for len in 0..=row {
                let mut target = message(6, row + 1);
                let after = target[len];
                if len == row {
                    vector.store_bytes(order, &mut target);
                } else {
                    vector.store_part(order, &mut target[..len]);
                }
                assert_eq!(target[..len], source[..len], "{len} bytes");
                assert_eq!(target[len], after, "the byte behind {len}");
            }
        }
    }
}

#[test]
fn bytes_are_stored_as_they_were_loaded() {
    on_every_isa(Bytes);
}

#[derive(Clone, Copy)]
struct Padded;

impl Check for Padded {
    /// Every length of message around a row, at every distance from its end.
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let row = V::N * W::BYTES;
        for len in 0..=2 * row + 1 {
            // an allocation of its own, so that memory checkers see a read behind it
            let message = message(7, len).into_boxed_slice();
            let mut padded = message.to_vec();
            padded.push(0x80);
            padded.resize(4 * row + 2, 0);
            for offset in 0..=3 * row {
                for order in [ByteOrder::Big, ByteOrder::Little] {
                    let vector = V::load_padded(proof, order, &message, offset, 0x80);
                    let words = padded[offset..][..row].chunks_exact(W::BYTES);
                    let expected: Vec<W> = words.map(|word| W::read(order, word)).collect();
                    assert_eq!(stored(vector), expected, "{len} bytes, from {offset} on");
                }
            }
        }
    }
}

#[test]
fn messages_are_padded_behind_their_ends() {
    on_every_isa(Padded);
}

#[derive(Clone, Copy)]
struct Short;

impl Check for Short {
    /// Slices that are a word or a byte short.
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let mut words = vec![W::default(); V::N - 1];
        let bytes = vec![0; V::N * W::BYTES - 1];
        let panics = |work: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(work)).is_err();
        assert!(panics(&mut || V::splat(proof, W::default()).store(&mut words)));
        assert!(panics(&mut || _ = V::load(proof, &words)));
        assert!(panics(&mut || _ = V::load_bytes(proof, ByteOrder::Little, &bytes)));
        assert!(panics(&mut || _ = V::load_bytes(proof, ByteOrder::Big, &bytes)));
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn short_slices_panic() {
    on_every_isa(Short);
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
    /// Two vectors side by side do what each does by itself.
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let both: Vec<W> = words(&message(8, 2 * V::N * W::BYTES));
        let others: Vec<W> = words(&message(9, 2 * V::N * W::BYTES));
        let out = |pair: Pair<V>| {
            let mut words = vec![W::default(); 2 * V::N];
            pair.store(&mut words);
            words
        };
        let each = |f: fn(W, W) -> W| -> Vec<W> {
            both.iter().zip(&others).map(|(a, b)| f(*a, *b)).collect()
        };
        let (a, b) = (Pair::<V>::load(proof, &both), Pair::<V>::load(proof, &others));
        assert_eq!(out(a), both);
        assert_eq!(out(Pair::<V>::splat(proof, both[0])), vec![both[0]; 2 * V::N]);
        assert_eq!(out(a.add(b)), each(W::wrapping_add));
        assert_eq!(out(a.xor(b)), each(W::xor));
        assert_eq!(out(a.and(b)), each(W::and));
        assert_eq!(out(a.or(b)), each(W::or));
        assert_eq!(out(a.andnot(b)), each(W::andnot));
        assert_eq!(out(a.rotr(7)), each(|a, _| a.rotr(7)));
        assert_eq!(out(a.shr(3)), each(|a, _| a.shr(3)));
        let c = a.add(b);
        assert_eq!(out(Pair::xor3(a, b, c)), out(a.xor(b).xor(c)));
        assert_eq!(out(Pair::ch(a, b, c)), out(a.and(b).xor(a.andnot(c))));
        assert_eq!(out(Pair::maj(a, b, c)), out(a.and(b).xor(a.and(c)).xor(b.and(c))));
        assert_eq!(out(Pair::chi(a, b, c)), out(a.xor(b.andnot(c))));
    }
}

#[test]
fn pairs_are_two_vectors() {
    on_every_isa(Pairs);
}

#[derive(Clone, Copy)]
struct Straddle;

impl Check for Straddle {
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let both: Vec<W> = words(&message(1, 2 * V::N * W::BYTES));
        let (a, b) = (V::load(proof, &both), V::load(proof, &both[V::N..]));
        for at in 0..V::N {
            assert_eq!(stored(V::straddle(proof, a, b, at)), both[at..at + V::N], "word {at}");
        }
    }
}

#[test]
fn vectors_straddle_two_others() {
    on_every_isa(Straddle);
}

#[derive(Clone, Copy)]
struct Transpose;

impl Check for Transpose {
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let rows: Vec<Vec<W>> =
            (0..V::N).map(|l| words(&message(l as u64, V::N * W::BYTES))).collect();
        let mut vectors = V::Per::<V>::splat(V::splat(proof, W::default()));
        for (vector, row) in vectors.as_mut().iter_mut().zip(&rows) {
            *vector = V::load(proof, row);
        }
        let columns = V::transpose(vectors);
        for (i, column) in columns.as_ref().iter().enumerate() {
            let expected: Vec<W> = rows.iter().map(|row| row[i]).collect();
            assert_eq!(stored(*column), expected, "column {i}");
        }
        for (vector, row) in V::transpose(columns).as_ref().iter().zip(&rows) {
            assert_eq!(stored(*vector), *row, "transposed twice");
        }
    }
}

#[test]
fn transposes_turn_rows_into_columns() {
    on_every_isa(Transpose);
}

#[derive(Clone, Copy)]
struct Prefetch;

impl Check for Prefetch {
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        for offset in [0, 63, usize::MAX / 3, usize::MAX] {
            V::prefetch(proof, &[], offset);
        }
    }
}

/// A hint must not fault, wherever it points.
#[test]
fn prefetches_may_point_anywhere() {
    on_every_isa(Prefetch);
}
