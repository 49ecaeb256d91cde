//! Keccak-p\[1600, `n_r`\] (FIPS 202, section 3.3); lane (x, y) of the state is word `x + 5y`.

use crate::{simd::vector::SimdWord, unroll::unroll};

use super::{STATE_WORDS, State};

/// The constants of iota for 24 rounds (section 3.2.5).
pub const RC: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// The offsets of rho, to the left, of word `x + 5y` (section 3.2.2).
pub const RHO: [u32; STATE_WORDS] = [
    0, 1, 62, 28, 27, //
    36, 44, 6, 55, 20, //
    3, 10, 43, 25, 39, //
    41, 45, 15, 21, 8, //
    18, 2, 61, 56, 14,
];

/// The last `rounds` rounds of Keccak-f\[1600\], an even number.
#[inline(always)]
pub(super) fn permute<V: SimdWord<u64>>(proof: V::Proof, state: &mut State<V>, rounds: usize) {
    let mut a = *state;
    for constants in RC[RC.len() - rounds..].chunks_exact(2) {
        a = round(proof, &a, constants[0]);
        a = round(proof, &a, constants[1]);
    }
    *state = a;
}

/// One round. The planes of the result are computed one after the other: each (pi) takes five words
/// of `a`, one of each plane, which are not needed afterwards.
#[inline(always)]
fn round<V: SimdWord<u64>>(proof: V::Proof, a: &State<V>, constant: u64) -> State<V> {
    // theta: the parity of each column, and the sum of two of them, which is added to every word of
    // a sheet
    let mut c = [a[0]; 5];
    unroll!(5, x => {
        c[x] = V::xor3(V::xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
    });
    let mut d = c;
    unroll!(5, x => { d[x] = c[(x + 4) % 5].xor(c[(x + 1) % 5].rotr(63)); });
    let mut out = *a;
    unroll!(5, y => {
        let mut b = d;
        unroll!(5, x => { b[x] = theta_rho_pi(a, &d, x, y); });
        unroll!(5, x => { out[x + 5 * y] = V::chi(b[x], b[(x + 1) % 5], b[(x + 2) % 5]); });
    });
    out[0] = out[0].xor(V::splat(proof, constant));
    out
}

/// Lane (x, y) after theta, rho and pi.
#[inline(always)]
fn theta_rho_pi<V: SimdWord<u64>>(a: &State<V>, d: &[V; 5], x: usize, y: usize) -> V {
    let from = (x + 3 * y) % 5;
    let i = from + 5 * x;
    let word = a[i].xor(d[from]);
    if RHO[i] == 0 { word } else { word.rotr(64 - RHO[i]) }
}
