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

use core::fmt;

use digest::{
    CollisionResistance,
    array::ArraySize,
    block_api::AlgorithmName,
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    consts::{U32, U64, U128},
};
use jlanes_core::{
    engine::MultiDigest,
    hashes::skein::{Skein, hasher::SkeinCore},
};

#[cfg(feature = "trees")]
pub use jlanes_core::hashes::skein::params::{Error, TreeParams};
#[cfg(feature = "trees")]
pub use jlanes_tree::join::Join;
#[cfg(feature = "trees")]
pub use jlanes_tree::skein::{
    Builder, Footprint, LeafError, Schedule, SkeinConfig, SkeinDigest, SkeinHasher, TreeState,
};

use crate::serialized;
use size::{S256, S512, S1024, Size};

digest::buffer_fixed!(
    /// The hasher of a size of Skein with digests of `N` bytes.
    pub struct Hasher<S: Size, N: ArraySize>(SkeinCore<<S as Size>::Threefish, N, <S as Size>::Engine>);
    impl: BlockSizeUser OutputSizeUser CoreProxy Update FixedOutput AlgorithmName Default Clone
        HashMarker Reset FixedOutputReset ZeroizeOnDrop;
);

impl<S: Size, N: ArraySize> fmt::Debug for Hasher<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

digest::buffer_fixed!(
    /// The MAC of a size of Skein with tags of `N` bytes, and a key of any length. An empty key means
    /// no key.
    pub struct Mac<S: Size, N: ArraySize>(SkeinCore<<S as Size>::Threefish, N, <S as Size>::Engine>);
    impl: ResetMacTraits AlgorithmName Clone KeyInit ZeroizeOnDrop;
);

impl<S: Size, N: ArraySize> SerializableState for Hasher<S, N> {
    type SerializedStateSize = S::Serialized;

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

impl<S: Size, N: ArraySize> CollisionResistance for Hasher<S, N> {
    type CollisionResistance = S::Resists;
}

#[doc(hidden)] // the interface to jlanes-core
impl<S: Size, N: ArraySize> MultiDigest for Hasher<S, N> {
    type Function = Skein<S::Threefish, N>;
    type Engine = S::Engine;

    #[inline]
    fn engine() -> S::Engine {
        S::Engine::default()
    }
}

mod size {
    use digest::{
        array::ArraySize,
        consts::{U16, U32, U64, U81, U145, U273},
    };
    use jlanes_core::{engine::Engine, hashes::skein};

    use crate::Backend;

    /// A size of Skein.
    pub trait Size: 'static {
        /// The compression function.
        type Threefish: skein::Size;
        /// [`Backend`]. A bound on that itself would be one on every user of this trait.
        type Engine: Engine<Self::Threefish> + Default;
        /// Half of the state.
        type Resists: ArraySize;
        /// Bytes of a serialized hasher: of the core, of a block, and one more.
        type Serialized: ArraySize;
    }

    macro_rules! sizes {
        ($($name:ident: $threefish:ident, $bits:literal, $resists:ident, $serialized:ident;)*) => {$(
            #[doc = concat!("Skein-", $bits, ".")]
            #[derive(Debug)]
            pub enum $name {}

            impl Size for $name {
                type Threefish = skein::$threefish;
                type Engine = Backend;
                type Resists = $resists;
                type Serialized = $serialized;
            }
        )*};
    }
    sizes! {
        S256: Threefish256, "256", U16, U81;
        S512: Threefish512, "512", U32, U145;
        S1024: Threefish1024, "1024", U64, U273;
    }
}

macro_rules! sizes {
    ($($bits:literal: $digest:ident, $tag:ident, $size:ident, $bytes:ident;)*) => {$(
        #[doc = concat!("Skein-", $bits, " hasher with digests of `N` bytes.")]
        pub type $digest<N = $bytes> = Hasher<$size, N>;
        #[doc = concat!("Skein-", $bits, "-MAC with tags of `N` bytes.")]
        pub type $tag<N = $bytes> = Mac<$size, N>;
    )*};
}
sizes! {
    "256": Skein256, Skein256Mac, S256, U32;
    "512": Skein512, Skein512Mac, S512, U64;
    "1024": Skein1024, Skein1024Mac, S1024, U128;
}
