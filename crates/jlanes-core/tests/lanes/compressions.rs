//! Compression functions in lanes, against one stream: blocks in runs or dealt out to the lanes,
//! blocks that all share, and every use of registers.

use jlanes_core::{
    compression::{Compression, LaneBuffer, Shape, max_lanes},
    function::Start,
    hash::State,
    hashes::{
        blake2::{Blake2, rows::RowCompression},
        keccak::Keccak,
        sha1::{Sha1Compression, checked::CheckedCompression},
        sha2::Sha2,
        skein::{Threefish256, Threefish512, Threefish1024},
    },
    jobs::CompiledWord,
    kernel::{HasKernels, feed::Interleaved},
    lanes::{
        interleaved::InterleavedLanes,
        messages::{LaneWork, Route},
    },
    simd::{
        portable::PlainWords,
        registers::{OneLatencyBoundRegister, TwoRegisters},
        vector::{Array, Isa, Vector, Word},
        words::read_words,
    },
};
use jlanes_testing::message;

use crate::{
    Function, advance_one, by_value,
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
    sha1: Sha1Compression, 4;
    sha1dc: CheckedCompression, 4;
    sha256: Sha2<u32>, 4;
    sha512: Sha2<u64>, 2;
    blake2s: Blake2<u32>, 2;
    blake2b: Blake2<u64>, 2;
    keccak_of_9_words: Keccak<9, 24>, 8;
    keccak_of_13_words: Keccak<13, 24>, 2;
    keccak_of_17_words: Keccak<17, 24>, 4;
    keccak_of_18_words: Keccak<18, 24>, 4;
    keccak_of_21_words: Keccak<21, 12>, 4;
    threefish256: Threefish256, 4;
    threefish512: Threefish512, 2;
    threefish1024: Threefish1024, 8;
}

macro_rules! plain {
    (() $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        compressions! { $($name: jlanes_core::hashes::$module::$compression, 8;)* }
    };
}
jlanes_testing::plain_hashes!(plain, ());

/// Blocks of a run.
const BLOCKS: usize = 3;

/// A state of its own in every lane.
fn states<C: Compression<Word: CompiledWord>>() -> LaneBuffer<C::Word> {
    let mut lanes = LaneBuffer::new(&Shape::of::<C>());
    for l in 0..max_lanes::<C>() {
        let state = some_state::<C::Word, C::State<C::Word>>(50 + l as u64);
        lanes.states().set(l, state.as_ref());
    }
    lanes
}

/// The state of a lane.
fn state<C: Compression<Word: CompiledWord>>(
    lanes: &LaneBuffer<C::Word>,
    l: usize,
) -> C::State<C::Word> {
    let mut state = C::State::splat(C::Word::default());
    lanes.get_into(l, state.as_mut());
    state
}

/// Compares lanes that have absorbed `rows`, or `runs` if there are no rows, with streams that have absorbed `runs`.
fn check<C: Compression<Word: CompiledWord>, B: HasKernels<C>>(
    backend: B,
    rows: Option<Interleaved<'_>>,
    runs: &[&[u8]],
    blocks: usize,
    block: Option<&[u8]>,
) {
    let mut lanes = states::<C>();
    let mut shared = vec![C::Word::default(); if block.is_some() { C::SHARED_WORDS } else { 0 }];
    if let Some(bytes) = block {
        let mut block = vec![C::Word::default(); C::BLOCK_BYTES / C::Word::BYTES];
        read_words(C::ORDER, bytes, &mut block);
        C::share(&block, &mut shared);
    }
    let (kernels, shared) = (backend.kernels(), &shared[..]);
    if let Some(rows) = rows {
        let (states, live) = (lanes.states(), runs.len());
        kernels.advance_interleaved(InterleavedLanes { states, rows, live, blocks, shared });
    } else {
        let work = LaneWork { shared, ..LaneWork::new(runs, blocks) };
        kernels.advance_messages(work, Route::StatesToStates(lanes.states()));
    }
    for (l, run) in runs.iter().enumerate() {
        let mut expected = state::<C>(&states::<C>(), l);
        advance_one::<C>(&mut expected, &run[..blocks * C::BLOCK_BYTES]);
        advance_one::<C>(&mut expected, block.unwrap_or(&[]));
        assert_eq!(state::<C>(&lanes, l).as_ref(), expected.as_ref(), "lane {l} of {}", runs.len());
    }
}

pub(crate) fn advance<C: Compression<Word: CompiledWord>, B: HasKernels<C>>(backend: B) {
    advance_by::<C, B>(backend, BLOCKS);
}

pub(crate) fn advance_by<C: Compression<Word: CompiledWord>, B: HasKernels<C>>(
    backend: B,
    most_blocks: usize,
) {
    let most = max_lanes::<C>();
    let text = message(51, most_blocks * C::BLOCK_BYTES + 8 * most);
    let last = message(52, C::BLOCK_BYTES);
    for live in [1, backend.lanes_to_fill() - 1, backend.lanes_to_fill(), most - 1, most] {
        let runs: Vec<&[u8]> =
            (0..live).map(|l| &text[7 * l..][..most_blocks * C::BLOCK_BYTES]).collect();
        for (blocks, last) in [(most_blocks, None), (1, Some(&last[..])), (0, Some(&last))] {
            check::<C, B>(backend, None, &runs, blocks, last);
        }
        for lanes in [live, most, most + 5] {
            interleaved::<C, B>(backend, (lanes, live), most_blocks, &[None, Some(&last)]);
        }
    }
}

