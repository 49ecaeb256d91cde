//! The SHA-512 instructions (FEAT_SHA512), on one stream or on two interleaved ones.

use core::arch::aarch64::*;

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    hashes::sha2::consts::K64,
};

use super::Neon;
use crate::common::{
    blocks::{self, Blocks},
    needs::Needs,
    token::token,
};

token! {
    /// The CPU supports the SHA-512 instructions (and NEON).
    Sha512Ce(Neon): "sha512ce", Needs::SHA512CE;
    enables ["neon", "sha3"]; // which to rustc includes SHA-512's

    /// SHA-512 on `S` streams, one or two: a stream takes eight registers of schedule and four of
    /// state, so three exceed the registers.
    fn sha512<const S: usize>(
        _shape: &Shape<u64>,
        states: &mut [u64],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u64],
    ) {
        advance::<S>(states, &Blocks::new(runs, blocks), order, shared);
    }
}

/// Sixteen rounds of every stream, and the following schedule if there are `$more`; `$w` is a ring
/// of eight registers. Each step is a call with constant registers. A function would not be inlined
/// into loops over three streams, and all words would go through memory.
macro_rules! rounds16 {
    ($streams:expr, $w:expr, $k:expr, $more:literal) => {
        let k: &[[u64; 2]] = $k.as_chunks().0;
        step::<0, S, $more>($streams, $w, &k[0]);
        step::<1, S, $more>($streams, $w, &k[1]);
        step::<2, S, $more>($streams, $w, &k[2]);
        step::<3, S, $more>($streams, $w, &k[3]);
        step::<4, S, $more>($streams, $w, &k[4]);
        step::<5, S, $more>($streams, $w, &k[5]);
        step::<6, S, $more>($streams, $w, &k[6]);
        step::<7, S, $more>($streams, $w, &k[7]);
    };
}

