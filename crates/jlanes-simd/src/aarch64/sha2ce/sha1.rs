//! SHA-1 with `sha1c`, `sha1p` and `sha1m`: four rounds of each of its functions.

use core::arch::aarch64::*;

use jlanes_core::{compression::RunByteOrder, hashes::sha1::K};

use super::{Sha2Ce, byte_shuffle, load, load4, store4};
use crate::common::blocks::{self, Blocks};

/// Advances `S` interleaved streams by `blocks`, then by the block with `W_t` in `shared`, if any.
#[target_feature(enable = "neon,sha2")]
pub(super) fn advance<const S: usize>(
    states: &mut [u32],
    blocks: &Blocks<'_, S, 64>,
    order: RunByteOrder,
    shared: &[u32],
) {
    let (unit, order) = (Sha2Ce::new(), byte_shuffle(order));
    let states = blocks::states::<_, S, 5>(states);
    let mut streams = [Stream { abcd: vdupq_n_u32(0), e: 0 }; S];
    for s in 0..S {
        streams[s] = Stream::load(&states[s]);
    }
    for b in 0..blocks.count() {
        let before = streams;
        let mut w = load(unit, blocks, b, order);
        stage::<0, S>(&mut streams, &mut w);
        stage::<1, S>(&mut streams, &mut w);
        stage::<2, S>(&mut streams, &mut w);
        stage::<3, S>(&mut streams, &mut w);
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    if !shared.is_empty() {
        let Ok(shared) = shared.try_into() else { unreachable!("eighty words") };
        let before = streams;
        shared_stage::<0, S>(&mut streams, shared);
        shared_stage::<1, S>(&mut streams, shared);
        shared_stage::<2, S>(&mut streams, shared);
        shared_stage::<3, S>(&mut streams, shared);
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    for s in 0..S {
        streams[s].store(&mut states[s]);
    }
}

/// The working variables of one stream.
#[derive(Clone, Copy)]
struct Stream {
    abcd: uint32x4_t,
    /// The type keeps it in a vector register, as an operand of instructions.
    e: u32,
}

impl Stream {
    #[inline]
    #[target_feature(enable = "neon,sha2")]
    fn load(state: &[u32; 5]) -> Self {
        let [abcd @ .., e] = state;
        Self { abcd: load4(abcd), e: *e }
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    fn store(self, state: &mut [u32; 5]) {
        let [abcd @ .., e] = state;
        store4(abcd, self.abcd);
        *e = self.e;
    }

    /// Four rounds of the stage with `W_t + K_t`.
    #[inline]
    #[target_feature(enable = "neon,sha2")]
    fn rounds4<const STAGE: usize>(&mut self, kw: uint32x4_t) {
        // the `a` of four rounds ago, rotated, is `e`
        let e = vsha1h_u32(vgetq_lane_u32::<0>(self.abcd));
        self.abcd = match STAGE {
            0 => vsha1cq_u32(self.abcd, self.e, kw),
            2 => vsha1mq_u32(self.abcd, self.e, kw),
            _ => vsha1pq_u32(self.abcd, self.e, kw),
        };
        self.e = e;
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    fn feed_forward(&mut self, before: &Self) {
        self.abcd = vaddq_u32(self.abcd, before.abcd);
        self.e = self.e.wrapping_add(before.e);
    }
}

/// Twenty rounds of every stream, and the following schedule; `w` is a ring of four registers.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn stage<const STAGE: usize, const S: usize>(
    streams: &mut [Stream; S],
    w: &mut [[uint32x4_t; 4]; S],
) {
    let k = vdupq_n_u32(K[STAGE]);
    for i in 0..5 {
        let quad = 5 * STAGE + i;
        for s in 0..S {
            let w = &mut w[s];
            let [w0, w1, w2, w3] =
                [w[quad % 4], w[(quad + 1) % 4], w[(quad + 2) % 4], w[(quad + 3) % 4]];
            streams[s].rounds4::<STAGE>(vaddq_u32(w0, k));
            if quad < 16 {
                w[quad % 4] = vsha1su1q_u32(vsha1su0q_u32(w0, w1, w2), w3);
            }
        }
    }
}

/// [`stage`] over a shared schedule.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn shared_stage<const STAGE: usize, const S: usize>(
    streams: &mut [Stream; S],
    schedule: &[u32; 80],
) {
    let k = vdupq_n_u32(K[STAGE]);
    let quads = schedule.as_chunks().0;
    for quad in 5 * STAGE..5 * STAGE + 5 {
        let kw = vaddq_u32(load4(&quads[quad]), k);
        for s in 0..S {
            streams[s].rounds4::<STAGE>(kw);
        }
    }
}
