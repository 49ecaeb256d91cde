//! Portable lanes whose operations are called. Inlined, sixteen compression functions in all kernels
//! take the compiler many minutes; so they take seconds, and compute the same.

use std::marker::PhantomData;

use jlanes_core::{
    engine::{Engine, Work, one_on},
    hash::compression::Compression,
    simd::{
        groups::{Groups, One},
        isa::{Isa, Kernel},
        lanes::{ByteOrder, Lanes, Vector, Word},
        layout::{Layout, store_digests},
        portable::{PlainWords, Portable},
    },
};

/// `N` words in an array.
#[derive(Clone, Copy)]
pub(crate) struct Called<W, const N: usize>(PlainWords<W, N>);

/// The instruction set of [`Called`] words.
#[derive(Clone, Copy, Default)]
pub(crate) struct Calls<const N: usize>;

impl<const N: usize> Isa for Calls<N> {
    type Proof = ();
    type U32 = Called<u32, N>;
    type U64 = Called<u64, N>;

    fn proof(self) {}

    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        kernel.call(self)
    }
}

macro_rules! called {
    ($($name:ident($($argument:ident: $type:ty),*) -> $words:expr;)*) => {$(
        #[inline(never)]
        fn $name($($argument: $type),*) -> Self {
            Self($words)
        }
    )*};
}

impl<W: Word, const N: usize> Lanes<W> for Called<W, N> {
    const N: usize = N;
    type Proof = ();
    type Vector = Self;

    called! {
        splat(proof: (), word: W) -> PlainWords::splat(proof, word);
        load(proof: (), words: &[W]) -> PlainWords::load(proof, words);
        add(self: Self, other: Self) -> self.0.add(other.0);
        xor(self: Self, other: Self) -> self.0.xor(other.0);
        and(self: Self, other: Self) -> self.0.and(other.0);
        or(self: Self, other: Self) -> self.0.or(other.0);
        andnot(self: Self, other: Self) -> self.0.andnot(other.0);
        rotr(self: Self, n: u32) -> self.0.rotr(n);
        shr(self: Self, n: u32) -> self.0.shr(n);
    }

    #[inline(never)]
    fn store(self, words: &mut [W]) {
        self.0.store(words);
    }

    #[inline(never)]
    fn load_block<C, L>((): (), layout: &L, first: usize, b: usize) -> C::Block<Self>
    where
        C: Compression<Word = W>,
        L: Layout,
    {
        layout.load::<C, Self>((), first, b)
    }

    #[inline(never)]
    fn store_digests<C: Compression<Word = W>>(
        (): (),
        state: &C::State<Self>,
        size: usize,
        out: &mut [u8],
    ) {
        store_digests::<C, Self>((), state, size, out);
    }
}

impl<W: Word, const N: usize> Vector<W> for Called<W, N> {
    type Per<T: Copy> = [T; N];

    called! {
        load_bytes(proof: (), order: ByteOrder, bytes: &[u8])
            -> PlainWords::load_bytes(proof, order, bytes);
    }

    #[inline(never)]
    fn store_bytes(self, order: ByteOrder, bytes: &mut [u8]) {
        self.0.store_bytes(order, bytes);
    }

    #[inline(never)]
    fn transpose(rows: [Self; N]) -> [Self; N] {
        PlainWords::transpose(rows.map(|row| row.0)).map(Self)
    }
}

/// `N` lanes in a register, and registers used as `G` says.
#[derive(Clone, Copy)]
pub(crate) struct On<const N: usize, G = One>(PhantomData<G>);

impl<const N: usize, G> Default for On<N, G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<C: Compression, const N: usize, G: Groups + Send + Sync + 'static> Engine<C> for On<N, G> {
    fn lanes(&self) -> usize {
        N
    }

    fn run(&self, mut work: Work<'_, C>) {
        let lanes = work.lanes();
        work.on::<_, G>(Calls::<N>, 0, lanes);
    }

    fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]) {
        one_on::<_, C>(Portable::<1>, state, data);
    }

    fn kernel_name(&self, _: usize) -> &'static str {
        "called"
    }
}
