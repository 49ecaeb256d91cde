//! SHA-256 on many streams by two units: schedules in AVX-512VL's vectors, one stream per lane, and
//! rounds by SHA-NI. It is n-SMS (\[SMS\]) over several messages instead of the blocks of one.
//!
//! On Zen 4 a `sha256rnds2` can start every cycle, and a block has 32 of them, but `sha256msg1` and
//! `sha256msg2` take as long again: a block takes 64 cycles with these instructions, and as long with vectors
//! alone. In vectors of eight lanes a schedule costs each lane 66 operations, and the core starts four per
//! cycle. So either unit leaves time for the other, and the next schedules are computed between the rounds:
//! 47 cycles per block.

use core::{
    arch::asm,
    mem::{self, MaybeUninit},
};

use jlanes_core::{
    compression::{ContiguousDigests, RunByteOrder, Shape},
    kernel::{
        Kernel, KernelCode, StreamKernel, WholeMessages, feed::Interleaved, plan::KernelKind,
    },
    simd::vector::{ByteOrder, Isa, SimdWord, Vector},
};

use super::{
    Avx512Vl, ShaNi,
    shani::sha256,
    vec128::U32x4,
    vec256::{U32x8, join},
};
use crate::common::{
    needs::Needs,
    token::{Token, token},
};

mod blocks;
mod rounds;
mod schedules;

use blocks::{BlockSource, ContiguousBlocks, SingleBlocks};
use rounds::{States, all_rounds, feed_forward, shared_block, shared_rounds};
use schedules::enter_schedules;

token! {
    /// The CPU supports the SHA extensions and AVX-512VL.
    ShaNiVl(ShaNi, Avx512Vl): "shani+avx512vl", Needs::SHANI.union(Needs::AVX512VL);
    enables ["sha", "avx512f", "avx512vl", "bmi1", "bmi2"];

    /// Advances streams by their runs of blocks.
    fn advance(
        shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        if order == RunByteOrder::Message {
            enter_advance(ShaNiVl::new(), states, &ContiguousBlocks::new(runs), blocks, shared);
        } else {
            // single blocks gain nothing from schedules ahead; no plan selects this kernel for them
            for (state, run) in states.chunks_exact_mut(8).zip(runs) {
                sha256::<1>(shape, state, &[run], order, blocks, shared);
            }
        }
    }

    /// Advances streams that take turns at the words of one message.
    fn interleaved(states: &mut [u32], rows: Interleaved<'_>, blocks: usize, shared: &[u32]) {
        enter_advance(ShaNiVl::new(), states, &rows, blocks, shared);
    }

    /// Hashes whole messages from their start to their digests.
    fn digest(work: WholeMessages<'_, '_, u32>) {
        enter_digest(ShaNiVl::new(), work);
    }

    /// Hashes messages of two blocks: one that is given as two halves, and a shared one.
    fn halves(work: WholeMessages<'_, '_, u32>) {
        let blocks = SingleBlocks::Halves(work.messages.as_chunks().0);
        enter_one_and_shared(ShaNiVl::new(), work.start, blocks, work.shared, DigestBytes(work.digests));
    }
}

/// The kernel of eight and more streams of SHA-256.
pub(super) const KERNEL: Kernel<u32> = Kernel {
    name: ShaNiVl::NAME,
    needs: ShaNiVl::SETS.bits(),
    kind: KernelKind::Streams8,
    lanes: 8,
    code: KernelCode::Streams(StreamKernel {
        advance,
        max_streams: STREAMS_PER_CALL,
        interleaved: Some(interleaved),
        digest: Some(digest),
        halves: Some(halves),
        rehash: None,
    }),
};

/// The maximum number of streams per call: enough for the first schedules without rounds, and the
/// last rounds without schedules, to be negligible.
const STREAMS_PER_CALL: usize = 32;

/// Streams that one pass of rounds interleaves: a pair of rounds has a latency of four cycles, and
/// one can start in each.
const STREAMS: usize = 4;

impl ShaNiVl {
    #[inline(always)]
    fn rounds(self) -> ShaNi {
        self.0.0
    }

    #[inline(always)]
    fn schedules(self) -> Avx512Vl {
        self.0.1
    }
}

/// The states of all streams, in groups of eight.
type AllStates = [[States; 2]; STREAMS_PER_CALL / 8];

/// Four words of `W_t + K_t` of a block of each of eight streams: those of stream `s` of half `h` are at `[s][h]`.
type FourWords = [[[u32; 4]; 2]; STREAMS];

/// All words of eight blocks, four by four. Uninitialized: clearing them takes 6 % of the time of sixteen tree nodes.
#[repr(align(64))]
struct Words([MaybeUninit<FourWords>; 16]);

impl Words {
    const EMPTY: Self = Self([const { MaybeUninit::uninit() }; 16]);

