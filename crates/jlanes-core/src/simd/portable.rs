//! Lanes as plain arrays: the instruction set that every target has.
//!
//! `Portable<1>` is what ships (scalar code); more lanes serve the tests, which run every generic
//! algorithm at widths that no vector register has.

use crate::simd::vector::{ByteOrder, Isa, SimdWord, Vector, VectorCode, Word};

/// The portable instruction set with `N` lanes; it needs no evidence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable<const N: usize>;

impl<const N: usize> Isa for Portable<N> {
    type Proof = ();
    type U32 = PlainWords<u32, N>;
    type U64 = PlainWords<u64, N>;

    #[inline(always)]
    fn token() -> Self {
        Self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn proof(self) {}

    #[inline]
    fn run<K: VectorCode<Self>>(self, kernel: K) -> K::Out {
        kernel.call(self)
    }
}

/// `N` words in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainWords<W, const N: usize>(pub [W; N]);

/// One lane has no loop, not even of one iteration: LLVM's `indvars` would rewrite a value that leaves the
/// loop as one sum of all previous additions, so that each round would repeat those of the rounds before (a
/// fifth of the time of SHA-2).
impl<W: Word, const N: usize> PlainWords<W, N> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each(mut self, f: impl Fn(W) -> W) -> Self {
        if N == 1 {
            self.0[0] = f(self.0[0]);
            return self;
        }
        for l in 0..N {
            self.0[l] = f(self.0[l]);
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn both(mut self, other: Self, f: impl Fn(W, W) -> W) -> Self {
        if N == 1 {
            self.0[0] = f(self.0[0], other.0[0]);
            return self;
        }
        for l in 0..N {
            self.0[l] = f(self.0[l], other.0[l]);
        }
        self
    }
}

impl<W: Word, const N: usize> SimdWord<W> for PlainWords<W, N> {
    const N: usize = N;
    type Proof = ();
    type Vector = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from_vectors([first, _]: [Self; 2]) -> Self {
        first
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn vectors(self) -> [Self; 2] {
        [self; 2]
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn splat((): (), word: W) -> Self {
        Self([word; N])
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load((): (), words: &[W]) -> Self {
        let mut v = [W::default(); N];
        v.copy_from_slice(&words[..N]);
        Self(v)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store(self, words: &mut [W]) {
        words[..N].copy_from_slice(&self.0);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(self, other: Self) -> Self {
        self.both(other, W::wrapping_add)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn xor(self, other: Self) -> Self {
        self.both(other, W::xor)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn and(self, other: Self) -> Self {
        self.both(other, W::and)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn or(self, other: Self) -> Self {
        self.both(other, W::or)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn andnot(self, other: Self) -> Self {
        self.both(other, W::andnot)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rotr(self, n: u32) -> Self {
        debug_assert!(n < 8 * W::BYTES as u32, "rotations of vectors are by less than a word");
        self.each(|w| w.rotr(n))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shr(self, n: u32) -> Self {
        self.each(|w| w.shr(n))
    }
}

impl<W: Word, const N: usize> Vector<W> for PlainWords<W, N> {
    type Per<T: Copy> = [T; N];

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load_bytes((): (), order: ByteOrder, bytes: &[u8]) -> Self {
        let mut v = [W::default(); N];
        for l in 0..N {
            v[l] = W::read(order, &bytes[l * W::BYTES..][..W::BYTES]);
        }
        Self(v)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store_bytes(self, order: ByteOrder, bytes: &mut [u8]) {
        for l in 0..N {
            self.0[l].write(order, &mut bytes[l * W::BYTES..][..W::BYTES]);
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn transpose(rows: [Self; N]) -> [Self; N] {
        let mut columns = rows;
        for i in 0..N {
            for l in 0..N {
                columns[i].0[l] = rows[l].0[i];
            }
        }
        columns
    }
}
