//! BLAKE3's tree over one message: the values of its chunks and parents, computed in lanes.

use super::{BLOCK, CHUNK, COUNTER, Chunk, KEY_BYTES, Mode, State};
use crate::{
    compression::{
        ContiguousDigests, RunByteOrder,
        padding::{Padding, prepare_last},
    },
    hash::HashFunction,
    kernel::{KernelCode, Kernels, plan::InputKind},
    lanes::messages::{FullHash, LaneWork, MessageEnd, Numbering, Route},
    simd::{copy::copy, vector::ByteOrder, words::write_words},
    wipe,
};

/// The chaining value of a chunk or a parent.
pub type Value = [u8; KEY_BYTES];

/// The maximum number of lanes of any kernel.
pub(super) const MAX_LANES: usize = 16;

/// Parents or blocks of output per call of the kernels; their input is collected first.
pub(super) const RUNS_PER_CALL: usize = 4 * MAX_LANES;

/// The maximum number of chunks with values that are kept at once.
pub(super) const MAX_CHUNKS: usize = 256;

/// Chunks or parents that go to a kernel of streams directly: preparing lanes takes as long as a block.
const MAX_DIRECT_NODES: usize = 4;

/// Computes chunks and parents, under a key.
#[derive(Clone, Copy)]
pub struct Tree {
    pub(super) kernels: Kernels<u32>,
    pub(super) mode: Mode,
}

impl Tree {
    /// The value of a parent.
    #[must_use]
    pub fn parent(&self, children: &[Value; 2]) -> Value {
        let mut state = self.mode.parent(0);
        self.kernels.advance_one(&mut state, children.as_flattened());
        let value = value(&state);
        wipe::words(&mut state);
        value
    }

    /// The value of chunk `number`, which may be shorter than others if it is the last one.
    #[must_use]
    pub fn chunk(&self, data: &[u8], number: u64) -> Value {
        self.chunk_from(self.mode.chunk(number, 0), data)
    }

    /// The value of the chunk that starts with `state`. A whole last block is read where it is.
    pub(super) fn chunk_from(&self, mut state: State, data: &[u8]) -> Value {
        let (blocks, tail) = Chunk::DESCRIPTOR.split_blocks(data);
        self.kernels.advance_one(&mut state, blocks);
        prepare_last(self.kernels.shape, &mut state, tail.len());
        if let Ok(last) = <&[u8; BLOCK]>::try_from(tail) {
            self.kernels.advance_one(&mut state, last);
        } else {
            let mut last = [0; BLOCK];
            copy(&mut last, tail);
            self.kernels.advance_one(&mut state, &last);
            wipe::bytes(&mut last);
        }
        let value = value(&state);
        wipe::words(&mut state);
        value
    }

    /// The values of whole chunks, starting with chunk `first`.
    pub fn whole_chunks(&self, data: &[u8], first: u64, out: &mut [Value]) {
        self.chunks::<MAX_CHUNKS>(data, first, out);
    }

    /// The values of the two halves of a subtree of 2, 4, 8, ... whole chunks, starting with chunk
    /// `first`.
    ///
    /// # Panics
    /// If `data` is not such a number of chunks, or more than 256.
    #[must_use]
    pub fn halves(&self, data: &[u8], first: u64) -> [Value; 2] {
        let count = data.len() / CHUNK;
        assert!(count.is_power_of_two() && count * CHUNK == data.len(), "a whole subtree");
        let (mut values, mut room) =
            ([Value::default(); MAX_CHUNKS], [Value::default(); MAX_CHUNKS]);
        self.chunks::<MAX_CHUNKS>(data, first, &mut values[..count]);
        let top = self.reduce(&mut values[..count], &mut room, 2);
        let halves = [top[0], top[1]];
        wipe::bytes(values.as_flattened_mut());
        wipe::bytes(room.as_flattened_mut());
        halves
    }

