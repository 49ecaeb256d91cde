//! Leaves of equal length on lanes, for a root that absorbs their values in order.

use alloc::{boxed::Box, vec, vec::Vec};

use digest::{XofReader, array::Array};
use jlanes_core::{
    batch::{Start, list},
    compression::max_lanes,
    engine::Engine,
    hash::Output,
    hashes::keccak::{
        Extendable, Keccak,
        cursor::{Cursor, Reader},
    },
    wipe::Buffer,
};

use crate::join::Join;

/// The maximum number of lanes.
const LANES: usize = max_lanes::<Keccak<21, 12>>();
/// Bytes of short leaves that are buffered before they are hashed: eight leaves of KangarooTwelve.
const GATHERED: usize = 64 << 10;
/// The maximum size of leaves that are buffered. Parts of longer leaves are hashed on one lane.
const LONGEST: usize = 256 << 10;
/// The maximum number of values that are kept at once.
const KEPT: usize = 1 << 12;

/// An incomplete long leaf, and its number of bytes so far.
type Long<C, E> = Box<(Cursor<C, E>, usize)>;

/// Leaves of `size` bytes, the last one possibly shorter, under the function `F`.
pub(crate) struct Leaves<F: Extendable, E> {
    engine: E,
    size: usize,
    /// Short leaves that do not fill the lanes yet.
    gathered: Buffer,
    long: Option<Long<F::Compression, E>>,
    /// Leaves that have been hashed.
    count: u128,
}

impl<F: Extendable, E: Engine<F::Compression>> Leaves<F, E> {
    /// No leaves yet; `size` is not 0.
    pub(crate) fn new(engine: E, size: usize) -> Self {
        Self { engine, size, gathered: Buffer::new(), long: None, count: 0 }
    }

    /// Resets to no leaves.
    pub(crate) fn clear(&mut self) {
        self.gathered.clear();
        (self.long, self.count) = (None, 0);
    }

    /// The number of leaves with values that `root` has absorbed.
    pub(crate) fn count(&self) -> u128 {
        self.count
    }

    /// Absorbs `data`. `root` receives the values of finished leaves.
    pub(crate) fn update(&mut self, join: Join, data: &[u8], root: &mut impl FnMut(&[u8])) {
        if self.size > LONGEST {
            self.update_long(join, data, root);
        } else {
            self.update_short(join, data, root);
        }
    }

    /// Hashes buffered and incomplete leaves.
    pub(crate) fn finish(&mut self, root: &mut impl FnMut(&[u8])) {
        let gathered = core::mem::take(&mut self.gathered);
        self.hash(Join::Serial, &gathered, root);
        self.gathered = gathered;
        self.finish_long(root);
    }

    fn update_short(&mut self, join: Join, mut data: &[u8], root: &mut impl FnMut(&[u8])) {
        let lanes = LANES * self.size;
        let room = lanes * (GATHERED / lanes).max(1);
        if !self.gathered.is_empty() {
            let (next, rest) = data.split_at(data.len().min(room - self.gathered.len()));
            self.gathered.append_within(next, room);
            data = rest;
            if self.gathered.len() < room {
                return;
            }
            let gathered = core::mem::take(&mut self.gathered);
            self.hash(Join::Serial, &gathered, root);
            self.gathered = gathered;
            self.gathered.clear();
        }
        let (groups, rest) = data.split_at(data.len() / room * room);
        self.hash(join, groups, root);
        if !rest.is_empty() {
            self.gathered.append_within(rest, room);
        }
    }

    fn update_long(&mut self, join: Join, mut data: &[u8], root: &mut impl FnMut(&[u8])) {
        if let Some((cursor, taken)) = self.long.as_deref_mut() {
            let (own, rest) = data.split_at(data.len().min(self.size - *taken));
            cursor.absorb(own);
            *taken += own.len();
            data = rest;
            if *taken < self.size {
                return;
            }
            self.finish_long(root);
        }
        let (whole, rest) = data.split_at(data.len() / self.size * self.size);
        self.hash(join, whole, root);
        if !rest.is_empty() {
            let mut cursor = Cursor::new(self.engine);
            cursor.absorb(rest);
            self.long = Some(Box::new((cursor, rest.len())));
        }
    }

    fn finish_long(&mut self, root: &mut impl FnMut(&[u8])) {
        if let Some(mut long) = self.long.take() {
            let cursor = &mut long.0;
            cursor.end(F::PADDING);
            let mut value = Output::<F>::default();
            Reader::of(cursor.clone()).read(&mut value);
            root(&value);
            self.count += 1;
        }
    }

    /// Hashes leaves; the last one may be shorter.
    fn hash(&mut self, join: Join, data: &[u8], root: &mut impl FnMut(&[u8])) {
        let count = data.len().div_ceil(self.size);
        let mut values = vec![Output::<F>::default(); count.min(KEPT)];
        for data in data.chunks(self.size.saturating_mul(KEPT)) {
            let values = &mut values[..data.len().div_ceil(self.size)];
            let width = match join.threads() {
                1 => values.len(),
                // several parts per thread, with full lanes
                threads => values.len().div_ceil(4 * threads).next_multiple_of(LANES),
            };
            let bytes = self.size.saturating_mul(width);
            let mut parts: Vec<_> = data.chunks(bytes).zip(values.chunks_mut(width)).collect();
            join.each(&mut parts, |_, (data, values)| self.values(data, values));
            root(Array::slice_as_flattened(values));
        }
        self.count += count as u128;
    }

    /// The values of the leaves in `data`.
    fn values(&self, data: &[u8], out: &mut [Output<F>]) {
        let (start, size) = (Start::<F>::new(), self.size);
        if data.len() == out.len() * size {
            list::records(self.engine, &start, (data, size), out);
        } else {
            let leaf = |i: usize| [&data[i * size..data.len().min((i + 1) * size)]];
            list::digest(self.engine, &start, leaf, out);
        }
    }
}

impl<F: Extendable, E: Clone> Clone for Leaves<F, E> {
    fn clone(&self) -> Self {
        Self {
            engine: self.engine.clone(),
            size: self.size,
            gathered: self.gathered.clone(),
            long: self.long.clone(),
            count: self.count,
        }
    }
}

#[cfg(test)]
mod tests {
    use jlanes_core::simd::portable::Portable;

    use super::*;
    use crate::kangaroo::Leaf128;

    #[test]
    fn long_leaves_are_not_kept() {
        for (size, kept) in [(LONGEST, 100), (LONGEST + 1, 0), (usize::MAX, 0)] {
            let mut leaves = Leaves::<Leaf128, _>::new(Portable::<4>, size);
            leaves.update(Join::Serial, &[7; 100], &mut |_| panic!("no leaf has ended"));
            assert_eq!(leaves.gathered.len(), kept, "{size}");
            assert_eq!(leaves.long.is_some(), kept == 0, "{size}");
        }
    }
}
