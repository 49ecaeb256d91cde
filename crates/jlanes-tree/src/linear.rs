//! [`LinearHash`], the hash of a string that arrives in pieces, without a tree: for the roots of trees, and for leaves
//! that are too long to buffer.

use jlanes_core::{
    function::{AnyFunction, Function},
    hash::{Descriptor, end_one},
    jobs::CompiledWord,
    kernel::Kernels,
    wipe,
};

/// Bytes that are buffered before they are hashed: several blocks of any function, because a kernel
/// call has a constant cost. Longer pieces are hashed in place.
const RUN_BYTES: usize = 1024;

/// A hash in progress.
#[derive(Clone)]
pub struct LinearHash<W: CompiledWord> {
    kernels: Kernels<W>,
    hash: &'static Descriptor<W>,
    state: W::State,
    buffer: [u8; RUN_BYTES],
    buffered: usize,
    total: u128,
}

impl<W: CompiledWord> LinearHash<W> {
    /// The hash of a function without bytes before its messages.
    #[must_use]
    pub fn new(function: &Function<W>) -> Self {
        let (kernels, hash, state) =
            (function.kernels(), function.descriptor(), function.start_state());
        Self { kernels, hash, state, buffer: [0; RUN_BYTES], buffered: 0, total: 0 }
    }

    /// Begins a new message of the same function.
    pub fn restart(&mut self, function: &Function<W>) {
        self.wipe();
        (self.state, self.buffered, self.total) = (function.start_state(), 0, 0);
    }

    fn wipe(&mut self) {
        wipe::words(self.state.as_mut());
        wipe::bytes(&mut self.buffer);
    }

    /// Hashes `data`.
    pub fn update(&mut self, mut data: &[u8]) {
        let Self { kernels, hash, state, buffer, buffered, total } = self;
        let state = &mut state.as_mut()[..hash.shape.state_words];
        let run = RUN_BYTES - RUN_BYTES % hash.shape.block_bytes; // whole blocks
        *total += data.len() as u128;
        if *buffered > 0 {
            let (next, rest) = data.split_at(data.len().min(run - *buffered));
            buffer[*buffered..][..next.len()].copy_from_slice(next);
            *buffered += next.len();
            data = rest;
            if data.is_empty() {
                return;
            }
            kernels.advance_one(state, &buffer[..run]);
        }
        if data.len() > run {
            let (whole, rest) = hash.split_blocks(data);
            kernels.advance_one(state, whole);
            data = rest;
        }
        buffer[..data.len()].copy_from_slice(data);
        *buffered = data.len();
    }

    /// Writes the digest. Nothing may follow.
    pub fn finish(&mut self, out: &mut [u8]) {
        let Self { kernels, hash, state, buffer, buffered, total } = self;
        let state = &mut state.as_mut()[..hash.shape.state_words];
        let (whole, tail) = hash.split_blocks(&buffer[..*buffered]);
        kernels.advance_one(state, whole);
        end_one(kernels, hash, state, tail, *total);
        (hash.output)(state, out);
    }
}

impl<W: CompiledWord> Drop for LinearHash<W> {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// [`LinearHash`] with words of either width.
#[derive(Clone)]
pub(crate) enum AnyLinearHash {
    U32(LinearHash<u32>),
    U64(LinearHash<u64>),
}

impl AnyLinearHash {
    /// A hash in its initial state.
    pub(crate) fn new(function: &AnyFunction) -> Self {
        match function {
            AnyFunction::U32(f) => Self::U32(LinearHash::new(f)),
            AnyFunction::U64(f) => Self::U64(LinearHash::new(f)),
        }
    }

    /// Hashes `data`.
    pub(crate) fn update(&mut self, data: &[u8]) {
        match self {
            Self::U32(hash) => hash.update(data),
            Self::U64(hash) => hash.update(data),
        }
    }

    /// Writes the digest. Nothing may follow.
    pub(crate) fn finish(&mut self, out: &mut [u8]) {
        match self {
            Self::U32(hash) => hash.finish(out),
            Self::U64(hash) => hash.finish(out),
        }
    }
}
