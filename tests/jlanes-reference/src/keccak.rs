//! The Keccak-p\[1600\] permutations and the sponge over them (FIPS 202, sections 3 and 4).

use super::constants::{RC, RHO};

/// Keccak-f\[1600\] (section 3.4), with the state of [`keccak_p1600`].
pub fn keccak_f1600(state: &mut [u64; 25]) {
    keccak_p1600(state, 24);
}

/// Keccak-p\[1600, `n_r`\] (section 3.3), the last `n_r` rounds of Keccak-f\[1600\]. In the state,
/// lane (x, y) is word `x + 5y`, with bit z of the lane at 2^z.
///
/// # Panics
/// If `n_r` is above 24.
pub fn keccak_p1600(state: &mut [u64; 25], n_r: usize) {
    assert!(n_r <= 24, "{n_r} rounds");
    // section 3.1.2
    let mut a: State = core::array::from_fn(|x| core::array::from_fn(|y| state[x + 5 * y]));
    for i_r in 24 - n_r..24 {
        a = iota(chi(pi(rho(theta(a)))), i_r);
    }
    // section 3.1.3
    *state = core::array::from_fn(|i| a[i % 5][i / 5]);
}

/// `SPONGE[Keccak-p[1600, n_r], pad10*1, 8 * rate](N, 8 * out.len())` (sections 4 and 5.1). `N` is
/// the message and the bits of `suffix` below its highest 1, the lowest bit first. The 1 itself is
/// the first bit of the padding.
///
/// FIPS 202 allows an output of no bits.
pub(super) fn sponge(
    rate: usize,
    n_r: usize,
    message: impl Iterator<Item = u8>,
    suffix: u8,
    out: &mut [u8],
) {
    let mut s = absorbed(rate, n_r, message, suffix);
    for (i, z) in out.chunks_mut(rate).enumerate() {
        if i > 0 {
            s = f(s, n_r);
        }
        z.copy_from_slice(&s[..z.len()]);
    }
}

/// The state of this sponge before the first block of the output.
pub(super) fn absorbed(
    rate: usize,
    n_r: usize,
    message: impl Iterator<Item = u8>,
    suffix: u8,
) -> [u8; 200] {
    let mut s = [0; 200];
    let mut at = 0;
    for byte in message.chain([suffix]) {
        if at == rate {
            s = f(s, n_r);
            at = 0;
        }
        s[at] ^= byte;
        at += 1;
    }
    // the zeros of the padding, and its last bit
    s[rate - 1] ^= 0x80;
    f(s, n_r)
}

/// The permutation of a string of 1600 bits: appendix B.1 has a byte's lowest bit first.
fn f(s: [u8; 200], n_r: usize) -> [u8; 200] {
    let mut state =
        core::array::from_fn(|i| u64::from_le_bytes(core::array::from_fn(|k| s[8 * i + k])));
    keccak_p1600(&mut state, n_r);
    core::array::from_fn(|i| state[i / 8].to_le_bytes()[i % 8])
}

/// The state array: `a[x][y]` is lane (x, y), with bit z of the lane at 2^z.
type State = [[u64; 5]; 5];

/// The state array with the lanes that `lane` makes.
fn lanes(lane: impl Fn(usize, usize) -> u64) -> State {
    core::array::from_fn(|x| core::array::from_fn(|y| lane(x, y)))
}

/// Algorithm 1.
fn theta(a: State) -> State {
    let c = |x: usize| a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4];
    let d = |x: usize| c((x + 4) % 5) ^ c((x + 1) % 5).rotate_left(1);
    lanes(|x, y| a[x][y] ^ d(x))
}

/// Algorithm 2.
fn rho(a: State) -> State {
    lanes(|x, y| a[x][y].rotate_left(RHO[x][y]))
}

/// Algorithm 3.
fn pi(a: State) -> State {
    lanes(|x, y| a[(x + 3 * y) % 5][x])
}

/// Algorithm 4.
fn chi(a: State) -> State {
    lanes(|x, y| a[x][y] ^ (!a[(x + 1) % 5][y] & a[(x + 2) % 5][y]))
}

/// Algorithm 6.
fn iota(mut a: State, i_r: usize) -> State {
    a[0][0] ^= RC[i_r];
    a
}