    /// Words `4 * g` to `4 * g + 3`.
    ///
    /// # Safety
    /// They were stored.
    #[inline(always)]
    unsafe fn four(&self, g: usize) -> &FourWords {
        // SAFETY: the caller's condition.
        unsafe { self.0[g].assume_init_ref() }
    }
}

/// The words of the current blocks and of the next ones.
type Buffers = [Words; 2];

/// Repeats a block with `$g` from 0 to 15. A loop would keep the schedule in memory; with debug
/// assertions it is a loop nevertheless, to limit the size of the program.
macro_rules! for_each_group {
    ($g:ident => $body:block) => {
        #[cfg(debug_assertions)]
        for $g in 0..16 $body
        #[cfg(not(debug_assertions))]
        for_each_group!(@ $g $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    };
    (@ $g:ident $body:block $($n:literal)*) => {
        $({ let $g: usize = $n; $body })*
    };
}
use for_each_group;

/// Advances streams by `blocks` blocks of `feed`, and then by a shared one.
///
/// # Panics
/// If their number is not a multiple of eight, or exceeds [`STREAMS_PER_CALL`].
#[inline]
#[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
fn enter_advance<F: BlockSource>(
    token: ShaNiVl,
    states: &mut [u32],
    feed: &F,
    blocks: usize,
    shared: &[u32],
) {
    let states: &mut [[[u32; 8]; STREAMS]] = states.as_chunks_mut().0.as_chunks_mut().0;
    let mut sets: AllStates = [[States::zero(token.rounds()); 2]; STREAMS_PER_CALL / 8];
    let sets = &mut sets[..states.len() / 2];
    for (set, states) in sets.as_flattened_mut().iter_mut().zip(&*states) {
        for s in 0..STREAMS {
            (set.abef[s], set.cdgh[s]) = sha256::to_pairs(&states[s]);
        }
    }
    let mut buffers = [Words::EMPTY; 2];
    enter_compress(token, &mut buffers, sets, feed, blocks, shared);
    for (set, states) in sets.as_flattened().iter().zip(states) {
        for s in 0..STREAMS {
            sha256::from_pairs(&mut states[s], set.abef[s], set.cdgh[s]);
        }
    }
}

#[inline]
#[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
fn enter_digest(token: ShaNiVl, work: WholeMessages<'_, '_, u32>) {
    let mut digests = DigestBytes(work.digests);
    if work.blocks == 1 && !work.shared.is_empty() {
        let blocks = SingleBlocks::Whole(work.messages);
        return enter_one_and_shared(token, work.start, blocks, work.shared, digests);
    }
    let start = states_from(work.start);
    let mut buffers = [Words::EMPTY; 2];
    for messages in work.messages.chunks(STREAMS_PER_CALL) {
        let mut sets: AllStates = [[start; 2]; STREAMS_PER_CALL / 8];
        let sets = &mut sets[..messages.len() / 8];
        let feed = ContiguousBlocks::new(messages);
        enter_compress(token, &mut buffers, sets, &feed, work.blocks, work.shared);
        for set in sets.as_flattened() {
            digests.write(token, set);
        }
    }
}

/// One state in four streams.
#[inline]
#[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
fn states_from(state: &[u32]) -> States {
    let Some(state) = state.first_chunk() else { panic!("a state has eight words") };
    let (abef, cdgh) = sha256::to_pairs(state);
    States { abef: [abef; STREAMS], cdgh: [cdgh; STREAMS] }
}

/// The room for digests that have not been written yet.
struct DigestBytes<'a>(ContiguousDigests<'a>);

