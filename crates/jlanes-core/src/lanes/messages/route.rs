//! [`Route`]: where lanes start, and what they end in. Each route has exactly the values that it needs: states
//! where lanes start or end in them, and an outer hash where they go from one start to digests.

use super::LaneWork;
use crate::{
    compression::{ContiguousDigests, LaneRange, LaneStates},
    lanes::rehash::block::OuterHash,
    simd::vector::Word,
};

/// Where lanes start, and what they end in after the blocks of a [`LaneWork`].
#[derive(Debug)]
pub enum Route<'a, W: Word> {
    /// From each lane's state to its next state.
    StatesToStates(LaneStates<'a, W>),
    /// From each lane's state, which may be overwritten, to its digest.
    StatesToDigests {
        /// The states.
        states: LaneStates<'a, W>,
        /// The destination of digests.
        digests: ContiguousDigests<'a>,
    },
    /// From one start to each lane's state.
    StartToStates {
        /// The start of all lanes.
        start: &'a [W],
        /// The destination of states.
        states: LaneStates<'a, W>,
    },
    /// From one start to digests.
    StartToDigests(FullHash<'a, W>),
}

/// Hashes from one start to digests. Their states need no memory: there may be more messages than lanes.
#[derive(Debug)]
pub struct FullHash<'a, W: Word> {
    /// The start of all lanes.
    pub start: &'a [W],
    /// A number in the start that rises from message to message, if any.
    pub numbers: Option<Numbering>,
    /// The outer hash of the digests, if any.
    pub outer: Option<&'a OuterHash<W>>,
    /// The destination of digests.
    pub digests: ContiguousDigests<'a>,
}

/// Consecutive numbers of 64 bits in the starts of messages.
#[derive(Clone, Copy, Debug)]
pub struct Numbering {
    /// The lower of the two words of a state that hold the number.
    pub word: usize,
    /// The number of the first message.
    pub first: u64,
}

impl<'a, W: Word> Route<'a, W> {
    /// From `start` to digests, without numbers and without an outer hash.
    #[must_use]
    pub fn start_to_digests(start: &'a [W], digests: ContiguousDigests<'a>) -> Self {
        Self::StartToDigests(FullHash { start, numbers: None, outer: None, digests })
    }

    /// Whether lanes end in digests.
    pub(super) fn ends_in_digests(&self) -> bool {
        match self {
            Self::StatesToStates(_) | Self::StartToStates { .. } => false,
            Self::StatesToDigests { .. } | Self::StartToDigests(_) => true,
        }
    }

    /// Whether only whole blocks are hashed, once, from the same start to digests.
    pub(super) fn is_one_pass(&self, work: &LaneWork<'_, W>) -> bool {
        match self {
            Self::StartToDigests(FullHash { numbers: None, outer: None, .. }) => {
                work.end.is_none() && work.blocks_done.is_empty()
            }
            Self::StartToDigests(_)
            | Self::StatesToStates(_)
            | Self::StatesToDigests { .. }
            | Self::StartToStates { .. } => false,
        }
    }
}

impl<W: Word> FullHash<'_, W> {
    /// The groups of `width` messages from the first of `lanes` on that a fused kernel takes in one call: all
    /// of one length. It looks no further than one group past the last of them, so that a batch is not read once
    /// for every group.
    pub(super) fn groups_of_equal_length(
        &self,
        work: &LaneWork<'_, W>,
        lanes: LaneRange,
        width: usize,
    ) -> usize {
        let LaneRange { first, end } = lanes;
        if !work.blocks_done.is_empty() {
            return 0;
        }
        if work.equal_lengths {
            return (end - first) / width;
        }
        let Some(len) = work.messages[first..end].first().map(|message| message.len()) else {
            return 0;
        };
        let groups = work.messages[first..end].chunks_exact(width);
        groups.take_while(|group| group.iter().all(|message| message.len() == len)).count()
    }
}

impl Numbering {
    /// The number of the message in a lane, in two words, the lower one first.
    pub(super) fn words<W: Word>(self, lane: usize) -> [W; 2] {
        let number = u128::from(self.first + lane as u64);
        [W::truncate(number), W::truncate(number >> (8 * W::BYTES))]
    }
}
