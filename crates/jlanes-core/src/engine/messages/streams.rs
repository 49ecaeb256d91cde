//! Messages on code that advances a few streams, not lanes.

use super::Messages;
use crate::{
    hash::{
        MAX_BLOCK,
        compression::{Compression, write_words},
        padding::{self, Padding},
    },
    simd::lanes::copy,
};

/// Messages that are whole blocks, from one start to their digests.
#[derive(Debug)]
pub struct Whole<'w, 'a, C: Compression> {
    /// The messages, of as many blocks as there are to do, or more.
    pub messages: &'a [&'a [u8]],
    /// Where all of them start.
    pub start: &'a C::State<C::Word>,
    /// Blocks to do.
    pub blocks: usize,
    /// The shared last block.
    pub last: Option<&'a C::Shared>,
    /// Where the digests go, one after the other.
    pub digests: &'w mut [u8],
}

/// Blocks that streams have room for at the ends of their messages: two of padding, and one more, as
/// messages of one number of blocks differ by one in whole ones.
const ROOM: usize = 3;

/// On code that advances `S` streams by runs of bytes, and knows no lanes.
impl<'a, C: Compression> Messages<'a, C> {
    /// Does what is to be done for the lanes `first..first + S`. `advance` takes the streams'
    /// states, a run of bytes for each, the number of blocks in the runs, and a block that the
    /// streams share.
    pub fn on_streams<const S: usize>(
        &mut self,
        first: usize,
        mut advance: impl FnMut(&mut [C::State<C::Word>; S], [&[u8]; S], usize, Option<&C::Shared>),
    ) {
        let mut states: [C::State<C::Word>; S] = match self.start {
            Some(start) => [*start; S],
            None => core::array::from_fn(|s| self.states.get(first + s)),
        };
        let runs: [_; S] = core::array::from_fn(|s| self.rest(first + s).0);
        let hold_back = self.end.map_or(0, |(padding, _)| padding.hold_back());
        let whole = runs.map(|run| run.len().saturating_sub(hold_back) / C::BLOCK);
        let mut direct = whole.iter().copied().min().unwrap_or(0).min(self.blocks);
        // A second call takes longer than copying all. But what the end changes in the state must not
        // be there before the last block.
        if direct < self.blocks && self.blocks <= ROOM && hold_back == 0 {
            direct = 0;
        }
        let last = if direct == self.blocks { self.last } else { None };
        if direct > 0 || last.is_some() {
            advance(&mut states, runs, direct, last);
        }
        if direct < self.blocks {
            // not much more room than is needed: it is cleared each time
            match C::BLOCK {
                ..=64 => self.end_streams::<S, { ROOM * 64 }>(first, direct, &mut states, advance),
                65..=128 => {
                    self.end_streams::<S, { ROOM * 128 }>(first, direct, &mut states, advance);
                }
                _ => {
                    let room = Self::end_streams::<S, { ROOM * MAX_BLOCK }>;
                    room(self, first, direct, &mut states, advance);
                }
            }
        }
        for s in 0..S {
            match &mut self.digests {
                Some((out, size)) => {
                    let out = &mut out[(first + s) * *size..][..*size];
                    write_words::<C>(states[s].as_ref(), out);
                }
                None => self.states.set(first + s, &states[s]),
            }
        }
    }

    /// Does what follows the first `direct` blocks, which were whole in every message.
    #[inline(always)]
    fn end_streams<const S: usize, const ROOM: usize>(
        &self,
        first: usize,
        direct: usize,
        states: &mut [C::State<C::Word>; S],
        mut advance: impl FnMut(&mut [C::State<C::Word>; S], [&[u8]; S], usize, Option<&C::Shared>),
    ) {
        let mut blocks = [[0; ROOM]; S];
        let count = self.blocks - direct;
        for s in 0..S {
            let (run, pad) = self.rest(first + s);
            let run = run.get(direct * C::BLOCK..).unwrap_or(&[]);
            self.copy_end(first + s, (run, pad), count, &mut states[s], &mut blocks[s]);
        }
        advance(states, blocks.each_ref().map(|blocks| &blocks[..]), count, self.last);
    }

    /// Whether all that is to be done are blocks that lie in the messages, from one start to digests.
    #[inline]
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.start.is_some() && self.digests.is_some() && self.end.is_none() && self.skip.is_empty()
    }

    /// What is to be done for `count` lanes from `first` on, if it [is that](Self::is_whole).
    #[inline]
    pub fn whole(&mut self, first: usize, count: usize) -> Option<Whole<'_, 'a, C>> {
        if !self.is_whole() {
            return None;
        }
        let (start, (digests, size)) = (self.start?, self.digests.as_mut()?);
        Some(Whole {
            messages: &self.messages[first..first + count],
            start,
            blocks: self.blocks,
            last: self.last,
            digests: &mut digests[first * *size..(first + count) * *size],
        })
    }

    /// Writes the last `count` blocks of lane `lane`'s share into `blocks`, of which `run` are its
    /// message's bytes, and prepares its state where its message ends with them.
    fn copy_end(
        &self,
        lane: usize,
        (run, pad): (&[u8], u8),
        count: usize,
        state: &mut C::State<C::Word>,
        blocks: &mut [u8],
    ) {
        let Some((padding, before)) = self.end else { return };
        let room = count * C::BLOCK;
        let bytes = run.len().min(room);
        copy(blocks, &run[..bytes]);
        if bytes < room {
            blocks[bytes] = pad;
        }
        let len = self.messages[lane].len();
        let skip = self.skip.get(lane).copied().unwrap_or(0);
        let all = padding.blocks::<C>(len);
        if skip + self.blocks < all {
            return;
        }
        // once more from the start of the last block, or of the two last ones, with the end
        let whole = whole_blocks_before_end::<C>(padding, len);
        let own = (all - whole) * C::BLOCK;
        let Some(at) = room.checked_sub(own) else {
            // the padding byte went with an earlier run: only the last block is left
            let mut two = [0; 2 * MAX_BLOCK];
            padding::pad::<C>(
                padding,
                state,
                len - whole * C::BLOCK,
                before + len as u128,
                &mut two,
            );
            blocks[..room].copy_from_slice(&two[own - room..own]);
            return;
        };
        let total = before + len as u128;
        padding::pad::<C>(padding, state, len - whole * C::BLOCK, total, &mut blocks[at..]);
    }
}

/// Blocks of a message of `len` bytes that are compressed as they are.
const fn whole_blocks_before_end<C: Compression>(padding: Padding, len: usize) -> usize {
    len.saturating_sub(padding.hold_back()) / C::BLOCK
}
