//! The jobs of a hash function, as methods of a value: [`Function`], or [`AnyFunction`] with words of either
//! width. Digests are contiguous.

use super::start::Start;
use crate::{
    compression::{Compression, padding::div_rem},
    hash::{Descriptor, WordOf},
    jobs::{
        BatchFunction, CompiledWord,
        hashing::{AnyFunction, Function},
        in_memory::batch::{Batch, filling},
    },
    kernel::{HasKernels, Kernels},
};

/// Calls `$body` with the [`Function`] in an [`AnyFunction`].
#[macro_export]
macro_rules! with_function {
    ($any:expr, |$function:pat_param| $body:expr) => {
        match $any {
            $crate::function::AnyFunction::U32($function) => $body,
            $crate::function::AnyFunction::U64($function) => $body,
        }
    };
}

impl AnyFunction {
    /// [`Function::shortened`].
    ///
    /// # Panics
    /// As `shortened`.
    #[must_use]
    pub fn shortened(self, size: usize) -> Self {
        match self {
            Self::U32(function) => Self::U32(function.shortened(size)),
            Self::U64(function) => Self::U64(function.shortened(size)),
        }
    }

    /// [`Function::wipe`].
    pub fn wipe(&mut self) {
        with_function!(self, |function| function.wipe());
    }

    /// Bytes of a digest.
    #[must_use]
    pub fn output_size(&self) -> usize {
        with_function!(self, |function| function.output_size())
    }

    /// [`Function::digest`].
    ///
    /// # Panics
    /// As [`Function::digest`].
    pub fn digest(&self, prefix: &[u8], messages: &Batch<'_, '_>, out: &mut [u8]) {
        with_function!(self, |function| function.digest(prefix, messages, out));
    }

    /// [`Function::digest_with`].
    ///
    /// # Panics
    /// As [`Function::digest_with`].
    pub fn digest_with<'a, const P: usize>(
        &self,
        prefix: &[u8],
        message: impl Fn(usize) -> [&'a [u8]; P] + Sync,
        out: &mut [u8],
    ) {
        with_function!(self, |function| function.digest_with(prefix, message, out));
    }

    /// [`Function::double`].
    ///
    /// # Panics
    /// As [`Function::digest`].
    pub fn double(&self, prefix: &[u8], messages: &Batch<'_, '_>, out: &mut [u8]) {
        with_function!(self, |function| function.double(prefix, messages, out));
    }
}

impl<H: BatchFunction> Start<H> {
    /// `H` for messages that start here, as a value.
    pub fn function<B: HasKernels<H::Compression>>(&self, backend: B) -> AnyFunction {
        WordOf::<H>::any_function(self.hashing_on(backend))
    }
}

impl<W: CompiledWord> Function<W> {
    /// `H` for messages that start at `start`, as a value.
    #[inline]
    pub fn new<H, B>(start: &Start<H>, backend: B) -> Self
    where
        H: BatchFunction<Compression: Compression<Word = W>>,
        B: HasKernels<H::Compression>,
    {
        Self(start.hashing_on(backend))
    }

    /// `H`, as a value.
    #[inline]
    pub fn of<H, B>(backend: B) -> Self
    where
        H: BatchFunction<Compression: Compression<Word = W>>,
        B: HasKernels<H::Compression>,
    {
        Self::new(&Start::<H>::new(), backend)
    }

