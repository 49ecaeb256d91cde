//! Instruction sets as proof tokens, and kernels as work that runs under a token.
//!
//! Rust does not allow `#[target_feature]` on trait methods, and generic functions do not inherit
//! it. So a kernel is a value: [`Isa::run`] enters one function with the features, and everything
//! below it is inlined (see [`SimdWord`](super::lanes::SimdWord)) and generic over the token. `run` is the only entry, and the
//! only place where inlining stops.

use crate::simd::lanes::Vector;

/// Zero-sized evidence that the CPU supports an instruction set, and its vectors.
pub trait Isa: Copy {
    /// The proof that this set's vectors need; a set may borrow another's vectors (AVX takes
    /// SSE4.1's).
    type Proof: Copy;
    /// Vector of 32-bit words.
    type U32: Vector<u32, Proof = Self::Proof>;
    /// Vector of 64-bit words.
    type U64: Vector<u64, Proof = Self::Proof>;

    /// The token.
    ///
    /// # Panics
    /// If the CPU lacks the set.
    fn token() -> Self;
    /// The proof that the vectors take.
    fn proof(self) -> Self::Proof;
    /// Runs `kernel` compiled for this instruction set.
    fn run<K: VectorCode<Self>>(self, kernel: K) -> K::Out;
}

/// Work that can be compiled for the instruction set `I`: most of it for any.
pub trait VectorCode<I: Isa> {
    /// The result of the work.
    type Out;
    /// The work. Implementations are `#[inline(always)]`.
    fn call(self, isa: I) -> Self::Out;
}
