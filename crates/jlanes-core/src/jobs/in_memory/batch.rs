//! [`Batch`], messages in memory in any of several layouts. A layout is a value, so scheduling is
//! compiled once for all of them.

use core::{mem, ops::Range, slice};

use crate::simd::copy::copy;

mod indices;
mod lengths;

pub(crate) use indices::Indices;

/// The maximum number of pieces of a message.
pub(crate) const MAX_PIECES: usize = 4;

/// Pieces that are requested at a time, for messages in several pieces.
pub(super) const PIECES_PER_FILL: usize = 32;

/// Receives messages in one piece each, with the range of their positions.
pub(super) type EachChunk<'e> = dyn FnMut(Range<usize>, &[&[u8]]) + 'e;

/// Messages in memory. A message has an *index* in the layout, at which its result belongs, and a *position* in the
/// batch, which differs from it in a part and in another order.
#[derive(Clone, Copy)]
pub struct Batch<'s, 'a> {
    /// Pieces that precede every message.
    common: &'s [&'s [u8]],
    layout: Layout<'s, 'a>,
    indices: Indices<'s>,
}

/// The layout of messages, which have indices from 0 on.
#[derive(Clone, Copy)]
enum Layout<'s, 'a> {
    /// One slice per message.
    Slices(&'s [&'a [u8]]),
    /// Contiguous records of a number of bytes.
    Records(&'a [u8], usize),
    /// Message `i` is bytes `offsets[i]` to `offsets[i + 1]`.
    Offsets(&'a [u8], &'s [i32]),
    /// [`Offsets`](Self::Offsets) of 64 bits.
    LargeOffsets(&'a [u8], &'s [i64]),
    /// `pieces` pieces per message, provided by a function; index 0 is its message `first`. It provides
    /// at most [`PIECES_PER_FILL`] pieces at a time if messages have several.
    Filled { pieces: usize, first: usize, fill: &'s Fill<'s, 'a> },
}

/// Fills in the pieces of messages, one message after the other. The indices count from a first message.
type Fill<'s, 'a> = dyn Fn(usize, Indices<'_>, &mut [&'a [u8]]) + Sync + 's;

/// A function that fills in messages of `P` pieces, by [`filling`].
pub struct Filling<F, const P: usize>(F);

/// Loops that fill in the messages that `message` returns in `P` pieces. Only these are monomorphized for each
/// caller.
#[inline]
pub fn filling<'a, const P: usize>(
    message: impl Fn(usize) -> [&'a [u8]; P] + Sync,
) -> Filling<impl Fn(usize, Indices<'_>, &mut [&'a [u8]]) + Sync, P> {
    const { assert!(P <= MAX_PIECES, "messages have no more pieces") }
    Filling(move |first: usize, indices: Indices<'_>, to: &mut [&'a [u8]]| {
        indices.map_into(to.as_chunks_mut::<P>().0, |i| message(first + i));
    })
}

impl<'s, 'a> Batch<'s, 'a> {
    #[inline]
    fn new(count: usize, layout: Layout<'s, 'a>) -> Self {
        Self { common: &[], layout, indices: Indices::Range(0, count) }
    }

