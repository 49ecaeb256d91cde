//! [`NodeFunction`], the hash function of a format, which is chosen before its backend.

use alloc::{boxed::Box, vec};

use jlanes_core::{
    compression::Compression,
    function::{AnyFunction, BatchFunction, DigestOnKernels, Start},
    hash::HashFunction,
    hashes::{sha1, sha2},
    kernel::HasKernels,
};
use jlanes_simd::Backend;

/// The hash function of a tree's leaves and nodes, on any backend.
#[derive(Clone, Copy, Debug)]
pub struct NodeFunction {
    on: fn(Backend) -> AnyFunction,
    digest_bytes: usize,
    block: usize,
}

impl NodeFunction {
    pub(super) const SHA1: Self = Self::new::<sha1::Sha1>(native::<sha1::Sha1>);
    pub(super) const SHA256: Self = Self::new::<sha2::Sha256>(native::<sha2::Sha256>);
    pub(super) const SHA512: Self = Self::new::<sha2::Sha512>(native::<sha2::Sha512>);
    #[cfg(feature = "md5")]
    pub(super) const MD5: Self = {
        use jlanes_core::hashes::md5::Md5;
        Self::new::<Md5>(native::<Md5>)
    };

    /// The function of the hasher `H`.
    #[must_use]
    pub const fn of<H: DigestOnKernels<Backend = Backend>>() -> Self {
        Self::new::<H::Hash>(of_hasher::<H>)
    }

    const fn new<F: HashFunction>(on: fn(Backend) -> AnyFunction) -> Self {
        Self { on, digest_bytes: F::DESCRIPTOR.digest_bytes, block: F::Compression::BLOCK_BYTES }
    }

    /// Bytes of a digest.
    #[must_use]
    pub const fn output_size(self) -> usize {
        self.digest_bytes
    }

    /// Bytes of a block.
    #[must_use]
    pub const fn block_size(self) -> usize {
        self.block
    }

    /// The function on a backend.
    pub(super) fn on(self, backend: Backend) -> AnyFunction {
        (self.on)(backend)
    }
}

fn native<F: BatchFunction>(backend: Backend) -> AnyFunction
where
    Backend: HasKernels<F::Compression>,
{
    Start::<F>::new().function(backend)
}

fn of_hasher<H: DigestOnKernels>(backend: H::Backend) -> AnyFunction {
    Start::<H::Hash>::new().function(backend)
}

/// The digest of `pieces`, one after the other.
pub(super) fn hash<const P: usize>(function: &AnyFunction, pieces: [&[u8]; P]) -> Box<[u8]> {
    let mut digest = vec![0; function.output_size()];
    function.digest_with(&[], |_| pieces, &mut digest);
    digest.into()
}
