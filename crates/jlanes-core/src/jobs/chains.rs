//! Repeated hashing of digests: chains and double digests.

use super::{hashing::Hashing, in_memory::batch::Batch};
use crate::{compression::LaneStart, lanes::rehash::DigestBlock, simd::vector::Word, wipe};

/// [`chains`](crate::function::Function::chains).
pub(crate) fn chains<W: Word>(
    plain: &Hashing<'_, W>,
    prefix: &[u8],
    digests: &mut [u8],
    steps: u64,
) {
    let (mut after, rest) = plain.after(prefix);
    let (hash, size) = (plain.hash, plain.digest_bytes);
    // a single digest does not justify a lane
    let in_lanes = rest.is_empty() && (digests.len() > size || steps > 1);
    let block = if in_lanes { DigestBlock::after(hash, size, after.before) } else { None };
    let mut start = after.start;
    let start = &mut start.as_mut()[..hash.shape.state_words];
    if let Some(block) = &block {
        block.prepare_start(start);
    }
    for group in digests.chunks_mut(hash.shape.max_lanes * size) {
        let Some(block) = &block else {
            plain.with_digest_buffer(|before| {
                let before = &mut before[..group.len()];
                for _ in 0..steps {
                    before.copy_from_slice(group);
                    let records = Batch::records(group.len() / size, before, size);
                    after.digest(&records.prefixed_by(&[rest]), group);
                }
            });
            continue;
        };
        plain.rehash_bytes(block, &[LaneStart::Same(start)], steps, group);
    }
    wipe::words(start);
    after.wipe();
}

/// [`double`](crate::function::Function::double).
pub(crate) fn double<W: Word>(
    plain: &Hashing<'_, W>,
    prefix: &[u8],
    messages: &Batch<'_, '_>,
    out: &mut [u8],
) {
    let outer = if messages.len() > 1 { plain.outer_after(&[]) } else { None };
    Hashing { outer: outer.as_ref(), ..*plain }.digest_prefixed(prefix, messages, out);
    if outer.is_none() {
        chains(plain, &[], out, 1);
    }
}
