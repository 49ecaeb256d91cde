//! [`AnyJLanes`], j-lanes over a hash that is a value: the one implementation behind [`LaneTree`](super::LaneTree).

use core::fmt;

use digest::{Reset, Update};
use jlanes_core::{function::Function, jobs::CompiledWord};

use super::{MAX_J, end::LaneEnds};
use crate::{
    TreeError,
    interleave::{AllLanes, Interleaver, LaneGroup},
    linear::LinearHash,
    profile::JLANES,
};

/// Lanes of a hash function: the body of [`LaneTree`](super::LaneTree).
#[derive(Clone)]
pub struct AnyJLanes<W: CompiledWord> {
    interleaver: Interleaver<W>,
    /// The chaining value at which every lane starts.
    start: W::State,
    /// Without prefixes, as in the paper.
    raw: bool,
    /// Bytes of the message so far.
    total: u64,
}

impl<W: CompiledWord> AnyJLanes<W> {
    /// `j` lanes of a function without bytes before its messages: profile v1, or as in the paper if `raw`.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn new(function: Function<W>, j: usize, raw: bool) -> Result<Self, TreeError> {
        let fits = (1..=MAX_J).contains(&j);
        if fits { Ok(Self::build(function, j, raw)) } else { Err(TreeError::Lanes(j)) }
    }

    /// [`new`](Self::new), with `j` in 1..=256.
    pub(super) fn build(function: Function<W>, j: usize, raw: bool) -> Self {
        let mut start = function.start_state();
        let state = &mut start.as_mut()[..function.descriptor().shape.state_words];
        if !raw {
            let prefix = JLANES.leaf(j as u32, W::BYTES).block();
            let block = function.descriptor().shape.block_bytes;
            function.kernels().advance_one(state, &prefix[..block]);
        }
        let interleaver = Interleaver::new(function, j, state);
        Self { interleaver, start, raw, total: 0 }
    }

    /// The number of lanes, `j`.
    pub fn lanes(&self) -> usize {
        self.interleaver.lanes()
    }

    /// Bytes of the digest.
    pub fn output_size(&self) -> usize {
        self.interleaver.function().output_size()
    }

    /// Absorbs more of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.total += data.len() as u64;
        self.interleaver.update(data);
    }

    /// Absorbs more of the message, with all threads if that gains time.
    #[cfg(feature = "rayon")]
    pub fn par_update(&mut self, data: &[u8]) {
        self.total += data.len() as u64;
        self.interleaver.update_with(data, crate::parallel::advance);
    }

    /// Begins a new message.
    pub fn reset(&mut self) {
        self.total = 0;
        self.interleaver.restart(self.start.as_ref());
    }

    /// Finishes the lanes and hashes their digests; the hasher must be reset afterwards.
    pub fn finish(&mut self, out: &mut [u8]) {
        let (lanes, total) = (self.interleaver.lanes(), self.total);
        let (function, states, tail) = self.interleaver.split();
        let (kernels, hash) = (function.kernels(), function.descriptor());
        let (leaf, block) = (JLANES.leaf(lanes as u32, W::BYTES).block(), hash.shape.block_bytes);
        let mut root = LinearHash::new(function);
        let mut prefix = &leaf[..0];
        if !self.raw {
            prefix = &leaf[..block];
            root.update(&JLANES.root(lanes as u32, W::BYTES, total).block()[..block]);
        }
        let most = kernels.shape.max_lanes;
        let ends = LaneEnds::new(function, lanes, tail, total, prefix);
        let all = AllLanes { kernels, states, lanes };
        for first in (0..lanes).step_by(most) {
            let mut group = LaneGroup::load(&all, first, most);
            ends.finish(&mut group);
            for l in 0..group.live {
                // the output buffer is scratch space for one lane's digest at a time
                group.output(hash, l, out);
                root.update(out);
            }
        }
        root.finish(out);
    }
}

impl<W: CompiledWord> Update for AnyJLanes<W> {
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
}

impl<W: CompiledWord> Reset for AnyJLanes<W> {
    fn reset(&mut self) {
        Self::reset(self);
    }
}

impl<W: CompiledWord> fmt::Debug for AnyJLanes<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "AnyJLanes<{}, {}> {{ ... }}",
            self.interleaver.function().descriptor().name,
            self.lanes()
        )
    }
}
