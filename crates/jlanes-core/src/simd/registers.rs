//! Lanes over one register or over two interleaved ones.
//!
//! Rounds that are one chain of dependent instructions leave a core idle; two registers fill the gaps of each
//! other. A kernel names its number of registers by a type, [`OneRegister`] or [`TwoRegisters`], which implements
//! [`Registers`]; the lanes of two are a [`RegisterPair`].

use crate::simd::vector::{SimdWord, Vector, Word};

/// Operations on lanes made of other lanes, field by field.
macro_rules! field_by_field {
    ($of:ident: $($field:tt),*) => {
        field_by_field! { @binary $of [$($field),*] add xor and or andnot }
        field_by_field! { @ternary $of [$($field),*] xor3 ch maj chi }

        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            Self($(self.$field.rotr(n)),*)
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            Self($(self.$field.shr(n)),*)
        }
        #[inline(always)]
        fn fence(self) -> Self {
            Self($(self.$field.fence()),*)
        }
    };
    (@binary $of:ident $fields:tt $($name:ident)*) => {
        $(field_by_field! { @two $of $fields $name })*
    };
    (@two $of:ident [$($field:tt),*] $name:ident) => {
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self($(self.$field.$name(other.$field)),*)
        }
    };
    (@ternary $of:ident $fields:tt $($name:ident)*) => {
        $(field_by_field! { @three $of $fields $name })*
    };
    (@three $of:ident [$($field:tt),*] $name:ident) => {
        #[inline(always)]
        fn $name(a: Self, b: Self, c: Self) -> Self {
            Self($($of::$name(a.$field, b.$field, c.$field)),*)
        }
    };
}

/// Two interleaved lanes of the same type.
///
/// The two halves are independent, so a core that is bound by latency executes one half while it
/// waits for the other.
#[derive(Clone, Copy, Debug)]
pub struct RegisterPair<A>(A, A);

impl<W: Word, A: SimdWord<W>> SimdWord<W> for RegisterPair<A> {
    const N: usize = 2 * A::N;
    type Proof = A::Proof;
    type Vector = A::Vector;

    #[inline(always)]
    fn from_vectors([first, second]: [A::Vector; 2]) -> Self {
        Self(A::from_vectors([first; 2]), A::from_vectors([second; 2]))
    }
    #[inline(always)]
    fn vectors(self) -> [A::Vector; 2] {
        [self.0.vectors()[0], self.1.vectors()[0]]
    }
    #[inline(always)]
    fn splat(proof: A::Proof, word: W) -> Self {
        let half = A::splat(proof, word);
        Self(half, half)
    }
    #[inline(always)]
    fn load(proof: A::Proof, words: &[W]) -> Self {
        Self(A::load(proof, words), A::load(proof, &words[A::N..]))
    }
    #[inline(always)]
    fn store(self, words: &mut [W]) {
        self.0.store(words);
        self.1.store(&mut words[A::N..]);
    }
    field_by_field! { A: 0, 1 }
}

/// Lanes on a core where rounds are bound by latency ([`SimdWord::LATENCY_BOUND`]).
#[derive(Clone, Copy, Debug)]
pub struct LatencyBound<A>(A);

impl<W: Word, A: SimdWord<W>> SimdWord<W> for LatencyBound<A> {
    const N: usize = A::N;
    const LATENCY_BOUND: bool = true;
    type Proof = A::Proof;
    type Vector = A::Vector;

    #[inline(always)]
    fn from_vectors(vectors: [A::Vector; 2]) -> Self {
        Self(A::from_vectors(vectors))
    }
    #[inline(always)]
    fn vectors(self) -> [A::Vector; 2] {
        self.0.vectors()
    }
    #[inline(always)]
    fn splat(proof: A::Proof, word: W) -> Self {
        Self(A::splat(proof, word))
    }
    #[inline(always)]
    fn load(proof: A::Proof, words: &[W]) -> Self {
        Self(A::load(proof, words))
    }
    #[inline(always)]
    fn store(self, words: &mut [W]) {
        self.0.store(words);
    }
    field_by_field! { A: 0 }
}

/// The number of registers of a kernel, and whether they are latency-bound.
pub trait Registers: Copy + 'static {
    /// Whether a kernel of one register has [`Shared`](Self::Shared) lanes of two.
    const SHARES_ON_TWO: bool = false;
    /// The lanes made of registers `V`.
    type Of<W: Word, V: Vector<W>>: SimdWord<W, Proof = V::Proof, Vector = V>;
    /// The lanes for a shared block; its words need no registers.
    type Shared<W: Word, V: Vector<W>>: SimdWord<W, Proof = V::Proof, Vector = V>;
}

/// One register.
#[derive(Clone, Copy, Debug)]
pub struct OneRegister;
/// Two interleaved registers, for rounds that are one dependency chain.
#[derive(Clone, Copy, Debug)]
pub struct TwoRegisters;
/// One register, on a core where rounds are bound by latency.
#[derive(Clone, Copy, Debug)]
pub struct OneLatencyBoundRegister;

impl Registers for OneRegister {
    type Of<W: Word, V: Vector<W>> = V;
    type Shared<W: Word, V: Vector<W>> = V;
}

impl Registers for TwoRegisters {
    type Of<W: Word, V: Vector<W>> = RegisterPair<V>;
    type Shared<W: Word, V: Vector<W>> = RegisterPair<V>;
}

impl Registers for OneLatencyBoundRegister {
    const SHARES_ON_TWO: bool = true;
    type Of<W: Word, V: Vector<W>> = LatencyBound<V>;
    type Shared<W: Word, V: Vector<W>> = RegisterPair<V>;
}
