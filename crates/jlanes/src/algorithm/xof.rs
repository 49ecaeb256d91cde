//! Extendable-output functions: SHAKE, KangarooTwelve and ParallelHash.

use alloc::boxed::Box;
use core::fmt;

use jlanes_core::{
    engine::Engine,
    hashes::keccak::{
        Extendable,
        functions::{Shake128, Shake256},
        hasher::Hasher,
    },
};
use jlanes_tree::{
    kangaroo::{Kt, Leaf128, Leaf256, LeafFunction},
    parallel_hash::{BlockFunction, ParallelHash},
};

use super::{
    hasher::AnyHasher,
    truncated::{Truncated, squeeze},
};
use crate::{AlgorithmError, Backend};

/// An extendable-output function with an output length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Xof {
    function: XofFunction,
    bytes: usize,
    /// Bytes of ParallelHash's blocks; 0 for the others.
    leaf: usize,
}

/// An extendable-output function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum XofFunction {
    /// SHAKE128.
    Shake128,
    /// SHAKE256.
    Shake256,
    /// KT128.
    Kt128,
    /// KT256.
    Kt256,
    /// ParallelHash128.
    ParallelHash128,
    /// ParallelHash256.
    ParallelHash256,
    /// ParallelHashXOF128.
    ParallelHashXof128,
    /// ParallelHashXOF256.
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

    /// Whether it takes a customization string.
    #[must_use]
    pub fn is_customizable(self) -> bool {
        !matches!(self, Self::Shake128 | Self::Shake256)
    }
}

impl Xof {
    /// The function.
    #[must_use]
    pub fn function(self) -> XofFunction {
        self.function
    }

    /// Bytes of the output.
    #[must_use]
    pub fn output_size(self) -> usize {
        self.bytes
    }

    /// Bytes of ParallelHash's blocks; `None` for other functions.
    #[must_use]
    pub fn leaf_size(self) -> Option<usize> {
        self.function.has_blocks().then_some(self.leaf)
    }

    /// Bytes of a block of the sponge.
    #[must_use]
    pub fn block_size(self) -> usize {
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

    /// A hasher on a given backend.
    pub(super) fn hasher_on(self, backend: Backend) -> Box<dyn AnyHasher> {
        match self.function {
            XofFunction::Shake128 => self.shake::<Shake128>(backend),
            XofFunction::Shake256 => self.shake::<Shake256>(backend),
            _ => self.customized(&[], backend),
        }
    }

    /// A hasher with a customization string (RFC 9861, section 3.2; SP 800-185, section 6) on a
    /// given backend; `None` for SHAKE, which has none.
    ///
    /// ```
    /// use jlanes::{Algorithm, Backend, algorithm::Kind};
    ///
    /// let algorithm: Algorithm = "kt128".parse()?;
    /// let Kind::Xof(function) = algorithm.kind() else { unreachable!("KT128 has any length") };
    /// let mut ours = function.customized_on(b"my application", Backend::detect()).unwrap();
    /// ours.update(b"any message");
    /// let mut plain = algorithm.hasher()?;
    /// plain.update(b"any message");
    /// assert_ne!(ours.finalize(), plain.finalize());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn customized_on(
        self,
        customization: &[u8],
        backend: Backend,
    ) -> Option<Box<dyn AnyHasher>> {
        self.function.is_customizable().then(|| self.customized(customization, backend))
    }

    fn customized(self, customization: &[u8], backend: Backend) -> Box<dyn AnyHasher> {
        match self.function {
            XofFunction::Shake128 | XofFunction::Shake256 => unreachable!("SHAKE has no strings"),
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
        Backend: Engine<F::Compression>,
    {
        self.cut(Hasher::<F, _>::with_engine(backend), squeeze)
    }

    fn kangaroo<F: LeafFunction>(self, customization: &[u8], backend: Backend) -> Box<dyn AnyHasher>
    where
        Backend: Engine<F::Compression>,
    {
        self.cut(Kt::<F, _>::with_engine(backend, customization), squeeze)
    }

    fn parallel_hash<F: BlockFunction>(
        self,
        customization: &[u8],
        backend: Backend,
    ) -> Box<dyn AnyHasher>
    where
        Backend: Engine<F::Compression>,
    {
        let hasher = ParallelHash::<F, _>::with_engine(backend, self.leaf, customization);
        let hasher = hasher.expect("parsing has checked the size");
        let is_xof = matches!(
            self.function,
            XofFunction::ParallelHashXof128 | XofFunction::ParallelHashXof256
        );
        self.cut(hasher, if is_xof { squeeze } else { ParallelHash::finalize_into_slice_reset })
    }

    fn cut<H>(self, hasher: H, read: fn(&mut H, &mut [u8])) -> Box<dyn AnyHasher>
    where
        Truncated<H>: AnyHasher + 'static,
    {
        Box::new(Truncated { hasher, bytes: self.bytes, read })
    }
}

/// The parts before and after the first `separator`, if any.
fn split(name: &str, separator: char) -> (&str, Option<&str>) {
    match name.split_once(separator) {
        Some((name, rest)) => (name, Some(rest)),
        None => (name, None),
    }
}

impl fmt::Display for Xof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.name())?;
        if self.function.usual() != Some(self.bytes) {
            write!(f, "-{}", 8 * self.bytes as u64)?;
        }
        if self.function.has_blocks() { write!(f, ":{}", self.leaf) } else { Ok(()) }
    }
}

impl<F: Extendable> AnyHasher for Truncated<Hasher<F, Backend>> where Backend: Engine<F::Compression>
{}

impl<F: LeafFunction> AnyHasher for Truncated<Kt<F, Backend>>
where
    Backend: Engine<F::Compression>,
{
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }
}

impl<F: BlockFunction> AnyHasher for Truncated<ParallelHash<F, Backend>>
where
    Backend: Engine<F::Compression>,
{
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }
}
