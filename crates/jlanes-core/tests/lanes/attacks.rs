//! SHA-1 with detection: messages of collision attacks in lanes.

use std::cell::Cell;

use digest::{
    Digest, Reset as _,
    block_api::{Block, Buffer, FixedOutputCore as _, UpdateCore as _},
};
use jlanes_core::{
    compression::{LaneBuffer, RunByteOrder, Shape},
    function::Start,
    hash::{HashFunction, Output},
    hashes::{
        hash_core::HashCore,
        sha1::{
            Sha1Compression,
            checked::{
                CheckedCompression, FLAGS, FOUND, NO_DETECTION, NO_SAFE_HASH, Sha1Checked,
                Sha1WithFlags, UNFILTERED,
                stream::{self, TRACED_STATES, UnitState},
            },
        },
    },
    kernel::HasKernels,
    lanes::messages::{LaneWork, Route},
    simd::portable::Portable,
};
use jlanes_testing::{corpus, message};

use crate::{
    advance_one, by_value,
    called::{Calls, On},
    fused::FusedLanes,
};

/// An attack in each lane, among messages that are harmless, shorter, and longer.
pub(crate) fn found_in_lanes<B: HasKernels<CheckedCompression>>(backend: B) {
    let known = corpus("sha1_collisions");
    for (record, count) in known.iter().flat_map(|record| [1, 3, 4, 9].map(|n| (record, n))) {
        let attack = record.message();
        let equal = message(9, attack.len());
        for (at, more) in (0..count).flat_map(|at| [0, 1, 64].map(|more| (at, more))) {
            let longer = [&equal[..], &message(10, more)].concat();
            let one = |i: usize| if i == at { &attack[..] } else { &longer };
            let mut out = vec![Output::<Sha1WithFlags>::default(); count];
            let start = Start::new();
            by_value::digest::<Sha1WithFlags, _, 1>(backend, &start, |i| [one(i)], &mut out);
            for (i, digest) in out.iter().enumerate() {
                let (digest, flags) = digest.split_at(4 * FLAGS);
                let found = u32::from(i == at) * FOUND;
                assert_eq!(flags, found.to_be_bytes(), "{} in {at}, {i} of {count}", record.name());
                if i == at {
                    assert_eq!(digest, record.hex("safe_hash_hex"), "{}", record.name());
                } else {
                    assert_eq!(digest, &sha1::Sha1::digest(one(i))[..], "{i} of {count}");
                }
            }
        }
    }
}

#[test]
fn attacks() {
    found_in_lanes(On::<4>::default());
}

/// A hasher that detects attacks, with the digests of SHA-1.
#[test]
fn digests_that_are_kept() {
    type Core = HashCore<Sha1Checked, Portable<1>>;
    let mut state = Sha1Checked::start();
    state[FLAGS] = NO_SAFE_HASH;
    for record in corpus("sha1_collisions") {
        let mut core = Core::starting_at(state);
        assert_eq!(*core.state(), state);
        let message = record.message();
        let (blocks, rest) = Block::<Core>::slice_as_chunks(&message);
        core.update_blocks(blocks);
        let (mut out, mut rest) = (Default::default(), Buffer::<Core>::new(rest));
        core.finalize_fixed_core(&mut rest, &mut out);
        assert_eq!(out[..], record.hex("digest_hex"), "{}", record.name());
        assert_eq!(core.state()[FLAGS], NO_SAFE_HASH | FOUND);
        core.reset();
        assert_eq!(*core.state(), state);
    }
}

/// Options of the messages in lanes.
#[test]
fn options_of_lanes() {
    for (options, record) in [NO_DETECTION, UNFILTERED, NO_SAFE_HASH]
        .into_iter()
        .flat_map(|o| corpus("sha1_collisions").into_iter().map(move |r| (o, r)))
    {
        let message = record.message();
        let mut state = Sha1WithFlags::start();
        state[FLAGS] = options;
        let start = Start::<Sha1WithFlags>::at(state, 0);
        let mut out = [Output::<Sha1WithFlags>::default(); 6];
        by_value::digest::<_, _, 1>(On::<4>::default(), &start, |_| [&message], &mut out);
        let (name, flags) = match options {
            NO_DETECTION => ("digest_hex", NO_DETECTION),
            NO_SAFE_HASH => ("digest_hex", NO_SAFE_HASH | FOUND),
            _ => ("safe_hash_hex", options | FOUND),
        };
        let expected = [record.hex(name), flags.to_be_bytes().to_vec()].concat();
        assert!(out.iter().all(|digest| digest[..] == expected), "{options}, {}", record.name());
    }
}

/// Blocks of attacks alone: other blocks might have candidates, too.
#[test]
fn blocks_of_attacks() {
    fn blocks<B: HasKernels<CheckedCompression>>(backend: B) {
        for record in corpus("sha1_collisions") {
            let mut state = Sha1Checked::start();
            for block in record.message().as_chunks::<64>().0 {
                let mut lanes = LaneBuffer::new(&Shape::of::<CheckedCompression>());
                for l in 0..4 {
                    lanes.states().set(l, &state);
                }
                let runs = [&block[..]; 4];
                let work = LaneWork::new(&runs, 1);
                let route = Route::StatesToStates(lanes.states());
                backend.kernels().advance_messages(work, route);
                advance_one::<CheckedCompression>(&mut state, block);
                for l in 0..4 {
                    let mut own = [0; 6];
                    lanes.get_into(l, &mut own);
                    assert_eq!(own, state, "{}", record.name());
                }
            }
            assert_eq!(state[FLAGS], FOUND);
        }
    }
    blocks(On::<4>::default());
    blocks(FusedLanes::<4>::default());
}

