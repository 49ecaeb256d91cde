//! Whole messages from the start to the digest, and digests that are hashed again in the lanes.

use digest::consts::{U29, U64};
use jlanes_core::{
    compression::{Compression, ContiguousDigests, LaneBuffer, LaneStart, max_lanes},
    hash::{HashFunction, WordOf, digest_size},
    hashes::{
        blake2::{Blake2b, Blake2s},
        keccak::functions::{Keccak256, Sha3_224, Sha3_256, Sha3_384, Sha3_512},
        sha1::Sha1,
        sha2::{Sha224, Sha256, Sha512, Sha512_224},
    },
    kernel::Kernels,
    lanes::{
        messages::{LaneWork, MessageEnd, Route},
        rehash::{DigestBlock, RehashDigests, RehashWork, get_digest, put_digest},
    },
};
use jlanes_testing::message;

use super::{Function, backends, portable, shared};

/// A hash function that backends compute.
trait Hash: HashFunction<Compression: Function> {
    /// The digest of one message, by the reference.
    fn reference(message: &[u8]) -> Vec<u8>;
}

macro_rules! hashes {
    ($($hash:ty: $reference:ident;)*) => {
        $(impl Hash for $hash {
            fn reference(message: &[u8]) -> Vec<u8> {
                jlanes_reference::$reference(message).to_vec()
            }
        })*

        mod whole_messages_have_their_digests {
            use super::*;
            $(#[test]
            fn $reference() {
                whole_messages::<$hash>();
                whole_blocks::<$hash>();
            })*
        }

        mod digests_are_hashed_again_in_the_lanes {
            use super::*;
            $(#[test]
            fn $reference() {
                digests_again::<$hash>();
            })*
        }
    };
}
macro_rules! plain {
    (($($others:tt)*) $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        hashes! {
            $(jlanes_core::hashes::$module::$hash: $name;)*
            $($others)*
        }
    };
}
jlanes_testing::plain_hashes!(plain, (
    Sha1: sha1;
    Sha224: sha224;
    Sha256: sha256;
    Sha512: sha512;
    Sha512_224: sha512_224;
    Sha3_224: sha3_224;
    Sha3_256: sha3_256;
    Sha3_384: sha3_384;
    Sha3_512: sha3_512;
    Keccak256: keccak256;
));

impl Hash for Blake2b<U64> {
    fn reference(message: &[u8]) -> Vec<u8> {
        let mut digest = vec![0; 64];
        jlanes_reference::blake2b(&Default::default(), message, &mut digest);
        digest
    }
}

/// A digest that ends within a word, and is no whole number of stored vectors.
impl Hash for Blake2s<U29> {
    fn reference(message: &[u8]) -> Vec<u8> {
        let mut digest = vec![0; 29];
        jlanes_reference::blake2s(&Default::default(), message, &mut digest);
        digest
    }
}

#[test]
fn blake2_of_whole_messages() {
    whole_messages::<Blake2b<U64>>();
    whole_messages::<Blake2s<U29>>();
}

/// Many groups of lanes in one call, from the start to digests in a row.
fn whole_messages<H: Hash>() {
    let size = digest_size::<H>();
    let text = message(10, 500);
    for count in [1, 5, 16, 33, 150] {
        for len in [0, 1, 55, 56, 64, 71, 72, 111, 119, 120, 128, 135, 136, 143, 300] {
            let messages: Vec<&[u8]> = (0..count).map(|i| &text[i..][..len]).collect();
            let blocks = H::DESCRIPTOR.blocks(len);
            let end = Some(MessageEnd { padding: H::PADDING, before: 0, all_end: false });
            for backend in backends() {
                let mut digests = vec![0; count * size];
                let work = LaneWork { end, ..LaneWork::new(&messages, blocks) };
                let (start, out) = (H::start(), ContiguousDigests { bytes: &mut digests, size });
                let route = Route::start_to_digests(start.as_ref(), out);
                H::Compression::kernels(backend).advance_messages(work, route);
                for (message, digest) in messages.iter().zip(digests.chunks(size)) {
                    assert_eq!(
                        digest,
                        H::reference(message),
                        "{backend:?}, {count} of {len} bytes"
                    );
                }
            }
        }
    }
}

