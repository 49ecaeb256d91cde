//! Ranges of messages, by outboards and by slices.

use std::io::Read;

use jlanes::{
    Backend, Blake3,
    bao::{Bao, Layout},
};
use jlanes_testing::{backends, message};
use proptest::prelude::*;

use crate::{decode, files, open, part, slice, verify};

/// All layouts.
fn layouts() -> impl Iterator<Item = Layout> {
    (0..=7).filter_map(Layout::groups).chain([Layout::BAO])
}

/// Lengths around the edges of chunks, groups and blocks.
fn lengths() -> impl Iterator<Item = usize> {
    let chunks = [1, 2, 3, 5, 16, 17, 31, 33, 255, 256, 257, 512, 700];
    [0, 1].into_iter().chain(chunks.into_iter().flat_map(|chunks| {
        let edge = chunks * 1024;
        [edge - 1, edge, edge + 1]
    }))
}

/// A reader of a few bytes at a time, which is interrupted between them.
struct Trickle<'t>(&'t [u8], bool);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let len = buffer.len().min(997);
        self.0.read(&mut buffer[..len])
    }
}

#[test]
fn outboards_from_readers_and_their_lengths() {
    for len in lengths() {
        let data = message(1, len);
        for layout in layouts() {
            let outboard = Bao::default().outboard(layout, &data);
            let bytes = outboard.to_bytes();
            assert_eq!(bytes.len() as u64, layout.outboard_len(len as u64));
            let read = Bao::default().read_outboard(layout, Trickle(&data, false)).unwrap();
            assert_eq!(read, outboard, "{len}, {layout:?}");
            let mut written = Vec::new();
            outboard.write_to(&mut written).unwrap();
            assert_eq!(written, bytes, "{len}, {layout:?}");
            assert_eq!(outboard.length(), len as u64);
            if layout == Layout::BAO || layout == Layout::OBAO4 {
                let found = Layout::of_lengths(len as u64, bytes.len() as u64);
                assert_eq!(found, Some(layout));
            }
        }
    }
    assert_eq!(Layout::of_lengths(1 << 20, 72), None);
    assert_eq!(Layout::groups(8), None);
    assert_eq!(Layout::BAO.outboard_len(u64::MAX), 8 + 64 * ((1 << 54) - 1));
}

#[test]
fn ranges_of_every_length_and_layout() {
    for len in lengths() {
        let data = message(2, len);
        let end = len as u64;
        let ranges =
            [0..end, 0..0, 0..1, end / 2..end / 2 + 1, end / 3..end, end..end + 9, 5..u64::MAX];
        for layout in layouts() {
            let outboard = Bao::default().outboard(layout, &data);
            let (root, bytes) = (outboard.root(), outboard.to_bytes());
            for range in ranges.clone() {
                let found = verify(&root, (layout, end), files(&bytes, &data), range.clone());
                assert_eq!(found.unwrap(), part(&data, range), "{len}, {layout:?}");
            }
        }
    }
}

#[test]
fn slices_do_not_depend_on_the_outboard() {
    for len in lengths() {
        let data = message(3, len);
        let end = len as u64;
        for range in [0..end, 0..0, end / 3..end / 2 + 1100, end + 7..end + 8] {
            let expected = slice(Layout::BAO, &data, range.clone());
            for layout in layouts() {
                assert!(slice(layout, &data, range.clone()) == expected, "{len}, {layout:?}");
            }
            let root = Bao::default().outboard(Layout::OBAO4, &data).root();
            let (decoded, out) = decode(&root, range.clone(), &expected);
            assert_eq!(out, part(&data, range.clone()), "{len}, {range:?}");
            let is_last = end.saturating_sub(1) / 1024 * 1024 < range.end.max(1);
            assert_eq!(decoded.unwrap().length, is_last.then_some(end), "{len}, {range:?}");
        }
    }
}

#[test]
fn nothing_after_a_slice_is_read() {
    let data = message(4, 300_000);
    let root = Bao::default().outboard(Layout::BAO, &data).root();
    for range in [0..300_000, 5000..5001, 100_000..290_000, 400_000..400_001] {
        let mut long = slice(Layout::BAO, &data, range.clone());
        long.extend(b"more");
        let mut reader = &long[..];
        Bao::default().decode_slice(&root, range, &mut reader, std::io::sink()).unwrap();
        assert_eq!(reader, b"more");
    }
}

#[test]
fn a_key_on_every_backend() {
    let (data, key) = (message(5, 300_000), [7; 32]);
    for backend in backends::<Backend>() {
        let bao = Bao::new(Blake3::new_keyed(&key)).on(backend);
        for layout in [Layout::BAO, Layout::OBAO4] {
            let outboard = bao.outboard(layout, &data);
            let (root, bytes) = (outboard.root(), outboard.to_bytes());
            let files = files(&bytes, &data);
            let verified = jlanes::bao::Verified::open(bao.clone(), &root, layout, 300_000, files);
            let (mut out, mut encoded) = (Vec::new(), Vec::new());
            let mut verified = verified.unwrap();
            assert_eq!(verified.read(1000..290_000, &mut out).unwrap(), 289_000);
            assert_eq!(out, data[1000..290_000], "{backend}");
            out.clear();
            verified.slice(1000..290_000, &mut encoded).unwrap();
            bao.decode_slice(&root, 1000..290_000, &encoded[..], &mut out).unwrap();
            assert_eq!(out, data[1000..290_000], "{backend}");
            assert!(open(&root, layout, &bytes, &data).is_err(), "without the key");
        }
    }
}

proptest! {
    #[test]
    fn ranges_of_any_message(len in 0..600_000usize, log in 0..8u8, start in 0..700_000u64, count in 0..400_000u64) {
        let data = message(len as u64, len);
        let layout = Layout::groups(log).unwrap();
        let outboard = Bao::default().outboard(layout, &data);
        let (root, range) = (outboard.root(), start..start + count);
        let found = verify(&root, (layout, len as u64), files(outboard.parents(), &data), range.clone());
        prop_assert!(found.unwrap() == part(&data, range.clone()));
        let mut encoded = Vec::new();
        open(&root, layout, outboard.parents(), &data).unwrap().encode(range.clone(), &mut encoded).unwrap();
        let mut out = Vec::new();
        let len = len as u64;
        let decoded = Bao::default().decode(&root, (layout, len), range.clone(), &encoded[..], &mut out);
        prop_assert_eq!(decoded.unwrap().bytes, out.len() as u64);
        prop_assert!(out == part(&data, range));
    }
}
