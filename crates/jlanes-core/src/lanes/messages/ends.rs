//! Ends of messages in lanes: lengths, counters and flags in their last blocks.

use super::{LaneWork, vectors::VectorRunner};
use crate::{
    compression::{
        Ending, LaneRange, LaneStates, MAX_LANES, Shape,
        padding::{length_words, prepare_counter},
    },
    simd::vector::{ByteOrder, Word},
};

/// The [`lengths`](crate::kernel::FusedEnding::lengths) of messages that end with these blocks. With `alike`
/// lanes, all equal the first one.
pub(super) fn lengths<W: Word>(
    shape: &Shape<W>,
    work: &LaneWork<'_, W>,
    lanes: LaneRange,
    alike: bool,
) -> [[W; MAX_LANES]; 2] {
    let end = |(tail, total): (usize, u128)| match shape.ending {
        Ending::Counter { flag_bits, .. } => {
            let short = W::truncate((shape.block_bytes - tail) as u128);
            [W::default().wrapping_sub(short), W::truncate(u128::from(flag_bits))]
        }
        _ => length_words::<W>(total),
    };
    if alike {
        let words = work.end_lengths(shape, lanes.first).map_or([W::default(); 2], end);
        return [[words[0]; MAX_LANES], [words[1]; MAX_LANES]];
    }
    let mut out = [[W::default(); MAX_LANES]; 2];
    for l in 0..lanes.len() {
        if let Some(closing) = work.end_lengths(shape, lanes.first + l) {
            [out[0][l], out[1][l]] = end(closing);
        }
    }
    out
}

/// Completes the last block of lanes with an ending message: either `words`, which holds the
/// message and the byte after it, or the states. With `alike` lanes, all equal the first one.
pub(super) fn finish_block<W: Word>(
    runner: VectorRunner<'_, W>,
    work: &LaneWork<'_, W>,
    group: LaneRange,
    alike: bool,
    words: &mut [W],
    states: &mut LaneStates<'_, W>,
) {
    let (shape, width) = (runner.shape, runner.kernel.lanes);
    let LaneRange { first, .. } = group;
    let last = shape.block_words - 1;
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
            for l in 0..group.len() {
                if let Some((_, total)) = end_lengths(l) {
                    let [upper, lower] = length_words::<W>(total);
                    (words[high * width + l], words[low * width + l]) = (upper, lower);
                }
            }
        }
        Ending::LastBit => {
            let bit = W::truncate(1 << (8 * W::BYTES - 1));
            let all = work.end.is_some_and(|end| end.all_end);
            for (l, word) in words[last * width..][..width].iter_mut().enumerate() {
                if all || (l < group.len() && end_lengths(l).is_some()) {
                    // the first byte of the padding may be in the same word
                    *word = word.xor(bit);
                }
            }
        }
        Ending::Counter { low, high, flag, .. } => {
            for l in 0..group.len() {
                if let Some((tail, _)) = end_lengths(l) {
                    let high = high.unwrap_or(low);
                    let own = [low, high, flag].map(|word| states.row(word, l)[0]);
                    let [new_low, new_high, new_flag] = prepare_counter(shape, own, tail);
                    states.row_mut(high, l)[0] = new_high;
                    states.row_mut(low, l)[0] = new_low;
                    states.row_mut(flag, l)[0] = new_flag;
                }
            }
        }
    }
}
