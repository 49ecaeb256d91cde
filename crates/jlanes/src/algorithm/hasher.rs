//! From algorithms to hashers.

use alloc::boxed::Box;
use core::{error, fmt};

use digest::{
    DynDigest, InvalidBufferSize,
    consts::{U16, U20, U28, U32, U48, U64},
};
use jlanes_core::{batch::function::Function, engine::Engine, simd::lanes::Word};
use jlanes_tree::{
    jlanes::AnyJLanes,
    linear::LinearHash,
    merkle::{self, Format},
    mh::MultiHash,
    profile::AnyProfile,
    skein::{SkeinConfig, SkeinDigest, SkeinHasher, TreeParams},
};

#[cfg(feature = "blake3")]
use super::Blake3Mode;
use super::{
    Algorithm, Fixed, Hash, Kind, Skein, SkeinSize,
    job::{OnBackend, function, with},
    lanes::SkeinLanes,
};
#[cfg(feature = "rayon")]
use crate::tree::ReadPart;
use crate::{
    Backend, Sha1, Sha256, Sha512,
    merkle::{Dropbox, FsVerity, Glacier, Rfc6962, Sha256Tree},
    multi::MultiDigest,
    skein::{Skein256, Skein512, Skein1024},
};

/// Calls a function with Skein of a [`SkeinSize`] as its type.
macro_rules! skein {
    ($size:expr, $f:ident($($arg:expr),*)) => {
        match $size {
            SkeinSize::Skein256 => $f::<Skein256>($($arg),*),
            SkeinSize::Skein512 => $f::<Skein512>($($arg),*),
            SkeinSize::Skein1024 => $f::<Skein1024>($($arg),*),
        }
    };
}

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

/// What `Clone` for a boxed hasher needs: [`DynDigest::box_clone`]'s clone is not `Send`.
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

/// The error for an algorithm that is not a hasher: it has no digest for some messages, or returns
/// more than a digest. [`tree`](crate::tree) and [`merkle`](crate::merkle) have types for these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotADigest(Algorithm);

impl fmt::Display for NotADigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no digest of a message", self.0)
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
    /// dm-verity, which needs whole blocks; for S3, which also returns a number of parts.
    pub fn hasher(self) -> Result<Box<dyn DynDigest + Send>, NotADigest> {
        Ok(self.hasher_on(Backend::detect())?)
    }

    /// A hasher on a given backend.
    ///
    /// # Errors
    /// As [`hasher`](Self::hasher).
    pub fn hasher_on(self, backend: Backend) -> Result<Box<dyn AnyHasher>, NotADigest> {
        Ok(match self.0 {
            Kind::Hash(hash) => hash.hasher_on(backend),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => blake2.hasher_on(None, backend),
            #[cfg(feature = "blake3")]
            Kind::Blake3(blake3) => blake3.hasher_on(Blake3Mode::Hash, backend),
            Kind::SkeinTree(skein, tree) => skein.with_tree_on(tree, backend),
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => xof.hasher_on(backend),
            Kind::JLanes { lanes, hash, raw } => hash.lanes_on(lanes.into(), raw, backend),
            Kind::MhSha1 => Box::new(MultiHash::<Sha1>::with_engine(backend)),
            Kind::MhSha256 => Box::new(MultiHash::<Sha256>::with_engine(backend)),
            Kind::FsVerity { hash: Fixed::Sha512, block } => {
                merkle(FsVerity::<Sha512>::new(block, &[]), backend)
            }
            Kind::FsVerity { block, .. } => merkle(FsVerity::<Sha256>::new(block, &[]), backend),
            Kind::Sha256Tree => merkle(Ok(Sha256Tree::default()), backend),
            Kind::Glacier => merkle(Ok(Glacier::default()), backend),
            Kind::Dropbox => merkle(Ok(Dropbox::default()), backend),
            Kind::Rfc6962 { leaf } => merkle(Rfc6962::<Sha256>::chunks(leaf), backend),
            Kind::JPointers { .. } | Kind::BitTorrent | Kind::DmVerity(_) | Kind::S3 { .. } => {
                return Err(NotADigest(self));
            }
            #[cfg(feature = "md5")]
            Kind::ETag { .. } => return Err(NotADigest(self)),
        })
    }
}

impl Hash {
    /// The function on a backend, if its digest length has a type.
    pub(super) fn function(self) -> Option<OnBackend> {
        match self {
            Self::Fixed(fixed) => Some(fixed.function()),
            Self::Skein(skein) => skein.function(),
        }
    }
}

fn merkle<T>(format: Result<T, merkle::Error>, backend: Backend) -> Box<dyn AnyHasher>
where
    T: Format,
    merkle::Hasher<T, Backend>: AnyHasher + 'static,
    Backend: Engine<merkle::CompressionOf<T>>,
{
    Box::new(format.expect("parsing has checked the size").hasher_on(backend))
}

impl Hash {
    /// A plain hasher on a given backend.
    #[must_use]
    pub fn hasher_on(self, backend: Backend) -> Box<dyn AnyHasher> {
        match self {
            Self::Fixed(fixed) => with!(fixed.function()(backend), |f| Box::new(Plain::new(f))),
            Self::Skein(skein) => skein.with_tree_on(TreeParams::default(), backend),
        }
    }

