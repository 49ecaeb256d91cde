//! The outputs of SHAKE that ML-DSA samples from, many at once. `../run.py` puts this module
//! into the crate `ml-dsa`, in place of one sponge after the other.

use alloc::{vec, vec::Vec};
use core::ops::RangeInclusive;

use hybrid_array::{Array, ArraySize};
use jlanes::{
    Shake128, Shake256,
    multi::{MultiXof, Xofs},
};

use crate::{
    algebra::{NttPolynomial, Polynomial},
    param::Eta,
    sampling,
};

/// The seeds of polynomials, one after the other: what all share, and the place of each.
fn seeds(rho: &[u8], places: impl Iterator<Item = [u8; 2]>) -> Vec<u8> {
    let mut seeds = Vec::new();
    for place in places {
        seeds.extend_from_slice(rho);
        seeds.extend_from_slice(&place);
    }
    seeds
}

/// `sample` gets the first bytes of each output, which are squeezed together, and rarely asks for more.
fn polys<H: MultiXof, T, const FIRST: usize>(
    rho: &[u8],
    places: impl Iterator<Item = [u8; 2]>,
    sample: impl Fn(&mut [u8; FIRST], &mut dyn FnMut(&mut [u8])) -> T,
) -> impl Iterator<Item = T> {
    let seeds = seeds(rho, places);
    let mut xofs = Xofs::<H>::new();
    xofs.absorb(&seeds.chunks(rho.len() + 2).collect::<Vec<_>>());
    let mut first = vec![[0; FIRST]; xofs.len()];
    xofs.squeeze(&mut first);
    (0..xofs.len())
        .map(move |i| sample(&mut first[i], &mut |more| xofs.squeeze_some(&[i], &mut [more])))
}

/// Polynomials of the public matrix.
pub(crate) fn ntt_polys(
    rho: &[u8],
    places: impl Iterator<Item = [u8; 2]>,
) -> impl Iterator<Item = NttPolynomial> {
    polys::<Shake128, _, _>(rho, places, sampling::ntt_poly)
}

/// Polynomials of the secret vectors.
pub(crate) fn bounded_polys(
    rho: &[u8],
    eta: Eta,
    places: RangeInclusive<u16>,
) -> impl Iterator<Item = Polynomial> {
    polys::<Shake256, _, _>(rho, places.map(u16::to_le_bytes), move |first, more| {
        sampling::bounded_poly(first, eta, more)
    })
}

/// The outputs for the masks of one attempt.
pub(crate) fn masks<K: ArraySize, Size: ArraySize>(
    rho: &[u8],
    mu: u16,
) -> Array<Array<u8, Size>, K> {
    let seeds = seeds(rho, (mu..=mu + (K::U16 - 1)).map(u16::to_le_bytes));
    let seeds: Vec<&[u8]> = seeds.chunks(rho.len() + 2).collect();
    let mut masks = Array::<Array<u8, Size>, K>::default();
    let mut outs: Vec<&mut [u8]> = masks.iter_mut().map(|mask| &mut mask[..]).collect();
    Xofs::<Shake256>::new().fill(&seeds, &mut outs);
    masks
}
