//! Tests of the tables of conditions and vectors against those of the authors' implementation.

extern crate std;

use core::array;
use std::vec::Vec;

use jlanes_testing::{Record, corpus, message};

use super::{
    CANDIDATES_ROW, Defer, MAX_WAITING_BLOCKS, Trace, WaitingBlocks,
    candidates::{Bits, candidates_of_bits},
    conditions::STEPS,
    disturbance_vectors::{ALL, DIFFERENCES, DisturbanceVector, VectorType},
    lanes_with_candidates,
    recheck::{EARLY_STEP, END_ROW, LATE_STEP, MASK_ROW, STATE_ROW, SUSPECT_ROWS, WINDOW_START},
    write_suspect,
};
use crate::{
    hashes::sha1::{K, ROUNDS},
    simd::{
        portable::{PlainWords, Portable},
        vector::{Isa, SimdWord},
    },
};

/// A vector of the corpus.
struct Known {
    vector: DisturbanceVector,
    /// Sets of bits, by step and position, that determine each other; the third number is the bit
    /// in one of two opposite choices.
    sets: Vec<Vec<[u32; 3]>>,
    record: Record,
}

fn known() -> Vec<Known> {
    let of = |record: Record| {
        let kind = if record.text("type") == "I" { VectorType::I } else { VectorType::II };
        let vector =
            DisturbanceVector { kind, step: record.number("k"), rotation: record.number("b") };
        let mut sets: Vec<Vec<[u32; 3]>> = Vec::new();
        for [set, step, position, bit] in record.numbers::<u32>("bits").as_chunks().0 {
            sets.resize(sets.len().max(*set as usize + 1), Vec::new());
            sets[*set as usize].push([*step, *position, *bit]);
        }
        Known { vector, sets, record }
    };
    corpus("sha1_conditions").into_iter().map(of).collect()
}

impl Known {
    fn set(&self) -> usize {
        self.vector.rotation as usize / 2
    }

    fn is_in(&self, candidates: [u32; 2]) -> bool {
        candidates[self.set()] >> self.vector.bit() & 1 != 0
    }

    /// The corpus's conditions.
    fn is_met(&self, words: &[u32; ROUNDS]) -> bool {
        self.sets.iter().all(|set| {
            let choice =
                |[step, position, bit]: &[u32; 3]| words[*step as usize] >> position & 1 ^ bit;
            set.iter().all(|bit| choice(bit) == choice(&set[0]))
        })
    }

    /// Changes `words` so that they meet the conditions.
    fn meet(&self, words: &mut [u32; ROUNDS]) {
        for set in &self.sets {
            let [step, position, first] = set[0];
            let choice = words[step as usize] >> position & 1 ^ first;
            for [step, position, bit] in set {
                let word = &mut words[*step as usize];
                *word = *word & !(1 << position) | (choice ^ bit) << position;
            }
        }
    }
}

fn words(seed: u64) -> [u32; ROUNDS] {
    let bytes = message(seed, 4 * ROUNDS);
    let (words, _) = bytes.as_chunks();
    array::from_fn(|t| u32::from_le_bytes(words[t]))
}

/// The candidates of each of `N` schedules.
fn candidates<const N: usize>(schedules: [[u32; ROUNDS]; N]) -> [[u32; 2]; N] {
    let mut bits = Bits::<PlainWords<u32, N>>::new(());
    for t in STEPS {
        let mut side = PlainWords([0; N]);
        bits.take((), t, PlainWords(schedules.map(|words| words[t])), &mut side);
    }
    let sets = bits.candidates(());
    let candidates = array::from_fn(|lane| sets.map(|set| set.0[lane]));
    let of_bits = schedules.map(|words| {
        let row = |p: usize| STEPS.fold(0, |row, t| row | (words[t] >> p & 1) << (t % 32));
        candidates_of_bits(row)
    });
    assert_eq!(of_bits, candidates);
    candidates
}

#[test]
fn the_vectors_are_those_of_the_paper() {
    let known = known();
    assert_eq!(known.len(), 32);
    let mut all = [0; 2];
    for Known { vector, record, .. } in known {
        let set = vector.rotation as usize / 2;
        all[set] |= 1 << vector.bit();
        assert_eq!(DisturbanceVector::from_bit(vector.bit(), vector.rotation), vector);
        let step = if vector.is_late() { LATE_STEP } else { EARLY_STEP };
        assert_eq!(step, record.number::<usize>("recompress_from"), "{}", record.name());
        let difference = DIFFERENCES[set][vector.bit()];
        let words: [_; 16] = array::from_fn(|i| difference[(WINDOW_START + i) % 16].to_be_bytes());
        assert_eq!(words.as_flattened(), record.hex("words_49_to_64_hex"), "{}", record.name());
    }
    assert_eq!(all, ALL);
}

#[test]
fn random_words_have_the_candidates_of_the_corpus() {
    let known = known();
    let mut met = 0;
    for seed in 0..20_000 {
        let words = words(seed);
        let [found] = candidates([words]);
        for known in &known {
            met += usize::from(known.is_met(&words));
            assert_eq!(known.is_in(found), known.is_met(&words), "{}", known.record.name());
        }
    }
    // about one block in twenty
    assert!((500..3000).contains(&met), "{met} of 20,000");
}

