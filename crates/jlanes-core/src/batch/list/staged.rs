//! Long messages in several pieces, of which only what lies across pieces is copied.

use super::{Asked, List, Numbers, SHORT, Same};
use crate::{
    engine::{Engine, Work, messages::Messages},
    hash::{
        HashFunction, Output,
        compression::{AllLanes, Compression},
        whole_blocks,
    },
    simd::lanes::Array,
};

impl<H: HashFunction, E: Engine<H::Compression>> List<'_, H, E> {
    /// Long messages that are alike in the lengths of their pieces. The longest piece is hashed
    /// where it is; what stands before it, up to a whole block, and what follows its last whole
    /// block is copied together.
    pub(super) fn staged<'a, const P: usize>(
        &self,
        messages: &dyn Asked<'a, P>,
        lens: [usize; P],
        out: &mut [Output<H>],
    ) {
        let longest = (0..P).max_by_key(|i| lens[*i]).unwrap_or(0);
        let before: usize = lens[..longest].iter().sum();
        let total: usize = lens.iter().sum();
        let head = before.next_multiple_of(Self::BLOCK);
        let body = (before + lens[longest]).saturating_sub(head);
        let held_back = if before + lens[longest] == total { body } else { body + 1 };
        let body = whole_blocks::<H>(held_back).min(body / Self::BLOCK) * Self::BLOCK;
        let tail = total.saturating_sub(head + body);
        if body == 0 || head > SHORT || tail > SHORT {
            return self.refill_pieces(Numbers::All(out.len()), messages, out);
        }
        let mut states = AllLanes::<H::Compression>::default();
        let before_tail = self.start.total + (head + body) as u128;
        let same = Same::<H>::new(before_tail, tail, out.len());
        let mut first = 0;
        for out in out.chunks_mut(Self::LANES) {
            let mut start = Some(&self.start.state);
            let lanes = Numbers::All(out.len());
            if head > 0 {
                let head = |i: usize| part(&messages.one(first + i), 0, head);
                self.collected(lanes, &head, &mut |_, runs| {
                    let blocks = runs[0].len() / Self::BLOCK;
                    let work = Messages::advance(states.states(), runs);
                    self.engine.run(Work::Messages(Messages { blocks, start, ..work }));
                });
                start = None;
            }
            let mut runs = <H::Compression as Compression>::PerLane::<&[u8]>::splat(&[]);
            let runs = &mut runs.as_mut()[..out.len()];
            for (l, run) in runs.iter_mut().enumerate() {
                *run = &messages.one(first + l)[longest][head - before..];
            }
            let work = Messages::advance(states.states(), runs);
            let blocks = body / Self::BLOCK;
            self.engine.run(Work::Messages(Messages { blocks, start, ..work }));
            let tail = |i: usize| part(&messages.one(first + i), head + body, tail);
            self.collected(lanes, &tail, &mut |_, runs| {
                let work = same.to_the_end(before_tail, states.states(), runs);
                self.engine.run(Work::Messages(work));
            });
            self.finish(&mut states, out);
            first += out.len();
        }
        states.wipe();
    }
}

/// `len` bytes of a message from byte `from` on.
fn part<'a, const P: usize>(
    pieces: &[&'a [u8]; P],
    mut from: usize,
    mut len: usize,
) -> [&'a [u8]; P] {
    pieces.map(|piece| {
        let start = from.min(piece.len());
        let end = piece.len().min(start + len);
        from -= start;
        len -= end - start;
        &piece[start..end]
    })
}
