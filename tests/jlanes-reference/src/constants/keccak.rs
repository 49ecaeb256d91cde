//! The constants of FIPS 202, computed.

/// The round constants of Keccak-f\[1600\] (FIPS 202, section 3.2.5): round `i_r` adds `RC[i_r]` to
/// lane (0, 0).
pub const RC: [u64; 24] = round_constants();

/// The offsets of rho (FIPS 202, section 3.2.2, table 2, modulo the lane's 64 bits): lane (x, y) is
/// rotated by `RHO[x][y]`.
pub const RHO: [[u32; 5]; 5] = offsets();

/// Algorithm 6, steps 2 and 3, of all rounds.
const fn round_constants() -> [u64; 24] {
    let mut constants = [0; 24];
    let mut i_r = 0;
    while i_r < 24 {
        let mut j = 0;
        while j <= 6 {
            constants[i_r] |= rc(j + 7 * i_r) << ((1 << j) - 1);
            j += 1;
        }
        i_r += 1;
    }
    constants
}

/// `rc(t)` (algorithm 5): bit `i` of `r` is `R[i]`.
const fn rc(t: usize) -> u64 {
    let mut r: u64 = 1;
    let mut i = 1;
    while i <= t % 255 {
        r <<= 1;
        let r_8 = r >> 8 & 1;
        r ^= r_8 | r_8 << 4 | r_8 << 5 | r_8 << 6;
        r &= 0xff;
        i += 1;
    }
    r & 1
}

/// Algorithm 2, steps 2 and 3.
const fn offsets() -> [[u32; 5]; 5] {
    let mut offsets = [[0; 5]; 5];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        offsets[x][y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
}
