//! Copies of a few bytes or words, without a call.

use super::lanes::{ByteOrder, Word};

/// Copies up to 64 bytes without a call: the first and the last bytes, which may overlap.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn copy_short(to: &mut [u8], from: &[u8]) {
    let to = &mut to[..from.len()];
    if !(copy_ends::<_, 32>(to, from)
        || copy_ends::<_, 16>(to, from)
        || copy_ends::<_, 8>(to, from)
        || copy_ends::<_, 4>(to, from)
        || copy_ends::<_, 2>(to, from))
        && let ([to, ..], [from, ..]) = (to, from)
    {
        *to = *from;
    }
}

/// Copies bytes, usually at most a block.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    if from.len() <= 64 {
        copy_short(to, from);
    } else {
        to[..from.len()].copy_from_slice(from);
    }
}

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

/// Copies `N` to `2 * N` elements; returns whether the length is in this range.
#[cfg_attr(not(debug_assertions), inline(always))]
fn copy_ends<T: Copy, const N: usize>(to: &mut [T], from: &[T]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else {
        return false;
    };
    let Some(end) = to.last_chunk_mut::<N>() else { return false };
    *end = *last;
    let Some(start) = to.first_chunk_mut::<N>() else { return false };
    *start = *first;
    true
}
