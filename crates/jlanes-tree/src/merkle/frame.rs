//! [`Frame`], the bytes around a block of a tree, and the hashing of many framed blocks on lanes.

use alloc::{vec, vec::Vec};

use jlanes_core::{
    function::{AnyFunction, Batch, Function, batch_work::BatchWork, filling},
    jobs::CompiledWord,
    simd::words::read_words,
    with_function,
};

use crate::join::Join;

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
    pub(super) plaintext: &'static [u8],
}

impl Frame {
    /// No bytes around the block.
    pub const NONE: Self =
        Self { prefix: Vec::new(), suffix: Vec::new(), twice: false, plaintext: &[] };

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
        Self { plaintext, ..Self::NONE }
    }

    /// Hashes contiguous blocks of `size` bytes to contiguous digests.
    pub(super) fn hash_records(
        &self,
        (function, join): (&AnyFunction, Join),
        blocks: &[u8],
        size: usize,
        out: &mut [u8],
    ) {
        let count = out.len() / function.output_size();
        let part = with_function!(function, |function| part_blocks(function, join, count, size));
        if count <= part {
            return self.hash(function, &Batch::records(count, blocks, size), out);
        }
        let outs = out.chunks_mut(part * function.output_size());
        let mut parts: Vec<_> = blocks.chunks(part * size).zip(outs).collect();
        join.for_each_part(&mut parts, |_, (blocks, out)| {
            let count = out.len() / function.output_size();
            self.hash(function, &Batch::records(count, blocks, size), out);
        });
    }

    /// Hashes blocks of any length to contiguous digests.
    pub(super) fn hash<'a>(
        &'a self,
        function: &AnyFunction,
        blocks: &Batch<'_, 'a>,
        out: &mut [u8],
    ) {
        let Self { prefix, suffix, twice, plaintext } = self;
        if !plaintext.is_empty() {
            return with_function!(function, |function| encrypt(function, plaintext, blocks, out));
        }
        let framed = filling(|i| [blocks.message_at_position(i), suffix]);
        let framed = Batch::filled(blocks.len(), &framed);
        let blocks = if suffix.is_empty() { blocks } else { &framed };
        if *twice {
            function.double(prefix, blocks, out);
        } else {
            function.digest(prefix, blocks, out);
        }
    }
}

/// The blocks of a part, if `count` blocks of `size` bytes are hashed in parts.
fn part_blocks<W: CompiledWord>(
    function: &Function<W>,
    join: Join,
    count: usize,
    size: usize,
) -> usize {
    let kernels = function.kernels();
    let work = BatchWork::of_equal(count, size.div_ceil(kernels.shape.block_bytes) as u64);
    let threads = join.threads(work.shared_bytes(kernels.shape.block_bytes));
    let part = count.div_ceil(work.parts(&kernels, threads));
    if part > kernels.lanes_to_fill() {
        part.next_multiple_of(kernels.lanes_to_fill())
    } else {
        part
    }
}

/// Encrypts `plaintext` by the block cipher in the compression function, once with each block as the key.
fn encrypt<W: CompiledWord>(
    function: &Function<W>,
    plaintext: &[u8],
    blocks: &Batch<'_, '_>,
    out: &mut [u8],
) {
    let hash = function.descriptor();
    let order = hash.shape.order;
    let mut start = vec![W::default(); plaintext.len() / W::BYTES];
    read_words(order, plaintext, &mut start);
    function.kernels().compress_blocks(
        &start,
        |i| blocks.message_at_position(i),
        out,
        hash.digest_bytes,
    );
    for digest in out.chunks_exact_mut(plaintext.len()) {
        for (word, start) in digest.chunks_exact_mut(W::BYTES).zip(&start) {
            W::read(order, word).wrapping_sub(*start).write(order, word);
        }
    }
}
