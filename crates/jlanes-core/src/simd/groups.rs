//! How a kernel uses registers: two side by side, or one on a core that waits for it.

use crate::{
    hash::compression::Compression,
    simd::{
        lanes::{Array, Lanes, Vector, Word},
        layout::Layout,
    },
};

/// What lanes made of others compute: what those do, each field by itself.
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

/// Two of the same lanes, side by side.
///
/// The two halves do not depend on each other, so a core on which an instruction takes more cycles
/// than a round has instructions for finds work in one while it waits for the other.
#[derive(Clone, Copy, Debug)]
pub struct Pair<A>(A, A);

impl<A: Copy> Pair<A> {
    /// Two states side by side.
    #[inline(always)]
    pub fn zip<C: Compression>(left: &C::State<A>, right: &C::State<A>) -> C::State<Self> {
        let mut both = C::State::splat(Self(left.as_ref()[0], right.as_ref()[0]));
        for i in 1..C::State::<A>::LEN {
            both.as_mut()[i] = Self(left.as_ref()[i], right.as_ref()[i]);
        }
        both
    }
}

impl<W: Word, A: Lanes<W>> Lanes<W> for Pair<A> {
    const N: usize = 2 * A::N;
    type Proof = A::Proof;
    type Vector = A::Vector;

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
    #[inline(always)]
    fn load_block<C, L>(proof: A::Proof, layout: &L, first: usize, b: usize) -> C::Block<Self>
    where
        C: Compression<Word = W>,
        L: Layout,
    {
        let left = A::load_block::<C, L>(proof, layout, first, b);
        let right = A::load_block::<C, L>(proof, layout, first + A::N, b);
        let mut block = C::Block::<Self>::splat(Self::splat(proof, W::default()));
        for i in 0..C::Block::<Self>::LEN {
            block.as_mut()[i] = Self(left.as_ref()[i], right.as_ref()[i]);
        }
        block
    }
    #[inline(always)]
    fn store_digests<C: Compression<Word = W>>(
        proof: A::Proof,
        state: &C::State<Self>,
        size: usize,
        out: &mut [u8],
    ) {
        let mut left = C::State::<A>::splat(A::splat(proof, W::default()));
        let mut right = left;
        for i in 0..C::State::<A>::LEN {
            left.as_mut()[i] = state.as_ref()[i].0;
            right.as_mut()[i] = state.as_ref()[i].1;
        }
        let (out_left, out_right) = out.split_at_mut(out.len().min(A::N * size));
        A::store_digests::<C>(proof, &left, size, out_left);
        A::store_digests::<C>(proof, &right, size, out_right);
    }
    field_by_field! { A: 0, 1 }
}

/// The same lanes on a core where a round is [`SERIAL`](Lanes::SERIAL): an operation takes more
/// cycles than the core needs to start those of a round.
#[derive(Clone, Copy, Debug)]
pub struct Serial<A>(A);

impl<W: Word, A: Lanes<W>> Lanes<W> for Serial<A> {
    const N: usize = A::N;
    const SERIAL: bool = true;
    type Proof = A::Proof;
    type Vector = A::Vector;

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
    #[inline(always)]
    fn load_block<C, L>(proof: A::Proof, layout: &L, first: usize, b: usize) -> C::Block<Self>
    where
        C: Compression<Word = W>,
        L: Layout,
    {
        let own = A::load_block::<C, L>(proof, layout, first, b);
        let mut block = C::Block::<Self>::splat(Self::splat(proof, W::default()));
        for i in 0..C::Block::<Self>::LEN {
            block.as_mut()[i] = Self(own.as_ref()[i]);
        }
        block
    }
    #[inline(always)]
    fn store_digests<C: Compression<Word = W>>(
        proof: A::Proof,
        state: &C::State<Self>,
        size: usize,
        out: &mut [u8],
    ) {
        let mut own = C::State::<A>::splat(A::splat(proof, W::default()));
        for i in 0..C::State::<A>::LEN {
            own.as_mut()[i] = state.as_ref()[i].0;
        }
        A::store_digests::<C>(proof, &own, size, out);
    }
    field_by_field! { A: 0 }
}

/// How a kernel uses registers.
pub trait Groups: Copy {
    /// Whether it pays to ask the cache for what is loaded later, wherever it lies. On cores for which
    /// the other choices are meant that costs up to a third of the time of what lies near (EPYC, Zen
    /// 5, 2026-11-21).
    const PREFETCH: bool = false;
    /// Whether blocks that all lanes share are better taken by twice as many registers: their words
    /// take none.
    const SHARED_TWO: bool = false;
    /// Registers `V` so used.
    type Of<W: Word, V: Vector<W>>: Lanes<W, Proof = V::Proof, Vector = V>;
}

/// One register.
#[derive(Clone, Copy, Debug)]
pub struct One;
/// Two registers side by side, for rounds that are one chain of operations.
#[derive(Clone, Copy, Debug)]
pub struct Two;
/// One register, on a core where its rounds are serial.
#[derive(Clone, Copy, Debug)]
pub struct OneSerial;

impl Groups for One {
    const PREFETCH: bool = true;
    type Of<W: Word, V: Vector<W>> = V;
}

impl Groups for Two {
    const PREFETCH: bool = true;
    type Of<W: Word, V: Vector<W>> = Pair<V>;
}

impl Groups for OneSerial {
    const SHARED_TWO: bool = true;
    type Of<W: Word, V: Vector<W>> = Serial<V>;
}
