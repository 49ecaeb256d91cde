//! Compression functions in lanes, against one stream: blocks in runs or dealt out to the lanes,
//! blocks that all share, and every use of registers.

use jlanes_core::{
    batch::{Start, list},
    engine::{Engine, Input, one_on},
    hash::{
        State,
        compression::{AllLanes, Compression, block_words, max_lanes},
    },
    hashes::{
        blake2::{Blake2, rows::Rows},
        keccak::Keccak,
        md5::Md5Compression,
        ripemd160::Ripemd160Compression,
        sha1::Sha1Compression,
        sha2::Sha2,
        skein::{Threefish256, Threefish512, Threefish1024},
        sm3::Sm3Compression,
    },
    simd::{
        groups::{OneSerial, Two},
        isa::Isa,
        lanes::{Array, Vector, Word},
        layout::Interleaved,
        portable::{PlainWords, Portable},
    },
};
use jlanes_testing::message;

use crate::{
    Function,
    called::{Calls, On},
    edges, expected, outs,
    schedules::some_state,
};

macro_rules! compressions {
    ($($name:ident: $compression:ty, $lanes:literal;)*) => {$(
        #[test]
        fn $name() {
            advance::<$compression, _>(On::<$lanes>::default());
        }
    )*};
}
compressions! {
    md5: Md5Compression, 8;
    ripemd160: Ripemd160Compression, 4;
    sm3: Sm3Compression, 8;
    sha1: Sha1Compression, 4;
    sha256: Sha2<u32>, 4;
    sha512: Sha2<u64>, 2;
    blake2s: Blake2<u32>, 2;
    blake2b: Blake2<u64>, 2;
    keccak_of_9_words: Keccak<9, 24>, 8;
    keccak_of_13_words: Keccak<13, 24>, 2;
    keccak_of_17_words: Keccak<17, 24>, 4;
    keccak_of_18_words: Keccak<18, 24>, 2;
    keccak_of_21_words: Keccak<21, 12>, 4;
    threefish256: Threefish256, 4;
    threefish512: Threefish512, 2;
    threefish1024: Threefish1024, 8;
}

/// Blocks of a run.
const BLOCKS: usize = 3;

/// A state of its own in every lane.
fn states<C: Compression>() -> AllLanes<C> {
    let mut lanes = AllLanes::<C>::default();
    for l in 0..max_lanes::<C>() {
        lanes.states().set(l, &some_state::<C::Word, C::State<C::Word>>(50 + l as u64));
    }
    lanes
}

/// Compares lanes that have absorbed `input` with streams that have absorbed `runs`.
fn check<C: Compression, E: Engine<C>>(
    engine: E,
    input: Input<'_>,
    runs: &[&[u8]],
    blocks: usize,
    last: Option<&[u8]>,
) {
    let mut lanes = states::<C>();
    let shared = last.map(|last| C::share(&block_words::<C>(last)));
    engine.advance(lanes.states(), input, runs.len(), blocks, shared.as_ref());
    for (l, run) in runs.iter().enumerate() {
        let mut expected = states::<C>().get(l);
        one_on::<_, C>(Portable::<1>, &mut expected, &run[..blocks * C::BLOCK]);
        one_on::<_, C>(Portable::<1>, &mut expected, last.unwrap_or(&[]));
        assert_eq!(lanes.get(l).as_ref(), expected.as_ref(), "lane {l} of {}", runs.len());
    }
}

fn advance<C: Compression, E: Engine<C>>(engine: E) {
    let (word, most) = (C::Word::BYTES, max_lanes::<C>());
    let text = message(51, BLOCKS * C::BLOCK + 8 * most);
    let last = message(52, C::BLOCK);
    let rows = BLOCKS * C::BLOCK / word;
    for live in [1, engine.lanes() - 1, engine.lanes(), most - 1, most] {
        let runs: Vec<&[u8]> = (0..live).map(|l| &text[7 * l..][..BLOCKS * C::BLOCK]).collect();
        for (blocks, last) in [(BLOCKS, None), (1, Some(&last[..])), (0, Some(&last))] {
            check::<C, E>(engine, Input::Runs(&runs), &runs, blocks, last);
        }
        for lanes in [live, most, most + 5] {
            // the data ends with the last row's last live lane
            let data = message(53, ((rows - 1) * lanes + live) * word);
            let mut dealt = vec![Vec::new(); live];
            for row in data.chunks(lanes * word) {
                let words = row.chunks(word);
                dealt.iter_mut().zip(words).for_each(|(run, word)| run.extend_from_slice(word));
            }
            let dealt: Vec<&[u8]> = dealt.iter().map(Vec::as_slice).collect();
            let input = Input::Interleaved(Interleaved { data: &data, lanes });
            for last in [None, Some(&last[..])] {
                check::<C, E>(engine, input, &dealt, BLOCKS, last);
            }
        }
    }
}

