//! Many messages that continue from the state of one hasher.

use digest::{ExtendableOutput, FixedOutput, Output, Update, XofReader};

use super::{Blake3Compression, CHUNK, Chunk, Mode, ROOT, hasher::Hasher, node::OUTPUT};
use crate::{
    batch::{Start, list},
    engine::{BatchDigest, Engine, MultiXof},
    hash::HashFunction,
};

impl<E: Engine<Blake3Compression>> Hasher<E> {
    /// The digests of messages; each continues from the state of this hasher. Message `i` is the
    /// pieces `message(i)`.
    pub fn digest_many<'a, const P: usize>(
        &self,
        message: impl Fn(usize) -> [&'a [u8]; P],
        out: &mut [Output<Self>],
    ) {
        let len = |i: usize| message(i).iter().map(|piece| piece.len()).sum::<usize>();
        let longest = (0..out.len()).map(len).max().unwrap_or_default();
        match self.absorbed() {
            Some(prefix) if longest <= CHUNK - prefix.len() => {
                let start = Start::<Chunk>::at(self.mode().chunk(0, ROOT), 0);
                if prefix.is_empty() {
                    return list::digest(self.engine(), &start, message, out);
                }
                let (start, rest) = start.absorb(self.engine(), prefix);
                // a prefix is one more piece
                let pieces = |i: usize| {
                    let mut pieces = [rest, &[], &[], &[]];
                    pieces[1..][..P].copy_from_slice(&message(i));
                    pieces
                };
                list::digest(self.engine(), &start, pieces, out);
            }
            #[cfg(feature = "alloc")]
            Some([]) if P == 1 => {
                let alone = |data: &[u8]| self.with(&[data]).finalize_fixed().into();
                let out = digest::array::Array::slice_as_flattened_mut(out).as_chunks_mut().0;
                self.tree().digest_mixed(&|i| message(i)[0], &alone, out);
            }
            _ => {
                for (i, out) in out.iter_mut().enumerate() {
                    self.with(&message(i)).finalize_into(out);
                }
            }
        }
    }

    /// Fills outputs of any lengths from messages; each continues from the state of this hasher.
    pub fn fill_many<'a>(&self, message: impl Fn(usize) -> &'a [u8], outs: &mut [&mut [u8]]) {
        #[cfg(feature = "alloc")]
        if let Some([]) = self.absorbed() {
            let alone = |data: &[u8]| self.with(&[data]).root();
            return self.tree().fill_mixed(&message, &alone, outs);
        }
        for (i, out) in outs.iter_mut().enumerate() {
            self.with(&[message(i)]).finalize_xof().read(out);
        }
    }

    /// A hasher that has also absorbed `pieces`.
    fn with(&self, pieces: &[&[u8]]) -> Self {
        let mut hasher = self.clone();
        pieces.iter().for_each(|piece| hasher.update(piece));
        hasher
    }
}

impl<E: Engine<Blake3Compression> + Default> BatchDigest for Hasher<E> {
    type Compression = Blake3Compression;
    type Backend = E;
    const NAME: &'static str = Chunk::NAME;

    fn backend() -> E {
        E::default()
    }

    fn blocks(len: usize) -> u64 {
        // a parent for each chunk but one
        (Chunk::DESCRIPTOR.blocks(len) + len.saturating_sub(1) / CHUNK) as u64
    }

    fn digest_pieces<'a, const P: usize>(
        engine: E,
        prefix: &[u8],
        message: impl Fn(usize) -> [&'a [u8]; P],
        out: &mut [Output<Self>],
    ) {
        let mut hasher = Self::with_mode(engine, Mode::HASH);
        hasher.update(prefix);
        hasher.digest_many(message, out);
    }
}

impl<E: Engine<Blake3Compression> + Default> MultiXof for Hasher<E> {
    type Compression = Blake3Compression;
    type Engine = E;

    fn engine() -> E {
        E::default()
    }

    fn blocks(message: usize, output: usize) -> u64 {
        <Self as BatchDigest>::blocks(message) + (output / OUTPUT) as u64
    }

    fn fill<'a>(engine: E, message: impl Fn(usize) -> &'a [u8], outs: &mut [&mut [u8]]) {
        Self::with_mode(engine, Mode::HASH).fill_many(message, outs);
    }
}
