//! Encodings that somebody changed: errors, and no byte that differs from the message's.

use std::{
    io::{self, Read},
    ops::Range,
};

use jlanes::bao::{Bao, Error, Layout};
use jlanes_testing::message;
use proptest::prelude::*;

use crate::{decode, files, open, part, slice, verify};

/// Lengths that claim to be those of a message of `len` bytes.
fn claims(len: u64) -> impl Iterator<Item = u64> {
    let near = [len.wrapping_sub(1024), len.wrapping_sub(1), len + 1, len + 1024, 2 * len];
    let far = [0, 1 << 40, 1 << 62, (1 << 63) + 1, u64::MAX - 1024, u64::MAX - 1, u64::MAX];
    near.into_iter().chain(far).filter(move |claim| *claim != len)
}

#[test]
fn every_changed_bit_of_an_outboard_is_found() {
    for (layout, len) in [(Layout::BAO, 5000), (Layout::OBAO4, 70_000), (Layout::BAO, 300_000)] {
        let data = message(6, len);
        let outboard = Bao::default().outboard(layout, &data);
        let (root, mut bytes) = (outboard.root(), outboard.to_bytes());
        for at in (0..bytes.len()).step_by(if len > 100_000 { 97 } else { 1 }) {
            bytes[at] ^= 1 << (at % 8);
            let end = len as u64;
            let found = verify(&root, (layout, end), files(&bytes, &data), 0..end);
            match found {
                Err(Error::Length { front, .. }) => assert!(at < 8 && front != end),
                Err(Error::Parent(_)) => assert!(at >= 8 || layout == Layout::OBAO4),
                other => panic!("{layout:?}, byte {at}: {other:?}"),
            }
            bytes[at] ^= 1 << (at % 8);
        }
    }
}

#[test]
fn changed_data_is_found_where_it_is() {
    for (layout, group) in [(Layout::BAO, 1024), (Layout::OBAO4, 16 << 10)] {
        let mut data = message(7, 600_000);
        let outboard = Bao::default().outboard(layout, &data);
        let (root, bytes) = (outboard.root(), outboard.to_bytes());
        for at in [0, 1023, 1024, 16_384, 262_143, 262_144, 300_000, 524_287] {
            let expected = data[..at / group * group].to_vec();
            data[at] ^= 0x80;
            let mut verified = open(&root, layout, &bytes, &data).unwrap();
            let mut out = Vec::new();
            match verified.read(0..u64::MAX, &mut out) {
                Err(Error::Data(Range { start, end })) => {
                    assert_eq!((start, end - start), (expected.len() as u64, group as u64));
                }
                other => panic!("{layout:?}, byte {at}: {other:?}"),
            }
            // what is before it has been given out
            assert!(out == expected, "{layout:?}, byte {at}");
            // and what is not wanted is not read
            out.clear();
            let other = if at < 300_000 { 580_000..590_000 } else { 0..10_000 };
            verified.read(other.clone(), &mut out).unwrap();
            assert_eq!(out, part(&data, other));
            data[at] ^= 0x80;
        }
        data[599_999] ^= 1;
        assert!(matches!(open(&root, layout, &bytes, &data), Err(Error::Data(_))));
    }
}

