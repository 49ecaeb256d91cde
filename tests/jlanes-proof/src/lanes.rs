//! Vectors of terms, as an instruction set that no CPU has.

use std::marker::PhantomData;

use jlanes_core::simd::vector::{ByteOrder, Isa, SimdWord, Vector, VectorCode};

use crate::{
    names::{Name, term_of, word_of},
    term::Term,
};

/// The instruction set of vectors of `N` terms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symbolic<const N: usize>;

impl<const N: usize> Isa for Symbolic<N> {
    type Proof = ();
    type U32 = Terms<u32, N>;
    type U64 = Terms<u64, N>;

    fn token() -> Self {
        Self
    }

    fn proof(self) {}

    fn run<K: VectorCode<Self>>(self, kernel: K) -> K::Out {
        kernel.call(self)
    }
}

/// The number of lanes that stands for registers of sets with [few](SimdWord::FEW_REGISTERS).
pub const FEW: usize = 3;

/// A term in each of `N` lanes, instead of words `W`.
#[derive(Clone, Copy, Debug)]
pub struct Terms<W, const N: usize>(pub [Term; N], PhantomData<W>);

impl<W, const N: usize> Terms<W, N> {
    /// `term(l)` in lane `l`.
    pub fn new(term: impl FnMut(usize) -> Term) -> Self {
        Self(std::array::from_fn(term), PhantomData)
    }

    fn both(self, other: Self, f: impl Fn(Term, Term) -> Term) -> Self {
        Self::new(|l| f(self.0[l], other.0[l]))
    }
}

// Nothing is inlined: the texts inline everything, and have thousands of operations.
impl<W: Name, const N: usize> SimdWord<W> for Terms<W, N> {
    const N: usize = N;
    const FEW_REGISTERS: bool = N == FEW;
    type Proof = ();
    type Vector = Self;

    #[inline(never)]
    fn from_vectors([first, _]: [Self; 2]) -> Self {
        first
    }
    #[inline(never)]
    fn vectors(self) -> [Self; 2] {
        [self; 2]
    }
    #[inline(never)]
    fn splat((): (), word: W) -> Self {
        Self::new(|_| term_of(word))
    }
    #[inline(never)]
    fn load((): (), words: &[W]) -> Self {
        Self::new(|l| term_of(words[l]))
    }
    #[inline(never)]
    fn store(self, words: &mut [W]) {
        for (word, term) in words[..N].iter_mut().zip(self.0) {
            *word = word_of(term);
        }
    }
    #[inline(never)]
    fn add(self, other: Self) -> Self {
        self.both(other, |a, b| a + b)
    }
    #[inline(never)]
    fn xor(self, other: Self) -> Self {
        self.both(other, |a, b| a ^ b)
    }
    #[inline(never)]
    fn and(self, other: Self) -> Self {
        self.both(other, |a, b| a & b)
    }
    #[inline(never)]
    fn or(self, other: Self) -> Self {
        self.both(other, |a, b| a | b)
    }
    #[inline(never)]
    fn andnot(self, other: Self) -> Self {
        self.both(other, |a, b| !a & b)
    }
    #[inline(never)]
    fn rotr(self, n: u32) -> Self {
        Self::new(|l| self.0[l].rotr(n))
    }
    #[inline(never)]
    fn shr(self, n: u32) -> Self {
        Self::new(|l| self.0[l] >> n)
    }
}

impl<W: Name, const N: usize> Vector<W> for Terms<W, N> {
    type Per<T: Copy> = [T; N];

    fn load_bytes((): (), order: ByteOrder, bytes: &[u8]) -> Self {
        Self::new(|l| term_of(W::read(order, &bytes[l * W::BYTES..][..W::BYTES])))
    }
    fn store_bytes(self, order: ByteOrder, bytes: &mut [u8]) {
        for (l, term) in self.0.into_iter().enumerate() {
            word_of::<W>(term).write(order, &mut bytes[l * W::BYTES..][..W::BYTES]);
        }
    }
    fn transpose(rows: [Self; N]) -> [Self; N] {
        std::array::from_fn(|i| Self::new(|l| rows[l].0[i]))
    }
}
