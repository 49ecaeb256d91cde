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

use core::{fmt, marker::PhantomData};

use digest::{
    CollisionResistance, FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset,
    Update,
    block_api::{AlgorithmName, BlockSizeUser},
};
use jlanes_core::{
    batch::{MultiDigest, OutputOf},
    engine::Engine,
    hash::{HashFunction, WordOf},
};

use crate::{
    ParameterError,
    profile::{AnyProfile, Profile, Raw, V1},
    store::{Heap, Inline, Store},
};

mod any;
mod end;
mod generic;

pub use any::{AnyJLanes, AnyLaneTree};
pub use generic::{GenericJLanes, GenericJLanesRaw, GenericLaneTree};

/// j-lanes hasher with `J` lanes of `H`, domain-separated (profile v1).
pub type JLanes<H, const J: usize> = LaneTree<H, V1, Inline<Function<H>, J>>;
/// j-lanes hasher with `J` lanes of `H`, as in the paper; see its [soundness](crate::soundness).
pub type JLanesRaw<H, const J: usize> = LaneTree<H, Raw, Inline<Function<H>, J>>;
/// j-lanes hasher with a number of lanes and a profile that are known at run time.
///
/// Its [`Default`], which [`Digest`](digest::Digest) requires, has 16 lanes and profile v1.
pub type JLanesDyn<H> = LaneTree<H, AnyProfile, Heap<WordOf<Function<H>>>>;

/// The default number of lanes.
const DEFAULT_LANES: usize = 16;

type Function<H> = <H as MultiDigest>::Function;

/// Lanes of `H` under profile `P`, stored in `S`: [`JLanes`], [`JLanesRaw`] and [`JLanesDyn`] are
/// [`AnyLaneTree`] with the hash as a type.
pub struct LaneTree<H: MultiDigest, P, S: Store<WordOf<H::Function>>> {
    lanes: AnyLaneTree<WordOf<H::Function>, S>,
    types: PhantomData<fn() -> (H, P)>,
}

impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> Clone for LaneTree<H, P, S> {
    fn clone(&self) -> Self {
        Self { lanes: self.lanes.clone(), types: PhantomData }
    }
}

impl<H: MultiDigest, P: Profile, S: Store<WordOf<H::Function>>> LaneTree<H, P, S> {
    #[inline]
    fn build(engine: H::Engine, profile: P, store: S) -> Self {
        let hash = (engine.kernels(), H::Function::DESCRIPTOR);
        Self { lanes: AnyLaneTree::build(hash, profile.separates(), store), types: PhantomData }
    }
}

impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> LaneTree<H, P, S> {
    /// The number of lanes, `j`.
    pub fn lanes(&self) -> usize {
        self.lanes.lanes()
    }

    fn finish(&mut self) -> OutputOf<H> {
        let mut root = OutputOf::<H>::default();
        self.lanes.finish(&mut root);
        root
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
        Self::with_engine(H::engine(), j, AnyProfile::V1)
    }

    /// A hasher with `j` lanes, as in the paper: the same digests as `JLanesRaw<H, j>`.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn new_raw(j: usize) -> Result<Self, ParameterError> {
        Self::with_engine(H::engine(), j, AnyProfile::Raw)
    }

    /// A hasher with `j` lanes under a profile, on a given engine.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn with_engine(
        engine: H::Engine,
        j: usize,
        profile: AnyProfile,
    ) -> Result<Self, ParameterError> {
        Ok(Self::build(engine, profile, Heap::new(&H::Function::DESCRIPTOR.shape, j)?))
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

impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> Update for LaneTree<H, P, S> {
    fn update(&mut self, data: &[u8]) {
        self.lanes.update(data);
    }
}

#[cfg(feature = "rayon")]
impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> crate::ParUpdate for LaneTree<H, P, S> {
    fn par_update(&mut self, data: &[u8]) {
        self.lanes.par_update(data);
    }
}

impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> Reset for LaneTree<H, P, S> {
    fn reset(&mut self) {
        self.lanes.reset();
    }
}

impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> OutputSizeUser for LaneTree<H, P, S> {
    type OutputSize = H::OutputSize;
}

impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> FixedOutput for LaneTree<H, P, S> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        *out = self.finish();
    }
}

impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> FixedOutputReset for LaneTree<H, P, S> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        *out = self.finish();
        self.lanes.reset();
    }
}

impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> HashMarker for LaneTree<H, P, S> {}

/// The hash's own block size, not the super-block's: HMAC is defined by it.
impl<H: MultiDigest + BlockSizeUser, P, S: Store<WordOf<H::Function>>> BlockSizeUser
    for LaneTree<H, P, S>
{
    type BlockSize = H::BlockSize;
}

impl<H: MultiDigest + CollisionResistance, P, S: Store<WordOf<H::Function>>> CollisionResistance
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

impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> fmt::Debug for LaneTree<H, P, S>
where
    Self: AlgorithmName,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

#[cfg(feature = "zeroize")]
impl<H: MultiDigest, P, S: Store<WordOf<H::Function>>> digest::zeroize::ZeroizeOnDrop
    for LaneTree<H, P, S>
{
}
