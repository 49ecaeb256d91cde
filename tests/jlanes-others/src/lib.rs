//! jlanes's hashers under the names that RustCrypto's tests import: the tests are compiled with this
//! crate in the place of `sha2`, `sha3`, `skein` and the others. See `tests/rustcrypto.rs`.

pub use jlanes::{
    Digest,
    digest::{
        self,
        consts::{U32, U64, U128},
    },
    sha3::{CShake128, CShake256, CTurboShake128, CTurboShake256},
    skein::{Skein256, Skein512, Skein1024},
    tree::{Kt128, Kt256},
    *,
};

// RustCrypto's own hashers, which jlanes lacks, so that the test files compile
pub use ::{
    ripemd::{Ripemd128, Ripemd256, Ripemd320},
    sha3::Keccak256Full,
};

/// KangarooTwelve takes customization strings as it is.
pub type CustomKt128 = Kt128;
/// KangarooTwelve takes customization strings as it is.
pub type CustomKt256 = Kt256;
/// KangarooTwelve takes customization strings as it is.
pub type CustomRefKt128 = Kt128;
/// KangarooTwelve takes customization strings as it is.
pub type CustomRefKt256 = Kt256;

/// Skein-256 with a digest of 256 bits.
pub type Skein256_256 = Skein256<U32>;
/// Skein-256 with a digest of 512 bits.
pub type Skein256_512 = Skein256<U64>;
/// Skein-512 with a digest of 256 bits.
pub type Skein512_256 = Skein512<U32>;
/// Skein-512 with a digest of 512 bits.
pub type Skein512_512 = Skein512<U64>;
/// Skein-1024 with a digest of 256 bits.
pub type Skein1024_256 = Skein1024<U32>;
/// Skein-1024 with a digest of 512 bits.
pub type Skein1024_512 = Skein1024<U64>;
/// Skein-1024 with a digest of 1024 bits.
pub type Skein1024_1024 = Skein1024<U128>;
