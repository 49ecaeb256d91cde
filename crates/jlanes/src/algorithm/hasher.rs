//! Hashers of algorithms that are selected at run time: the trait object, and how each kind makes its own.

use alloc::boxed::Box;
use core::{convert::Infallible, error, fmt};

use digest::{DynDigest, Reset, Update};
use jlanes_core::{
    function::{AnyFunction, Batch, Function},
    jobs::CompiledWord,
    with_function,
};
use jlanes_tree::{
    jlanes::AnyJLanes,
    linear::LinearHash,
    merkle::{self, Format},
    multi_hash::MultiHash,
    skein::{SkeinHasher, TreeParams},
};

use super::{Algorithm, AnyHash, BaseHash, Fixed, Kind, dyn_hasher::DynHasher, parameters::Values};
#[cfg(feature = "rayon")]
use crate::tree::ReadPart;
use crate::{Backend, multi::MultiDigest};

/// A hasher of an [`Algorithm`] that is selected at run time.
pub trait AnyHasher: DynDigest + CloneBox + Send {
    /// [`DynDigest::update`] on rayon's thread pool, for algorithms that can use it. It is worth it
    /// from 1 MiB on.
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        self.update(data);
    }

    /// [`par_update`](Self::par_update) with `len` bytes that the threads themselves read, if the
    /// algorithm can do that. Returns whether it did. `read` fills any part from its offset.
    #[cfg(feature = "rayon")]
    fn par_read(&mut self, _len: usize, _read: &ReadPart<'_>) -> bool {
        false
    }

    /// Adds `len` zeros, as in the hole of a file, if that is faster than
    /// [`update`](DynDigest::update): a Merkle tree hashes equal leaves and nodes once. Returns
    /// whether it did.
    fn skip_zeros(&mut self, _len: u64) -> bool {
        false
    }
}

/// Clones a boxed hasher. [`DynDigest::box_clone`]'s clone is not `Send`.
pub trait CloneBox {
    /// A hasher in the same state.
    fn clone_box(&self) -> Box<dyn AnyHasher>;
}

impl Clone for Box<dyn AnyHasher> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

impl<T: AnyHasher + Clone + 'static> CloneBox for T {
    fn clone_box(&self) -> Box<dyn AnyHasher> {
        Box::new(self.clone())
    }
}

/// The error for an algorithm that is not a hasher: it has no digest for some messages, returns more than a
/// digest, or is a MAC without a key. [`tree`](crate::tree) and [`merkle`](crate::merkle) have types for these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotADigest {
    pub(super) algorithm: Algorithm,
    /// The function or crate that computes it.
    pub(super) instead: &'static str,
}

impl fmt::Display for NotADigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { algorithm, instead } = self;
        match algorithm.needs_key() {
            true => write!(f, "{algorithm} needs a key"),
            false => write!(f, "{algorithm} is no digest of a message; {instead} computes it"),
        }
    }
}

impl error::Error for NotADigest {}

impl Algorithm {
    /// A hasher on the detected backend.
    ///
    /// ```
    /// use jlanes::{Algorithm, Digest, Sha512};
    ///
    /// let mut hasher = "sha512".parse::<Algorithm>()?.hasher()?;
    /// hasher.update(b"any ");
    /// hasher.update(b"message");
    /// assert_eq!(*hasher.finalize(), *Sha512::digest("any message"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// For j-pointers, which hash a list; for BitTorrent, which has no root for an empty file; for
    /// dm-verity, which needs whole blocks; for S3's composites,
    /// which also return a number of parts, and for its checksums that are no hashes.
    pub fn hasher(self) -> Result<Box<dyn DynDigest + Send>, NotADigest> {
        Ok(self.hasher_on(Backend::detect())?)
    }

    /// A hasher on a given backend.
    ///
    /// # Errors
    /// As [`hasher`](Self::hasher).
    pub fn hasher_on(self, backend: Backend) -> Result<Box<dyn AnyHasher>, NotADigest> {
        AnyHash::from(self).hasher_on(backend)
    }

    /// Writes the digest of a message that is in memory: for short ones, faster than a hasher.
    ///
    /// ```
    /// use jlanes::{Algorithm, Digest, Sha256};
    ///
    /// let mut digest = [0; 32];
    /// "sha256".parse::<Algorithm>()?.digest_into(b"any message", &mut digest)?;
    /// assert_eq!(digest, *Sha256::digest("any message"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`hasher`](Self::hasher).
    ///
    /// # Panics
    /// If `out` does not have [`output_size`](Self::output_size) bytes.
    pub fn digest_into(self, message: &[u8], out: &mut [u8]) -> Result<(), NotADigest> {
        if let Kind::Hash(hash) = self.kind() {
            let function = hash.function(Backend::detect());
            function.digest(&[], &Batch::slices(&[message]), out);
            return Ok(());
        }
        let mut hasher = self.hasher_on(Backend::detect())?;
        hasher.update(message);
        hasher.finalize_into_reset(out).expect("room for one digest");
        Ok(())
    }
}

