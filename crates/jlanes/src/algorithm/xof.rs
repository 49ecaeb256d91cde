//! [`Xof`], the extendable-output functions by name: SHAKE, KangarooTwelve and ParallelHash.

use alloc::boxed::Box;
use core::fmt;

use jlanes_core::{
    hashes::keccak::{
        Extendable,
        functions::{Shake128, Shake256},
        hasher::Hasher,
    },
    kernel::HasKernels,
};
use jlanes_tree::{
    kangaroo::{Kt, Leaf128, Leaf256},
    parallel_hash::{LeafFunction, ParallelHash},
};

use super::{
    AnyHasher,
    dynamic::{Dynamic, squeeze},
    parameters::Values,
};
use crate::{AlgorithmError, Backend};

/// An extendable-output function with an output length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Xof {
    pub(super) function: XofFunction,
    pub(super) bytes: usize,
    /// Bytes of ParallelHash's blocks; 0 for the others.
    leaf: usize,
}

/// An extendable-output function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum XofFunction {
    Shake128,
    Shake256,
    Kt128,
    Kt256,
    ParallelHash128,
    ParallelHash256,
    ParallelHashXof128,
    ParallelHashXof256,
}

impl XofFunction {
    const ALL: [Self; 8] = [
        Self::Shake128,
        Self::Shake256,
        Self::Kt128,
        Self::Kt256,
        Self::ParallelHash128,
        Self::ParallelHash256,
        Self::ParallelHashXof128,
        Self::ParallelHashXof256,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Shake128 => "shake128",
            Self::Shake256 => "shake256",
            Self::Kt128 => "kt128",
            Self::Kt256 => "kt256",
            Self::ParallelHash128 => "parallelhash128",
            Self::ParallelHash256 => "parallelhash256",
            Self::ParallelHashXof128 => "parallelhashxof128",
            Self::ParallelHashXof256 => "parallelhashxof256",
        }
    }

    /// Bytes of the default output; `None` for SHAKE, where programs differ.
    fn usual(self) -> Option<usize> {
        match self {
            Self::Shake128 | Self::Shake256 => None,
            Self::Kt128 | Self::ParallelHash128 | Self::ParallelHashXof128 => Some(32),
            Self::Kt256 | Self::ParallelHash256 | Self::ParallelHashXof256 => Some(64),
        }
    }

    /// Whether the name includes a block length.
    fn has_blocks(self) -> bool {
        match self {
            Self::Shake128 | Self::Shake256 | Self::Kt128 | Self::Kt256 => false,
            Self::ParallelHash128
            | Self::ParallelHash256
            | Self::ParallelHashXof128
            | Self::ParallelHashXof256 => true,
        }
    }
}

impl Xof {
    pub(super) fn is_shake(self) -> bool {
        matches!(self.function, XofFunction::Shake128 | XofFunction::Shake256)
    }

    /// Bytes of ParallelHash's blocks; `None` for other functions.
    #[must_use]
    pub fn leaf_size(self) -> Option<usize> {
        self.function.has_blocks().then_some(self.leaf)
    }

    /// Bytes of a block of the sponge.
    pub(super) fn block_size(self) -> usize {
        match self.function {
            XofFunction::Shake128
            | XofFunction::Kt128
            | XofFunction::ParallelHash128
            | XofFunction::ParallelHashXof128 => 168,
            XofFunction::Shake256
            | XofFunction::Kt256
            | XofFunction::ParallelHash256
            | XofFunction::ParallelHashXof256 => 136,
        }
    }

