//! [`NodeHasher`]: hashes the leaves or the nodes of one level, as many at a time as there are lanes.

use alloc::vec::Vec;

use jlanes_core::{
    compression::{LaneBuffer, MAX_LANES, Shape},
    function::Function,
    hashes::skein::{
        params::TreeParams,
        ubi::{self, BlockType},
    },
    kernel::Kernels,
    simd::{vector::ByteOrder, words::write_words},
    wipe::{self, Buffer},
};

use crate::join::Join;

/// The minimum number of bytes of a task: splitting smaller ones costs more than it gains.
pub(super) const MIN_TASK_BYTES: usize = 64 << 10;
/// Tasks per thread: a slow thread delays the others by little.
const TASKS_PER_THREAD: usize = 4;
/// Input bytes per thread at a time, if the scheduler leaves the choice.
const SHARE_BYTES: usize = 1 << 20;
/// Positions have 96 bits; a longer leaf or node would exceed every message.
const MAX_BYTES: u128 = (1 << 96) - 1;

/// Hashes nodes of one tree, which start at the same state, on lanes and threads.
#[derive(Clone)]
pub(super) struct NodeHasher {
    /// A UBI call with its chaining value as the digest. It starts at `G0`, the state after all arguments, as
    /// every node does.
    pub(super) node: Function<u64>,
    pub(super) join: Join,
    pub(super) params: TreeParams,
}

impl NodeHasher {
    pub(super) fn kernels(&self) -> Kernels<u64> {
        self.node.kernels()
    }

    /// Bytes of a block, and of a value.
    pub(super) fn block(&self) -> usize {
        self.kernels().shape.block_bytes
    }

    /// Bytes of a full leaf.
    pub(super) fn leaf_bytes(&self) -> u128 {
        saturating_shl(self.block() as u128, self.params.yl())
    }

    /// [`leaf_bytes`](Self::leaf_bytes) for slices: [`usize::MAX`] if no slice holds a full leaf.
    pub(super) fn saturated_leaf_bytes(&self) -> usize {
        usize::try_from(self.leaf_bytes()).unwrap_or(usize::MAX)
    }

    /// Children of a full node.
    pub(super) fn arity(&self) -> u128 {
        saturating_shl(1, self.params.yf())
    }

    /// Bytes of the input of a full node of `level`. Leaves are level 1.
    pub(super) fn node_bytes(&self, level: u8) -> u128 {
        match level {
            1 => self.leaf_bytes(),
            _ => saturating_shl(self.block() as u128, self.params.yf()),
        }
    }

    /// The level with values that the root of a cut tree absorbs; `None` if the height is
    /// unlimited.
    pub(super) fn below_root(&self) -> Option<u8> {
        (self.params.ym() < u8::MAX).then(|| self.params.ym() - 1)
    }

    /// Leaves that keep all lanes of `threads` threads busy for a while.
    pub(super) fn leaves_to_fill(&self, threads: usize) -> usize {
        let share = (threads * SHARE_BYTES) as u128 / self.leaf_bytes();
        (share as usize).max(1).next_multiple_of(threads * self.kernels().lanes_to_fill())
    }

    /// Begins node `index` of `level` in `state`, which is `G0`.
    pub(super) fn begin_node(&self, state: &mut [u64], level: u8, index: u128) {
        let position = index.saturating_mul(self.node_bytes(level));
        ubi::begin_call(state, BlockType::Message, level, position);
    }

    /// Calls `run` with the initial state of node `index` of `level`.
    pub(super) fn with_state<R>(
        &self,
        level: u8,
        index: u128,
        run: impl FnOnce(&mut [u64]) -> R,
    ) -> R {
        let start = self.node.start();
        let mut state = [0; ubi::MAX_STATE];
        let state = &mut state[..start.len()];
        state.copy_from_slice(start);
        self.begin_node(state, level, index);
        let result = run(state);
        wipe::words(state);
        result
    }

