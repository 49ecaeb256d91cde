//! Last blocks that depend on nothing but the message's length (\[SMS\] section 5; SPEC 1.2).
//!
//! Where a message ends with a block, or so close to its end that the length field spills over, the
//! last block holds padding alone. Messages of one length share it, so its schedule is computed
//! once, and the lanes only run its rounds.

use crate::hash::{
    HashFunction, MAX_BLOCK, WordOf,
    compression::{Compression, block_words},
};

/// The longest [expansion](Compression::expand) of any block, in words.
const MAX_SCHEDULE: usize = 80;

/// The last block of every message of one length, expanded.
#[derive(Clone, Debug)]
pub struct ConstantBlock<H: HashFunction> {
    /// In the first `SCHEDULE` words.
    schedule: [WordOf<H>; MAX_SCHEDULE],
}

impl<H: HashFunction> ConstantBlock<H> {
    /// The last block of messages of `total` bytes, if their own bytes end before it.
    #[must_use]
    pub fn of_length(total: u128) -> Option<Self> {
        const { assert!(<H::Compression as Compression>::SCHEDULE <= MAX_SCHEDULE) };
        let block = H::Compression::BLOCK;
        let tail = (total % block as u128) as usize;
        let mut blocks = [0; 2 * MAX_BLOCK];
        let n = H::end(0, &mut H::start(), tail, total, &mut blocks);
        if H::HOLD_BACK > 0 || (n == 1 && tail > 0) {
            return None;
        }
        let mut schedule = [WordOf::<H>::default(); MAX_SCHEDULE];
        let last = block_words::<H::Compression>(&blocks[(n - 1) * block..]);
        H::Compression::expand(&last, &mut schedule);
        Some(Self { schedule })
    }

    /// The block as [`Engine::advance`](crate::engine::Engine::advance) takes a shared last block.
    #[inline]
    #[must_use]
    pub fn schedule(&self) -> &[WordOf<H>] {
        &self.schedule[..H::Compression::SCHEDULE]
    }
}