    /// `shake128-BITS`, `kt128`, `kt128-BITS`, `parallelhash128:BLOCK` or
    /// `parallelhash128-BITS:BLOCK`; `None` for other names.
    pub(super) fn parse(name: &str) -> Option<Result<Self, AlgorithmError>> {
        let (name, leaf) = split(name, ':');
        let (name, bits) = split(name, '-');
        let name = if matches!(name, "k12" | "kangarootwelve") { "kt128" } else { name };
        let function = XofFunction::ALL.into_iter().find(|function| function.name() == name)?;
        let bytes = match bits {
            Some(bits) => super::parse::output_bytes(bits),
            None => function.usual().ok_or(AlgorithmError::Number),
        };
        let leaf = match leaf {
            None if function.has_blocks() => Err(AlgorithmError::Number),
            None => Ok(0),
            Some(leaf) if function.has_blocks() => super::parse::size(leaf),
            Some(_) => Err(AlgorithmError::Unknown),
        };
        Some(bytes.and_then(|bytes| Ok(Self { function, bytes, leaf: leaf? })))
    }

    pub(super) fn hasher(self, values: &Values, backend: Backend) -> Box<dyn AnyHasher> {
        let customization = values.customization.as_deref().unwrap_or_default();
        match self.function {
            XofFunction::Shake128 => self.shake::<Shake128>(backend),
            XofFunction::Shake256 => self.shake::<Shake256>(backend),
            XofFunction::Kt128 => self.kangaroo::<Leaf128>(customization, backend),
            XofFunction::Kt256 => self.kangaroo::<Leaf256>(customization, backend),
            XofFunction::ParallelHash128 | XofFunction::ParallelHashXof128 => {
                self.parallel_hash::<Shake128>(customization, backend)
            }
            XofFunction::ParallelHash256 | XofFunction::ParallelHashXof256 => {
                self.parallel_hash::<Shake256>(customization, backend)
            }
        }
    }

    fn shake<F: Extendable>(self, backend: Backend) -> Box<dyn AnyHasher>
    where
        Backend: HasKernels<F::Compression>,
    {
        self.cut(Hasher::<F, _>::with_backend(backend), squeeze)
    }

    fn kangaroo<F: Extendable>(self, customization: &[u8], backend: Backend) -> Box<dyn AnyHasher>
    where
        Backend: HasKernels<F::Compression>,
    {
        self.cut(Kt::<F, _>::with_backend(backend, customization), squeeze)
    }

    fn parallel_hash<F: LeafFunction>(
        self,
        customization: &[u8],
        backend: Backend,
    ) -> Box<dyn AnyHasher>
    where
        Backend: HasKernels<F::Compression>,
    {
        let hasher = ParallelHash::<F, _>::with_backend(backend, self.leaf, customization);
        let hasher = hasher.expect("parsing has checked the size");
        let read: fn(&mut _, u64, &mut [u8]) = match self.function {
            XofFunction::ParallelHashXof128 | XofFunction::ParallelHashXof256 => squeeze,
            _ => |hasher, _, out| ParallelHash::finalize_into_slice_reset(hasher, out),
        };
        self.cut(hasher, read)
    }

    fn cut<H>(self, hasher: H, read: fn(&mut H, u64, &mut [u8])) -> Box<dyn AnyHasher>
    where
        Dynamic<H>: AnyHasher + 'static,
    {
        Box::new(Dynamic::new(hasher, self.bytes, read))
    }
}

/// The parts before and after the first `separator`, if any.
fn split(name: &str, separator: char) -> (&str, Option<&str>) {
    match name.split_once(separator) {
        Some((name, rest)) => (name, Some(rest)),
        None => (name, None),
    }
}

impl Xof {
    /// Writes the name.
    pub(super) fn fmt(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.name())?;
        if self.function.usual() != Some(self.bytes) {
            write!(f, "-{}", 8 * self.bytes as u64)?;
        }
        if self.function.has_blocks() { write!(f, ":{}", self.leaf) } else { Ok(()) }
    }
}

impl<F: Extendable> AnyHasher for Dynamic<Hasher<F, Backend>> where
    Backend: HasKernels<F::Compression>
{
}

impl<F: Extendable> AnyHasher for Dynamic<Kt<F, Backend>>
where
    Backend: HasKernels<F::Compression>,
{
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }
}

impl<F: LeafFunction> AnyHasher for Dynamic<ParallelHash<F, Backend>>
where
    Backend: HasKernels<F::Compression>,
{
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }
}
