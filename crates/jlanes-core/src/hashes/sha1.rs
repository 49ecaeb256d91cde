//! SHA-1 (FIPS 180-4, section 6.1.2), generic over lanes.
//!
//! Collisions of SHA-1 have been practical since 2017. It exists because existing data needs it and
//! because the papers use it; use SHA-256 for anything new.

use digest::consts::U20;

use crate::{
    compression::{Compression, RunByteOrder, Shape},
    hash::HashFunction,
    hashes::hash_core::merkle_damgard,
    kernel::stream::advance_one,
    schedules::Scheduled,
    simd::{
        portable::PlainWords,
        vector::{ByteOrder, Isa, SimdWord},
    },
    unroll::unroll,
};

#[cfg(feature = "sha1dc")]
pub mod checked;

/// Initial value (FIPS 180-4, section 5.3.1).
pub const IV: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// Round constants, one for each stage of twenty rounds (section 4.2.1).
pub const K: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

/// Number of rounds.
pub const ROUNDS: usize = 80;

/// `W_t` of the padding block after a message of 64 bytes.
const ONE_BLOCK_PADDING: [u32; ROUNDS] = {
    let mut w = [0_u32; ROUNDS];
    (w[0], w[15]) = (1 << 31, 8 * 64);
    let mut t = 16;
    while t < ROUNDS {
        w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
        t += 1;
    }
    w
};

/// SHA-1's compression function.
#[derive(Clone, Copy, Debug)]
pub struct Sha1Compression;

/// SHA-1 (FIPS 180-4).
#[derive(Clone, Copy, Debug)]
pub struct Sha1;

impl HashFunction for Sha1 {
    type Compression = Sha1Compression;
    type OutputSize = U20;
    const NAME: &'static str = "Sha1";
    const ONE_BLOCK_PADDING: Option<&'static [u32]> = Some(&ONE_BLOCK_PADDING);

    #[inline]
    fn start() -> [u32; 5] {
        IV
    }
}

merkle_damgard!(Sha1Compression, U64, U28);

impl Compression for Sha1Compression {
    type Word = u32;
    type State<T: Copy> = [T; 5];
    type Block<T: Copy> = [T; 16];
    const MAX_LANES: usize = 16;
    const BLOCK_BYTES: usize = 64;
    const ORDER: ByteOrder = ByteOrder::Big;
    /// `W_t` without `K_t`, which the SHA extensions add themselves.
    const SHARED_WORDS: usize = ROUNDS;
    const ROUNDS: usize = ROUNDS;

    #[inline(always)]
    fn compress<V: SimdWord<u32>>(proof: V::Proof, state: &mut [V; 5], mut w: [V; 16]) {
        let mut s = *state;
        unroll!(4, stage => { rounds(proof, stage, &mut s, &mut w); });
        feed_forward(state, s);
    }

    fn share(block: &[u32], out: &mut [u32]) {
        let mut w: [_; 16] = core::array::from_fn(|t| PlainWords([block[t]]));
        for (t, out) in out.iter_mut().enumerate() {
            *out = schedule(&mut w, t).0[0];
        }
    }

    #[inline(always)]
    fn compress_shared<V: SimdWord<u32>>(
        proof: V::Proof,
        _: &Shape<u32>,
        state: &mut [V; 5],
        schedule: &[u32],
    ) {
        let mut s = *state;
        let schedule = &schedule[..ROUNDS];
        unroll!(4, stage => { shared_rounds(proof, stage, &mut s, schedule); });
        feed_forward(state, s);
    }
}

impl Scheduled for Sha1Compression {
    const ROUNDS_PER_STEP: usize = 20;

    #[inline(always)]
    fn next_word<V: SimdWord<u32>>(w: &[V], t: usize) -> V {
        V::xor3(w[t - 3], w[t - 8], w[t - 14]).xor(w[t - 16]).rotr(31)
    }

    #[inline(always)]
    fn constant(t: usize) -> u32 {
        K[t / 20]
    }

    #[inline(always)]
    fn rounds(s: &mut [PlainWords<u32, 1>; 5], t: usize, words: &[u32], stride: usize) {
        match t / 20 {
            0 => strided_rounds(0, s, words, stride),
            1 => strided_rounds(1, s, words, stride),
            2 => strided_rounds(2, s, words, stride),
            _ => strided_rounds(3, s, words, stride),
        }
    }

    fn rest<I: Isa>(_: I, shape: &Shape<u32>, state: &mut [u32; 5], data: &[u8]) {
        let blocks = data.len() / shape.block_bytes;
        advance_one::<Self>(shape, state, &[data], RunByteOrder::Message, blocks, &[]);
    }
}

/// [`rounds`] over strided words.
#[inline(always)]
fn strided_rounds(stage: usize, s: &mut [PlainWords<u32, 1>; 5], words: &[u32], stride: usize) {
    let words = &words[..19 * stride + 1];
    unroll!(20, i => { round(stage, i, s, PlainWords([words[i * stride]])); });
}

/// Rounds `20 * stage` to `20 * stage + 19`. Twenty is a multiple of five, so every stage starts
/// with the same names of the working variables.
#[inline(always)]
fn rounds<V: SimdWord<u32>>(proof: V::Proof, stage: usize, s: &mut [V; 5], w: &mut [V; 16]) {
    let k = V::splat(proof, K[stage]);
    unroll!(20, i => {
        let word = schedule(w, 20 * stage + i);
        round(stage, i, s, word.add(k));
    });
}

/// [`rounds`] over a schedule that all lanes share.
#[inline(always)]
fn shared_rounds<V: SimdWord<u32>>(
    proof: V::Proof,
    stage: usize,
    s: &mut [V; 5],
    schedule: &[u32],
) {
    // five rounds, after which the variables have their names again
    for words in schedule[20 * stage..20 * stage + 20].chunks_exact(5) {
        unroll!(5, i => { round(stage, i, s, V::splat(proof, words[i].wrapping_add(K[stage]))); });
    }
}

/// Round `i` of a stage. The variables are renamed instead of moved.
#[inline(always)]
fn round<V: SimdWord<u32>>(stage: usize, i: usize, s: &mut [V; 5], kw: V) {
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|name| s[at(i, name)]);
    let f = match stage {
        0 => V::ch(b, c, d),
        2 => V::maj(b, c, d),
        _ => V::xor3(b, c, d),
    };
    // in order of availability
    s[at(i, 4)] = e.add(kw).fence().add(f).fence().add(a.rotr(27));
    s[at(i, 1)] = b.rotr(2);
}

/// The index of a variable in round `i` of a stage; variable 0 is `a`.
#[inline(always)]
const fn at(i: usize, name: usize) -> usize {
    (5 + name - i % 5) % 5
}

/// `W_t`; `w` is a ring of the last sixteen.
#[inline(always)]
fn schedule<V: SimdWord<u32>>(w: &mut [V; 16], t: usize) -> V {
    if t >= 16 {
        let far = V::xor3(w[(t + 13) % 16], w[(t + 8) % 16], w[(t + 2) % 16]);
        w[t % 16] = far.xor(w[t % 16]).rotr(31);
    }
    w[t % 16]
}

#[inline(always)]
fn feed_forward<V: SimdWord<u32>>(state: &mut [V; 5], s: [V; 5]) {
    for i in 0..5 {
        state[i] = state[i].add(s[i]);
    }
}
