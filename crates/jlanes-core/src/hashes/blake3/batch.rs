//! Batches of BLAKE3: many messages, each of which continues from the state of one hasher.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use digest::{ExtendableOutput, FixedOutput, Output, Update, XofReader, array::Array as ByteArray};

#[cfg(feature = "alloc")]
use super::outputs::Outputs;
use super::{
    Blake3Compression, CHUNK, Chunk, FLAGS, Mode, ROOT, State, hasher::Hasher, node::OUTPUT_BYTES,
};
use crate::{
    function::{Batch, BatchOnKernels, Function, Start, XofOnKernels, filling},
    hash::HashFunction,
    kernel::HasKernels,
};

impl<B: HasKernels<Blake3Compression>> Hasher<B> {
    /// The digests of messages; each continues from the state of this hasher.
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    pub fn digest_many(&self, messages: &Batch<'_, '_>, out: &mut [Output<Self>]) {
        match self.absorbed() {
            Some((state, before, tail)) if messages.longest() <= CHUNK - before - tail.len() => {
                let mut chunk = Function::new(&start(state, before), self.backend());
                // the uncompressed bytes are one more piece
                let out = ByteArray::slice_as_flattened_mut(out);
                chunk.digest(&[], &messages.prefixed_by(&[tail]), out);
                chunk.wipe();
            }
            // one long message needs no table of leaves: its chunks fill the lanes
            #[cfg(feature = "alloc")]
            Some((_, 0, [])) if messages.pieces() == 1 && out.len() != 1 => {
                assert_eq!(messages.len(), out.len(), "as many digests as messages");
                let alone = |data: &[u8]| self.with(&[data]).finalize_fixed().into();
                let out = ByteArray::slice_as_flattened_mut(out).as_chunks_mut().0;
                self.tree().digest_mixed(&|i| messages.message_at_position(i), &alone, out);
            }
            _ => {
                assert_eq!(messages.len(), out.len(), "as many digests as messages");
                for (i, out) in out.iter_mut().enumerate() {
                    self.with(&messages.pieces_at_position(i)).finalize_into(out);
                }
            }
        }
    }

    /// The tags of messages, under the key or in the mode of this hasher; each continues from its state.
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    #[track_caller]
    pub fn tags(&self, messages: &[impl AsRef<[u8]> + Sync], out: &mut [Output<Self>]) {
        assert_eq!(messages.len(), out.len(), "as many tags as messages");
        let fill = filling(|i| [messages[i].as_ref()]);
        self.digest_many(&Batch::filled(out.len(), &fill), out);
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

/// The start of messages of one chunk that continue one of `before` bytes.
fn start(state: &State, before: usize) -> Start<Chunk> {
    let mut state = *state;
    state[FLAGS] |= ROOT << 8;
    Start::at(state, before as u128)
}

impl<B: HasKernels<Blake3Compression> + Default> BatchOnKernels for Hasher<B> {
    type Compression = Blake3Compression;
    type Backend = B;
    const NAME: &'static str = Chunk::NAME;

    fn backend() -> B {
        B::default()
    }

    fn blocks(len: usize) -> u64 {
        // a parent for each chunk but one
        (Chunk::DESCRIPTOR.blocks(len) + len.saturating_sub(1) / CHUNK) as u64
    }

    fn digest_one(backend: B, message: &[u8]) -> Output<Self> {
        Self::digest_in_mode(backend, Mode::HASH, message).into()
    }

    fn digest_batch(backend: B, prefix: &[u8], messages: &Batch<'_, '_>, out: &mut [Output<Self>]) {
        let mut hasher = Self::with_mode(backend, Mode::HASH);
        hasher.update(prefix);
        hasher.digest_many(messages, out);
    }
}

impl<B: HasKernels<Blake3Compression> + Default> XofOnKernels for Hasher<B> {
    type Compression = Blake3Compression;
    type Backend = B;

    fn backend() -> B {
        B::default()
    }

    fn blocks(message: usize, output: usize) -> u64 {
        <Self as BatchOnKernels>::blocks(message) + (output / OUTPUT_BYTES) as u64
    }

    fn fill<'a>(backend: B, message: impl Fn(usize) -> &'a [u8], outs: &mut [&mut [u8]]) {
        let mut hasher = Self::with_mode(backend, Mode::HASH);
        if let [out] = outs {
            hasher.update(message(0)); // one message needs no lanes
            return hasher.finalize_xof().read(out);
        }
        hasher.fill_many(message, outs);
    }

    #[cfg(feature = "alloc")]
    type Outputs = Outputs;

    #[cfg(feature = "alloc")]
    fn absorb<'a>(
        backend: B,
        message: impl Fn(usize) -> &'a [u8],
        count: usize,
        outputs: &mut Outputs,
    ) {
        Self::with_mode(backend, Mode::HASH).absorb_many(message, count, outputs);
    }

    #[cfg(feature = "alloc")]
    fn push(reader: &Self::Reader, outputs: &mut Outputs) {
        reader.append_to(outputs);
    }
}