#[test]
fn wrong_lengths_fail_even_if_all_bytes_match() {
    for len in [0, 1, 1023, 1024, 1025, 5000, 40_000, 262_144, 300_000] {
        let mut data = message(8, len);
        let len = len as u64;
        for layout in [Layout::BAO, Layout::OBAO4] {
            let outboard = Bao::default().outboard(layout, &data);
            let (root, bytes) = (outboard.root(), outboard.to_bytes());
            for claim in claims(len) {
                // more bytes are there, zeros
                data.resize(len as usize + 2048, 0);
                let mut claimed = bytes.clone();
                if layout == Layout::BAO {
                    claimed[..8].copy_from_slice(&claim.to_le_bytes());
                }
                // an outboard as long as that of the claimed length, where there is room for it
                claimed.resize(layout.outboard_len(claim).min(100_000) as usize, 0);
                for range in [0..1, 0..0, 0..u64::MAX] {
                    for bytes in [&bytes, &claimed] {
                        let files = files(bytes, &data);
                        let found = verify(&root, (layout, claim), files, range.clone());
                        found.expect_err(&format!("{layout:?}, {len}, {claim}, {range:?}"));
                    }
                }
                data.truncate(len as usize);
            }
            for wrong in [bytes.len() + 1, bytes.len() + 64, bytes.len().saturating_sub(1)] {
                if wrong != bytes.len() {
                    let mut bytes = bytes.clone();
                    bytes.resize(wrong, 0);
                    let found = verify(&root, (layout, len), files(&bytes, &data), 0..1);
                    assert!(matches!(found, Err(Error::OutboardLength { .. })));
                }
            }
        }
    }
}

#[test]
fn slices_with_a_wrong_length_never_prove_it() {
    for len in [0, 1, 1024, 1025, 5000, 40_000, 300_000] {
        let data = message(9, len);
        let len = len as u64;
        let root = Bao::default().outboard(Layout::OBAO4, &data).root();
        for range in [0..1, 0..len, len / 2..len / 2 + 1, len..len, len + 5000..len + 5001] {
            let mut slice = slice(Layout::BAO, &data, range.clone());
            slice.resize(slice.len() + 4096, 0);
            for claim in claims(len) {
                slice[..8].copy_from_slice(&claim.to_le_bytes());
                let (decoded, out) = decode(&root, range.clone(), &slice);
                // bytes of the message are no lie, but the length would be
                assert!(decoded.map_or(None, |decoded| decoded.length).is_none(), "{len}, {claim}");
                assert!(part(&data, range.clone()).starts_with(&out), "{len}, {claim}");
            }
        }
    }
}

/// A reader that counts what was asked for.
struct Endless {
    asked: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.asked = self.asked.max(buffer.len());
        buffer.fill(0xff);
        Ok(buffer.len())
    }
}

#[test]
fn an_endless_slice_of_a_huge_message_is_refused_soon() {
    // its length is the largest
    for range in [0..1, 0..u64::MAX, u64::MAX - 1..u64::MAX, 1 << 63..u64::MAX] {
        let mut endless = Endless { asked: 0 };
        let decoded = Bao::default().decode_slice(&[0; 32], range, &mut endless, io::sink());
        assert!(matches!(decoded, Err(Error::Parent(part)) if part == (0..u64::MAX)));
        assert!(endless.asked <= 64, "{} bytes", endless.asked);
    }
}

#[test]
fn data_that_ends_too_soon() {
    let data = message(10, 300_000);
    let outboard = Bao::default().outboard(Layout::BAO, &data);
    let bytes = outboard.to_bytes();
    let files = files(&bytes, &data[..200_000]);
    let found = verify(&outboard.root(), (Layout::BAO, 300_000), files, 0..1);
    assert!(matches!(found, Err(Error::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof));
}

proptest! {
    /// Whatever is changed in a slice, only bytes of the message are given out.
    #[test]
    fn changed_slices(len in 0..300_000usize, start in 0..300_000u64, count in 0..100_000u64, at: usize, bit in 0..8u8, cut: bool) {
        let data = message(len as u64, len);
        let root = Bao::default().outboard(Layout::OBAO4, &data).root();
        let range = start..start + count;
        let mut slice = slice(Layout::BAO, &data, range.clone());
        let at = at % slice.len();
        if cut {
            slice.truncate(at);
        } else {
            slice[at] ^= 1 << bit;
        }
        let (decoded, out) = decode(&root, range.clone(), &slice);
        prop_assert!(decoded.is_err() || at < 8);
        prop_assert!(decoded.map_or(None, |decoded| decoded.length).is_none());
        prop_assert!(part(&data, range).starts_with(&out));
    }
}
