//! Long messages in several pieces; only blocks that span pieces are copied.

use super::{
    batch::{Batch, MAX_PIECES},
    equal_blocks::EqualBlocks,
    select::{MAX_SHORT_BYTES, PACKED_BYTES},
};
use crate::{
    compression::{LaneBuffer, MAX_LANES},
    jobs::hashing::Hashing,
    lanes::messages::{LaneWork, Route},
    simd::{copy::copy, vector::Word},
    wipe,
};

impl<W: Word> Hashing<'_, W> {
    /// Hashes long messages with equal lengths of their pieces. The longest piece is hashed in
    /// place; the bytes before it, up to a whole block, and the bytes after its last whole block
    /// are copied.
    pub(super) fn digest_long_pieces(
        &self,
        messages: &Batch<'_, '_>,
        lens: &[usize; MAX_PIECES],
        out: &mut [u8],
    ) {
        let Self { kernels, hash, .. } = self;
        let (block, lanes) = (hash.shape.block_bytes, hash.shape.max_lanes);
        let longest = (0..MAX_PIECES).max_by_key(|i| lens[*i]).unwrap_or(0);
        let before: usize = lens[..longest].iter().sum();
        let total: usize = lens.iter().sum();
        let head = before.next_multiple_of(block);
        let body = (before + lens[longest]).saturating_sub(head);
        let bytes_ahead = if before + lens[longest] == total { body } else { body + 1 };
        let body = hash.whole_blocks(bytes_ahead).min(body / block) * block;
        let tail = total.saturating_sub(head + body);
        if body == 0 || head > MAX_SHORT_BYTES || tail > MAX_SHORT_BYTES {
            return self.digest_in_order(messages, out);
        }
        let mut states = LaneBuffer::new(&hash.shape);
        let before_tail = self.before + (head + body) as u128;
        let mut computed = None;
        let lengths = (tail, messages.len());
        let equal = EqualBlocks::of_length(hash, before_tail, lengths, &mut computed);
        let mut room = [0; PACKED_BYTES];
        let mut pieces = [[&[] as &[u8]; MAX_PIECES]; MAX_LANES];
        for (first, out) in (0..).step_by(lanes).zip(out.chunks_mut(lanes * self.digest_bytes)) {
            let messages = messages.part_keeping_indices(first..messages.len().min(first + lanes));
            let pieces = &mut pieces[..messages.len()];
            messages.fill_all_pieces(pieces);
            if head > 0 {
                let runs = &copy_ranges(pieces, 0, head, &mut room)[..pieces.len()];
                let route = Route::StartToStates { start: self.start(), states: states.states() };
                LaneWork::new(runs, head / block).run(route, kernels);
            }
            let mut runs = [&[] as &[u8]; MAX_LANES];
            for (run, pieces) in runs.iter_mut().zip(&*pieces) {
                *run = &pieces[longest][head - before..];
            }
            let route = match head {
                0 => Route::StartToStates { start: self.start(), states: states.states() },
                _ => Route::StatesToStates(states.states()),
            };
            LaneWork::new(&runs[..pieces.len()], body / block).run(route, kernels);
            let runs = &copy_ranges(pieces, head + body, tail, &mut room)[..pieces.len()];
            let route = Route::StatesToStates(states.states());
            equal.lane_work(hash, before_tail, runs).run(route, kernels);
            self.finish(&mut states, out);
        }
        wipe::bytes(&mut room);
        states.wipe();
    }
}

/// Copies `len` bytes of all messages, starting at byte `from`.
fn copy_ranges<'r>(
    messages: &[[&[u8]; MAX_PIECES]],
    from: usize,
    len: usize,
    mut room: &'r mut [u8],
) -> [&'r [u8]; MAX_LANES] {
    let mut copies = [&[] as &[u8]; MAX_LANES];
    for (copied, pieces) in copies.iter_mut().zip(messages) {
        let (to, rest) = room.split_at_mut(len);
        let (mut skip, mut at) = (from, 0);
        for piece in pieces {
            let start = skip.min(piece.len());
            let bytes = &piece[start..piece.len().min(start + len - at)];
            copy(&mut to[at..], bytes);
            (skip, at) = (skip - start, at + bytes.len());
        }
        (*copied, room) = (to, rest);
    }
    copies
}
