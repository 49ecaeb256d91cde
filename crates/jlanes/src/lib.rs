#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "trees")]
pub mod algorithm;
#[cfg(all(feature = "blake3", feature = "trees"))]
pub mod bao;
#[cfg(feature = "digest-multi")]
pub mod digest_multi;
mod hashers;
#[cfg(feature = "trees")]
pub mod merkle;
pub mod multi;
#[cfg(feature = "sha1dc")]
mod sha1_checked;
#[cfg(feature = "sha3")]
pub mod sha3;
#[cfg(feature = "skein")]
pub mod skein;
#[cfg(feature = "trees")]
pub mod tree;

#[cfg(feature = "trees")]
pub use algorithm::{kind::Algorithm, parse::AlgorithmError};
pub use digest::{self, Digest};
pub use hashers::Hasher;
#[cfg(feature = "blake2")]
pub use hashers::blake2::{
    Blake2b, Blake2b128, Blake2b256, Blake2b512, Blake2bMac, Blake2bMac512, Blake2bVar, Blake2s,
    Blake2s128, Blake2s256, Blake2sMac, Blake2sMac256, Blake2sVar,
};
#[cfg(feature = "blake3")]
pub use hashers::blake3::{Blake3, Blake3Reader};
#[allow(unused_imports, unreachable_pub)] // without features there are no names
pub use hashers::names::*;
#[cfg(feature = "sha3")]
pub use hashers::sha3::{
    Keccak224, Keccak256, Keccak256Full, Keccak384, Keccak512, Sha3_224, Sha3_256, Sha3_384,
    Sha3_512, Shake128, Shake256, TurboShake128, TurboShake256,
};
/// ```
/// use jlanes::Backend;
///
/// let portable: Backend = "portable".parse()?;
/// assert_eq!(portable, Backend::portable());
/// assert_eq!(portable.to_string(), "portable");
/// assert_eq!(Backend::available().next(), Some(portable));
/// assert!("avx1024".parse::<Backend>().is_err());
/// # Ok::<(), jlanes::BackendError>(())
/// ```
#[doc(inline)]
pub use jlanes_simd::Backend;
pub use jlanes_simd::BackendError;
pub use multi::Lanes;
#[cfg(feature = "sha1dc")]
pub use sha1_checked::{Collision, Sha1CheckedBuilder};
#[cfg(feature = "skein")]
pub use skein::{Skein256, Skein512, Skein1024};

/// BLAKE2's MACs and hashers with a digest length that is known at run time, over any backend.
/// [`Blake2bMac`], [`Blake2bVar`] and the others are names of them.
#[cfg(feature = "blake2")]
pub mod blake2 {
    pub use jlanes_core::hashes::blake2::{Blake2Word, mac::Mac, variable::Variable};
}

/// BLAKE3's hasher and its output, over any backend. [`Blake3`] and [`Blake3Reader`] are names of
/// them.
#[cfg(feature = "blake3")]
pub mod blake3 {
    pub use jlanes_core::hashes::blake3::{hasher::Hasher, reader::Reader};
}
