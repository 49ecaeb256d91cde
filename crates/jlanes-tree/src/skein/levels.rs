//! The chaining values that wait for their siblings, level by level.
//!
//! Every scheduler ends here: it delivers the values of a level in order, decides when nodes are
//! hashed, and leaves the ragged right edge to [`Levels::finish`]. With one node at a time this is
//! the stack of \[SK\] section 4.2.

use alloc::{boxed::Box, vec, vec::Vec};

use jlanes_core::{hashes::skein::ubi::Absorber, wipe::Buffer};

use super::nodes::NodeHasher;

/// The memory of a schedule: chaining values, and blocks of the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Chaining values.
    pub values: u128,
    /// Message blocks that are buffered or being hashed.
    pub blocks: u128,
}

impl Footprint {
    /// Raises `self` to the maximum with `other`.
    pub(super) fn raise(&mut self, other: Self) {
        self.values = self.values.max(other.values);
        self.blocks = self.blocks.max(other.blocks);
    }
}

/// The values of one level.
#[derive(Clone, Default)]
struct Level {
    /// The values that no node has taken yet, behind the kept ones.
    values: Buffer,
    /// Bytes of values that a node has taken.
    taken: usize,
    /// The number of values so far.
    count: u128,
}

/// The root of a tree that is cut at its maximum height: it absorbs its children as they arrive.
#[derive(Clone)]
struct Root {
    absorber: Absorber,
    /// The first child: if it is the only one, it is the root.
    first: Buffer,
    count: u128,
}

/// A tree in progress.
#[derive(Clone)]
pub(super) struct Levels {
    pub(super) nodes: NodeHasher,
    /// Level `l` at `l - 1`.
    levels: Vec<Level>,
    root: Option<Box<Root>>,
    /// Whether values that a node has taken are kept.
    keeps_values: bool,
    /// The peak memory.
    pub(super) peak: Footprint,
}

impl Levels {
    pub(super) fn new(nodes: NodeHasher) -> Self {
        let root = nodes.below_root().map(|level| {
            Box::new(Root {
                absorber: nodes
                    .with_state(level + 1, 0, |state| Absorber::new(nodes.kernels(), state)),
                first: Buffer::new(),
                count: 0,
            })
        });
        Self { root, ..Self::without_root(nodes, false) }
    }

    /// A tree without a root that absorbs its children; it has all values if it keeps them.
    pub(super) fn without_root(nodes: NodeHasher, keeps_values: bool) -> Self {
        let levels = vec![Level::default()];
        Self { nodes, levels, root: None, keeps_values, peak: Footprint::default() }
    }

    /// The subtree of `height` from leaf `first` on; its value goes to another `Levels`.
    pub(super) fn subtree(nodes: NodeHasher, first: u128, height: u8) -> Self {
        let mut count = first;
        let levels = (0..height)
            .map(|_| {
                let level = Level { count, ..Level::default() };
                count /= nodes.arity();
                level
            })
            .collect();
        Self { levels, ..Self::without_root(nodes, false) }
    }

    /// Values of `level` so far.
    pub(super) fn count(&self, level: u8) -> u128 {
        match &self.root {
            Some(root) if Some(level) == self.nodes.below_root() => root.count,
            _ => self.levels.get(usize::from(level) - 1).map_or(0, |level| level.count),
        }
    }

    /// Values of all levels so far.
    pub(super) fn total(&self) -> u128 {
        self.levels.iter().map(|level| level.count).sum()
    }

    /// Raises the peak to the memory in use, plus `blocks` blocks of the message and `values` values
    /// elsewhere.
    pub(super) fn record_peak(&mut self, blocks: u128, values: u128) {
        let waiting: usize = self.levels.iter().map(|level| level.values.len() - level.taken).sum();
        let waiting = waiting / self.nodes.block();
        let root = u128::from(self.root.as_ref().is_some_and(|root| root.count > 0));
        self.peak.raise(Footprint { values: waiting as u128 + root + values, blocks });
    }

    /// Hashes full leaves.
    pub(super) fn hash_leaves(&mut self, data: &[u8]) {
        self.record_peak((data.len() / self.nodes.block()) as u128, 0);
        let mut values = Buffer::new();
        self.nodes.hash_leaves(self.count(1), data, &mut values);
        self.push(1, &values);
    }

