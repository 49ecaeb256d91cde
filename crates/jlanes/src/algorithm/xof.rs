//! Functions whose output has any length: SHAKE and KangarooTwelve.

use alloc::boxed::Box;
use core::fmt;

use digest::{DynDigest, ExtendableOutputReset, InvalidBufferSize, XofReader};
use jlanes_core::{
    engine::Engine,
    hashes::keccak::{Extendable, functions, hasher::Hasher},
};
use jlanes_tree::kangaroo::{Kt, Leaf, Leaf128, Leaf256};

use super::{AlgorithmError, hasher::AnyHasher};
use crate::Backend;

/// A function with a length of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Xof {
    function: XofFunction,
    bytes: usize,
}

/// A function whose output has any length.
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
}

impl XofFunction {
    const ALL: [Self; 4] = [Self::Shake128, Self::Shake256, Self::Kt128, Self::Kt256];

    fn name(self) -> &'static str {
        match self {
            Self::Shake128 => "shake128",
            Self::Shake256 => "shake256",
            Self::Kt128 => "kt128",
            Self::Kt256 => "kt256",
        }
    }

    /// Bytes of the output where the name has no number; for SHAKE, programs differ.
    fn usual(self) -> Option<usize> {
        match self {
            Self::Shake128 | Self::Shake256 => None,
            Self::Kt128 => Some(32),
            Self::Kt256 => Some(64),
        }
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

    /// Bytes of a block.
    #[must_use]
    pub fn block_size(self) -> usize {
        match self.function {
            XofFunction::Shake128 | XofFunction::Kt128 => 168,
            XofFunction::Shake256 | XofFunction::Kt256 => 136,
        }
    }

    /// `shake128-BITS`, `kt128` or `kt128-BITS`; `None` for other names.
    pub(super) fn parse(name: &str) -> Option<Result<Self, AlgorithmError>> {
        let (name, bits) = match name.split_once('-') {
            Some((name, bits)) => (name, Some(bits)),
            None => (name, None),
        };
        let function = XofFunction::ALL.into_iter().find(|function| function.name() == name)?;
        let bytes = match bits {
            Some(bits) => super::parse::output_bytes(bits),
            None => function.usual().ok_or(AlgorithmError::Number),
        };
        Some(bytes.map(|bytes| Self { function, bytes }))
    }

    /// A hasher on a given backend.
    pub(super) fn hasher_on(self, backend: Backend) -> Box<dyn AnyHasher> {
        let bytes = self.bytes;
        match self.function {
            XofFunction::Shake128 => shake::<functions::Shake128>(backend, bytes),
            XofFunction::Shake256 => shake::<functions::Shake256>(backend, bytes),
            XofFunction::Kt128 => kangaroo::<Leaf128>(backend, &[], bytes),
            XofFunction::Kt256 => kangaroo::<Leaf256>(backend, &[], bytes),
        }
    }

    /// A hasher with a customization string (RFC 9861, section 3.2) on a given backend; `None` for
    /// SHAKE, which has none.
    #[must_use]
    pub fn customized_on(
        self,
        customization: &[u8],
        backend: Backend,
    ) -> Option<Box<dyn AnyHasher>> {
        match self.function {
            XofFunction::Shake128 | XofFunction::Shake256 => None,
            XofFunction::Kt128 => Some(kangaroo::<Leaf128>(backend, customization, self.bytes)),
            XofFunction::Kt256 => Some(kangaroo::<Leaf256>(backend, customization, self.bytes)),
        }
    }
}

impl fmt::Display for Xof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.name())?;
        if self.function.usual() == Some(self.bytes) {
            Ok(())
        } else {
            write!(f, "-{}", 8 * self.bytes as u64)
        }
    }
}

fn shake<F: Extendable>(backend: Backend, bytes: usize) -> Box<dyn AnyHasher>
where
    Backend: Engine<F::Compression>,
{
    Box::new(Cut { hasher: Hasher::<F, _>::with_engine(backend), bytes })
}

fn kangaroo<F: Leaf>(backend: Backend, customization: &[u8], bytes: usize) -> Box<dyn AnyHasher>
where
    Backend: Engine<F::Compression>,
{
    Box::new(Cut { hasher: Kt::<F, _>::with_engine(backend, customization), bytes })
}

/// A hasher, of whose output so many bytes are the digest.
#[derive(Clone)]
struct Cut<H> {
    hasher: H,
    bytes: usize,
}

impl<H: ExtendableOutputReset + Clone + 'static> DynDigest for Cut<H> {
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }

    fn finalize_into(mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.finalize_into_reset(out)
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        if out.len() != self.bytes {
            return Err(InvalidBufferSize);
        }
        self.hasher.finalize_xof_reset().read(out);
        Ok(())
    }

    fn reset(&mut self) {
        self.hasher.reset();
    }

    fn output_size(&self) -> usize {
        self.bytes
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}

impl<F: Extendable> AnyHasher for Cut<Hasher<F, Backend>> where Backend: Engine<F::Compression> {}

impl<F: Leaf> AnyHasher for Cut<Kt<F, Backend>>
where
    Backend: Engine<F::Compression>,
{
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }
}
