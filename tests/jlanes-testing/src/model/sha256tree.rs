//! SHA256TREE as Bazel's Remote Execution API defines it: a recursion over the bare rounds of SHA-256.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

type Words = [u32; 8];

/// The constants of the rounds.
static K: LazyLock<Vec<u32>> = LazyLock::new(|| primes().map(cube_root).collect());
/// The start of a node: from the 9th prime to the 16th.
static START: LazyLock<Words> = LazyLock::new(|| {
    let mut roots = primes().skip(8).map(square_root);
    core::array::from_fn(|_| roots.next().expect("64 primes"))
});

/// The first 64 primes.
fn primes() -> impl Iterator<Item = u128> {
    (2_u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0)).take(64)
}

/// The largest `root` with a square of at most `square`, without its integral part: 32 bits.
fn square_root(square: u128) -> u32 {
    (square << 64).isqrt() as u32
}

/// The same for a cube root.
fn cube_root(cube: u128) -> u32 {
    let (mut low, mut high) = (0_u128, 1 << 36);
    while high - low > 1 {
        let middle = u128::midpoint(low, high);
        if middle.pow(3) <= cube << 96 { low = middle } else { high = middle }
    }
    low as u32
}

/// SHA-256's rounds over `block` from `start`, without the addition of `start` at the end.
fn rounds(start: Words, block: &[u8; 64]) -> Words {
    let mut w: Vec<u32> =
        block.as_chunks().0.iter().map(|word| u32::from_be_bytes(*word)).collect();
    for t in 16..64 {
        let (old, new) = (w[t - 15], w[t - 2]);
        let s0 = old.rotate_right(7) ^ old.rotate_right(18) ^ (old >> 3);
        let s1 = new.rotate_right(17) ^ new.rotate_right(19) ^ (new >> 10);
        w.push(w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1));
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = start;
    for (w, k) in w.into_iter().zip(&*K) {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let (choice, majority) = ((e & f) ^ (!e & g), (a & b) ^ (a & c) ^ (b & c));
        let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(*k).wrapping_add(w);
        let t2 = s0.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    [a, b, c, d, e, f, g, h]
}

/// The node over two digests.
fn node(left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
    let mut block = [0; 64];
    block[..32].copy_from_slice(left);
    block[32..].copy_from_slice(right);
    let words = rounds(*START, &block);
    core::array::from_fn(|i| words[i / 4].to_be_bytes()[i % 4])
}

/// The digest of a blob.
#[must_use]
pub fn sha256tree(blob: &[u8]) -> [u8; 32] {
    if blob.len() <= 1024 {
        return Sha256::digest(blob).into();
    }
    let (left, right) = blob.split_at(blob.len().next_power_of_two() / 2);
    node(&sha256tree(left), &sha256tree(right))
}
