//! Tests of scheduling and of work in lanes, on lanes that are plain arrays: messages side by side, their ends,
//! outer hashes. They need no instruction set, check arithmetic, and compile fast. The facade's tests do the
//! same on every backend.

#![allow(clippy::unwrap_used)] // the helpers too are tests

/// A test of each check for each function.
macro_rules! for_every_function {
    ($($check:ident),* $(,)?) => {$(
        mod $check {
            #[test]
            fn md5() {
                super::$check::<crate::Md5>();
            }
            #[test]
            fn sha256() {
                super::$check::<crate::Sha256>();
            }
            #[test]
            fn sha512_224() {
                super::$check::<crate::Sha512_224>();
            }
            #[test]
            fn sha3_256() {
                super::$check::<crate::Sha3_256>();
            }
            #[test]
            fn blake2b() {
                super::$check::<crate::Blake2b>();
            }
            #[test]
            fn skein256() {
                super::$check::<crate::Skein256>();
            }
        }
    )*};
}

mod again;
mod attacks;
mod blake3;
mod by_value;
mod called;
mod compressions;
mod fused;
mod hashers;
mod hashes;
mod in_flight;
mod keyed;
mod layers;
mod lists;
mod macs;
mod model;
mod outputs;
mod schedules;
mod skeins;
mod streams;
mod typed;
mod values;

use digest::{
    Digest,
    consts::{U7, U32, U64, U100},
    typenum::Unsigned,
};
use jlanes_core::{
    compression::Compression,
    function::BatchFunction,
    hash::Output,
    hashes::{
        blake2,
        keccak::functions::{
            Keccak224, Keccak256, Keccak256Full, Keccak384, Keccak512, Sha3_224, Sha3_256,
            Sha3_384, Sha3_512,
        },
        sha1::Sha1,
        sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256},
        skein,
    },
    kernel::HasKernels,
    simd::portable::Portable,
};

type Blake2b = blake2::Blake2b<U64>;
/// Its digests are two outputs long, and are no words of the state.
type Skein256 = skein::Skein<skein::Threefish256, U64>;

/// A hash function, what it is computed on here, and what it is compared with.
trait Function: BatchFunction {
    type On: HasKernels<Self::Compression> + Default;
    type Peer: Digest<OutputSize = Self::OutputSize>;
}

macro_rules! functions {
    ($($function:ty: $lanes:literal, $peer:ty;)*) => {
        $(impl Function for $function {
            type On = called::On<$lanes>;
            type Peer = $peer;
        })*
    };
}
functions! {
    Sha1: 4, sha1::Sha1;
    Sha224: 4, sha2::Sha224;
    Sha256: 4, sha2::Sha256;
    Sha384: 2, sha2::Sha384;
    Sha512: 2, sha2::Sha512;
    Sha512_224: 2, sha2::Sha512_224;
    Sha512_256: 2, sha2::Sha512_256;
    Sha3_224: 2, sha3::Sha3_224;
    Sha3_256: 4, sha3::Sha3_256;
    Sha3_384: 2, sha3::Sha3_384;
    Sha3_512: 8, sha3::Sha3_512;
    Keccak224: 2, sha3::Keccak224;
    Keccak256: 4, sha3::Keccak256;
    Keccak384: 2, sha3::Keccak384;
    Keccak512: 8, sha3::Keccak512;
    Keccak256Full: 4, sha3::Keccak256Full;
    Blake2b: 2, ::blake2::Blake2b512;
    blake2::Blake2b<U7>: 2, ::blake2::Blake2b<U7>;
    blake2::Blake2s<U32>: 4, ::blake2::Blake2s256;
    Skein256: 4, ::skein::Skein256<U64>;
    skein::Skein<skein::Threefish512, U7>: 2, ::skein::Skein512<U7>;
    skein::Skein<skein::Threefish512, U64>: 2, ::skein::Skein512<U64>;
    skein::Skein<skein::Threefish1024, U100>: 8, ::skein::Skein1024<U100>;
}

macro_rules! plain {
    (() $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        $(use jlanes_core::hashes::$module::$hash;)*

        functions! { $($hash: 8, $peer;)* }
    };
}
jlanes_testing::plain_hashes!(plain, ());

/// The digest of a message by the other implementation.
fn expected<H: Function>(message: &[u8]) -> Output<H> {
    H::Peer::digest(message)
}

fn backend<H: Function>() -> H::On {
    H::On::default()
}

/// Bytes of a block.
fn block<H: Function>() -> usize {
    H::Compression::BLOCK_BYTES
}

/// Room for digests.
fn outs<H: Function>(count: usize) -> Vec<Output<H>> {
    vec![Output::<H>::default(); count]
}

/// Lengths at which something changes: the ends of blocks, and those of their lengths.
fn edges<H: Function>() -> Vec<usize> {
    let block = block::<H>();
    let mut edges = vec![0, 1, H::OutputSize::USIZE];
    for whole in [block, 2 * block] {
        edges.extend([whole - block / 8 - 1, whole - block / 8, whole - 1, whole, whole + 1]);
    }
    edges
}

/// Advances one stream in scalar code.
fn advance_one<C: Compression>(state: &mut C::State<C::Word>, data: &[u8]) {
    HasKernels::<C>::advance_one(&Portable::<1>, state, data);
}
