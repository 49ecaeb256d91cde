//! j-lanes tree hashing (\[JL\]): one message, distributed word by word over `j` lanes.
//!
//! Word `i` of the message goes to lane `i mod j`. The lanes' blocks are then contiguous in memory,
//! and a vector loads one word of every lane with one load. Each lane is an ordinary hash of its
//! slice; the digest is the hash of the lanes' digests, in order (the *wrapping* step):
//!
//! ```text
//! raw:  H(        H(          slice 0) || ... || H(          slice j-1))
//! v1:   H(P_root || H(P_leaf || slice 0) || ... || H(P_leaf || slice j-1))
//! ```
//!
//! The bytes of a trailing partial word go to the next lane; slices may be empty. The digest
//! depends on `j` and on the hash's word size, but not on the machine.
//!
//! `P` stands for the prefixes of the default profile; [`soundness`](crate::soundness) explains
//! them.

use core::fmt;

use digest::{
    CollisionResistance, FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset,
    Update,
    block_api::{AlgorithmName, BlockSizeUser},
};
use jlanes_core::{
    engine::{Engine, MultiDigest, OutputOf},
    hash::{Descriptor, HashFunction, State, WordOf, compression::Compression},
    kernel::Kernels,
    simd::lanes::Word,
};

use crate::{ParameterError, profile::AnyProfile, store::Heap};
use crate::{
    deal::{Dealer, Group},
    linear::LinearHash,
    profile::{JLANES, Profile, Raw, V1},
    store::{Inline, Store},
};

mod end;
mod generic;

use end::Ends;
pub use generic::{GenericJLanes, GenericJLanesRaw, GenericLaneTree};

/// j-lanes hasher with `J` lanes of `H`, domain-separated (profile v1).
pub type JLanes<H, const J: usize> = LaneTree<H, V1, Inline<Function<H>, J>>;
/// j-lanes hasher with `J` lanes of `H`, as in the paper; see its [soundness](crate::soundness).
pub type JLanesRaw<H, const J: usize> = LaneTree<H, Raw, Inline<Function<H>, J>>;
/// j-lanes hasher with a number of lanes and a profile that are known at run time.
///
/// Its [`Default`], which [`Digest`](digest::Digest) requires, has 16 lanes and profile v1.
pub type JLanesDyn<H> = LaneTree<H, AnyProfile, Heap<Function<H>>>;

/// The default number of lanes.
const DEFAULT_LANES: usize = 16;

type Function<H> = <H as MultiDigest>::Function;
type CompressionOf<H> = <Function<H> as HashFunction>::Compression;

/// Lanes of `H` under profile `P`, stored in `S`: the common implementation of [`JLanes`],
/// [`JLanesRaw`] and [`JLanesDyn`].
#[derive(Clone)]
pub struct LaneTree<H: MultiDigest, P, S: Store<H::Function>> {
    engine: H::Engine,
    profile: P,
    /// Every lane's first chaining value.
    start: State<H::Function>,
    dealer: Dealer<H::Function, S>,
    /// Bytes of the message so far.
    total: u64,
}

impl<H: MultiDigest, P: Profile, S: Store<H::Function>> LaneTree<H, P, S> {
    #[inline]
    fn build(engine: H::Engine, profile: P, store: S) -> Self {
        let mut start = H::Function::start();
        if profile.separates() {
            let prefix = JLANES.leaf(store.lanes() as u32, WordOf::<H::Function>::BYTES).block();
            engine.advance_one(&mut start, &prefix[..CompressionOf::<H>::BLOCK]);
        }
        Self { engine, profile, start, dealer: Dealer::new(store, &start), total: 0 }
    }

    /// The number of lanes, `j`.
    pub fn lanes(&self) -> usize {
        self.dealer.lanes()
    }

    /// Finishes the lanes and hashes their digests; the hasher must be reset afterwards.
    fn finish(&mut self) -> OutputOf<H> {
        let tree = TreeEnd {
            kernels: self.engine.kernels(),
            hash: H::Function::DESCRIPTOR,
            lanes: self.lanes(),
            separates: self.profile.separates(),
            total: self.total,
        };
        let (states, buffer, held) = self.dealer.parts();
        let mut root = OutputOf::<H>::default();
        tree.finish(states, &buffer[..held], &mut root);
        root
    }
}

/// The parameters of a tree's end, apart from its lanes.
struct TreeEnd<W: 'static> {
    kernels: Kernels<W>,
    hash: &'static Descriptor<W>,
    lanes: usize,
    separates: bool,
    total: u64,
}