/// The first `live` lanes of rows of `lanes`.
pub(crate) fn interleaved<C: Compression<Word: CompiledWord>, B: HasKernels<C>>(
    backend: B,
    (lanes, live): (usize, usize),
    blocks: usize,
    lasts: &[Option<&[u8]>],
) {
    let word = C::Word::BYTES;
    // the data ends with the last row's last live lane
    let data = message(53, ((blocks * C::BLOCK_BYTES / word - 1) * lanes + live) * word);
    let mut dealt = vec![Vec::new(); live];
    for row in data.chunks(lanes * word) {
        let words = row.chunks(word);
        dealt.iter_mut().zip(words).for_each(|(run, word)| run.extend_from_slice(word));
    }
    let dealt: Vec<&[u8]> = dealt.iter().map(Vec::as_slice).collect();
    let rows = Some(Interleaved { data: &data, lanes });
    for last in lasts {
        check::<C, B>(backend, rows, &dealt, blocks, *last);
    }
}

#[test]
fn two_registers_side_by_side() {
    advance::<Sha2<u32>, _>(On::<4, TwoRegisters>::default());
    advance::<Keccak<17, 24>, _>(On::<2, TwoRegisters>::default());
    lists_on::<crate::Sha256, _>(On::<4, TwoRegisters>::default());
    lists_on::<crate::Sha512_224, _>(On::<2, TwoRegisters>::default());
    lists_on::<crate::Blake2b, _>(On::<2, TwoRegisters>::default());
}

#[test]
fn rounds_that_are_serial() {
    advance::<Sha2<u64>, _>(On::<2, OneLatencyBoundRegister>::default());
    lists_on::<crate::Sha256, _>(On::<4, OneLatencyBoundRegister>::default());
    lists_on::<crate::Sha512_224, _>(On::<2, OneLatencyBoundRegister>::default());
    lists_on::<crate::Blake2b, _>(On::<2, OneLatencyBoundRegister>::default());
}

/// Digests leave the lanes in the kernels, some of a length that is no multiple of a word.
fn lists_on<H: Function, B: HasKernels<H::Compression>>(backend: B) {
    let text = message(54, 700);
    for len in edges::<H>() {
        for (count, more) in [(1, 0), (5, 40), (13, 0), (50, 0), (50, 3)] {
            let one = |i: usize| &text[i..][..len + i * more % 90];
            let mut out = outs::<H>(count);
            by_value::digest::<H, _, 1>(backend, &Start::new(), |i| [one(i)], &mut out);
            for (i, digest) in out.iter().enumerate() {
                assert_eq!(*digest, expected::<H>(one(i)), "{i} of {count}, {len} bytes");
            }
        }
    }
}

#[test]
fn rows_of_blake2() {
    fn rows<W: jlanes_core::hashes::blake2::Blake2Word, const N: usize>() {
        assert!(RowCompression::<W>::fits::<Calls<N>>());
        let data = message(55, 4 * Blake2::<W>::BLOCK_BYTES);
        // the second counter overflows in the third block
        let wraps = (2 * Blake2::<W>::BLOCK_BYTES as u128 + 1).wrapping_neg();
        for low in [W::default(), W::truncate(wraps)] {
            let mut ours: [W; 11] = some_state(3);
            ours[8] = low;
            let mut expected = ours;
            Calls::<N>.run(RowCompression { state: &mut ours, data: &data });
            advance_one::<Blake2<W>>(&mut expected, &data);
            assert_eq!(ours, expected);
        }
    }
    rows::<u32, 4>();
    rows::<u32, 8>();
    rows::<u64, 4>();
    assert!(!RowCompression::<u64>::fits::<Calls<2>>());
}

#[test]
fn states_move_between_lanes() {
    let mut lanes = LaneBuffer::<u32>::new(&Shape::of::<Sha2<u32>>());
    let own = |l: usize| some_state::<u32, State<crate::Sha256>>(60 + l as u64);
    for l in 0..max_lanes::<Sha2<u32>>() {
        lanes.states().set(l, &own(l));
    }
    for l in 0..max_lanes::<Sha2<u32>>() {
        assert_eq!(state::<Sha2<u32>>(&lanes, l), own(l));
        assert_eq!(lanes.states().get::<[u32; 8]>(l), own(l));
        assert_eq!(lanes.rows(l).words[3 * lanes.rows(l).stride], own(l)[3]);
    }
    assert_eq!(<[u32; 2]>::flatten(&[[1, 2], [3, 4]]), [1, 2, 3, 4]);
}

/// Of the widest register too, which none of the kernels here has.
#[test]
fn words_straddle_two_vectors() {
    fn words<const N: usize>(first: usize) -> PlainWords<u32, N> {
        PlainWords(std::array::from_fn(|i| (first + i) as u32))
    }
    for at in 0..16 {
        assert_eq!(PlainWords::concat_from((), words(0), words(16), at), words::<16>(at));
    }
}
