//! [`Messages`], the description of work on messages in lanes.

use crate::{
    compression::{Contiguous, LaneRange, LaneStates, Shape, padding::Padding},
    lanes::rehash::block::DigestBlock,
    simd::vector::Word,
};

/// Work on messages, one per lane, which all advance by the same number of blocks.
///
/// ```text
/// for each lane:  state = start, or the state of the lane
///                 absorb `blocks` blocks from block `skip` of the message on;
///                 if the message ends, the last of them are padded
///                 absorb `last`, if there is one
///                 write the digest, or keep the state
/// ```
#[derive(Debug)]
pub struct Messages<'a, W: Word> {
    /// The messages.
    pub messages: &'a [&'a [u8]],
    /// Blocks of each message that are already done; missing entries are 0.
    pub skip: &'a [usize],
    /// Blocks to do.
    pub blocks: usize,
    /// The padding, and the number of bytes before the messages. `None` if the messages contain all
    /// the blocks.
    pub end: Option<(Padding, u128)>,
    /// Whether these blocks are known to be the last ones of every message.
    pub all_end: bool,
    /// Whether the messages are known to have equal lengths. Only without `skip`.
    pub equal: bool,
    /// The shared last block; may be empty.
    pub last: &'a [W],
    /// The start of all lanes; if `None`, each lane starts at its state.
    pub start: Option<&'a [W]>,
    /// A counter of 64 bits in the start: its first word, of two, and the value for the first message.
    /// The next message has the next value. Only with a start and digests.
    pub numbers: Option<(usize, u64)>,
    /// The lanes' states. With a start and digests they may be fewer than the messages.
    pub states: LaneStates<'a, W>,
    /// A second hash of the digests, for messages with a start and digests: the block around a
    /// digest, and the start of the hash ([`DigestBlock::finish_start`]).
    pub again: Option<(&'a DigestBlock<W>, &'a [W])>,
    /// The destination of digests.
    pub digests: Option<Contiguous<'a>>,
}

/// Short messages that are copied and padded together for kernels of streams: a multiple of the
/// streams of most kernels.
pub(in crate::lanes) const PADDED_TOGETHER: usize = 12;

impl<'a, W: Word> Messages<'a, W> {
    /// Work without blocks, from the lanes' states to the lanes' states.
    #[must_use]
    pub fn advance(states: LaneStates<'a, W>, messages: &'a [&'a [u8]]) -> Self {
        Self {
            messages,
            skip: &[],
            blocks: 0,
            end: None,
            all_end: false,
            equal: false,
            last: &[],
            start: None,
            numbers: None,
            states,
            again: None,
            digests: None,
        }
    }

    /// Whether the work is only whole blocks of the messages, from one start to digests.
    pub(super) fn is_whole(&self) -> bool {
        self.again.is_none() && self.end.is_none() && self.is_direct()
    }

    /// Whether all messages go from one start to digests.
    pub(super) fn is_direct(&self) -> bool {
        self.start.is_some()
            && self.digests.is_some()
            && self.numbers.is_none()
            && self.skip.is_empty()
    }

    /// Groups of `width` messages from the first of `lanes` on, all of one length and with the same upper
    /// word of their numbers. It looks no further than one group past the last of them, so that a batch
    /// is not read once for every group.
    pub(super) fn alike_groups(&self, lanes: LaneRange, width: usize) -> usize {
        let LaneRange { first, end } = lanes;
        if self.equal && self.numbers.is_none() {
            return (end - first) / width;
        }
        let Some(len) = self.messages[first..end].first().map(|message| message.len()) else {
            return 0;
        };
        let upper =
            |at: usize| self.numbers.map(|(_, number)| number_words::<W>(number + at as u64)[1]);
        if !self.skip.is_empty() {
            return 0;
        }
        let groups = self.messages[first..end].chunks_exact(width).enumerate();
        groups
            .take_while(|(i, group)| {
                group.iter().all(|message| message.len() == len)
                    && upper(first + i * width + width) == upper(first)
            })
            .count()
    }

    /// The rest of lane `lane`'s message, and the byte after it.
    #[inline(always)]
    pub(super) fn rest(&self, shape: &Shape<W>, lane: usize) -> (&'a [u8], u8) {
        let pad = self.end.map_or(0, |(padding, _)| padding.byte());
        let message = self.messages[lane];
        match self.skip.get(lane) {
            None | Some(0) => (message, pad),
            // a message that has ended has also passed its padding byte
            Some(skip) => message.get(skip * shape.block..).map_or((&[], 0), |rest| (rest, pad)),
        }
    }

    /// The bytes of lane `lane`'s message in its last block, and in total, if the message ends with these
    /// blocks.
    #[inline(always)]
    pub(super) fn end_lengths(&self, shape: &Shape<W>, lane: usize) -> Option<(usize, u128)> {
        let (padding, before) = self.end?;
        let len = self.messages[lane].len();
        if self.all_end {
            let tail = len.saturating_sub((self.blocks - 1) * shape.block);
            return Some((tail, before + len as u128));
        }
        let blocks = padding.blocks(shape.block, W::BYTES, len);
        let skip = self.skip.get(lane).copied().unwrap_or(0);
        (skip + self.blocks >= blocks)
            .then(|| (len.saturating_sub((blocks - 1) * shape.block), before + len as u128))
    }
}

/// A number in two words, the lower one first.
pub(super) fn number_words<W: Word>(number: u64) -> [W; 2] {
    let number = u128::from(number);
    [W::truncate(number), W::truncate(number >> (8 * W::BYTES))]
}