impl DigestBytes<'_> {
    /// Writes those of the next four streams.
    #[inline]
    #[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
    fn write(&mut self, token: ShaNiVl, set: &States) {
        let size = self.0.size;
        let (own, rest) = mem::take(&mut self.0.bytes).split_at_mut(STREAMS * size);
        self.0.bytes = rest;
        for (s, out) in own.chunks_exact_mut(size).enumerate() {
            let (abcd, efgh) = sha256::in_order(set.abef[s], set.cdgh[s]);
            let proof = token.rounds().proof();
            let [abcd, efgh] = [U32x4::from_raw(proof, abcd), U32x4::from_raw(proof, efgh)];
            let words = join(token.schedules().proof(), abcd, efgh);
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

/// Advances streams by `blocks` blocks each, then by the block with `W_t + K_t` in `shared`, if any.
/// All first blocks come before all second ones: with more than one set, neighbours are
/// independent. The next schedules are computed between rounds, to keep all units busy.
#[inline(never)] // one call for up to 32 streams, from each of the kernels above
#[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
#[allow(unused_assignments)] // of the last group
fn enter_compress<F: BlockSource>(
    token: ShaNiVl,
    buffers: &mut Buffers,
    sets: &mut [[States; 2]],
    feed: &F,
    blocks: usize,
    shared: &[u32],
) {
    let unit = token.rounds();
    if blocks > 0 {
        let [mut now, mut ahead] = buffers.each_mut();
        enter_schedules(token, feed, &feed.blocks_of(0, 0), now);
        let (mut set, mut b) = (0, 0);
        loop {
            let (of, at) = if set + 1 == sets.len() { (0, b + 1) } else { (set + 1, b) };
            if at == blocks {
                break;
            }
            let eight = feed.blocks_of(of, at);
            let mut w = [U32x8::splat(token.schedules().proof(), 0); 64];
            let mut own = sets[set][0];
            for_each_group!(g => {
                let half = g / 8;
                let mut rows = schedules::start(token, feed, &eight, g, &mut w);
                for i in 0..4 {
                    schedules::word(token, g, i, &mut w, &mut rows);
                    keep_interleaved(token, &mut own, &mut w[4 * g + i]);
                    // SAFETY: all words of `now` were stored, before the loop or as those of `ahead`.
                    let words = unsafe { now.four(2 * g % 16 + i / 2) };
                    rounds::rounds(unit, half, &mut own, words, i % 2 == 1);
                }
                schedules::store(g, rows, ahead);
                if g % 8 == 7 {
                    feed_forward(&mut sets[set][half], &own);
                    own = sets[set][1];
                }
            });
            (now, ahead) = (ahead, now);
            (set, b) = (of, at);
        }
        for (half, set) in sets[set].iter_mut().enumerate() {
            // SAFETY: as above.
            unsafe { all_rounds(unit, half, set, now) };
        }
    }
    if !shared.is_empty() {
        for set in sets.as_flattened_mut() {
            shared_block(unit, set, shared);
        }
    }
}

/// Keeps the compiler from moving rounds before a word of the schedules, or after it. In its order, which has
/// long runs of either, the units wait for each other.
#[inline]
#[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
fn keep_interleaved(token: ShaNiVl, set: &mut States, word: &mut U32x8) {
    if cfg!(miri) {
        return; // Miri does not run assembly
    }
    let mut raw = word.raw();
    // SAFETY: there is no instruction, only registers that the compiler has to fill.
    unsafe {
        asm!(
            "/* {} {} */", inout(xmm_reg) set.abef[0], inout(ymm_reg) raw,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    *word = U32x8::from_raw(token.schedules().proof(), raw);
}

/// Hashes messages of one block and a shared one. The rounds of both hide the next schedules: with twice as many
/// rounds, schedules are free.
#[inline(never)] // one copy for whole messages and halves
#[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
#[allow(unused_assignments)] // of the last group
fn enter_one_and_shared(
    token: ShaNiVl,
    start: &[u32],
    blocks: SingleBlocks<'_, '_>,
    shared: &[u32],
    mut digests: DigestBytes<'_>,
) {
    if blocks.sets() == 0 {
        return;
    }
    let unit = token.rounds();
    let start = states_from(start);
    let kw: &[[u32; 4]] = &shared.as_chunks().0[..16];
    let mut buffers = [Words::EMPTY; 2];
    let [mut now, mut ahead] = buffers.each_mut();
    let blocks = &blocks;
    enter_schedules(token, blocks, &blocks.blocks_of(0, 0), now);
    for set in 1..blocks.sets() {
        let eight = blocks.blocks_of(set, 0);
        let mut w = [U32x8::splat(token.schedules().proof(), 0); 64];
        let (mut sets, mut own) = ([start; 2], start);
        for_each_group!(g => {
            let mut rows = schedules::start(token, blocks, &eight, g, &mut w);
            for i in 0..4 {
                schedules::word(token, g, i, &mut w, &mut rows);
                keep_interleaved(token, &mut own, &mut w[4 * g + i]);
                let at = 4 * (g % 4) + i;
                if g % 8 < 4 {
                    // SAFETY: all words of `now` were stored, before the loop or as those of `ahead`.
                    let words = unsafe { now.four(at) };
                    rounds::rounds(unit, g / 8, &mut own, words, false);
                    rounds::rounds(unit, g / 8, &mut own, words, true);
                } else {
                    shared_rounds(unit, &mut own, &kw[at]);
                }
            }
            schedules::store(g, rows, ahead);
            if g % 4 == 3 {
                feed_forward(&mut sets[g / 8], &own);
                own = sets[if g % 8 == 3 { g / 8 } else { 1 }];
            }
        });
        // not between the rounds, where a call for a shorter digest would spill the schedules
        digests.write(token, &sets[0]);
        digests.write(token, &sets[1]);
        (now, ahead) = (ahead, now);
    }
    for half in 0..2 {
        let mut set = start;
        // SAFETY: as above.
        unsafe { all_rounds(unit, half, &mut set, now) };
        shared_block(unit, &mut set, shared);
        digests.write(token, &set);
    }
}
