//! Portable lanes with operations as calls. Inlined, sixteen compression functions in all kernels
//! take the compiler many minutes; as calls they take seconds, and compute the same.

use std::marker::PhantomData;

use jlanes_core::{
    compression::{Compression, padding::Padding},
    hash::{HashFunction, Output, State, WordOf},
    kernel::{HasKernels, Kernels, portable, step::Plain},
    simd::{
        portable::PlainWords,
        registers::{OneRegister, Registers},
        vector::{ByteOrder, Isa, SimdWord, Vector, VectorCode, Word},
    },
};

use crate::Function;

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

    fn token() -> Self {
        Self
    }

    fn proof(self) {}

    fn run<K: VectorCode<Self>>(self, kernel: K) -> K::Out {
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

impl<W: Word, const N: usize> SimdWord<W> for Called<W, N> {
    const N: usize = N;
    /// As of sets with short registers.
    const FEW_REGISTERS: bool = N == 2;
    type Proof = ();
    type Vector = Self;

    #[inline(always)]
    fn from_vectors([first, _]: [Self; 2]) -> Self {
        first
    }
    #[inline(always)]
    fn vectors(self) -> [Self; 2] {
        [self; 2]
    }

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

/// `H` on another backend.
#[derive(Clone, Copy)]
pub(crate) struct OnBackend<H, B>(PhantomData<fn() -> (H, B)>);

impl<H: Function, B: Copy + 'static> HashFunction for OnBackend<H, B> {
    type Compression = H::Compression;
    type OutputSize = H::OutputSize;
    const NAME: &'static str = H::NAME;
    const PADDING: Padding = H::PADDING;
    const HAS_OUTPUT_TRANSFORM: bool = H::HAS_OUTPUT_TRANSFORM;
    const ONE_BLOCK_PADDING: Option<&'static [WordOf<H>]> = H::ONE_BLOCK_PADDING;

    fn start() -> State<H> {
        H::start()
    }

    fn transform(state: &mut State<H>) -> bool {
        H::transform(state)
    }

    fn output(state: &State<H>) -> Output<H> {
        H::output(state)
    }
}

impl<H: Function, B: HasKernels<H::Compression> + Default + 'static> Function for OnBackend<H, B> {
    type On = B;
    type Peer = H::Peer;
}

/// `N` lanes in a register, and registers used as `R` says.
#[derive(Clone, Copy)]
pub(crate) struct On<const N: usize, R = OneRegister>(PhantomData<R>);

impl<const N: usize, R> Default for On<N, R> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<C: Compression, const N: usize, R: Registers + Send + Sync + 'static> HasKernels<C>
    for On<N, R>
{
    fn kernels(&self) -> Kernels<C::Word> {
        portable::kernels_on::<Plain<C, R>, Calls<N>>()
    }
}
