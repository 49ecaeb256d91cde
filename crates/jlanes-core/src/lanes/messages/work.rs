//! [`LaneWork`], the description of the blocks by which lanes advance.

use crate::{
    compression::{Shape, padding::Padding},
    simd::vector::Word,
};

/// Blocks of messages, one message per lane. All lanes advance by the same number of
/// blocks, on a [`Route`](super::Route).
///
/// ```text
/// for each lane:  advance by `blocks` blocks from block `blocks_done` of the message on;
///                 if the message ends, the last of them are padded
///                 advance by `shared`, if there is one
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LaneWork<'a, W: Word> {
    /// The messages, one per lane.
    pub messages: &'a [&'a [u8]],
    /// The number of blocks of each message that are absorbed already; missing entries are 0.
    pub blocks_done: &'a [usize],
    /// The number of blocks to absorb.
    pub blocks: usize,
    /// The end of messages. `None` if they contain all the blocks.
    pub end: Option<MessageEnd>,
    /// Whether the messages, without the blocks that are done, are known to have equal lengths.
    pub equal_lengths: bool,
    /// The shared last block; may be empty.
    pub shared: &'a [W],
}

/// The end of messages that end within the blocks.
#[derive(Clone, Copy, Debug)]
pub struct MessageEnd {
    /// The padding.
    pub padding: Padding,
    /// The number of bytes before the messages.
    pub before: u128,
    /// Whether these blocks are known to be the last ones of every message.
    pub all_end: bool,
}

/// Short messages that are copied and padded together for kernels of streams: a multiple of the
/// streams of most kernels.
pub(in crate::lanes) const PADDED_PER_CALL: usize = 12;

impl<'a, W: Word> LaneWork<'a, W> {
    /// The first `blocks` blocks of messages that are not shorter.
    #[must_use]
    pub fn new(messages: &'a [&'a [u8]], blocks: usize) -> Self {
        Self { messages, blocks_done: &[], blocks, end: None, equal_lengths: false, shared: &[] }
    }

    /// The rest of lane `lane`'s message, and the byte after it.
    #[inline(always)]
    pub(super) fn rest(&self, shape: &Shape<W>, lane: usize) -> (&'a [u8], u8) {
        let message = self.messages[lane];
        match self.blocks_done.get(lane) {
            None | Some(0) => (message, self.pad()),
            // a message that has ended has also passed its padding byte
            Some(skip) => {
                message.get(skip * shape.block_bytes..).map_or((&[], 0), |rest| (rest, self.pad()))
            }
        }
    }

    /// The byte after a message that ends.
    #[inline(always)]
    pub(super) fn pad(&self) -> u8 {
        self.end.map_or(0, |end| end.padding.byte())
    }

    /// The bytes of lane `lane`'s message in its last block, and in total, if the message ends with these
    /// blocks.
    #[inline(always)]
    pub(super) fn end_lengths(&self, shape: &Shape<W>, lane: usize) -> Option<(usize, u128)> {
        let MessageEnd { padding, before, all_end } = self.end?;
        let len = self.messages[lane].len();
        let done = self.blocks_done.get(lane).copied().unwrap_or(0) + self.blocks;
        let blocks = if all_end { done } else { padding.blocks(shape.block_bytes, W::BYTES, len) };
        (done >= blocks)
            .then(|| (len.saturating_sub((blocks - 1) * shape.block_bytes), before + len as u128))
    }
}
