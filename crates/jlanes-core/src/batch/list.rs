//! S-HASH over messages that are in memory.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::convert::Infallible;

use super::{Batch, Blocks, Source, Start, whole_blocks};
use crate::{
    engine::{Engine, Input, MAX_LANES},
    hash::{
        HashFunction, MAX_BLOCK, Output, State, WordOf,
        compression::{Columns, Compression},
        shared_block::ConstantBlock,
    },
    simd::lanes::Array,
    wipe,
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
///
/// Messages whose pieces have the lengths of message 0's take a path without bookkeeping.
pub fn digest<'a, H: HashFunction, E: Engine<H::Compression>, const P: usize>(
    engine: E,
    start: Start<H>,
    message: impl Fn(usize) -> [&'a [u8]; P],
    out: &mut [Output<H>],
) {
    let count = out.len();
    if count == 0 {
        return;
    }
    let lens = |i: usize| message(i).map(<[u8]>::len);
    let first = lens(0);
    if (1..count).all(|i| lens(i) == first) {
        return equal(engine, start, message, first, out);
    }
    #[cfg(feature = "alloc")]
    let order = {
        let len = |i: usize| lens(i).iter().sum();
        longest_first(count, engine.lanes(), H::Compression::BLOCK, len)
    };
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

/// [`digest()`] of messages that share a prefix, whose whole blocks are hashed once.
pub fn digest_prefixed<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    prefix: &'a [u8],
    message: impl Fn(usize) -> &'a [u8],
    out: &mut [Output<H>],
) {
    let (mut start, rest) = Start::<H>::after(engine, prefix);
    if rest.is_empty() {
        digest(engine, start, |i| [message(i)], out);
    } else {
        digest(engine, start, |i| [rest, message(i)], out);
    }
    start.wipe();
}

/// Messages that are alike in their pieces' lengths: groups of as many as there are lanes.
fn equal<'a, H: HashFunction, E: Engine<H::Compression>, const P: usize>(
    engine: E,
    start: Start<H>,
    message: impl Fn(usize) -> [&'a [u8]; P],
    lens: [usize; P],
    out: &mut [Output<H>],
) {
    // engines with few lanes take the group in several goes; the group's own cost is shared
    let lanes = MAX_LANES - MAX_LANES % engine.lanes();
    let mut group = Group::new(engine, start, lens, out.len() >= MAX_LANES);
    for (g, out) in out.chunks_mut(lanes).enumerate() {
        let mut inputs = message(g * lanes).map(|piece| [piece; MAX_LANES]);
        for l in 1..out.len() {
            for (lanes, piece) in inputs.iter_mut().zip(message(g * lanes + l)) {
                lanes[l] = piece;
            }
        }
        group.digest(&inputs, out);
    }
}

/// One piece of each lane's message.
type Inputs<'m> = [&'m [u8]; MAX_LANES];

/// Up to [`MAX_LANES`] messages alike in `P` lengths, from first block to last together.
struct Group<H: HashFunction, E, const P: usize> {
    engine: E,
    start: Start<H>,
    lens: [usize; P],
    /// What a lane has of a block that pieces share, and its padding.
    blocks: [Blocks; MAX_LANES],
    /// How many lanes have their padding from an earlier group, and in how many blocks it ends.
    padded: (usize, usize),
    /// The last block, where it depends on the length alone (\[SMS\] section 5).
    constant: Option<ConstantBlock<H>>,
}

#[cfg(feature = "zeroize")]
impl<H: HashFunction, E, const P: usize> Drop for Group<H, E, P> {
    fn drop(&mut self) {
        self.start.wipe();
        wipe::bytes(self.blocks.as_flattened_mut());
    }
}

impl<H: HashFunction, E: Engine<H::Compression>, const P: usize> Group<H, E, P> {
    fn new(engine: E, start: Start<H>, lens: [usize; P], pays: bool) -> Self {
        let total = start.total + lens.iter().sum::<usize>() as u128;
        let constant = pays.then(|| ConstantBlock::of_length(total)).flatten();
        let blocks = [[0; 2 * MAX_BLOCK]; MAX_LANES];
        Self { engine, start, lens, blocks, padded: (0, 0), constant }
    }