    /// The values of whole chunks, starting with chunk `first`, in calls of `N` chunks.
    pub(super) fn chunks<const N: usize>(&self, data: &[u8], first: u64, out: &mut [Value]) {
        let (chunks, _) = data.as_chunks::<CHUNK>();
        if self.try_direct(|i| (self.mode.chunk(first + i as u64, 0), &chunks[i]), out) {
            return;
        }
        let mut start = self.mode.chunk(0, 0);
        let mut runs = [&[] as &[u8]; N];
        let mut number = first;
        let end = Some(MessageEnd { padding: Padding::Zeros, before: 0, all_end: true });
        // one call, so that the kernel prefetches the next group
        for (chunks, out) in chunks.chunks(N).zip(out.chunks_mut(N)) {
            runs.iter_mut().zip(chunks).for_each(|(run, chunk)| *run = chunk);
            let work = LaneWork {
                end,
                equal_lengths: true,
                ..LaneWork::new(&runs[..chunks.len()], CHUNK / BLOCK)
            };
            let route = Route::StartToDigests(FullHash {
                start: &start,
                numbers: Some(Numbering { word: COUNTER, first: number }),
                outer: None,
                digests: ContiguousDigests::of_arrays(out),
            });
            self.kernels.advance_messages(work, route);
            number += chunks.len() as u64;
        }
        wipe::words(&mut start);
    }

    /// Computes the values of chunks or parents from their starts and bytes, if kernels of streams take all of them.
    fn try_direct<'d>(&self, node: impl Fn(usize) -> (State, &'d [u8]), out: &mut [Value]) -> bool {
        let (kernel, shape) =
            (self.kernels.kernel(InputKind::Short, out.len()), self.kernels.shape);
        let KernelCode::Streams(streams) = &kernel.code else { return false };
        if out.len() > MAX_DIRECT_NODES || !out.len().is_multiple_of(kernel.lanes) {
            return false;
        }
        for (i, out) in out.chunks_mut(kernel.lanes).enumerate() {
            let (mut states, mut runs) =
                ([State::default(); MAX_DIRECT_NODES], [&[] as &[u8]; MAX_DIRECT_NODES]);
            for s in 0..out.len() {
                (states[s], runs[s]) = node(i * kernel.lanes + s);
            }
            let (states, runs) = (&mut states[..out.len()], &mut runs[..out.len()]);
            let before = runs[0].len() / BLOCK - 1;
            let advance = |states: &mut [State], runs: &[&[u8]], blocks| {
                let states = states.as_flattened_mut();
                (streams.advance)(shape, states, runs, RunByteOrder::Message, blocks, &[]);
            };
            if before > 0 {
                advance(states, runs, before);
                runs.iter_mut().for_each(|run| *run = &run[before * BLOCK..]);
                states.iter_mut().for_each(|state| prepare_last(shape, state, BLOCK));
            }
            advance(states, runs, 1);
            out.iter_mut().zip(&*states).for_each(|(out, state)| *out = value(state));
            wipe::words(states.as_flattened_mut());
        }
        true
    }

    /// The values of parents, each from two adjacent children.
    pub fn parents(&self, children: &[Value], out: &mut [Value]) {
        let (blocks, _) = children.as_flattened().as_chunks::<BLOCK>();
        if self.try_direct(|i| (self.mode.parent(0), &blocks[i]), out) {
            return;
        }
        if out.len() <= 2 {
            // preparing the lanes takes longer than hashing the second parent
            for (out, children) in out.iter_mut().zip(children.as_chunks().0) {
                *out = self.parent(children);
            }
            return;
        }
        let mut start = self.mode.parent(0);
        self.kernels.compress_blocks(&start, |i| &blocks[i], out.as_flattened_mut(), KEY_BYTES);
        wipe::words(&mut start);
    }

    /// The `to` highest values of a subtree, level by level from a power of two of values. `room` has
    /// half as many, and the levels alternate between them.
    pub(super) fn reduce<'v>(
        &self,
        mut values: &'v mut [Value],
        mut room: &'v mut [Value],
        to: usize,
    ) -> &'v [Value] {
        let mut count = values.len();
        while count > to {
            self.parents(&values[..count], &mut room[..count / 2]);
            (values, room) = (room, values);
            count /= 2;
        }
        &values[..count]
    }
}

/// The value in a state.
pub(super) fn value(state: &State) -> Value {
    let mut value = Value::default();
    write_words(ByteOrder::Little, state, &mut value);
    value
}