/// The same for messages that are whole blocks, before a block that all share, and without one.
fn whole_blocks<H: Hash>() {
    let size = digest_size::<H>();
    let block = <H::Compression as Compression>::BLOCK_BYTES;
    let text = message(12, 9 * block + 200);
    let shared = shared::<H::Compression>(&text);
    for count in [1, 7, 8, 16, 24, 33, 40, 150] {
        for (blocks, shared) in [(1, &[][..]), (1, &shared), (2, &shared), (9, &[])] {
            let messages: Vec<&[u8]> = (0..count).map(|i| &text[i..][..blocks * block]).collect();
            let digests = |kernels: Kernels<WordOf<H>>| {
                let mut digests = vec![0; count * size];
                let work = LaneWork { shared, ..LaneWork::new(&messages, blocks) };
                let (start, out) = (H::start(), ContiguousDigests { bytes: &mut digests, size });
                kernels.advance_messages(work, Route::start_to_digests(start.as_ref(), out));
                digests
            };
            let portable = digests(portable::<H::Compression>());
            for backend in backends() {
                let ours = digests(H::Compression::kernels(backend));
                assert_eq!(ours, portable, "{backend:?}, {count} of {blocks} blocks");
            }
        }
    }
}

/// Chains from one start, and two starts by turns with an exclusive or, against the reference.
fn digests_again<H: Hash>() {
    let (most, size) = (max_lanes::<H::Compression>(), digest_size::<H>());
    let block =
        DigestBlock::after(H::DESCRIPTOR, H::DESCRIPTOR.digest_bytes, 0).expect("one block");
    let block_size = <H::Compression as Compression>::BLOCK_BYTES;
    assert!(
        DigestBlock::after(H::DESCRIPTOR, H::DESCRIPTOR.digest_bytes, block_size as u128).is_some()
    );
    let start = H::start();
    let start = start.as_ref();
    let mut each = LaneBuffer::new(&H::DESCRIPTOR.shape);
    (0..most).for_each(|lane| each.states().set(lane, H::start().as_ref()));
    for live in [1, 2, 3, 7, 8, 15, 16, 17, most - 1, most] {
        let live = live.min(most);
        let digests: Vec<Vec<u8>> = (0..live).map(|l| message(l as u64, size)).collect();
        let starts = [LaneStart::Each(each.rows(0)), LaneStart::Same(start)];
        for backend in backends() {
            let kernels = H::Compression::kernels(backend);
            let load = || {
                let mut lanes = LaneBuffer::new(&H::DESCRIPTOR.shape);
                for (l, digest) in digests.iter().enumerate() {
                    put_digest(H::DESCRIPTOR, &mut lanes.states(), l, digest);
                }
                lanes
            };
            let mut lanes = load();
            let mut out = vec![0; live * size];
            kernels.rehash(RehashWork {
                digests: RehashDigests::StatesToBytes(
                    lanes.states(),
                    ContiguousDigests { bytes: &mut out, size },
                ),
                block: &block,
                starts: &starts[1..],
                rounds: 3,
                xor_sum: None,
                live,
            });
            for (digest, out) in digests.iter().zip(out.chunks(size)) {
                let thrice = H::reference(&H::reference(&H::reference(digest)));
                assert_eq!(out, thrice, "{backend:?}, {live} lanes");
            }

            // in place of their bytes
            for (rounds, starts) in [(1, &starts[..1]), (1, &starts[1..]), (2, &starts[..])] {
                let mut out = digests.concat();
                kernels.rehash(RehashWork {
                    digests: RehashDigests::Bytes(ContiguousDigests { bytes: &mut out, size }),
                    block: &block,
                    starts,
                    rounds,
                    xor_sum: None,
                    live,
                });
                for (digest, out) in digests.iter().zip(out.chunks(size)) {
                    let times = rounds as usize * starts.len();
                    let last = (0..times).fold(digest.clone(), |digest, _| H::reference(&digest));
                    assert_eq!(out, last, "{backend:?}, {live} lanes, {times} times");
                }
            }

            let (mut lanes, mut xor_sum) = (load(), load());
            kernels.rehash(RehashWork {
                digests: RehashDigests::States(lanes.states()),
                block: &block,
                starts: &starts,
                rounds: 2,
                xor_sum: Some(xor_sum.states()),
                live,
            });
            for (l, digest) in digests.iter().enumerate() {
                let second = H::reference(&H::reference(digest));
                let fourth = H::reference(&H::reference(&second));
                let xor = |a: &[u8], b: &[u8]| -> Vec<u8> {
                    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
                };
                let got = |lanes: &mut LaneBuffer<WordOf<H>>| {
                    let mut digest = vec![0; size];
                    get_digest(H::DESCRIPTOR, &lanes.states(), l, &mut digest);
                    digest
                };
                assert_eq!(got(&mut lanes), fourth, "{backend:?}, {live} lanes");
                assert_eq!(got(&mut xor_sum), xor(&xor(digest, &second), &fourth), "{backend:?}");
            }
        }
    }
}
