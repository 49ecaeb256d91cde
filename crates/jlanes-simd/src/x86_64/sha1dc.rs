//! SHA-1 of one message with detection of collision attacks: rounds by SHA-NI, and the bits of the schedule in which
//! the conditions are.
//!
//! The rounds of a block are one chain of 122 cycles on Zen, which leaves most of the core idle. A register has four
//! words of the schedule, and all bits with conditions are in their first and last bytes. Thirty-two of either fill two
//! registers, and `pmovmskb` takes one bit of each.

use core::arch::x86_64::*;

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    hashes::sha1::{
        Sha1Compression,
        checked::{
            CheckedCompression, FLAGS,
            stream::{UnitState, advance_by_unit},
        },
    },
    kernel::stream::advance_shared,
};

use super::{
    ShaNi,
    shani::{
        self, byte_shuffle, load_words,
        sha1::{Stream, reverse, schedule},
        store4,
    },
};

/// Advances one message by the blocks of its run, then by the block with `W_t` in `shared`, if any.
#[inline(always)]
pub(super) fn advance(
    _: ShaNi,
    shape: &Shape<u32>,
    state: &mut [u32],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[u32],
) {
    advance_by_unit::<CheckedStream>(state, &runs[0][..blocks * shape.block_bytes], order);
    advance_shared::<CheckedCompression>(shape, state, shared);
}

/// The state in the unit.
#[derive(Clone, Copy)]
struct CheckedStream(Stream);

impl UnitState for CheckedStream {
    type Trace = Trace;

    #[inline(always)]
    fn load(state: &[u32; FLAGS]) -> Self {
        // SAFETY: only `advance` uses the type, which has a token of the features.
        Self(unsafe { Stream::load(state) })
    }

    #[inline(always)]
    fn compress(&mut self, block: &[u8; 64], order: RunByteOrder) -> Trace {
        // SAFETY: as above.
        unsafe { compress(&mut self.0, block, order) }
    }

    #[inline(always)]
    fn compress_plain(state: &mut [u32; FLAGS], block: &[u8; 64]) {
        let shape = Shape::of::<Sha1Compression>();
        shani::sha1::<1>(&shape, state, &[block], RunByteOrder::Message, 1, &[]);
    }

    #[inline(always)]
    fn bits(trace: &Trace, position: usize) -> u32 {
        // SAFETY: as above.
        unsafe { trace.bits(position) }
    }

    #[inline(always)]
    fn store(self, state: &mut [u32; FLAGS]) {
        // SAFETY: as above.
        unsafe { self.0.store(state) }
    }

    #[inline(always)]
    fn traced(trace: Trace) -> ([u32; 16], [[u32; FLAGS]; 2]) {
        // SAFETY: as above.
        unsafe { trace.traced() }
    }
}

/// Words of a block's schedule, and its states before the steps 56 and 64.
#[derive(Clone, Copy)]
struct Trace {
    /// The words of the steps 64, 65 and 34 to 63, four by four.
    words: [__m128i; 8],
    states: [Stream; 2],
}

impl Trace {
    /// The bits of the words at a position from 0 to 7 or from 28 to 30.
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn bits(&self, position: usize) -> u32 {
        // of four words, the first of which is in the last lane, the last bytes in order, and the first ones
        let ends = _mm_setr_epi8(12, 8, 4, 0, 15, 11, 7, 3, -1, -1, -1, -1, -1, -1, -1, -1);
        let mut bits = 0;
        for half in 0..2 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| self.words[4 * half + i]);
            let ab = _mm_unpacklo_epi32(_mm_shuffle_epi8(a, ends), _mm_shuffle_epi8(b, ends));
            let cd = _mm_unpacklo_epi32(_mm_shuffle_epi8(c, ends), _mm_shuffle_epi8(d, ends));
            let bytes =
                if position < 8 { _mm_unpacklo_epi64(ab, cd) } else { _mm_unpackhi_epi64(ab, cd) };
            let last_bit = _mm_cvtsi32_si128(7 - position as i32 % 8);
            bits |= _mm_movemask_epi8(_mm_sll_epi16(bytes, last_bit)) << (16 * half);
        }
        bits as u32
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn traced(self) -> ([u32; 16], [[u32; FLAGS]; 2]) {
        let (mut words, mut states) = ([0; 16], [[0; FLAGS]; 2]);
        let quads: &mut [[u32; 4]] = words.as_chunks_mut().0;
        for (to, four) in quads.iter_mut().zip(&self.words[4..]) {
            store4(to, reverse(*four));
        }
        words[0] = _mm_extract_epi32::<3>(self.words[0]) as u32;
        for (to, state) in states.iter_mut().zip(self.states) {
            state.store(to);
            // its `e` is the `a` of four steps ago
            to[4] = to[4].rotate_left(30);
        }
        (words, states)
    }
}

/// Advances the state by a block.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress(now: &mut Stream, block: &[u8; 64], order: RunByteOrder) -> Trace {
    let order = reverse(byte_shuffle(ShaNi::new(), order));
    let mut words = [order; 4];
    for (words, bytes) in words.iter_mut().zip(block.as_chunks().0) {
        *words = load_words(ShaNi::new(), bytes, order);
    }
    let before = *now;
    let mut trace = Trace { words: [order; 8], states: [before; 2] };
    stage::<0>(now, &mut words, &mut trace);
    stage::<1>(now, &mut words, &mut trace);
    stage::<2>(now, &mut words, &mut trace);
    stage::<3>(now, &mut words, &mut trace);
    now.feed_forward(&before);
    trace
}

/// Twenty rounds and the following schedule.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn stage<const STAGE: i32>(now: &mut Stream, words: &mut [__m128i; 4], trace: &mut Trace) {
    for i in 0..5 {
        let quad = 5 * STAGE as usize + i;
        let four = words[quad % 4];
        match quad {
            8..16 => trace.words[quad - 8] = four,
            16 => trace.words[0] = _mm_blend_epi16::<0xf0>(trace.words[0], four),
            _ => {}
        }
        if quad == 14 || quad == 16 {
            trace.states[quad / 16] = *now;
        }
        now.rounds4::<STAGE>(quad == 0, four);
        if quad < 16 {
            schedule(words, quad);
        }
    }
}
