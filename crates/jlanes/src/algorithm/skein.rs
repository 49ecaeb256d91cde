//! Skein, with digests of any length.

use alloc::boxed::Box;
use core::fmt;

use digest::consts::{U16, U20, U28, U32, U48, U64};
use jlanes_core::{
    batch::function::AnyFunction,
    hashes::skein::{self, Size},
    kernel::HasKernels,
};
use jlanes_tree::{
    join::Join,
    skein::{SkeinConfig, SkeinDigest, SkeinHasher, TreeParams},
};

use super::{
    AnyHasher, Parameters,
    function::{OnBackend, function},
};
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
        parameters: &Parameters,
        backend: Backend,
    ) -> Box<dyn AnyHasher> {
        Box::new(skein!(self.size, hasher(self, tree, parameters, backend)))
    }

    pub(super) fn on_lanes(self, parameters: &Parameters, backend: Backend) -> AnyFunction {
        skein!(self.size, on_lanes(self, parameters, backend))
    }

    /// The function, for lengths with a type: one hasher per lane serves the others.
    pub(super) fn function(self) -> Option<OnBackend> {
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

fn config<H: SkeinDigest>(
    skein: Skein,
    tree: TreeParams,
    parameters: &Parameters,
    backend: Backend,
) -> SkeinConfig<H>
where
    Backend: HasKernels<H::Threefish>,
{
    let bits = 8 * skein.bytes as u64;
    let mut builder = SkeinConfig::<H>::builder().output_bits(bits).tree(tree);
    if let Some(key) = parameters.own_key() {
        builder = builder.key(key);
    }
    if let Some(personalization) = &parameters.personalization {
        builder = builder.personalization(personalization);
    }
    if let Some(public_key) = &parameters.public_key {
        builder = builder.public_key(public_key);
    }
    if let Some(key_id) = &parameters.key_id {
        builder = builder.key_id(key_id);
    }
    if let Some(nonce) = &parameters.nonce {
        builder = builder.nonce(nonce);
    }
    builder.build_on(backend).expect("parsing has checked the length of the output")
}

fn hasher<H: SkeinDigest>(
    skein: Skein,
    tree: TreeParams,
    parameters: &Parameters,
    backend: Backend,
) -> SkeinHasher
where
    Backend: HasKernels<H::Threefish>,
{
    let config = config::<H>(skein, tree, parameters, backend);
    config.with_join(Join::Serial).hasher()
}

fn on_lanes<H: SkeinDigest>(skein: Skein, parameters: &Parameters, backend: Backend) -> AnyFunction
where
    H::Threefish: Size,
    Backend: HasKernels<H::Threefish>,
{
    let mut node = config::<H>(skein, TreeParams::default(), parameters, backend).node();
    let function = skein::function::<H::Threefish, _>(backend, node.start(), skein.bytes);
    node.wipe();
    AnyFunction::U64(function)
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
