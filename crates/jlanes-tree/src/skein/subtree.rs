//! Whole subtrees as tasks (\[SK\] section 5.5).
//!
//! A task hashes its subtrees one after the other on the lanes of one thread,
//! [`lanes`](jlanes_core::kernel::Kernels::lanes) nodes of a level at a time. It holds at most
//! `(h (2^Yf - 1) + 1) lanes` values for subtrees of height `h`, and the value of each finished subtree. The
//! levels above hold as much as under the sequential scheduler.

use alloc::vec::Vec;

use jlanes_core::wipe::Buffer;

use super::{
    levels::{Footprint, Levels},
    nodes::MIN_TASK_BYTES,
};
use crate::join::Join;

/// Hashes the subtrees of `height` from the next leaf on, as many as `data` holds; then the leaves
/// that do not fill one.
pub(super) fn hash(levels: &mut Levels, data: &[u8], height: u8) {
    let per_subtree = levels.nodes.arity().pow(u32::from(height) - 1);
    let bytes = per_subtree.saturating_mul(levels.nodes.leaf_bytes());
    let whole = usize::try_from(bytes).map_or(0, |bytes| data.len() / bytes * bytes);
    let (subtrees, rest) = data.split_at(whole);
    if !subtrees.is_empty() {
        hash_subtrees(levels, subtrees, height, bytes as usize);
    }
    if rest.is_empty() {
        return;
    }
    let batch = levels.nodes.join.threads(rest.len()) * levels.nodes.kernels().lanes_to_fill();
    for data in rest.chunks(batch.saturating_mul(levels.nodes.leaf_bytes() as usize)) {
        levels.hash_leaves(data);
        levels.cascade(batch);
    }
}

fn hash_subtrees(levels: &mut Levels, data: &[u8], height: u8, bytes: usize) {
    let mut nodes = levels.nodes.clone();
    let join = core::mem::replace(&mut nodes.join, Join::Serial);
    let per_subtree = (bytes as u128) / nodes.leaf_bytes();
    let first = levels.count(1);
    let each = MIN_TASK_BYTES.div_ceil(bytes);
    let mut tasks: Vec<_> =
        data.chunks(each * bytes).map(|data| (data, Buffer::new(), Footprint::default())).collect();
    join.for_each_part(&mut tasks, |number, (data, values, peak)| {
        for (s, data) in data.chunks(bytes).enumerate() {
            let first = first + (number * each + s) as u128 * per_subtree;
            let mut subtree = Levels::subtree(nodes.clone(), first, height);
            let batch = nodes.kernels().lanes_to_fill();
            for data in data.chunks(batch.saturating_mul(nodes.leaf_bytes() as usize)) {
                subtree.hash_leaves(data);
                subtree.cascade(batch);
            }
            subtree.drain(height);
            values.append(&subtree.take(height));
            peak.raise(subtree.peak);
        }
    });
    let most = tasks.iter().map(|(.., peak)| peak.values).max().unwrap_or(0);
    let done = (data.len() / bytes) as u128;
    let at_once = join.threads(data.len()) as u128 * most;
    levels.record_peak((data.len() / levels.nodes.block()) as u128, at_once + done);
    for (_, values, _) in &tasks {
        for value in values.chunks(levels.nodes.block()) {
            levels.push_subtree(height, value);
        }
        levels.cascade(nodes.kernels().lanes_to_fill());
    }
}
