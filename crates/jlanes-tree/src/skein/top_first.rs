//! The scheduler that hashes the highest ready node first, over one message (\[SK\] section 5.3) or over many
//! (\[SK\] 7.3, the pipe).
//!
//! Every lane is a worker. When it finishes a node, it takes the highest node with all of its children, or else the
//! next leaf. After the last leaf of a message it goes on to the next message. So nodes of all levels and lengths
//! share the lanes.
//!
//! A step of `w` leaves adds less than `2^Yf` waiting values per level, and each finished node
//! consumes more values than it produces, so at most `h (2^Yf - 1) + w` values are held.

use alloc::{collections::VecDeque, vec, vec::Vec};
use core::{
    convert::Infallible,
    task::{Context, Poll, Waker},
};

use jlanes_core::{
    function::{Ended, InFlight, Progress, Source},
    hash::MAX_DIGEST_BYTES,
    wipe::Buffer,
};

use super::{levels::Levels, nodes::NodeHasher};
use crate::join::{Join, Shared};

/// The input of a node.
enum Input<'m> {
    Leaf(&'m [u8]),
    Children(Buffer),
}

/// A node in progress.
struct ReadyNode<'m> {
    tree: usize,
    level: u8,
    index: u128,
    input: Input<'m>,
    at: usize,
}

impl ReadyNode<'_> {
    fn bytes(&self) -> &[u8] {
        match &self.input {
            Input::Leaf(bytes) => bytes,
            Input::Children(bytes) => bytes,
        }
    }
}

impl Source for ReadyNode<'_> {
    type Key = ();
    type Error = Infallible;
    type Buffer = ();

    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        &self.bytes()[self.at..]
    }

    fn consume(&mut self, (): &mut (), n: usize) {
        self.at += n;
    }

    fn into_key(self) {}
}

/// A node that receives its children in any order.
#[derive(Default)]
struct Parent {
    children: Buffer,
    filled: u128,
}

/// The parents over one level; the first one has index `first`.
#[derive(Default)]
struct OpenParents {
    first: u128,
    parents: VecDeque<Parent>,
    /// Children of the first parent that the root of a cut tree has already absorbed.
    absorbed: u128,
}

/// A message with its tree in progress.
struct Tree<'m> {
    data: &'m [u8],
    /// The next leaf, and the number of leaves; unknown while more data may follow.
    next: u128,
    total: Option<u128>,
    open: Vec<OpenParents>,
    root: Option<Buffer>,
}

/// The nodes that lanes can take, of all messages.
struct Queue<'m, 'n> {
    nodes: &'n NodeHasher,
    trees: Vec<Tree<'m>>,
    /// The tree that leaves are taken from.
    current: usize,
    /// Ready nodes of level `l + 2`, at `l`.
    ready: Vec<Vec<ReadyNode<'m>>>,
    values: u128,
    peak_values: u128,
}

impl<'m, 'n> Queue<'m, 'n> {
    /// The work of `trees`, which hold `values` values already.
    fn new(nodes: &'n NodeHasher, trees: Vec<Tree<'m>>, values: u128) -> Self {
        Self { nodes, trees, current: 0, ready: Vec::new(), values, peak_values: values }
    }

