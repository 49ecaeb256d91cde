//! Messages of every length: padding, block edges and lane edges.

use jlanes::{Backend, digest::Update};
use jlanes_testing::{backends, paint};

use crate::table::{Hasher, expected, expected_each};

for_every_hasher!(every_length_in_one_batch, every_length_alone, equal_lengths, pieces_at_edges);

/// Four blocks in each lane of the widest kernel: sixteen of 64 bytes, or eight of 128.
const LONGEST: usize = 4 * 64 * 16;

/// A block's length, then the lengths at which the padding changes, for up to four blocks.
fn edges<H: Hasher>() -> Vec<usize> {
    let block = H::block_size();
    let length_field = block / 8;
    let mut edges = vec![0, 1, 4 * block];
    for whole in [block, 2 * block] {
        let last = whole - length_field;
        edges.extend([last - 2, last - 1, last, last + 1, whole - 1, whole, whole + 1]);
    }
    edges
}

/// A message of each length up to [`LONGEST`], no two with the same bytes in the same place.
fn with_every_length<T>(check: impl FnOnce(Vec<&[u8]>) -> T) -> T {
    let text = paint(LONGEST + 251, 0);
    check((0..=LONGEST).map(|len| &text[len % 251..][..len]).collect())
}

fn every_length_in_one_batch<H: Hasher>() {
    with_every_length(|mut messages| {
        let mut digests = expected_each::<H>(&messages);
        for backend in backends::<Backend>() {
            assert!(H::many(backend, &messages) == digests, "{backend}, shortest first");
        }
        messages.reverse();
        digests.reverse();
        for backend in backends::<Backend>() {
            assert!(H::many(backend, &messages) == digests, "{backend}, longest first");
        }
    });
}

fn every_length_alone<H: Hasher>() {
    with_every_length(|messages| {
        for message in messages {
            assert_eq!(H::digest(message), expected::<H>(message), "{} bytes", message.len());
        }
    });
}

/// Equal lengths have a path of their own, with a constant padding block from 16 messages on.
fn equal_lengths<H: Hasher>() {
    for len in edges::<H>() {
        let messages: Vec<_> = (0..33).map(|first| paint(len, 7 * first)).collect();
        let messages: Vec<_> = messages.iter().map(Vec::as_slice).collect();
        let digests = expected_each::<H>(&messages);
        for backend in backends::<Backend>() {
            for count in 0..=messages.len() {
                let batch = H::many(backend, &messages[..count]);
                assert_eq!(batch, digests[..count], "{backend}, {count} of {len} bytes");
            }
        }
    }
}

fn pieces_at_edges<H: Hasher>() {
    let message = paint(4 * H::block_size(), 3);
    let digest = expected::<H>(&message);
    for first in edges::<H>() {
        for second in edges::<H>() {
            let (head, rest) = message.split_at(first);
            let (middle, tail) = rest.split_at(second.min(rest.len()));
            let mut hasher = H::default();
            for piece in [head, middle, tail] {
                Update::update(&mut hasher, piece);
            }
            assert_eq!(hasher.finalize(), digest, "{first}, {second} bytes and the rest");
        }
    }
}
