//! Skein 1.3: a hasher and a MAC for each of its three sizes, and with the feature `trees` all its arguments and
//! trees.
//!
//! [`Skein256`], [`Skein512`] and [`Skein1024`] have RustCrypto's traits, as those of the crate `skein` have, so
//! generic code takes them. [`Skein256Mac`], [`Skein512Mac`] and [`Skein1024Mac`] have a key. `N` is the digest's
//! size in bytes, at least 1 and by default the state's.
//!
//! ```
//! use jlanes::{Digest, digest::consts::U32, skein::Skein512};
//!
//! let digest = Skein512::<U32>::digest(b"abc");
//! assert_eq!(digest.len(), 32);
//! ```
//!
//! ```compile_fail
//! # use jlanes::{Digest, digest::consts::U0, skein::Skein512};
//! Skein512::<U0>::digest(b"abc"); // there is no digest of 0 bytes
//! ```
#![cfg_attr(
    feature = "trees",
    doc = r##"
[`SkeinConfig`] has what these traits lack: a personalization and other arguments, lengths in bits, trees.

```
use jlanes::skein::{Schedule, Skein512, SkeinConfig, TreeParams};

let config = SkeinConfig::<Skein512>::builder()
    .key(b"key")
    .personalization(b"20261121 user@example.org app")
    .tree(TreeParams::new(4, 4, 255)?)
    .output_bits(256)
    .build()?;
let digest = config.hash(b"abc");
assert_eq!(config.hash_with(Schedule::Sequential, b"abc"), digest);
let mut hasher = config.hasher();
hasher.update(b"a");
hasher.update(b"bc");
assert_eq!(hasher.finalize(), digest);
# Ok::<(), jlanes::skein::Error>(())
```

[`TreeState`] keeps a tree, so that a change of a leaf costs its path to the root:

```
use jlanes::skein::{Skein512, SkeinConfig, TreeParams, TreeState};

let config = SkeinConfig::<Skein512>::builder().tree(TreeParams::new(1, 1, 255)?).build()?;
let mut tree = TreeState::new(config.clone()).expect("the configuration has a tree");
tree.append(&[7; 1000]);
tree.replace_leaf(0, &[8; 128]).expect("leaves of 2^1 blocks of 64 bytes");
assert_eq!(tree.digest(), config.hash(&[[8; 128].as_slice(), &[7; 872]].concat()));
# Ok::<(), jlanes::skein::Error>(())
```
"##
)]

use digest::consts::{U32, U64, U128};

#[cfg(feature = "trees")]
pub use jlanes_core::hashes::skein::params::{Error, TreeParams};
#[cfg(feature = "trees")]
pub use jlanes_tree::join::Join;
#[cfg(feature = "trees")]
pub use jlanes_tree::skein::{
    Builder, LeafError, Schedule, SkeinConfig, SkeinDigest, SkeinHasher, TreeState,
};

use crate::hashers::{HasHasher, Hasher};
use size::{Keyed, S256, S512, S1024, SkeinFunction};

digest::buffer_fixed!(
    /// The MAC of a size of Skein and of its tags, with a key of any length. An empty key means
    /// no key.
    pub struct Mac<F: Keyed>(<F as HasHasher>::Core);
    impl: ResetMacTraits AlgorithmName Clone KeyInit ZeroizeOnDrop;
);

/// The sizes as types.
mod size {
    use core::marker::PhantomData;

    use digest::{
        KeyInit, MacMarker,
        array::ArraySize,
        consts::{U16, U32, U64, U81, U145, U273},
    };
    use jlanes_core::{
        hashes::skein::{self, Skein, hasher::SkeinCore},
        kernel::HasKernels,
    };

    use crate::{
        Backend,
        hashers::{HasHasher, Resistant, Serializable},
    };

    /// A size of Skein.
    pub trait Size: 'static {
        /// The compression function.
        type Threefish: skein::Size;
        /// The backend, always [`Backend`]. It is a type of the trait, because a bound on `Backend` itself would
        /// be one on every user of the trait.
        type Backend: HasKernels<Self::Threefish> + Default;
        /// Half of the state's bytes, which is the collision resistance.
        type HalfState: ArraySize;
        /// Bytes of a serialized hasher: of the core, of a block, and one more.
        type SerializedSize: ArraySize;
    }

    /// A size of Skein with digests of `N` bytes.
    #[derive(Debug)]
    pub struct SkeinFunction<S, N>(PhantomData<(S, N)>);

    impl<S: Size, N: ArraySize> HasHasher for SkeinFunction<S, N> {
        type Hash = Skein<S::Threefish, N>;
        type Backend = S::Backend;
        type Core = SkeinCore<S::Threefish, N, S::Backend>;
    }

    impl<S: Size, N: ArraySize> Serializable for SkeinFunction<S, N> {
        type SerializedSize = S::SerializedSize;
    }

    impl<S: Size, N: ArraySize> Resistant for SkeinFunction<S, N> {
        type Bytes = S::HalfState;
    }

    /// A [`HasHasher`] with a key.
    pub trait Keyed: HasHasher<Core: KeyInit + MacMarker> {}

    impl<S: Size, N: ArraySize> Keyed for SkeinFunction<S, N> {}

    macro_rules! size_types {
        ($($name:ident: $threefish:ident, $bits:literal, $resists:ident, $serialized:ident;)*) => {$(
            #[doc = concat!("Skein-", $bits, ".")]
            #[derive(Debug)]
            pub enum $name {}

            impl Size for $name {
                type Threefish = skein::$threefish;
                type Backend = Backend;
                type HalfState = $resists;
                type SerializedSize = $serialized;
            }
        )*};
    }
    size_types! {
        S256: Threefish256, "256", U16, U81;
        S512: Threefish512, "512", U32, U145;
        S1024: Threefish1024, "1024", U64, U273;
    }
}

macro_rules! hashers_and_macs {
    ($($bits:literal: $digest:ident, $tag:ident, $size:ident, $bytes:ident;)*) => {$(
        #[doc = concat!("Skein-", $bits, " hasher with digests of `N` bytes.")]
        pub type $digest<N = $bytes> = Hasher<SkeinFunction<$size, N>>;
        #[doc = concat!("Skein-", $bits, "-MAC with tags of `N` bytes.")]
        pub type $tag<N = $bytes> = Mac<SkeinFunction<$size, N>>;
    )*};
}
hashers_and_macs! {
    "256": Skein256, Skein256Mac, S256, U32;
    "512": Skein512, Skein512Mac, S512, U64;
    "1024": Skein1024, Skein1024Mac, S1024, U128;
}
