//! Messages of one number of blocks, which advance from their start to their end together.

use crate::{
    engine::messages::Messages,
    hash::{
        HashFunction, WordOf,
        compression::{Compression, LaneStates},
        shared_block::{self, SharedOf},
    },
};

/// Messages from which on it pays to expand a block that they share and that is not
/// [known](shared_block::known): that takes 400 cycles, and saves 30 to 300 for as many messages as there
/// are lanes (EPYC, Zen 5 and Zen 4, 2026-11-22).
const MANY: usize = 48;

/// What messages of one number of blocks have in common.
pub(super) struct Same<H: HashFunction> {
    /// Blocks without the shared one.
    pub(super) blocks: usize,
    /// The last block, where it depends on the length alone (\[SMS\] section 5).
    pub(super) last: Option<SharedOf<H>>,
}

impl<H: HashFunction> Same<H> {
    /// `count` messages of `len` bytes behind `before` bytes.
    pub(super) fn new(before: u128, len: usize, count: usize) -> Self {
        let blocks = H::PADDING.blocks::<H::Compression>(len);
        let total = before + len as u128;
        let pays = count >= MANY || shared_block::known::<H>(total).is_some();
        let last = if pays { shared_block::of_length::<H>(total) } else { None };
        match last {
            Some(last) => Self { blocks: blocks - 1, last: Some(last) },
            None => Self { blocks, last: None },
        }
    }

    /// The messages from the lanes' states to the states after the padding.
    pub(super) fn to_the_end<'a>(
        &'a self,
        before: u128,
        states: LaneStates<'a, WordOf<H>>,
        messages: &'a [&'a [u8]],
    ) -> Messages<'a, H::Compression> {
        // Messages that share a block are of one length. It may be all of their padding, or the second
        // block of it.
        let bytes = self.blocks * H::Compression::BLOCK;
        let is_whole = |message: &&[u8]| message.len() == bytes;
        let whole = self.last.is_some() && messages.first().is_some_and(is_whole);
        Messages {
            blocks: self.blocks,
            end: (!whole).then_some((H::PADDING, before)),
            last: self.last.as_ref(),
            ..Messages::advance(states, messages)
        }
    }
}
