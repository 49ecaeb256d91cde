//! WebAssembly with simd128: its vectors, the kernels of each hash, and their costs.
//!
//! A module has simd128 or not: JavaScript engines refuse modules with instructions that they lack, so
//! nothing is detected, and the token proves nothing that the compiler does not know.

#![warn(dead_code, unused_imports, unused_macros)]

mod class;
mod costs;
mod features;
mod kernels;
mod simd128;
mod vec128;

use self::simd128::Simd128;
pub(crate) use self::{
    class::{CpuClass, FORCED_COSTS},
    features::{FORCED, detected, has},
};

/// Prefetches the cache line at `bytes[offset]`: WebAssembly has no such hint.
#[inline(always)]
pub(crate) fn prefetch(_: &[u8], _offset: usize) {}

/// Runs `check` under the only token.
#[cfg(test)]
pub(crate) fn on_every_token(check: impl crate::common::check::Check) {
    crate::common::check::check_on::<Simd128>(check);
}
