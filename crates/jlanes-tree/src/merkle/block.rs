//! Hashes blocks of equal length.

use alloc::{vec, vec::Vec};

use digest::array::Array;
use jlanes_core::{
    batch::{Start, chain, list, load::Load},
    compression::Compression,
    engine::Engine,
    hash::{Output, WordOf},
    simd::{copy::read_words, lanes::Word},
};

use super::{NodeHash, digest_bytes};
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

    /// Hashes `out.len()` contiguous blocks of `size` bytes.
    pub(super) fn digest<F, E>(
        &self,
        (engine, join): (E, Join),
        blocks: &[u8],
        size: usize,
        out: &mut [Output<F>],
    ) where
        F: NodeHash,
        E: Engine<F::Compression>,
    {
        let (lanes, count) = (engine.lanes(), out.len());
        let load = Load::of_equal(count, size.div_ceil(F::Compression::BLOCK) as u64);
        let parts = load.parts::<F::Compression, E>(engine, join.threads());
        let mut part = count.div_ceil(parts);
        if part > lanes {
            part = part.next_multiple_of(lanes);
        }
        if count <= part {
            return self.messages::<F, E>(engine, |i| &blocks[i * size..][..size], out);
        }
        let parts = blocks.chunks(part * size).zip(out.chunks_mut(part));
        join.each(&mut parts.collect::<Vec<_>>(), |_, (blocks, out)| {
            self.messages::<F, E>(engine, |i| &blocks[i * size..][..size], out);
        });
    }

    /// Hashes `out.len()` blocks of any length.
    pub(super) fn messages<'a, F, E>(
        &'a self,
        engine: E,
        block: impl Fn(usize) -> &'a [u8],
        out: &mut [Output<F>],
    ) where
        F: NodeHash,
        E: Engine<F::Compression>,
    {
        if !self.cipher.is_empty() {
            return self.encrypt::<F, E>(engine, block, out);
        }
        let (start, prefix) = Start::<F>::after(engine, &self.prefix);
        let bare = |i| [block(i)];
        let framed = |i| [prefix, block(i), &self.suffix, &[]];
        match (prefix.is_empty() && self.suffix.is_empty(), self.twice) {
            (true, false) => list::digest(engine, &start, bare, out),
            (true, true) => chain::double(engine, &start, bare, out),
            (false, false) => list::digest(engine, &start, framed, out),
            (false, true) => chain::double(engine, &start, framed, out),
        }
    }

    /// [`messages`](Self::messages) of a [`cipher`](Self::cipher).
    fn encrypt<'a, F, E>(&self, engine: E, block: impl Fn(usize) -> &'a [u8], out: &mut [Output<F>])
    where
        F: NodeHash,
        E: Engine<F::Compression>,
    {
        let order = F::Compression::ORDER;
        let mut start = vec![WordOf::<F>::default(); self.cipher.len() / WordOf::<F>::BYTES];
        read_words(order, self.cipher, &mut start);
        let out = Array::slice_as_flattened_mut(out);
        engine.kernels().blocks(&start, block, out, digest_bytes::<F>());
        for digest in out.chunks_exact_mut(self.cipher.len()) {
            for (word, start) in digest.chunks_exact_mut(WordOf::<F>::BYTES).zip(&start) {
                WordOf::<F>::read(order, word).wrapping_sub(*start).write(order, word);
            }
        }
    }
}
