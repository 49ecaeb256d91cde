//! Message schedules of one stream in vectors, and schedules that lanes share.
//!
//! Rounds in scalar registers load the words of a schedule from memory as plain words. The words are
//! proved: they name the standard's terms. The rounds then run on the names, which are random, so their
//! wiring is sampled; their text is the one that is proved in lanes.

use jlanes_core::{
    compression::{Compression, Shape},
    hash::HashFunction,
    hashes::{
        blake2::{Blake2, Blake2Word, rows::RowCompression},
        blake3::{self, Blake3Compression},
        sha1::Sha1Compression,
        sha2::{Sha2, Sha2Word, Sha256, single::SingleStream},
    },
    schedules::{self, MAX_ROUNDS, Schedules},
    simd::vector::{Array, Isa, Word},
};
use jlanes_proof::{
    lanes::{Symbolic, Terms},
    names::{Name, also, term_of, word_of},
    standards::{self, Scheduled, Standard},
    term::{self, Term},
};

use crate::forms::{Shared, array, block_of, bytes, check, inputs, lane, vector};

/// A pseudo-random state of plain words.
fn some_state<C: Standard>() -> C::State<C::Word> {
    let mut state = C::State::splat(C::Word::default());
    for (i, word) in state.as_mut().iter_mut().enumerate() {
        *word = C::Word::truncate(0x9e37_79b9_7f4a_7c15_u128.wrapping_mul(2 * i as u128 + 1));
    }
    state
}

fn constants<W: Name>(words: &[W]) -> Vec<Term> {
    words.iter().map(|word| Term::constant(word.number())).collect()
}

/// The state after the rounds over the names of `W_t + K_t`.
fn rounds_over_names<C: Scheduled>(state: &[Term], block: &[Term]) -> Vec<Term> {
    let words = C::schedule(block).into_iter().enumerate().map(|(t, w)| {
        let k = Term::constant(C::constant(t));
        Term::constant(word_of::<C::Word>(w + k).number()) - k
    });
    C::rounds(state, &words.collect::<Vec<_>>())
}

/// A message of `count` blocks, each with the input terms of a lane.
fn message<C: Standard>(count: usize) -> (Vec<Vec<Term>>, Vec<u8>) {
    let blocks: Vec<_> = (0..count).map(|l| inputs(block_of::<C>("block"), l)).collect();
    let bytes = bytes::<C::Word>(C::ORDER, &blocks.concat());
    (blocks, bytes)
}

fn check_state<C: Scheduled>(what: &str, state: &C::State<C::Word>, blocks: &[Vec<Term>]) {
    let start = constants(some_state::<C>().as_ref());
    let expected = blocks.iter().fold(start, |state, block| rounds_over_names::<C>(&state, block));
    check(what, 0, &constants(state.as_ref()), &expected);
}

/// n-SMS: two groups of blocks, and one more block.
fn groups<C: Scheduled + schedules::Scheduled, const N: usize>() {
    term::begin(C::Word::BITS);
    let (blocks, data) = message::<C>(2 * N + 1);
    let mut state = some_state::<C>();
    let rest = Symbolic::<N>.run(Schedules::<C> { state: &mut state, data: &data });
    assert_eq!(rest.len(), C::BLOCK_BYTES);
    check_state::<C>("n-SMS", &state, &blocks[..2 * N]);
}

/// The schedule of each block, in rows of `N` consecutive words.
fn rows_of_words<W: Sha2Word + Name, const N: usize>()
where
    Sha2<W>: Scheduled + Compression<Word = W, State<W> = [W; 8]>,
{
    term::begin(W::BITS);
    let (blocks, data) = message::<Sha2<W>>(2);
    let mut state = some_state::<Sha2<W>>();
    let mut words = [W::default(); MAX_ROUNDS];
    Symbolic::<N>.run(SingleStream::<W> { state: &mut state, data: &data, words: &mut words });
    check_state::<Sha2<W>>("a schedule in rows", &state, &blocks);
}

#[test]
fn sha1_in_groups() {
    groups::<Sha1Compression, 4>();
    groups::<Sha1Compression, 8>();
}

#[test]
fn sha256_in_groups_and_rows() {
    groups::<Sha2<u32>, 4>();
    groups::<Sha2<u32>, 8>();
    rows_of_words::<u32, 4>();
    rows_of_words::<u32, 8>();
}

#[test]
fn sha512_in_groups_and_rows() {
    groups::<Sha2<u64>, 2>();
    groups::<Sha2<u64>, 4>();
    rows_of_words::<u64, 2>();
    rows_of_words::<u64, 4>();
    rows_of_words::<u64, 8>();
}

