//! [`Hashing`], a hash function on kernels, from a start, within a job, and [`Function`], the same as a value of the
//! caller. Both are here because jobs make them
//! ([`CompiledWord::any_function`](crate::jobs::CompiledWord::any_function)), and use no layer above.
//!
//! A job changes what its messages have in common, and not the messages: a prefix moves the start and the number of
//! bytes before, an outer hash is `outer`. So all jobs run the same code on a modified copy.

use crate::{
    hash::Descriptor, kernel::Kernels, lanes::rehash::OuterHash, simd::vector::Word, wipe,
};

/// A hash function on kernels, from a start: everything that the messages of a job have in common.
#[derive(Clone, Copy)]
pub struct Hashing<'s, W: Word> {
    pub(crate) kernels: Kernels<W>,
    pub(crate) hash: &'static Descriptor<W>,
    /// Bytes of a digest, of which the descriptor has the most.
    pub(crate) digest_bytes: usize,
    /// The initial state; longer than the function's state.
    pub(crate) start: W::State,
    /// The number of bytes before the messages.
    pub(crate) before: u128,
    /// The hash of the digests, if any.
    pub(crate) outer: Option<&'s OuterHash<W>>,
    pub(crate) lend_digests: LendDigestsFn,
}

/// Lends space for [`MAX_LANES`](crate::compression::MAX_LANES) digests of a number of bytes and wipes it
/// afterwards. An array needs a constant size, and only typed code knows the size of a digest.
pub(crate) type LendDigestsFn = fn(usize, &mut dyn FnMut(&mut [u8]));

impl<W: Word> Hashing<'_, W> {
    /// The words of the start.
    pub(crate) fn start(&self) -> &[W] {
        &self.start.as_ref()[..self.hash.shape.state_words]
    }

    /// The same hashing after the whole blocks of `prefix`, and the rest of `prefix`.
    pub(crate) fn after<'p>(&self, prefix: &'p [u8]) -> (Self, &'p [u8]) {
        let (blocks, rest) = self.hash.split_blocks(prefix);
        (self.after_blocks(blocks), rest)
    }

    /// The same hashing after `blocks`, which are whole and not the last ones of a message.
    pub(crate) fn after_blocks(&self, blocks: &[u8]) -> Self {
        let mut after = *self;
        let state = &mut after.start.as_mut()[..self.hash.shape.state_words];
        self.kernels.advance_one(state, blocks);
        after.before += blocks.len() as u128;
        after
    }

    /// Calls `run` with space for [`MAX_LANES`](crate::compression::MAX_LANES) digests, which is wiped
    /// afterwards.
    pub(crate) fn with_digest_buffer(&self, mut run: impl FnMut(&mut [u8])) {
        (self.lend_digests)(self.digest_bytes, &mut run);
    }

    /// Wipes the start, which may come from a key.
    pub(crate) fn wipe(&mut self) {
        wipe::words(self.start.as_mut());
    }
}

/// A hash function on the kernels of a backend, with one start for all messages.
#[derive(Clone, Copy)]
pub struct Function<W: Word>(pub(crate) Hashing<'static, W>);

/// A [`Function`] with words of either width.
#[derive(Clone, Copy)]
pub enum AnyFunction {
    /// With words of 32 bits.
    U32(Function<u32>),
    /// With words of 64 bits.
    U64(Function<u64>),
}
