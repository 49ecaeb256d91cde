//! Threads change nothing but the time: what one thread computes is compared with the model elsewhere.

use core::fmt::Debug;

use digest::{Digest, FixedOutput, Update};
use jlanes_core::{hashes::blake3, simd::portable::Portable};
use jlanes_testing::message;
use jlanes_tree::{
    ParUpdate,
    jlanes::{GenericJLanes, JLanes, JLanesDyn},
    join::Join,
    jpointers::{JPointers, JPointersRaw},
    kangaroo::Kt128,
    merkle::{Format, dmverity::DmVerity, rfc6962::Rfc6962, ssz::Ssz},
    multi_hash::MultiHash,
    par_digest,
    parallel_hash::ParallelHash128,
};

use crate::{
    OnBackend, Sha256, Sha512,
    skein::{SCHEDULES, config},
};

/// From here on threads share a message.
const SHARED: usize = 128 << 10;

/// Runs `test` in pools of several sizes.
fn in_pools(test: impl Fn() + Sync) {
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&test);
    }
}

/// A message of which threads share the middle.
fn pieces(data: &[u8]) -> [&[u8]; 3] {
    let (first, rest) = data.split_at(77);
    let (second, third) = rest.split_at(data.len() - 1000);
    [first, second, third]
}

fn one_message<T: ParUpdate + Update + FixedOutput + Clone>(new: &T, data: &[u8]) {
    let mut hasher = new.clone();
    hasher.update(data);
    let whole = hasher.finalize_fixed();
    let mut hasher = new.clone();
    pieces(data).iter().for_each(|piece| hasher.par_update(piece));
    assert_eq!(hasher.finalize_fixed(), whole, "{} bytes", data.len());
}

#[test]
fn one_message_of_blake3() {
    for len in [1000, SHARED - 1, SHARED, SHARED + 5000, 5 * SHARED + 1025] {
        let data = message(1, len);
        in_pools(|| one_message(&blake3::hasher::Hasher::<Portable<4>>::default(), &data));
    }
}

#[test]
fn one_message_by_lanes() {
    for len in [1000, SHARED + 5000] {
        let data = message(1, len);
        in_pools(|| {
            for lanes in [1, 4, 13] {
                one_message(&JLanesDyn::<Sha256>::new(lanes).unwrap(), &data);
            }
            one_message(&GenericJLanes::<Sha512>::new(3, 5).unwrap(), &data);
            one_message(&MultiHash::<Sha256>::default(), &data);
            assert_eq!(
                par_digest::<JLanes<Sha256, 5>>(&data),
                JLanes::<Sha256, 5>::digest(&data),
                "{len} bytes"
            );
        });
    }
}

#[test]
fn one_message_by_leaves() {
    let data = message(2, 400_000);
    in_pools(|| {
        one_message(&Kt128::with_backend(Portable::<4>, b"custom"), &data);
        // leaves that are buffered, and leaves that are too long for it
        for size in [1000, 300 << 10] {
            let hasher = ParallelHash128::with_backend(Portable::<4>, size, b"").unwrap();
            one_message(&hasher, &data);
        }
    });
}

#[test]
fn one_message_by_blocks() {
    fn check<T>(format: &T, data: &[u8])
    where
        T: Format<Output: PartialEq + Debug, Error: PartialEq + Debug>,
    {
        let whole = format.digest(data);
        assert_eq!(format.parallel().digest(data), whole);
        let mut hasher = format.hasher();
        pieces(data).iter().for_each(|piece| hasher.par_update(piece));
        assert_eq!(hasher.finalize(), whole);
    }
    let data = message(3, 300 << 10);
    in_pools(|| {
        check(&Rfc6962::chunks::<OnBackend>(100).unwrap(), &data);
        check(&Rfc6962::chunks::<OnBackend>(40_000).unwrap(), &data);
        check(&Ssz::default(), &data);
        check(&DmVerity::new::<OnBackend>(512, b"salt").unwrap(), &data);
    });
}

#[test]
fn a_list_of_messages() {
    let messages: Vec<_> = (0..50).map(|i| message(i, 37 * i as usize)).collect();
    let messages: Vec<_> = messages.iter().map(Vec::as_slice).collect();
    for count in [0, 1, 7, 50] {
        let messages = &messages[..count];
        in_pools(|| {
            let mut list = JPointers::<Sha256>::new();
            list.par_push_all(messages);
            assert_eq!(list.finalize(), JPointers::<Sha256>::digest(messages), "{count} messages");
            let mut list = JPointersRaw::<Sha512>::new();
            let (first, rest) = messages.split_at(count / 3);
            list.push_all(first);
            list.par_push_all(rest);
            let whole = JPointersRaw::<Sha512>::digest(messages);
            assert_eq!(list.finalize(), whole, "{count} messages");
        });
    }
}

/// Enough nodes for a level to be several tasks.
#[test]
fn trees_of_skein() {
    let data = message(4, 300_001);
    for tree in [[1, 1, 255], [1, 3, 255], [2, 1, 5]] {
        let whole = config(tree).hash(&data);
        in_pools(|| {
            for schedule in SCHEDULES {
                let found = config(tree).with_join(Join::Rayon).hash_with(schedule, &data);
                assert_eq!(found, whole, "{schedule:?}, {tree:?}");
            }
        });
    }
}
