//! Runs of zeros, such as the holes of a file: a tree hashes equal leaves and equal nodes once.

use alloc::{vec, vec::Vec};

use super::{
    Format, Hasher, LeafKind, Recipe,
    hasher::{LongLeaf, PendingLeaves},
    levels::Level,
};

/// Zeros or digests that are added at once.
const PIECE_BYTES: usize = 16 << 10;

impl<T: Format> Hasher<T> {
    /// Adds `len` zeros. Equal leaves and equal nodes are hashed once, so a run takes about as long
    /// as one leaf and one node of each level.
    pub fn update_zeros(&mut self, len: u64) {
        let size = self.recipe.leaf.size as u64;
        let to_leaf = (size - self.len % size) % size;
        let leaves = len.saturating_sub(to_leaf) / size;
        if leaves < 2 {
            return self.add_zeros(len);
        }
        self.add_zeros(to_leaf);
        self.leaves.push_zeros(&self.recipe, leaves);
        self.len += leaves * size;
        self.add_zeros(len - to_leaf - leaves * size);
    }

    /// Adds zeros as data.
    fn add_zeros(&mut self, len: u64) {
        pieces(len, |n| self.update(&[0; PIECE_BYTES][..n]));
    }
}

impl PendingLeaves {
    /// Adds whole leaves of zeros, after whole leaves.
    fn push_zeros(&mut self, recipe: &Recipe, count: u64) {
        let above = &mut self.above;
        self.gather.flush(|leaves| above.leaves(recipe, leaves));
        above.level(recipe, 0).push_run(recipe, &zero_leaf(recipe), count);
    }
}

/// The digest of a leaf of zeros.
fn zero_leaf(recipe: &Recipe) -> Vec<u8> {
    let (mut digest, size) = (vec![0; recipe.digest_size()], recipe.leaf.size);
    if recipe.leaf.kind == LeafKind::Digest {
        return digest;
    }
    if recipe.streams {
        let mut leaf = LongLeaf::new(recipe);
        pieces(size as u64, |n| leaf.update(&[0; PIECE_BYTES][..n]));
        return leaf.finish(recipe);
    }
    recipe.leaf.frame.digest((&recipe.function, recipe.join), &vec![0; size], size, &mut digest);
    digest
}

impl Level {
    /// Adds `count` equal digests.
    fn push_run(&mut self, recipe: &Recipe, digest: &[u8], count: u64) {
        let fan_out = recipe.node.fan_out as u64;
        let to_node = (fan_out - self.count() % fan_out) % fan_out;
        let nodes = count.saturating_sub(to_node) / fan_out;
        if recipe.is_list() || nodes < 2 {
            return self.push_copies(recipe, digest, count);
        }
        self.push_copies(recipe, digest, to_node);
        let node = recipe.lay_out(0, &digest.repeat(recipe.node.fan_out));
        let mut above = vec![0; recipe.digest_size()];
        let frame = &recipe.node.frame;
        frame.digest((&recipe.function, recipe.join), &node, node.len(), &mut above);
        self.pass_by(recipe, &node, nodes).push_run(recipe, &above, nodes);
        self.push_copies(recipe, digest, count - to_node - nodes * fan_out);
    }

    fn push_copies(&mut self, recipe: &Recipe, digest: &[u8], count: u64) {
        let copies = digest.repeat(count.min(PIECE_BYTES as u64) as usize);
        pieces(count, |n| self.push(recipe, &copies[..n * digest.len()]));
    }
}

/// Calls `add` with numbers up to [`PIECE_BYTES`] that add up to `count`.
fn pieces(mut count: u64, mut add: impl FnMut(usize)) {
    while count > 0 {
        let n = count.min(PIECE_BYTES as u64);
        add(n as usize);
        count -= n;
    }
}