    /// Takes a node, and begins it in `state`, which is `G0`, the state after all arguments.
    fn take(&mut self, state: &mut [u64]) -> Option<ReadyNode<'m>> {
        let node = match self.ready.iter_mut().rev().find_map(Vec::pop) {
            Some(node) => node,
            None => self.take_leaf()?,
        };
        self.nodes.begin_node(state, node.level, node.index);
        Some(node)
    }

    fn take_leaf(&mut self) -> Option<ReadyNode<'m>> {
        while let Some(tree) = self.trees.get_mut(self.current) {
            let last = tree.total.is_some_and(|total| tree.next + 1 == total);
            let leaf = self.nodes.saturated_leaf_bytes();
            let over = tree.total == Some(tree.next) || (!last && tree.data.is_empty());
            if over {
                self.current += 1;
                continue;
            }
            let (bytes, rest) = tree.data.split_at(leaf.min(tree.data.len()));
            let node = ReadyNode {
                tree: self.current,
                level: 1,
                index: tree.next,
                input: Input::Leaf(bytes),
                at: 0,
            };
            tree.data = rest;
            tree.next += 1;
            return Some(node);
        }
        None
    }

    fn has_work(&self) -> bool {
        self.current < self.trees.len() || self.ready.iter().any(|jobs| !jobs.is_empty())
    }

    /// The number of children of parent `index` over `level`, if it is known.
    fn child_count(&self, tree: usize, level: u8, index: u128) -> Option<u128> {
        let arity = self.nodes.arity();
        let cut = Some(level) == self.nodes.below_root();
        if self.nodes.below_root().is_some_and(|cut| level > cut) {
            return Some(1);
        }
        match self.trees[tree].total {
            Some(leaves) => {
                let count = (1..level).fold(leaves, |count, _| count.div_ceil(arity));
                Some(if cut { count } else { arity.min(count - index * arity) })
            }
            None => (!cut).then_some(arity),
        }
    }

    /// Stores the value of a finished node.
    fn finish_node(&mut self, node: &ReadyNode<'m>, value: &[u8]) {
        let block = self.nodes.block();
        if let Input::Children(children) = &node.input {
            self.values -= (children.len() / block) as u128;
        }
        let ReadyNode { tree, level, index, .. } = *node;
        let cut = Some(level) == self.nodes.below_root();
        let parent = if cut { 0 } else { index / self.nodes.arity() };
        let expected = self.child_count(tree, level, parent);
        if index == 0 && expected == Some(1) {
            // a single child without siblings needs no node
            self.trees[tree].root = Some(value.into());
            return;
        }
        self.values += 1;
        self.peak_values = self.peak_values.max(self.values);
        let open = parents_over(&mut self.trees[tree].open, level);
        let child = index - if cut { open.absorbed } else { parent * self.nodes.arity() };
        let place = (parent - open.first) as usize;
        while open.parents.len() <= place {
            open.parents.push_back(Parent::default());
        }
        let slot = &mut open.parents[place];
        let at = child as usize * block;
        if slot.children.len() < at + block {
            slot.children.resize(at + block);
        }
        slot.children[at..][..block].copy_from_slice(value);
        slot.filled += 1;
        if Some(slot.filled) == expected {
            let input = Input::Children(core::mem::take(&mut slot.children));
            // remove full parents at the front, which are already queued
            while open.parents.front().is_some_and(|p| p.filled > 0 && p.children.is_empty()) {
                open.parents.pop_front();
                open.first += 1;
            }
            let above = usize::from(level) - 1;
            if self.ready.len() <= above {
                self.ready.resize_with(above + 1, Vec::new);
            }
            self.ready[above].push(ReadyNode {
                tree,
                level: level + 1,
                index: parent,
                input,
                at: 0,
            });
        }
    }
}

fn parents_over(open: &mut Vec<OpenParents>, level: u8) -> &mut OpenParents {
    let place = usize::from(level) - 1;
    if open.len() <= place {
        open.resize_with(place + 1, OpenParents::default);
    }
    &mut open[place]
}

/// Hashes until no work is left, on every thread.
fn run<'m, 'n>(queue: Queue<'m, 'n>) -> Queue<'m, 'n> {
    let nodes = queue.nodes;
    #[cfg(feature = "rayon")]
    let bytes = queue.trees.iter().map(|tree| tree.data.len() + nodes.block()).sum();
    let shared = Shared::new(queue);
    let work = || {
        let mut batch = InFlight::<u64, ReadyNode<'m>>::new(&nodes.node, &[]);
        let mut step = || {
            let cx = &mut Context::from_waker(Waker::noop());
            let mut next = |state: &mut [u64]| shared.with(|queue| queue.take(state));
            let mut done = |node: ReadyNode<'m>, Ok(end): Result<Ended<'_, u64>, _>| {
                let value = &mut [0; MAX_DIGEST_BYTES][..nodes.block()];
                end.write(value);
                shared.with(|queue| queue.finish_node(&node, value));
            };
            batch.step(cx, &mut next, &mut done)
        };
        while step() != Progress::Idle || shared.with(|queue| queue.has_work()) {}
    };
    match nodes.join {
        Join::Serial => work(),
        #[cfg(feature = "rayon")]
        Join::Rayon => {
            nodes.join.for_each_part(&mut vec![(); nodes.join.threads(bytes)], |_, ()| work());
        }
    }
    shared.into_inner()
}

