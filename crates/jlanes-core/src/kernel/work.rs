//! The arguments of a fused kernel: blocks of messages, and a second hash of the digests.

#[cfg(doc)]
use crate::compression::Ending;
use crate::{
    compression::{LaneStart, MAX_LANES, Shape},
    simd::runs::Runs,
};

/// A last block around each lane's digest: the second hash of digests of digests and HMAC, the steps
/// of chains, and the rounds of PBKDF2.
#[derive(Clone, Copy, Debug)]
pub struct SecondHash<'a, W> {
    /// The words of the block, with zeros in place of the digest.
    pub block: &'a [W],
    /// The number of words with bytes of the digest.
    pub digest: usize,
    /// The mask of the digest in the last of these words, unless it is the whole word.
    pub kept: Option<W>,
    /// The starts of the hashes of a round, one after the other. There is at least one, and none is
    /// [`LaneStart::Own`].
    pub starts: &'a [LaneStart<'a, W>],
    /// The number of rounds.
    pub rounds: u64,
}

/// Interleaved words for [`AdvanceRuns`].
#[derive(Clone, Copy, Debug)]
pub struct RowBytes<'a> {
    /// The bytes, from the first lane in use on.
    pub data: &'a [u8],
    /// Bytes from one row to the next.
    pub from: usize,
    /// Whether to prefetch later rows.
    pub prefetch: bool,
}

/// The blocks of messages for [`AdvanceRuns`].
#[derive(Debug)]
pub struct RunBlocks<'a, W: 'static> {
    /// The numbers of the compression function.
    pub shape: &'a Shape<W>,
    /// The lanes' runs, for each group of lanes.
    pub runs: &'a Runs<'a>,
    /// The words of one message, in place of runs.
    pub rows: Option<RowBytes<'a>>,
    /// The number of groups, which all start alike. If there are several, their messages have equal
    /// lengths, and digests.
    pub groups: usize,
    /// The byte after each run that ends within the blocks.
    pub pads: &'a [u8],
    /// Blocks.
    pub blocks: usize,
    /// Blocks that are whole in all runs.
    pub direct: usize,
    /// Whether all runs have equal lengths and the same byte after them.
    pub alike: bool,
    /// Two rows with a word for each lane, for messages that end with the last block, and zeros in other
    /// lanes: the words of their lengths, the higher ones first ([`Ending::Length`]), or the addend of a
    /// counter of one word, and the flag ([`Ending::Counter`]).
    pub ends: Option<&'a [[W; MAX_LANES]; 2]>,
    /// The shared last block; may be empty.
    pub last: &'a [W],
    /// The word of the states that grows by the number of lanes from one group to the next, if any.
    pub counter: Option<usize>,
    /// The second hash, if any.
    pub again: Option<SecondHash<'a, W>>,
    /// The destination of the exclusive or of the digests of all its rounds, if any: contiguous rows of
    /// a single group.
    pub sum: Option<&'a mut [W]>,
    /// The destination of digests, and the bytes of each. Without it, states are kept.
    pub digests: Option<(&'a mut [u8], usize)>,
}

impl<'a, W> RunBlocks<'a, W> {
    /// `blocks` whole blocks of equal runs.
    #[must_use]
    pub fn new(shape: &'a Shape<W>, runs: &'a Runs<'a>, blocks: usize) -> Self {
        Self {
            shape,
            runs,
            rows: None,
            groups: 1,
            pads: &[],
            blocks,
            direct: blocks,
            alike: true,
            ends: None,
            last: &[],
            counter: None,
            again: None,
            sum: None,
            digests: None,
        }
    }
}

/// [`Advance`](super::Advance) from the blocks of runs to digests in one function, which loads while it
/// computes. It exists only for kernels that gain by it.
pub type AdvanceRuns<W> =
    fn(from: LaneStart<'_, W>, states: &mut [W], stride: usize, blocks: &mut RunBlocks<'_, W>);
