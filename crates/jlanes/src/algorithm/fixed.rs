//! [`Fixed`], the hash functions with a fixed digest length: one table of names, sizes and hashers.

use core::fmt;

use digest::{OutputSizeUser, common::BlockSizeUser};
use jlanes_core::{
    function::{AnyFunction, Start},
    hash::WordOf,
    simd::vector::Word,
};

use super::Strength;
use crate::{Backend, hashers::each_hasher, multi::MultiDigest};

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
                    $($(#[$feature])? Self::$name => WordOf::<<crate::$name as jlanes_core::function::DigestOnKernels>::Hash>::BYTES,)*
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

/// The hashers, and those of SHA-3 and Keccak.
macro_rules! with_sha3 {
    ($($feature:literal $name:ident in $($module:ident)::+: $doc:literal, $spec:literal, $strength:ident,
        $oid:literal $(, resists $bytes:ident)?;)*) => {
        fixed! {
            $(#[cfg(feature = $feature)] $name: $spec, $strength, $doc;)*
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
    };
}
each_hasher!(with_sha3);

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

/// The function of the hasher `H` on a backend.
fn function<H: MultiDigest>(backend: H::Backend) -> AnyFunction {
    Start::<H::Hash>::new().function(backend)
}
