//! Batches of messages that differ in length, share a prefix, or do not fit their output.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, Ordering},
};

use jlanes::{
    Backend, Sha256, Shake128,
    digest::Output,
    multi::{Lanes, Xofs},
};
use jlanes_testing::{backends, message, paint};

use crate::table::{Hasher, expected, expected_each};

for_every_hasher!(
    unequal_lengths,
    one_long_message_among_short_ones,
    prefixes_of_every_length,
    the_detected_backend_serves_the_plain_functions,
);

fn check<H: Hasher>(backend: Backend, messages: &[Vec<u8>], digests: &[Output<H>]) {
    let slices: Vec<_> = messages.iter().map(Vec::as_slice).collect();
    let lengths: Vec<_> = slices.iter().map(|slice| slice.len()).collect();
    assert_eq!(H::many(backend, &slices), digests, "{backend}, lengths {lengths:?}");
}

fn unequal_lengths<H: Hasher>() {
    // a walk over the lengths below 600 that never repeats a step
    let messages: Vec<_> = (0..33).map(|i| message(i, (i * i * 61 % 599) as usize)).collect();
    let digests: Vec<_> = messages.iter().map(|message| expected::<H>(message)).collect();
    for backend in backends::<Backend>() {
        for count in 0..=messages.len() {
            check::<H>(backend, &messages[..count], &digests[..count]);
            check::<H>(backend, &messages[33 - count..], &digests[33 - count..]);
        }
    }
}

fn one_long_message_among_short_ones<H: Hasher>() {
    for long in [0, 9, 18] {
        let length = |i: usize| if i == long { 100 * 300 } else { 300 + i % 2 };
        let messages: Vec<_> = (0..19).map(|i| message(i as u64, length(i))).collect();
        let digests: Vec<_> = messages.iter().map(|message| expected::<H>(message)).collect();
        for backend in backends::<Backend>() {
            check::<H>(backend, &messages, &digests);
        }
    }
}

fn prefixes_of_every_length<H: Hasher>() {
    let text = paint(300, 11);
    let lengths = [0, 1, 63, 64, 65, 3, 127, 128, 129, 200, 0, 55, 56, 111, 112, 64, 64, 7];
    let messages: Vec<_> = lengths.iter().map(|len| &text[*len..][..*len / 2]).collect();
    let equal: Vec<_> = (0..18).map(|i| &text[i..][..64]).collect();
    for len in 0..=130 {
        let prefix = paint(len, 101);
        for messages in [&messages, &equal] {
            let whole: Vec<_> =
                messages.iter().map(|message| [&prefix[..], message].concat()).collect();
            let whole: Vec<_> = whole.iter().map(Vec::as_slice).collect();
            let digests = expected_each::<H>(&whole);
            for backend in backends::<Backend>() {
                let batch = H::many_prefixed(backend, &prefix, messages);
                assert_eq!(batch, digests, "{backend}, a prefix of {len} bytes");
            }
            let mut out = vec![Default::default(); messages.len()];
            Lanes::<H>::new().prefix(&prefix).digest(messages, &mut out);
            assert_eq!(out, digests, "a prefix of {len} bytes");
        }
    }
}

fn the_detected_backend_serves_the_plain_functions<H: Hasher>() {
    let messages: Vec<_> = (0..40).map(|i| message(i, 10 * i as usize)).collect();
    let messages: Vec<_> = messages.iter().map(Vec::as_slice).collect();
    let mut out = vec![Default::default(); messages.len()];
    Lanes::<H>::new().digest(&messages, &mut out);
    assert_eq!(out, H::many(Backend::detect(), &messages));
    assert_eq!(out, expected_each::<H>(&messages));
}

#[test]
fn the_list_of_backends_is_complete() {
    let listed = backends::<Backend>();
    for backend in Backend::available() {
        assert!(listed.contains(&backend), "{backend} is available and not tested");
    }
    assert!(listed.contains(&Backend::portable()) && listed.contains(&Backend::detect()));
}

/// A message that has other bytes in later calls.
struct Changing {
    first: Vec<u8>,
    later: Vec<u8>,
    is_later: AtomicBool,
}

impl AsRef<[u8]> for Changing {
    fn as_ref(&self) -> &[u8] {
        if self.is_later.swap(true, Ordering::Relaxed) { &self.later } else { &self.first }
    }
}

/// The digests are of no use, but nothing outside the messages is read, which would end the program.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn messages_that_get_shorter_are_not_left() {
    for backend in backends::<Backend>() {
        let message = |i: usize| Changing {
            first: vec![7; 4096],
            later: vec![7; if i.is_multiple_of(16) { 4096 } else { 0 }],
            is_later: AtomicBool::new(false),
        };
        let messages: Vec<_> = (0..100).map(message).collect();
        let mut out = vec![Output::<Sha256>::default(); messages.len()];
        let batch = || Lanes::<Sha256>::new().on(backend).digest(&messages, &mut out);
        let _ = catch_unwind(AssertUnwindSafe(batch));
    }
}

/// The outputs are of no use, but the batch ends: with outputs, or with a panic at the bounds of a slice, which has
/// numbers in its message. Arithmetic that overflows would count blocks without end in a release build.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn messages_that_change_their_order_end() {
    for backend in backends::<Backend>() {
        let message = |i: usize| Changing {
            first: vec![7; 1000 * i],
            later: vec![7; 1000 * (5 - i)],
            is_later: AtomicBool::new(false),
        };
        let messages = [0, 1, 2, 3, 4].map(message);
        let mut outs = [[0; 32]; 5];
        let mut outs = outs.each_mut().map(|out| &mut out[..]);
        let batch = || Xofs::<Shake128>::new().on(backend).fill(&messages, &mut outs);
        let done = catch_unwind(AssertUnwindSafe(batch));
        assert!(!done.is_err_and(|panic| panic.is::<&str>()), "{backend}");
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn records_that_do_not_match_the_width_panic() {
    for digests in 0..3 {
        let mut out = vec![Output::<Sha256>::default(); digests];
        let batch = || Lanes::<Sha256>::new().nodes(&[0; 3], 64, &mut out);
        let refused = catch_unwind(AssertUnwindSafe(batch));
        assert!(refused.is_err(), "{digests} digests of 3 bytes");
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn outputs_that_do_not_match_the_messages_panic() {
    for digests in [0, 1, 3] {
        let mut out = vec![Output::<Sha256>::default(); digests];
        let batch = || Lanes::<Sha256>::new().digest(&[b"a", b"b"], &mut out);
        let refused = catch_unwind(AssertUnwindSafe(batch));
        assert!(refused.is_err(), "{digests} digests for 2 messages");
    }
}
