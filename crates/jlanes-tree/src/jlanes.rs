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
    function::{DigestOnKernels, Function, OutputOf},
    hash::{HashFunction, WordOf},
};

use crate::TreeError;

mod any;
mod end;
mod generic;

pub use any::AnyJLanes;
pub use generic::{GenericJLanes, GenericJLanesRaw, GenericLaneTree};

/// j-lanes hasher with `J` lanes of `H`, domain-separated (profile v1).
pub type JLanes<H, const J: usize> = LaneTree<H, J, false>;
/// j-lanes hasher with `J` lanes of `H`, as in the paper; see its [soundness](crate::soundness).
pub type JLanesRaw<H, const J: usize> = LaneTree<H, J, true>;
/// j-lanes hasher with a number of lanes and a profile that are known at run time.
///
/// Its [`Default`], which [`Digest`](digest::Digest) requires, has 16 lanes and profile v1.
pub type JLanesDyn<H> = LaneTree<H, RUN_TIME, false>;

/// The number of lanes of types with a number that is known at run time.
pub const RUN_TIME: usize = usize::MAX;

/// The maximum number of lanes of a tree.
pub(crate) const MAX_J: usize = 256;
/// The default number of lanes.
const DEFAULT_LANES: usize = 16;

/// `J` lanes of `H`, as in the paper if `RAW`: [`AnyJLanes`] with the hash as a type. If `J` is
/// [`RUN_TIME`], both are known at run time.
pub struct LaneTree<H: DigestOnKernels, const J: usize, const RAW: bool> {
    lanes: AnyJLanes<WordOf<H::Hash>>,
    hash: PhantomData<fn() -> H>,
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> Clone for LaneTree<H, J, RAW> {
    fn clone(&self) -> Self {
        Self { lanes: self.lanes.clone(), hash: PhantomData }
    }
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> LaneTree<H, J, RAW> {
    /// A hasher on a given backend, for example a forced one, with 16 lanes if their
    /// number is known at run time.
    pub fn with_backend(backend: H::Backend) -> Self {
        const { assert!(1 <= J && (J <= MAX_J || J == RUN_TIME), "between 1 and 256 lanes") };
        let j = if J == RUN_TIME { DEFAULT_LANES } else { J };
        let lanes = AnyJLanes::build(function::<H>(backend), j, RAW);
        Self { lanes, hash: PhantomData }
    }

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

/// The function of `H`.
fn function<H: DigestOnKernels>(backend: H::Backend) -> Function<WordOf<H::Hash>> {
    Function::of::<H::Hash, _>(backend)
}

impl<H: DigestOnKernels> JLanesDyn<H> {
    /// A hasher with `j` lanes, profile v1: the same digests as `JLanes<H, j>`.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn new(j: usize) -> Result<Self, TreeError> {
        Self::with_lanes(H::backend(), j, false)
    }

    /// A hasher with `j` lanes, as in the paper: the same digests as `JLanesRaw<H, j>`.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn new_raw(j: usize) -> Result<Self, TreeError> {
        Self::with_lanes(H::backend(), j, true)
    }

    /// A hasher with `j` lanes on a given backend, as in the paper if `raw`.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256.
    pub fn with_lanes(backend: H::Backend, j: usize, raw: bool) -> Result<Self, TreeError> {
        let lanes = AnyJLanes::new(function::<H>(backend), j, raw)?;
        Ok(Self { lanes, hash: PhantomData })
    }
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> Default for LaneTree<H, J, RAW> {
    fn default() -> Self {
        Self::with_backend(H::backend())
    }
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> Update for LaneTree<H, J, RAW> {
    fn update(&mut self, data: &[u8]) {
        self.lanes.update(data);
    }
}

#[cfg(feature = "rayon")]
impl<H: DigestOnKernels, const J: usize, const RAW: bool> crate::ParUpdate for LaneTree<H, J, RAW> {
    fn par_update(&mut self, data: &[u8]) {
        self.lanes.par_update(data);
    }
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> Reset for LaneTree<H, J, RAW> {
    fn reset(&mut self) {
        self.lanes.reset();
    }
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> OutputSizeUser for LaneTree<H, J, RAW> {
    type OutputSize = H::OutputSize;
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> FixedOutput for LaneTree<H, J, RAW> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        *out = self.finish();
    }
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> FixedOutputReset for LaneTree<H, J, RAW> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        *out = self.finish();
        self.lanes.reset();
    }
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> HashMarker for LaneTree<H, J, RAW> {}

/// The hash's own block size, not the super-block's: HMAC is defined by it.
impl<H: DigestOnKernels + BlockSizeUser, const J: usize, const RAW: bool> BlockSizeUser
    for LaneTree<H, J, RAW>
{
    type BlockSize = H::BlockSize;
}

impl<H: DigestOnKernels + CollisionResistance, const J: usize, const RAW: bool> CollisionResistance
    for LaneTree<H, J, RAW>
{
    type CollisionResistance = H::CollisionResistance;
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> AlgorithmName for LaneTree<H, J, RAW> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (J, RAW) {
            (RUN_TIME, _) => write!(f, "JLanesDyn<{}>", H::Hash::NAME),
            (_, false) => write!(f, "JLanes<{}, {J}>", H::Hash::NAME),
            (_, true) => write!(f, "JLanesRaw<{}, {J}>", H::Hash::NAME),
        }
    }
}

impl<H: DigestOnKernels, const J: usize, const RAW: bool> fmt::Debug for LaneTree<H, J, RAW> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

#[cfg(feature = "zeroize")]
impl<H: DigestOnKernels, const J: usize, const RAW: bool> digest::zeroize::ZeroizeOnDrop
    for LaneTree<H, J, RAW>
{
}
