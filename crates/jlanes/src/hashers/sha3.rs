//! Hashers of SHA-3 and of the other functions over Keccak, on the detected backend.

use crate::{
    Backend,
    sha3::{CTurboShake128, CTurboShake256, Hasher, functions},
};

macro_rules! hashers {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        pub type $name = Hasher<functions::$name, Backend>;
    )*};
}
hashers! {
    /// SHA3-224 hasher.
    Sha3_224;
    /// SHA3-256 hasher.
    Sha3_256;
    /// SHA3-384 hasher.
    Sha3_384;
    /// SHA3-512 hasher.
    Sha3_512;
    /// Keccak-224 hasher: Keccak with its original padding, before SHA-3.
    Keccak224;
    /// Keccak-256 hasher: Keccak with its original padding, before SHA-3, as in Ethereum.
    Keccak256;
    /// Keccak-384 hasher: Keccak with its original padding, before SHA-3.
    Keccak384;
    /// Keccak-512 hasher: Keccak with its original padding, before SHA-3.
    Keccak512;
    /// Hasher of the whole state after Keccak-256, 200 bytes: the first step of CryptoNight.
    Keccak256Full;
    /// SHAKE128 hasher.
    Shake128;
    /// SHAKE256 hasher.
    Shake256;
}

/// TurboSHAKE128 hasher (RFC 9861) with the default domain separation byte.
pub type TurboShake128 = CTurboShake128<0x1f>;
/// TurboSHAKE256 hasher (RFC 9861) with the default domain separation byte.
pub type TurboShake256 = CTurboShake256<0x1f>;
