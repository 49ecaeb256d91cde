//! Leaves and nodes of one level, hashed as many at a time as there are lanes.

use alloc::vec::Vec;

use jlanes_core::{
    engine::Engine,
    hashes::skein::{
        Size,
        params::TreeParams,
        ubi::{self, BlockType, Chain, State},
    },
    simd::lanes::Array,
    wipe::{self, Buffer},
};

use crate::join::Join;

/// The minimum number of bytes of a task: splitting smaller ones costs more than it gains.
pub(super) const GRAIN: usize = 64 << 10;
/// Tasks per thread: a slow thread delays the others by little.
const TASKS: usize = 4;
/// Input bytes per thread at a time, if the scheduler leaves the choice.
const SHARE: usize = 1 << 20;
/// Positions have 96 bits; a longer leaf or node would exceed every message.
const MAX_BYTES: u128 = (1 << 96) - 1;

/// The values that all nodes of a tree share.
#[derive(Clone)]
pub(super) struct Nodes<T: Size, E> {
    pub(super) engine: E,
    pub(super) join: Join,
    /// G0, the chaining value that every node starts from.
    pub(super) chain: Chain<T>,
    pub(super) params: TreeParams,
}

impl<T: Size, E: Engine<T>> Nodes<T, E> {
    /// Bytes of a full leaf.
    pub(super) fn leaf_bytes(&self) -> u128 {
        shifted(T::BLOCK as u128, self.params.yl())
    }

    /// Children of a full node.
    pub(super) fn arity(&self) -> u128 {
        shifted(1, self.params.yf())
    }

    /// Bytes of the input of a full node of `level`. Leaves are level 1.
    pub(super) fn bytes(&self, level: u8) -> u128 {
        match level {
            1 => self.leaf_bytes(),
            _ => shifted(T::BLOCK as u128, self.params.yf()),
        }
    }

    /// The level with values that the root of a cut tree absorbs; `None` if the height is
    /// unlimited.
    pub(super) fn below_root(&self) -> Option<u8> {
        (self.params.ym() < u8::MAX).then(|| self.params.ym() - 1)
    }

    /// Leaves that keep all lanes and threads busy for a while.
    pub(super) fn busy(&self) -> usize {
        let threads = self.join.threads();
        let share = (threads * SHARE) as u128 / self.leaf_bytes();
        (share as usize).max(1).next_multiple_of(threads * self.engine.lanes())
    }

    /// The initial state of node `index` of `level`.
    pub(super) fn state(&self, level: u8, index: u128) -> State<T> {
        let position = index.saturating_mul(self.bytes(level));
        ubi::start::<T>(&self.chain, BlockType::Message, level, position)
    }

    /// Appends the values of full leaves; the first one has index `first`.
    pub(super) fn leaves(&self, first: u128, data: &[u8], out: &mut Buffer) {
        let size = self.leaf_bytes() as usize;
        let count = data.len() / size;
        let start = out.len();
        out.resize(start + count * T::BLOCK);
        let each = self.task(count, size);
        let mut tasks: Vec<_> =
            data.chunks(each * size).zip(out[start..].chunks_mut(each * T::BLOCK)).collect();
        self.join.each(&mut tasks, |number, (data, out)| {
            let first = first + (number * each) as u128;
            for (g, (data, out)) in self.groups(data, out, size).enumerate() {
                let states = self.group(1, first + (g * self.engine.lanes()) as u128, size, data);
                write::<T>(&states, out);
            }
        });
    }

    /// Hashes full nodes of `level`; the first one has index `first`. Their values overwrite the
    /// front of `children`, so nothing is held twice.
    pub(super) fn level(&self, level: u8, first: u128, children: &mut [u8]) {
        let size = self.bytes(level) as usize;
        let each = self.task(children.len() / size, size);
        let mut tasks: Vec<_> = children.chunks_mut(each * size).collect();
        self.join.each(&mut tasks, |number, children| {
            let first = first + (number * each) as u128;
            let lanes = self.engine.lanes();
            for done in (0..children.len() / size).step_by(lanes) {
                let end = children.len().min((done + lanes) * size);
                let data = &children[done * size..end];
                let states = self.group(level, first + done as u128, size, data);
                write::<T>(&states, &mut children[done * T::BLOCK..]);
            }
        });
        for task in (each * size..children.len()).step_by(each * size) {
            let values = (children.len() - task).min(each * size) / size * T::BLOCK;
            children.copy_within(task..task + values, task / size * T::BLOCK);
        }
    }

    /// Hashes one node of any size; only `bits` bits of its last byte count (0 for all).
    pub(super) fn one(&self, level: u8, index: u128, data: &[u8], bits: u32) -> Chain<T> {
        ubi::once(self.engine, self.state(level, index), data, bits)
    }

    /// Nodes in a task: whole groups of lanes, at least [`GRAIN`] bytes.
    fn task(&self, count: usize, size: usize) -> usize {
        let share = count.div_ceil(TASKS * self.join.threads());
        let lanes = self.engine.lanes();
        if self.join.threads() == 1 {
            return count.max(1);
        }
        share.max(GRAIN.div_ceil(size)).next_multiple_of(lanes)
    }

    fn groups<'a>(
        &self,
        data: &'a [u8],
        out: &'a mut [u8],
        size: usize,
    ) -> impl Iterator<Item = (&'a [u8], &'a mut [u8])> {
        let lanes = self.engine.lanes();
        data.chunks(lanes * size).zip(out.chunks_mut(lanes * T::BLOCK))
    }

    /// Up to as many full nodes as there are lanes.
    fn group(&self, level: u8, first: u128, size: usize, data: &[u8]) -> NodeStates<T> {
        let mut inputs = T::PerLane::<&[u8]>::splat(&[]);
        let mut group =
            NodeStates::<T> { states: Array::splat(self.state(level, first)), count: 0 };
        for (l, node) in data.chunks(size).enumerate() {
            inputs.as_mut()[l] = node;
            group.states.as_mut()[l] = self.state(level, first + l as u128);
            group.count += 1;
        }
        ubi::many(self.engine, &mut group.states.as_mut()[..group.count], inputs.as_ref());
        group
    }
}

impl<T: Size, E> Drop for Nodes<T, E> {
    fn drop(&mut self) {
        // after a key, G0 is equivalent to the key
        wipe::words(self.chain.as_mut());
    }
}

/// Nodes that were hashed together.
struct NodeStates<T: Size> {
    states: T::PerLane<State<T>>,
    count: usize,
}

fn write<T: Size>(group: &NodeStates<T>, out: &mut [u8]) {
    for (state, out) in group.states.as_ref()[..group.count].iter().zip(out.chunks_mut(T::BLOCK)) {
        ubi::write(state.as_ref(), out);
    }
}

/// `n * 2^log`, saturated.
fn shifted(n: u128, log: u8) -> u128 {
    let shift = u32::from(log);
    if shift < MAX_BYTES.ilog2() - n.ilog2() { n << shift } else { MAX_BYTES }
}
