//! [`Leaves`] of equal length, hashed on lanes: KangarooTwelve's and ParallelHash's. The root absorbs their values in
//! order.

use alloc::{boxed::Box, vec, vec::Vec};

use jlanes_core::{
    compression::max_lanes,
    function::{AnyFunction, Batch, Start},
    hashes::keccak::{Extendable, Keccak},
    kernel::HasKernels,
};

use crate::{batch_buffer::BatchBuffer, join::Join, linear::AnyLinearHash};

/// The maximum number of lanes.
const MAX_LANES: usize = max_lanes::<Keccak<21, 12>>();
/// Bytes of short leaves that are buffered before they are hashed: eight leaves of KangarooTwelve.
const BUFFERED_BYTES: usize = 64 << 10;
/// The maximum size of leaves that are buffered. Parts of longer leaves are hashed on one lane.
const MAX_BUFFERED_LEAF_BYTES: usize = 256 << 10;
/// The maximum number of values that are kept at once.
const MAX_KEPT_VALUES: usize = 1 << 12;

/// Leaves of `size` bytes, the last one possibly shorter.
#[derive(Clone)]
pub(crate) struct Leaves {
    function: AnyFunction,
    size: usize,
    /// Short leaves that do not fill the lanes yet.
    buffer: BatchBuffer,
    /// An incomplete long leaf, and its number of bytes so far.
    long: Option<Box<(AnyLinearHash, usize)>>,
    /// Leaves that have been hashed.
    count: u128,
}

impl Leaves {
    /// No leaves under `F` yet; `size` is not 0.
    pub(crate) fn new<F: Extendable, B: HasKernels<F::Compression>>(
        backend: B,
        size: usize,
    ) -> Self {
        let function = Start::<F>::new().function(backend);
        let lanes = size.saturating_mul(MAX_LANES);
        let buffer = BatchBuffer::of(size, lanes.saturating_mul((BUFFERED_BYTES / lanes).max(1)));
        Self { function, size, buffer, long: None, count: 0 }
    }

    /// Resets to no leaves.
    pub(crate) fn clear(&mut self) {
        self.buffer.clear();
        (self.long, self.count) = (None, 0);
    }

    /// The number of leaves with values that `root` has absorbed.
    pub(crate) fn count(&self) -> u128 {
        self.count
    }

    /// Absorbs `data`. `root` receives the values of finished leaves.
    pub(crate) fn update(&mut self, join: Join, data: &[u8], root: &mut dyn FnMut(&[u8])) {
        if self.size > MAX_BUFFERED_LEAF_BYTES {
            self.update_long(join, data, root);
        } else {
            self.update_short(join, data, root);
        }
    }

    /// Hashes buffered and incomplete leaves.
    pub(crate) fn finish(&mut self, root: &mut dyn FnMut(&[u8])) {
        let mut buffer = self.buffer.take();
        self.hash(Join::Serial, buffer.pending(), root);
        buffer.clear();
        self.buffer = buffer;
        self.finish_long(root);
    }

    fn update_short(&mut self, join: Join, data: &[u8], root: &mut dyn FnMut(&[u8])) {
        let mut buffer = self.buffer.take();
        buffer.push(data, |leaves| self.hash(join, leaves, root));
        self.buffer = buffer;
    }

    fn update_long(&mut self, join: Join, mut data: &[u8], root: &mut dyn FnMut(&[u8])) {
        if let Some((leaf, taken)) = self.long.as_deref_mut() {
            let (head, after) = data.split_at(data.len().min(self.size - *taken));
            leaf.update(head);
            *taken += head.len();
            data = after;
            if *taken < self.size {
                return;
            }
            self.finish_long(root);
        }
        let (whole, tail) = data.split_at(data.len() / self.size * self.size);
        self.hash(join, whole, root);
        if !tail.is_empty() {
            let mut leaf = AnyLinearHash::new(&self.function);
            leaf.update(tail);
            self.long = Some(Box::new((leaf, tail.len())));
        }
    }

    fn finish_long(&mut self, root: &mut dyn FnMut(&[u8])) {
        if let Some(mut long) = self.long.take() {
            let mut value = vec![0; self.function.output_size()];
            long.0.finish(&mut value);
            root(&value);
            self.count += 1;
        }
    }

    /// Hashes leaves; the last one may be shorter.
    fn hash(&mut self, join: Join, data: &[u8], root: &mut dyn FnMut(&[u8])) {
        let (value, count) = (self.function.output_size(), data.len().div_ceil(self.size));
        let mut values = vec![0; count.min(MAX_KEPT_VALUES) * value];
        for data in data.chunks(self.size.saturating_mul(MAX_KEPT_VALUES)) {
            let count = data.len().div_ceil(self.size);
            let values = &mut values[..count * value];
            let width = match join.threads(data.len()) {
                1 => count,
                // several parts per thread, with full lanes
                threads => count.div_ceil(4 * threads).next_multiple_of(MAX_LANES),
            };
            let bytes = self.size.saturating_mul(width);
            let parts = data.chunks(bytes).zip(values.chunks_mut(width * value));
            join.for_each_part(&mut parts.collect::<Vec<_>>(), |_, (data, values)| {
                self.values(data, values);
            });
            root(values);
        }
        self.count += count as u128;
    }

    /// The values of the leaves in `data`.
    fn values(&self, data: &[u8], out: &mut [u8]) {
        let size = self.size;
        if data.len().is_multiple_of(size) {
            let leaves = Batch::records(data.len() / size, data, size);
            return self.function.digest(&[], &leaves, out);
        }
        let leaf = |i: usize| [&data[i * size..data.len().min((i + 1) * size)]];
        self.function.digest_with(&[], leaf, out);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::panic::{AssertUnwindSafe, catch_unwind};

    use jlanes_core::simd::portable::Portable;

    use super::*;
    use crate::kangaroo::Leaf128;

    #[test]
    fn long_leaves_are_not_kept() {
        for (size, kept) in
            [(MAX_BUFFERED_LEAF_BYTES, 100), (MAX_BUFFERED_LEAF_BYTES + 1, 0), (usize::MAX, 0)]
        {
            let mut leaves = Leaves::new::<Leaf128, _>(Portable::<4>, size);
            leaves.update(Join::Serial, &[7; 100], &mut |_| panic!("no leaf has ended"));
            assert_eq!(leaves.buffer.pending().len(), kept, "{size}");
            assert_eq!(leaves.long.is_some(), kept == 0, "{size}");
        }
    }

    #[test]
    #[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
    fn leaves_can_be_used_after_a_panic() {
        let mut leaves = Leaves::new::<Leaf128, _>(Portable::<4>, 100);
        let data = vec![7; BUFFERED_BYTES + 200];
        let values = |leaves: &mut Leaves| {
            let mut out = Vec::new();
            leaves.update(Join::Serial, &data, &mut |value| out.extend_from_slice(value));
            leaves.finish(&mut |value| out.extend_from_slice(value));
            out
        };
        let expected = values(&mut leaves.clone());
        let fails = || leaves.update(Join::Serial, &data, &mut |_| panic!("planted"));
        assert!(catch_unwind(AssertUnwindSafe(fails)).is_err());
        leaves.clear();
        assert_eq!(values(&mut leaves), expected);
    }
}