    /// Appends the values of full leaves; the first one has index `first`.
    pub(super) fn hash_leaves(&self, first: u128, data: &[u8], out: &mut Buffer) {
        let size = self.leaf_bytes() as usize;
        let count = data.len() / size;
        let start = out.len();
        let block = self.block();
        out.resize(start + count * block);
        let each = self.nodes_per_task(count, size);
        let mut tasks: Vec<_> =
            data.chunks(each * size).zip(out[start..].chunks_mut(each * block)).collect();
        self.join.for_each_part(&mut tasks, |number, (data, out)| {
            let first = first + (number * each) as u128;
            let lanes = self.kernels().lanes_to_fill();
            let groups = data.chunks(lanes * size).zip(out.chunks_mut(lanes * block));
            for (g, (data, out)) in groups.enumerate() {
                self.hash_group(1, first + (g * lanes) as u128, size, data).write(out);
            }
        });
    }

    /// Hashes full nodes of `level`; the first one has index `first`. Their values overwrite the
    /// front of `children`, so nothing is held twice.
    pub(super) fn hash_level(&self, level: u8, first: u128, children: &mut [u8]) {
        let size = self.node_bytes(level) as usize;
        let each = self.nodes_per_task(children.len() / size, size);
        let mut tasks: Vec<_> = children.chunks_mut(each * size).collect();
        self.join.for_each_part(&mut tasks, |number, children| {
            let first = first + (number * each) as u128;
            let lanes = self.kernels().lanes_to_fill();
            for done in (0..children.len() / size).step_by(lanes) {
                let end = children.len().min((done + lanes) * size);
                let group =
                    self.hash_group(level, first + done as u128, size, &children[done * size..end]);
                group.write(&mut children[done * self.block()..]);
            }
        });
        for task in (each * size..children.len()).step_by(each * size) {
            let values = (children.len() - task).min(each * size) / size * self.block();
            children.copy_within(task..task + values, task / size * self.block());
        }
    }

    /// Hashes one node of any size; only `bits` bits of its last byte count (0 for all).
    pub(super) fn hash_one(&self, level: u8, index: u128, data: &[u8], bits: u32) -> Buffer {
        self.with_state(level, index, |state| {
            ubi::one_call(self.kernels(), state, data, bits);
            self.value(state)
        })
    }

    /// The value in a state.
    pub(super) fn value(&self, state: &[u64]) -> Buffer {
        let mut value = Buffer::new();
        value.resize(self.block());
        write_words(ByteOrder::Little, state, &mut value);
        value
    }

    /// Nodes in a task: whole groups of lanes, at least [`MIN_TASK_BYTES`] bytes.
    fn nodes_per_task(&self, count: usize, size: usize) -> usize {
        let threads = self.join.threads(count * size);
        if threads == 1 {
            return count.max(1);
        }
        let (share, lanes) =
            (count.div_ceil(TASKS_PER_THREAD * threads), self.kernels().lanes_to_fill());
        share.max(MIN_TASK_BYTES.div_ceil(size)).next_multiple_of(lanes)
    }

    /// Up to as many full nodes as there are lanes.
    fn hash_group(&self, level: u8, first: u128, size: usize, data: &[u8]) -> Group {
        let shape = self.kernels().shape;
        let mut group = Group { states: LaneBuffer::new(shape), count: 0, shape };
        let mut inputs = [&[][..]; MAX_LANES];
        for (input, node) in inputs.iter_mut().zip(data.chunks(size)) {
            *input = node;
            self.with_state(level, first + group.count as u128, |state| {
                group.states.states().set(group.count, state);
            });
            group.count += 1;
        }
        ubi::calls_in_lanes(self.kernels(), &mut group.states, &inputs[..group.count]);
        group
    }
}

impl Drop for NodeHasher {
    fn drop(&mut self) {
        // after a key, `G0` is as secret as the key
        self.node.wipe();
    }
}

/// Nodes that were hashed together.
struct Group {
    states: LaneBuffer<u64>,
    count: usize,
    shape: &'static Shape<u64>,
}

impl Group {
    /// Writes the values.
    fn write(&self, out: &mut [u8]) {
        for (l, out) in out.chunks_mut(self.shape.block_bytes).take(self.count).enumerate() {
            let mut state = [0; ubi::MAX_STATE];
            let state = &mut state[..self.shape.state_words];
            self.states.get_into(l, state);
            write_words(ByteOrder::Little, state, out);
        }
    }
}

/// `n * 2^log`, saturated.
fn saturating_shl(n: u128, log: u8) -> u128 {
    let shift = u32::from(log);
    if shift < MAX_BYTES.ilog2() - n.ilog2() { n << shift } else { MAX_BYTES }
}
