//! Hashes blocks of equal length.

use alloc::{vec, vec::Vec};

use jlanes_core::{
    batch::{
        function::{AnyFunction, Function, List},
        load::Load,
    },
    jobs::Jobs,
    simd::copy::read_words,
};

use crate::join::Join;

/// Blocks in memory.
#[derive(Clone, Copy)]
pub(super) enum Blocks<'s, 'a> {
    /// One slice per block.
    Slices(&'s [&'a [u8]]),
    /// Contiguous blocks of a number of bytes.
    Records(&'a [u8], usize),
}

impl<'s, 'a> Blocks<'s, 'a> {
    /// The block with index `i`.
    fn get(self, i: usize) -> &'a [u8] {
        match self {
            Self::Slices(slices) => slices[i],
            Self::Records(records, size) => &records[i * size..][..size],
        }
    }

    fn list(self) -> List<'s, 'a> {
        match self {
            Self::Slices(slices) => List::Slices(slices),
            Self::Records(records, size) => List::Records(records, size),
        }
    }
}

/// Bytes around a block when it is hashed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// Bytes before the block. Their whole blocks of the hash are absorbed once per batch.
    pub prefix: Vec<u8>,
    /// Bytes after the block.
    pub suffix: Vec<u8>,
    /// Whether the digest is hashed again.
    pub twice: bool,
    /// A plaintext to encrypt instead: see [`cipher`](Self::cipher).
    pub(super) cipher: &'static [u8],
}

impl Frame {
    /// No bytes around the block.
    pub const NONE: Self =
        Self { prefix: Vec::new(), suffix: Vec::new(), twice: false, cipher: &[] };

    /// `prefix` before the block.
    #[must_use]
    pub fn prefix(prefix: impl Into<Vec<u8>>) -> Self {
        Self { prefix: prefix.into(), ..Self::NONE }
    }

    /// `suffix` after the block.
    #[must_use]
    pub fn suffix(suffix: impl Into<Vec<u8>>) -> Self {
        Self { suffix: suffix.into(), ..Self::NONE }
    }

    /// The block cipher in the compression function instead of the hash: it encrypts `plaintext`, with
    /// the block as its key. For compression functions that add their input to the cipher's output word
    /// by word, which are those of SHA-2, and blocks of the hash's block size.
    pub(super) fn cipher(plaintext: &'static [u8]) -> Self {
        Self { cipher: plaintext, ..Self::NONE }
    }

    /// Hashes contiguous blocks of `size` bytes to contiguous digests.
    pub(super) fn digest(
        &self,
        (function, join): (&AnyFunction, Join),
        blocks: &[u8],
        size: usize,
        out: &mut [u8],
    ) {
        match function {
            AnyFunction::U32(function) => self.in_parts(function, join, blocks, size, out),
            AnyFunction::U64(function) => self.in_parts(function, join, blocks, size, out),
        }
    }

    fn in_parts<W: Jobs>(
        &self,
        function: &Function<W>,
        join: Join,
        blocks: &[u8],
        size: usize,
        out: &mut [u8],
    ) {
        let (hash, kernels) = (function.descriptor(), function.kernels());
        let (lanes, count) = (kernels.lanes(), function.count(out));
        let load = Load::of_equal(count, size.div_ceil(hash.shape.block) as u64);
        let mut part = count.div_ceil(load.parts_on(&kernels, join.threads()));
        if part > lanes {
            part = part.next_multiple_of(lanes);
        }
        if count <= part {
            return self.hash_by(function, Blocks::Records(blocks, size), out);
        }
        let parts = blocks.chunks(part * size).zip(out.chunks_mut(part * hash.digest));
        join.each(&mut parts.collect::<Vec<_>>(), |_, (blocks, out)| {
            self.hash_by(function, Blocks::Records(blocks, size), out);
        });
    }

    /// Hashes blocks of any length to contiguous digests.
    pub(super) fn hash<'a>(
        &'a self,
        function: &AnyFunction,
        blocks: Blocks<'_, 'a>,
        out: &mut [u8],
    ) {
        match function {
            AnyFunction::U32(function) => self.hash_by(function, blocks, out),
            AnyFunction::U64(function) => self.hash_by(function, blocks, out),
        }
    }

    fn hash_by<'a, W: Jobs>(
        &'a self,
        function: &Function<W>,
        blocks: Blocks<'_, 'a>,
        out: &mut [u8],
    ) {
        let Self { prefix, suffix, twice, cipher } = self;
        let block = |i: usize| blocks.get(i);
        if !cipher.is_empty() {
            return encrypt(function, cipher, block, out);
        }
        let framed = |i: usize| [block(i), suffix];
        let list = if suffix.is_empty() { blocks.list() } else { List::Pairs(&framed) };
        if *twice {
            function.double(prefix, list, out);
        } else {
            function.digest(prefix, list, out);
        }
    }
}

/// Encrypts `plaintext` by the block cipher in the compression function, once with each block as the key.
fn encrypt<'a, W: Jobs>(
    function: &Function<W>,
    plaintext: &[u8],
    block: impl Fn(usize) -> &'a [u8],
    out: &mut [u8],
) {
    let hash = function.descriptor();
    let order = hash.shape.order;
    let mut start = vec![W::default(); plaintext.len() / W::BYTES];
    read_words(order, plaintext, &mut start);
    function.kernels().blocks(&start, block, out, hash.digest);
    for digest in out.chunks_exact_mut(plaintext.len()) {
        for (word, start) in digest.chunks_exact_mut(W::BYTES).zip(&start) {
            W::read(order, word).wrapping_sub(*start).write(order, word);
        }
    }
}
