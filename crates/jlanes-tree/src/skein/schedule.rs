//! The order in which a tree's nodes are hashed (\[SK\] section 5). All orders give the same
//! digest.

use alloc::boxed::Box;

use jlanes_core::{hashes::skein::ubi::Absorber, wipe::Buffer};

use super::{
    levels::{Footprint, Levels},
    nodes::NodeHasher,
    subtree, top_first,
};
use crate::{batch_buffer::BatchBuffer, join::Join};

/// The order of the nodes of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schedule {
    /// One node at a time, the highest first: the stack of \[SK\] section 4.2 and Algorithm 1, on
    /// one lane and the caller's thread. It needs the least memory.
    Sequential,
    /// All leaves, then all nodes of the next level, and so on (\[SK\] 5.2). It holds all values of
    /// two levels, so memory grows with the message.
    LowerLevelFirst,
    /// Free lanes and threads take the highest nodes that are ready (\[SK\] 5.3). The order is not
    /// deterministic.
    HigherLevelFirst,
    /// `nodes` leaves at a time, or `nodes` nodes of a level that has as many full ones (\[SK\]
    /// 5.4). 0 means enough to keep all lanes and threads busy.
    SameLevel {
        /// Nodes at a time.
        nodes: usize,
    },
    /// A task hashes a whole subtree of `height` levels (\[SK\] 5.5).
    Subtrees {
        /// Levels, leaves included; at least 1, and at most the levels below a cut tree's root.
        height: u8,
    },
}

/// Nodes of one level, enough for all lanes and threads, in bounded memory. It is the fastest for leaves of
/// 128 bytes to 256 KiB: by 4 to 90 % with short leaves, equal with long ones.
impl Default for Schedule {
    fn default() -> Self {
        Self::SameLevel { nodes: 0 }
    }
}

/// The maximum size of buffered leaves. Longer ones are absorbed as they arrive, one lane at a
/// time.
const MAX_BUFFERED_LEAF: u128 = 4 << 20;

/// The leaves that are buffered and then hashed at once.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A number of leaves.
    Leaves(usize),
    /// A number of leaves, in subtrees of a number of levels.
    Subtrees(usize, u8),
}

/// A tree over a message that arrives in pieces.
#[derive(Clone)]
pub(super) struct TreeHasher {
    levels: Levels,
    schedule: Schedule,
    step: Step,
    /// Threads that a step is long enough for.
    threads: usize,
    /// Less than a step of the message.
    buffer: BatchBuffer,
    /// A leaf in progress that is too long for the buffer, and its number of bytes so far.
    long: Option<Box<(Absorber, u128)>>,
}

impl TreeHasher {
    pub(super) fn new(mut nodes: NodeHasher, schedule: Schedule) -> Self {
        if schedule == Schedule::Sequential {
            nodes.join = Join::Serial;
        }
        let step = step(&nodes, schedule, 1);
        // no batch yet: the step sets it
        let buffer = BatchBuffer::of(nodes.saturated_leaf_bytes(), 0);
        let levels = Levels::new(nodes);
        let mut hasher = Self { levels, schedule, step, threads: 1, buffer, long: None };
        hasher.set_step(step);
        hasher
    }

    /// Runs on rayon's pool from now on.
    #[cfg(feature = "rayon")]
    pub(super) fn use_rayon(&mut self) {
        if self.schedule != Schedule::Sequential {
            self.levels.nodes.join = Join::Rayon;
        }
    }

    /// Takes steps that are long enough for all threads if the message is, with `more` bytes. Called before
    /// the first step is full.
    fn widen(&mut self, more: usize) {
        let threads = self.levels.nodes.join.threads(self.buffer.pending().len() + more);
        if threads > self.threads {
            self.threads = threads;
            self.set_step(step(&self.levels.nodes, self.schedule, threads));
        }
    }

    fn set_step(&mut self, step: Step) {
        let (Step::Leaves(leaves) | Step::Subtrees(leaves, _)) = step;
        self.step = step;
        self.buffer.widen(leaves.saturating_mul(self.levels.nodes.saturated_leaf_bytes()));
    }

    pub(super) fn update(&mut self, data: &[u8]) {
        let leaf = self.levels.nodes.leaf_bytes();
        if leaf > MAX_BUFFERED_LEAF {
            return self.update_long(data);
        }
        self.widen(data.len());
        let mut buffer = self.buffer.take();
        buffer.push(data, |data| self.steps(data));
        self.levels.record_peak((buffer.pending().len() / self.levels.nodes.block()) as u128, 0);
        self.buffer = buffer;
    }

