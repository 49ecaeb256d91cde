//! [`Simd128`], the token of WebAssembly's vectors of 128 bits.
//!
//! A whole module is compiled with simd128 or without it, so the token is always there. It is written out, because
//! [`token!`](crate::common::token::token) would add detection, and functions with a target feature.

use jlanes_core::simd::vector::{Isa, VectorCode};

use super::vec128::{U32x4, U64x2};
use crate::common::{needs::Needs, token::Token};

/// The module is compiled with simd128.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

impl Token for Simd128 {
    const NAME: &'static str = "simd128";
    const SETS: Needs = Needs::SIMD128;

    #[inline(always)]
    fn detected() -> Option<Self> {
        Some(Self)
    }
}

impl Isa for Simd128 {
    type Proof = Self;
    type U32 = U32x4;
    type U64 = U64x2;

    #[inline(always)]
    fn token() -> Self {
        Token::get()
    }

    #[inline(always)]
    fn proof(self) -> Self {
        self
    }

    /// A function of its own, because JavaScript engines compile and optimise functions one by one.
    #[inline(never)]
    fn run<K: VectorCode<Self>>(self, kernel: K) -> K::Out {
        kernel.call(self)
    }
}
