//! The lengths of messages in memory, by which batches are sorted and split. A layout that knows the lengths, such
//! as records of one width, answers without a look at each message.

use super::{Batch, Layout, MAX_PIECES};

impl Batch<'_, '_> {
    /// The length of the messages without the common pieces, if they are one piece each and have equal
    /// lengths. There is at least one message.
    pub(in crate::jobs::in_memory) fn equal_own_len(&self) -> Option<usize> {
        let mut len = None;
        let equal = match self.layout {
            Layout::Records(_, width) => return Some(width),
            Layout::Slices(slices) => {
                len = slices.first().map(|slice| slice.len());
                slices.iter().all(|slice| Some(slice.len()) == len)
            }
            Layout::Offsets(..) | Layout::LargeOffsets(..) | Layout::Filled { .. } => self
                .all_messages(|_, pieces| *len.get_or_insert(pieces[0].len()) == pieces[0].len()),
        };
        len.filter(|_| equal)
    }

    /// The lengths of the pieces, if they are equal in all messages. There is at least one message.
    pub(in crate::jobs::in_memory) fn equal_piece_lens(&self) -> Option<[usize; MAX_PIECES]> {
        let mut lens = [0; MAX_PIECES];
        lens.iter_mut().zip(self.common).for_each(|(len, piece)| *len = piece.len());
        let own = &mut lens[self.common.len()..];
        if self.own_pieces() == 1 {
            own[0] = self.equal_own_len()?;
            return Some(lens);
        }
        let equal = self.all_messages(|at, pieces| {
            pieces.iter().zip(&mut *own).all(|(piece, len)| {
                if at == 0 {
                    *len = piece.len();
                }
                piece.len() == *len
            })
        });
        equal.then_some(lens)
    }

    /// Whether a message is empty.
    pub(crate) fn has_empty(&self) -> bool {
        !self.all_messages(|_, pieces| pieces.iter().any(|piece| !piece.is_empty()))
    }

    /// The length of the message at a position.
    #[must_use]
    pub fn len_at_position(&self, position: usize) -> usize {
        match (self.layout, self.indices) {
            (Layout::Records(_, width), _) if self.common.is_empty() => width,
            _ => self.pieces_at_position(position).iter().map(|piece| piece.len()).sum(),
        }
    }

    /// The length of the longest message, without the common pieces.
    #[cfg(feature = "blake3")]
    pub(crate) fn longest(&self) -> usize {
        if let Some(slices) = self.as_slices() {
            return slices.iter().map(|slice| slice.len()).max().unwrap_or(0);
        }
        let mut longest = 0;
        self.all_messages(|_, pieces| {
            longest = longest.max(pieces.iter().map(|piece| piece.len()).sum());
            true
        });
        longest
    }

    /// Fills in the lengths of the messages.
    pub(in crate::jobs::in_memory) fn fill_lens(&self, to: &mut [(usize, bool)]) {
        if let Some(slices) = self.as_slices() {
            return to.iter_mut().zip(slices).for_each(|((len, _), slice)| *len = slice.len());
        }
        let len = |pieces: &[&[u8]]| pieces.iter().map(|piece| piece.len()).sum::<usize>();
        let common = len(self.common);
        self.all_messages(|at, pieces| {
            to[at].0 = common + len(pieces);
            true
        });
    }
}
