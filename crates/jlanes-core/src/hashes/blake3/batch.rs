//! Many messages that continue from the state of one hasher.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use digest::{ExtendableOutput, FixedOutput, Output, Update, XofReader};

#[cfg(feature = "alloc")]
use super::outputs::Outputs;
use super::{
    Blake3Compression, CHUNK, Chunk, FLAGS, Mode, ROOT, State, hasher::Hasher, node::OUTPUT,
};
use crate::{
    batch::{BatchDigest, MultiXof, Start, list},
    engine::Engine,
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
            Some((state, before, tail)) if longest <= CHUNK - before - tail.len() => {
                let start = start(state, before);
                if tail.is_empty() {
                    return list::digest(self.engine(), &start, message, out);
                }
                // the uncompressed bytes are one more piece
                let pieces = |i: usize| {
                    let mut pieces = [tail, &[], &[], &[]];
                    pieces[1..][..P].copy_from_slice(&message(i));
                    pieces
                };
                list::digest(self.engine(), &start, pieces, out);
            }
            #[cfg(feature = "alloc")]
            Some((_, 0, [])) if P == 1 => {
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

    /// [`digest_many`](Self::digest_many) of slices, which is faster if all are short.
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    pub fn digest_slices(&self, messages: &[&[u8]], out: &mut [Output<Self>]) {
        assert_eq!(messages.len(), out.len(), "as many digests as messages");
        let longest = messages.iter().map(|message| message.len()).max().unwrap_or_default();
        match self.absorbed() {
            Some((state, 0, [])) if longest <= CHUNK => {
                list::slices(self.engine(), &start(state, 0), messages, out);
            }
            _ => self.digest_many(|i| [messages[i]], out),
        }
    }

    /// Fills outputs of any lengths from messages; each continues from the state of this hasher.
    pub fn fill_many<'a>(&self, message: impl Fn(usize) -> &'a [u8], outs: &mut [&mut [u8]]) {
        #[cfg(feature = "alloc")]
        if let Some((_, 0, [])) = self.absorbed() {
            let alone = |data: &[u8]| self.with(&[data]).root();
            return self.tree().fill_mixed(&message, &alone, outs);
        }
        for (i, out) in outs.iter_mut().enumerate() {
            self.with(&[message(i)]).finalize_xof().read(out);
        }
    }

    /// Replaces `outputs` by those of `count` messages; each continues from the state of this hasher.
    #[cfg(feature = "alloc")]
    pub fn absorb_many<'a>(
        &self,
        message: impl Fn(usize) -> &'a [u8],
        count: usize,
        outputs: &mut Outputs,
    ) {
        let alone = |data: &[u8]| self.with(&[data]).root();
        let Some((_, 0, [])) = self.absorbed() else {
            return outputs.set((0..count).map(|i| alone(message(i))));
        };
        let mut roots = Vec::with_capacity(count);
        self.tree().roots_mixed(&message, count, &alone, &mut |nodes| roots.append(nodes));
        roots.sort_unstable_by_key(|(message, _)| *message);
        outputs.set(roots.into_iter().map(|(_, root)| root));
    }

    /// A hasher that has also absorbed `pieces`.
    fn with(&self, pieces: &[&[u8]]) -> Self {
        let mut hasher = self.clone();
        pieces.iter().for_each(|piece| hasher.update(piece));
        hasher
    }
}

/// Where messages of one chunk start that continue one of `before` bytes.
fn start(state: &State, before: usize) -> Start<Chunk> {
    let mut state = *state;
    state[FLAGS] |= ROOT << 8;
    Start::at(state, before as u128)
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

    fn digest_slices(engine: E, prefix: &[u8], messages: &[&[u8]], out: &mut [Output<Self>]) {
        let mut hasher = Self::with_mode(engine, Mode::HASH);
        hasher.update(prefix);
        hasher.digest_slices(messages, out);
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

    #[cfg(feature = "alloc")]
    type Outputs = Outputs;

    #[cfg(feature = "alloc")]
    fn absorb<'a>(
        engine: E,
        message: impl Fn(usize) -> &'a [u8],
        count: usize,
        outputs: &mut Outputs,
    ) {
        Self::with_mode(engine, Mode::HASH).absorb_many(message, count, outputs);
    }

    #[cfg(feature = "alloc")]
    fn push(reader: &Self::Reader, outputs: &mut Outputs) {
        reader.append_to(outputs);
    }
}
