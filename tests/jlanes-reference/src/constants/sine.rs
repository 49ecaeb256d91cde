//! Sines of whole numbers of radians, in integers.

/// The binary places of a fraction. A step adds a few units to the error of a sine, so that of the
/// 64th is below 2^-50. No sine is that close to a multiple of 2^-32.
const PLACES: u32 = 60;

/// 1 as a fraction.
const ONE: i128 = 1 << PLACES;

/// 2^32 times the absolute values of the sines of 1 to 64 radians, rounded down.
pub(super) const fn table() -> [u32; 64] {
    let (sin_1, cos_1) = (series(1), series(0));
    let (mut sin, mut cos) = (0, ONE);
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        // sin(x + 1) and cos(x + 1)
        (sin, cos) = (
            (sin * cos_1 + cos * sin_1) >> PLACES,
            (cos * cos_1 - sin * sin_1) >> PLACES, //
        );
        table[i] = (sin.abs() >> (PLACES - 32)) as u32;
        i += 1;
    }
    table
}

/// The sum of `(-1)^n / (2n + first)!`: the sine of 1 if `first` is 1, the cosine if it is 0.
const fn series(first: i128) -> i128 {
    let (mut sum, mut term, mut k) = (0, ONE, first);
    while term != 0 {
        sum += term;
        term = -term / ((k + 1) * (k + 2));
        k += 2;
    }
    sum
}
