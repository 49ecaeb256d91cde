//! [`MultiDigest`], [`BatchDigest`] and [`MultiXof`]: hashers of which many messages can be hashed at once.
//!
//! BLAKE3 is no [`MultiDigest`], because it is no chain of blocks: it hashes a long message as many short ones.

use digest::array::Array as ByteArray;

use super::{Function, Start};
use crate::{
    compression::Compression,
    hash::{HashFunction, Output, WordOf},
    jobs::{BatchFunction, in_memory::batch::Batch},
    kernel::HasKernels,
};

/// A hasher that can also hash many messages at once.
///
/// The batch functions have no other type parameter: it determines the hash function and the backend.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no hasher of jlanes with digests of one length",
    note = "`jlanes::multi::Xofs` computes outputs of any length"
)]
pub trait MultiDigest:
    digest::Digest + digest::OutputSizeUser<OutputSize = <Self::Hash as HashFunction>::OutputSize>
{
    /// The hash function.
    type Hash: BatchFunction;
    /// The backend that computes it.
    type Backend: HasKernels<<Self::Hash as HashFunction>::Compression>;

    /// The backend for this CPU.
    fn backend() -> Self::Backend;
}

/// A hasher of which many messages of any lengths can be hashed at once: every [`MultiDigest`], and BLAKE3.
pub trait BatchDigest: digest::Digest {
    /// The compression function.
    type Compression: Compression;
    /// The backend that computes it.
    type Backend: HasKernels<Self::Compression>;
    /// Name, as RustCrypto spells the hasher's type.
    const NAME: &'static str;

    /// The backend for this CPU.
    fn backend() -> Self::Backend;

    /// Compressions of a message of `len` bytes.
    fn blocks(len: usize) -> u64;

    /// The digest of one message.
    fn digest_one(backend: Self::Backend, message: &[u8]) -> digest::Output<Self>;

    /// The digests of messages, each after `prefix`.
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    fn digest_batch(
        backend: Self::Backend,
        prefix: &[u8],
        messages: &Batch<'_, '_>,
        out: &mut [digest::Output<Self>],
    );
}

impl<H: MultiDigest> BatchDigest for H {
    type Compression = <H::Hash as HashFunction>::Compression;
    type Backend = H::Backend;
    const NAME: &'static str = H::Hash::NAME;

    #[inline]
    fn backend() -> H::Backend {
        H::backend()
    }

    #[inline]
    fn blocks(len: usize) -> u64 {
        H::Hash::DESCRIPTOR.blocks(len) as u64
    }

    #[inline]
    fn digest_one(backend: H::Backend, message: &[u8]) -> OutputOf<H> {
        Start::<H::Hash>::new().digest_one(backend, message)
    }

    #[inline]
    fn digest_batch(
        backend: H::Backend,
        prefix: &[u8],
        messages: &Batch<'_, '_>,
        out: &mut [OutputOf<H>],
    ) {
        let function = Function::<WordOf<H::Hash>>::of::<H::Hash, _>(backend);
        function.digest(prefix, messages, ByteArray::slice_as_flattened_mut(out));
    }
}

/// A hasher of which the outputs of many messages can be computed at once.
pub trait MultiXof: digest::ExtendableOutput + Default {
    /// The compression function.
    type Compression: Compression;
    /// The backend that computes it.
    type Backend: HasKernels<Self::Compression>;

    /// The backend for this CPU.
    fn backend() -> Self::Backend;

    /// Compressions of a message of `message` bytes with an output of `output` bytes.
    fn blocks(message: usize, output: usize) -> u64;

    /// Fills every one of `outs` with the output of `message(i)`.
    fn fill<'a>(
        backend: Self::Backend,
        message: impl Fn(usize) -> &'a [u8],
        outs: &mut [&mut [u8]],
    );

    /// Outputs of many messages, each of which can be read on from its position.
    #[cfg(feature = "alloc")]
    type Outputs: crate::lanes::outputs::Outputs<<Self::Compression as Compression>::Word>;

    /// Replaces `outputs` by those of `count` messages.
    #[cfg(feature = "alloc")]
    fn absorb<'a>(
        backend: Self::Backend,
        message: impl Fn(usize) -> &'a [u8],
        count: usize,
        outputs: &mut Self::Outputs,
    );

    /// Appends the rest of the output of `reader`.
    #[cfg(feature = "alloc")]
    fn push(reader: &Self::Reader, outputs: &mut Self::Outputs);
}

/// The digest of `H`, as its hash function returns it.
pub type OutputOf<H> = Output<<H as MultiDigest>::Hash>;
