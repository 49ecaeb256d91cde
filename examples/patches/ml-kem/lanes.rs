//! The outputs of SHAKE that ML-KEM samples from, many at once. `../run.py` puts this module
//! into the crate `ml-kem`, in place of its sampling from one output after the other.

use array::typenum::Unsigned;
use jlanes::{
    Shake128, Shake256,
    multi::Xofs,
};
use module_lattice::ArraySize;

use crate::{
    B32,
    algebra::{
        Elem, NttMatrix, NttPolynomial, NttVector, Polynomial, Vector, rej_uniform, sample_poly_cbd,
    },
    crypto::PrfOutput,
    param::{CbdSamplingSize, PkeParams},
};

/// Polynomials of the largest matrix.
const MOST: usize = 16;
/// A seed, and the place of the polynomial.
type Seed = [u8; 34];

/// The public matrix: all polynomials are sampled at once, and the unfinished ones continue.
pub(crate) fn matrix_sample_ntt<K: ArraySize>(rho: &B32, transpose: bool) -> NttMatrix<K> {
    let count = K::USIZE * K::USIZE;
    let mut seeds: [Seed; MOST] = [[0; 34]; MOST];
    for (i, seed) in seeds[..count].iter_mut().enumerate() {
        let (row, column) = (i / K::USIZE, i % K::USIZE);
        let (row, column) = if transpose { (column, row) } else { (row, column) };
        seed[..32].copy_from_slice(rho);
        (seed[32], seed[33]) = (column as u8, row as u8);
    }
    let mut xofs = Xofs::<Shake128>::new();
    xofs.absorb(&seeds[..count]);

    let mut polynomials = [[Elem::new(0); 256]; MOST];
    let mut lens = [0; MOST];
    let mut first = [[0; 3 * 168]; MOST];
    xofs.squeeze(&mut first[..count]);
    for i in 0..count {
        lens[i] = rej_uniform(&mut polynomials[i], 0, &first[i]);
    }
    loop {
        let (mut short, mut some) = ([0; MOST], 0);
        for i in (0..count).filter(|i| lens[*i] < 256) {
            short[some] = i;
            some += 1;
        }
        if some == 0 {
            break;
        }
        let mut blocks = [[0; 168]; MOST];
        xofs.squeeze_some(&short[..some], &mut blocks[..some]);
        for (i, block) in short[..some].iter().zip(&blocks) {
            lens[*i] = rej_uniform(&mut polynomials[*i], lens[*i], block);
        }
    }
    NttMatrix::new(array::Array::from_fn(|i| {
        NttVector::new(array::Array::from_fn(|j| {
            NttPolynomial::new(polynomials[i * K::USIZE + j].into())
        }))
    }))
}

/// The outputs for the noise of one seed: `K` of `A`, then up to `K + 1` of `B`.
struct Noise<A: CbdSamplingSize, B: CbdSamplingSize> {
    first: [PrfOutput<A>; 4],
    second: [PrfOutput<B>; 5],
}

impl<A: CbdSamplingSize, B: CbdSamplingSize> Noise<A, B> {
    fn new(seed: &B32, [first, second]: [usize; 2]) -> Self {
        let mut noise = Self {
            first: core::array::from_fn(|_| PrfOutput::<A>::default()),
            second: core::array::from_fn(|_| PrfOutput::<B>::default()),
        };
        let inputs: [[u8; 33]; 9] = core::array::from_fn(|i| {
            let mut input = [i as u8; 33];
            input[..32].copy_from_slice(seed);
            input
        });
        let own = noise.first[..first].iter_mut().map(|out| &mut out[..]);
        let mut outs = own.chain(noise.second[..second].iter_mut().map(|out| &mut out[..]));
        let mut outs: [&mut [u8]; 9] = core::array::from_fn(|_| outs.next().unwrap_or_default());
        let count = first + second;
        Xofs::<Shake256>::new().fill(&inputs[..count], &mut outs[..count]);
        noise
    }
}

fn vector<Eta: CbdSamplingSize, K: ArraySize>(outputs: &[PrfOutput<Eta>]) -> Vector<K> {
    Vector::new(array::Array::from_fn(|i| sample_poly_cbd::<Eta>(&outputs[i])))
}

/// The vectors of a key pair.
pub(crate) fn key_noise<P: PkeParams>(sigma: &B32) -> (Vector<P::K>, Vector<P::K>) {
    let noise = Noise::<P::Eta1, P::Eta1>::new(sigma, [P::K::USIZE; 2]);
    (vector::<P::Eta1, P::K>(&noise.first), vector::<P::Eta1, P::K>(&noise.second))
}

/// The vectors and the polynomial of an encryption.
pub(crate) fn noise<P: PkeParams>(r: &B32) -> (Vector<P::K>, Vector<P::K>, Polynomial) {
    let noise = Noise::<P::Eta1, P::Eta2>::new(r, [P::K::USIZE, P::K::USIZE + 1]);
    let last = sample_poly_cbd::<P::Eta2>(&noise.second[P::K::USIZE]);
    (vector::<P::Eta1, P::K>(&noise.first), vector::<P::Eta2, P::K>(&noise.second), last)
}
