//! Threefish (section 3.3), for any of its sizes at run time.

use alloc::vec::Vec;

/// E(K, T, P): the size is that of the key.
#[must_use]
pub fn threefish(key: &[u64], tweak: [u64; 2], plain: &[u64]) -> Vec<u64> {
    let n_w = key.len();
    let n_r = if n_w == 16 { 80 } else { 72 };
    let mut v = plain.to_vec();
    let mut f = [0; 16];
    for d in 0..n_r {
        if d % 4 == 0 {
            add_subkey(&mut v, key, tweak, d / 4);
        }
        for j in 0..n_w / 2 {
            f[2 * j] = v[2 * j].wrapping_add(v[2 * j + 1]);
            f[2 * j + 1] = v[2 * j + 1].rotate_left(rotation(n_w, d % 8, j)) ^ f[2 * j];
        }
        for i in 0..n_w {
            v[i] = f[permuted(n_w, i)];
        }
    }
    add_subkey(&mut v, key, tweak, n_r / 4);
    v
}

/// Adds subkey `s` of the key schedule (section 3.3.2).
fn add_subkey(v: &mut [u64], key: &[u64], tweak: [u64; 2], s: usize) {
    let n_w = key.len();
    let c_240 = 0x1bd1_1bda_a9fc_1a22;
    let mut k = key.to_vec();
    k.push(key.iter().fold(c_240, |parity, word| parity ^ word));
    let t = [tweak[0], tweak[1], tweak[0] ^ tweak[1]];
    for i in 0..n_w {
        let mut subkey = k[(s + i) % (n_w + 1)];
        if i == n_w - 3 {
            subkey = subkey.wrapping_add(t[s % 3]);
        } else if i == n_w - 2 {
            subkey = subkey.wrapping_add(t[(s + 1) % 3]);
        } else if i == n_w - 1 {
            subkey = subkey.wrapping_add(s as u64);
        }
        v[i] = v[i].wrapping_add(subkey);
    }
}

/// R_{d,j} (table 4).
fn rotation(n_w: usize, d: usize, j: usize) -> u32 {
    const FOUR: [[u32; 2]; 8] =
        [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]];
    const EIGHT: [[u32; 4]; 8] = [
        [46, 36, 19, 37],
        [33, 27, 14, 42],
        [17, 49, 36, 39],
        [44, 9, 54, 56],
        [39, 30, 34, 24],
        [13, 50, 10, 17],
        [25, 29, 39, 43],
        [8, 35, 56, 22],
    ];
    const SIXTEEN: [[u32; 8]; 8] = [
        [24, 13, 8, 47, 8, 17, 22, 37],
        [38, 19, 10, 55, 49, 18, 23, 52],
        [33, 4, 51, 13, 34, 41, 59, 17],
        [5, 20, 48, 41, 47, 28, 16, 25],
        [41, 9, 37, 31, 12, 47, 44, 30],
        [16, 34, 56, 51, 4, 53, 42, 41],
        [31, 44, 47, 46, 19, 42, 44, 25],
        [9, 48, 35, 52, 23, 31, 37, 20],
    ];
    match n_w {
        4 => FOUR[d][j],
        8 => EIGHT[d][j],
        _ => SIXTEEN[d][j],
    }
}

/// pi(i) (table 3).
fn permuted(n_w: usize, i: usize) -> usize {
    match n_w {
        4 => [0, 3, 2, 1][i],
        8 => [2, 1, 4, 7, 6, 5, 0, 3][i],
        _ => [0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1][i],
    }
}
