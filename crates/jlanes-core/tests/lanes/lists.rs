//! Tests of batches of messages in memory: alike or not, in one piece or several, few or many.

use jlanes_core::{
    function::{Batch, Function as Value, Start, filling},
    simd::portable::Portable,
};
use jlanes_testing::{message, paint};

use crate::{
    Function, Sha256, backend, block,
    by_value::{self, digest},
    edges, expected, outs,
};

for_every_function!(
    equal_lengths,
    unequal_lengths,
    a_long_message_among_short_ones,
    pieces_of_equal_lengths,
    pieces_of_unequal_lengths,
    pieces_that_change_their_lengths,
    messages_that_change_their_lengths,
    prefixes,
    one_message_behind_a_prefix,
    lengths_of_two_words,
    long_pieces,
    records_side_by_side,
    offsets_into_bytes,
);

/// From none to more than two groups of lanes, and enough for shared blocks to pay.
const COUNTS: [usize; 8] = [0, 1, 2, 7, 8, 9, 33, 70];

fn check<H: Function, const P: usize>(messages: &[[&[u8]; P]]) {
    let mut out = outs::<H>(messages.len());
    digest::<H, _, P>(backend::<H>(), &Start::new(), |i| messages[i], &mut out);
    for (i, (message, digest)) in messages.iter().zip(&out).enumerate() {
        let lens = message.map(<[u8]>::len);
        let expected = expected::<H>(&message.concat());
        assert_eq!(*digest, expected, "{i} of {}, pieces {lens:?}", messages.len());
    }
}

pub(crate) fn equal_lengths<H: Function>() {
    let text = paint(600, 3);
    for len in edges::<H>() {
        for count in COUNTS {
            check::<H, 1>(&(0..count).map(|i| [&text[i..][..len]]).collect::<Vec<_>>());
        }
    }
    // more than one call of the kernels takes
    check::<H, 1>(&(0..300).map(|i| [&text[i..][..i / 300 + 10]]).collect::<Vec<_>>());
}

pub(crate) fn unequal_lengths<H: Function>() {
    let text = message(1, 1000);
    for count in COUNTS {
        check::<H, 1>(&(0..count).map(|i| [&text[..i * i * 61 % 599]]).collect::<Vec<_>>());
        // one number of blocks
        check::<H, 1>(&(0..count).map(|i| [&text[i..][..i % 5]]).collect::<Vec<_>>());
    }
    // whole groups of some numbers of blocks, and what is left over
    let lens = |i: usize| [7, 200, 7, 300, 55, 64][i % 6] + i % 3;
    check::<H, 1>(&(0..300).map(|i| [&text[i..][..lens(i)]]).collect::<Vec<_>>());
}

pub(crate) fn a_long_message_among_short_ones<H: Function>() {
    let text = message(2, 100 * block::<H>());
    for long in [0, 5, 11] {
        let len = |i: usize| if i == long { text.len() } else { 100 + i };
        check::<H, 1>(&(0..12).map(|i| [&text[..len(i)]]).collect::<Vec<_>>());
    }
}

/// Lengths of pieces: short ones are copied together, of long ones only what crosses blocks.
const PIECES: [[usize; 3]; 12] = [
    [0, 0, 0],
    [32, 32, 0],
    [1, 0, 31],
    [64, 64, 64],
    [100, 100, 55],
    [100, 100, 57],
    [0, 600, 0],
    [64, 600, 64],
    [65, 601, 3],
    [13, 0, 700],
    [300, 300, 300],
    [700, 5, 1],
];

pub(crate) fn pieces_of_equal_lengths<H: Function>() {
    let text = paint(1000, 7);
    for [a, b, c] in PIECES {
        for count in COUNTS {
            let pieces = |i: usize| [&text[i..][..a], &text[i + 1..][..b], &text[i + 2..][..c]];
            check::<H, 3>(&(0..count).map(pieces).collect::<Vec<_>>());
        }
    }
}

