//! [`FusedWork`], the description of one call of a fused kernel: from the blocks of messages to states or to
//! digests, which may be hashed again.

#[cfg(doc)]
use crate::compression::{Compression, Ending};
use crate::{
    compression::{ContiguousDigests, LaneStart, MAX_LANES, Shape},
    simd::runs::Runs,
};

/// Work for [`AdvanceFusedFn`] on some lanes.
///
/// ```text
/// for each lane:  state = start
///                 advance by the blocks of `input`; if the message ends, the last one gets its length
///                 advance by the shared block, if there is one
///                 hash the digest again, if there is a `rehash`
///                 write the digest, or keep the state
/// ```
#[derive(Debug)]
pub struct FusedWork<'a, W: 'static> {
    /// The numbers of the compression function.
    pub shape: &'a Shape<W>,
    /// The number of groups of lanes, which all start alike. If there are several, their messages have
    /// equal lengths, and digests.
    pub groups: usize,
    /// The number of the first message, if they are numbered by [`Compression::NUMBER`].
    pub first_number: Option<u64>,
    /// The blocks of the messages.
    pub input: BlockInput<'a>,
    /// The blocks after which messages end.
    pub ending: FusedEnding<'a, W>,
    /// The rounds of hashing the digests again, if any.
    pub rehash: Option<RehashRounds<'a, W>>,
    /// The destinations of results.
    pub output: FusedOutput<'a, W>,
}

/// The blocks of the messages in lanes.
#[derive(Clone, Copy, Debug)]
pub struct BlockInput<'a> {
    /// The lanes' runs, for each group of lanes.
    pub runs: &'a Runs<'a>,
    /// The words of one message, in place of runs.
    pub rows: Option<InterleavedRows<'a>>,
    /// The byte after each run that ends within the blocks.
    pub pads: &'a [u8],
    /// The number of blocks of each lane.
    pub blocks: usize,
    /// The number of blocks that are whole in all runs.
    pub whole_blocks: usize,
    /// Whether all runs have equal lengths and the same byte after them.
    pub alike: bool,
}

/// Interleaved words for [`AdvanceFusedFn`].
#[derive(Clone, Copy, Debug)]
pub struct InterleavedRows<'a> {
    /// The bytes, from the first lane in use on.
    pub data: &'a [u8],
    /// Bytes from one row to the next.
    pub row_stride: usize,
    /// Whether to prefetch later rows.
    pub prefetch: bool,
}

/// The ends of the messages in lanes.
#[derive(Clone, Copy, Debug)]
pub struct FusedEnding<'a, W> {
    /// Two rows with a word for each lane, for messages that end with the last block, and zeros in other
    /// lanes: the words of their lengths, the higher ones first ([`Ending::Length`]), or the addend of a
    /// counter of one word, and the flag ([`Ending::Counter`]).
    pub lengths: Option<&'a [[W; MAX_LANES]; 2]>,
    /// The shared last block; may be empty.
    pub shared: &'a [W],
}

/// A last block around each lane's digest: the outer hash of double digests and HMAC, the steps
/// of chains, and the rounds of PBKDF2.
#[derive(Clone, Copy, Debug)]
pub struct RehashRounds<'a, W> {
    /// The words of the block, with zeros in place of the digest.
    pub block: &'a [W],
    /// The number of words with bytes of the digest.
    pub digest_words: usize,
    /// The mask of the digest in the last of these words, unless it is the whole word.
    pub last_mask: Option<W>,
    /// The starts of the hashes of a round, one after the other. There is at least one, and none is
    /// [`LaneStart::Own`].
    pub starts: &'a [LaneStart<'a, W>],
    /// The number of rounds.
    pub rounds: u64,
}

/// The destinations of results, besides the states.
#[derive(Debug)]
pub struct FusedOutput<'a, W> {
    /// The destination of digests. Without it, states are kept.
    pub digests: Option<ContiguousDigests<'a>>,
    /// The destination of the exclusive or of the digests of all rounds of `rehash`, if any:
    /// contiguous rows of a single group.
    pub xor_sum: Option<&'a mut [W]>,
}

impl<'a, W> FusedWork<'a, W> {
    /// The blocks of `input` in one group of lanes, which keep their states.
    #[must_use]
    pub fn new(shape: &'a Shape<W>, input: BlockInput<'a>) -> Self {
        Self {
            shape,
            groups: 1,
            first_number: None,
            input,
            ending: FusedEnding { lengths: None, shared: &[] },
            rehash: None,
            output: FusedOutput { digests: None, xor_sum: None },
        }
    }
}

impl<'a> BlockInput<'a> {
    /// `blocks` whole blocks of equal runs.
    #[must_use]
    pub fn whole(runs: &'a Runs<'a>, blocks: usize) -> Self {
        Self { runs, rows: None, pads: &[], blocks, whole_blocks: blocks, alike: true }
    }
}

/// [`AdvanceFn`](super::AdvanceFn) from the blocks of runs to digests in one function, which loads while it
/// computes. It exists only for kernels that gain by it.
pub type AdvanceFusedFn<W> =
    fn(from: LaneStart<'_, W>, states: &mut [W], stride: usize, work: &mut FusedWork<'_, W>);
