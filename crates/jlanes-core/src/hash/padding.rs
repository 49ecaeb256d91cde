//! How a message ends: the bytes that fill its last block or blocks, and how many those are.

use crate::{
    hash::compression::Compression,
    simd::{
        lanes::{Array, ByteOrder, Word},
        portable::PlainWords,
    },
};

/// What follows a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Padding {
    /// A byte 0x80, zeros, and the length in two words (Merkle-Damgård; FIPS 180-4, section 5.1).
    Length,
    /// Zeros, and none if the message fills its last block. The function marks the last block in
    /// its state, so that even a whole one must not be compressed before the end is known.
    Zeros,
    /// This byte, zeros, and the last bit of the block (a sponge's `pad10*1`; FIPS 202, section
    /// 5.1). The byte holds the bits that separate the function's domain from others' and the first
    /// bit of the padding.
    Sponge(u8),
}

impl Padding {
    /// The byte after the message.
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Self::Length => 0x80,
            Self::Zeros => 0,
            Self::Sponge(byte) => byte,
        }
    }

    /// Bytes that stay out of the run of whole blocks, because the last block is treated
    /// differently even where it is whole: 0 or 1.
    #[must_use]
    pub const fn hold_back(self) -> usize {
        match self {
            Self::Length | Self::Sponge(_) => 0,
            Self::Zeros => 1,
        }
    }

    /// Compressions of a message of `len` bytes (\[SMS\] and \[SH\], equation 1).
    #[must_use]
    pub const fn blocks<C: Compression>(self, len: usize) -> usize {
        let (whole, tail) = (len / C::BLOCK, len % C::BLOCK);
        match self {
            Self::Length => whole + 1 + (tail + length_bytes::<C>() >= C::BLOCK) as usize,
            Self::Zeros if whole > 0 && tail == 0 => whole,
            Self::Zeros | Self::Sponge(_) => whole + 1,
        }
    }
}

/// The last bit of a sponge's padding, in the last byte of a block.
const LAST_BIT: u8 = 0x80;

/// Bytes of the length field: two words.
const fn length_bytes<C: Compression>() -> usize {
    2 * C::Word::BYTES
}

/// Ends a message: pads its last block or blocks, prepares `state` for the last one, and returns
/// how many they are, 1 or 2. `blocks[..tail]` holds what follows the message's run of whole blocks;
/// `total` is the number of all its bytes.
///
/// # Panics
/// If `tail` is more than a run of whole blocks leaves, or `blocks` shorter than two blocks.
#[inline]
pub fn pad<C: Compression>(
    padding: Padding,
    state: &mut C::State<C::Word>,
    tail: usize,
    total: u128,
    blocks: &mut [u8],
) -> usize {
    assert!(tail < C::BLOCK + padding.hold_back());
    let n = padding.blocks::<C>(tail);
    let end = n * C::BLOCK;
    match padding {
        Padding::Length => {
            let field = end - length_bytes::<C>();
            blocks[tail] = padding.byte();
            // 64-bit words have a 128-bit field; 32-bit words a 64-bit one, and their messages are
            // shorter
            let bits = total.wrapping_mul(8);
            let field = &mut blocks[field..end];
            match C::ORDER {
                ByteOrder::Big => {
                    let bytes = bits.to_be_bytes();
                    field.copy_from_slice(&bytes[bytes.len() - length_bytes::<C>()..]);
                }
                ByteOrder::Little => {
                    field.copy_from_slice(&bits.to_le_bytes()[..length_bytes::<C>()]);
                }
            }
        }
        Padding::Zeros => {
            close_state::<C>(state, C::closing(tail, total));
        }
        Padding::Sponge(byte) => {
            blocks[tail] = byte;
            blocks[end - 1] |= LAST_BIT;
        }
    }
    n
}

/// [`Compression::close`] of one lane, where it does nothing to the block.
pub(crate) fn close_state<C: Compression>(state: &mut C::State<C::Word>, closing: [C::Word; 2]) {
    let zero = PlainWords([C::Word::default()]);
    let mut lane = C::State::<PlainWords<C::Word, 1>>::splat(zero);
    for (lane, word) in lane.as_mut().iter_mut().zip(state.as_ref()) {
        lane.0[0] = *word;
    }
    let mut block = C::Block::<PlainWords<C::Word, 1>>::splat(zero);
    C::close(&mut lane, &mut block, closing.map(|word| PlainWords([word])));
    for (word, lane) in state.as_mut().iter_mut().zip(lane.as_ref()) {
        *word = lane.0[0];
    }
}
