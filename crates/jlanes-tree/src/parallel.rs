//! One message on all cores: lanes are serial chains, so cores divide the lanes among them.

use alloc::{vec, vec::Vec};

use digest::{FixedOutput, Output};
use jlanes_core::{function::batch_work::BatchWork, jobs::CompiledWord};

use crate::{
    interleave::{self, AllLanes, LaneGroup},
    join::{Join, MIN_SPLIT_BYTES},
};

/// A hasher that can absorb a large piece of its message with all threads of rayon's pool.
pub trait ParUpdate {
    /// [`Update::update`](digest::Update::update) with the same result. Pieces of less than 128 KiB
    /// stay on the calling thread.
    fn par_update(&mut self, data: &[u8]);
}

/// Fills a part of a message, from an offset on.
pub type ReadPart<'r> = dyn Fn(&mut [u8], usize) + Sync + 'r;

/// A hasher with threads that read what they hash, so that it comes from their core's cache.
pub trait ParRead {
    /// [`ParUpdate::par_update`] with `len` bytes, of which `read` fills any part. Parts are read once,
    /// in any order and at the same time.
    fn par_read(&mut self, len: usize, read: &ReadPart<'_>);
}

/// The digest of `data`, with all threads of rayon's pool; equal to `T::digest(data)`.
///
/// It waits for ever in a process that is forked after the pool has started: the threads are missing there.
pub fn par_digest<T: ParUpdate + FixedOutput + Default>(data: &[u8]) -> Output<T> {
    let mut hasher = T::default();
    hasher.par_update(data);
    hasher.finalize_fixed()
}

/// [`interleave::advance`], with all threads if that gains time.
pub(crate) fn advance<W: CompiledWord>(all: &mut AllLanes<'_, W>, data: &[u8]) {
    if data.len() < MIN_SPLIT_BYTES {
        return interleave::advance(all, data);
    }
    let block = all.kernels.shape.block_bytes;
    let work = BatchWork::of_equal(all.lanes, (data.len() / (all.lanes * block)) as u64);
    let parts = work.parts(&all.kernels, Join::Rayon.threads(work.shared_bytes(block)));
    advance_in(parts, all, data);
}

/// Advances all lanes by the super-blocks in `data`, in `parts` tasks.
fn advance_in<W: CompiledWord>(parts: usize, all: &mut AllLanes<'_, W>, data: &[u8]) {
    let (kernels, lanes) = (all.kernels, all.lanes);
    let width = lanes.div_ceil(parts).min(kernels.shape.max_lanes);
    let words = all.states.len() / lanes;
    let mut results = vec![W::default(); all.states.len()];
    let mut tasks: Vec<_> = results.chunks_mut(words * width).collect();
    Join::Rayon.for_each_part(&mut tasks, |g, result| {
        let mut group = LaneGroup::load(all, g * width, width);
        group.advance(data, lanes);
        let live = group.live;
        group.store(result, live, 0);
    });
    for (g, states) in tasks.into_iter().enumerate() {
        let live = states.len() / words;
        let part = AllLanes { kernels, states, lanes: live };
        LaneGroup::load(&part, 0, live).store(all.states, lanes, g * width);
    }
}
