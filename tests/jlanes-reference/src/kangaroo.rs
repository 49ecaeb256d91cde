//! TurboSHAKE and KangarooTwelve (RFC 9861).

use core::iter::repeat_n;

use super::keccak::sponge;

/// TurboSHAKE128 of `message`, of as many bytes as `out` has. The RFC's default for the domain
/// separation byte is 0x1f; it does not define outputs of no bytes, which are allowed here.
///
/// # Panics
/// If `domain` is not in 0x01 to 0x7f.
pub fn turboshake128(message: &[u8], domain: u8, out: &mut [u8]) {
    turboshake(168, message.iter().copied(), domain, out);
}

/// TurboSHAKE256 of `message`, of as many bytes as `out` has. The RFC's default for the domain
/// separation byte is 0x1f; it does not define outputs of no bytes, which are allowed here.
///
/// # Panics
/// If `domain` is not in 0x01 to 0x7f.
pub fn turboshake256(message: &[u8], domain: u8, out: &mut [u8]) {
    turboshake(136, message.iter().copied(), domain, out);
}

/// KT128 of `message` with a customization string, of as many bytes as `out` has. The RFC does not
/// define outputs of no bytes, which are allowed here.
pub fn kt128(message: &[u8], customization: &[u8], out: &mut [u8]) {
    kt::<32>(168, message, customization, out);
}

/// KT256 of `message` with a customization string, of as many bytes as `out` has. The RFC does not
/// define outputs of no bytes, which are allowed here.
pub fn kt256(message: &[u8], customization: &[u8], out: &mut [u8]) {
    kt::<64>(136, message, customization, out);
}

/// Section 2.2.
fn turboshake(rate: usize, m: impl Iterator<Item = u8>, d: u8, out: &mut [u8]) {
    assert!((0x01..=0x7f).contains(&d), "domain separation byte {d:#04x}");
    sponge(rate, 12, m, d, out);
}

/// Sections 3.2 and 3.4: chaining values have `CV` bytes.
fn kt<const CV: usize>(rate: usize, m: &[u8], c: &[u8], out: &mut [u8]) {
    let s = m.iter().chain(c).copied().chain(length_encode(c.len()));
    let s_len = m.len() + c.len() + length_encode(c.len()).count();
    if s_len <= CHUNK {
        return turboshake(rate, s, 0x07, out);
    }
    let n = s_len.div_ceil(CHUNK);
    let chunk = |i| s.clone().skip(CHUNK * i).take(CHUNK);
    let cv = |i| {
        let mut cv = [0; CV];
        turboshake(rate, chunk(i), 0x0b, &mut cv);
        cv
    };
    let final_node = chunk(0)
        .chain([0x03])
        .chain(repeat_n(0x00, 7))
        .chain((1..n).flat_map(cv))
        .chain(length_encode(n - 1))
        .chain([0xff, 0xff]);
    turboshake(rate, final_node, 0x06, out);
}

/// The length of a chunk.
const CHUNK: usize = 8192;

/// `length_encode(x)` (section 3.3): the bytes of `x`, the highest first and none for 0, followed by
/// their number.
fn length_encode(x: usize) -> impl Iterator<Item = u8> + Clone {
    let l = (0..).find(|l| 1_u128 << (8 * l) > x as u128).unwrap_or_default();
    (0..l).rev().map(move |i: u32| (x >> (8 * i)) as u8).chain([l as u8])
}
