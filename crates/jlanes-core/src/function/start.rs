//! The initial states of messages: the standard one, or the midstate after a shared prefix.
//!
//! From here on jobs are compiled once per word size and know a hash function only as a value. Two things must still
//! be known at compile time: its descriptor, and the size of a buffer on the stack for the digests of all lanes. The
//! buffer is lent by a function that [`Start::hashing_on`] puts into the [`Hashing`].

use core::array;

use digest::{array::Array as ByteArray, typenum::Unsigned as _};

use crate::{
    compression::MAX_LANES,
    hash::{HashFunction, MAX_DIGEST_BYTES, Output, State, WordOf, absorb_one},
    jobs::hashing::{Hashing, LendDigestsFn},
    kernel::HasKernels,
    simd::vector::{Array as _, Word},
    wipe,
};

/// The initial state of a message: the standard initial value, or the midstate after a shared
/// prefix.
#[derive(Clone, Copy)]
pub struct Start<H: HashFunction> {
    pub(super) state: State<H>,
    /// Bytes in `state`, a whole number of blocks.
    pub(super) before: u128,
}

impl<H: HashFunction> Start<H> {
    /// The start of a message without a prefix.
    #[must_use]
    pub fn new() -> Self {
        Self { state: H::start(), before: 0 }
    }

    /// A custom start: `state` is the state after `before` bytes, whole blocks.
    #[must_use]
    pub fn at(state: State<H>, before: u128) -> Self {
        Self { state, before }
    }

    /// The digest of one message with this start.
    #[inline]
    pub(super) fn digest_one<B: HasKernels<H::Compression>>(
        self,
        backend: B,
        message: &[u8],
    ) -> Output<H> {
        let Self { mut state, before } = self;
        absorb_one(&backend.kernels(), H::DESCRIPTOR, state.as_mut(), message, before);
        let digest = H::output(&state);
        wipe::words(state.as_mut());
        digest
    }
}

impl<H: HashFunction> Default for Start<H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: HashFunction> Start<H> {
    /// The hashing of messages with this start on `backend`.
    #[inline]
    pub(crate) fn hashing_on<B: HasKernels<H::Compression>>(
        &self,
        backend: B,
    ) -> Hashing<'static, WordOf<H>> {
        let mut start = <WordOf<H> as Word>::State::splat(WordOf::<H>::default());
        let state = self.state.as_ref();
        start.as_mut()[..state.len()].copy_from_slice(state);
        let (kernels, hash, before) = (backend.kernels(), H::DESCRIPTOR, self.before);
        let (digest_bytes, lend_digests) = (hash.digest_bytes, const { lend::<H>() });
        Hashing { kernels, hash, digest_bytes, start, before, outer: None, lend_digests }
    }
}

/// The function that lends space for digests of `H`. Hash functions with digests of usual sizes share it.
const fn lend<H: HashFunction>() -> LendDigestsFn {
    match H::OutputSize::USIZE {
        0..=32 => lend_up_to::<32>,
        33..=64 => lend_up_to::<64>,
        65..=MAX_DIGEST_BYTES => lend_up_to::<MAX_DIGEST_BYTES>,
        _ => lend_longer::<H>,
    }
}

fn lend_up_to<const SIZE: usize>(size: usize, run: &mut dyn FnMut(&mut [u8])) {
    let mut digests = [[0; SIZE]; MAX_LANES];
    let digests = &mut digests.as_flattened_mut()[..MAX_LANES * size];
    run(digests);
    wipe::bytes(digests);
}

fn lend_longer<H: HashFunction>(_: usize, run: &mut dyn FnMut(&mut [u8])) {
    let mut digests: [Output<H>; MAX_LANES] = array::from_fn(|_| Output::<H>::default());
    run(ByteArray::slice_as_flattened_mut(&mut digests));
    wipe::digests(&mut digests);
}