    /// The root's value (`G1`), after `data` as the message's last bytes; only `bits` bits of the last byte
    /// count (0 for all).
    pub(super) fn finish(&mut self, data: &[u8], bits: u32) -> (Buffer, Footprint) {
        if self.levels.nodes.leaf_bytes() > MAX_BUFFERED_LEAF && (self.long.is_some() || bits > 0) {
            self.update_long(data);
            return self.finish_long(bits);
        }
        if !self.buffer.pending().is_empty() {
            self.update(data);
            let rest = self.buffer.take();
            return self.finish_leaves(rest.pending(), bits);
        }
        self.finish_leaves(data, bits)
    }

    fn finish_leaves(&mut self, data: &[u8], bits: u32) -> (Buffer, Footprint) {
        let leaf = self.levels.nodes.leaf_bytes();
        let full = data.len() - usize::from(bits > 0);
        // a leaf longer than any slice cannot be full here
        let whole = usize::try_from(leaf).map_or(0, |leaf| full / leaf * leaf);
        self.widen(data.len());
        self.steps(&data[..whole]);
        let tail = &data[whole..];
        let index = self.levels.count(1);
        if !tail.is_empty() || index == 0 {
            self.levels.record_peak((tail.len().div_ceil(self.levels.nodes.block())) as u128, 0);
            let value = self.levels.nodes.hash_one(1, index, tail, bits);
            self.levels.push(1, &value);
        }
        self.levels.finish()
    }

    /// Hashes full leaves, of any number.
    fn steps(&mut self, data: &[u8]) {
        let leaf = self.levels.nodes.leaf_bytes();
        let (Step::Leaves(leaves) | Step::Subtrees(leaves, _)) = self.step;
        if data.is_empty() {
            return;
        }
        for data in data.chunks(leaves.saturating_mul(leaf as usize)) {
            match (self.schedule, self.step) {
                (Schedule::LowerLevelFirst, _) => self.levels.hash_leaves(data),
                (Schedule::HigherLevelFirst, _) => top_first::hash(&mut self.levels, data),
                (_, Step::Leaves(nodes)) => {
                    self.levels.hash_leaves(data);
                    self.levels.cascade(nodes);
                }
                (_, Step::Subtrees(_, height)) => subtree::hash(&mut self.levels, data, height),
            }
        }
    }

    fn update_long(&mut self, mut data: &[u8]) {
        let leaf = self.levels.nodes.leaf_bytes();
        while !data.is_empty() {
            let nodes = &self.levels.nodes;
            let index = self.levels.count(1);
            let (absorber, seen) = &mut **self.long.get_or_insert_with(|| {
                let begin = |state: &mut [u64]| Absorber::new(nodes.kernels(), state);
                Box::new((nodes.with_state(1, index, begin), 0))
            });
            let room = usize::try_from(leaf - *seen).unwrap_or(usize::MAX);
            let (head, rest) = data.split_at(data.len().min(room));
            absorber.update(head);
            *seen += head.len() as u128;
            data = rest;
            self.levels.record_peak(1, 0);
            if *seen == leaf && !data.is_empty() {
                self.end_long_leaf(0);
            }
        }
    }

    fn end_long_leaf(&mut self, bits: u32) {
        let Some(mut long) = self.long.take() else { return };
        let value = self.levels.nodes.value(long.0.finish(bits));
        self.levels.push(1, &value);
        self.levels.cascade(1);
    }

    fn finish_long(&mut self, bits: u32) -> (Buffer, Footprint) {
        self.end_long_leaf(bits);
        self.levels.finish()
    }
}

fn step(nodes: &NodeHasher, schedule: Schedule, threads: usize) -> Step {
    match schedule {
        Schedule::Sequential => Step::Leaves(1),
        Schedule::SameLevel { nodes } if nodes > 0 => Step::Leaves(nodes),
        Schedule::Subtrees { height } => {
            let height = height.clamp(1, nodes.below_root().unwrap_or(u8::MAX));
            let arity = nodes.arity();
            let mut leaves = 1u128;
            // no message has enough leaves for a subtree cut here
            let mut levels = 1;
            while levels < height && leaves < u128::from(u64::MAX) / arity {
                leaves *= arity;
                levels += 1;
            }
            let subtrees = (nodes.leaves_to_fill(threads) as u128 / leaves).max(threads as u128);
            let leaves = leaves.saturating_mul(subtrees);
            Step::Subtrees(usize::try_from(leaves).unwrap_or(usize::MAX), levels)
        }
        _ => Step::Leaves(nodes.leaves_to_fill(threads)),
    }
}
