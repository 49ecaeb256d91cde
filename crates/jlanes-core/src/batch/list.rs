//! S-HASH over messages that are in memory.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::convert::Infallible;

use super::{Batch, Blocks, Source, Start, whole_blocks};
use crate::{
    compression::{Columns, Compression, block_words},
    engine::{Engine, Input, MAX_LANES},
    hash::{HashFunction, MAX_BLOCK, Output, State, WordOf},
    lanes::Array,
};

/// A message of `P` pieces in memory, with its number in the list.
#[derive(Debug)]
struct Pieces<'m, const P: usize> {
    index: usize,
    pieces: [&'m [u8]; P],
    at: usize,
}

impl<const P: usize> Source for Pieces<'_, P> {
    type Key = usize;
    type Error = Infallible;
    type Buffer = ();

    #[inline]
    fn fill(&mut self, (): &mut ()) -> Result<(), Infallible> {
        while self.at + 1 < P && self.pieces[self.at].is_empty() {
            self.at += 1;
        }
        Ok(())
    }

    #[inline]
    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        self.pieces[self.at]
    }

    #[inline]
    fn consume(&mut self, (): &mut (), n: usize) {
        self.pieces[self.at] = &self.pieces[self.at][n..];
    }

    #[inline]
    fn into_key(self) -> usize {
        self.index
    }
}

/// Digests `out.len()` messages; message `i` is the concatenation of `message(i)`.
pub fn digest<'a, H: HashFunction, E: Engine<H::Compression>, const P: usize>(
    engine: E,
    start: Start<H>,
    message: impl Fn(usize) -> [&'a [u8]; P],
    out: &mut [Output<H>],
) {
    let len = |i: usize| message(i).iter().map(|piece| piece.len()).sum::<usize>();
    let count = out.len();
    if count == 0 {
        return;
    }
    let (min, max) = (1..count).fold((len(0), len(0)), |(min, max), i| {
        let len = len(i);
        (min.min(len), max.max(len))
    });
    if P == 1 && min == max {
        return equal(engine, start, |i| message(i)[0], max, out);
    }
    #[cfg(feature = "alloc")]
    let order = longest_first(count, engine.lanes(), H::Compression::BLOCK, len);
    let mut ranks = 0..count;
    let mut next = || {
        let rank = ranks.next()?;
        #[cfg(feature = "alloc")]
        let rank = order.get(rank).copied().unwrap_or(rank);
        Some(Pieces { index: rank, pieces: message(rank), at: 0 })
    };
    let mut batch = Batch::<H, E, _>::new(engine, start);
    while batch.step(&mut next, |source, Ok(digest)| out[source.into_key()] = digest) {}
}

/// Messages of one length: groups of as many as there are lanes, without any bookkeeping.
fn equal<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    start: Start<H>,
    message: impl Fn(usize) -> &'a [u8],
    len: usize,
    out: &mut [Output<H>],
) {
    let lanes = engine.lanes();
    let mut group = Group::new(engine, start, len, out.len() >= MAX_LANES);
    for (g, out) in out.chunks_mut(lanes).enumerate() {
        let mut inputs = [message(g * lanes); MAX_LANES];
        for l in 1..out.len() {
            inputs[l] = message(g * lanes + l);
        }
        group.digest(&inputs, out);
    }
}

/// Up to [`MAX_LANES`] messages of one length, from their first block to their last together.
struct Group<H: HashFunction, E> {
    engine: E,
    start: Start<H>,
    len: usize,
    blocks: [Blocks; MAX_LANES],
    /// The last block, where it depends on the length alone ([SMS] section 5).
    constant: Option<Constant<H>>,
}

/// An expanded block.
struct Constant<H: HashFunction> {
    schedule: [WordOf<H>; 80],
}

impl<H: HashFunction> Constant<H> {
    /// The last block of every message of `total` bytes, if the message's own bytes end before it.
    fn of_length(total: u128) -> Option<Self> {
        let block = H::Compression::BLOCK;
        let tail = (total % block as u128) as usize;
        let mut blocks = [0; 2 * MAX_BLOCK];
        let n = H::end(0, &mut H::start(), tail, total, &mut blocks);
        if H::HOLD_BACK > 0 || (n == 1 && tail > 0) {
            return None;
        }
        let mut schedule = [WordOf::<H>::default(); 80];
        let last = block_words::<H::Compression>(&blocks[(n - 1) * block..]);
        H::Compression::expand(&last, &mut schedule);
        Some(Self { schedule })
    }
}

