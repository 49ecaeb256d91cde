//! The hashers: every hash function on the detected backend, with the traits of RustCrypto's
//! hashers.

use core::fmt;

use digest::{
    CollisionResistance, CustomizedInit, HashMarker,
    array::ArraySize,
    block_api::{AlgorithmName, FixedOutputCore, Reset},
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
};
use jlanes_core::{
    function::{BatchFunction, DigestOnKernels},
    hash::HashFunction,
    kernel::HasKernels,
};

#[cfg(feature = "blake2")]
pub(crate) mod blake2;
#[cfg(feature = "blake3")]
pub(crate) mod blake3;
mod serialized;
#[cfg(feature = "sha3")]
pub(crate) mod sha3;

digest::buffer_fixed!(
    /// The hasher of a function, with RustCrypto's traits: [`Sha256`](crate::Sha256) and others are
    /// names of it.
    pub struct Hasher<F: HasHasher>(<F as HasHasher>::Core);
    impl: BlockSizeUser OutputSizeUser CoreProxy Update FixedOutput Default Clone HashMarker Reset
        FixedOutputReset ZeroizeOnDrop;
);

impl<F: HasHasher> AlgorithmName for Hasher<F> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        F::write_name(f)
    }
}

impl<F: HasHasher> fmt::Debug for Hasher<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        F::write_name(f)?;
        f.write_str(" { ... }")
    }
}

impl<F: HasHasher<Core: CustomizedInit>> CustomizedInit for Hasher<F> {
    fn new_customized(customization: &[u8]) -> Self {
        Self { core: CustomizedInit::new_customized(customization), buffer: Default::default() }
    }
}

impl<F: Serializable> SerializableState for Hasher<F> {
    type SerializedStateSize = F::SerializedSize;

    fn serialize(&self) -> SerializedState<Self> {
        let mut bytes = SerializedState::<Self>::default();
        serialized::write(&self.core, &self.buffer, &mut bytes);
        bytes
    }

    fn deserialize(bytes: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let (core, buffer) = serialized::read(bytes)?;
        Ok(Self { core, buffer })
    }
}

#[cfg(feature = "oid")]
impl<F: HasOid> digest::const_oid::AssociatedOid for Hasher<F> {
    const OID: digest::const_oid::ObjectIdentifier =
        digest::const_oid::ObjectIdentifier::new_unwrap(F::OID);
}

/// Half of the digest length, as RustCrypto's crates claim; of Skein, half of the state.
impl<F: Resistant> CollisionResistance for Hasher<F> {
    type CollisionResistance = F::Bytes;
}

#[doc(hidden)] // the interface to jlanes-core
impl<F: HasHasher> DigestOnKernels for Hasher<F> {
    type Hash = F::Hash;
    type Backend = F::Backend;

    #[inline]
    fn backend() -> F::Backend {
        F::Backend::default()
    }
}

/// A function that has a [`Hasher`].
pub trait HasHasher: 'static {
    /// The hash function.
    type Hash: BatchFunction;
    /// The backend, always [`Backend`](crate::Backend). It is a type of the trait, because a bound on `Backend`
    /// itself would be one on every user of the trait.
    type Backend: HasKernels<<Self::Hash as HashFunction>::Compression> + Default;
    /// The hasher without its buffer.
    type Core: AlgorithmName
        + Clone
        + Default
        + FixedOutputCore<OutputSize = <Self::Hash as HashFunction>::OutputSize>
        + HashMarker
        + Reset
        + Wiped;

    /// Writes the name of the hasher, as RustCrypto spells it.
    fn write_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::Core::write_alg_name(f)
    }
}

#[cfg(feature = "zeroize")]
pub(crate) use digest::zeroize::ZeroizeOnDrop as Wiped;

/// A bound on [`HasHasher::Core`]: with the feature `zeroize`, its `ZeroizeOnDrop`, and else nothing.
#[cfg(not(feature = "zeroize"))]
pub trait Wiped {}

#[cfg(not(feature = "zeroize"))]
impl<C> Wiped for C {}

/// A [`HasHasher`] with hashers that can be serialized.
pub trait Serializable: HasHasher<Core: SerializableState> {
    /// Bytes of a serialized hasher: of the core, of the longest content of the buffer, and its
    /// length.
    type SerializedSize: ArraySize;
}