impl BaseHash {
    /// The function on a backend.
    pub(super) fn function(self, backend: Backend) -> AnyFunction {
        match self {
            Self::Fixed(fixed) => fixed.function(backend),
            Self::Skein(skein) => skein.function(&Values::NONE, backend),
        }
    }
}

/// ISA-L's multi-hash, in the byte order that is asked for.
pub(super) fn multi_hash<H>(hasher: MultiHash<H>, values: &Values) -> Box<dyn AnyHasher>
where
    H: MultiDigest + 'static,
    MultiHash<H>: DynDigest + Reset + Clone + Send,
{
    if !values.memory_order {
        return Box::new(hasher);
    }
    let size = DynDigest::output_size(&hasher);
    Box::new(DynHasher::new(hasher, size, finalize_in_memory_order))
}

/// A digest with the bytes of each word reversed.
fn finalize_in_memory_order<H: DynDigest>(hasher: &mut H, _: u64, out: &mut [u8]) {
    hasher.finalize_into_reset(out).expect("the digest has the size of the output");
    out.chunks_exact_mut(4).for_each(<[u8]>::reverse);
}

/// The hasher of a tree's root.
pub(super) fn merkle<T>(format: Result<T, merkle::Error>, backend: Backend) -> Box<dyn AnyHasher>
where
    T: Format<Output: AsRef<[u8]>, Error = Infallible> + Send + 'static,
{
    let format = format.expect("parsing has checked the size");
    let size = format.rules().function.output_size();
    Box::new(DynHasher::new(format.on(backend), size, |hasher, _, out| {
        let Ok(digest) = hasher.finalize_reset();
        out.copy_from_slice(digest.as_ref());
    }))
}

impl BaseHash {
    /// A linear hasher on a given backend.
    #[must_use]
    pub fn hasher_on(self, backend: Backend) -> Box<dyn AnyHasher> {
        match self {
            Self::Fixed(fixed) => fixed.hasher_on(backend),
            Self::Skein(skein) => skein.hasher(TreeParams::default(), &Values::NONE, backend),
        }
    }

    /// A hasher of j-lanes; `j` is in 1..=256.
    pub(super) fn j_lanes_hasher(
        self,
        j: usize,
        raw: bool,
        backend: Backend,
    ) -> Box<dyn AnyHasher> {
        with_function!(self.function(backend), |f| boxed_j_lanes(f, j, raw))
    }
}

impl Fixed {
    pub(super) fn hasher_on(self, backend: Backend) -> Box<dyn AnyHasher> {
        with_function!(self.function(backend), |function| LinearHasher::boxed(function))
    }
}

/// A linear hash, without a tree, on a given backend.
#[derive(Clone)]
pub(super) struct LinearHasher<W: CompiledWord> {
    function: Function<W>,
    hash: LinearHash<W>,
}

impl<W: CompiledWord> LinearHasher<W> {
    pub(super) fn boxed(function: Function<W>) -> Box<dyn AnyHasher> {
        let (hash, size) = (LinearHash::new(&function), function.output_size());
        let linear = Self { function, hash };
        Box::new(DynHasher::new(linear, size, |hasher, _, out| {
            hasher.hash.finish(out);
            hasher.reset();
        }))
    }
}

impl<W: CompiledWord> Update for LinearHasher<W> {
    fn update(&mut self, data: &[u8]) {
        self.hash.update(data);
    }
}

impl<W: CompiledWord> Reset for LinearHasher<W> {
    fn reset(&mut self) {
        self.hash.restart(&self.function);
    }
}

impl<W: CompiledWord> AnyHasher for DynHasher<LinearHasher<W>> {}

#[doc(hidden)] // only algorithms at run time see it
impl AnyHasher for SkeinHasher {
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(self, data);
    }
}

/// j-lanes of `function`; `j` is in 1..=256.
fn boxed_j_lanes<W: CompiledWord>(
    function: Function<W>,
    j: usize,
    raw: bool,
) -> Box<dyn AnyHasher> {
    let lanes = AnyJLanes::new(function, j, raw).expect("parsing has checked the number of lanes");
    let size = lanes.output_size();
    Box::new(DynHasher::new(lanes, size, |lanes, _, out| {
        lanes.finish(out);
        lanes.reset();
    }))
}

impl<W: CompiledWord> AnyHasher for DynHasher<AnyJLanes<W>> {
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        self.hasher.par_update(data);
    }
}

#[doc(hidden)]
impl<H: MultiDigest> AnyHasher for MultiHash<H>
where
    Self: DynDigest + Clone + Send + 'static,
{
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(self, data);
    }
}

impl<H: MultiDigest> AnyHasher for DynHasher<MultiHash<H>>
where
    MultiHash<H>: Reset + Clone + Send + 'static,
{
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }
}

impl<T: Format + Send + 'static> AnyHasher for DynHasher<merkle::Hasher<T>> {
    fn skip_zeros(&mut self, len: u64) -> bool {
        self.hasher.update_zeros(len);
        true
    }

    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }
}
