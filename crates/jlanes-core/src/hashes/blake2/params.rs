//! The parameter block of a sequential hash (RFC 7693, section 2.8; the salt and the
//! personalization are those of the paper *BLAKE2: simpler, smaller, fast as MD5*, 2013).

use digest::typenum::Unsigned;

use super::{Blake2Word, State};

/// The initial state of a message with digests of `output` bytes, a key of `key` bytes, and a
/// zero-padded salt and personalization. The key itself is the message's first block.
///
/// `None` if a length exceeds BLAKE2's limits: 64 bytes of digest and key and 16 of the others for
/// BLAKE2b, half of that for BLAKE2s.
#[must_use]
pub fn start<W: Blake2Word>(
    output: usize,
    key: usize,
    salt: &[u8],
    personalization: &[u8],
) -> Option<State<W>> {
    let fits = output.max(key) <= W::MaxSize::USIZE;
    if !fits || salt.len().max(personalization.len()) > 2 * W::BYTES {
        return None;
    }
    let mut state = plain::<W>(output);
    // the unkeyed start already contains fan-out and depth of a sequential hash
    state[0] = state[0].xor(W::truncate((key as u128) << 8));
    for (first, bytes) in [(4, salt), (6, personalization)] {
        for (i, bytes) in bytes.chunks(W::BYTES).enumerate() {
            let mut whole = [0; size_of::<u64>()];
            whole[..bytes.len()].copy_from_slice(bytes);
            state[first + i] = state[first + i].xor(W::from_le(&whole));
        }
    }
    Some(state)
}

/// [`start`] with only a digest length.
pub(super) fn plain<W: Blake2Word>(output: usize) -> State<W> {
    let mut state = [W::default(); 11];
    state[..8].copy_from_slice(&W::IV);
    state[0] = state[0].xor(W::truncate(0x0101_0000 ^ output as u128));
    state
}