fn pieces_of_unequal_lengths<H: Function>() {
    let text = paint(1000, 8);
    for count in COUNTS {
        let pieces = |i: usize| {
            let [a, b, c] = PIECES[i * 5 % PIECES.len()];
            [&text[i..][..a], &text[i + 1..][..b + i % 2], &text[i + 2..][..c]]
        };
        check::<H, 3>(&(0..count).map(pieces).collect::<Vec<_>>());
        let short = |i: usize| [&text[i..][..i * 7 % 100], &text[i + 1..][..i * 11 % 60]];
        check::<H, 2>(&(0..count).map(short).collect::<Vec<_>>());
    }
}

/// Messages of one length, but for one of them or from one of them on: in the first call of the kernels, and
/// later.
fn messages_that_change_their_lengths<H: Function>() {
    let text = paint(1000, 15);
    for (first, other) in [(1, 63), (33, 0), (255, 700), (256, 65), (299, 128)] {
        let one = |i: usize| [&text[i..][..if i == first { other } else { 64 }]];
        check::<H, 1>(&(0..300).map(one).collect::<Vec<_>>());
        let rest = |i: usize| [&text[i..][..if i >= first { other } else { 64 }]];
        check::<H, 1>(&(0..300).map(rest).collect::<Vec<_>>());
    }
}

/// Pairs of digests, and from some message on other pieces: in the first call of the kernels, at the
/// start of a later one, and within it.
fn pieces_that_change_their_lengths<H: Function>() {
    let text = paint(1000, 14);
    for first in [1, 32, 64, 65, 139] {
        for other in [[31, 32], [0, 64], [33, 31], [0, 0], [700, 9], [200, 100]] {
            let lens = |i: usize| if i == first { other } else { [32, 32] };
            let pieces = |[a, b]: [usize; 2], i: usize| [&text[i..][..a], &text[i + 1..][..b]];
            check::<H, 2>(&(0..140).map(|i| pieces(lens(i), i)).collect::<Vec<_>>());
            // the same in all that follow
            let lens = |i: usize| if i >= first { other } else { [32, 32] };
            check::<H, 2>(&(0..140).map(|i| pieces(lens(i), i)).collect::<Vec<_>>());
            // and others in each
            let lens = |i: usize| if i >= first { [i * 7 % 50, other[1]] } else { [32, 32] };
            check::<H, 2>(&(0..140).map(|i| pieces(lens(i), i)).collect::<Vec<_>>());
        }
    }
}

pub(crate) fn prefixes<H: Function>() {
    let text = paint(600, 9);
    for len in edges::<H>() {
        let prefix = paint(len, 100);
        for equal in [true, false] {
            let message = |i: usize| &text[i..][..if equal { 40 } else { i * 37 % 300 }];
            let mut out = outs::<H>(20);
            let slices: Vec<&[u8]> = (0..20).map(message).collect();
            by_value::source::<H, _>(backend::<H>(), &prefix, &Batch::slices(&slices), &mut out);
            for (i, digest) in out.iter().enumerate() {
                let whole = [&prefix[..], message(i)].concat();
                assert_eq!(*digest, expected::<H>(&whole), "a prefix of {len} bytes");
            }
        }
    }
}

/// A function takes all whole blocks of a prefix, and leaves the rest.
#[test]
fn functions_behind_long_prefixes() {
    let prefix = message(18, 70 * 64 + 5);
    let (after, rest) = Value::of::<Sha256, _>(Portable::<1>).after(&prefix);
    assert_eq!(rest, &prefix[70 * 64..]);
    let mut out = [0; 32];
    after.digest(&[], &Batch::slices(&[rest]), &mut out);
    assert_eq!(out[..], expected::<Sha256>(&prefix)[..]);
}

fn one_message_behind_a_prefix<H: Function>() {
    let text = paint(600, 11);
    for len in edges::<H>() {
        let prefix = paint(len, 100);
        for (first, second) in [(0, 0), (5, 0), (0, 70), (90, 300)] {
            let pieces = |_| [&text[..first], &text[first..][..second]];
            let (whole, mut out) = (&text[..first + second], outs::<H>(1));
            let expected = [expected::<H>(&[&prefix, whole].concat())];
            let (two, one, slices) = (filling(pieces), filling(|_| [whole]), [whole]);
            let sources = [
                ("two pieces", Batch::filled(1, &two)),
                ("one piece", Batch::filled(1, &one)),
                ("a slice", Batch::slices(&slices)),
                ("a record", Batch::records(1, whole, whole.len())),
            ];
            for (what, source) in sources {
                by_value::source::<H, _>(backend::<H>(), &prefix, &source, &mut out);
                assert_eq!(out, expected, "{what} behind {len} bytes");
            }
        }
    }
}

