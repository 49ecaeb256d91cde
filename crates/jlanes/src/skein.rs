//! Skein 1.3: any output length, keys and other arguments, trees.
//!
//! [`Skein256`], [`Skein512`] and [`Skein1024`] are hashers with RustCrypto's traits, as in the
//! crate `skein`. `N` is the digest's size in bytes, by default the state's. [`Skein512Mac`] and
//! the other MACs are keyed.
//!
//! ```
//! use jlanes::{Digest, digest::consts::U32, skein::Skein512};
//!
//! let digest = Skein512::<U32>::digest(b"abc");
//! assert_eq!(digest.len(), 32);
//! ```
#![cfg_attr(
    feature = "trees",
    doc = r##"
[`SkeinConfig`] has all arguments of Skein and its trees.

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

use digest::{
    CollisionResistance,
    array::ArraySize,
    consts::{U16, U32, U64, U128},
};
use jlanes_core::{
    engine::MultiDigest,
    hashes::skein::{Skein, Threefish256, Threefish512, Threefish1024, hasher::SkeinCore},
};

#[cfg(feature = "trees")]
pub use jlanes_tree::join::Join;
#[cfg(feature = "trees")]
pub use jlanes_tree::skein::{
    Builder, Error, Footprint, LeafError, Schedule, SkeinConfig, SkeinDigest, SkeinHasher,
    TreeParams, TreeState,
};

use crate::Backend;

// The structs are not the public names, because `buffer_fixed` does not support default parameters.
macro_rules! sizes {
    ($($bits:literal: $hasher:ident as $digest:ident, $mac:ident as $tag:ident,
       $threefish:ident, $size:ident, resists $collisions:ident;)*) => {$(
        digest::buffer_fixed!(
            #[doc = concat!("Skein-", $bits, " hasher with digests of `N` bytes.")]
            pub struct $hasher<N: ArraySize>(SkeinCore<$threefish, N, Backend>);
            impl: FixedHashTraits;
        );

        digest::buffer_fixed!(
            #[doc = concat!("Skein-", $bits, "-MAC with tags of `N` bytes.")]
            /// A MAC with a key of any length; an empty key means no key.
            pub struct $mac<N: ArraySize>(SkeinCore<$threefish, N, Backend>);
            impl: ResetMacTraits AlgorithmName Clone KeyInit ZeroizeOnDrop;
        );

        #[doc = concat!("Skein-", $bits, " hasher with digests of `N` bytes.")]
        pub type $digest<N = $size> = $hasher<N>;
        #[doc = concat!("Skein-", $bits, "-MAC with tags of `N` bytes.")]
        pub type $tag<N = $size> = $mac<N>;

        impl<N: ArraySize> CollisionResistance for $hasher<N> {
            type CollisionResistance = $collisions;
        }

        impl<N: ArraySize> MultiDigest for $hasher<N> {
            type Function = Skein<$threefish, N>;
            type Engine = Backend;

            #[inline]
            fn engine() -> Backend {
                Backend::detect()
            }
        }
    )*};
}
sizes! {
    "256": Skein256Hasher as Skein256, Skein256MacHasher as Skein256Mac,
        Threefish256, U32, resists U16;
    "512": Skein512Hasher as Skein512, Skein512MacHasher as Skein512Mac,
        Threefish512, U64, resists U32;
    "1024": Skein1024Hasher as Skein1024, Skein1024MacHasher as Skein1024Mac,
        Threefish1024, U128, resists U64;
}
