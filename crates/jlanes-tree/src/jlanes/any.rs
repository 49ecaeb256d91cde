//! [`AnyJLanes`], j-lanes of a hash that is a value: the code behind every type of j-lanes.

use core::fmt;

use digest::{Reset, Update};
use jlanes_core::{hash::Descriptor, jobs::Jobs, kernel::Kernels};

use super::{MAX_J, end::Ends};
use crate::{
    ParameterError,
    deal::{Dealer, Group},
    linear::LinearHash,
    profile::JLANES,
};

/// Lanes of a hash: the body of [`LaneTree`](super::LaneTree).
#[derive(Clone)]
pub struct AnyJLanes<W: Jobs> {
    dealer: Dealer<W>,
    /// The chaining value at which every lane starts.
    start: W::State,
    /// Without prefixes, as in the paper.
    raw: bool,
    /// Bytes of the message so far.
    total: u64,
}

impl<W: Jobs> AnyJLanes<W> {
    /// `j` lanes of a hash on its kernels: profile v1, or as in the paper if `raw`.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn new(
        hash: (Kernels<W>, &'static Descriptor<W>),
        j: usize,
        raw: bool,
    ) -> Result<Self, ParameterError> {
        let fits = (1..=MAX_J).contains(&j);
        if fits { Ok(Self::build(hash, j, raw)) } else { Err(ParameterError::Lanes(j)) }
    }

    /// [`new`](Self::new), with `j` in 1..=256.
    pub(super) fn build(
        (kernels, hash): (Kernels<W>, &'static Descriptor<W>),
        j: usize,
        raw: bool,
    ) -> Self {
        let mut start = hash.start();
        let state = &mut start.as_mut()[..hash.shape.state];
        if !raw {
            let prefix = JLANES.leaf(j as u32, W::BYTES).block();
            kernels.advance_one(state, &prefix[..hash.shape.block]);
        }
        let dealer = Dealer::new((kernels, hash), j, state);
        Self { dealer, start, raw, total: 0 }
    }

    /// The number of lanes, `j`.
    pub fn lanes(&self) -> usize {
        self.dealer.lanes()
    }

    /// Bytes of the digest.
    pub fn output_size(&self) -> usize {
        self.dealer.hash().1.digest
    }

    /// Absorbs more of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.total += data.len() as u64;
        self.dealer.update(data);
    }

    /// Absorbs more of the message, with all threads if that gains time.
    #[cfg(feature = "rayon")]
    pub fn par_update(&mut self, data: &[u8]) {
        self.total += data.len() as u64;
        self.dealer.update_with(data, crate::parallel::advance);
    }

    /// Begins a new message.
    pub fn reset(&mut self) {
        self.total = 0;
        self.dealer.restart(self.start.as_ref());
    }

    /// Finishes the lanes and hashes their digests; the hasher must be reset afterwards.
    pub fn finish(&mut self, out: &mut [u8]) {
        let ((kernels, hash), lanes) = (self.dealer.hash(), self.dealer.lanes());
        let (leaf, block) = (JLANES.leaf(lanes as u32, W::BYTES).block(), hash.shape.block);
        let mut root = LinearHash::new(kernels, hash);
        let mut prefix = &leaf[..0];
        if !self.raw {
            prefix = &leaf[..block];
            root.update(&JLANES.root(lanes as u32, W::BYTES, self.total).block()[..block]);
        }
        let most = kernels.shape.lanes;
        let (states, tail) = self.dealer.parts();
        let ends = Ends::new((kernels, hash), lanes, tail, self.total, prefix);
        for first in (0..lanes).step_by(most) {
            let mut group = Group::load(kernels, states, lanes, first, most);
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

impl<W: Jobs> Update for AnyJLanes<W> {
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
}

impl<W: Jobs> Reset for AnyJLanes<W> {
    fn reset(&mut self) {
        Self::reset(self);
    }
}

impl<W: Jobs> fmt::Debug for AnyJLanes<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyJLanes<{}, {}> {{ ... }}", self.dealer.hash().1.name, self.lanes())
    }
}
