//! Skein, with digests of any length.
//!
//! A name has the size of the state and the length of the digest as values, and the crates below have a type for
//! each size. One macro maps a size to its type, for a hasher, which may be of a tree, and for a function on lanes.

use alloc::boxed::Box;
use core::fmt;

use jlanes_core::{function::AnyFunction, hashes::skein, kernel::HasKernels};
use jlanes_tree::{
    join::Join,
    skein::{SkeinConfig, SkeinDigest, SkeinHasher, TreeParams},
};

use super::{AnyHasher, parameters::Values};
use crate::{
    Backend,
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

/// Skein with an output length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Skein {
    pub(super) size: SkeinSize,
    pub(super) bytes: usize,
}

/// The size of Skein's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SkeinSize {
    Skein256,
    Skein512,
    Skein1024,
}

impl Skein {
    pub(super) fn hasher(
        self,
        tree: TreeParams,
        values: &Values,
        backend: Backend,
    ) -> Box<dyn AnyHasher> {
        Box::new(skein!(self.size, hasher(self, tree, values, backend)))
    }

    pub(super) fn function(self, values: &Values, backend: Backend) -> AnyFunction {
        skein!(self.size, function(self, values, backend))
    }
}

fn config<H: SkeinDigest>(
    skein: Skein,
    tree: TreeParams,
    values: &Values,
    backend: Backend,
) -> SkeinConfig<H>
where
    Backend: HasKernels<H::Threefish>,
{
    let bits = 8 * skein.bytes as u64;
    let builder = SkeinConfig::<H>::builder().arguments(values.skein_arguments());
    builder
        .output_bits(bits)
        .tree(tree)
        .build_on(backend)
        .expect("parsing has checked the length of the output")
}

fn hasher<H: SkeinDigest>(
    skein: Skein,
    tree: TreeParams,
    values: &Values,
    backend: Backend,
) -> SkeinHasher
where
    Backend: HasKernels<H::Threefish>,
{
    let config = config::<H>(skein, tree, values, backend);
    config.with_join(Join::Serial).hasher()
}

fn function<H: SkeinDigest>(skein: Skein, values: &Values, backend: Backend) -> AnyFunction
where
    Backend: HasKernels<H::Threefish>,
{
    let arguments = values.skein_arguments();
    AnyFunction::U64(skein::function::<H::Threefish, _>(backend, &arguments, skein.bytes))
}

impl SkeinSize {
    /// Bytes of the state, which is also the usual digest.
    pub(super) fn state_size(self) -> usize {
        match self {
            Self::Skein256 => 32,
            Self::Skein512 => 64,
            Self::Skein1024 => 128,
        }
    }
}

impl Skein {
    /// Writes the name.
    pub(super) fn fmt(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.size.state_size();
        write!(f, "skein{}", 8 * state)?;
        if self.bytes == state { Ok(()) } else { write!(f, "-{}", 8 * self.bytes as u64) }
    }
}
