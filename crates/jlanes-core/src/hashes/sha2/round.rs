//! The SHA-2 round and message schedule (FIPS 180-4, sections 6.2.2 and 6.4.2), generic over word and lanes. Many
//! messages, many lanes of one, and the schedules of several blocks take the same functions at their widths.

use super::{Sha2Word, single::MAX_ROWS};
use crate::{
    simd::vector::{SimdWord, Vector, Word},
    unroll::unroll,
};

#[inline(always)]
fn big<W: Sha2Word, V: SimdWord<W>>(which: usize, x: V) -> V {
    let [a, b, c] = W::BIG[which];
    V::xor3(x.rotr(a), x.rotr(b), x.rotr(c))
}

#[inline(always)]
fn small<W: Sha2Word, V: SimdWord<W>>(which: usize, x: V) -> V {
    let [a, b, c] = W::SMALL[which];
    V::xor3(x.rotr(a), x.rotr(b), x.shr(c))
}

/// Round `i` modulo 8. The eight working variables are renamed instead of moved: in round `i`, `a`
/// is at index `-i mod 8`.
#[inline(always)]
pub(super) fn round<W: Sha2Word, V: SimdWord<W>>(s: &mut [V; 8], i: usize, kw: V) {
    let at = |name: usize| (8 + name - i % 8) % 8;
    let [a, b, c, d] = [s[at(0)], s[at(1)], s[at(2)], s[at(3)]];
    let [e, f, g, h] = [s[at(4)], s[at(5)], s[at(6)], s[at(7)]];
    // Sums in order of availability: `h + kw` does not depend on the previous round, and Σ1 of its
    // result takes longer than Ch.
    let early = h.add(kw).fence();
    if V::LATENCY_BOUND {
        // The dependency chain from `e` to the next `e`, and from `a` to `a`, is a rotation, an
        // exclusive or and one addition, at the cost of two more additions.
        let (ch, big1) = (V::ch(e, f, g), big(1, e));
        s[at(3)] = early.add(d).fence().add(ch).fence().add(big1);
        let t1 = early.add(ch).fence().add(big1).fence();
        s[at(7)] = t1.add(V::maj(a, b, c)).fence().add(big(0, a));
    } else {
        let t1 = early.add(V::ch(e, f, g)).fence().add(big(1, e)).fence();
        s[at(3)] = d.add(t1);
        s[at(7)] = V::maj(a, b, c).add(big(0, a)).add(t1);
    }
}

/// `W_t` for `t = i mod 16`, from the sixteen words before it; `w` is a ring.
#[inline(always)]
fn schedule<W: Sha2Word, V: SimdWord<W>>(w: &mut [V; 16], i: usize) {
    let near = small(0, w[(i + 1) % 16]).add(w[i]).add(w[(i + 9) % 16]);
    w[i] = near.add(small(1, w[(i + 14) % 16]));
}

#[inline(always)]
fn feed_forward<W: Word, V: SimdWord<W>>(state: &mut [V; 8], s: [V; 8]) {
    for i in 0..8 {
        state[i] = state[i].add(s[i]);
    }
}

#[inline(always)]
pub(super) fn compress<W: Sha2Word, V: SimdWord<W>>(
    proof: V::Proof,
    state: &mut [V; 8],
    mut w: [V; 16],
) {
    let mut s = *state;
    for t in (0..W::ROUNDS - 16).step_by(16) {
        let k = &W::K[t..t + 16];
        unroll!(16, i => {
            round(&mut s, i, w[i].add(V::splat(proof, k[i])));
            schedule(&mut w, i);
        });
    }
    let k = &W::K[W::ROUNDS - 16..];
    unroll!(16, i => { round(&mut s, i, w[i].add(V::splat(proof, k[i]))); });
    feed_forward(state, s);
}

/// The maximum number of rounds of the family.
pub(super) const MAX_ROUNDS: usize = 80;

/// Rounds over a schedule that all lanes share.
#[inline(always)]
pub(super) fn compress_shared<W: Sha2Word, V: SimdWord<W>>(
    proof: V::Proof,
    state: &mut [V; 8],
    schedule: &[W],
) {
    let mut s = *state;
    for kw in schedule[..W::ROUNDS].chunks_exact(16) {
        unroll!(16, i => { round(&mut s, i, V::splat(proof, kw[i])); });
    }
    feed_forward(state, s);
}

/// The row after the sixteen words in `rows`, a ring with its first row at `oldest`.
///
/// A word depends on the one two before it, so the words of a row are completed two at a time.
#[inline(always)]
pub(super) fn next_row<W: Sha2Word, V: Vector<W>>(
    proof: V::Proof,
    rows: &[V; MAX_ROWS],
    oldest: usize,
) -> V {
    let count = 16 / V::N;
    let at = |k: usize| (oldest + k) % count;
    let near = rows[at(0)].add(small(0, V::concat_from(proof, rows[at(0)], rows[at(1)], 1)));
    let (seven, last) = (8 / V::N, rows[at(count - 1)]);
    let mut row = near;
    for _ in 0..V::N / 2 {
        let after = if seven + 1 < count { rows[at(seven + 1)] } else { row };
        let far = small(1, V::concat_from(proof, last, row, V::N - 2));
        row = near.add(V::concat_from(proof, rows[at(seven)], after, 1)).add(far);
    }
    row
}

/// `W_t` from the words before it.
#[inline(always)]
pub(super) fn next_word<W: Sha2Word, V: SimdWord<W>>(w: &[V], t: usize) -> V {
    let near = small(0, w[t - 15]).add(w[t - 16]).add(w[t - 7]);
    near.add(small(1, w[t - 2]))
}

/// `W_t + K_t` of one block per lane, for all rounds.
#[inline(always)]
pub(super) fn expand<W: Sha2Word, V: SimdWord<W>>(proof: V::Proof, block: [V; 16], out: &mut [V]) {
    let w = &mut out[..W::ROUNDS];
    w[..16].copy_from_slice(&block);
    for t in 16..W::ROUNDS {
        w[t] = next_word(w, t);
    }
    for t in 0..W::ROUNDS {
        w[t] = w[t].add(V::splat(proof, W::K[t]));
    }
}