#[test]
fn two_registers_side_by_side() {
    advance::<Sha2<u32>, _>(On::<4, Two>::default());
    advance::<Keccak<17, 24>, _>(On::<2, Two>::default());
    lists_on::<crate::Sha256, _>(On::<4, Two>::default());
    lists_on::<crate::Sha512_224, _>(On::<2, Two>::default());
    lists_on::<crate::Blake2b, _>(On::<2, Two>::default());
}

#[test]
fn rounds_that_are_serial() {
    advance::<Sha2<u64>, _>(On::<2, OneSerial>::default());
    lists_on::<crate::Sha256, _>(On::<4, OneSerial>::default());
    lists_on::<crate::Sha512_224, _>(On::<2, OneSerial>::default());
    lists_on::<crate::Blake2b, _>(On::<2, OneSerial>::default());
}

/// Digests leave the lanes in the kernels, some of a length that is no multiple of a word.
fn lists_on<H: Function, E: Engine<H::Compression>>(engine: E) {
    let text = message(54, 700);
    for len in edges::<H>() {
        for (count, more) in [(1, 0), (5, 40), (13, 0), (50, 0), (50, 3)] {
            let one = |i: usize| &text[i..][..len + i * more % 90];
            let mut out = outs::<H>(count);
            list::digest::<H, _, 1>(engine, &Start::new(), |i| [one(i)], &mut out);
            for (i, digest) in out.iter().enumerate() {
                assert_eq!(*digest, expected::<H>(one(i)), "{i} of {count}, {len} bytes");
            }
        }
    }
}

#[test]
fn rows_of_blake2() {
    fn rows<W: jlanes_core::hashes::blake2::Blake2Word, const N: usize>() {
        assert!(Rows::<W>::fits::<Calls<N>>());
        let data = message(55, 4 * Blake2::<W>::BLOCK);
        // the second counter overflows in the third block
        let wraps = (2 * Blake2::<W>::BLOCK as u128 + 1).wrapping_neg();
        for low in [W::default(), W::truncate(wraps)] {
            let mut ours: [W; 11] = some_state(3);
            ours[8] = low;
            let mut expected = ours;
            Calls::<N>.run(Rows { state: &mut ours, data: &data });
            one_on::<_, Blake2<W>>(Portable::<1>, &mut expected, &data);
            assert_eq!(ours, expected);
        }
    }
    rows::<u32, 4>();
    rows::<u32, 8>();
    rows::<u64, 4>();
    assert!(!Rows::<u64>::fits::<Calls<2>>());
}

#[test]
fn states_move_between_lanes() {
    let state: State<crate::Sha256> = some_state(4);
    let mut lanes = AllLanes::<Sha2<u32>>::broadcast(&state);
    for l in 0..max_lanes::<Sha2<u32>>() {
        assert_eq!(lanes.get(l), state);
        assert_eq!(lanes.states().get::<[u32; 8]>(l), state);
    }
    lanes.states().set(3, &[7; 8]);
    assert_eq!((lanes.get(3), lanes.get(2)), ([7; 8], state));
    assert_eq!(lanes.rows().iter().map(|row| row.as_ref()[3]).sum::<u32>(), 56);
    lanes.rows_mut()[1].as_mut()[2] = 9;
    assert_eq!(lanes.get(2)[1], 9);
    assert_eq!(<[u32; 2]>::flatten(&[[1, 2], [3, 4]]), [1, 2, 3, 4]);
}

/// Of the widest register too, which none of the kernels here has.
#[test]
fn words_straddle_two_vectors() {
    fn words<const N: usize>(first: usize) -> PlainWords<u32, N> {
        PlainWords(std::array::from_fn(|i| (first + i) as u32))
    }
    for at in 0..16 {
        assert_eq!(PlainWords::straddle((), words(0), words(16), at), words::<16>(at));
    }
}
