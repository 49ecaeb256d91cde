//! The nodes of a growing tree: [`Level`]s, each with the one above it. Digests enter at the bottom, and those of full
//! nodes move up.
//!
//! A level holds less than a batch of nodes. A full node is hashed before the next digest is known: it has at least
//! two children, so no rule replaces it by one of them.

use alloc::{boxed::Box, vec::Vec};

use jlanes_core::{memory, wipe::Buffer};

use super::{BoundRules, Frame, Odd, Zeros};
use crate::{batch_buffer::BatchBuffer, linear::AnyLinearHash};

/// Blocks that are hashed before their digests move up; the digests are then still in the cache.
const WINDOW_BLOCKS: usize = 4 << 10;

/// The nodes over one level of digests that have not been hashed yet.
#[derive(Clone)]
pub(super) struct Level {
    /// The height of the digests; leaves' digests are at 0.
    height: u32,
    /// The number of digests received.
    count: u64,
    nodes: BatchBuffer,
    kept: Option<Vec<u8>>,
    above: Parents,
}

/// The levels above one: where its digests go.
#[derive(Clone)]
pub(super) struct Parents {
    digests: Buffer,
    level: Option<Box<Level>>,
    /// The hash of a hash list so far.
    list: Option<Box<AnyLinearHash>>,
    /// Nodes of two equal digests, under [`Odd::Repeat`].
    twins: u64,
}

/// A tree's result besides the root, as in a [`Summary`](super::Summary).
#[derive(Default)]
pub(super) struct Rest {
    pub(super) kept: Vec<Vec<u8>>,
    pub(super) has_twins: bool,
}

impl Parents {
    pub(super) fn new() -> Self {
        Self { digests: Buffer::new(), level: None, list: None, twins: 0 }
    }

    /// The level above digests of this height.
    pub(super) fn level(&mut self, rules: &BoundRules, height: u32) -> &mut Level {
        self.level.get_or_insert_with(|| Box::new(Level::new(rules, height)))
    }

    /// Hashes blocks of `size` bytes and passes their digests up.
    pub(super) fn hash(
        &mut self,
        rules: &BoundRules,
        frame: &Frame,
        (size, height): (usize, u32),
        blocks: &[u8],
    ) {
        // the same amount for each thread
        let window = size.saturating_mul(WINDOW_BLOCKS * rules.join.threads(blocks.len()));
        for window in blocks.chunks(window) {
            let mut digests = core::mem::take(&mut self.digests);
            digests.resize(window.len() / size * rules.digest_size());
            frame.hash_records((&rules.function, rules.join), window, size, &mut digests);
            self.level(rules, height).push(rules, &digests);
            self.digests = digests;
        }
    }

    /// Hashes nodes over digests of this height.
    fn hash_nodes(&mut self, rules: &BoundRules, height: u32, nodes: &[u8]) {
        let size = rules.node.size;
        if rules.is_list() {
            return self.list(rules).update(nodes);
        }
        self.twins += rules.twins(nodes, size);
        self.hash(rules, &rules.node.frame, (size, height + 1), nodes);
    }

    /// The hash of the only node of a hash list.
    fn list(&mut self, rules: &BoundRules) -> &mut AnyLinearHash {
        self.list.get_or_insert_with(|| Box::new(AnyLinearHash::new(&rules.function)))
    }

    /// The root, after the last digest.
    pub(super) fn finish(
        self,
        rules: &BoundRules,
        zeros: &mut Zeros,
        rest: &mut Rest,
    ) -> Option<Vec<u8>> {
        self.level?.finish(rules, zeros, rest)
    }
}

impl Level {
    fn new(rules: &BoundRules, height: u32) -> Self {
        // the node of a list has no end: its digests are hashed as they come
        let block = if rules.is_list() { rules.node.cell } else { rules.node.size };
        Self {
            height,
            count: 0,
            nodes: BatchBuffer::new(block, rules.lanes),
            kept: rules.keeps(height).then(Vec::new),
            above: Parents::new(),
        }
    }

    /// Adds digests.
    pub(super) fn push(&mut self, rules: &BoundRules, digests: &[u8]) {
        if rules.is_packed() {
            self.push_bytes(rules, digests);
        } else {
            self.push_bytes(rules, &rules.lay_out(self.count, digests));
        }
        self.count += (digests.len() / rules.digest_size()) as u64;
    }

    /// The number of digests received.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Counts `nodes` equal nodes after whole ones, without hashing them. Returns the level that
    /// takes their digests.
    pub(super) fn skip_run(&mut self, rules: &BoundRules, node: &[u8], nodes: u64) -> &mut Self {
        self.nodes.flush(|nodes| self.above.hash_nodes(rules, self.height, nodes));
        if rules.node.odd == Odd::Repeat {
            self.above.twins += nodes;
        }
        if let Some(kept) = &mut self.kept {
            (0..nodes).for_each(|_| memory::append(kept, node));
        }
        self.count += nodes * rules.node.fan_out as u64;
        self.above.level(rules, self.height + 1)
    }

    fn push_bytes(&mut self, rules: &BoundRules, bytes: &[u8]) {
        if let Some(kept) = &mut self.kept {
            memory::append(kept, bytes);
        }
        if rules.has_nodes() {
            self.nodes.push(bytes, |nodes| self.above.hash_nodes(rules, self.height, nodes));
        }
    }

    /// The root.
    fn finish(mut self, rules: &BoundRules, zeros: &mut Zeros, rest: &mut Rest) -> Option<Vec<u8>> {
        if !rules.has_nodes() {
            rest.kept.extend(self.kept);
            return None;
        }
        if self.count == 1 && self.height >= rules.node.min_height {
            return Some(self.nodes.pending()[..rules.digest_size()].to_vec());
        }
        if rules.is_list() {
            let mut root = alloc::vec![0; rules.digest_size()];
            self.nodes.finish(&[], |digests| self.above.hash_nodes(rules, self.height, digests));
            self.above.list(rules).finish(&mut root);
            return Some(root);
        }
        let is_odd = !self.count.is_multiple_of(rules.node.fan_out as u64);
        let promoted = self.complete(rules, zeros);
        self.nodes.finish(&[], |nodes| self.above.hash_nodes(rules, self.height, nodes));
        // the digest that was repeated has a twin by the format's rule
        rest.has_twins |= self.above.twins > u64::from(is_odd);
        if let Some(digest) = promoted {
            self.above.level(rules, self.height + 1).push(rules, &digest);
        }
        rest.kept.extend(self.kept);
        self.above.finish(rules, zeros, rest)
    }

    /// Completes the last node, or returns the digest that is promoted in its place.
    fn complete(&mut self, rules: &BoundRules, zeros: &mut Zeros) -> Option<Vec<u8>> {
        let node = &rules.node;
        if self.count.is_multiple_of(node.fan_out as u64) {
            return None;
        }
        let pending = self.nodes.pending();
        let last = pending[pending.len() - node.cell..][..rules.digest_size()].to_vec();
        let missing = node.size - pending.len() % node.size;
        match rules.completion(&last, self.height, zeros) {
            // its node is incomplete, and not hashed
            None => return Some(last),
            Some(next) if next.is_empty() => self.push_bytes(rules, &alloc::vec![0; missing]),
            Some(next) => self.push(rules, &next),
        }
        None
    }
}
