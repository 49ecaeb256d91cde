//! The hashers: every hash function on the detected backend, with the traits of RustCrypto's
//! hashers.

#[cfg(feature = "sha2")]
use digest::{
    CollisionResistance,
    consts::{U14, U16, U24, U32},
};
#[cfg(feature = "sha2")]
use jlanes_core::hashes::sha2;
use jlanes_core::{engine::MultiDigest, hash::digest_api::HashCore};

use crate::Backend;

macro_rules! hashers {
    ($($(#[$feature:meta])? $name:ident: $function:ty, $oid:literal, $doc:literal;)*) => {$(
        $(#[$feature])?
        digest::buffer_fixed!(
            #[doc = concat!($doc, " hasher.")]
            ///
            /// ```
            #[doc = concat!("use jlanes::{Digest, ", stringify!($name), "};")]
            ///
            #[doc = concat!("let mut hasher = ", stringify!($name), "::new();")]
            /// hasher.update(b"hello ");
            /// hasher.update(b"world");
            #[doc = concat!(
                "assert_eq!(hasher.finalize(), ", stringify!($name), "::digest(b\"hello world\"));"
            )]
            /// ```
            pub struct $name(HashCore<$function, Backend>);
            oid: $oid;
            impl: FixedHashTraits;
        );

        $(#[$feature])?
        impl MultiDigest for $name {
            type Function = $function;
            type Engine = Backend;

            #[inline]
            fn engine() -> Backend {
                Backend::detect()
            }
        }
    )*};
}
hashers! {
    #[cfg(feature = "md5")]
    Md5: jlanes_core::hashes::md5::Md5, "1.2.840.113549.2.5", "MD5 (broken)";
    #[cfg(feature = "ripemd160")]
    Ripemd160: jlanes_core::hashes::ripemd160::Ripemd160, "1.3.36.3.2.1", "RIPEMD-160 (too short for new uses)";
    #[cfg(feature = "sha1")]
    Sha1: jlanes_core::hashes::sha1::Sha1, "1.3.14.3.2.26", "SHA-1 (broken for collisions)";
    #[cfg(feature = "sha1dc")]
    Sha1Checked: jlanes_core::hashes::sha1::checked::Sha1Checked, "1.3.14.3.2.26", "SHA-1 with detection of collision attacks";
    #[cfg(feature = "sha2")]
    Sha224: sha2::Sha224, "2.16.840.1.101.3.4.2.4", "SHA-224";
    #[cfg(feature = "sha2")]
    Sha256: sha2::Sha256, "2.16.840.1.101.3.4.2.1", "SHA-256";
    #[cfg(feature = "sha2")]
    Sha384: sha2::Sha384, "2.16.840.1.101.3.4.2.2", "SHA-384";
    #[cfg(feature = "sha2")]
    Sha512: sha2::Sha512, "2.16.840.1.101.3.4.2.3", "SHA-512";
    #[cfg(feature = "sha2")]
    Sha512_224: sha2::Sha512_224, "2.16.840.1.101.3.4.2.5", "SHA-512/224";
    #[cfg(feature = "sha2")]
    Sha512_256: sha2::Sha512_256, "2.16.840.1.101.3.4.2.6", "SHA-512/256";
    #[cfg(feature = "sm3")]
    Sm3: jlanes_core::hashes::sm3::Sm3, "1.2.156.10197.1.401", "SM3";
}

#[cfg(feature = "sha2")]
macro_rules! collision_resistance {
    ($($name:ident: $bytes:ident;)*) => {$(
        impl CollisionResistance for $name {
            type CollisionResistance = $bytes;
        }
    )*};
}
// Half of the digest length, as RustCrypto's crates claim for these hashes.
#[cfg(feature = "sha2")]
collision_resistance! {
    Sha224: U14;
    Sha256: U16;
    Sha384: U24;
    Sha512: U32;
    Sha512_224: U14;
    Sha512_256: U16;
}
