//! BLAKE3's tree and Bao, byte for byte as the crates `blake3`, `bao` and `bao-tree` have them, and each
//! decodes the other's encodings.

#![allow(clippy::unwrap_used)] // the helpers too are tests

use std::{
    io::{Cursor, Read},
    ops::Range,
};

use bao::{decode::SliceDecoder, encode::SliceExtractor};
use bao_tree::{
    BaoTree, BlockSize, ByteRanges, ChunkRanges,
    io::{
        outboard::{EmptyOutboard, PreOrderMemOutboard},
        round_up_to_chunks,
        sync::{decode_ranges, encode_ranges_validated},
    },
};
use blake3::hazmat::{self, HasherExt, Mode};
use jlanes::{
    Blake3,
    bao::{Bao, Layout, Verified, left_len, max_len},
};
use jlanes_testing::message;
use proptest::prelude::*;

/// Lengths around the edges of chunks, groups and blocks.
const LENGTHS: [usize; 22] = [
    0, 1, 1023, 1024, 1025, 2048, 2049, 3072, 5000, 16_383, 16_384, 16_385, 32_768, 32_769, 50_000,
    131_073, 262_143, 262_144, 262_145, 524_288, 600_000, 1_048_577,
];

/// A message with an outboard.
struct Sample {
    data: Vec<u8>,
    root: [u8; 32],
    layout: Layout,
    outboard: Vec<u8>,
}

impl Sample {
    fn new(layout: Layout, len: usize) -> Self {
        let data = message(len as u64, len);
        let outboard = Bao::default().outboard(layout, &data);
        Self { root: outboard.root(), layout, outboard: outboard.to_bytes(), data }
    }

    fn verified(&self) -> Verified<Cursor<&[u8]>, Cursor<&[u8]>> {
        let files = (Cursor::new(&self.outboard[..]), Cursor::new(&self.data[..]));
        let len = self.data.len() as u64;
        Verified::open(Bao::default(), &self.root, self.layout, len, files).unwrap()
    }

    /// Bao's slice, and the bytes that Bao decodes from ours.
    fn slices(&self, range: &Range<u64>) {
        let (root, count) = (self.root.into(), range.end - range.start);
        let (mut ours, mut theirs, mut decoded) = (Vec::new(), Vec::new(), Vec::new());
        self.verified().slice(range.clone(), &mut ours).unwrap();
        let (data, outboard) = (Cursor::new(&self.data), Cursor::new(&self.outboard));
        SliceExtractor::new_outboard(data, outboard, range.start, count)
            .read_to_end(&mut theirs)
            .unwrap();
        assert!(ours == theirs, "{} bytes, {range:?}", self.data.len());
        SliceDecoder::new(&ours[..], &root, range.start, count).read_to_end(&mut decoded).unwrap();
        let mut out = Vec::new();
        Bao::default().decode_slice(&self.root, range.clone(), &theirs[..], &mut out).unwrap();
        // one byte is decoded where none is asked for
        assert!(out == decoded[..out.len()], "{} bytes, {range:?}", self.data.len());
        assert!(decoded.len() == out.len() || count == 0);
    }

    /// bao-tree's response, and what it decodes from ours.
    fn responses(&self, log: u8, range: &Range<u64>) {
        let theirs = PreOrderMemOutboard::create(&self.data, BlockSize::from_chunk_log(log));
        assert_eq!((*theirs.root.as_bytes(), &theirs.data), (self.root, &self.outboard));
        let chunks: ChunkRanges = round_up_to_chunks(&ByteRanges::from(range.clone()));
        let (mut ours, mut encoded) = (Vec::new(), Vec::new());
        self.verified().encode(range.clone(), &mut ours).unwrap();
        encode_ranges_validated(&self.data[..], &theirs, &chunks, &mut encoded).unwrap();
        let len = self.data.len();
        assert!(ours == encoded, "{len} bytes, {range:?}, {log}");
        let tree = BaoTree::new(len as u64, BlockSize::from_chunk_log(log));
        let outboard = EmptyOutboard { tree, root: theirs.root };
        let mut decoded = vec![0; len];
        decode_ranges(&ours[..], &chunks, &mut decoded[..], outboard).unwrap();
        let within = |at: u64| at.min(len as u64) as usize;
        let within = within(range.start)..within(range.end);
        assert!(decoded[within.clone()] == self.data[within], "{len} bytes, {range:?}, {log}");
    }
}

