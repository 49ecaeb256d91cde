//! Batches where there is no memory for lists as long as the caller's: the digests are the same.

use std::alloc::System;

use cap::Cap;
use jlanes::{
    Algorithm, Sha256,
    algorithm::{AnyLanes, Parameters},
    merkle::FsVerity,
    multi::{Lanes, Messages},
};

#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes that are left for work that takes a bounded amount of memory, and a number of messages that
/// takes more for any list.
const SMALL: (usize, usize) = (32 << 10, 10_000);

/// The same where chunks of many messages are collected.
const LARGE: (usize, usize) = (1 << 20, 80_000);

/// Runs `work` with `left` bytes of memory.
fn with_little<R>(left: usize, work: impl FnOnce() -> R) -> R {
    HEAP.set_limit(HEAP.allocated() + left).expect("more than is allocated");
    let result = work();
    HEAP.set_limit(usize::MAX).expect("no limit");
    result
}

/// Compares digests without a limit with those under a limit.
fn compare(lanes: &AnyLanes, left: usize, messages: Messages<'_>) {
    let expected = lanes.digests(messages);
    let mut out = vec![0; expected.len()];
    with_little(left, || lanes.digest(messages, &mut out));
    assert!(out == expected, "{}", lanes.algorithm());
}

/// [`compare`] of HMAC and PBKDF2.
fn compare_macs(lanes: &AnyLanes, left: usize, messages: Messages<'_>) {
    let bytes = messages.len() * lanes.output_size();
    let (mut expected, mut out) = (vec![0; bytes], vec![0; bytes]);
    lanes.hmac(b"key", messages, &mut expected).expect("it has HMAC");
    with_little(left, || lanes.hmac(b"key", messages, &mut out)).expect("it has HMAC");
    assert!(out == expected, "HMAC with {}", lanes.algorithm());
    lanes.hmac_keyed(messages, messages, &mut expected).expect("it has HMAC");
    with_little(left, || lanes.hmac_keyed(messages, messages, &mut out)).expect("it has HMAC");
    assert!(out == expected, "HMAC with a key for each, {}", lanes.algorithm());
    let (mut expected, mut out) = (vec![0; 5 * messages.len()], vec![0; 5 * messages.len()]);
    lanes.pbkdf2(messages, messages, 2, 5, &mut expected).expect("it has PBKDF2");
    with_little(left, || lanes.pbkdf2(messages, messages, 2, 5, &mut out)).expect("it has PBKDF2");
    assert!(out == expected, "PBKDF2 with {}", lanes.algorithm());
}

fn lanes(name: &str, parameters: Parameters) -> AnyLanes {
    let algorithm: Algorithm = name.parse().expect("a name");
    algorithm.with(parameters).expect("parameters of it").lanes().expect("a digest")
}

/// One test, since the limit is that of the whole process.
#[test]
fn lists_need_no_memory() {
    let data: Vec<u8> = (0..=255).cycle().take(LARGE.1 + 100).collect();
    let mixed: Vec<&[u8]> = (0..LARGE.1).map(|i| &data[i..][..i * 7919 % 100]).collect();
    let mut offsets = vec![0];
    mixed
        .iter()
        .for_each(|message| offsets.push(offsets[offsets.len() - 1] + message.len() as i64));
    let bytes = mixed.concat();
    let column = |count: usize| {
        Messages::large_offsets(&bytes, &offsets[..=count]).expect("the offsets rise")
    };

    let (left, count) = SMALL;
    let mut out = vec![Default::default(); count];
    with_little(left, || Lanes::<Sha256>::new().digest(&mixed[..count], &mut out));
    assert!(out == Lanes::<Sha256>::new().digests(&mixed[..count]));
    for name in ["sha256", "sha3-256", "blake2b", "blake2b-200", "skein512", "skein512-200"] {
        let lanes = lanes(name, Parameters::default());
        compare(&lanes, left, Messages::slices(&mixed[..count]));
        compare(&lanes, left, column(count));
        compare_macs(&lanes, left, column(count / 10));
    }
    compare(&lanes("jlanes8-sha256", Parameters::default()), left, column(count));

    let (left, count) = LARGE;
    for name in ["shake128-512", "blake3", "blake3-400"] {
        compare(&lanes(name, Parameters::default()), left, Messages::slices(&mixed));
        compare(&lanes(name, Parameters::default()), left, column(count));
    }
    let parameters = Parameters::<FsVerity>::new().block_size(1024);
    let fsverity = lanes("fsverity-sha256", parameters.any());
    compare(&fsverity, 4 * left, Messages::slices(&mixed[..count / 10]));
}
