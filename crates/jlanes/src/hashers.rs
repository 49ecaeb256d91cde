//! The hashers: every hash function on the backend that is detected, with the traits that `sha2`'s
//! and `sha1`'s hashers have.

use digest::{
    CollisionResistance,
    consts::{U14, U16, U24, U32},
};
use jlanes_core::{block_api::HashCore, engine::MultiDigest, sha2};
use jlanes_simd::Backend;

macro_rules! hashers {
    ($($name:ident: $function:ty, $oid:literal, $bits:literal, resists $collisions:ident;)*) => {$(
        digest::buffer_fixed!(
            #[doc = concat!("SHA-", $bits, " hasher.")]
            pub struct $name(HashCore<$function, Backend>);
            oid: $oid;
            impl: FixedHashTraits;
        );

        impl CollisionResistance for $name {
            type CollisionResistance = $collisions;
        }

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
    Sha224: sha2::Sha224, "2.16.840.1.101.3.4.2.4", "224", resists U14;
    Sha256: sha2::Sha256, "2.16.840.1.101.3.4.2.1", "256", resists U16;
    Sha384: sha2::Sha384, "2.16.840.1.101.3.4.2.2", "384", resists U24;
    Sha512: sha2::Sha512, "2.16.840.1.101.3.4.2.3", "512", resists U32;
    Sha512_224: sha2::Sha512_224, "2.16.840.1.101.3.4.2.5", "512/224", resists U14;
    Sha512_256: sha2::Sha512_256, "2.16.840.1.101.3.4.2.6", "512/256", resists U16;
}
