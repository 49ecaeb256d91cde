//! The end of a message: the padding of its last blocks, and their number.

use super::shape::{Ending, Shape};
use crate::simd::{
    copy::copy,
    vector::{ByteOrder, Word},
};

/// The padding of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Padding {
    /// A byte 0x80, zeros, and the length in two words (Merkle-Damgård; FIPS 180-4, section 5.1).
    Length,
    /// Zeros, and none if the message fills its last block. The state marks the last block, so even
    /// a whole block must not be compressed before the end is known.
    Zeros,
    /// This byte, zeros, and the last bit of the block (a sponge's `pad10*1`; FIPS 202, section
    /// 5.1). The byte contains the function's domain separation bits and the first bit of the
    /// padding.
    Sponge(u8),
}

impl Padding {
    /// The padding of functions with this ending.
    ///
    /// # Panics
    /// For a sponge: its functions name their byte.
    #[must_use]
    pub const fn of(ending: Ending) -> Self {
        match ending {
            Ending::Length => Self::Length,
            Ending::Counter { .. } => Self::Zeros,
            Ending::LastBit => panic!("a function of a sponge has a PADDING of its own"),
        }
    }

    /// The byte after the message.
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Self::Length => 0x80,
            Self::Zeros => 0,
            Self::Sponge(byte) => byte,
        }
    }

    /// Bytes that must follow a whole block before it may be compressed: 1 if a last block is compressed
    /// differently even when it is whole, otherwise 0.
    #[must_use]
    pub const fn held_back(self) -> usize {
        match self {
            Self::Length | Self::Sponge(_) => 0,
            Self::Zeros => 1,
        }
    }

    /// Compressions of a message of `len` bytes (\[SMS\] and \[SH\], equation 1), in blocks of
    /// `block` bytes with words of `word` bytes.
    #[must_use]
    pub const fn blocks(self, block: usize, word: usize, len: usize) -> usize {
        let (whole, tail) = div_rem(len, block);
        match self {
            // the length field is two words
            Self::Length => whole + 1 + (tail + 2 * word >= block) as usize,
            Self::Zeros if whole > 0 && tail == 0 => whole,
            Self::Zeros | Self::Sponge(_) => whole + 1,
        }
    }

    /// Blocks of `block` bytes that may be compressed before it is known whether more than `len` bytes follow.
    #[inline(always)]
    #[must_use]
    pub const fn whole_blocks(self, block: usize, len: usize) -> usize {
        div_rem(len.saturating_sub(self.held_back()), block).0
    }
}

/// `len / block` and `len % block`. Blocks are powers of two, except for sponges, and a division
/// takes as long as ten other instructions.
#[inline(always)]
#[must_use]
pub const fn div_rem(len: usize, block: usize) -> (usize, usize) {
    if block.is_power_of_two() {
        (len >> block.trailing_zeros(), len & (block - 1))
    } else {
        (len / block, len % block)
    }
}

/// The last bit of a sponge's padding, in the last byte of a block.
const LAST_BIT: u8 = 0x80;

/// Finishes a message: pads its last block or two, prepares `state` for the last one, and returns
/// their number. `blocks[..tail]` holds the bytes after the message's whole blocks; `total` is its
/// number of bytes.
///
/// # Panics
/// If `tail` is more than the run of whole blocks leaves, or `blocks` is shorter than two blocks.
#[inline]
pub fn pad<W: Word>(
    shape: &Shape<W>,
    padding: Padding,
    state: &mut [W],
    tail: usize,
    total: u128,
    blocks: &mut [u8],
) -> usize {
    let block = shape.block_bytes;
    assert!(tail < block + padding.held_back());
    let n = padding.blocks(block, W::BYTES, tail);
    let end = n * block;
    match padding {
        Padding::Length => {
            blocks[tail] = padding.byte();
            write_length(shape, total, &mut blocks[..end]);
        }
        Padding::Zeros => prepare_last(shape, state, tail),
        Padding::Sponge(byte) => {
            blocks[tail] = byte;
            blocks[end - 1] |= LAST_BIT;
        }
    }
    n
}

