//! Last blocks that depend on nothing but the message's length (\[SMS\] section 5).
//!
//! Where a message ends with a block, or so close to its end that the length field spills over, the
//! last block holds padding alone. Messages of one length share it, so its schedule is computed
//! once, and the lanes only run its rounds.

use super::padding::Padding;
use crate::hash::{
    HashFunction, MAX_BLOCK,
    compression::{Compression, block_words},
};

/// What a shared block of `H` is made into.
pub type SharedOf<H> = <<H as HashFunction>::Compression as Compression>::Shared;

/// The last block of all messages of `total` bytes, if their own bytes end before it.
#[must_use]
pub fn of_length<H: HashFunction>(total: u128) -> Option<SharedOf<H>> {
    let block = H::Compression::BLOCK;
    let tail = (total % block as u128) as usize;
    let alone = tail == 0 || H::PADDING.blocks::<H::Compression>(tail) == 2;
    if H::PADDING != Padding::Length || !alone {
        return None;
    }
    if let Some(known) = known::<H>(total) {
        return Some(known.clone());
    }
    let mut blocks = [0; 2 * MAX_BLOCK];
    let n = H::end(0, &mut H::start(), tail, total, &mut blocks);
    Some(H::Compression::share(&block_words::<H::Compression>(&blocks[(n - 1) * block..])))
}

/// What [`of_length`] gives, if it takes no computing.
#[inline]
#[must_use]
pub fn known<H: HashFunction>(total: u128) -> Option<&'static SharedOf<H>> {
    H::ONE_BLOCK.filter(|_| total == H::Compression::BLOCK as u128)
}
