//! The hash functions over Keccak: SHA-3, Keccak, SHAKE, cSHAKE and TurboSHAKE, each with its padding, output
//! length and name.

use digest::consts::{U28, U32, U48, U64, U200};

use super::{Extendable, Fixed, Keccak, STATE_WORDS, SpongeFunction};
use crate::{compression::padding::Padding, hash::HashFunction};

/// SHA-3's domain bits 01, and the first bit of the padding (FIPS 202, section 6.1).
const SHA3: Padding = Padding::Sponge(0x06);
/// The first bit of the padding alone, as in the original Keccak.
const KECCAK: Padding = Padding::Sponge(0x01);
/// SHAKE's domain bits 1111, and the first bit of the padding (FIPS 202, section 6.2).
const SHAKE: Padding = Padding::Sponge(0x1f);
/// cSHAKE's domain bits 00, and the first bit of the padding (SP 800-185, section 3.3).
const CSHAKE: Padding = Padding::Sponge(0x04);

macro_rules! functions {
    ($($(#[$doc:meta])* $kind:ident $name:ident $(as $algorithm:literal)?:
       $words:literal, $rounds:literal, $size:ident, $padding:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl HashFunction for $name {
            type Compression = Keccak<$words, $rounds>;
            type OutputSize = $size;
            const NAME: &'static str = stringify!($name);
            const PADDING: Padding = $padding;

            #[inline]
            fn start() -> [u64; STATE_WORDS] {
                [0; STATE_WORDS]
            }
        }

        impl SpongeFunction for $name {
            $(const ALGORITHM: &'static str = $algorithm;)?
        }

        impl $kind for $name {}
    )*};
}
functions! {
    /// SHA3-224 (FIPS 202).
    Fixed Sha3_224: 18, 24, U28, SHA3;
    /// SHA3-256 (FIPS 202).
    Fixed Sha3_256: 17, 24, U32, SHA3;
    /// SHA3-384 (FIPS 202).
    Fixed Sha3_384: 13, 24, U48, SHA3;
    /// SHA3-512 (FIPS 202).
    Fixed Sha3_512: 9, 24, U64, SHA3;
    /// Keccak-224 with its original padding.
    Fixed Keccak224: 18, 24, U28, KECCAK;
    /// Keccak-256 with its original padding, as in Ethereum.
    Fixed Keccak256: 17, 24, U32, KECCAK;
    /// Keccak-384 with its original padding.
    Fixed Keccak384: 13, 24, U48, KECCAK;
    /// Keccak-512 with its original padding.
    Fixed Keccak512: 9, 24, U64, KECCAK;
    /// The whole state after Keccak-256, as in CryptoNight.
    Fixed Keccak256Full: 17, 24, U200, KECCAK;
    /// SHAKE128 (FIPS 202). As a fixed-output function it outputs twice its strength in bits.
    Extendable Shake128 as "SHAKE128": 21, 24, U32, SHAKE;
    /// SHAKE256 (FIPS 202).
    Extendable Shake256 as "SHAKE256": 17, 24, U64, SHAKE;
    /// cSHAKE128 (SP 800-185) with a name or a customization string.
    Extendable CShake128 as "cSHAKE128": 21, 24, U32, CSHAKE;
    /// cSHAKE256 (SP 800-185) with a name or a customization string.
    Extendable CShake256 as "cSHAKE256": 17, 24, U64, CSHAKE;
}

/// TurboSHAKE128 (RFC 9861) with the domain separation byte `DOMAIN`.
#[derive(Clone, Copy, Debug)]
pub struct TurboShake128<const DOMAIN: u8 = 0x1f>;
/// TurboSHAKE256 (RFC 9861) with the domain separation byte `DOMAIN`.
#[derive(Clone, Copy, Debug)]
pub struct TurboShake256<const DOMAIN: u8 = 0x1f>;

macro_rules! turbo {
    ($($name:ident as $algorithm:literal: $words:literal, $size:ident;)*) => {$(
        impl<const DOMAIN: u8> HashFunction for $name<DOMAIN> {
            type Compression = Keccak<$words, 12>;
            type OutputSize = $size;
            const NAME: &'static str = stringify!($name);
            const PADDING: Padding = {
                assert!(0x01 <= DOMAIN && DOMAIN <= 0x7f, "a domain is 0x01 to 0x7f");
                Padding::Sponge(DOMAIN)
            };

            #[inline]
            fn start() -> [u64; STATE_WORDS] {
                [0; STATE_WORDS]
            }
        }

        impl<const DOMAIN: u8> SpongeFunction for $name<DOMAIN> {
            const ALGORITHM: &'static str = $algorithm;
        }

        impl<const DOMAIN: u8> Extendable for $name<DOMAIN> {}
    )*};
}
turbo! {
    TurboShake128 as "TurboSHAKE128": 21, U32;
    TurboShake256 as "TurboSHAKE256": 17, U64;
}