/// Ranges of a message of `len` bytes, none empty.
fn ranges(len: u64) -> [Range<u64>; 6] {
    [
        0..len.max(1),
        0..1,
        len / 2..len / 2 + 1,
        len / 3..len + 1,
        len..len + 9,
        len + 5000..len + 5001,
    ]
}

#[test]
fn outboards_and_slices_are_baos() {
    for len in LENGTHS {
        let sample = Sample::new(Layout::BAO, len);
        let (outboard, root) = bao::encode::outboard(&sample.data);
        assert_eq!((*root.as_bytes(), &outboard), (sample.root, &sample.outboard), "{len}");
        let mut combined = Vec::new();
        sample.verified().slice(0..u64::MAX, &mut combined).unwrap();
        assert!(combined == bao::encode::encode(&sample.data).0, "{len}");
        assert!(bao::decode::decode(&combined, &root).unwrap() == sample.data, "{len}");
        ranges(len as u64).iter().for_each(|range| sample.slices(range));
        sample.slices(&(0..0));
    }
}

#[test]
fn outboards_and_responses_are_bao_trees() {
    for len in LENGTHS {
        for log in 0..=7 {
            let sample = Sample::new(Layout::groups(log).unwrap(), len);
            ranges(len as u64).iter().for_each(|range| sample.responses(log, range));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn ranges_of_any_message(
        len in 0..700_000usize, log in 0..8u8, start in 0..800_000u64, count in 1..300_000u64,
    ) {
        Sample::new(Layout::BAO, len).slices(&(start..start + count));
        let layout = Layout::groups(log).unwrap();
        Sample::new(layout, len).responses(log, &(start..start + count));
    }

    #[test]
    fn subtrees_are_blake3s(shift in 10..64u32, odd: u32, len in 1..300_000usize, which in 0..3u8) {
        let offset = u64::from(odd) << shift;
        prop_assert_eq!(max_len(offset), hazmat::max_subtree_len(offset));
        let len = max_len(offset).map_or(len, |max| len.min(max as usize));
        prop_assume!(offset.checked_add(len as u64).is_some());
        let (data, key, context) = (message(odd.into(), len), [which; 32], "jlanes tests 2026-11-29");
        let derived = hazmat::hash_derive_key_context(context);
        let (bao, peer, mode) = match which {
            0 => (Bao::default(), blake3::Hasher::new(), Mode::Hash),
            1 => (Bao::new(Blake3::new_keyed(&key)), blake3::Hasher::new_keyed(&key), Mode::KeyedHash(&key)),
            _ => (
                Bao::new(Blake3::new_derive_key(context)),
                blake3::Hasher::new_derive_key(context),
                Mode::DeriveKeyMaterial(&derived),
            ),
        };
        let value = |offset, data: &[u8]| {
            peer.clone().set_input_offset(offset).update(data).finalize_non_root()
        };
        prop_assert_eq!(bao.subtree(offset, &data).unwrap(), value(offset, &data));
        if let Some(left) = left_len(len as u64) {
            prop_assert_eq!(left, hazmat::left_subtree_len(len as u64));
            let (first, second) = data.split_at(left as usize);
            let (first, second) = (value(offset, first), value(offset + left, second));
            let merged = hazmat::merge_subtrees_non_root(&first, &second, mode);
            prop_assert_eq!(bao.merge(&first, &second), merged);
            let root = hazmat::merge_subtrees_root(&first, &second, mode);
            prop_assert_eq!(bao.merge_root(&first, &second), *root.as_bytes());
        }
    }
}
