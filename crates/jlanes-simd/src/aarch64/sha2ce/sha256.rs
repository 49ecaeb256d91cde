//! SHA-256 with `sha256h` and `sha256h2`: four rounds, each for one half of the state.

use core::arch::aarch64::*;

use jlanes_core::{compression::RunByteOrder, hashes::sha2::consts::K32};

use super::{Sha2Ce, byte_shuffle, load, load4, store4};
use crate::common::blocks::{self, Blocks};

/// Advances `S` interleaved streams by `blocks`, then by the block with `W_t + K_t` in `shared`, if
/// any.
#[target_feature(enable = "neon,sha2")]
pub(super) fn advance<const S: usize>(
    states: &mut [u32],
    blocks: &Blocks<'_, S, 64>,
    order: RunByteOrder,
    shared: &[u32],
) {
    let (unit, order) = (Sha2Ce::new(), byte_shuffle(order));
    let states = blocks::states::<_, S, 8>(states);
    let mut streams = [Stream { abcd: vdupq_n_u32(0), efgh: vdupq_n_u32(0) }; S];
    for s in 0..S {
        streams[s] = Stream::load(&states[s]);
    }
    // in groups of the ring's registers, because registers cannot be indexed at run time
    let constants: &[[u32; 16]] = K32.as_chunks().0;
    let (scheduled, rest) = constants.split_at(3);
    for b in 0..blocks.count() {
        let before = streams;
        let mut w = load(unit, blocks, b, order);
        for k in scheduled {
            for i in 0..4 {
                let k = load4(&k.as_chunks().0[i]);
                for s in 0..S {
                    let w = &mut w[s];
                    streams[s].rounds4(vaddq_u32(w[i], k));
                    w[i] = schedule([w[i], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]]);
                }
            }
        }
        for i in 0..4 {
            let k = load4(&rest[0].as_chunks().0[i]);
            for s in 0..S {
                streams[s].rounds4(vaddq_u32(w[s][i], k));
            }
        }
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    if !shared.is_empty() {
        let before = streams;
        for kw in shared.as_chunks().0 {
            let kw = load4(kw);
            for s in 0..S {
                streams[s].rounds4(kw);
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

/// The working variables of one stream.
#[derive(Clone, Copy)]
struct Stream {
    abcd: uint32x4_t,
    efgh: uint32x4_t,
}

impl Stream {
    #[inline]
    #[target_feature(enable = "neon,sha2")]
    fn load(state: &[u32; 8]) -> Self {
        let [abcd, efgh] = state.as_chunks().0 else { unreachable!("eight words") };
        Self { abcd: load4(abcd), efgh: load4(efgh) }
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    fn store(self, state: &mut [u32; 8]) {
        let [abcd, efgh] = state.as_chunks_mut().0 else { unreachable!("eight words") };
        store4(abcd, self.abcd);
        store4(efgh, self.efgh);
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    fn rounds4(&mut self, kw: uint32x4_t) {
        let abcd = vsha256hq_u32(self.abcd, self.efgh, kw);
        self.efgh = vsha256h2q_u32(self.efgh, self.abcd, kw);
        self.abcd = abcd;
    }

    #[inline]
    #[target_feature(enable = "neon,sha2")]
    fn feed_forward(&mut self, before: &Self) {
        self.abcd = vaddq_u32(self.abcd, before.abcd);
        self.efgh = vaddq_u32(self.efgh, before.efgh);
    }
}

/// The four schedule words after `w`, sixteen words in four registers.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn schedule(w: [uint32x4_t; 4]) -> uint32x4_t {
    vsha256su1q_u32(vsha256su0q_u32(w[0], w[1]), w[2], w[3])
}