    /// A hasher of j-lanes; `j` is in 1..=256.
    fn lanes_on(self, j: usize, raw: bool, backend: Backend) -> Box<dyn AnyHasher> {
        match (self.function(), self) {
            (Some(function), _) => with!(function(backend), |f| Box::new(Tree::new(f, j, raw))),
            (None, Self::Skein(skein)) => {
                let empty = self.hasher_on(backend);
                Box::new(SkeinLanes::new(empty, skein.size.state_size(), j, raw))
            }
            (None, Self::Fixed(_)) => unreachable!("all of these have a function"),
        }
    }
}

impl Skein {
    fn with_tree_on(self, tree: TreeParams, backend: Backend) -> Box<dyn AnyHasher> {
        skein!(self.size, skein_tree(self, tree, backend))
    }

    pub(super) fn config<H: SkeinDigest>(
        self,
        tree: TreeParams,
        backend: Backend,
    ) -> SkeinConfig<H, Backend>
    where
        Backend: Engine<H::Threefish>,
    {
        let builder = SkeinConfig::<H>::builder().output_bits(self.output_bits()).tree(tree);
        builder.build_on(backend).expect("parsing has checked the length of the output")
    }

    /// The function, for lengths with a type: one hasher per lane serves the others.
    fn function(self) -> Option<OnBackend> {
        Some(match (self.size, self.bytes) {
            (SkeinSize::Skein256, 16) => function::<Skein256<U16>>,
            (SkeinSize::Skein256, 20) => function::<Skein256<U20>>,
            (SkeinSize::Skein256, 28) => function::<Skein256<U28>>,
            (SkeinSize::Skein256, 32) => function::<Skein256>,
            (SkeinSize::Skein512, 16) => function::<Skein512<U16>>,
            (SkeinSize::Skein512, 20) => function::<Skein512<U20>>,
            (SkeinSize::Skein512, 28) => function::<Skein512<U28>>,
            (SkeinSize::Skein512, 32) => function::<Skein512<U32>>,
            (SkeinSize::Skein512, 48) => function::<Skein512<U48>>,
            (SkeinSize::Skein512, 64) => function::<Skein512>,
            (SkeinSize::Skein1024, 48) => function::<Skein1024<U48>>,
            (SkeinSize::Skein1024, 64) => function::<Skein1024<U64>>,
            (SkeinSize::Skein1024, 128) => function::<Skein1024>,
            _ => return None,
        })
    }
}

fn skein_tree<H>(skein: Skein, tree: TreeParams, backend: Backend) -> Box<dyn AnyHasher>
where
    H: SkeinDigest,
    Backend: Engine<H::Threefish>,
    SkeinHasher<H, Backend>: AnyHasher + 'static,
{
    Box::new(skein.config::<H>(tree, backend).hasher())
}

/// A plain hash on a given backend.
#[derive(Clone)]
pub(super) struct Plain<W: Word> {
    function: Function<W>,
    hash: LinearHash<W>,
}

impl<W: Word> Plain<W> {
    pub(super) fn new(function: Function<W>) -> Self {
        Self { function, hash: LinearHash::new(function.kernels(), function.descriptor()) }
    }
}

impl<W: Word> DynDigest for Plain<W> {
    fn update(&mut self, data: &[u8]) {
        self.hash.update(data);
    }

    fn finalize_into(mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.finalize_into_reset(out)
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        if out.len() != self.output_size() {
            return Err(InvalidBufferSize);
        }
        self.hash.finish(out);
        self.reset();
        Ok(())
    }

    fn reset(&mut self) {
        *self = Self::new(self.function);
    }

    fn output_size(&self) -> usize {
        self.function.descriptor().digest
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}

impl<W: Word> AnyHasher for Plain<W> {}

/// Trees under Skein distribute their work themselves.
#[doc(hidden)] // only algorithms at run time see it
impl<H: SkeinDigest> AnyHasher for SkeinHasher<H, Backend> where
    Self: DynDigest + Clone + Send + 'static
{
}

/// j-lanes on a given backend.
#[derive(Clone)]
struct Tree<W: Word>(AnyJLanes<W>);

impl<W: Word> Tree<W> {
    fn new(function: Function<W>, j: usize, raw: bool) -> Self {
        let profile = if raw { AnyProfile::Raw } else { AnyProfile::V1 };
        let hash = (function.kernels(), function.descriptor());
        Self(AnyJLanes::new(hash, j, profile).expect("parsing has checked the number of lanes"))
    }
}

impl<W: Word> DynDigest for Tree<W> {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finalize_into(mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.finalize_into_reset(out)
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        if out.len() != self.output_size() {
            return Err(InvalidBufferSize);
        }
        self.0.finish(out);
        self.reset();
        Ok(())
    }

    fn reset(&mut self) {
        self.0.reset();
    }

    fn output_size(&self) -> usize {
        self.0.output_size()
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}

impl<W: Word> AnyHasher for Tree<W> {
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        self.0.par_update(data);
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

#[doc(hidden)]
impl<T> AnyHasher for merkle::Hasher<T, Backend>
where
    T: Format,
    Backend: Engine<merkle::CompressionOf<T>>,
    Self: DynDigest + Clone + Send + 'static,
{
    fn skip_zeros(&mut self, len: u64) -> bool {
        self.update_zeros(len);
        true
    }

    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        self.par_update(data);
    }
}
