//! The feeds of every kernel, which load and store what lanes hash, with any strides, blocks and
//! lengths, compared with plain words.

use arbitrary::{Result, Unstructured};
use jlanes_core::{
    hashes::sha2::Sha2,
    kernel::{Feed, HasKernels, KernelCode, Table, feed::BlockLayout},
    simd::{
        runs::Runs,
        vector::{ByteOrder, Word},
    },
};
use jlanes_testing::message;

use crate::input::{backend, slices};

/// Runs the operations in `u`.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a word is wrong or in a wrong place.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let backend = backend(u)?;
    if u.arbitrary()? {
        let kernels = HasKernels::<Sha2<u32>>::kernels(&backend);
        check::<u32>(u, kernels.table, kernels.has)
    } else {
        let kernels = HasKernels::<Sha2<u64>>::kernels(&backend);
        check::<u64>(u, kernels.table, kernels.has)
    }
}

fn check<W: Word>(u: &mut Unstructured, table: &'static Table<W>, sets: u16) -> Result<()> {
    let feeds: Vec<&Feed<W>> = table
        .iter()
        .filter(|kernel| kernel.needs & sets == kernel.needs)
        .filter_map(|kernel| match &kernel.code {
            KernelCode::Vectors(vectors) => Some(vectors.feed),
            _ => None,
        })
        .collect();
    // portable code has only streams
    if feeds.is_empty() {
        return Ok(());
    }
    let feed = *u.choose(&feeds)?;
    let order = *u.choose(&[ByteOrder::Big, ByteOrder::Little])?;
    let block = BlockLayout { words: u.int_in_range(1..=25)?, order };
    match u.int_in_range(0..=3)? {
        0 => blocks(u, feed, block),
        1 => padded(u, feed, block),
        2 => interleaved(u, feed, block),
        _ => digests(u, feed, order),
    }
}

/// The word at byte `at` of a message that is followed by a byte and zeros.
fn word<W: Word>(order: ByteOrder, message: &[u8], pad: u8, at: usize) -> W {
    let byte = |i: usize| match message.get(i) {
        Some(byte) => *byte,
        None if i == message.len() => pad,
        None => 0,
    };
    let bytes: Vec<u8> = (at..at + W::BYTES).map(byte).collect();
    W::read(order, &bytes)
}

/// Room for the rows of a block, and the distance between rows in words.
fn rows<W: Word>(u: &mut Unstructured, lanes: usize, words: usize) -> Result<(Vec<W>, usize)> {
    let stride = lanes + u.int_in_range(0..=40)?;
    Ok((vec![W::default(); (words - 1) * stride + lanes], stride))
}

/// Messages of these lengths.
fn messages(lens: &[usize]) -> Vec<Vec<u8>> {
    lens.iter().enumerate().map(|(seed, len)| message(seed as u64, *len)).collect()
}

fn blocks<W: Word>(u: &mut Unstructured, feed: &Feed<W>, block: BlockLayout) -> Result<()> {
    let bytes = block.words * W::BYTES;
    let at = u.int_in_range(0..=2 * bytes)?;
    let mut lens = vec![at + bytes; feed.lanes];
    for _ in 0..u.int_in_range(0..=4)? {
        lens[u.choose_index(feed.lanes)?] += u.int_in_range(0..=bytes)?;
    }
    let runs = messages(&lens);
    let (mut out, stride) = rows(u, feed.lanes, block.words)?;
    (feed.blocks)(block, &Runs::new(&slices(&runs)), at, &mut out, stride);
    for i in 0..block.words {
        for (l, run) in runs.iter().enumerate() {
            assert_eq!(out[i * stride + l], word(block.order, run, 0, at + i * W::BYTES));
        }
    }
    Ok(())
}

fn padded<W: Word>(u: &mut Unstructured, feed: &Feed<W>, block: BlockLayout) -> Result<()> {
    let bytes = block.words * W::BYTES;
    let at = u.int_in_range(0..=2 * bytes)?;
    let mut lens = vec![u.int_in_range(0..=4 * bytes)?; feed.lanes];
    for _ in 0..u.int_in_range(0..=2 * feed.lanes)? {
        lens[u.choose_index(feed.lanes)?] = u.int_in_range(0..=4 * bytes)?;
    }
    let runs = messages(&lens);
    let pads = message(u.int_in_range(0..=255)?, feed.lanes);
    let (mut out, stride) = rows(u, feed.lanes, block.words)?;
    (feed.padded)(block, &Runs::new(&slices(&runs)), &pads, at, &mut out, stride);
    for i in 0..block.words {
        for (l, run) in runs.iter().enumerate() {
            assert_eq!(out[i * stride + l], word(block.order, run, pads[l], at + i * W::BYTES));
        }
    }
    Ok(())
}

fn interleaved<W: Word>(u: &mut Unstructured, feed: &Feed<W>, block: BlockLayout) -> Result<()> {
    let from = (feed.lanes + u.int_in_range(0..=40)?) * W::BYTES;
    let least = (block.words - 1) * from + feed.lanes * W::BYTES;
    let data = message(7, least + u.int_in_range(0..=9000)?);
    let (mut out, stride) = rows(u, feed.lanes, block.words)?;
    (feed.interleaved)(block, &data, from, u.arbitrary()?, &mut out, stride);
    for i in 0..block.words {
        for l in 0..feed.lanes {
            assert_eq!(out[i * stride + l], word(block.order, &data, 0, i * from + l * W::BYTES));
        }
    }
    Ok(())
}

fn digests<W: Word>(u: &mut Unstructured, feed: &Feed<W>, order: ByteOrder) -> Result<()> {
    let (words, count) = (u.int_in_range(1..=25)?, u.int_in_range(1..=feed.lanes)?);
    let stride = feed.lanes + u.int_in_range(0..=40)?;
    let states = message(3, words * stride * W::BYTES);
    let states: Vec<W> = states.chunks(W::BYTES).map(W::from_le).collect();
    let size = u.int_in_range(1..=words * W::BYTES)?;
    let mut out = vec![0; count * size];
    (feed.digests)(order, &states, stride, size, &mut out);
    for (l, digest) in out.chunks_exact(size).enumerate() {
        let mut expected = vec![0; words * W::BYTES];
        for (i, bytes) in expected.chunks_exact_mut(W::BYTES).enumerate() {
            states[i * stride + l].write(order, bytes);
        }
        assert_eq!(digest, &expected[..size], "lane {l}");
    }
    Ok(())
}