/// Writes the length of a message of `total` bytes to the end of its last block.
#[inline(always)]
fn write_length<W: Word>(shape: &Shape<W>, total: u128, blocks: &mut [u8]) {
    // 64-bit words have a 128-bit length field; 32-bit words have a 64-bit one, which limits their
    // messages
    let [high, low] = length_words::<W>(total);
    let (first, second) = match shape.order {
        ByteOrder::Big => (high, low),
        ByteOrder::Little => (low, high),
    };
    let (_, field) = blocks.split_at_mut(blocks.len() - 2 * W::BYTES);
    first.write(shape.order, field);
    second.write(shape.order, &mut field[W::BYTES..]);
}

/// Copies a short message that ends in the last of `blocks`, and pads it by [`Padding::Length`].
/// `before` bytes are hashed already.
#[inline(always)]
pub(crate) fn copy_and_pad<W: Word>(
    shape: &Shape<W>,
    message: &[u8],
    before: u128,
    blocks: &mut [u8],
) {
    // the padding begins in the last block, or at its end in the one before
    let zeros = blocks.len().saturating_sub(shape.block_bytes + 64);
    blocks[zeros..].as_chunks_mut().0.fill([0; 64]);
    copy(blocks, message);
    blocks[message.len()] = Padding::Length.byte();
    write_length(shape, before + message.len() as u128, blocks);
}

/// A message's length in bits, the higher word first.
#[inline(always)]
pub(crate) fn length_words<W: Word>(total: u128) -> [W; 2] {
    let bits = total.wrapping_mul(8);
    [W::truncate(bits >> (8 * W::BYTES)), W::truncate(bits)]
}

/// Prepares a state for its last block, with `tail` bytes of the message, for [`Ending::Counter`].
#[inline]
pub fn prepare_last<W: Word>(shape: &Shape<W>, state: &mut [W], tail: usize) {
    let Ending::Counter { low, high, flag, .. } = shape.ending else { return };
    let own = [state[low], state[high.unwrap_or(low)], state[flag]];
    let [lower, upper, flags] = prepare_counter(shape, own, tail);
    if let Some(high) = high {
        state[high] = upper;
    }
    (state[low], state[flag]) = (lower, flags);
}

/// The words of [`Ending::Counter`] in a state, lower, upper and flag, prepared for the last block. `own` has them
/// before, and the block `tail` bytes of the message.
#[inline(always)]
pub(crate) fn prepare_counter<W: Word>(shape: &Shape<W>, own: [W; 3], tail: usize) -> [W; 3] {
    let Ending::Counter { flag_bits, .. } = shape.ending else { return own };
    let [before, upper, flags] = own;
    let short = W::truncate((shape.block_bytes - tail) as u128);
    let lower = before.wrapping_sub(short);
    // A value below zero borrows from the upper word; adding the block reverses that.
    let borrow = before.andnot(lower).shr(8 * W::BYTES as u32 - 1);
    [lower, upper.wrapping_sub(borrow), flags.or(W::truncate(u128::from(flag_bits)))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_blocks_are_those_of_the_definitions() {
        for (block, word) in [(64, 4), (128, 8), (136, 8), (72, 8)] {
            for len in 0..4 * block {
                // 0x80 and two words; nothing, but at least one block; at least one byte
                let expected = [len + 1 + 2 * word, len.max(1), len + 1];
                let paddings = [Padding::Length, Padding::Zeros, Padding::Sponge(6)];
                let blocks = paddings.map(|padding| padding.blocks(block, word, len));
                assert_eq!(blocks, expected.map(|bytes| bytes.div_ceil(block)), "{len} bytes");
                assert_eq!(div_rem(len, block), (len / block, len % block));
            }
        }
    }

    #[test]
    fn only_a_state_that_marks_the_last_block_holds_a_whole_one_back() {
        assert_eq!((Padding::Length.held_back(), Padding::Length.byte()), (0, 0x80));
        assert_eq!((Padding::Zeros.held_back(), Padding::Zeros.byte()), (1, 0));
        assert_eq!((Padding::Sponge(6).held_back(), Padding::Sponge(6).byte()), (0, 6));
    }

    #[test]
    fn lengths_take_two_words() {
        assert_eq!(length_words::<u32>(0x2468_ace1), [1, 0x2345_6708]);
        assert_eq!(length_words::<u64>(1 << 61 | 3), [1, 24]);
        assert_eq!(length_words::<u64>((1 << 125) - 1), [u64::MAX, u64::MAX - 7]);
    }
}