    /// The next values of `level`.
    pub(super) fn push(&mut self, level: u8, values: &[u8]) {
        let count = (values.len() / self.nodes.block()) as u128;
        match &mut self.root {
            Some(root) if Some(level) == self.nodes.below_root() => {
                if root.count == 0 {
                    root.first = values[..self.nodes.block()].into();
                }
                root.absorber.update(values);
                root.count += count;
            }
            _ => {
                let level = self.level_mut(level);
                level.values.append(values);
                level.count += count;
            }
        }
        self.record_peak(0, 0);
    }

    /// The value of a whole subtree; its lower values are unknown here.
    ///
    /// Panics unless the levels below hold no values.
    pub(super) fn push_subtree(&mut self, height: u8, value: &[u8]) {
        let mut below = 1;
        for level in (1..height).rev() {
            below *= self.nodes.arity();
            let level = self.level_mut(level);
            assert!(level.values.is_empty());
            level.count += below;
        }
        self.push(height, value);
    }

    /// Hashes nodes at every level with at least `batch` full ones, in batches of that size.
    pub(super) fn cascade(&mut self, batch: usize) {
        let mut level = 1;
        while usize::from(level) <= self.levels.len() {
            while self.full(level) >= batch {
                self.hash_nodes_over(level, batch);
            }
            level += 1;
        }
    }

    /// Hashes all full nodes over the levels below `top`.
    pub(super) fn drain(&mut self, top: u8) {
        let mut level = 1;
        while level < top && usize::from(level) <= self.levels.len() {
            let full = self.full(level);
            if full > 0 {
                self.hash_nodes_over(level, full);
            }
            level += 1;
        }
    }

    /// The values of `level` that wait for a node.
    pub(super) fn waiting(&self, level: u8) -> &[u8] {
        self.levels.get(usize::from(level) - 1).map_or(&[], |level| &level.values[level.taken..])
    }

    /// The values of `level` that wait or are kept.
    pub(super) fn values(&mut self, level: u8) -> &mut Buffer {
        &mut self.level_mut(level).values
    }

    /// Takes the waiting values of `level`; they return through [`push`](Self::push) or not at all.
    pub(super) fn take(&mut self, level: u8) -> Buffer {
        core::mem::take(&mut self.level_mut(level).values)
    }

    /// Puts back values that [`take`](Self::take) has removed.
    pub(super) fn put_back(&mut self, level: u8, values: Buffer, count: u128) {
        *self.level_mut(level) = Level { values, taken: 0, count };
    }

    /// Levels that have values.
    pub(super) fn height(&self) -> u8 {
        self.levels.len() as u8
    }

    /// The root's value (`G1` in the Skein paper), after the last leaf.
    pub(super) fn finish(&mut self) -> (Buffer, Footprint) {
        let mut level = 1;
        loop {
            if let Some(mut root) = self.root.take_if(|_| Some(level) == self.nodes.below_root()) {
                let value = match root.count {
                    1 => core::mem::take(&mut root.first),
                    _ => self.nodes.value(root.absorber.finish(0)),
                };
                return (value, self.peak);
            }
            if self.count(level) == 1 {
                return (self.take(level), self.peak);
            }
            let full = self.full(level);
            if full > 0 {
                self.hash_nodes_over(level, full);
            }
            let rest = self.take(level);
            if !rest.is_empty() {
                let index = self.count(level) / self.nodes.arity();
                let value = self.nodes.hash_one(level + 1, index, &rest, 0);
                self.push(level + 1, &value);
            }
            level += 1;
        }
    }

    fn level_mut(&mut self, level: u8) -> &mut Level {
        let place = usize::from(level) - 1;
        if place >= self.levels.len() {
            self.levels.resize(place + 1, Level::default());
        }
        &mut self.levels[place]
    }

    /// Full nodes over `level`.
    fn full(&self, level: u8) -> usize {
        (self.waiting(level).len() as u128 / self.nodes.node_bytes(level + 1)) as usize
    }

    /// Hashes the first `count` nodes over `level`.
    fn hash_nodes_over(&mut self, level: u8, count: usize) {
        let size = self.nodes.node_bytes(level + 1) as usize;
        let waiting = (self.waiting(level).len() / self.nodes.block()) as u128;
        let first = (self.count(level) - waiting) / self.nodes.arity();
        let mut values = if self.keeps_values {
            let values = self.waiting(level)[..count * size].into();
            self.level_mut(level).taken += count * size;
            values
        } else {
            let values = self.take(level);
            self.level_mut(level).values = values[count * size..].into();
            values
        };
        self.nodes.hash_level(level + 1, first, &mut values[..count * size]);
        values.resize(count * self.nodes.block());
        self.push(level + 1, &values);
    }
}