    fn digest(&mut self, inputs: &[Inputs<'_>; P], out: &mut [Output<H>]) {
        let mut states = <H::Compression as Compression>::State::<[WordOf<H>; MAX_LANES]>::splat(
            [WordOf::<H>::default(); MAX_LANES],
        );
        for (row, word) in states.as_mut().iter_mut().zip(self.start.state.as_ref()) {
            *row = [*word; MAX_LANES];
        }
        let mut columns = Columns::new(states.as_mut().as_flattened_mut(), MAX_LANES);
        let tail = self.absorb(&mut columns, inputs, out.len());
        self.end(&mut columns, tail, out.len());
        for (l, out) in out.iter_mut().enumerate() {
            *out = H::output(&columns.get(l));
        }
        wipe::words(states.as_mut().as_flattened_mut());
    }

    /// The expansion of the last block, where it is constant; empty where it is not.
    fn constant(&self) -> &[WordOf<H>] {
        self.constant.as_ref().map_or(&[], ConstantBlock::schedule)
    }

    /// Compresses all but the ends, which it leaves in `blocks`, and returns their length. If they
    /// are empty and the last block is constant, that is compressed too.
    #[inline]
    fn absorb(
        &mut self,
        columns: &mut Columns<'_, WordOf<H>>,
        inputs: &[Inputs<'_>; P],
        live: usize,
    ) -> usize {
        let block = H::Compression::BLOCK;
        let mut left: usize = self.lens.iter().sum();
        let mut held = 0;
        for (piece, &len) in inputs.iter().zip(&self.lens) {
            let mut at = 0;
            while at < len {
                let whole = whole_blocks::<H>(left).min((len - at) / block);
                if held == 0 && whole > 0 {
                    let runs = piece.map(|bytes| &bytes[at..]);
                    let input = Input::Pointers(&runs);
                    at += whole * block;
                    left -= whole * block;
                    let last = if left == 0 { self.constant() } else { &[] };
                    self.engine.advance(columns.reborrow(), input, live, whole, last);
                    continue;
                }
                let n = (len - at).min(block - held);
                for (blocks, bytes) in self.blocks.iter_mut().zip(&piece[..live]) {
                    copy(&mut blocks[held..], &bytes[at..][..n]);
                }
                (at, held, left) = (at + n, held + n, left - n);
                if held == block && left >= H::HOLD_BACK {
                    let last = if left == 0 { self.constant() } else { &[] };
                    self.advance_own(columns, live, 1, last);
                    self.padded = (0, 0);
                    held = 0;
                }
            }
        }
        held
    }

    /// Advances by `count` of the lanes' own `blocks`.
    fn advance_own(
        &self,
        columns: &mut Columns<'_, WordOf<H>>,
        live: usize,
        count: usize,
        last: &[WordOf<H>],
    ) {
        let mut inputs: Inputs<'_> = [&self.blocks[0]; MAX_LANES];
        for l in 1..live {
            inputs[l] = &self.blocks[l];
        }
        self.engine.advance(columns.reborrow(), Input::Pointers(&inputs), live, count, last);
    }

    /// The blocks that hold the messages' tails and their padding.
    fn end(&mut self, columns: &mut Columns<'_, WordOf<H>>, tail: usize, live: usize) {
        let len: usize = self.lens.iter().sum();
        if tail == 0 && self.constant.is_some() {
            if len == 0 {
                self.advance_own(columns, live, 0, self.constant());
            }
            return;
        }
        if H::HOLD_BACK == 0 {
            let count = self.pad(tail, live);
            let own = if self.constant.is_some() { 1 } else { count };
            return self.advance_own(columns, live, own, self.constant());
        }
        for part in 0.. {
            let mut count = 0;
            for l in 0..live {
                let mut state: State<H> = columns.get(l);
                let total = self.start.total + len as u128;
                count = H::end(part, &mut state, tail, total, &mut self.blocks[l]);
                columns.set(l, &state);
            }
            if count == 0 {
                break;
            }
            self.advance_own(columns, live, count, &[]);
        }
    }

    /// Pads the tails in `blocks`, which takes nothing but the length, and once for all groups.
    /// Returns how many blocks they are.
    fn pad(&mut self, tail: usize, live: usize) -> usize {
        let total = self.start.total + self.lens.iter().sum::<usize>() as u128;
        let (padded, count) = &mut self.padded;
        for blocks in self.blocks[..live].iter_mut().skip(*padded) {
            *count = H::end(0, &mut H::start(), tail, total, blocks);
        }
        *padded = live.max(*padded);
        *count
    }
}

/// Copies a piece of a block, without a call where it is short: as its first bytes and its last,
/// which may overlap.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) {
    let to = &mut to[..from.len()];
    // digests, of which pairs consist
    if let (Some(to), Ok(from)) = (to.first_chunk_mut::<32>(), <&[u8; 32]>::try_from(from)) {
        *to = *from;
    } else if !(copy_ends::<32>(to, from) || copy_ends::<16>(to, from) || copy_ends::<8>(to, from))
    {
        to.copy_from_slice(from);
    }
}

/// Copies `N` to `2 * N` bytes; returns whether they are so many.
#[inline(always)]
fn copy_ends<const N: usize>(to: &mut [u8], from: &[u8]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else {
        return false;
    };
    if from.len() > 2 * N {
        return false;
    }
    let end = to.len() - N;
    to[..N].copy_from_slice(first);
    to[end..].copy_from_slice(last);
    true
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