/// One stream that looks for candidates in several blocks at once.
#[test]
fn one_stream() {
    let plain = |state: &mut [u32], blocks: &[u8]| {
        let mut own: [u32; 5] = state.try_into().unwrap();
        advance_one::<Sha1Compression>(&mut own, blocks);
        state.copy_from_slice(&own);
    };
    let attacks = corpus("sha1_collisions").into_iter().map(|record| record.message());
    // between harmless blocks, some of which have candidates
    let texts = attacks.flat_map(|attack| {
        [0, 7, 40].map(|blocks| [&attack[..], &message(13, 64 * blocks), &attack].concat())
    });
    for text in texts.chain([vec![], message(14, 64 * 500)]) {
        for options in [0, NO_DETECTION, UNFILTERED, NO_SAFE_HASH] {
            let mut expected = Sha1Checked::start();
            expected[FLAGS] = options;
            let mut state = expected;
            for block in text.chunks_exact(64) {
                advance_one::<CheckedCompression>(&mut expected, block);
            }
            stream::advance(Calls::<4>, &mut state, &text, plain);
            assert_eq!(state, expected, "{options}, {} bytes", text.len());
            let mut state = Sha1Checked::start();
            state[FLAGS] = options;
            stream::advance_by_unit::<Rounds>(&mut state, &text, RunByteOrder::Message);
            assert_eq!(state, expected, "{options}, {} bytes, by a unit", text.len());
            let words = text.as_chunks().0.iter().map(|word| u32::from_be_bytes(*word));
            let native: Vec<u8> = words.flat_map(u32::to_ne_bytes).collect();
            let mut state = Sha1Checked::start();
            state[FLAGS] = options;
            stream::advance_by_unit::<Rounds>(&mut state, &native, RunByteOrder::Native);
            assert_eq!(state, expected, "{options}, {} bytes, native", text.len());
        }
    }
}

/// A unit for SHA-1's rounds.
#[derive(Clone, Copy)]
struct Rounds([u32; 5]);

impl UnitState for Rounds {
    type Trace = ([u32; 80], [[u32; 5]; 2]);

    fn load(state: &[u32; 5]) -> Self {
        Self(*state)
    }

    fn compress(&mut self, block: &[u8; 64], order: RunByteOrder) -> Self::Trace {
        let mut w = [0_u32; 80];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *word = match order {
                RunByteOrder::Message => u32::from_be_bytes(*bytes),
                RunByteOrder::Native => u32::from_ne_bytes(*bytes),
            };
        }
        for t in 16..80 {
            w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
        }
        let (before, mut states) = (self.0, [[0; 5]; 2]);
        let [mut a, mut b, mut c, mut d, mut e] = before;
        for t in 0..80 {
            if let Some(i) = TRACED_STATES.iter().position(|step| *step == t) {
                states[i] = [a, b, c, d, e];
            }
            let (f, k) = match t / 20 {
                0 => (b & c | !b & d, 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let sum = a.rotate_left(5).wrapping_add(f).wrapping_add(e);
            (e, d, c, b) = (d, c, b.rotate_left(30), a);
            a = sum.wrapping_add(k).wrapping_add(w[t]);
        }
        for (word, more) in self.0.iter_mut().zip([a, b, c, d, e]) {
            *word = word.wrapping_add(more);
        }
        (w, states)
    }

    fn compress_plain(state: &mut [u32; 5], block: &[u8; 64]) {
        advance_one::<Sha1Compression>(state, block);
    }

    fn bits((words, _): &Self::Trace, position: usize) -> u32 {
        (35..65).fold(0, |bits, t| bits | (words[t] >> position & 1) << (t % 32))
    }

    fn store(self, state: &mut [u32; 5]) {
        *state = self.0;
    }

    fn traced((words, states): Self::Trace) -> ([u32; 16], [[u32; 5]; 2]) {
        let mut window = [0; 16];
        for t in 49..65 {
            window[t % 16] = words[t];
        }
        (window, states)
    }
}

/// As many blocks are checked, however many are looked at together.
#[test]
fn candidates_are_found_in_any_number_of_lanes() {
    fn harmless<const N: usize>(text: &[u8]) -> usize {
        let count = Cell::new(0);
        let plain = |_: &mut [u32], blocks: &[u8]| count.set(count.get() + blocks.len() / 64);
        stream::advance(Calls::<N>, &mut Sha1Checked::start(), text, plain);
        count.get()
    }
    let text = message(16, 64 * 4000);
    let expected = harmless::<1>(&text);
    assert!((3000..4000).contains(&expected), "one in twenty is checked, not {expected}");
    assert_eq!((harmless::<4>(&text), harmless::<8>(&text)), (expected, expected));
}