impl<W: Word> TreeEnd<W> {
    /// Finishes the lanes, with `tail` left of the message, and hashes their digests.
    fn finish(&self, states: &mut [W], tail: &[u8], out: &mut [u8]) {
        let Self { kernels, hash, lanes, .. } = *self;
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

impl<H: MultiDigest, P: Profile + Default, const J: usize> LaneTree<H, P, Inline<H::Function, J>> {
    /// A hasher on a given engine, for example a forced backend.
    #[inline]
    pub fn with_engine(engine: H::Engine) -> Self {
        Self::build(engine, P::default(), Inline::default())
    }
}

impl<H: MultiDigest> JLanesDyn<H> {
    /// A hasher with `j` lanes, profile v1: the same digests as `JLanes<H, j>`.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn new(j: usize) -> Result<Self, ParameterError> {
        Self::with_engine(H::engine(), j, true)
    }

    /// A hasher with `j` lanes, as in the paper: the same digests as `JLanesRaw<H, j>`.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn new_raw(j: usize) -> Result<Self, ParameterError> {
        Self::with_engine(H::engine(), j, false)
    }

    /// A hasher with `j` lanes on a given engine; `v1` chooses between [`new`](Self::new) and
    /// [`new_raw`](Self::new_raw).
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn with_engine(engine: H::Engine, j: usize, v1: bool) -> Result<Self, ParameterError> {
        Ok(Self::build(engine, AnyProfile { v1 }, Heap::new(j)?))
    }
}

impl<H: MultiDigest> Default for JLanesDyn<H> {
    fn default() -> Self {
        Self::new(DEFAULT_LANES).expect("16 is in 1..=256")
    }
}

impl<H: MultiDigest, const J: usize> Default for JLanes<H, J> {
    #[inline]
    fn default() -> Self {
        Self::with_engine(H::engine())
    }
}

impl<H: MultiDigest, const J: usize> Default for JLanesRaw<H, J> {
    #[inline]
    fn default() -> Self {
        Self::with_engine(H::engine())
    }
}

impl<H: MultiDigest, P: Profile, S: Store<H::Function>> Update for LaneTree<H, P, S> {
    fn update(&mut self, data: &[u8]) {
        self.total += data.len() as u64;
        self.dealer.update(self.engine, data);
    }
}

#[cfg(feature = "rayon")]
impl<H: MultiDigest, P: Profile, S: Store<H::Function>> crate::ParUpdate for LaneTree<H, P, S> {
    fn par_update(&mut self, data: &[u8]) {
        self.total += data.len() as u64;
        crate::parallel::update(&mut self.dealer, self.engine, data);
    }
}

impl<H: MultiDigest, P: Profile, S: Store<H::Function>> Reset for LaneTree<H, P, S> {
    fn reset(&mut self) {
        self.total = 0;
        self.dealer.restart(&self.start);
    }
}

impl<H: MultiDigest, P, S: Store<H::Function>> OutputSizeUser for LaneTree<H, P, S> {
    type OutputSize = H::OutputSize;
}

impl<H: MultiDigest, P: Profile, S: Store<H::Function>> FixedOutput for LaneTree<H, P, S> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        *out = self.finish();
    }
}

impl<H: MultiDigest, P: Profile, S: Store<H::Function>> FixedOutputReset for LaneTree<H, P, S> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        *out = self.finish();
        self.reset();
    }
}

impl<H: MultiDigest, P, S: Store<H::Function>> HashMarker for LaneTree<H, P, S> {}

/// The hash's own block size, not the super-block's: HMAC is defined by it.
impl<H: MultiDigest + BlockSizeUser, P, S: Store<H::Function>> BlockSizeUser for LaneTree<H, P, S> {
    type BlockSize = H::BlockSize;
}

impl<H: MultiDigest + CollisionResistance, P, S: Store<H::Function>> CollisionResistance
    for LaneTree<H, P, S>
{
    type CollisionResistance = H::CollisionResistance;
}

macro_rules! names {
    ($($name:literal: $tree:ty $(, const $j:ident)?;)*) => {$(
        impl<H: MultiDigest $(, const $j: usize)?> AlgorithmName for $tree {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($name, "<{}"), H::Function::NAME)?;
                $(write!(f, ", {}", $j)?;)?
                f.write_str(">")
            }
        }
    )*};
}
names! {
    "JLanes": JLanes<H, J>, const J;
    "JLanesRaw": JLanesRaw<H, J>, const J;
}
names! {
    "JLanesDyn": JLanesDyn<H>;
}

impl<H: MultiDigest, P, S: Store<H::Function>> fmt::Debug for LaneTree<H, P, S>
where
    Self: AlgorithmName,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

#[cfg(feature = "zeroize")]
impl<H: MultiDigest, P, S: Store<H::Function>> digest::zeroize::ZeroizeOnDrop
    for LaneTree<H, P, S>
{
}
