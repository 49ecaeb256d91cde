//! Runs of zeros, such as the holes of a file: a tree hashes equal leaves and equal nodes once.

use alloc::{vec, vec::Vec};

use super::{
    BoundRules, Format, Hasher, LeafKind,
    hasher::{LongLeaf, PendingLeaves},
    levels::Level,
};

/// Zeros or digests that are added at once.
const PIECE_LEN: usize = 16 << 10;

impl<T: Format> Hasher<T> {
    /// Adds `len` zeros. Equal leaves and equal nodes are hashed once, so a run takes about as long
    /// as one leaf and one node of each level.
    pub fn update_zeros(&mut self, len: u64) {
        let size = self.rules.leaf.size as u64;
        let to_leaf = (size - self.len % size) % size;
        let leaves = len.saturating_sub(to_leaf) / size;
        if leaves < 2 {
            return self.add_zeros(len);
        }
        self.add_zeros(to_leaf);
        self.leaves.push_zeros(&self.rules, leaves);
        self.len += leaves * size;
        self.add_zeros(len - to_leaf - leaves * size);
    }

    /// Adds zeros as data.
    fn add_zeros(&mut self, len: u64) {
        for_each_piece(len, |n| self.update(&[0; PIECE_LEN][..n]));
    }
}

impl PendingLeaves {
    /// Adds whole leaves of zeros, after whole leaves.
    fn push_zeros(&mut self, rules: &BoundRules, count: u64) {
        let above = &mut self.above;
        self.buffer.flush(|leaves| above.push_leaves(rules, leaves));
        above.level(rules, 0).push_run(rules, &zero_leaf(rules), count);
    }
}

/// The digest of a leaf of zeros.
fn zero_leaf(rules: &BoundRules) -> Vec<u8> {
    let (mut digest, size) = (vec![0; rules.digest_size()], rules.leaf.size);
    if rules.leaf.kind == LeafKind::Digest {
        return digest;
    }
    if rules.streams_leaves {
        let mut leaf = LongLeaf::new(rules);
        for_each_piece(size as u64, |n| leaf.update(&[0; PIECE_LEN][..n]));
        return leaf.finish(rules);
    }
    rules.leaf.frame.hash_records((&rules.function, rules.join), &vec![0; size], size, &mut digest);
    digest
}

impl Level {
    /// Adds `count` equal digests.
    fn push_run(&mut self, rules: &BoundRules, digest: &[u8], count: u64) {
        let fan_out = rules.node.fan_out as u64;
        let to_node = (fan_out - self.count() % fan_out) % fan_out;
        let nodes = count.saturating_sub(to_node) / fan_out;
        if rules.is_list() || nodes < 2 {
            return self.push_copies(rules, digest, count);
        }
        self.push_copies(rules, digest, to_node);
        let node = rules.lay_out(0, &digest.repeat(rules.node.fan_out));
        let mut above = vec![0; rules.digest_size()];
        let frame = &rules.node.frame;
        frame.hash_records((&rules.function, rules.join), &node, node.len(), &mut above);
        self.skip_run(rules, &node, nodes).push_run(rules, &above, nodes);
        self.push_copies(rules, digest, count - to_node - nodes * fan_out);
    }

    fn push_copies(&mut self, rules: &BoundRules, digest: &[u8], count: u64) {
        let copies = digest.repeat(count.min(PIECE_LEN as u64) as usize);
        for_each_piece(count, |n| self.push(rules, &copies[..n * digest.len()]));
    }
}

/// Calls `add` with numbers up to [`PIECE_LEN`] that add up to `count`.
fn for_each_piece(mut count: u64, mut add: impl FnMut(usize)) {
    while count > 0 {
        let n = count.min(PIECE_LEN as u64);
        add(n as usize);
        count -= n;
    }
}
