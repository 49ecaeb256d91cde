//! j-lanes of a hash that is known by its numbers.

use core::fmt;

use digest::{Reset, Update};
use jlanes_core::{hash::Descriptor, jobs::Jobs, kernel::Kernels};

use super::end::Ends;
use crate::{
    ParameterError,
    deal::{Dealer, Group},
    linear::LinearHash,
    profile::{AnyProfile, JLANES, Profile},
    store::{Heap, Store},
};

/// A hash in lanes that are stored in `S`.
#[derive(Clone)]
pub struct AnyLaneTree<W: Jobs, S: Store<W>> {
    dealer: Dealer<W, S>,
    /// Every lane's first chaining value.
    start: W::State,
    /// Whether there are prefixes.
    separates: bool,
    /// Bytes of the message so far.
    total: u64,
}

/// [`JLanesDyn`](super::JLanesDyn) with the hash as a value.
pub type AnyJLanes<W> = AnyLaneTree<W, Heap<W>>;

impl<W: Jobs> AnyJLanes<W> {
    /// `j` lanes of a hash on its kernels, under a profile.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn new(
        hash: (Kernels<W>, &'static Descriptor<W>),
        j: usize,
        profile: AnyProfile,
    ) -> Result<Self, ParameterError> {
        Ok(Self::build(hash, profile.separates(), Heap::new(&hash.1.shape, j)?))
    }
}

impl<W: Jobs, S: Store<W>> AnyLaneTree<W, S> {
    pub(super) fn build(
        (kernels, hash): (Kernels<W>, &'static Descriptor<W>),
        separates: bool,
        store: S,
    ) -> Self {
        let mut start = hash.start();
        let state = &mut start.as_mut()[..hash.shape.state];
        if separates {
            let prefix = JLANES.leaf(store.lanes() as u32, W::BYTES).block();
            kernels.advance_one(state, &prefix[..hash.shape.block]);
        }
        let dealer = Dealer::new((kernels, hash), store, state);
        Self { dealer, start, separates, total: 0 }
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
        let tree = TreeEnd {
            hash: self.dealer.hash(),
            lanes: self.dealer.lanes(),
            separates: self.separates,
            total: self.total,
        };
        let (states, buffer, held) = self.dealer.parts();
        tree.finish(states, &buffer[..held], out);
    }
}

impl<W: Jobs, S: Store<W>> Update for AnyLaneTree<W, S> {
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
}

impl<W: Jobs, S: Store<W>> Reset for AnyLaneTree<W, S> {
    fn reset(&mut self) {
        Self::reset(self);
    }
}

impl<W: Jobs, S: Store<W>> fmt::Debug for AnyLaneTree<W, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyLaneTree<{}, {}> {{ ... }}", self.dealer.hash().1.name, self.lanes())
    }
}

/// The parameters of a tree's end, apart from its lanes.
struct TreeEnd<W: 'static> {
    hash: (Kernels<W>, &'static Descriptor<W>),
    lanes: usize,
    separates: bool,
    total: u64,
}

impl<W: Jobs> TreeEnd<W> {
    /// Finishes the lanes, with `tail` left of the message, and hashes their digests.
    fn finish(&self, states: &mut [W], tail: &[u8], out: &mut [u8]) {
        let Self { hash: (kernels, hash), lanes, .. } = *self;
        let (leaf, block) = (JLANES.leaf(lanes as u32, W::BYTES).block(), hash.shape.block);
        let mut root = LinearHash::new(kernels, hash);
        let mut prefix = &leaf[..0];
        if self.separates {
            prefix = &leaf[..block];
            root.update(&JLANES.root(lanes as u32, W::BYTES, self.total).block()[..block]);
        }
        let most = kernels.shape.lanes;
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
