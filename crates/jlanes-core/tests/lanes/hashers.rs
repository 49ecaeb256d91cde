//! Hashers of every function against RustCrypto's: whole messages, pieces, resets, serialized states, names.

use digest::{
    Digest, FixedOutputReset, Reset,
    array::ArraySize,
    block_api::{AlgorithmName, BlockSizeUser},
    common::hazmat::{SerializableState, SerializedState},
    consts::{U7, U32, U64, U100},
    typenum::Unsigned,
};
use jlanes_core::{
    function::DigestOnKernels,
    hashes::{
        blake2::hasher::VarCore,
        hash_core::HashCore,
        keccak::{functions, hasher::Hasher},
        skein::{Threefish256, Threefish512, Threefish1024, hasher::SkeinCore},
    },
    simd::portable::Portable,
};
use jlanes_testing::{algorithm_name, message};

type One = Portable<1>;

macro_rules! merkle_damgard {
    ($($test:ident: $name:ident, $peer:ty;)*) => {$(
        digest::buffer_fixed!(
            struct $name(HashCore<crate::$name, One>);
            impl: FixedHashTraits;
        );

        #[test]
        fn $test() {
            hasher::<$name, $peer>(stringify!($name));
            states::<$name, $peer>();
        }
    )*};
}
merkle_damgard! {
    sha1: Sha1, sha1::Sha1;
    sha224: Sha224, sha2::Sha224;
    sha256: Sha256, sha2::Sha256;
    sha384: Sha384, sha2::Sha384;
    sha512: Sha512, sha2::Sha512;
    sha512_224: Sha512_224, sha2::Sha512_224;
    sha512_256: Sha512_256, sha2::Sha512_256;
}

macro_rules! plain {
    (() $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        merkle_damgard! { $($name: $hash, $peer;)* }
    };
}
jlanes_testing::plain_hashes!(plain, ());

macro_rules! sponges {
    ($($test:ident: $name:ident;)*) => {$(
        #[test]
        fn $test() {
            hasher::<Hasher<functions::$name, One>, sha3::$name>(stringify!($name));
            states::<Hasher<functions::$name, One>, sha3::$name>();
            positions_behind_the_block_are_refused::<Hasher<functions::$name, One>>();
        }
    )*};
}
sponges! {
    sha3_224: Sha3_224;
    sha3_256: Sha3_256;
    sha3_384: Sha3_384;
    sha3_512: Sha3_512;
    keccak224: Keccak224;
    keccak256: Keccak256;
    keccak384: Keccak384;
    keccak512: Keccak512;
    keccak256full: Keccak256Full;
}

macro_rules! skein {
    ($($name:ident: $threefish:ident, $($test:ident: $size:ident as $algorithm:literal),*;)*) => {$(
        digest::buffer_fixed!(
            struct $name<N: ArraySize>(SkeinCore<$threefish, N, One>);
            impl: FixedHashTraits;
        );

        $(#[test]
        fn $test() {
            hasher::<$name<$size>, skein::$name<$size>>($algorithm);
            states::<$name<$size>, skein::$name<$size>>();
        })*
    )*};
}
skein! {
    Skein256: Threefish256, skein256_56: U7 as "Skein-256-56", skein256_512: U64 as "Skein-256-512";
    Skein512: Threefish512, skein512_256: U32 as "Skein-512-256", skein512_800: U100 as "Skein-512-800";
    Skein1024: Threefish1024, skein1024_512: U64 as "Skein-1024-512";
}

macro_rules! blake2 {
    ($($name:ident: $word:ident, $most:ident, $($test:ident: $size:ident),*;)*) => {$(
        digest::buffer_ct_variable!(
            struct $name<OutSize>(VarCore<$word, One>);
            exclude: SerializableState;
            max_size: $most;
        );

        $(#[test]
        fn $test() {
            hasher::<$name<$size>, blake2::$name<$size>>(stringify!($name));
        })*
    )*};
}
blake2! {
    Blake2b: u64, U64, blake2b_56: U7, blake2b_512: U64;
    Blake2s: u32, U32, blake2s_56: U7, blake2s_256: U32;
}

/// Lengths of messages, and of the pieces in which they are taken.
pub(crate) fn lengths(block: usize) -> (Vec<usize>, [usize; 7]) {
    let (most, two) = (block - block / 8, 2 * block);
    let mut lens = vec![0, 1, 9, most - 1, most, block - 1, block, block + 1];
    lens.extend([two - block / 8, two, two + 1, two + most, 2 * two + 5]);
    (lens, [1, 7, 8, block - 1, block, block + 1, 3 * block])
}

fn hasher<A, B>(algorithm: &str)
where
    A: Digest + FixedOutputReset + Reset + Clone + BlockSizeUser + AlgorithmName,
    B: Digest<OutputSize = A::OutputSize>,
{
    assert_eq!(algorithm_name::<A>(), algorithm);
    let block = A::BlockSize::USIZE;
    let text = message(21, 5 * block);
    let (lens, portions) = lengths(block);
    for len in lens {
        let expected = B::digest(&text[..len]);
        assert_eq!(A::digest(&text[..len]), expected, "{len} bytes");
        for portion in portions {
            let mut hasher = A::new();
            for piece in text[..len].chunks(portion) {
                Digest::update(&mut hasher, piece);
                hasher = hasher.clone();
            }
            assert_eq!(hasher.finalize_reset(), expected, "{len} bytes, {portion} at a time");
            Digest::update(&mut hasher, &text[..portion]);
            Digest::reset(&mut hasher);
            Digest::update(&mut hasher, b"abc");
            assert_eq!(hasher.finalize(), B::digest(b"abc"), "after a reset");
        }
    }
}

/// A state is written down as RustCrypto's crates do, and taken up again.
fn states<A, B>()
where
    A: Digest + SerializableState + BlockSizeUser,
    B: Digest<OutputSize = A::OutputSize>
        + SerializableState<SerializedStateSize = A::SerializedStateSize>,
{
    let block = A::BlockSize::USIZE;
    let text = message(22, 5 * block);
    for len in lengths(block).0 {
        let (ours, theirs) = (A::new_with_prefix(&text[..len]), B::new_with_prefix(&text[..len]));
        let bytes = ours.serialize();
        assert_eq!(bytes, theirs.serialize(), "{len} bytes");
        let hasher = A::deserialize(&bytes).unwrap().chain_update(&text[len..]);
        assert_eq!(hasher.finalize(), B::digest(&text), "{len} bytes");
    }
}

/// A sponge's state ends with the number of bytes that its block has.
pub(crate) fn positions_behind_the_block_are_refused<A: SerializableState + BlockSizeUser>() {
    for at in 0..=u8::MAX {
        let mut bytes = SerializedState::<A>::default();
        *bytes.last_mut().unwrap() = at;
        let taken = A::deserialize(&bytes).is_ok();
        assert_eq!(taken, usize::from(at) < A::BlockSize::USIZE, "byte {at}");
    }
}

#[test]
fn a_buffer_that_is_full_is_refused() {
    let mut bytes = Sha256::new().serialize();
    *bytes.last_mut().unwrap() = 64;
    assert!(Sha256::deserialize(&bytes).is_err());
}

#[test]
fn engines_are_the_type_s() {
    let _: One = <Hasher<functions::Sha3_256, One> as DigestOnKernels>::backend();
}
