//! BLAKE2 (RFC 7693): plain and keyed hashers with the interface of RustCrypto's crate `blake2`.

use core::{fmt, marker::PhantomData};

use digest::{
    array::ArraySize,
    block_api::{AlgorithmName, CtOutWrapper},
    consts::{U16, U32, U64},
    typenum::{IsLessOrEqual, True},
};
use jlanes_core::hashes::blake2::{self, hasher::VarCore, mac::Mac, variable::Variable};

use super::{HasHasher, Hasher};
use crate::Backend;

macro_rules! hashers {
    ($($name:ident as $standard:literal in $function:ident: $word:ident, $max:ident;)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`]")]
        #[derive(Debug)]
        pub struct $function<OutSize>(PhantomData<OutSize>);

        impl<OutSize> HasHasher for $function<OutSize>
        where
            OutSize: ArraySize + IsLessOrEqual<$max, Output = True>,
        {
            type Hash = blake2::$name<OutSize>;
            type Backend = Backend;
            type Core = CtOutWrapper<VarCore<$word, Backend>, OutSize>;

            fn write_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                VarCore::<$word, Backend>::write_alg_name(f) // the size is not in the name
            }
        }

        #[doc = concat!($standard, " hasher with digests of `OutSize` bytes.")]
        ///
        /// [`CustomizedInit`](digest::CustomizedInit) takes the personalization, and panics if it is
        /// longer than two words. As in the crate `blake2`, [`Reset`](digest::Reset) forgets it.
        ///
        /// ```
        #[doc = concat!("use jlanes::{Digest, ", stringify!($name), ", digest::consts::U20};")]
        ///
        #[doc = concat!("let mut hasher = ", stringify!($name), "::<U20>::new();")]
        /// hasher.update(b"hello ");
        /// hasher.update(b"world");
        #[doc = concat!(
            "assert_eq!(hasher.finalize(), ", stringify!($name), "::<U20>::digest(b\"hello world\"));"
        )]
        /// ```
        pub type $name<OutSize> = Hasher<$function<OutSize>>;
    )*};
}
hashers! {
    Blake2b as "BLAKE2b" in Blake2bFunction: u64, U64;
    Blake2s as "BLAKE2s" in Blake2sFunction: u32, U32;
}

/// BLAKE2b-128 hasher.
pub type Blake2b128 = Blake2b<U16>;
/// BLAKE2b-256 hasher.
pub type Blake2b256 = Blake2b<U32>;
/// BLAKE2b-512 hasher.
pub type Blake2b512 = Blake2b<U64>;
/// BLAKE2s-128 hasher.
pub type Blake2s128 = Blake2s<U16>;
/// BLAKE2s-256 hasher.
pub type Blake2s256 = Blake2s<U32>;

/// BLAKE2b with a key, a salt and a personalization, and tags of `OutSize` bytes. For many messages
/// under one key, use [`tags`](crate::blake2::Mac::tags).
///
/// ```
/// use jlanes::{Blake2bMac, digest::{Mac, consts::U32}};
///
/// let mut mac = Blake2bMac::<U32>::new_with_salt_and_personal(Some(b"key"), b"salt", b"app")?;
/// mac.update(b"any message");
/// assert_eq!(mac.finalize().into_bytes().len(), 32);
/// # Ok::<(), jlanes::digest::InvalidLength>(())
/// ```
pub type Blake2bMac<OutSize> = Mac<u64, OutSize, Backend>;
/// BLAKE2b-512 with a key.
pub type Blake2bMac512 = Blake2bMac<U64>;
/// BLAKE2s with a key, a salt and a personalization, and tags of `OutSize` bytes.
pub type Blake2sMac<OutSize> = Mac<u32, OutSize, Backend>;
/// BLAKE2s-256 with a key.
pub type Blake2sMac256 = Blake2sMac<U32>;

/// BLAKE2b with a digest length that is known at run time, and all other parameters.
///
/// ```
/// use jlanes::{Blake2bVar, digest::Update};
///
/// let mut hasher = Blake2bVar::new(10)?;
/// hasher.update(b"any message");
/// let mut digest = [0; 10];
/// hasher.finalize_variable(&mut digest).expect("as long as was said");
/// # Ok::<(), jlanes::digest::InvalidOutputSize>(())
/// ```
pub type Blake2bVar = Variable<u64, Backend>;
/// BLAKE2s with a digest length that is known at run time, and all other parameters.
pub type Blake2sVar = Variable<u32, Backend>;
