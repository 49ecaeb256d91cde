//! Whole subtrees as tasks (\[SK\] section 5.5).
//!
//! A task hashes its subtree on the lanes of one thread, [`lanes`](Engine::lanes) nodes of a level
//! at a time. It holds at most `(h (2^Yf - 1) + 1) lanes` values for a subtree of height `h`; the
//! levels above, one value at a time, hold what the sequential scheduler does.

use alloc::vec::Vec;

use jlanes_core::{engine::Engine, skein::Size};

use super::levels::{Held, Levels};
use crate::join::Join;

/// Hashes the subtrees of `height` that begin at the next leaf, as many as `data` hold; then the
/// leaves that are too few for one.
pub(super) fn leaves<T: Size, E: Engine<T>>(levels: &mut Levels<T, E>, data: &[u8], height: u8) {
    let per_subtree = levels.nodes.arity().pow(u32::from(height) - 1);
    let bytes = per_subtree.saturating_mul(levels.nodes.leaf_bytes());
    let whole = usize::try_from(bytes).map_or(0, |bytes| data.len() / bytes * bytes);
    let (subtrees, rest) = data.split_at(whole);
    if !subtrees.is_empty() {
        let nodes = levels.nodes.clone();
        let first = levels.seen(1);
        let mut tasks: Vec<_> = subtrees
            .chunks(bytes as usize)
            .map(|data| (data, Vec::new(), Held::default()))
            .collect();
        nodes.join.each(&mut tasks, |number, (data, value, held)| {
            let mut nodes = nodes.clone();
            nodes.join = Join::Serial;
            let batch = nodes.engine.lanes();
            let step = batch * nodes.leaf_bytes() as usize;
            let first = first + number as u128 * per_subtree;
            let mut subtree = Levels::subtree(nodes, first, height);
            for data in data.chunks(step) {
                subtree.leaves(data);
                subtree.cascade(batch);
            }
            subtree.drain(height);
            *value = subtree.take(height);
            *held = subtree.peak;
        });
        let sum = |of: fn(&Held) -> u128| tasks.iter().map(|(.., held)| of(held)).sum();
        levels.note(sum(|held| held.blocks), sum(|held| held.values));
        for (_, value, _) in &tasks {
            levels.push_subtree(height, value);
            levels.cascade(1);
        }
    }
    if rest.is_empty() {
        return;
    }
    let batch = levels.nodes.busy();
    for data in rest.chunks(batch.saturating_mul(levels.nodes.leaf_bytes() as usize)) {
        levels.leaves(data);
        levels.cascade(batch);
    }
}