impl<H: HashFunction, E: Engine<H::Compression>> Group<H, E> {
    fn new(engine: E, start: Start<H>, len: usize, pays: bool) -> Self {
        let constant = pays.then(|| Constant::of_length(start.total + len as u128)).flatten();
        Self { engine, start, len, blocks: [[0; 2 * MAX_BLOCK]; MAX_LANES], constant }
    }

    fn digest(&mut self, inputs: &[&[u8]; MAX_LANES], out: &mut [Output<H>]) {
        let live = out.len();
        let mut states = <H::Compression as Compression>::State::<[WordOf<H>; MAX_LANES]>::splat(
            [WordOf::<H>::default(); MAX_LANES],
        );
        for (row, word) in states.as_mut().iter_mut().zip(self.start.state.as_ref()) {
            *row = [*word; MAX_LANES];
        }
        let mut columns = Columns::new(states.as_mut().as_flattened_mut(), MAX_LANES);
        let whole = whole_blocks::<H>(self.len);
        if whole > 0 {
            self.engine.advance(columns.reborrow(), Input::Pointers(inputs), live, whole);
        }
        self.end(&mut columns, inputs, live);
        for (l, out) in out.iter_mut().enumerate() {
            *out = H::output(&columns.get(l));
        }
    }

    /// The blocks that hold the messages' tails and their padding.
    fn end(
        &mut self,
        columns: &mut Columns<'_, WordOf<H>>,
        inputs: &[&[u8]; MAX_LANES],
        live: usize,
    ) {
        let block = H::Compression::BLOCK;
        let tail = self.len - whole_blocks::<H>(self.len) * block;
        let total = self.start.total + self.len as u128;
        if let (Some(constant), 0) = (&self.constant, tail) {
            let input = Input::Expanded(&constant.schedule);
            return self.engine.advance(columns.reborrow(), input, live, 1);
        }
        for part in 0.. {
            let mut count = 0;
            for l in 0..live {
                if part == 0 {
                    self.blocks[l][..tail].copy_from_slice(&inputs[l][self.len - tail..]);
                }
                let mut state: State<H> = columns.get(l);
                count = H::end(part, &mut state, tail, total, &mut self.blocks[l]);
                columns.set(l, &state);
            }
            let own = if self.constant.is_some() { count.min(1) } else { count };
            if count == 0 {
                break;
            }
            let mut ends: [&[u8]; MAX_LANES] = [&self.blocks[0]; MAX_LANES];
            for l in 1..live {
                ends[l] = &self.blocks[l];
            }
            self.engine.advance(columns.reborrow(), Input::Pointers(&ends), live, own);
            if let (Some(constant), true) = (&self.constant, own < count) {
                let input = Input::Expanded(&constant.schedule);
                self.engine.advance(columns.reborrow(), input, live, 1);
            }
        }
    }
}

/// The numbers `0..count` by falling length of their messages, in classes a quarter of an octave
/// wide: one pass to count, one to place. Long messages start first, so none is left to run alone
/// at the end; neighbours end together, so steps are long. The order does not show in the result.
#[cfg(feature = "alloc")]
fn longest_first(
    count: usize,
    lanes: usize,
    block: usize,
    len: impl Fn(usize) -> usize,
) -> Vec<usize> {
    const CLASSES: usize = 4 * usize::BITS as usize;
    if count <= lanes {
        return Vec::new();
    }
    let class = |i: usize| {
        let blocks = len(i) / block + 4;
        let octave = blocks.ilog2();
        CLASSES - 1 - (4 * octave as usize + (blocks >> (octave - 2)) % 4)
    };
    let mut starts = [0; CLASSES + 1];
    for i in 0..count {
        starts[class(i) + 1] += 1;
    }
    for c in 0..CLASSES {
        starts[c + 1] += starts[c];
    }
    let mut order = alloc::vec![0; count];
    for i in 0..count {
        let rank = &mut starts[class(i)];
        order[*rank] = i;
        *rank += 1;
    }
    order
}
