//! Constants and initial values by their definition: roots of primes, sines, a shift register.

mod keccak;
mod sine;

pub use keccak::{RC, RHO};

/// `T` of MD5 (RFC 1321, section 3.4), where `T[1]` is the first: the integer parts of 2^32 times
/// the absolute values of the sines of 1 to 64 radians.
pub const T: [u32; 64] = sine::table();

/// `K(j)` of RIPEMD-160, constant for sixteen steps: 0, and 2^30 times the square roots of 2, 3, 5
/// and 7.
pub const K_160: [u32; 5] = [0, root_30(2, 2), root_30(2, 3), root_30(2, 5), root_30(2, 7)];

/// `K'(j)` of RIPEMD-160: 2^30 times the cube roots of 2, 3, 5 and 7, and 0.
pub const K_160_PRIME: [u32; 5] = [root_30(3, 2), root_30(3, 3), root_30(3, 5), root_30(3, 7), 0];

/// `K{256}` (section 4.2.2): 32 bits of the cube roots of the first 64 primes.
pub const K_256: [u32; 64] = high_halves(roots(3, 0));

/// `K{512}` (section 4.2.3): 64 bits of the cube roots of the first 80 primes.
pub const K_512: [u64; 80] = roots(3, 0);

/// `H(0)` of SHA-224 (section 5.3.2): the second 32 bits of the square roots of the 9th to 16th
/// primes.
pub const H_224: [u32; 8] = low_halves(roots(2, 8));

/// `H(0)` of SHA-256 (section 5.3.3): 32 bits of the square roots of the first eight primes.
pub const H_256: [u32; 8] = high_halves(roots(2, 0));

/// `H(0)` of SHA-384 (section 5.3.4): 64 bits of the square roots of the 9th to 16th primes.
pub const H_384: [u64; 8] = roots(2, 8);

/// `H(0)` of SHA-512 (section 5.3.5): 64 bits of the square roots of the first eight primes.
pub const H_512: [u64; 8] = roots(2, 0);

/// `K_t` of SHA-1 (section 4.2.1), constant for twenty rounds: the standard does not say so, but
/// they are 2^30 times the square roots of 2, 3, 5 and 10.
pub const K_1: [u32; 4] = [root_30(2, 2), root_30(2, 3), root_30(2, 5), root_30(2, 10)];

/// `H(0)` of SHA-1 (section 5.3.1): the hexadecimal digits up and down.
pub const H_1: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// The first 64 bits of the fractional parts of the `n`-th roots of consecutive primes, of which
/// the first `skip` are left out.
const fn roots<const N: usize>(n: usize, skip: usize) -> [u64; N] {
    let mut fractions = [0; N];
    let (mut seen, mut number) = (0, 1);
    while seen < skip + N {
        number += 1;
        if is_prime(number) {
            if seen >= skip {
                fractions[seen - skip] = root(n, number) as u64;
            }
            seen += 1;
        }
    }
    fractions
}

const fn is_prime(number: u64) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    true
}

/// The `n`-th root of `number`, which is below 8 and irrational, times 2^64 and rounded down.
const fn root(n: usize, number: u64) -> u128 {
    let mut root = 0;
    let mut bit = 1 << 66;
    while bit > 0 {
        // limb `n` of the power is its integer part, since the root carries 64 binary places
        if power(root | bit, n)[n] < number {
            root |= bit;
        }
        bit >>= 1;
    }
    root
}

/// `x^n` in limbs of 64 bits, the least significant first.
const fn power(x: u128, n: usize) -> [u64; 4] {
    let x = [x as u64, (x >> 64) as u64];
    let mut power = [1, 0, 0, 0];
    let mut exponent = 0;
    while exponent < n {
        power = product(power, x);
        exponent += 1;
    }
    power
}

/// `x * y`, which must fit.
const fn product(x: [u64; 4], y: [u64; 2]) -> [u64; 4] {
    let mut product = [0; 4];
    let mut i = 0;
    while i < 2 {
        let mut carry = 0;
        let mut k = 0;
        while i + k < 4 {
            let sum = product[i + k] as u128 + x[k] as u128 * y[i] as u128 + carry;
            product[i + k] = sum as u64;
            carry = sum >> 64;
            k += 1;
        }
        i += 1;
    }
    product
}

/// 2^30 times the `n`-th root of `number`, rounded down.
const fn root_30(n: usize, number: u64) -> u32 {
    (root(n, number) >> 34) as u32
}

const fn high_halves<const N: usize>(words: [u64; N]) -> [u32; N] {
    let mut halves = [0; N];
    let mut i = 0;
    while i < N {
        halves[i] = (words[i] >> 32) as u32;
        i += 1;
    }
    halves
}

const fn low_halves<const N: usize>(words: [u64; N]) -> [u32; N] {
    let mut halves = [0; N];
    let mut i = 0;
    while i < N {
        halves[i] = words[i] as u32;
        i += 1;
    }
    halves
}
