//! A format's rules, prepared for use.

use alloc::{vec, vec::Vec};

use jlanes_core::{batch::function::List, engine::Engine, hash::Output};

use super::{CompressionOf, Format, Keep, Leaf, Node, NodeHash};
use crate::join::Join;

/// A format's rules, on an engine and its threads.
#[derive(Clone, Debug)]
pub(super) struct Plan<E> {
    pub(super) engine: E,
    /// Lanes that the engine fills.
    pub(super) lanes: usize,
    pub(super) join: Join,
    pub(super) leaf: Leaf,
    pub(super) node: Node,
    pub(super) keep: Keep,
    /// Whether leaves are hashed as they arrive.
    pub(super) streams: bool,
}

/// The maximum size of leaves that are buffered to fill the lanes; longer ones are hashed as they
/// arrive. Slow input gains nothing from lanes, and 16 long leaves would take too much memory.
/// Whole leaves in one slice share the lanes at any size.
pub(super) const LONGEST_GATHERED: usize = 1 << 20;

impl<E> Plan<E> {
    pub(super) fn new<T: Format>(engine: E, format: &T) -> Self
    where
        E: Engine<CompressionOf<T>>,
    {
        let (leaf, node, keep) = (format.leaf(), format.node(), format.keep());
        let streams = leaf.size > LONGEST_GATHERED && format.last_leaf(1).is_none();
        let lanes = engine.lanes();
        Self { engine, lanes, join: Join::Serial, leaf, node, keep, streams }
    }

    pub(super) fn is_list(&self) -> bool {
        self.node.fan_out == Node::LIST
    }

    /// Whether the nodes over digests at this height are kept.
    pub(super) fn keeps(&self, height: u32) -> bool {
        match self.keep {
            Keep::Nothing => self.is_list(),
            Keep::Level(level) => level == height,
            Keep::Levels => true,
        }
    }

    /// Whether digests of `digest` bytes fill a node without gaps.
    pub(super) fn is_packed(&self, digest: usize) -> bool {
        self.is_list() || (self.node.cell == digest && self.gap() == 0)
    }

    /// Zero bytes after a node's last cell.
    pub(super) fn gap(&self) -> usize {
        self.node.size - self.node.fan_out * self.node.cell
    }

    /// Digests in the layout of a node, after `before` other digests.
    pub(super) fn lay_out<F: NodeHash>(&self, before: u64, digests: &[Output<F>]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(digests.len() * self.node.cell);
        for (i, digest) in (before + 1..).zip(digests) {
            bytes.extend_from_slice(digest);
            let full = i.is_multiple_of(self.node.fan_out as u64);
            let zeros = self.node.cell - digest.len() + if full { self.gap() } else { 0 };
            bytes.resize(bytes.len() + zeros, 0);
        }
        bytes
    }
}

/// The digests of subtrees with all-zero leaf digests, by height; computed on demand.
#[derive(Clone, Debug)]
pub(super) struct Zeros<F: NodeHash>(Vec<Output<F>>);

impl<F: NodeHash> Zeros<F> {
    pub(super) fn new() -> Self {
        Self(vec![Output::<F>::default()])
    }

    pub(super) fn at<E: Engine<F::Compression>>(
        &mut self,
        plan: &Plan<E>,
        height: u32,
    ) -> Output<F> {
        for below in self.0.len() - 1..height as usize {
            let pair = plan.lay_out::<F>(0, &[self.0[below]; 2]);
            let mut above = [Output::<F>::default()];
            plan.node.frame.blocks::<F, E>(plan.engine, List::Slices(&[&pair]), &mut above);
            self.0.extend(above);
        }
        self.0[height as usize]
    }
}
