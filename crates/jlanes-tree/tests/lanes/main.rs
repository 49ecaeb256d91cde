//! Trees compared with naive models, most of them on plain arrays as lanes. The facade's tests do the
//! same, and more, on every backend.

#![allow(clippy::unwrap_used)] // the helpers too are tests

mod dealt;
mod lists;
mod merkle;
mod objects;
#[cfg(feature = "rayon")]
mod parallel;
mod skein;
mod sponges;

use jlanes_core::{
    function::DigestOnKernels,
    hashes::{hash_core::HashCore, sha2},
    simd::portable::Portable,
};
use jlanes_simd::Backend;

/// The name of an algorithm, and how its hasher is printed.
fn names<H: digest::common::AlgorithmName + std::fmt::Debug>(hasher: &H) -> [String; 2] {
    [jlanes_testing::algorithm_name::<H>(), format!("{hasher:?}")]
}

digest::buffer_fixed!(
    /// SHA-256 on four lanes.
    pub struct Sha256(HashCore<sha2::Sha256, Portable<4>>);
    impl: FixedHashTraits;
);

impl DigestOnKernels for Sha256 {
    type Hash = sha2::Sha256;
    type Backend = Portable<4>;

    fn backend() -> Portable<4> {
        Portable
    }
}

digest::buffer_fixed!(
    /// SHA-256 on this CPU's lanes.
    pub struct OnBackend(HashCore<sha2::Sha256, Backend>);
    impl: FixedHashTraits;
);

impl DigestOnKernels for OnBackend {
    type Hash = sha2::Sha256;
    type Backend = Backend;

    fn backend() -> Backend {
        Backend::detect()
    }
}

digest::buffer_fixed!(
    /// SHA-512 on two lanes.
    pub struct Sha512(HashCore<sha2::Sha512, Portable<2>>);
    impl: FixedHashTraits;
);

impl DigestOnKernels for Sha512 {
    type Hash = sha2::Sha512;
    type Backend = Portable<2>;

    fn backend() -> Portable<2> {
        Portable
    }
}
