//! [`Fixed`], the hash functions with a fixed digest length: one table of names, sizes and hashers.

use core::fmt;

use digest::{OutputSizeUser, common::BlockSizeUser};
use jlanes_core::{batch::function::AnyFunction, hash::WordOf, simd::vector::Word};

use super::{Strength, function::function};
use crate::Backend;

/// Defines the enum, and its functions that depend on the hasher.
macro_rules! fixed {
    ($($(#[$feature:meta])? $name:ident: $spec:literal, $strength:ident, $doc:literal;)*) => {
        /// A hash function with a fixed digest length. Some require a Cargo feature.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Fixed {
            $(
                $(#[$feature])?
                #[doc = concat!($doc, ".")]
                $name,
            )*
        }

        impl Fixed {
            pub(super) const ALL: &[Self] = &[$($(#[$feature])? Self::$name),*];

            /// Bytes of the digest.
            #[must_use]
            pub fn output_size(self) -> usize {
                match self {
                    $($(#[$feature])? Self::$name => <crate::$name as OutputSizeUser>::output_size(),)*
                }
            }

            /// Bytes of a block.
            #[must_use]
            pub fn block_size(self) -> usize {
                match self {
                    $($(#[$feature])? Self::$name => <crate::$name as BlockSizeUser>::block_size(),)*
                }
            }

            /// Bytes of the word by which trees distribute a message.
            pub(super) fn word_size(self) -> usize {
                match self {
                    $($(#[$feature])? Self::$name => WordOf::<<crate::$name as jlanes_core::batch::MultiDigest>::Function>::BYTES,)*
                }
            }

            /// The name as a part of algorithms' names.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $($(#[$feature])? Self::$name => $spec,)*
                }
            }

            /// Whether anybody can make two messages with the same digest.
            #[must_use]
            pub fn strength(self) -> Strength {
                match self {
                    $($(#[$feature])? Self::$name => Strength::$strength,)*
                }
            }

            /// The hash function on a backend.
            pub(super) fn function(self, backend: Backend) -> AnyFunction {
                match self {
                    $($(#[$feature])? Self::$name => function::<crate::$name>(backend),)*
                }
            }
        }
    };
}
fixed! {
    #[cfg(feature = "md5")]
    Md5: "md5", Broken, "MD5";
    #[cfg(feature = "ripemd160")]
    Ripemd160: "ripemd160", CollisionResistant, "RIPEMD-160";
    Sha1: "sha1", Broken, "SHA-1";
    // detection finds the attacks that are known, and not all
    #[cfg(feature = "sha1dc")]
    Sha1Checked: "sha1dc", Broken, "SHA-1 with detection of collision attacks";
    Sha224: "sha224", CollisionResistant, "SHA-224";
    Sha256: "sha256", CollisionResistant, "SHA-256";
    Sha384: "sha384", CollisionResistant, "SHA-384";
    Sha512: "sha512", CollisionResistant, "SHA-512";
    Sha512_224: "sha512-224", CollisionResistant, "SHA-512/224";
    Sha512_256: "sha512-256", CollisionResistant, "SHA-512/256";
    #[cfg(feature = "sm3")]
    Sm3: "sm3", CollisionResistant, "SM3";
    #[cfg(feature = "sha3")]
    Sha3_224: "sha3-224", CollisionResistant, "SHA3-224";
    #[cfg(feature = "sha3")]
    Sha3_256: "sha3-256", CollisionResistant, "SHA3-256";
    #[cfg(feature = "sha3")]
    Sha3_384: "sha3-384", CollisionResistant, "SHA3-384";
    #[cfg(feature = "sha3")]
    Sha3_512: "sha3-512", CollisionResistant, "SHA3-512";
    #[cfg(feature = "sha3")]
    Keccak224: "keccak224", CollisionResistant, "Keccak-224";
    #[cfg(feature = "sha3")]
    Keccak256: "keccak256", CollisionResistant, "Keccak-256";
    #[cfg(feature = "sha3")]
    Keccak384: "keccak384", CollisionResistant, "Keccak-384";
    #[cfg(feature = "sha3")]
    Keccak512: "keccak512", CollisionResistant, "Keccak-512";
    #[cfg(feature = "sha3")]
    Keccak256Full: "keccak256full", CollisionResistant, "The whole state after Keccak-256";
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Fixed {
    /// All hash functions of this enum.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied()
    }
}
