//! Extendable outputs of many messages at once: absorbed on lanes, and squeezed on lanes.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
use super::outputs::Outputs;
use super::{
    Extendable, STATE_WORDS,
    sponge_lanes::{MAX_LANES, SpongeLanes, ZEROS},
};
#[cfg(feature = "alloc")]
use crate::memory::try_collect;
use crate::{
    compression::LaneBuffer,
    hash::Descriptor,
    kernel::{HasKernels, Kernels},
    lanes::{
        messages::{LaneWork, MessageEnd, Route},
        outputs::Slices,
    },
    longest::longest_first,
};

/// Fills every one of `outs` with the output of `message(i)`.
pub fn fill<'a, H: Extendable, B: HasKernels<H::Compression>>(
    backend: B,
    message: impl Fn(usize) -> &'a [u8],
    outs: &mut [&mut [u8]],
) {
    XofBatch { kernels: backend.kernels(), hash: H::DESCRIPTOR, message: &message }.fill(outs);
}

/// Absorbs `count` messages, and makes `outputs` theirs.
#[cfg(feature = "alloc")]
pub fn absorb<'a, H: Extendable, B: HasKernels<H::Compression>>(
    backend: B,
    message: impl Fn(usize) -> &'a [u8],
    count: usize,
    outputs: &mut Outputs,
) {
    let batch = XofBatch { kernels: backend.kernels(), hash: H::DESCRIPTOR, message: &message };
    if (1..count).all(|i| batch.blocks(i) == batch.blocks(0)) {
        let group = |first| {
            let indices: [usize; MAX_LANES] = core::array::from_fn(|l| first + l);
            batch.absorb(&indices[..MAX_LANES.min(count - first)])
        };
        return outputs.set(count, (0..count).step_by(MAX_LANES).map(group), Vec::new());
    }
    // messages that run together end together
    let mut order: Vec<usize> = (0..count).collect();
    let blocks: Vec<u64> = order.iter().map(|i| batch.blocks(*i) as u64).collect();
    longest_first(&mut order, &blocks);
    let groups: Vec<SpongeLanes> =
        order.chunks(MAX_LANES).map(|indices| batch.absorb(indices)).collect();
    outputs.set(count, groups.into_iter(), order);
}

/// Messages, and the hash function and kernels that absorb them.
struct XofBatch<'m, 'a> {
    kernels: Kernels<u64>,
    hash: &'static Descriptor<u64>,
    message: &'m dyn Fn(usize) -> &'a [u8],
}

impl XofBatch<'_, '_> {
    fn fill(&self, outs: &mut [&mut [u8]]) {
        let indices = 0..outs.len();
        #[cfg(feature = "alloc")]
        if outs.len() > MAX_LANES
            && let Some(order) = self.order(outs)
        {
            for group in order.chunks(MAX_LANES) {
                self.fill_group(group, outs);
            }
            return;
        }
        let mut group = [0; MAX_LANES];
        for first in indices.clone().step_by(MAX_LANES) {
            let count = (indices.end - first).min(MAX_LANES);
            for (number, i) in group.iter_mut().zip(first..) {
                *number = i;
            }
            self.fill_group(&group[..count], outs);
        }
    }

    /// The order of messages by number of blocks and length of output, so that those side by side end
    /// together; `None` without memory to sort them.
    #[cfg(feature = "alloc")]
    fn order(&self, outs: &[&mut [u8]]) -> Option<Vec<usize>> {
        let size = |(i, out): (usize, &&mut [u8])| {
            (self.blocks(i) as u64) << 32 | u64::from(u32::try_from(out.len()).unwrap_or(u32::MAX))
        };
        let sizes = try_collect(outs.iter().enumerate().map(size))?;
        let mut order = try_collect(0..outs.len())?;
        longest_first(&mut order, &sizes);
        Some(order)
    }

    /// Blocks of message `i` with its padding.
    fn blocks(&self, i: usize) -> usize {
        self.hash.blocks((self.message)(i).len())
    }

    /// Fills the outputs of the messages `indices`, at most as many as there are lanes.
    fn fill_group(&self, indices: &[usize], outs: &mut [&mut [u8]]) {
        // the longest first: a message must not end before one in a later lane
        let mut sizes = [0; MAX_LANES];
        for (size, i) in sizes.iter_mut().zip(indices) {
            *size = self.blocks(*i) as u64;
        }
        let mut places: [usize; MAX_LANES] = core::array::from_fn(|l| l);
        longest_first(&mut places[..indices.len()], &sizes);
        let own = &places.map(|l| indices.get(l).copied().unwrap_or(0))[..indices.len()];
        let mut group = self.absorb(own);
        group.squeeze(&self.kernels, own, false, &mut Slices(outs));
        group.wipe();
    }

    /// The sponge states after the messages; the longest message comes first.
    fn absorb(&self, indices: &[usize]) -> SpongeLanes {
        let mut messages = [&[] as &[u8]; MAX_LANES];
        for (message, i) in messages.iter_mut().zip(indices) {
            *message = (self.message)(*i);
        }
        let mut states = LaneBuffer::new(self.kernels.shape);
        let mut ended = [[0; STATE_WORDS]; MAX_LANES];
        let (mut done, mut live) = (0, indices.len());
        let end = Some(MessageEnd { padding: self.hash.padding, before: 0, all_end: false });
        while live > 0 {
            let until = self.hash.blocks(messages[live - 1].len());
            let skip = [done; MAX_LANES];
            let (skip, route) = match done {
                0 => (&[][..], Route::StartToStates { start: &ZEROS, states: states.states() }),
                _ => (&skip[..live], Route::StatesToStates(states.states())),
            };
            // a message that has changed since it was sorted may be out of order
            let blocks = until.saturating_sub(done).max(1);
            let work =
                LaneWork { blocks_done: skip, end, ..LaneWork::new(&messages[..live], blocks) };
            self.kernels.advance_messages(work, route);
            let before = live;
            while live > 0 && self.hash.blocks(messages[live - 1].len()) == until {
                live -= 1;
            }
            if live == 0 && before == indices.len() {
                return SpongeLanes::new(states);
            }
            // lanes that are not live may be overwritten
            for l in live..before {
                states.get_into(l, &mut ended[l]);
            }
            done = until;
        }
        for (l, ended) in ended.iter_mut().enumerate() {
            states.states().set(l, ended);
            crate::wipe::words(ended);
        }
        SpongeLanes::new(states)
    }
}