/// Advances `S` interleaved streams by `blocks`, then by the block with `W_t + K_t` in `shared`, if
/// any.
#[target_feature(enable = "neon,sha3")]
fn advance<const S: usize>(
    states: &mut [u64],
    blocks: &Blocks<'_, S, 128>,
    order: RunByteOrder,
    shared: &[u64],
) {
    let (unit, order) = (Sha512Ce::new(), byte_shuffle(order));
    let states = blocks::states::<_, S, 8>(states);
    let zero = vdupq_n_u64(0);
    let mut streams = [Stream { ab: zero, cd: zero, ef: zero, gh: zero }; S];
    for s in 0..S {
        streams[s] = Stream::load(&states[s]);
    }
    let constants: &[[u64; 16]] = K64.as_chunks().0;
    let (scheduled, rest) = constants.split_at(4);
    for b in 0..blocks.count() {
        let before = streams;
        let mut w = load(unit, blocks, b, order);
        for k in scheduled {
            rounds16!(&mut streams, &mut w, k, true);
        }
        rounds16!(&mut streams, &mut w, rest[0], false);
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    if !shared.is_empty() {
        let before = streams;
        for kw in shared.as_chunks().0 {
            let kw = load2(kw);
            for s in 0..S {
                streams[s].rounds2(kw);
            }
        }
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    for s in 0..S {
        streams[s].store(&mut states[s]);
    }
}

/// Two rounds of every stream with the words at `T` in the ring.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn step<const T: usize, const S: usize, const MORE: bool>(
    streams: &mut [Stream; S],
    w: &mut [[uint64x2_t; 8]; S],
    k: &[u64; 2],
) {
    let k = load2(k);
    for s in 0..S {
        let w = &mut w[s];
        streams[s].rounds2(vaddq_u64(w[T], k));
        if MORE {
            w[T] = schedule(w, T);
        }
    }
}

/// The working variables of one stream.
#[derive(Clone, Copy)]
struct Stream {
    ab: uint64x2_t,
    cd: uint64x2_t,
    ef: uint64x2_t,
    gh: uint64x2_t,
}

impl Stream {
    #[inline]
    #[target_feature(enable = "neon,sha3")]
    fn load(state: &[u64; 8]) -> Self {
        let [ab, cd, ef, gh] = state.as_chunks().0 else { unreachable!("eight words") };
        Self { ab: load2(ab), cd: load2(cd), ef: load2(ef), gh: load2(gh) }
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    fn store(self, state: &mut [u64; 8]) {
        let [ab, cd, ef, gh] = state.as_chunks_mut().0 else { unreachable!("eight words") };
        store2(ab, self.ab);
        store2(cd, self.cd);
        store2(ef, self.ef);
        store2(gh, self.gh);
    }

    /// Two rounds. `sha512h` computes the sum of `T1` and `d`, or `c`, of both rounds; `sha512h2`
    /// computes the new `a` and `b` from it.
    #[inline]
    #[target_feature(enable = "neon,sha3")]
    fn rounds2(&mut self, kw: uint64x2_t) {
        let sum = vaddq_u64(self.gh, vextq_u64::<1>(kw, kw));
        let (fg, de) = (vextq_u64::<1>(self.ef, self.gh), vextq_u64::<1>(self.cd, self.ef));
        let t1 = vsha512hq_u64(sum, fg, de);
        let ab = vsha512h2q_u64(t1, self.cd, self.ab);
        *self = Self { ab, cd: self.ab, ef: vaddq_u64(self.cd, t1), gh: self.ef };
    }

    #[inline]
    #[target_feature(enable = "neon,sha3")]
    fn feed_forward(&mut self, before: &Self) {
        self.ab = vaddq_u64(self.ab, before.ab);
        self.cd = vaddq_u64(self.cd, before.cd);
        self.ef = vaddq_u64(self.ef, before.ef);
        self.gh = vaddq_u64(self.gh, before.gh);
    }
}

/// The two schedule words after those in `w`, a ring with its start at `t`.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn schedule(w: &[uint64x2_t; 8], t: usize) -> uint64x2_t {
    let [w0, w1, w7] = [w[t % 8], w[(t + 1) % 8], w[(t + 7) % 8]];
    let seven_back = vextq_u64::<1>(w[(t + 4) % 8], w[(t + 5) % 8]);
    vsha512su1q_u64(vsha512su0q_u64(w0, w1), w7, seven_back)
}

/// Block `b` of every stream, as sixteen words in eight registers, with bytes shuffled by `order`.
#[inline(always)]
fn load<const S: usize>(
    _: Sha512Ce,
    blocks: &Blocks<'_, S, 128>,
    b: usize,
    order: uint8x16_t,
) -> [[uint64x2_t; 8]; S] {
    blocks.prefetch_ahead(b, super::prefetch);
    // SAFETY: the token stands for NEON.
    let zero = unsafe { vdupq_n_u64(0) };
    let mut w = [[zero; 8]; S];
    for i in 0..8 {
        for s in 0..S {
            let pairs: &[[u8; 16]] = blocks.get(s, b).as_chunks().0;
            // SAFETY: the token stands for NEON; 16 bytes are readable there.
            let words = unsafe { vld1q_u8(pairs[i].as_ptr()) };
            // SAFETY: the token stands for NEON.
            let words = unsafe { vqtbl1q_u8(words, order) };
            // SAFETY: as above.
            w[s][i] = unsafe { vreinterpretq_u64_u8(words) };
        }
    }
    w
}

/// The shuffle that puts the words of a register in order.
#[inline]
#[target_feature(enable = "neon")]
fn byte_shuffle(order: RunByteOrder) -> uint8x16_t {
    const MESSAGE: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];
    const NATIVE: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let order = match order {
        RunByteOrder::Message => &MESSAGE,
        RunByteOrder::Native => &NATIVE,
    };
    // SAFETY: 16 bytes are readable in `[u8; 16]`.
    unsafe { vld1q_u8(order.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load2(words: &[u64; 2]) -> uint64x2_t {
    // SAFETY: two words are readable in `[u64; 2]`, aligned as such.
    unsafe { vld1q_u64(words.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store2(words: &mut [u64; 2], value: uint64x2_t) {
    // SAFETY: two words are writable in `[u64; 2]`, aligned as such.
    unsafe { vst1q_u64(words.as_mut_ptr(), value) }
}