/// Hashes full leaves, and every node that becomes ready.
pub(super) fn hash(levels: &mut Levels, data: &[u8]) {
    levels.record_peak((data.len() / levels.nodes.block()) as u128, 0);
    let nodes = levels.nodes.clone();
    let (cut, arity, block) = (nodes.below_root(), nodes.arity(), nodes.block());
    let mut tree = Tree { data, next: levels.count(1), total: None, open: Vec::new(), root: None };
    let mut held = 0;
    for level in 1..=levels.height().max(cut.unwrap_or(1)) {
        let open = parents_over(&mut tree.open, level);
        if Some(level) == cut {
            open.absorbed = levels.count(level);
            break;
        }
        open.first = levels.count(level) / arity;
        let children = levels.take(level);
        let filled = (children.len() / block) as u128;
        held += filled;
        if filled > 0 {
            open.parents.push_back(Parent { children, filled });
        }
    }
    let queue = run(Queue::new(&nodes, vec![tree], held));
    levels.record_peak(0, queue.peak_values);
    // nothing is in progress any more, so the values of a level are without gaps
    for (level, open) in (1..).zip(&queue.trees[0].open) {
        let mut values = Buffer::new();
        open.parents.iter().for_each(|parent| values.append(&parent.children));
        if Some(level) != cut {
            let count = open.first * arity + (values.len() / block) as u128;
            levels.put_back(level, values, count);
        } else if !values.is_empty() {
            levels.push(level, &values);
        }
    }
}

/// The root's value (`G1`) of every message. All messages share the lanes.
pub(super) fn hash_roots(nodes: &NodeHasher, messages: &[&[u8]]) -> Vec<Buffer> {
    let leaf = nodes.leaf_bytes();
    let trees = messages.iter().map(|data| Tree {
        data,
        next: 0,
        total: Some((data.len() as u128).div_ceil(leaf).max(1)),
        open: Vec::new(),
        root: None,
    });
    let queue = Queue::new(nodes, trees.collect(), 0);
    let root = |tree: Tree<'_>| tree.root.expect("every tree ends in a root");
    run(queue).trees.into_iter().map(root).collect()
}

#[cfg(test)]
mod tests {
    use jlanes_core::{
        function::{Function, Start},
        hashes::skein::{Threefish256, UbiCall, params::TreeParams},
        simd::portable::Portable,
    };

    use super::*;
    use crate::skein::levels::Footprint;

    const BLOCK: usize = 32;

    fn tree(yl: u8, yf: u8, ym: u8) -> Levels {
        let params = TreeParams::new(yl, yf, ym).expect("a legal tree");
        let node = Function::new(&Start::<UbiCall<Threefish256>>::new(), Portable::<4>);
        Levels::new(NodeHasher { node, join: Join::Serial, params })
    }

    /// Steps of few leaves, which a hasher never takes: what an earlier one left open goes on.
    #[test]
    fn steps_may_end_anywhere() {
        for (yl, yf, ym) in [(1, 1, 255), (1, 2, 255), (2, 1, 4), (1, 3, 3), (1, 1, 2)] {
            let leaf = BLOCK << yl;
            let data: Vec<u8> = (0..97 * leaf).map(|i| (i * 7 + i / 251) as u8).collect();
            let mut whole = tree(yl, yf, ym);
            whole.hash_leaves(&data);
            let expected = whole.finish().0;
            for steps in [&[1, 96][..], &[7, 1, 8, 81], &[3, 5, 30, 2, 57], &[64, 33]] {
                let (mut levels, mut rest) = (tree(yl, yf, ym), &data[..]);
                for count in steps {
                    let (step, after) = rest.split_at(count * leaf);
                    hash(&mut levels, step);
                    rest = after;
                    let done = ((data.len() - rest.len()) / leaf) as u128;
                    assert_eq!(levels.count(1), done, "{yl}.{yf}.{ym}, {steps:?}");
                }
                assert_eq!(levels.finish().0[..], expected[..], "{yl}.{yf}.{ym}, {steps:?}");
            }
        }
    }

    #[test]
    fn values_of_earlier_steps_are_held() {
        let leaf = BLOCK << 1;
        let data = [7; 15 * 2 * BLOCK];
        let mut levels = tree(1, 3, 255);
        hash(&mut levels, &data[..7 * leaf]);
        assert_eq!(levels.peak, Footprint { values: 7, blocks: 14 });
        hash(&mut levels, &data[7 * leaf..8 * leaf]);
        // eight children, until their parent is done
        assert_eq!(levels.peak, Footprint { values: 8, blocks: 14 });
        hash(&mut levels, &data[8 * leaf..]);
        // the parent's value, and seven more
        assert_eq!(levels.peak, Footprint { values: 8, blocks: 14 });
        // four nodes at a time, and their children until they are done
        let mut levels = tree(1, 1, 255);
        hash(&mut levels, &[7; 64 * 2 * BLOCK]);
        assert_eq!(levels.peak, Footprint { values: 10, blocks: 128 });
    }
}
