//! Engines: how a CPU advances many lanes, without saying which instructions do it.

use crate::{
    hash::{
        HashFunction, Output,
        compression::{Advance, Columns, Compression},
    },
    simd::{
        isa::Isa,
        lanes::{Lanes, Word},
        layout::{Interleaved, Pointers},
        portable::Portable,
    },
};

/// The most lanes that an engine fills at once.
pub const MAX_LANES: usize = 16;

/// What the lanes are fed.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A run of bytes a lane.
    Pointers(&'a [&'a [u8]]),
    /// The words of one message, in turn.
    Interleaved(Interleaved<'a>),
}

impl Input<'_> {
    /// No bytes for any lane: for a shared last block alone.
    pub const NONE: Self = Self::Pointers(&[&[] as &[u8]; MAX_LANES]);
}

/// A way to run a compression function over lanes, and over one stream.
pub trait Engine<C: Compression>: Copy + Send + Sync + 'static {
    /// How many lanes it pays to keep filled; at most [`MAX_LANES`].
    fn lanes(&self) -> usize;

    /// Advances the lanes `0..live` by `blocks` blocks of `input`, then by the block that is the
    /// same in all of them and whose [expansion](Compression::expand) is `last`, if that is not
    /// empty.
    ///
    /// Columns and pointers are [`MAX_LANES`] wide, and every pointer holds `blocks` blocks: an
    /// engine may compute lanes that are not live and leave anything in their columns. Interleaved
    /// rows may be of any width from `live` up; the data holds `blocks` blocks of the live lanes.
    fn advance(
        &self,
        states: Columns<'_, C::Word>,
        input: Input<'_>,
        live: usize,
        blocks: usize,
        last: &[C::Word],
    );

    /// Advances one stream by the whole blocks in `data`.
    fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]);

    /// The kernel that `live` lanes run on, for people.
    fn kernel(&self, live: usize) -> &'static str;
}

/// A hasher that can also hash many messages at once.
///
/// This is the one type parameter of the batch functions: it names the hash function and the
/// engine that computes it.
pub trait MultiDigest:
    digest::Digest + digest::OutputSizeUser<OutputSize = <Self::Function as HashFunction>::OutputSize>
{
    /// The hash function.
    type Function: HashFunction;
    /// What computes it.
    type Engine: Engine<<Self::Function as HashFunction>::Compression>;

    /// The engine for this CPU.
    fn engine() -> Self::Engine;
}

/// The digest of `H`, as the engine's hash function returns it.
pub type OutputOf<H> = Output<<H as MultiDigest>::Function>;

impl<C: Compression> Engine<C> for Portable<1> {
    fn lanes(&self) -> usize {
        1
    }

    fn advance(
        &self,
        mut states: Columns<'_, C::Word>,
        input: Input<'_>,
        live: usize,
        blocks: usize,
        last: &[C::Word],
    ) {
        for first in 0..live {
            advance_on::<_, C>(*self, states.reborrow(), input, first, blocks, last);
        }
    }

    fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]) {
        one_on::<_, C>(*self, state, data);
    }

    fn kernel(&self, _live: usize) -> &'static str {
        "portable"
    }
}

/// Advances the lanes `first..first + N` on the instruction set `isa`.
#[inline]
pub fn advance_on<I: Isa, C: Compression>(
    isa: I,
    states: Columns<'_, C::Word>,
    input: Input<'_>,
    first: usize,
    blocks: usize,
    last: &[C::Word],
) {
    match input {
        Input::Pointers(lanes) => {
            isa.run(Advance::<C, _> { states, layout: Pointers(lanes), first, blocks, last });
        }
        Input::Interleaved(rows) => advance_rows::<I, C>(isa, states, rows, first, blocks, last),
    }
}

/// [`advance_on`] for interleaved lanes. A vector that is wider than what is left of a row reads on
/// into the next row, for lanes that nobody looks at; super-blocks at the end of the data, where
/// that would leave the data, go through a copy.
fn advance_rows<I: Isa, C: Compression>(
    isa: I,
    mut states: Columns<'_, C::Word>,
    rows: Interleaved<'_>,
    first: usize,
    blocks: usize,
    last: &[C::Word],
) {
    let end = first + <<C::Word as Word>::Vector<I> as Lanes<C::Word>>::N;
    let direct = rows.readable::<C>(end).min(blocks);
    let after = |done: usize| if done == blocks { last } else { &[] };
    isa.run(Advance::<C, _> {
        states: states.reborrow(),
        layout: rows,
        first,
        blocks: direct,
        last: after(direct),
    });
    for b in direct..blocks {
        let copied = rows.copy::<C>(b, first, end);
        isa.run(Advance::<C, _> {
            states: states.reborrow(),
            layout: Interleaved { data: &copied, lanes: MAX_LANES },
            first,
            blocks: 1,
            last: after(b + 1),
        });
    }
}

/// Advances one stream on an instruction set of one lane.
#[inline]
pub fn one_on<I: Isa, C: Compression>(isa: I, state: &mut C::State<C::Word>, data: &[u8]) {
    let states = Columns::new(state.as_mut(), 1);
    let blocks = data.len() / C::BLOCK;
    isa.run(Advance::<C, _> { states, layout: Pointers(&[data]), first: 0, blocks, last: &[] });
}