/// A row of `N / 4` times four words. The counter is plain arithmetic, and is tested where it carries.
fn blake2_rows<W: Blake2Word + Name, const N: usize>()
where
    Blake2<W>: Standard<Word = W, State<W> = [W; 11]>,
{
    let least = Blake2::<W>::BLOCK_BYTES as u64;
    let half = 1 << (W::BITS - 1);
    for low in [0, least, half - least, half - 1, half, 0_u64.wrapping_sub(least), u64::MAX] {
        term::begin(W::BITS);
        let mut before = inputs(("state", 11), 0);
        before[8] = Term::constant(low);
        let (blocks, data) = message::<Blake2<W>>(1);
        let mut state: [W; 11] = std::array::from_fn(|i| word_of(before[i]));
        also(state[9].wrapping_add(W::truncate(1)), before[9] + Term::constant(1));
        let expected = Blake2::<W>::compressed(&before, &blocks[0]);
        Symbolic::<N>.run(RowCompression::<W> { state: &mut state, data: &data });
        check("BLAKE2 in rows", 0, &state.map(term_of), &expected);
    }
}

#[test]
fn blake2_in_rows() {
    blake2_rows::<u32, 4>();
    blake2_rows::<u32, 8>();
    blake2_rows::<u64, 4>();
    blake2_rows::<u64, 8>();
}

/// `share` computes with plain words. It is checked for each single bit, which is a basis if only
/// exclusive or is used, and for irregular blocks.
fn shared_words<C: Shared + Scheduled>() {
    term::begin(C::Word::BITS);
    let zero = C::Word::default();
    let mut blocks = vec![vec![zero; 16]];
    for bit in 0..8 * C::BLOCK_BYTES {
        let mut block = vec![zero; 16];
        block[bit % 16] = C::Word::truncate(1 << (bit / 16));
        blocks.push(block);
    }
    let (random, _) = message::<C>(20);
    blocks.extend(random.iter().map(|block| block.iter().map(|t| word_of(*t)).collect()));
    for block in blocks {
        let mut found = vec![zero; C::SHARED_WORDS];
        C::share(&block, &mut found);
        assert_eq!(found, C::shared(&constants(&block)), "{block:x?}");
    }
}

#[test]
fn schedules_to_share() {
    shared_words::<Sha1Compression>();
    shared_words::<Sha2<u32>>();
    shared_words::<Sha2<u64>>();
}

/// The table of the padding after a message of one block.
#[test]
fn the_table_of_one_block() {
    term::begin(32);
    let mut padding = vec![Term::constant(0); 16];
    padding[0] = Term::constant(1 << 31);
    padding[15] = Term::constant(8 * 64);
    let table = Sha256::ONE_BLOCK_PADDING.expect("a table");
    assert_eq!(table, Sha2::<u32>::shared(&padding));
}

/// Rows of four words, repeated to fill a vector of `N`. The flags are plain arithmetic, and all values of
/// their bytes are tested.
fn blake3_rows<const N: usize>() {
    for flags in (0..=255_u32).flat_map(|bits| [bits, bits << 8, bits << 8 | 0xff00_0001]) {
        for whole in [false, true] {
            term::begin(32);
            let mut before = inputs(("state", 16), 0);
            before[11] = Term::constant(flags.into());
            let (blocks, data) = message::<Blake3Compression>(1);
            let mut state: [u32; 16] = std::array::from_fn(|i| word_of(before[i]));
            let compression =
                blake3::rows::RowCompression { state: &mut state, data: &data[..64], whole };
            Symbolic::<N>.run(compression);
            let expected = match whole {
                false => Blake3Compression::compressed(&before, &blocks[0]),
                true => standards::blake3::output(&before, &blocks[0]),
            };
            check("BLAKE3 in rows", 0, &state.map(term_of), &expected);
        }
    }
}

#[test]
fn blake3_in_rows() {
    blake3_rows::<4>();
    blake3_rows::<8>();
}

/// BLAKE3's output of sixteen words, on a register.
#[test]
fn blake3_whole_output() {
    term::begin(32);
    let shape = Shape { whole_output: true, ..Shape::of::<Blake3Compression>() };
    let expected = [0, 1]
        .map(|l| standards::blake3::output(&inputs(("state", 16), l), &inputs(("block", 16), l)));
    let mut state: [Terms<u32, 2>; 16] = array(|i| vector("state", i));
    let block = array(|i| vector("block", i));
    Blake3Compression::compress_as::<Terms<u32, 2>>((), &shape, &mut state, block);
    for (l, expected) in expected.iter().enumerate() {
        check("the whole output", l, &lane(&state, l), expected);
    }
}