    /// One slice per message.
    #[must_use]
    pub fn slices(slices: &'s [&'a [u8]]) -> Self {
        Self::new(slices.len(), Layout::Slices(slices))
    }

    /// `count` contiguous messages of `width` bytes each.
    ///
    /// # Panics
    /// If `records` are not exactly these bytes.
    #[inline]
    #[track_caller]
    pub fn records(count: usize, records: &'a [u8], width: usize) -> Self {
        assert_eq!(Some(records.len()), width.checked_mul(count), "as many messages as records");
        Self::new(count, Layout::Records(records, width))
    }

    /// Contiguous messages: message `i` is bytes `offsets[i]` to `offsets[i + 1]`, which rise within the
    /// bytes.
    #[must_use]
    pub fn offsets(bytes: &'a [u8], offsets: &'s [i32]) -> Self {
        Self::new(offsets.len().saturating_sub(1), Layout::Offsets(bytes, offsets))
    }

    /// [`offsets`](Self::offsets) of 64 bits.
    #[must_use]
    pub fn large_offsets(bytes: &'a [u8], offsets: &'s [i64]) -> Self {
        Self::new(offsets.len().saturating_sub(1), Layout::LargeOffsets(bytes, offsets))
    }

    /// `count` messages provided by `fill`, in `P` pieces each.
    #[inline]
    pub fn filled<const P: usize>(
        count: usize,
        fill: &'s Filling<impl Fn(usize, Indices<'_>, &mut [&'a [u8]]) + Sync, P>,
    ) -> Self {
        Self::new(count, Layout::Filled { pieces: P, first: 0, fill: &fill.0 })
    }

    /// The same messages, with common pieces before each.
    pub(crate) fn prefixed_by<'t>(&self, common: &'t [&'t [u8]]) -> Batch<'t, 'a>
    where
        's: 't,
    {
        let common = if common.iter().all(|piece| piece.is_empty()) { &[] } else { common };
        Batch { common, ..*self }
    }

    /// The messages with these indices, in this order.
    pub(super) fn with_indices<'t>(&self, indices: &'t [usize]) -> Batch<'t, 'a>
    where
        's: 't,
    {
        Batch { indices: Indices::List(indices), ..*self }
    }

    /// The messages at these positions, which keep their indices.
    pub(crate) fn part_keeping_indices(&self, positions: Range<usize>) -> Self {
        Self { indices: self.indices.part(positions), ..*self }
    }

    /// The messages at these positions, with indices from 0 on; those of a list keep theirs.
    ///
    /// # Panics
    /// If they are not within the messages.
    #[must_use]
    pub fn part_renumbered(&self, positions: Range<usize>) -> Self {
        let Range { start, end } = positions;
        assert!(start <= end && end <= self.len(), "positions of messages");
        let indices = self.indices.part(positions);
        let Indices::Range(from, end) = indices else { return Self { indices, ..*self } };
        let layout = match self.layout {
            Layout::Slices(slices) => Layout::Slices(&slices[from..]),
            Layout::Records(bytes, width) => Layout::Records(&bytes[from * width..], width),
            Layout::Offsets(bytes, offsets) => Layout::Offsets(bytes, &offsets[from..]),
            Layout::LargeOffsets(bytes, offsets) => Layout::LargeOffsets(bytes, &offsets[from..]),
            Layout::Filled { pieces, first, fill } => {
                Layout::Filled { pieces, first: first + from, fill }
            }
        };
        Self { layout, indices: Indices::Range(0, end - from), ..*self }
    }

    /// The pieces of the message at a position.
    pub(crate) fn pieces_at_position(&self, position: usize) -> [&'s [u8]; MAX_PIECES] {
        self.pieces_of_index(self.indices.at_position(position))
    }

    /// The message at a position. It is in one piece.
    ///
    /// # Panics
    /// If the position is not within the messages.
    #[must_use]
    pub fn message_at_position(&self, position: usize) -> &'a [u8] {
        let mut message = [&[] as &[u8]];
        self.part_keeping_indices(position..position + 1).fill_own_pieces(&mut message);
        message[0]
    }

    /// The slices, if this is the layout.
    pub(super) fn as_slices(&self) -> Option<&'s [&'a [u8]]> {
        match (self.layout, self.indices) {
            (Layout::Slices(slices), Indices::Range(first, end)) if self.common.is_empty() => {
                Some(&slices[first..end])
            }
            _ => None,
        }
    }

    /// Whether messages have to be looked up one by one.
    pub(super) fn are_scattered(&self) -> bool {
        !matches!(self.layout, Layout::Slices(_) | Layout::Records(..))
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.indices {
            Indices::Range(first, end) => end - first,
            Indices::List(indices) => indices.len(),
        }
    }

    /// Whether there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The indices of the messages.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> + 's {
        let indices = self.indices;
        (0..self.len()).map(move |position| indices.at_position(position))
    }

    /// Pieces of each message.
    pub(crate) fn pieces(&self) -> usize {
        self.common.len() + self.own_pieces()
    }

    pub(super) fn own_pieces(&self) -> usize {
        if let Layout::Filled { pieces, .. } = self.layout { pieces } else { 1 }
    }

    /// Fills in the pieces of the first messages, without the common pieces, until `to` is full.
    pub(crate) fn fill_own_pieces(&self, to: &mut [&'a [u8]]) {
        match self.layout {
            Layout::Slices(slices) => self.indices.map_into(to, |i| slices[i]),
            Layout::Records(bytes, width) => {
                self.indices.map_into(to, |i| &bytes[i * width..][..width]);
            }
            Layout::Offsets(bytes, offsets) => {
                self.indices.map_into(to, |i| &bytes[offsets[i] as usize..offsets[i + 1] as usize]);
            }
            Layout::LargeOffsets(bytes, offsets) => {
                self.indices.map_into(to, |i| &bytes[offsets[i] as usize..offsets[i + 1] as usize]);
            }
            Layout::Filled { first, fill, .. } => fill(first, self.indices, to),
        }
    }

    /// Passes messages in one piece to `each`, up to `N` at a time, with their positions. With `len`, it stops
    /// before those with a message of another length. Returns the number of messages passed to `each`.
    pub(super) fn for_each_chunk<const N: usize>(
        &self,
        len: Option<usize>,
        each: &mut EachChunk<'_>,
    ) -> usize {
        let mut runs = [&[] as &[u8]; N];
        for first in (0..self.len()).step_by(N) {
            let range = first..self.len().min(first + N);
            let runs = &mut runs[..range.len()];
            self.part_keeping_indices(range.clone()).fill_own_pieces(runs);
            // without an exit in the loop, lengths are compared in vectors
            let differ = |len| runs.iter().fold(0, |differ, run| differ | (run.len() ^ len)) != 0;
            if len.is_some_and(differ) {
                return first;
            }
            each(range, runs);
        }
        self.len()
    }

    /// The pieces of the message with index `i`.
    pub(super) fn pieces_of_index(&self, i: usize) -> [&'s [u8]; MAX_PIECES] {
        let mut after = [&[] as &[u8]; MAX_PIECES];
        let after = &mut after[..self.own_pieces()];
        Self { indices: Indices::Range(i, i + 1), ..*self }.fill_own_pieces(after);
        let mut pieces = [&[] as &[u8]; MAX_PIECES];
        let in_order = self.common.iter().chain(&*after);
        pieces.iter_mut().zip(in_order).for_each(|(to, piece)| *to = piece);
        pieces
    }

    /// The message with index `i`, which is in one piece.
    #[inline]
    pub(super) fn message_of_index(&self, i: usize) -> &'a [u8] {
        if let Layout::Slices(slices) = self.layout {
            return slices[i]; // without a call for each message
        }
        let mut message = [&[] as &[u8]];
        Self { indices: Indices::Range(i, i + 1), ..*self }.fill_own_pieces(&mut message);
        message[0]
    }

    /// Fills in the pieces of all messages, the common ones first.
    pub(super) fn fill_all_pieces(&self, to: &mut [[&'s [u8]; MAX_PIECES]]) {
        self.all_messages(|at, own| {
            for (i, piece) in self.common.iter().chain(own).enumerate() {
                to[at][i] = piece;
            }
            true
        });
    }

    /// Whether `check` holds for all messages; it gets their positions and pieces, without the
    /// common pieces.
    #[inline(always)]
    fn all_messages(&self, mut check: impl FnMut(usize, &[&'a [u8]]) -> bool) -> bool {
        let mut buffer = [&[] as &[u8]; PIECES_PER_FILL];
        let pieces = self.own_pieces();
        let step = PIECES_PER_FILL / pieces;
        (0..self.len()).step_by(step).all(|first| {
            let positions = first..self.len().min(first + step);
            let buffer = &mut buffer[..positions.len() * pieces];
            self.part_keeping_indices(positions.clone()).fill_own_pieces(buffer);
            if pieces == 1 {
                return positions.zip(buffer).all(|(at, piece)| check(at, slice::from_ref(piece)));
            }
            positions.zip(buffer.chunks_exact(pieces)).all(|(at, pieces)| check(at, pieces))
        })
    }

    /// Copies the pieces of messages together into `room`, one message after the other, and sets
    /// `runs` to the messages.
    pub(super) fn pack<'r>(&self, mut room: &'r mut [u8], runs: &mut [&'r [u8]]) {
        self.all_messages(|at, pieces| {
            let len = copy_pieces(self.common, room);
            let len = len + copy_pieces(pieces, &mut room[len..]);
            let (message, rest) = mem::take(&mut room).split_at_mut(len);
            (runs[at], room) = (message, rest);
            true
        });
    }

    /// [`pack`](Self::pack), up to the first message with pieces of other lengths than `lens`.
    /// Returns whether there is no such message.
    pub(super) fn pack_if_lens<'r>(
        &self,
        lens: &[usize; MAX_PIECES],
        room: &'r mut [u8],
        runs: &mut [&'r [u8]],
    ) -> bool {
        let len = lens.iter().sum::<usize>();
        let equal = match (self.common, lens) {
            ([], [DIGEST_BYTES, DIGEST_BYTES, 0, 0]) if self.own_pieces() == 2 => {
                let room = room.as_chunks_mut().0;
                self.all_messages(|at, pieces| copy_pair(pieces, &mut room[at]))
            }
            _ => self.all_messages(|at, pieces| {
                let all = self.common.iter().chain(pieces);
                let equal = all.clone().zip(lens).all(|(piece, len)| piece.len() == *len);
                if equal {
                    let room = &mut room[at * len..][..len];
                    let len = copy_pieces(self.common, room);
                    copy_pieces(pieces, &mut room[len..]);
                }
                equal
            }),
        };
        for (at, run) in runs.iter_mut().enumerate() {
            *run = &room[at * len..][..len];
        }
        equal
    }
}

/// Bytes of the usual digest.
const DIGEST_BYTES: usize = 32;

/// Copies two digests together, the usual node of a tree. Returns whether the pieces are two digests.
#[inline(always)]
fn copy_pair(pieces: &[&[u8]], out: &mut [u8; 2 * DIGEST_BYTES]) -> bool {
    let [left, right] = pieces else { return false };
    if left.len() != DIGEST_BYTES || right.len() != DIGEST_BYTES {
        return false;
    }
    out[..DIGEST_BYTES].copy_from_slice(left);
    out[DIGEST_BYTES..].copy_from_slice(right);
    true
}

/// Copies the pieces of a message together and returns its length.
#[inline(always)] // a stack frame costs as much as copying two digests
pub(super) fn copy_pieces(pieces: &[&[u8]], out: &mut [u8]) -> usize {
    let mut at = 0;
    for piece in pieces {
        copy(&mut out[at..at + piece.len()], piece);
        at += piece.len();
    }
    at
}
