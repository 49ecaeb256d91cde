//! Words in memory: copies without a call, and conversions from and to bytes.

use super::{
    copy::copy_ends,
    vector::{ByteOrder, Isa, Word},
};

macro_rules! word {
    ($w:ident, $bytes:literal, $vector:ident, $gather:ident, $xor_rotr:ident, $state:expr, $lane_states:expr, $ends:expr, $held:expr) => {
        impl Word for $w {
            const BYTES: usize = $bytes;
            type Vector<I: Isa> = I::$vector;
            type State = [$w; $state];
            type Schedule = [$w; 80];
            type LaneStorage = [$w; $lane_states];
            type EndBlocks = [u8; $ends];
            type HeldBlocks = [u8; $held];
            #[inline(always)]
            fn from_be(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or(0, |b| Self::from_be_bytes(*b))
            }
            #[inline(always)]
            fn from_le(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or(0, |b| Self::from_le_bytes(*b))
            }
            #[inline(always)]
            fn write_be(self, out: &mut [u8]) {
                out[..$bytes].copy_from_slice(&self.to_be_bytes());
            }
            #[inline(always)]
            fn write_le(self, out: &mut [u8]) {
                out[..$bytes].copy_from_slice(&self.to_le_bytes());
            }
            #[inline(always)]
            fn gather_row<I: Isa>(isa: I, block: &[u8], at: [usize; 4]) -> I::$vector {
                let Some(block) = block.first_chunk() else { panic!("sixteen words") };
                isa.$gather(block, at)
            }
            #[inline(always)]
            fn xor_rotr<I: Isa>(isa: I, early: I::$vector, late: I::$vector, n: u32) -> I::$vector {
                isa.$xor_rotr(early, late, n)
            }
            #[inline(always)]
            fn truncate(number: u128) -> Self {
                number as Self
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                $w::wrapping_add(self, other)
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                $w::wrapping_sub(self, other)
            }
            #[inline(always)]
            fn rotr(self, n: u32) -> Self {
                self.rotate_right(n)
            }
            #[inline(always)]
            fn shr(self, n: u32) -> Self {
                self >> n
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn andnot(self, other: Self) -> Self {
                !self & other
            }
            #[cfg(feature = "zeroize")]
            #[inline(never)]
            fn wipe(words: &mut [Self]) {
                digest::zeroize::Zeroize::zeroize(words);
            }
        }
    };
}
// The sizes are those of the longest state (BLAKE3, Keccak), of the states of all lanes (SHA-256, where two registers
// share a block; Keccak), of three blocks (Keccak's is the longest), and of two blocks in each lane (MD5 has most).
word!(u32, 4, U32, gather_row32, xor_rotr32, 16, 8 * 32, 3 * 64, 2 * 64 * 32);
word!(u64, 8, U64, gather_row64, xor_rotr64, 25, 25 * 8, 3 * 168, 2 * 168 * 8);

/// Copies words without a call, in wide pieces, as most kernels read them: a load of several narrow
/// stores would wait for them.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn copy_words<W: Word>(to: &mut [W], from: &[W]) {
    let to = &mut to[..from.len()];
    if !(from.len() < 16 && (copy_ends::<_, 8>(to, from) || copy_ends::<_, 4>(to, from))) {
        to.copy_from_slice(from);
    }
}

/// Writes words in the CPU's byte order, as [`copy_words`] does.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn write_native<W: Word>(words: &[W], bytes: &mut [u8]) {
    let mut whole = words.chunks_exact(4);
    let mut bytes = bytes.chunks_exact_mut(4 * W::BYTES);
    for (words, bytes) in whole.by_ref().zip(bytes.by_ref()) {
        for i in 0..4 {
            words[i].write(ByteOrder::NATIVE, &mut bytes[i * W::BYTES..]);
        }
    }
    if let Some(bytes) = bytes.next() {
        for (bytes, word) in bytes.chunks_exact_mut(W::BYTES).zip(whole.remainder()) {
            word.write(ByteOrder::NATIVE, bytes);
        }
    }
}

/// Reads words from `bytes` until `words` is full.
#[inline]
pub fn read_words<W: Word>(order: ByteOrder, bytes: &[u8], words: &mut [W]) {
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(W::BYTES)) {
        *word = W::read(order, bytes);
    }
}

/// Writes the bytes of `words` until `out` is full.
#[inline]
pub fn write_words<W: Word>(order: ByteOrder, words: &[W], out: &mut [u8]) {
    let mut words = words.iter();
    let mut chunks = out.chunks_exact_mut(W::BYTES);
    for (bytes, word) in chunks.by_ref().zip(words.by_ref()) {
        word.write(order, bytes);
    }
    // a digest may end within a word
    if let (rest @ [_, ..], Some(word)) = (chunks.into_remainder(), words.next()) {
        let mut whole = [0; size_of::<u64>()];
        word.write(order, &mut whole);
        rest.copy_from_slice(&whole[..rest.len()]);
    }
}
