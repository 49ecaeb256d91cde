//! Threads change nothing but the time.

use jlanes::{
    Digest, Sha256,
    digest::FixedOutput,
    tree::{
        GenericJLanes, JLanes, JLanesDyn, JLanesRaw, JPointers, MhSha256, ParUpdate, par_digest,
    },
};
use jlanes_testing::message;

/// Runs `test` in pools of several sizes.
fn in_pools(test: impl Fn(usize) + Sync) {
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads can be had").install(|| test(threads));
    }
}

fn same<T: Digest + ParUpdate + FixedOutput + Default>(message: &[u8]) {
    assert_eq!(par_digest::<T>(message), T::digest(message), "{} bytes", message.len());
}

#[test]
fn one_message_by_columns() {
    let long = message(1, 300_001);
    in_pools(|_| {
        for message in [&long[..], &long[..200_000], &long[..131_071], b"short"] {
            same::<JLanes<Sha256, 1>>(message);
            same::<JLanes<Sha256, 5>>(message);
            same::<JLanes<Sha256, 16>>(message);
            same::<JLanesRaw<Sha256, 32>>(message);
            same::<JLanes<Sha256, 47>>(message);
            same::<JLanes<Sha256, 256>>(message);
            same::<MhSha256>(message);
            same::<GenericJLanes<sha2::Sha512>>(message);
        }
    });
}

#[test]
fn in_pieces_of_every_kind() {
    let message = message(2, 700_000);
    let whole = JLanes::<Sha256, 12>::digest(&message);
    in_pools(|threads| {
        let mut hasher = JLanesDyn::<Sha256>::new(12).expect("1..=256 lanes");
        let (first, rest) = message.split_at(1234 * threads);
        hasher.update(first);
        let (second, third) = rest.split_at(400_000);
        hasher.par_update(second);
        hasher.par_update(third);
        assert_eq!(hasher.finalize(), whole, "{threads} threads");
    });
}

#[test]
fn a_list_of_messages() {
    let messages: Vec<Vec<u8>> = (0..100).map(|i| message(i, 37 * i as usize)).collect();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    for count in [0, 1, 7, 20, 100] {
        let whole = JPointers::<Sha256>::digest(&messages[..count]);
        in_pools(|threads| {
            let mut list = JPointers::<Sha256>::new();
            list.par_push_all(&messages[..count]);
            assert_eq!(list.finalize(), whole, "{count} messages, {threads} threads");
        });
    }
}
