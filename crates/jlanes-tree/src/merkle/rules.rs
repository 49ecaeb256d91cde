//! [`BoundRules`], the rules of a format on a backend and its threads. A hasher and a tree complete nodes and lay out
//! digests by it.

use alloc::{vec, vec::Vec};

use jlanes_core::{
    function::{AnyFunction, Batch},
    memory, with_function,
};
use jlanes_simd::Backend;

use super::{Format, Keep, Leaf, Node, Odd, Rules};
use crate::join::Join;

/// A format's rules, on a backend and its threads.
#[derive(Clone)]
pub(super) struct BoundRules {
    pub(super) function: AnyFunction,
    /// Lanes that the backend fills.
    pub(super) lanes: usize,
    pub(super) join: Join,
    pub(super) leaf: Leaf,
    pub(super) node: Node,
    pub(super) keep: Keep,
    /// Whether leaves are hashed as they arrive.
    pub(super) streams_leaves: bool,
}

/// The maximum size of leaves that are buffered to fill the lanes; longer ones are hashed as they
/// arrive. Slow input gains nothing from lanes, and 16 long leaves would take too much memory.
/// Whole leaves in one slice share the lanes at any size.
pub(super) const MAX_BUFFERED_LEAF_BYTES: usize = 1 << 20;

impl BoundRules {
    pub(super) fn new(backend: Backend, format: &impl Format) -> Self {
        let Rules { function, leaf, node, keep } = format.rules();
        let function = function.on(backend);
        let streams_leaves = leaf.size > MAX_BUFFERED_LEAF_BYTES && format.last_leaf(1).is_none();
        let lanes = lanes(&function);
        Self { function, lanes, join: Join::Serial, leaf, node, keep, streams_leaves }
    }

    /// Sets the function, on another backend.
    pub(super) fn set_function(&mut self, function: AnyFunction) {
        self.lanes = lanes(&function);
        self.function = function;
    }

    /// Bytes of a digest.
    pub(super) fn digest_size(&self) -> usize {
        self.function.output_size()
    }

    pub(super) fn is_list(&self) -> bool {
        self.node.fan_out == Node::LIST
    }

    /// Whether digests are hashed as nodes: not those of a list that is kept.
    pub(super) fn has_nodes(&self) -> bool {
        !(self.is_list() && self.keeps(0))
    }

    /// Whether the nodes over digests at this height are kept.
    pub(super) fn keeps(&self, height: u32) -> bool {
        match self.keep {
            Keep::Nothing => false,
            Keep::Level(level) => level == height,
            Keep::All => true,
        }
    }

    /// Whether digests fill a node without gaps.
    pub(super) fn is_packed(&self) -> bool {
        self.is_list() || (self.node.cell == self.digest_size() && self.gap() == 0)
    }

    /// Zero bytes after a node's last cell.
    pub(super) fn gap(&self) -> usize {
        self.node.size - self.node.fan_out * self.node.cell
    }

    /// The digests that complete a node after `last`, the last one at this height: none if zero bytes fill it.
    /// `None` if `last` is promoted in its place.
    pub(super) fn completion(
        &self,
        last: &[u8],
        height: u32,
        zeros: &mut Zeros,
    ) -> Option<Vec<u8>> {
        match self.node.odd {
            Odd::Zeros => Some(Vec::new()),
            Odd::Promote => None,
            Odd::Repeat => Some(last.to_vec()),
            Odd::ZeroSubtree => Some(zeros.at_height(self, height).to_vec()),
        }
    }

    /// The nodes of `size` bytes that have two equal digests, under [`Odd::Repeat`].
    pub(super) fn twins(&self, nodes: &[u8], size: usize) -> u64 {
        if self.node.odd != Odd::Repeat {
            return 0;
        }
        let halves = nodes.chunks_exact(size).map(|node| node.split_at(size / 2));
        halves.filter(|(left, right)| left == right).count() as u64
    }

    /// Digests in the layout of a node, after `before` other digests.
    pub(super) fn lay_out(&self, before: u64, digests: &[u8]) -> Vec<u8> {
        let (mut bytes, count) = (Vec::new(), digests.len() / self.digest_size());
        let gaps = (count / self.node.fan_out + 1) * self.gap();
        memory::reserve(&mut bytes, count * self.node.cell + gaps);
        for (i, digest) in (before + 1..).zip(digests.chunks_exact(self.digest_size())) {
            bytes.extend_from_slice(digest);
            let full = i.is_multiple_of(self.node.fan_out as u64);
            let zeros = self.node.cell - digest.len() + if full { self.gap() } else { 0 };
            bytes.resize(bytes.len() + zeros, 0);
        }
        bytes
    }
}

fn lanes(function: &AnyFunction) -> usize {
    with_function!(function, |function| function.kernels().lanes_to_fill())
}

/// The digests of subtrees with all-zero leaf digests, by height; computed on demand.
#[derive(Clone, Debug)]
pub(super) struct Zeros(Vec<u8>);

impl Zeros {
    /// No height so far.
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// The digest at `height`.
    pub(super) fn at_height(&mut self, rules: &BoundRules, height: u32) -> &[u8] {
        let (size, height) = (rules.digest_size(), height as usize);
        if self.0.is_empty() {
            self.0.resize(size, 0);
        }
        for below in self.0.len() / size - 1..height {
            let below = &self.0[below * size..];
            let pair = rules.lay_out(0, &[below, below].concat());
            let mut above = vec![0; size];
            rules.node.frame.hash(&rules.function, &Batch::slices(&[&pair]), &mut above);
            self.0.extend(above);
        }
        &self.0[height * size..][..size]
    }
}
