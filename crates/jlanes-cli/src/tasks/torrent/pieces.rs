//! The pieces of BitTorrent v1, which go on from one file to the next.

use jlanes::{
    Backend, Sha1,
    algorithm::{AnyHasher, Fixed, Hash},
    multi::Lanes,
};

use crate::lists::torrent::Pieces;

/// Pieces that are hashed side by side.
const TOGETHER: u64 = 16;

/// Bytes that are hashed at once, or more.
const LEAST: u64 = 64 << 10;

/// Bytes of the longest piece that waits for others. Longer ones are hashed as they come.
const LONGEST: u64 = 4 << 20;

/// What is known of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not all of it has been there.
    Unknown,
    Right,
    Wrong,
}

/// Compares pieces, as far as their bytes are there.
pub(super) struct Comparison<'t> {
    pieces: &'t Pieces,
    /// Bytes of all files together.
    total: u64,
    lanes: Lanes<'static, Sha1>,
    states: Vec<State>,
    /// The end of what has come.
    at: u64,
    /// Bytes up to the next piece, where the one before has a gap.
    skip: u64,
    /// Pieces that wait, and the beginning of one behind them.
    waiting: Vec<u8>,
    /// The beginning of a long piece.
    long: Box<dyn AnyHasher>,
}

impl<'t> Comparison<'t> {
    pub(super) fn new(pieces: &'t Pieces, total: u64, backend: Backend) -> Self {
        Self {
            pieces,
            total,
            lanes: Lanes::new().on(backend),
            states: vec![State::Unknown; pieces.digests.len()],
            at: 0,
            skip: 0,
            waiting: Vec::new(),
            long: Hash::Fixed(Fixed::Sha1).hasher_on(backend),
        }
    }

    /// Takes the bytes at `start`. Parts come in order, perhaps with gaps between them.
    pub(super) fn update(&mut self, start: u64, mut data: &[u8]) {
        let len = self.pieces.len;
        if start != self.at {
            self.compare();
            self.waiting.clear();
            self.long.reset();
            self.at = start;
            self.skip = start.next_multiple_of(len) - start;
        }
        let skipped = self.skip.min(data.len() as u64);
        data = &data[skipped as usize..];
        self.skip -= skipped;
        self.at += skipped;
        while !data.is_empty() {
            let room = len - self.at % len;
            let (piece, rest) = data.split_at(room.min(data.len() as u64) as usize);
            self.at += piece.len() as u64;
            data = rest;
            let is_whole = self.at.is_multiple_of(len) || self.at == self.total;
            if len > LONGEST {
                self.long.update(piece);
                if is_whole {
                    let digest = self.long.finalize_reset();
                    self.note((self.at - 1) / len, &digest);
                }
                continue;
            }
            self.waiting.extend_from_slice(piece);
            let is_enough = self.waiting.len() as u64 >= (TOGETHER * len).max(LEAST);
            if is_whole && (is_enough || self.at == self.total) {
                self.compare();
            }
        }
    }

    /// Hashes the whole pieces that wait.
    fn compare(&mut self) {
        let len = self.pieces.len;
        let first = (self.at - self.waiting.len() as u64) / len;
        let is_last = self.at == self.total;
        let is_whole = |piece: &&[u8]| piece.len() as u64 == len || is_last;
        if self.waiting.is_empty() {
            return;
        }
        // a piece that waits is not long
        let messages: Vec<&[u8]> = self.waiting.chunks(len as usize).filter(is_whole).collect();
        let digests = self.lanes.digests(&messages);
        let done: usize = messages.iter().map(|piece| piece.len()).sum();
        for (piece, digest) in (first..).zip(&digests) {
            self.note(piece, digest);
        }
        self.waiting.drain(..done);
    }

    fn note(&mut self, piece: u64, digest: &[u8]) {
        let piece = piece as usize;
        let is_right = self.pieces.digests[piece] == *digest;
        self.states[piece] = if is_right { State::Right } else { State::Wrong };
    }

    /// The worst of what is known of the pieces that the bytes from `start` to `end` are in; nothing while
    /// one of them waits for its end.
    pub(super) fn state(&self, start: u64, end: u64) -> Option<State> {
        if start == end {
            return Some(State::Right);
        }
        let (first, last) = (start / self.pieces.len, (end - 1) / self.pieces.len);
        let waits = self.at - self.at.min(self.waiting.len() as u64);
        let is_over = self.at == self.total && self.waiting.is_empty();
        if !is_over && last >= waits / self.pieces.len {
            return None;
        }
        Some(self.worst(first, last))
    }

    /// The same when nothing follows.
    pub(super) fn last_state(&self, start: u64, end: u64) -> State {
        if start == end {
            return State::Right;
        }
        self.worst(start / self.pieces.len, (end - 1) / self.pieces.len)
    }

    fn worst(&self, first: u64, last: u64) -> State {
        let states = &self.states[first as usize..=last as usize];
        match (states.contains(&State::Wrong), states.contains(&State::Unknown)) {
            (true, _) => State::Wrong,
            (_, true) => State::Unknown,
            _ => State::Right,
        }
    }
}

#[cfg(test)]
mod tests {
    use jlanes::Digest;

    use super::*;

    fn pieces(data: &[u8], len: u64) -> Pieces {
        let digests = data.chunks(len as usize).map(|piece| Sha1::digest(piece).into()).collect();
        Pieces { len, digests }
    }

    #[test]
    fn pieces_are_compared_however_they_come() {
        let data: Vec<u8> = (0..100_000_u32).map(|i| (i % 251) as u8).collect();
        for len in [1, 7, 1000, 4096, 99_999, 100_000, 1 << 20, 5 << 20] {
            let pieces = pieces(&data, len);
            for step in [1000, 4096, 100_000] {
                let total = data.len() as u64;
                let mut comparison = Comparison::new(&pieces, total, Backend::detect());
                let mut at = 0;
                for part in data.chunks(step) {
                    comparison.update(at, part);
                    at += part.len() as u64;
                }
                assert_eq!(comparison.state(0, total), Some(State::Right), "{len} {step}");
            }
        }
    }

    #[test]
    fn a_gap_leaves_its_pieces_unknown_and_no_others() {
        let data: Vec<u8> = (0..100_000_u32).map(|i| (i % 251) as u8).collect();
        for len in [1000, 5 << 20] {
            let pieces = pieces(&data, len);
            let mut comparison = Comparison::new(&pieces, data.len() as u64, Backend::detect());
            comparison.update(0, &data[..10_500]);
            comparison.update(50_001, &data[50_001..]);
            let state = |start, end| comparison.last_state(start, end);
            if len == 1000 {
                assert_eq!(state(0, 10_000), State::Right);
                assert_eq!(state(51_000, 100_000), State::Right);
            }
            for (start, end) in [(10_000, 10_001), (0, 10_001), (50_999, 51_001), (20_000, 30_000)]
            {
                assert_eq!(state(start, end), State::Unknown, "{start}..{end}");
            }
        }
    }

    #[test]
    fn a_wrong_byte_is_found_in_its_piece() {
        let data = vec![7; 10_000];
        let pieces = pieces(&data, 100);
        let mut wrong = data.clone();
        wrong[5_050] = 8;
        let mut comparison = Comparison::new(&pieces, 10_000, Backend::detect());
        comparison.update(0, &wrong);
        for piece in 0..100 {
            let expected = if piece == 50 { State::Wrong } else { State::Right };
            assert_eq!(comparison.last_state(100 * piece, 100 * piece + 100), expected, "{piece}");
        }
    }
}
