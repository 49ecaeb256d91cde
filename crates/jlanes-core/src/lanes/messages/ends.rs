//! The last blocks of messages in lanes.

use super::{vectors::OnVectors, work::Messages};
use crate::{
    compression::{
        Ending, MAX_LANES, Shape,
        padding::{count_end, length_words},
    },
    simd::vector::{ByteOrder, Word},
};

/// The [`RunBlocks::ends`] of messages that end with these blocks. With `alike` lanes, all equal the
/// first one.
pub(super) fn ends<W: Word>(
    shape: &Shape<W>,
    work: &Messages<'_, W>,
    (first, live, alike): (usize, usize, bool),
) -> [[W; MAX_LANES]; 2] {
    let end = |(tail, total): (usize, u128)| match shape.ending {
        Ending::Counter { bits, .. } => {
            let short = W::truncate((shape.block - tail) as u128);
            [W::default().wrapping_sub(short), W::truncate(u128::from(bits))]
        }
        _ => length_words::<W>(total),
    };
    if alike {
        let words = work.end_lengths(shape, first).map_or([W::default(); 2], end);
        return words.map(|word| [word; MAX_LANES]);
    }
    let mut out = [[W::default(); MAX_LANES]; 2];
    for l in 0..live {
        if let Some(closing) = work.end_lengths(shape, first + l) {
            [out[0][l], out[1][l]] = end(closing);
        }
    }
    out
}

/// Completes the last block of lanes with an ending message: either `words`, which holds the
/// message and the byte after it, or the states. With `alike` lanes, all equal the first one.
pub(super) fn finish_block<W: Word>(
    lanes: OnVectors<'_, W>,
    work: &Messages<'_, W>,
    (first, live, alike): (usize, usize, bool),
    words: &mut [W],
    (states, stride): (&mut [W], usize),
) {
    let (shape, width) = (lanes.shape, lanes.kernel.lanes);
    let last = shape.words - 1;
    let end_lengths = |l: usize| work.end_lengths(shape, if alike { first } else { first + l });
    match shape.ending {
        Ending::Length => {
            let (high, low) = match shape.order {
                ByteOrder::Big => (last - 1, last),
                ByteOrder::Little => (last, last - 1),
            };
            if alike {
                let Some((_, total)) = end_lengths(0) else { return };
                let [upper, lower] = length_words::<W>(total);
                words[high * width..][..width].fill(upper);
                words[low * width..][..width].fill(lower);
                return;
            }
            for l in 0..live {
                if let Some((_, total)) = end_lengths(l) {
                    let [upper, lower] = length_words::<W>(total);
                    (words[high * width + l], words[low * width + l]) = (upper, lower);
                }
            }
        }
        Ending::LastBit => {
            let bit = W::truncate(1 << (8 * W::BYTES - 1));
            for (l, word) in words[last * width..][..width].iter_mut().enumerate() {
                if work.all_end || (l < live && end_lengths(l).is_some()) {
                    // the first byte of the padding may be in the same word
                    *word = word.xor(bit);
                }
            }
        }
        Ending::Counter { low, high, flag, .. } => {
            for l in 0..live {
                if let Some((tail, _)) = end_lengths(l) {
                    let high = high.unwrap_or(low);
                    let at = [low, high, flag].map(|word| word * stride + l);
                    let own = at.map(|at| states[at]);
                    let own = count_end(shape, own, tail);
                    (states[at[1]], states[at[0]], states[at[2]]) = (own[1], own[0], own[2]);
                }
            }
        }
    }
}
