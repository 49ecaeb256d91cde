//! Nodes that may be the root: the last block of a chunk, or a parent. They wait uncompressed until it is
//! known, because the root has a flag of its own.

use super::{
    BLOCK, COUNTER, FLAGS, Mode, ROOT, State, WHOLE_OUTPUT,
    tree::{RUNS_PER_CALL, Tree, Value, value},
};
use crate::{
    compression::{ContiguousDigests, padding::prepare_last},
    kernel::Kernels,
    lanes::messages::{FullHash, LaneWork, Numbering, Route},
    wipe,
};

/// Bytes of the whole output of a block.
pub(super) const OUTPUT_BYTES: usize = 64;

/// The block of an output with the byte at a position, and the byte's place in it.
pub(super) fn output_block_at(at: u128) -> (u64, usize) {
    ((at / OUTPUT_BYTES as u128) as u64, (at % OUTPUT_BYTES as u128) as usize)
}

/// A block that has not been compressed yet, and the state before it.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) state: State,
    pub(super) block: [u8; BLOCK],
}

impl Node {
    /// The last block of the first chunk, with the state after earlier blocks, if any.
    #[cfg(feature = "alloc")]
    pub(super) fn last_of_first_chunk(tree: &Tree, before: Option<&Value>, tail: &[u8]) -> Self {
        let mut state = tree.mode.chunk(0, 0);
        if let Some(value) = before {
            state[..8].copy_from_slice(&super::words(value));
            state[FLAGS] &= !super::CHUNK_START;
        }
        Self::last_of_chunk(tree, state, tail)
    }

    /// The last block of a chunk, from the state before it.
    pub(super) fn last_of_chunk(tree: &Tree, state: State, tail: &[u8]) -> Self {
        // in place, here and below: a copy would wait for the words that have just been written
        let mut node = Self { state, block: [0; BLOCK] };
        prepare_last(tree.kernels.shape, &mut node.state, tail.len());
        node.block[..tail.len()].copy_from_slice(tail);
        node
    }

    /// The parent of two values.
    pub(super) fn parent(mode: &Mode, left: &Value, right: &Value) -> Self {
        let mut node = Self { state: mode.parent(0), block: [0; BLOCK] };
        node.block[..left.len()].copy_from_slice(left);
        node.block[left.len()..].copy_from_slice(right);
        node
    }

    /// The chaining value of the node, or the digest of a root.
    #[inline]
    pub(super) fn value(&mut self, kernels: &Kernels<u32>) -> Value {
        kernels.advance_one(&mut self.state, &self.block);
        value(&self.state)
    }

    /// The node with the flag of the root.
    pub(super) fn into_root(mut self) -> Self {
        self.state[FLAGS] |= ROOT;
        self
    }

    /// Computes blocks of a root's output, starting with block `first`.
    pub(super) fn fill(&self, kernels: &Kernels<u32>, first: u64, out: &mut [[u8; OUTPUT_BYTES]]) {
        static RUNS: [&[u8]; RUNS_PER_CALL] = [&[]; RUNS_PER_CALL];
        let kernels = Kernels { shape: &WHOLE_OUTPUT, ..*kernels };
        // the lanes share the block, and differ in the counter
        let mut block = block_words(&self.block);
        for (number, out) in (first..).step_by(RUNS_PER_CALL).zip(out.chunks_mut(RUNS_PER_CALL)) {
            let count = out.len();
            let plain = LaneWork::new(&RUNS[..count], 0);
            let work = LaneWork { shared: &block, equal_lengths: true, ..plain };
            let route = Route::StartToDigests(FullHash {
                start: &self.state,
                numbers: Some(Numbering { word: COUNTER, first: number }),
                outer: None,
                digests: ContiguousDigests::of_arrays(out),
            });
            kernels.advance_messages(work, route);
        }
        wipe::words(&mut block);
    }
}

/// The words of a block.
fn block_words(bytes: &[u8; BLOCK]) -> [u32; BLOCK / 4] {
    let mut words = [0; BLOCK / 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

impl Drop for Node {
    fn drop(&mut self) {
        wipe::words(&mut self.state);
        wipe::bytes(&mut self.block);
    }
}
