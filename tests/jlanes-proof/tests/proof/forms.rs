//! Every form of a compression function against its standard.

use std::marker::PhantomData;

use jlanes_core::{
    compression::{LaneStart, Rows, RunByteOrder, Shape},
    kernel::{
        step::Plain,
        stream::{AdvanceOne, VectorLane},
        vectors::{self, advance_shared},
    },
    simd::{
        registers::{OneLatencyBoundRegister, OneRegister, Registers, TwoRegisters},
        vector::{Array, ByteOrder, Isa, SimdWord, Word},
    },
};
use jlanes_proof::{
    differ::compare,
    lanes::{FEW, Symbolic, Terms},
    names::{Name, term_of, word_of},
    standards::Standard,
    term::{self, Term},
};

/// The name of a state or a block, and its number of words.
pub(crate) type Named = (&'static str, usize);

pub(crate) fn state_of<C: Standard>() -> Named {
    ("state", C::State::<u8>::LEN)
}

pub(crate) fn block_of<C: Standard>(name: &'static str) -> Named {
    (name, C::BLOCK_BYTES / C::Word::BYTES)
}

/// Input terms for the words of a lane.
pub(crate) fn inputs((name, words): Named, lane: usize) -> Vec<Term> {
    (0..words).map(|i| Term::input(name, i, lane)).collect()
}

/// Input terms of `lanes` lanes, row after row, as words of memory.
pub(crate) fn rows<W: Name>(named: Named, lanes: usize) -> Vec<W> {
    let columns: Vec<_> = (0..lanes).map(|lane| inputs(named, lane)).collect();
    (0..named.1).flat_map(|i| columns.iter().map(move |column| word_of(column[i]))).collect()
}

/// Words as bytes.
pub(crate) fn bytes<W: Name>(order: ByteOrder, words: &[Term]) -> Vec<u8> {
    let mut bytes = vec![0; words.len() * W::BYTES];
    for (bytes, word) in bytes.chunks_exact_mut(W::BYTES).zip(words) {
        word_of::<W>(*word).write(order, bytes);
    }
    bytes
}

/// Compares the lanes in rows of memory.
pub(crate) fn check_rows<W: Name>(what: &str, rows: &[W], expected: &[Vec<Term>]) {
    let lanes = expected.len();
    for (lane, expected) in expected.iter().enumerate() {
        let found: Vec<_> = (0..expected.len()).map(|i| term_of(rows[i * lanes + lane])).collect();
        check(what, lane, &found, expected);
    }
}

pub(crate) fn check(what: &str, lane: usize, found: &[Term], expected: &[Term]) {
    if let Err(difference) = compare(&format!("{what}, lane {lane}"), found, expected) {
        panic!("{difference}");
    }
}

/// The states after each lane's blocks, by the standard.
pub(crate) fn expected<C: Standard>(lanes: usize, blocks: &[&'static str]) -> Vec<Vec<Term>> {
    let lane = |lane| {
        let state = inputs(state_of::<C>(), lane);
        blocks
            .iter()
            .fold(state, |state, block| C::compressed(&state, &inputs(block_of::<C>(block), lane)))
    };
    (0..lanes).map(lane).collect()
}

/// Lanes of input terms.
pub(crate) fn vector<W: Name, V: SimdWord<W, Vector = Terms<W, N>>, const N: usize>(
    name: &'static str,
    i: usize,
) -> V {
    V::from_vectors([0, N].map(|first| Terms::new(|l| Term::input(name, i, first + l))))
}

pub(crate) fn lane<W: Name, V: SimdWord<W, Vector = Terms<W, N>>, const N: usize>(
    state: &[V],
    lane: usize,
) -> Vec<Term> {
    state.iter().map(|word| word.vectors()[lane / N].0[lane % N]).collect()
}

pub(crate) fn array<V: Copy, A: Array<V>>(word: impl Fn(usize) -> V) -> A {
    let mut array = A::splat(word(0));
    for (i, to) in array.as_mut().iter_mut().enumerate() {
        *to = word(i);
    }
    array
}

/// The text itself, on lanes `V`.
fn text<C: Standard, V, const N: usize>(what: &str)
where
    V: SimdWord<C::Word, Proof = (), Vector = Terms<C::Word, N>>,
{
    let expected = expected::<C>(V::N, &["block"]);
    let mut state: C::State<V> = array(|i| vector("state", i));
    C::compress::<V>((), &mut state, array(|i| vector("block", i)));
    for (l, expected) in expected.iter().enumerate() {
        check(what, l, &lane(state.as_ref(), l), expected);
    }
}

/// The words of a block that lanes share, by the standard.
pub(crate) trait Shared: Standard {
    fn shared(block: &[Term]) -> Vec<Self::Word> {
        block.iter().map(|term| word_of(*term)).collect()
    }
}

/// The kernels with one message in each lane.
fn kernels<C: Shared, R: Registers, const N: usize>(what: &str) {
    let lanes = <R::Of<C::Word, Terms<C::Word, N>> as SimdWord<C::Word>>::N;
    let blocks = ["block", "next block"];
    let words: Vec<C::Word> =
        blocks.iter().flat_map(|name| rows(block_of::<C>(name), lanes)).collect();
    let mut states = rows(state_of::<C>(), lanes);
    let two = expected::<C>(lanes, &blocks);
    advance::<C, R, N>(LaneStart::Own, &mut states, &words, 2);
    check_rows(&format!("{what}, two blocks"), &states, &two);

    // all messages start with the same state
    let start: Vec<u64> = (0..C::State::<u8>::LEN as u64).map(|i| !(i << 59 | i)).collect();
    let same: Vec<C::Word> = start.iter().map(|word| C::Word::truncate((*word).into())).collect();
    let each: Vec<C::Word> = same.iter().flat_map(|word| vec![*word; lanes]).collect();
    let start: Vec<_> = start.into_iter().map(Term::constant).collect();
    let fixed: Vec<_> = (0..lanes)
        .map(|lane| C::compressed(&start, &inputs(block_of::<C>("block"), lane)))
        .collect();
    for from in [LaneStart::Same(&same), LaneStart::Each(Rows { words: &each, stride: lanes })] {
        advance::<C, R, N>(from, &mut states, &words, 1);
        check_rows(&format!("{what}, from a fixed start"), &states, &fixed);
    }

    // all lanes have the same block
    let mut states: Vec<C::Word> = rows(state_of::<C>(), lanes);
    let block = inputs(block_of::<C>("block"), 0);
    let of_lane = |lane| C::compressed(&inputs(state_of::<C>(), lane), &block);
    let expected: Vec<_> = (0..lanes).map(of_lane).collect();
    let shared = C::shared(&block);
    advance_shared::<Plain<C, R>, Symbolic<N>>(&Shape::of::<C>(), &mut states, lanes, &shared);
    check_rows(&format!("{what}, a shared block"), &states, &expected);
}

/// Advances as many lanes as there are in a row of `states`.
fn advance<C: Standard, R: Registers, const N: usize>(
    from: LaneStart<'_, C::Word>,
    states: &mut [C::Word],
    words: &[C::Word],
    blocks: usize,
) {
    let stride = states.len() / C::State::<u8>::LEN;
    let shape = &Shape::of::<C>();
    vectors::advance::<Plain<C, R>, Symbolic<N>>(shape, from, states, stride, words, blocks);
}

/// The kernel of one stream.
fn stream<C: Standard>() {
    let shape = &Shape::of::<C>();
    let blocks = ["block", "next block"];
    let message: Vec<_> = blocks.iter().flat_map(|name| inputs(block_of::<C>(name), 0)).collect();
    let expected = expected::<C>(1, &blocks);
    for (byte_order, order) in
        [(C::ORDER, RunByteOrder::Message), (ByteOrder::NATIVE, RunByteOrder::Native)]
    {
        let mut state: Vec<C::Word> = rows(state_of::<C>(), 1);
        let run = &bytes::<C::Word>(byte_order, &message);
        let (lane, state_too) = (PhantomData::<VectorLane>, &mut state);
        Symbolic::<1>.run(AdvanceOne::<C, _> {
            shape,
            state: state_too,
            run,
            order,
            blocks: 2,
            lane,
        });
        check_rows("one stream", &state, &expected);
    }
}

/// The forms that every function has, for all states and blocks.
pub(crate) fn all<C: Shared>() {
    term::begin(C::Word::BITS);
    form::<C, OneRegister, 1>("one lane");
    form::<C, OneRegister, 2>("a register");
    form::<C, TwoRegisters, 2>("two registers");
    stream::<C>();
}

/// The form of functions with a separate text for cores that wait on latency.
pub(crate) fn serial<C: Shared>() {
    form::<C, OneLatencyBoundRegister, 2>("a register on a core that waits");
}

/// The text alone, for functions that differ only in the length of their blocks.
pub(crate) fn one_text<C: Standard>() {
    term::begin(C::Word::BITS);
    text::<C, Terms<C::Word, 2>, 2>("a register");
}

/// The text for sets with few registers.
pub(crate) fn few_registers<C: Standard>() {
    term::begin(C::Word::BITS);
    text::<C, Terms<C::Word, FEW>, FEW>("few registers");
}

fn form<C: Shared, R: Registers, const N: usize>(what: &str) {
    text::<C, R::Of<C::Word, Terms<C::Word, N>>, N>(what);
    kernels::<C, R, N>(what);
}
