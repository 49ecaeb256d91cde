//! Every hash function in lanes: messages around the ends of blocks, alike or not.

use digest::consts::{U7, U32, U64, U100};
use jlanes_core::{
    compression::padding::Padding,
    function::Start,
    hash::{end_one, shared_block},
    hashes::{blake2, skein},
    kernel::HasKernels,
    simd::portable::Portable,
};
use jlanes_testing::message;

use crate::{Function, advance_one, backend, block, by_value, edges, expected, outs};

macro_rules! every_function {
    ($($name:ident: $function:ty;)*) => {$(
        #[test]
        fn $name() {
            digests::<$function>();
        }
    )*};
}
every_function! {
    sha1: crate::Sha1;
    sha224: crate::Sha224;
    sha256: crate::Sha256;
    sha384: crate::Sha384;
    sha512: crate::Sha512;
    sha512_224: crate::Sha512_224;
    sha512_256: crate::Sha512_256;
    sha3_224: crate::Sha3_224;
    sha3_256: crate::Sha3_256;
    sha3_384: crate::Sha3_384;
    sha3_512: crate::Sha3_512;
    keccak224: crate::Keccak224;
    keccak256: crate::Keccak256;
    keccak384: crate::Keccak384;
    keccak512: crate::Keccak512;
    keccak256full: crate::Keccak256Full;
    blake2b: blake2::Blake2b<U64>;
    blake2b_short: blake2::Blake2b<U7>;
    blake2s: blake2::Blake2s<U32>;
    skein256_long: crate::Skein256;
    skein512_short: skein::Skein<skein::Threefish512, U7>;
    skein512_of_a_block: skein::Skein<skein::Threefish512, U64>;
    skein1024: skein::Skein<skein::Threefish1024, U100>;
}

macro_rules! plain {
    (() $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        every_function! { $($name: crate::$hash;)* }
    };
}
jlanes_testing::plain_hashes!(plain, ());

fn digests<H: Function>() {
    let block = block::<H>();
    let text = message(20, 4 * block + 100);
    let check = |count: usize, len: &(dyn Fn(usize) -> usize + Sync)| {
        let one = |i: usize| &text[i..][..len(i)];
        let mut out = outs::<H>(count);
        by_value::digest::<H, _, 1>(backend::<H>(), &Start::new(), |i| [one(i)], &mut out);
        for (i, digest) in out.iter().enumerate() {
            assert_eq!(*digest, expected::<H>(one(i)), "{i} of {count}, {} bytes", len(i));
        }
    };
    for len in edges::<H>() {
        // from 48 messages on, shared blocks pay
        for count in [1, 9, 48] {
            check(count, &|_| len);
        }
        alone::<H>(&text[..len]);
        // it is no message's own, and there is one
        let last = len % block == 0 || H::DESCRIPTOR.blocks(len % block) == 2;
        let shared = shared_block::of_length(H::DESCRIPTOR, len as u128).is_some();
        assert_eq!(shared, last && H::PADDING == Padding::Length, "{len} bytes");
    }
    for count in [3, 20] {
        check(count, &|i| i * i * 61 % (3 * block));
    }
}

/// One message on one lane, of which only the end is the hash function's.
fn alone<H: Function>(message: &[u8]) {
    let whole = H::DESCRIPTOR.whole_blocks(message.len()) * block::<H>();
    let (blocks, tail) = message.split_at(whole);
    let mut state = H::start();
    advance_one::<H::Compression>(&mut state, blocks);
    let kernels = HasKernels::<H::Compression>::kernels(&Portable::<1>);
    end_one(&kernels, H::DESCRIPTOR, state.as_mut(), tail, message.len() as u128);
    assert_eq!(H::output(&state), expected::<H>(message), "{} bytes alone", message.len());
}