/// Lengths that need the upper word of the length or of the counter, against one stream.
pub(crate) fn lengths_of_two_words<H: Function>() {
    let text = paint(400, 12);
    let total = |bits: u32| (1_u128 << bits) - 2 * block::<H>() as u128;
    for before in [29, 32, 61, 64].map(|bits| total(bits) / block::<H>() as u128) {
        let start = Start::<H>::at(H::start(), before * block::<H>() as u128);
        for more in [0, 1] {
            let one = |i: usize| &text[i..][..200 + more * i];
            let mut out = outs::<H>(60);
            digest::<H, _, 1>(backend::<H>(), &start, |i| [one(i)], &mut out);
            for (i, digest_of) in out.iter().enumerate() {
                let mut alone = outs::<H>(1);
                digest::<H, _, 1>(Portable::<1>, &start, |_| [one(i)], &mut alone);
                assert_eq!(*digest_of, alone[0], "{i}, {before} blocks before");
            }
        }
    }
}

/// Long messages in pieces: of one piece whole blocks are hashed in place, the rest is copied. They
/// begin and end at the ends of blocks, next to them, and end with their longest piece or not.
fn long_pieces<H: Function>() {
    let (text, block) = (paint(8000, 13), block::<H>());
    let pieces = [
        [0, 5 * block, 0],
        [block / 2, 0, 5 * block - block / 2],
        [0, 0, 5 * block - 1],
        [5 * block - 1, 5, 0],
        [5 * block, block, 0],
        [7, 5 * block + 1, 3 * block],
        [400, 300, 0],
        [300, 900, 0],
        [3000, 64, 2000],
    ];
    for [a, b, c] in pieces {
        for count in [1, 9, 40] {
            let pieces = |i: usize| [&text[i..][..a], &text[i + 1..][..b], &text[i + 2..][..c]];
            check::<H, 3>(&(0..count).map(pieces).collect::<Vec<_>>());
        }
    }
}

fn records_side_by_side<H: Function>() {
    for width in edges::<H>() {
        for count in COUNTS {
            let text = message(width as u64, count * width);
            let mut out = outs::<H>(count);
            let records = Batch::records(count, &text, width);
            by_value::source::<H, _>(backend::<H>(), &[], &records, &mut out);
            for (i, digest) in out.iter().enumerate() {
                assert_eq!(*digest, expected::<H>(&text[i * width..][..width]), "record {i}");
            }
        }
    }
}

/// The same messages, as offsets of either width and as parts of them.
fn offsets_into_bytes<H: Function>() {
    let text = message(19, 3000);
    let (mut ends, mut large) = (vec![0], vec![0]);
    for i in 0..40 {
        ends.push(ends[i] + [0, 3, 64, 150][i % 4]);
        large.push(i64::from(ends[i + 1]));
    }
    let one = |i: usize| &text[ends[i] as usize..ends[i + 1] as usize];
    let all: Vec<_> = (0..40).map(|i| expected::<H>(one(i))).collect();
    let places = [Batch::offsets(&text, &ends), Batch::large_offsets(&text, &large)];
    for source in places {
        assert_eq!(
            (source.len(), source.len_at_position(3), source.message_at_position(3)),
            (40, 150, one(3))
        );
        for part in [0..40, 0..1, 1..2, 7..7, 7..20, 39..40] {
            let mut out = outs::<H>(part.len());
            by_value::source::<H, _>(
                backend::<H>(),
                &[],
                &source.part_renumbered(part.clone()),
                &mut out,
            );
            assert_eq!(out, all[part]);
        }
    }
}

#[test]
#[should_panic(expected = "as many messages as records")]
fn bytes_that_are_no_records_are_refused() {
    let _ = Batch::records(2, &[0; 9], 3);
}

#[test]
#[should_panic(expected = "as many digests as messages")]
fn records_without_digests_are_refused() {
    let mut out = outs::<crate::Md5>(2);
    let records = Batch::records(3, &[0; 9], 3);
    by_value::source::<crate::Md5, _>(backend::<crate::Md5>(), &[], &records, &mut out);
}
