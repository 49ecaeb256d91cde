//! SHA-256 on many streams by two units: schedules in AVX-512VL's vectors, a stream a lane, and rounds by
//! SHA-NI. It is n-SMS (\[SMS\]) over messages instead of the blocks of one.
//!
//! On Zen 4 a `sha256rnds2` can start every cycle, and a block has 32 of them, but `sha256msg1` and
//! `sha256msg2` take as long again: a block takes 64 cycles by these instructions, and by vectors alone. In
//! vectors of eight lanes a schedule costs each lane 66 operations, of which the core does four a cycle. So
//! each unit leaves most of its time to the other, and the next schedules are computed between the rounds:
//! 54 cycles a block (EPYC, 2026-11-23).

use core::arch::x86_64::*;

use jlanes_core::{
    engine::messages::Whole,
    hashes::sha2::{Sha2, consts::K32},
    simd::{
        isa::Isa,
        lanes::{ByteOrder, Lanes, Vector},
        layout::Interleaved,
    },
    sms::Scheduled,
};

use super::{
    Avx512Vl, ShaNi,
    shani::sha256,
    vec128::U32x4,
    vec256::{U32x8, join, transpose_halves},
};
use crate::{
    features::Features,
    streams::{MANY, ManyStreams},
};

mod blocks;

use blocks::{Blocks, Runs};

/// The CPU has the SHA extensions and AVX-512VL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShaNiVl {
    rounds: ShaNi,
    schedules: Avx512Vl,
}

impl ManyStreams<Sha2<u32>> for ShaNiVl {
    const NAME: &'static str = "shani+avx512vl";

    #[inline(always)]
    fn of(features: Features) -> Option<Self> {
        Some(Self { rounds: features.shani()?, schedules: features.avx512vl()? })
    }

    #[inline]
    fn advance(
        self,
        states: &mut [[u32; 8]],
        runs: &[&[u8]],
        blocks: usize,
        last: Option<&[u32; 64]>,
    ) {
        // SAFETY: the tokens exist only where these features have been detected.
        unsafe { enter_advance(self, states, &Runs::of(runs), blocks, last) }
    }

    #[inline]
    fn digest(self, work: Whole<'_, '_, Sha2<u32>>) {
        // SAFETY: the tokens exist only where these features have been detected.
        unsafe { enter_digest(self, work) }
    }

    #[inline]
    fn advance_interleaved(
        self,
        states: &mut [[u32; 8]],
        rows: Interleaved<'_>,
        blocks: usize,
        last: Option<&[u32; 64]>,
    ) {
        // SAFETY: the tokens exist only where these features have been detected.
        unsafe { enter_advance(self, states, &rows, blocks, last) }
    }
}

/// Streams that one pass of rounds interleaves: a pair of rounds takes four cycles, and one can start
/// in each.
const FOUR: usize = 4;

/// The states of four streams, in the order of `sha256rnds2`.
#[derive(Clone, Copy)]
struct States {
    abef: [__m128i; FOUR],
    cdgh: [__m128i; FOUR],
}

impl States {
    #[inline(always)]
    fn zero(_: ShaNi) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        let zero = unsafe { _mm_setzero_si128() };
        Self { abef: [zero; FOUR], cdgh: [zero; FOUR] }
    }
}

/// The states of all streams, by eights.
type Sets = [[States; 2]; MANY / 8];

/// `W_t + K_t` of a block of each of eight streams: words `4 * g` to `4 * g + 3` of stream `s` of half
/// `h` are at `[g][s][h]`.
#[repr(align(64))]
struct Words([[[[u32; 4]; 2]; FOUR]; 16]);

impl Words {
    const ZERO: Self = Self([[[[0; 4]; 2]; FOUR]; 16]);
}

/// The words of this set's blocks, and of the next ones. To clear them takes as long as a block of a
/// stream or two, so that is done once a call.
type Buffers = [Words; 2];

