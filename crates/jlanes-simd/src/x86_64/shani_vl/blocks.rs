//! The input of eight streams: messages, halves of messages of one block, or one message's words in turn.

use jlanes_core::{
    kernel::feed::Interleaved,
    simd::vector::{ByteOrder, SimdWord, Vector},
};

use super::{
    super::{ShaNi, vec128::U32x4},
    STREAMS, STREAMS_PER_CALL,
};

/// A source of blocks.
pub(super) trait BlockSource {
    /// A block of each of eight streams.
    type Blocks: Copy;

    /// Block `b` of the streams `8 * set` to `8 * set + 7`.
    fn blocks_of(&self, set: usize, b: usize) -> Self::Blocks;

    /// Words `4 * i` to `4 * i + 3` of the blocks of streams 0 to 3, or of 4 to 7 with `upper`.
    fn words(&self, unit: ShaNi, eight: &Self::Blocks, upper: bool, i: usize) -> [U32x4; STREAMS];
}

/// Contiguous blocks of each stream.
pub(super) struct ContiguousBlocks<'a> {
    blocks: [[&'a [[u8; 64]]; 8]; STREAMS_PER_CALL / 8],
}

impl<'a> ContiguousBlocks<'a> {
    #[inline(always)]
    pub(super) fn new(runs: &[&'a [u8]]) -> Self {
        let mut blocks = [[&[] as &[_]; 8]; STREAMS_PER_CALL / 8];
        for (blocks, run) in blocks.as_flattened_mut().iter_mut().zip(runs) {
            *blocks = run.as_chunks().0;
        }
        Self { blocks }
    }
}

impl<'a> BlockSource for ContiguousBlocks<'a> {
    type Blocks = [&'a [u8; 64]; 8];

    #[inline(always)]
    fn blocks_of(&self, set: usize, b: usize) -> [&'a [u8; 64]; 8] {
        let mut blocks = [&[0; 64]; 8];
        for (block, run) in blocks.iter_mut().zip(&self.blocks[set]) {
            *block = &run[b];
        }
        blocks
    }

    #[inline(always)]
    fn words(&self, unit: ShaNi, eight: &Self::Blocks, upper: bool, i: usize) -> [U32x4; STREAMS] {
        let mut words = [U32x4::splat(unit.proof(), 0); STREAMS];
        for s in 0..STREAMS {
            let block = eight[s + if upper { STREAMS } else { 0 }];
            words[s] = U32x4::load_bytes(unit.proof(), ByteOrder::Big, &block[16 * i..]);
        }
        words
    }
}

/// Messages of a block each.
pub(super) enum SingleBlocks<'m, 'a> {
    /// In one piece.
    Whole(&'m [&'a [u8]]),
    /// In two halves.
    Halves(&'m [[&'a [u8]; 2]]),
}

impl SingleBlocks<'_, '_> {
    /// The number of groups of eight.
    pub(super) fn sets(&self) -> usize {
        match self {
            Self::Whole(messages) => messages.len() / 8,
            Self::Halves(messages) => messages.len() / 8,
        }
    }
}

impl<'a> BlockSource for SingleBlocks<'_, 'a> {
    type Blocks = [[&'a [u8; 32]; 2]; 8];

    #[inline(always)]
    fn blocks_of(&self, set: usize, _: usize) -> Self::Blocks {
        let mut blocks = [[&[0; 32]; 2]; 8];
        match self {
            Self::Whole(messages) => {
                for (block, message) in blocks.iter_mut().zip(&messages[8 * set..][..8]) {
                    let [left, right, ..] = message.as_chunks().0 else { panic!("a block each") };
                    *block = [left, right];
                }
            }
            Self::Halves(messages) => {
                for (block, halves) in blocks.iter_mut().zip(&messages[8 * set..][..8]) {
                    let [Some(left), Some(right)] = halves.map(<[u8]>::first_chunk) else {
                        panic!("two halves each")
                    };
                    *block = [left, right];
                }
            }
        }
        blocks
    }

    #[inline(always)]
    fn words(&self, unit: ShaNi, eight: &Self::Blocks, upper: bool, i: usize) -> [U32x4; STREAMS] {
        let mut words = [U32x4::splat(unit.proof(), 0); STREAMS];
        for s in 0..STREAMS {
            let half = eight[s + if upper { STREAMS } else { 0 }][i / 2];
            words[s] = U32x4::load_bytes(unit.proof(), ByteOrder::Big, &half[16 * (i % 2)..]);
        }
        words
    }
}

impl<'a> BlockSource for Interleaved<'a> {
    type Blocks = Interleaved<'a>;

    #[inline(always)]
    fn blocks_of(&self, set: usize, b: usize) -> Interleaved<'a> {
        Interleaved { data: &self.data[4 * (16 * b * self.lanes + 8 * set)..], ..*self }
    }

    #[inline(always)]
    fn words(&self, unit: ShaNi, eight: &Self::Blocks, upper: bool, i: usize) -> [U32x4; STREAMS] {
        let mut rows = [U32x4::splat(unit.proof(), 0); STREAMS];
        for t in 0..4 {
            let first = (4 * i + t) * eight.lanes + if upper { STREAMS } else { 0 };
            rows[t] = U32x4::load_bytes(unit.proof(), ByteOrder::Big, &eight.data[4 * first..]);
        }
        U32x4::transpose(rows)
    }
}
