//! Hashers of which many messages can be hashed at once.

use super::list;
use crate::{
    compression::Compression,
    engine::Engine,
    hash::{HashFunction, Output},
    jobs::BatchFunction,
};

/// A hasher that can also hash many messages at once.
///
/// It is the only type parameter of the batch functions: it determines the hash function and the
/// engine.
pub trait MultiDigest:
    digest::Digest + digest::OutputSizeUser<OutputSize = <Self::Function as HashFunction>::OutputSize>
{
    /// The hash function.
    type Function: BatchFunction;
    /// The engine that computes it.
    type Engine: Engine<<Self::Function as HashFunction>::Compression>;

    /// The engine for this CPU.
    fn engine() -> Self::Engine;
}

/// A hasher of which many messages of any lengths can be hashed at once: every [`MultiDigest`], and
/// BLAKE3, which hashes one long message as many short ones.
pub trait BatchDigest: digest::Digest {
    /// The compression function.
    type Compression: Compression;
    /// What computes it.
    type Backend: Engine<Self::Compression>;
    /// Name, as RustCrypto spells the hasher's type.
    const NAME: &'static str;

    /// The backend for this CPU.
    fn backend() -> Self::Backend;

    /// Compressions of a message of `len` bytes.
    fn blocks(len: usize) -> u64;

    /// The digests of messages, each of which stands behind `prefix`: message `i` is the pieces
    /// `message(i)`, one or two.
    fn digest_pieces<'a, const P: usize>(
        backend: Self::Backend,
        prefix: &[u8],
        message: impl Fn(usize) -> [&'a [u8]; P],
        out: &mut [digest::Output<Self>],
    );

    /// The same of slices.
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    fn digest_slices(
        backend: Self::Backend,
        prefix: &[u8],
        messages: &[&[u8]],
        out: &mut [digest::Output<Self>],
    );

    /// The same of records of `width` bytes that lie side by side.
    ///
    /// # Panics
    /// If there are not as many bytes as `out` has records.
    fn digest_records(
        backend: Self::Backend,
        prefix: &[u8],
        (records, width): (&[u8], usize),
        out: &mut [digest::Output<Self>],
    ) {
        assert_eq!(records.len(), width * out.len(), "as many digests as records");
        Self::digest_pieces(backend, prefix, |i| [&records[i * width..][..width]], out);
    }
}

impl<H: MultiDigest> BatchDigest for H {
    type Compression = <H::Function as HashFunction>::Compression;
    type Backend = H::Engine;
    const NAME: &'static str = H::Function::NAME;

    #[inline]
    fn backend() -> H::Engine {
        H::engine()
    }

    #[inline]
    fn blocks(len: usize) -> u64 {
        H::Function::DESCRIPTOR.blocks(len) as u64
    }

    #[inline]
    fn digest_pieces<'a, const P: usize>(
        engine: H::Engine,
        prefix: &[u8],
        message: impl Fn(usize) -> [&'a [u8]; P],
        out: &mut [OutputOf<H>],
    ) {
        list::digest_prefixed::<H::Function, _, P>(engine, prefix, message, out);
    }

    #[inline]
    fn digest_slices(
        engine: H::Engine,
        prefix: &[u8],
        messages: &[&[u8]],
        out: &mut [OutputOf<H>],
    ) {
        list::slices_prefixed::<H::Function, _>(engine, prefix, messages, out);
    }

    #[inline]
    fn digest_records(
        engine: H::Engine,
        prefix: &[u8],
        records: (&[u8], usize),
        out: &mut [OutputOf<H>],
    ) {
        list::records_prefixed::<H::Function, _>(engine, prefix, records, out);
    }
}

/// A hasher of which the outputs of many messages can be computed at once.
pub trait MultiXof: digest::ExtendableOutput + Default {
    /// The compression function.
    type Compression: Compression;
    /// What computes it.
    type Engine: Engine<Self::Compression>;

    /// The engine for this CPU.
    fn engine() -> Self::Engine;

    /// Compressions of a message of `message` bytes with an output of `output` bytes.
    fn blocks(message: usize, output: usize) -> u64;

    /// Fills every one of `outs` with the output of `message(i)`.
    fn fill<'a>(engine: Self::Engine, message: impl Fn(usize) -> &'a [u8], outs: &mut [&mut [u8]]);

    /// Outputs that continue.
    #[cfg(feature = "alloc")]
    type Outputs: crate::engine::outputs::Outputs<<Self::Compression as Compression>::Word>;

    /// Replaces `outputs` by those of `count` messages.
    #[cfg(feature = "alloc")]
    fn absorb<'a>(
        engine: Self::Engine,
        message: impl Fn(usize) -> &'a [u8],
        count: usize,
        outputs: &mut Self::Outputs,
    );

    /// Appends the rest of the output of `reader`.
    #[cfg(feature = "alloc")]
    fn push(reader: &Self::Reader, outputs: &mut Self::Outputs);
}

/// The digest of `H`, as the engine's hash function returns it.
pub type OutputOf<H> = Output<<H as MultiDigest>::Function>;
