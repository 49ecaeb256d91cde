//! Every operation of every vector type, compared with the same operation on each lane's word.
//!
//! A check is written once over [`SimdWord`] and runs under each token of the CPU, compiled for it as
//! a kernel would be; [`Portable`] runs too, at widths that no register has.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    vec,
    vec::Vec,
};

use jlanes_core::simd::{
    portable::Portable,
    runs::Runs,
    vector::{Array, ByteOrder, Isa, SimdWord, Vector, Word},
};
use jlanes_testing::{backends, message};

use crate::{
    Backend,
    common::check::{Check, OnBoth},
    target::on_every_token,
};

mod operations;

fn on_every_isa<C: Check>(check: C) {
    Portable::<1>.run(OnBoth(check));
    Portable::<3>.run(OnBoth(check));
    Portable::<8>.run(OnBoth(check));
    let _ = backends::<Backend>(); // reports the missing ones
    on_every_token(check);
}

/// Little-endian words.
fn words<W: Word>(bytes: &[u8]) -> Vec<W> {
    bytes.chunks_exact(W::BYTES).map(W::from_le).collect()
}

/// The vector's words.
fn stored<W: Word, V: SimdWord<W>>(vector: V) -> Vec<W> {
    let mut words = vec![W::default(); V::N];
    vector.store(&mut words);
    words
}

#[derive(Clone, Copy)]
struct Memory;

impl Check for Memory {
    /// Loads and stores at every alignment, next to bytes that must not change.
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
    /// Stores of bytes, whole and in part, next to bytes that must not change.
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
            // a separate allocation, so that memory checkers see a read beyond it
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
struct Straddle;

impl Check for Straddle {
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let both: Vec<W> = words(&message(1, 2 * V::N * W::BYTES));
        let (a, b) = (V::load(proof, &both), V::load(proof, &both[V::N..]));
        for at in 0..V::N {
            assert_eq!(stored(V::concat_from(proof, a, b, at)), both[at..at + V::N], "word {at}");
        }
    }
}

#[test]
fn vectors_straddle_two_others() {
    on_every_isa(Straddle);
}

#[derive(Clone, Copy)]
struct Turn;

impl Check for Turn {
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        if V::N % 4 != 0 {
            return; // no group
        }
        let words: Vec<W> = words(&message(1, V::N * W::BYTES));
        for by in 1..4 {
            let turned = (0..V::N).map(|i| words[i / 4 * 4 + (i + by) % 4]);
            let found = stored(V::rotate_groups_left(proof, V::load(proof, &words), by));
            assert_eq!(found, Vec::from_iter(turned), "by {by}");
        }
    }
}

#[test]
fn groups_of_four_words_turn() {
    on_every_isa(Turn);
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
struct Squares;

impl Squares {
    /// Byte `i` of lane `l`, in two messages of which no two bytes have the same pair of values.
    fn tag(half: usize, l: usize, i: usize) -> u8 {
        ((l << 8 | i) >> (8 * half)) as u8
    }
}

impl Check for Squares {
    /// The place of each byte of a square of words from runs, and of columns that become digests.
    #[inline(always)]
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof) {
        let row = V::N * W::BYTES;
        for half in 0..2 {
            let texts: Vec<Vec<u8>> = (0..V::N + 2)
                .map(|l| (0..row + 9).map(|i| Self::tag(half, l, i)).collect())
                .collect();
            let runs: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
            for order in [ByteOrder::Big, ByteOrder::Little] {
                for (first, at) in [(0, 0), (1, 3), (2, 9)] {
                    let square = V::load_square(proof, order, &Runs::new(&runs), first, at);
                    for (i, column) in square.as_ref().iter().enumerate() {
                        let word =
                            |l: usize| W::read(order, &texts[first + l][at + i * W::BYTES..]);
                        let expected: Vec<W> = (0..V::N).map(word).collect();
                        assert_eq!(stored(*column), expected, "column {i} from {first}, {at} on");
                    }
                    Self::columns::<W, V>(proof, order, square.as_ref());
                }
            }
        }
    }
}

impl Squares {
    /// Columns as the words of digests, next to bytes that must not change.
    #[inline(always)]
    fn columns<W: Word, V: Vector<W>>(proof: V::Proof, order: ByteOrder, words: &[V]) {
        let bytes = words.len() * W::BYTES;
        for (before, behind) in [(0, 0), (0, 5), (3, 0), (8, 8)] {
            let size = before + bytes + behind;
            for lanes in 1..=V::N {
                let mut out = vec![0xaa; lanes * size];
                V::store_columns(proof, words, order, (before, size), &mut out);
                let mut expected = vec![0xaa; lanes * size];
                for (i, column) in words.iter().enumerate() {
                    for (l, word) in stored(*column).into_iter().take(lanes).enumerate() {
                        word.write(order, &mut expected[l * size + before + i * W::BYTES..]);
                    }
                }
                assert_eq!(out, expected, "{lanes} lanes of {size} bytes, from {before} on");
            }
        }
    }
}

#[test]
fn squares_put_every_byte_in_its_place() {
    on_every_isa(Squares);
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