/// A [`HasHasher`] with an object identifier.
#[cfg(feature = "oid")]
pub trait HasOid: HasHasher {
    /// The object identifier.
    const OID: &'static str;
}

/// A [`HasHasher`] without known collisions.
pub trait Resistant: HasHasher {
    /// [`CollisionResistance::CollisionResistance`].
    type Bytes: ArraySize;
}

/// Calls the macro `$then` with a row for each hasher: the cargo feature, the type, its module in `jlanes-core`, the
/// title in the documentation, the name and the `Strength` of the algorithm, the
/// object identifier, bytes of [`Resistant`].
macro_rules! each_hasher {
    ($then:ident) => {
        $then! {
            "md5" Md5 in md5: "MD5 (broken)", "md5", Broken,
                "1.2.840.113549.2.5";
            "ripemd160" Ripemd160 in ripemd160: "RIPEMD-160 (too short for new uses)", "ripemd160", CollisionResistant,
                "1.3.36.3.2.1";
            "sha1" Sha1 in sha1: "SHA-1 (broken for collisions)", "sha1", Broken,
                "1.3.14.3.2.26";
            // detection finds the attacks that are known, and not all
            "sha1dc" Sha1Checked in sha1::checked: "SHA-1 with detection of collision attacks", "sha1dc", Broken,
                "1.3.14.3.2.26";
            "sha2" Sha224 in sha2: "SHA-224", "sha224", CollisionResistant,
                "2.16.840.1.101.3.4.2.4", resists U14;
            "sha2" Sha256 in sha2: "SHA-256", "sha256", CollisionResistant,
                "2.16.840.1.101.3.4.2.1", resists U16;
            "sha2" Sha384 in sha2: "SHA-384", "sha384", CollisionResistant,
                "2.16.840.1.101.3.4.2.2", resists U24;
            "sha2" Sha512 in sha2: "SHA-512", "sha512", CollisionResistant,
                "2.16.840.1.101.3.4.2.3", resists U32;
            "sha2" Sha512_224 in sha2: "SHA-512/224", "sha512-224", CollisionResistant,
                "2.16.840.1.101.3.4.2.5", resists U14;
            "sha2" Sha512_256 in sha2: "SHA-512/256", "sha512-256", CollisionResistant,
                "2.16.840.1.101.3.4.2.6", resists U16;
            "sm3" Sm3 in sm3: "SM3", "sm3", CollisionResistant,
                "1.2.156.10197.1.401";
        }
    };
}
#[cfg(feature = "trees")]
pub(crate) use each_hasher;

/// The hashers, and their functions' names as types.
macro_rules! hashers {
    ($($feature:literal $name:ident in $($module:ident)::+: $doc:literal, $spec:literal, $strength:ident,
        $oid:literal $(, resists $bytes:ident)?;)*) => {
        mod function {
            $(
                #[cfg(feature = $feature)]
                #[doc = concat!("[`", stringify!($name), "`](crate::", stringify!($name), ")")]
                #[derive(Debug)]
                pub enum $name {}

                #[cfg(feature = $feature)]
                impl super::HasHasher for $name {
                    type Hash = jlanes_core::hashes::$($module)::+::$name;
                    type Backend = crate::Backend;
                    type Core = jlanes_core::hashes::hash_core::HashCore<Self::Hash, crate::Backend>;
                }

                #[cfg(feature = $feature)]
                impl super::Serializable for $name {
                    type SerializedSize = digest::typenum::Sum<
                        <Self::Core as super::SerializableState>::SerializedStateSize,
                        <Self::Core as digest::common::BlockSizeUser>::BlockSize,
                    >;
                }

                #[cfg(all(feature = $feature, feature = "oid"))]
                impl super::HasOid for $name {
                    const OID: &'static str = $oid;
                }

                $(
                    #[cfg(feature = $feature)]
                    impl super::Resistant for $name {
                        type Bytes = digest::consts::$bytes;
                    }
                )?
            )*
        }

        pub(crate) mod names {
            $(
                #[cfg(feature = $feature)]
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
                pub type $name = super::Hasher<super::function::$name>;
            )*
        }
    };
}
each_hasher!(hashers);

#[cfg(all(test, feature = "std"))]
mod tests;
