//! Messages with equal numbers of blocks, which advance together from start to end.

use crate::{
    compression::{
        ContiguousDigests, LaneBuffer, LaneStart, LaneStates, MAX_BLOCK_BYTES, MAX_LANES,
    },
    hash::{
        Descriptor,
        shared_block::{self, SharedBlock},
    },
    jobs::hashing::Hashing,
    kernel::Kernels,
    lanes::{
        messages::{FullHash, LaneWork, MessageEnd, Route},
        rehash::{self, RehashDigests, RehashWork},
    },
    simd::vector::{Array, Word},
    wipe,
};

/// The number of messages from which expanding a shared block that is not [known](shared_block::precomputed) pays:
/// it takes 400 cycles, and saves 30 to 300 per group of lanes.
const MIN_SHARING_MESSAGES: usize = 48;

/// The common values of messages with equal numbers of blocks.
pub(super) struct EqualBlocks<'s, W> {
    /// Blocks, excluding the shared one.
    blocks: usize,
    /// Whether the messages have equal lengths, too.
    equal_lengths: bool,
    /// The last block, if it depends only on the length (\[SMS\] section 5); otherwise empty.
    shared: &'s [W],
}

impl<'s, W: Word> EqualBlocks<'s, W> {
    /// `count` messages of `len` bytes after `before` bytes. A last block that is not known is
    /// written to `computed`.
    pub(super) fn of_length(
        hash: &Descriptor<W>,
        before: u128,
        (len, count): (usize, usize),
        computed: &'s mut Option<SharedBlock<W>>,
    ) -> Self {
        let total = before + len as u128;
        let shared = match shared_block::precomputed(hash, total) {
            Some(known) => known,
            None if count < MIN_SHARING_MESSAGES => &[],
            None => {
                *computed = shared_block::of_length(hash, total);
                computed.as_ref().map_or(&[] as &[W], SharedBlock::words)
            }
        };
        let blocks = hash.blocks(len) - usize::from(!shared.is_empty());
        Self { blocks, equal_lengths: true, shared }
    }

    /// Messages of `blocks` blocks.
    pub(super) fn of_blocks(blocks: usize) -> Self {
        Self { blocks, equal_lengths: false, shared: &[] }
    }

    /// All blocks of the messages, with the padding.
    pub(super) fn lane_work<'a>(
        &'a self,
        hash: &Descriptor<W>,
        before: u128,
        messages: &'a [&'a [u8]],
    ) -> LaneWork<'a, W> {
        // Messages that share a block have equal lengths. The block is all of their padding, or its
        // second block.
        let bytes = self.blocks * hash.shape.block_bytes;
        let is_whole = |message: &&[u8]| message.len() == bytes;
        let whole = !self.shared.is_empty() && messages.first().is_some_and(is_whole);
        let end = MessageEnd { padding: hash.padding, before, all_end: self.shared.is_empty() };
        LaneWork {
            end: (!whole).then_some(end),
            equal_lengths: self.equal_lengths,
            shared: self.shared,
            ..LaneWork::new(messages, self.blocks)
        }
    }
}

impl<W: Word> Hashing<'_, W> {
    /// Hashes messages with equal numbers of blocks.
    pub(super) fn digest_group(
        &self,
        messages: &[&[u8]],
        equal: &EqualBlocks<'_, W>,
        out: &mut [u8],
    ) {
        let Self { kernels, hash, .. } = self;
        let (start, size) = (self.start(), self.digest_bytes);
        if !hash.has_output_transform {
            let digests = ContiguousDigests { bytes: out, size };
            let full = FullHash { start, numbers: None, outer: self.outer, digests };
            let route = Route::StartToDigests(full);
            return equal.lane_work(hash, self.before, messages).run(route, kernels);
        }
        let lanes = hash.shape.max_lanes;
        let mut states = LaneBuffer::new(&hash.shape);
        for (messages, out) in messages.chunks(lanes).zip(out.chunks_mut(lanes * size)) {
            let route = Route::StartToStates { start, states: states.states() };
            equal.lane_work(hash, self.before, messages).run(route, kernels);
            self.finish(&mut states, out);
        }
        states.wipe();
    }

    /// From the states after the padding to the digests.
    pub(super) fn finish(&self, states: &mut LaneBuffer<W>, out: &mut [u8]) {
        let Self { kernels, hash, .. } = self;
        let live = out.len() / self.digest_bytes;
        if hash.has_output_transform {
            transform(hash, states.states(), live, kernels);
        }
        if let Some(outer) = self.outer {
            let bytes = ContiguousDigests { bytes: out, size: self.digest_bytes };
            return kernels.rehash(RehashWork {
                digests: RehashDigests::StatesToBytes(states.states(), bytes),
                block: &outer.block,
                starts: &[LaneStart::Same(outer.start())],
                rounds: 1,
                xor_sum: None,
                live,
            });
        }
        for (l, out) in out.chunks_exact_mut(self.digest_bytes).enumerate() {
            rehash::get_digest(hash, &states.states(), l, out);
        }
    }
}

/// The output transform in the first `live` lanes.
pub(crate) fn transform<W: Word>(
    hash: &Descriptor<W>,
    mut states: LaneStates<'_, W>,
    live: usize,
    kernels: &Kernels<W>,
) {
    let mut state = W::State::splat(W::default());
    let state = &mut state.as_mut()[..hash.shape.state_words];
    let mut more = false;
    for l in 0..live {
        states.get_into(l, state);
        more = (hash.transform)(state);
        states.set(l, state);
    }
    wipe::words(state);
    if more {
        let zeros = [&[0_u8; MAX_BLOCK_BYTES][..]; MAX_LANES];
        LaneWork::new(&zeros[..live], 1).run(Route::StatesToStates(states), kernels);
    }
}
