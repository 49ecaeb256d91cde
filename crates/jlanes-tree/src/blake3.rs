//! BLAKE3 on all cores: large subtrees are split in halves.

use alloc::{vec, vec::Vec};
use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use digest::Update;
use jlanes_core::{
    hashes::blake3::{
        Blake3Compression, CHUNK,
        hasher::Hasher,
        tree::{Tree, Value},
    },
    kernel::HasKernels,
};

use crate::{
    ParRead, ParUpdate, ReadPart,
    join::{Join, MIN_SPLIT_BYTES},
};

/// Bytes of the subtrees that a thread computes alone.
const PART_BYTES: usize = MIN_SPLIT_BYTES;

/// Bytes of the subtrees that a thread reads and then computes alone: as many as [`Tree::halves`] takes,
/// which are fewer calls of the system.
const READ_BYTES: usize = 256 << 10;

impl<B: HasKernels<Blake3Compression>> ParUpdate for Hasher<B> {
    fn par_update(&mut self, data: &[u8]) {
        let update = |hasher: &mut Self, range| hasher.update(&data[range]);
        absorb(self, data.len(), PART_BYTES, update, &|tree, range, first| {
            tree.halves(&data[range], first)
        });
    }
}

impl<B: HasKernels<Blake3Compression>> ParRead for Hasher<B> {
    fn par_read(&mut self, len: usize, read: &ReadPart<'_>) {
        let update = |hasher: &mut Self, range: Range<usize>| {
            let mut bytes = vec![0; range.len()];
            read(&mut bytes, range.start);
            hasher.update(&bytes);
        };
        let buffers = Mutex::new(Vec::new());
        let buffers = || buffers.lock().unwrap_or_else(PoisonError::into_inner);
        absorb(self, len, READ_BYTES, update, &|tree, range, first| {
            let free = buffers().pop();
            let mut buffer: Vec<u8> = free.unwrap_or_else(|| vec![0; READ_BYTES]);
            let bytes = &mut buffer[..range.len()];
            read(bytes, range.start);
            let halves = tree.halves(bytes, first);
            buffers().push(buffer);
            halves
        });
    }
}

/// Computes the halves of a subtree, from its range in the data and the index of its first chunk.
type HalvesFn<'l> = dyn Fn(&Tree, Range<usize>, u64) -> [Value; 2] + Sync + 'l;

/// Absorbs `len` bytes: subtrees of `size` bytes by `leaf`, on all threads, and the rest by
/// `update`, in pieces of less than `size` bytes.
fn absorb<B: HasKernels<Blake3Compression>>(
    hasher: &mut Hasher<B>,
    len: usize,
    size: usize,
    update: impl Fn(&mut Hasher<B>, Range<usize>),
    leaf: &HalvesFn<'_>,
) {
    let mut at = len.min(hasher.bytes_until_subtree(size / CHUNK));
    update(hasher, 0..at);
    while len - at >= size {
        at += hasher
            .subtree(len - at, &|tree, len, first| halves(tree, size, at..at + len, first, leaf));
    }
    update(hasher, at..len);
}

fn halves(
    tree: &Tree,
    size: usize,
    range: Range<usize>,
    first: u64,
    leaf: &HalvesFn<'_>,
) -> [Value; 2] {
    if range.len() <= size {
        return leaf(tree, range, first);
    }
    let half = range.len() / 2;
    let value = |range, first| tree.parent(&halves(tree, size, range, first, leaf));
    let middle = range.start + half;
    let (left, right) = Join::Rayon.join(
        || value(range.start..middle, first),
        || value(middle..range.end, first + (half / CHUNK) as u64),
    );
    [left, right]
}