/// Repeats a block with `const G: usize` from 0 to 15. As a loop it would keep the schedule in memory.
macro_rules! for_each_group {
    ($body:block) => {
        for_each_group!(@ $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $body:block $($g:literal)*) => {
        $({ const G: usize = $g; $body })*
    };
}

#[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
fn enter_advance<F: Blocks>(
    token: ShaNiVl,
    states: &mut [[u32; 8]],
    feed: &F,
    blocks: usize,
    last: Option<&[u32; 64]>,
) {
    let mut sets: Sets = [[States::zero(token.rounds); 2]; MANY / 8];
    let sets = &mut sets[..states.len() / 8];
    for (set, states) in sets.as_flattened_mut().iter_mut().zip(states.as_chunks().0) {
        let states: &[_; FOUR] = states;
        for s in 0..FOUR {
            (set.abef[s], set.cdgh[s]) = sha256::to_pairs(&states[s]);
        }
    }
    let mut buffers = [Words::ZERO; 2];
    compress(token, &mut buffers, sets, feed, blocks, last);
    for (set, states) in sets.as_flattened().iter().zip(states.as_chunks_mut().0) {
        let states: &mut [_; FOUR] = states;
        for s in 0..FOUR {
            sha256::from_pairs(&mut states[s], set.abef[s], set.cdgh[s]);
        }
    }
}

#[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
fn enter_digest(token: ShaNiVl, work: Whole<'_, '_, Sha2<u32>>) {
    let (abef, cdgh) = sha256::to_pairs(work.start);
    let start = States { abef: [abef; FOUR], cdgh: [cdgh; FOUR] };
    let size = work.digests.len() / work.messages.len();
    let mut digests = work.digests.chunks_exact_mut(size);
    let mut buffers = [Words::ZERO; 2];
    for messages in work.messages.chunks(MANY) {
        let mut sets: Sets = [[start; 2]; MANY / 8];
        let sets = &mut sets[..messages.len() / 8];
        let feed = Runs::of(messages);
        match work.last {
            Some(last) if work.blocks == 1 => {
                compress_one_and_shared(token, &mut buffers, sets, &feed, last);
            }
            last => compress(token, &mut buffers, sets, &feed, work.blocks, last),
        }
        for set in sets.as_flattened() {
            for s in 0..FOUR {
                let Some(out) = digests.next() else { unreachable!("a digest a message") };
                let (abcd, efgh) = sha256::in_order(set.abef[s], set.cdgh[s]);
                let [abcd, efgh] = [abcd, efgh].map(|words| U32x4::of(token.rounds.proof(), words));
                let words = join(token.schedules.proof(), abcd, efgh);
                match out.as_chunks_mut::<32>().0 {
                    [out] => words.store_bytes(ByteOrder::Big, out),
                    _ => {
                        // the digest of a shorter member of the family
                        let mut bytes = [0; 32];
                        words.store_bytes(ByteOrder::Big, &mut bytes);
                        out.copy_from_slice(&bytes[..size]);
                    }
                }
            }
        }
    }
}

/// Advances streams by `blocks` blocks each, then by the block whose `W_t + K_t` are `last`, if there is
/// one. All first blocks are done, then all second ones: neighbours are independent if there is more
/// than one set. The next schedules are computed between rounds, so that all units have work.
#[inline(always)]
fn compress<F: Blocks>(
    token: ShaNiVl,
    buffers: &mut Buffers,
    sets: &mut [[States; 2]],
    feed: &F,
    blocks: usize,
    last: Option<&[u32; 64]>,
) {
    let unit = token.rounds;
    if blocks > 0 {
        let [mut now, mut ahead] = buffers.each_mut();
        schedule_all::<F>(token, &feed.eight(0, 0), now);
        let (mut set, mut b) = (0, 0);
        loop {
            let (of, at) = if set + 1 == sets.len() { (0, b + 1) } else { (set + 1, b) };
            if at == blocks {
                break;
            }
            let eight = feed.eight(of, at);
            let mut w = [U32x8::splat(token.schedules.proof(), 0); 64];
            let mut own = sets[set][0];
            for_each_group!({
                const H: usize = G / 8;
                schedule::<F, G>(token, &eight, &mut w, ahead);
                rounds::<H>(unit, &mut own, &now.0[2 * G % 16]);
                rounds::<H>(unit, &mut own, &now.0[2 * G % 16 + 1]);
                if G % 8 == 7 {
                    feed_forward(&mut sets[set][H], &own);
                    own = sets[set][1];
                }
            });
            (now, ahead) = (ahead, now);
            (set, b) = (of, at);
        }
        all_rounds::<0>(unit, &mut sets[set][0], now);
        all_rounds::<1>(unit, &mut sets[set][1], now);
    }
    if let Some(last) = last {
        for set in sets.as_flattened_mut() {
            shared(unit, set, last);
        }
    }
}

/// The same for one block and a shared one, with the rounds of the latter among those that the next
/// schedules are computed between: these are twice as many then, and schedules take no time.
#[inline(always)]
fn compress_one_and_shared<F: Blocks>(
    token: ShaNiVl,
    buffers: &mut Buffers,
    sets: &mut [[States; 2]],
    feed: &F,
    last: &[u32; 64],
) {
    let unit = token.rounds;
    let [mut now, mut ahead] = buffers.each_mut();
    schedule_all::<F>(token, &feed.eight(0, 0), now);
    let kw: &[[u32; 4]] = last.as_chunks().0;
    for set in 0..sets.len() - 1 {
        let eight = feed.eight(set + 1, 0);
        let mut w = [U32x8::splat(token.schedules.proof(), 0); 64];
        let mut own = sets[set][0];
        for_each_group!({
            const H: usize = G / 8;
            schedule::<F, G>(token, &eight, &mut w, ahead);
            for i in 4 * (G % 4)..4 * (G % 4) + 4 {
                if G % 8 < 4 {
                    rounds::<H>(unit, &mut own, &now.0[i]);
                } else {
                    shared_rounds(unit, &mut own, &kw[i]);
                }
            }
            if G % 4 == 3 {
                feed_forward(&mut sets[set][H], &own);
                own = sets[set][if G % 8 == 3 { H } else { 1 }];
            }
        });
        (now, ahead) = (ahead, now);
    }
    if let [.., set] = sets {
        all_rounds::<0>(unit, &mut set[0], now);
        all_rounds::<1>(unit, &mut set[1], now);
        shared(unit, &mut set[0], last);
        shared(unit, &mut set[1], last);
    }
}

/// All schedules of eight blocks, with no rounds beside them.
#[inline(always)]
fn schedule_all<F: Blocks>(token: ShaNiVl, eight: &F::Eight, words: &mut Words) {
    let mut w = [U32x8::splat(token.schedules.proof(), 0); 64];
    for_each_group!({
        schedule::<F, G>(token, eight, &mut w, words);
    });
}

/// Words `4 * G` to `4 * G + 3` of the schedules.
#[inline(always)]
fn schedule<F: Blocks, const G: usize>(
    token: ShaNiVl,
    eight: &F::Eight,
    w: &mut [U32x8; 64],
    words: &mut Words,
) {
    let proof = token.schedules.proof();
    let zero = U32x8::splat(proof, 0);
    let mut rows = [zero; FOUR];
    if G < 4 {
        // the message as it is, a stream a row
        let narrow = token.rounds.proof();
        let low = F::words(token.rounds, eight, false, G);
        let high = F::words(token.rounds, eight, true, G);
        for s in 0..FOUR {
            rows[s] = join(proof, low[s], high[s]);
        }
        w[4 * G..4 * G + 4].copy_from_slice(&transpose_halves(rows));
        let k = U32x4::load(narrow, &K32[4 * G..]);
        for row in &mut rows {
            *row = row.add(join(proof, k, k));
        }
    } else {
        for i in 0..4 {
            let t = 4 * G + i;
            w[t] = Sha2::<u32>::next_word(w, t);
            rows[i] = w[t].add(U32x8::splat(proof, K32[t]));
        }
        rows = transpose_halves(rows);
    }
    for s in 0..FOUR {
        rows[s].store(words.0[G][s].as_flattened_mut());
    }
}

/// Four rounds of the four streams of half `H`. It must be inlined: a call would take the states
/// through memory.
#[inline(always)]
fn rounds<const H: usize>(unit: ShaNi, set: &mut States, words: &[[[u32; 4]; 2]; FOUR]) {
    for s in 0..FOUR {
        let [low, high] = words[s][H].as_chunks().0 else { unreachable!("four words") };
        // two loads, and no shuffle: there are loads to spare
        set.cdgh[s] = two_rounds(unit, set.cdgh[s], set.abef[s], load2(unit, low));
        set.abef[s] = two_rounds(unit, set.abef[s], set.cdgh[s], load2(unit, high));
    }
}

#[inline(always)]
fn two_rounds(_: ShaNi, cdgh: __m128i, abef: __m128i, kw: __m128i) -> __m128i {
    // SAFETY: the token stands for the SHA extensions.
    unsafe { _mm_sha256rnds2_epu32(cdgh, abef, kw) }
}

/// Two words, and zeros.
#[inline(always)]
fn load2(_: ShaNi, words: &[u32; 2]) -> __m128i {
    // SAFETY: SSE2 is part of x86-64; 8 bytes are readable in `[u32; 2]`, at any alignment.
    unsafe { _mm_loadl_epi64(words.as_ptr().cast()) }
}

/// All rounds of half `H`, with nothing beside them.
#[inline(always)]
fn all_rounds<const H: usize>(unit: ShaNi, set: &mut States, words: &Words) {
    let mut after = *set;
    for words in &words.0 {
        rounds::<H>(unit, &mut after, words);
    }
    feed_forward(set, &after);
}

/// The rounds of a block that all streams share.
#[inline(always)]
fn shared(unit: ShaNi, set: &mut States, last: &[u32; 64]) {
    let mut after = *set;
    for kw in last.as_chunks().0 {
        shared_rounds(unit, &mut after, kw);
    }
    feed_forward(set, &after);
}

/// Four of them.
#[inline(always)]
fn shared_rounds(unit: ShaNi, set: &mut States, kw: &[u32; 4]) {
    let [low, high] = kw.as_chunks().0 else { unreachable!("four words") };
    let (low, high) = (load2(unit, low), load2(unit, high));
    for s in 0..FOUR {
        set.cdgh[s] = two_rounds(unit, set.cdgh[s], set.abef[s], low);
    }
    for s in 0..FOUR {
        set.abef[s] = two_rounds(unit, set.abef[s], set.cdgh[s], high);
    }
}

#[inline(always)]
fn feed_forward(set: &mut States, after: &States) {
    for s in 0..FOUR {
        // SAFETY: SSE2 is part of x86-64.
        set.abef[s] = unsafe { _mm_add_epi32(set.abef[s], after.abef[s]) };
        // SAFETY: as above.
        set.cdgh[s] = unsafe { _mm_add_epi32(set.cdgh[s], after.cdgh[s]) };
    }
}