#[test]
fn every_condition_of_every_vector_counts() {
    for (seed, known) in (100_000..).zip(known()) {
        let mut words = words(seed);
        known.meet(&mut words);
        assert!(known.is_in(candidates([words])[0]), "{}", known.record.name());
        // whichever bit changes, it does not agree with the others of its set
        for [step, position, _] in known.sets.iter().flatten() {
            let mut other = words;
            other[*step as usize] ^= 1 << position;
            assert!(!known.is_met(&other));
            // among other lanes
            let lanes = candidates([words, other, self::words(seed + 1), words]);
            let found = lanes.map(|lane| known.is_in(lane));
            assert!(
                found[0] && !found[1] && found[3],
                "{}: {step}, {position}",
                known.record.name()
            );
        }
        // no other bit matters
        for t in 0..ROUNDS {
            for position in 0..32 {
                let mut other = words;
                other[t] ^= 1 << position;
                let [found] = candidates([other]);
                assert_eq!(known.is_in(found), known.is_met(&other), "{}", known.record.name());
            }
        }
    }
}

#[test]
fn few_lanes_have_the_same_candidates() {
    let many: [_; 16] = array::from_fn(|lane| words(200_000 + lane as u64));
    let all = candidates(many);
    for (words, found) in many.into_iter().zip(all) {
        assert_eq!(candidates([words])[0], found);
    }
    assert_eq!(<PlainWords<u32, 16> as SimdWord<u32>>::N, many.len());
}

/// The words of a schedule, and the states before its steps, by SHA-1's definition.
fn plain(mut state: [u32; 5], block: [u32; 16]) -> ([u32; ROUNDS], Vec<[u32; 5]>) {
    let mut w = [0; ROUNDS];
    w[..16].copy_from_slice(&block);
    for t in 16..ROUNDS {
        w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
    }
    let mut states = Vec::new();
    for (t, word) in w.into_iter().enumerate() {
        states.push(state);
        let [a, b, c, d, e] = state;
        let f = [b & c | !b & d, b ^ c ^ d, b & c | b & d | c & d, b ^ c ^ d][t / 20];
        let sum = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(word);
        state = [sum.wrapping_add(K[t / 20]), a, b.rotate_left(30), c, d];
    }
    (w, states)
}

/// Known attacks have late vectors of the first rotation, so the others are tested by their parts.
#[test]
fn lanes_have_candidates_of_either_set_or_the_same_of_both() {
    let mut sets = [[0; MAX_WAITING_BLOCKS]; 2];
    (sets[0][1], sets[1][2]) = (5, 5);
    (sets[0][15], sets[1][15]) = (5, 5);
    assert_eq!(lanes_with_candidates(&sets), 1 << 1 | 1 << 2 | 1 << 15);
}

#[test]
fn suspects_have_the_words_and_the_state_of_their_vector() {
    let random = words(5);
    let (start, block) = ([0, 1, 2, 3, 4].map(|i| random[i]), array::from_fn(|i| random[9 + i]));
    let (w, states) = plain(start, block);
    let mut state = [start[0], start[1], start[2], start[3], start[4], 0].map(|w| PlainWords([w]));
    let trace = Trace::of::<true>((), &mut state, block.map(|word| PlainWords([word])));
    let rows = trace.rows(&state).map(|word| word.0[0]);
    let mut steps = Vec::new();
    for set in 0..2 {
        for bit in (0..32).filter(|bit| ALL[set] >> bit & 1 != 0) {
            let mut found = [0; SUSPECT_ROWS];
            write_suspect(|i| rows[i], set, bit, |i, word| found[i] = word);
            let step = if found[MASK_ROW] == 0 { EARLY_STEP } else { LATE_STEP };
            steps.push(step);
            assert_eq!(found[STATE_ROW..END_ROW], states[step], "{set}, {bit}");
            assert_eq!(found[END_ROW..MASK_ROW], rows[26..CANDIDATES_ROW]);
            for t in WINDOW_START..WINDOW_START + 16 {
                assert_eq!(found[t % 16], w[t] ^ DIFFERENCES[set][bit][t % 16], "{set}, {bit}");
            }

            // one lane of four has this candidate, and nothing is checked yet
            let mut lanes = rows.map(|row| [row; MAX_WAITING_BLOCKS]);
            lanes[CANDIDATES_ROW..].as_flattened_mut().fill(0);
            lanes[CANDIDATES_ROW + set][2] = 1 << bit;
            let mut waiting = WaitingBlocks::default();
            Portable::<4>.run(Defer { rows: &lanes, lanes: 4, waiting: &mut waiting });
            assert_eq!((waiting.len, waiting.rows.map(|row| row[0])), (1, found));
        }
    }
    assert_eq!(steps.len(), 32);
    assert!(steps.contains(&EARLY_STEP) && steps.contains(&LATE_STEP));
}
