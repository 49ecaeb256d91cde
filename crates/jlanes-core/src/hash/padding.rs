//! Merkle-Damgård padding (FIPS 180-4, section 5.1), and how many compressions it leads to.

use crate::{hash::compression::Compression, simd::lanes::Word};

/// Bytes of the length field: two words.
const fn length_bytes<C: Compression>() -> usize {
    2 * C::Word::BYTES
}

/// Pads a message's last block or blocks, and returns how many they are, 1 or 2. `blocks[..tail]`
/// holds what follows the message's whole blocks, `total` is the number of all its bytes.
///
/// # Panics
/// If `tail` is a block or longer, or `blocks` shorter than two blocks.
#[inline]
pub fn pad<C: Compression>(tail: usize, total: u128, blocks: &mut [u8]) -> usize {
    assert!(tail < C::BLOCK);
    let n = 1 + usize::from(tail + length_bytes::<C>() >= C::BLOCK);
    let end = n * C::BLOCK;
    let field = end - length_bytes::<C>();
    blocks[tail] = 0x80;
    blocks[tail + 1..field].fill(0);
    // 64-bit words have a 128-bit field; 32-bit words a 64-bit one, and their messages are shorter
    let bits = total.wrapping_mul(8).to_be_bytes();
    blocks[field..end].copy_from_slice(&bits[16 - length_bytes::<C>()..]);
    n
}

/// Compressions of a message of `len` bytes (\[SMS\] and \[SH\], equation 1).
#[must_use]
pub const fn updates<C: Compression>(len: u64) -> u64 {
    let block = C::BLOCK as u64;
    len / block + 1 + (len % block + length_bytes::<C>() as u64 >= block) as u64
}
