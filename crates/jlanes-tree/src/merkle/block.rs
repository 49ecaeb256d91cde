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
        let count = out.len() / function.output_size();
        let part = match function {
            AnyFunction::U32(function) => part(function, join, count, size),
            AnyFunction::U64(function) => part(function, join, count, size),
        };
        if count <= part {
            return self.hash(function, Blocks::Records(blocks, size), out);
        }
        let outs = out.chunks_mut(part * function.output_size());
        let mut parts: Vec<_> = blocks.chunks(part * size).zip(outs).collect();
        join.each(&mut parts, |_, (blocks, out)| {
            self.hash(function, Blocks::Records(blocks, size), out);
        });
    }

    /// Hashes blocks of any length to contiguous digests.
    pub(super) fn hash<'a>(
        &'a self,
        function: &AnyFunction,
        blocks: Blocks<'_, 'a>,
        out: &mut [u8],
    ) {
        let Self { prefix, suffix, twice, cipher } = self;
        if !cipher.is_empty() {
            return match function {
                AnyFunction::U32(function) => encrypt(function, cipher, blocks, out),
                AnyFunction::U64(function) => encrypt(function, cipher, blocks, out),
            };
        }
        let framed = |i: usize| [blocks.get(i), suffix];
        let list = if suffix.is_empty() { blocks.list() } else { List::Pairs(&framed) };
        if *twice {
            function.double(prefix, list, out);
        } else {
            function.digest(prefix, list, out);
        }
    }
}

/// The blocks of a part, if `count` blocks of `size` bytes are hashed in parts.
fn part<W: Jobs>(function: &Function<W>, join: Join, count: usize, size: usize) -> usize {
    let kernels = function.kernels();
    let load = Load::of_equal(count, size.div_ceil(kernels.shape.block) as u64);
    let threads = join.threads(load.shared_bytes(kernels.shape.block));
    let part = count.div_ceil(load.parts_on(&kernels, threads));
    if part > kernels.lanes() { part.next_multiple_of(kernels.lanes()) } else { part }
}

/// Encrypts `plaintext` by the block cipher in the compression function, once with each block as the key.
fn encrypt<W: Jobs>(
    function: &Function<W>,
    plaintext: &[u8],
    blocks: Blocks<'_, '_>,
    out: &mut [u8],
) {
    let hash = function.descriptor();
    let order = hash.shape.order;
    let mut start = vec![W::default(); plaintext.len() / W::BYTES];
    read_words(order, plaintext, &mut start);
    function.kernels().blocks(&start, |i| blocks.get(i), out, hash.digest);
    for digest in out.chunks_exact_mut(plaintext.len()) {
        for (word, start) in digest.chunks_exact_mut(W::BYTES).zip(&start) {
            W::read(order, word).wrapping_sub(*start).write(order, word);
        }
    }
}
