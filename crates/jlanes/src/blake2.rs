//! BLAKE2 (RFC 7693): plain and keyed hashers with the interface of RustCrypto's crate `blake2`.

use digest::{
    CustomizedInit,
    array::ArraySize,
    consts::{U16, U32, U64},
    typenum::{IsLessOrEqual, True},
};
use jlanes_core::{
    engine::MultiDigest,
    hashes::blake2::{self, hasher::VarCore, mac::Mac, variable::Variable},
};

use crate::Backend;

macro_rules! hashers {
    ($($name:ident as $standard:literal: $word:ident, $core:ident, $max:ident;)*) => {$(
        #[doc = concat!($standard, " without the buffer, and with an output that is cut later.")]
        type $core = VarCore<$word, Backend>;

        digest::buffer_ct_variable!(
            #[doc = concat!($standard, " hasher with digests of `OutSize` bytes.")]
            ///
            /// [`CustomizedInit`] takes the personalization, and panics if it is longer than two
            /// words. As in the crate `blake2`, [`Reset`](digest::Reset) forgets it.
            ///
            /// ```
            #[doc = concat!("use jlanes::{Digest, ", stringify!($name), ", digest::consts::U20};")]
            ///
            #[doc = concat!("let mut hasher = ", stringify!($name), "::<U20>::new();")]
            /// hasher.update(b"hello ");
            /// hasher.update(b"world");
            #[doc = concat!(
                "assert_eq!(hasher.finalize(), ", stringify!($name), "::digest(b\"hello world\"));"
            )]
            /// ```
            pub struct $name<OutSize>($core);
            exclude: SerializableState;
            max_size: $max;
        );

        impl<OutSize> CustomizedInit for $name<OutSize>
        where
            OutSize: ArraySize + IsLessOrEqual<$max, Output = True>,
        {
            fn new_customized(customization: &[u8]) -> Self {
                let core = CustomizedInit::new_customized(customization);
                Self { core, buffer: Default::default() }
            }
        }

        #[cfg(feature = "zeroize")]
        impl<OutSize> digest::zeroize::ZeroizeOnDrop for $name<OutSize> where
            OutSize: ArraySize + IsLessOrEqual<$max, Output = True>
        {
        }

        #[doc(hidden)] // the interface to jlanes-core
        impl<OutSize> MultiDigest for $name<OutSize>
        where
            OutSize: ArraySize + IsLessOrEqual<$max, Output = True>,
        {
            type Function = blake2::$name<OutSize>;
            type Engine = Backend;

            #[inline]
            fn engine() -> Backend {
                Backend::detect()
            }
        }
    )*};
}
hashers! {
    Blake2b as "BLAKE2b": u64, Blake2bVarCore, U64;
    Blake2s as "BLAKE2s": u32, Blake2sVarCore, U32;
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
/// under one key, use [`multi::mac_many`](crate::multi::mac_many).
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