    /// The hash function as a value.
    #[must_use]
    pub fn descriptor(&self) -> &'static Descriptor<W> {
        self.0.hash
    }

    /// Bytes of a digest.
    #[must_use]
    pub fn output_size(&self) -> usize {
        self.0.digest_bytes
    }

    /// The same function with digests of `size` bytes, the start of the longest.
    ///
    /// # Panics
    /// If the longest is shorter.
    #[must_use]
    pub fn shortened(mut self, size: usize) -> Self {
        assert!(
            size <= self.0.hash.digest_bytes,
            "a digest has at most {} bytes",
            self.0.hash.digest_bytes
        );
        self.0.digest_bytes = size;
        self
    }

    /// The same function with digests of `size` bytes, even longer than a block, which `hash` writes.
    #[cfg(all(feature = "alloc", feature = "skein"))]
    pub(crate) fn described_by(mut self, hash: &'static Descriptor<W>, size: usize) -> Self {
        (self.0.hash, self.0.digest_bytes) = (hash, size);
        self.0.lend_digests = |size, run| {
            let mut digests = alloc::vec![0; crate::compression::MAX_LANES * size];
            run(&mut digests);
            crate::wipe::bytes(&mut digests);
        };
        self
    }

    /// The kernels.
    #[must_use]
    pub fn kernels(&self) -> Kernels<W> {
        self.0.kernels
    }

    /// The state that messages start at.
    #[must_use]
    pub fn start(&self) -> &[W] {
        self.0.start()
    }

    /// [`start`](Self::start) in an array with room for the longest state.
    #[must_use]
    pub fn start_state(&self) -> W::State {
        self.0.start
    }

    /// The same function for messages that start at `state`.
    ///
    /// # Panics
    /// If `state` does not have the function's size.
    #[must_use]
    pub fn starting_at(mut self, state: &[W]) -> Self {
        self.0.start.as_mut()[..self.0.hash.shape.state_words].copy_from_slice(state);
        self
    }

    /// Overwrites the start, which may come from a key, with the feature `zeroize`.
    pub fn wipe(&mut self) {
        self.0.wipe();
    }

    /// The same function after the whole blocks of `prefix`, and the rest of `prefix`.
    #[must_use]
    pub fn after<'p>(&self, prefix: &'p [u8]) -> (Self, &'p [u8]) {
        let (after, rest) = self.0.after(prefix);
        (Self(after), rest)
    }

    /// Checks that `out` has a digest for each of `messages`.
    ///
    /// # Panics
    /// If it has not.
    #[inline]
    pub fn check(&self, messages: &Batch<'_, '_>, out: &[u8]) {
        let bytes = messages.len().checked_mul(self.0.digest_bytes);
        assert_eq!(bytes, Some(out.len()), "as many digests as messages");
    }

    /// The digests of messages, each after `prefix`. The prefix's whole blocks are hashed once.
    ///
    /// # Panics
    /// If `out` is not as many digests.
    #[inline]
    pub fn digest(&self, prefix: &[u8], messages: &Batch<'_, '_>, out: &mut [u8]) {
        self.check(messages, out);
        W::digest(&self.0, prefix, messages, out);
    }

    /// [`digest`](Self::digest) of messages that `message` returns in pieces, until `out` is full.
    ///
    /// # Panics
    /// If `out` is not whole digests.
    #[inline]
    pub fn digest_with<'a, const P: usize>(
        &self,
        prefix: &[u8],
        message: impl Fn(usize) -> [&'a [u8]; P] + Sync,
        out: &mut [u8],
    ) {
        let (count, fill) = (div_rem(out.len(), self.0.digest_bytes).0, filling(message));
        self.digest(prefix, &Batch::filled(count, &fill), out);
    }

    /// The digests of the digests of messages, each after `prefix`.
    ///
    /// # Panics
    /// As [`digest`](Self::digest).
    pub fn double(&self, prefix: &[u8], messages: &Batch<'_, '_>, out: &mut [u8]) {
        self.check(messages, out);
        W::double(&self.0, prefix, messages, out);
    }

    /// Replaces every digest `d` by the digest of `prefix || d`, `steps` times.
    ///
    /// If the prefix is whole blocks and a digest with its padding fits one block, a step is one
    /// compression, and the digests stay in the lanes between steps.
    ///
    /// # Panics
    /// If `digests` is not whole digests.
    pub fn chains(&self, prefix: &[u8], digests: &mut [u8], steps: u64) {
        assert!(div_rem(digests.len(), self.0.digest_bytes).1 == 0, "whole digests");
        W::chains(&self.0, prefix, digests, steps);
    }

    /// Advances `count` chains to their ends; `prefix` precedes every tweak.
    ///
    /// # Panics
    /// If the values are not of one length, from 1 byte to the length of a digest.
    #[cfg(feature = "alloc")]
    pub fn tweaked_chains(
        &self,
        prefix: &[u8],
        chains: &super::tweaked::TweakedChains<'_>,
        count: usize,
        values: &mut dyn crate::lanes::outputs::Destinations,
    ) {
        let (mut after, rest) = self.0.after(prefix);
        let size = self.0.digest_bytes;
        chains.run(count, values, size, &mut |records, width, out| {
            let messages = Batch::records(out.len() / size, records, width);
            W::digest(&after, &[], &messages.prefixed_by(&[rest]), out);
        });
        after.wipe();
    }

    /// HMAC tags (RFC 2104) of messages under one key, each after `prefix`.
    ///
    /// # Panics
    /// As [`digest`](Self::digest).
    pub fn hmac(&self, key: &[u8], prefix: &[u8], messages: &Batch<'_, '_>, out: &mut [u8]) {
        self.check(messages, out);
        W::hmac(&self.0, key, prefix, messages, out);
    }

    /// [`hmac`](Self::hmac) under one key per message.
    ///
    /// # Panics
    /// As [`digest`](Self::digest), and if `keys` and `messages` differ in length.
    pub fn hmac_keyed(
        &self,
        keys: &Batch<'_, '_>,
        prefix: &[u8],
        messages: &Batch<'_, '_>,
        out: &mut [u8],
    ) {
        assert_eq!(keys.len(), messages.len(), "as many keys as messages");
        self.check(messages, out);
        W::hmac_keyed(&self.0, keys, prefix, messages, out);
    }

    /// Fills every one of `outs` with a key of PBKDF2 (RFC 8018, section 5.2) with HMAC; each salt stands
    /// after `prefix`. As in RustCrypto's crate `pbkdf2`, 0 rounds are 1.
    ///
    /// # Panics
    /// If passwords, salts and `outs` differ in length, or if a key is longer than PBKDF2's 2^32 - 1
    /// digests.
    pub fn pbkdf2(
        &self,
        passwords: &Batch<'_, '_>,
        (prefix, salts): (&[u8], &Batch<'_, '_>),
        rounds: u32,
        outs: &mut [&mut [u8]],
    ) {
        assert_eq!(passwords.len(), outs.len(), "as many keys as passwords");
        assert_eq!(salts.len(), outs.len(), "as many keys as salts");
        W::pbkdf2(&self.0, passwords, prefix, salts, rounds, outs);
    }
}
