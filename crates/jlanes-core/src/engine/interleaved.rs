//! One message in many lanes: word `i` belongs to lane `i mod lanes`.

use core::marker::PhantomData;

use crate::{
    hash::compression::{Compression, LaneStates, max_lanes},
    simd::{
        groups::Groups,
        isa::{Isa, Kernel},
        lanes::{Lanes, Word},
        layout::{Interleaved, Layout},
    },
};

/// Lanes that advance by the blocks of one message and then by a block that they share.
pub struct InterleavedLanes<'a, C: Compression> {
    /// The lanes' states.
    pub states: LaneStates<'a, C::Word>,
    /// The message.
    pub rows: Interleaved<'a>,
    /// Number of lanes.
    pub live: usize,
    /// Blocks per lane.
    pub blocks: usize,
    /// The shared last block.
    pub last: Option<&'a C::Shared>,
}

impl<C: Compression> InterleavedLanes<'_, C> {
    /// Does what is to be done for the lanes `first..first + S` on code that advances `S` streams and
    /// knows no lanes. `advance` takes the streams' states, rows that begin with the first one's word,
    /// the number of blocks, and a block that the streams share.
    pub fn on_streams<const S: usize>(
        &mut self,
        first: usize,
        advance: impl FnOnce(&mut [C::State<C::Word>; S], Interleaved<'_>, usize, Option<&C::Shared>),
    ) {
        let mut states: [C::State<C::Word>; S] =
            core::array::from_fn(|s| self.states.get(first + s));
        let data = &self.rows.data[first * size_of::<C::Word>()..];
        advance(&mut states, Interleaved { data, ..self.rows }, self.blocks, self.last);
        for s in 0..S {
            self.states.set(first + s, &states[s]);
        }
    }

    /// Advances the lanes `first..end`. A vector that is wider than what is left of a row reads on
    /// into the next row, for lanes that nobody looks at; super-blocks at the end of the data, where
    /// that would leave the data, go through a copy.
    pub(super) fn on<I: Isa, G: Groups>(&mut self, isa: I, first: usize, end: usize) {
        let Self { rows, blocks, last, .. } = *self;
        let width = <LanesOf<C, I, G> as Lanes<C::Word>>::N;
        for first in (first..end).step_by(width) {
            let direct = rows.readable::<C>(first + width).min(blocks);
            let after = |done: usize| if done == blocks { last } else { None };
            isa.run(Advance::<C, _, G> {
                states: self.states.reborrow(),
                layout: rows,
                first,
                blocks: direct,
                last: after(direct),
                groups: PhantomData,
            });
            for b in direct..blocks {
                let copied = rows.copy::<C>(b, first, first + width);
                let data = copied.as_ref().as_flattened();
                isa.run(Advance::<C, _, G> {
                    states: self.states.reborrow(),
                    layout: Interleaved { data, lanes: max_lanes::<C>() },
                    first,
                    blocks: 1,
                    last: after(b + 1),
                    groups: PhantomData,
                });
            }
        }
    }
}

/// The register of `C`'s words on the instruction set `I`.
pub(super) type VectorOf<C, I> = <<C as Compression>::Word as Word>::Vector<I>;
/// The lanes that a kernel takes at a time: as many registers as `G` says.
pub(super) type LanesOf<C, I, G> = <G as Groups>::Of<<C as Compression>::Word, VectorOf<C, I>>;
/// Their states.
pub(super) type StateOf<C, I, G> = <C as Compression>::State<LanesOf<C, I, G>>;

/// Advances as many lanes as `G` registers have by `blocks` blocks that differ from lane to lane,
/// and then by one block that they share.
pub(super) struct Advance<'a, C: Compression, L, G> {
    /// Where the lanes' states are.
    pub(super) states: LaneStates<'a, C::Word>,
    /// Where the blocks are.
    pub(super) layout: L,
    /// First lane.
    pub(super) first: usize,
    /// Blocks per lane.
    pub(super) blocks: usize,
    /// The shared last block.
    pub(super) last: Option<&'a C::Shared>,
    /// The registers.
    pub(super) groups: PhantomData<G>,
}

impl<C: Compression, L: Layout, G: Groups> Kernel for Advance<'_, C, L, G> {
    type Out = ();

    #[inline(always)]
    fn call<I: Isa>(mut self, isa: I) {
        let proof = isa.proof();
        let mut state: StateOf<C, I, G> = self.states.load::<C, _>(proof, self.first);
        for b in 0..self.blocks {
            if G::PREFETCH || self.layout.is_far() {
                self.layout.prefetch::<C, VectorOf<C, I>>(proof, self.first, b);
            }
            let block = <LanesOf<C, I, G> as Lanes<C::Word>>::load_block::<C, L>(
                proof,
                &self.layout,
                self.first,
                b,
            );
            C::compress(proof, &mut state, block);
        }
        if let Some(last) = self.last {
            C::compress_shared(proof, &mut state, last);
        }
        self.states.store::<C, _>(self.first, &state);
    }
}
