//! The levels of a subtree: its chunks or groups, then the parents of [pairs](crate::pairs).

use alloc::{vec, vec::Vec};
use core::mem;

use jlanes_core::hashes::blake3::{
    CHUNK,
    tree::{Tree, Value},
};

use crate::pairs::level_above;

/// Bytes of a block, the largest subtree that is computed at once.
pub(super) const BLOCK_BYTES: usize = 256 * CHUNK;

/// Levels from the lowest up to two values, the children of the subtree's parent, or to a single value.
pub(super) struct Levels(pub(super) Vec<Vec<Value>>);

impl Levels {
    /// The levels above at least one value.
    pub(super) fn new(tree: &Tree, mut values: Vec<Value>) -> Self {
        let mut levels = Vec::new();
        while values.len() > 2 {
            let above = above(tree, &values);
            levels.push(mem::replace(&mut values, above));
        }
        levels.push(values);
        Self(levels)
    }

    /// The levels of at most [`BLOCK_BYTES`] bytes that begin with chunk `first`.
    pub(super) fn of_chunks(tree: &Tree, data: &[u8], first: u64) -> Self {
        Self::new(tree, chunk_values(tree, data, first))
    }

    /// The children of the parent; `None` for a single value.
    pub(super) fn children(&self) -> Option<&[Value; 2]> {
        self.0.last()?.first_chunk()
    }

    /// The chaining value of the subtree.
    pub(super) fn value(&self, tree: &Tree) -> Value {
        match self.children() {
            Some(children) => tree.parent(children),
            None => self.0[0][0],
        }
    }

    /// Appends the parents above groups of 2^`log` values, in pre-order.
    pub(super) fn append_parents(&self, log: u8, out: &mut Vec<u8>) {
        let levels = self.0.get(usize::from(log)..).unwrap_or_default();
        pre_order(levels, 0, &mut |children| out.extend(children.as_flattened()));
    }
}

/// The values of groups of 2^`log` chunks of at most [`BLOCK_BYTES`] bytes that begin with chunk `first`.
pub(super) fn group_values(tree: &Tree, data: &[u8], first: u64, log: u8) -> Vec<Value> {
    (0..log).fold(chunk_values(tree, data, first), |values, _| above(tree, &values))
}

fn chunk_values(tree: &Tree, data: &[u8], first: u64) -> Vec<Value> {
    let whole = data.len() / CHUNK;
    let mut values = vec![Value::default(); whole];
    let (chunks, last) = data.split_at(whole * CHUNK);
    tree.whole_chunks(chunks, first, &mut values);
    if !last.is_empty() || whole == 0 {
        values.push(tree.chunk(last, first + whole as u64));
    }
    values
}

/// The values one level higher.
fn above(tree: &Tree, values: &[Value]) -> Vec<Value> {
    level_above(values, 2, |pairs, parents| tree.parents(pairs, parents))
}

/// Visits the parents of the subtree with value `index` above `levels`.
fn pre_order(levels: &[Vec<Value>], index: usize, visit: &mut impl FnMut(&[Value; 2])) {
    let Some((level, below)) = levels.split_last() else { return };
    if let Some(children) = level[2 * index..].first_chunk() {
        visit(children);
        pre_order(below, 2 * index, visit);
        pre_order(below, 2 * index + 1, visit);
    } else {
        pre_order(below, 2 * index, visit);
    }
}
