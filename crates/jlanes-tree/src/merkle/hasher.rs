//! [`Hasher`], the tree of a format over data that arrives in pieces.

use alloc::{boxed::Box, vec, vec::Vec};
use core::{convert::Infallible, fmt};

use digest::{
    FixedOutput, FixedOutputReset, HashMarker, OutputSizeUser, Reset, Update,
    array::{Array, ArraySize},
};
use jlanes_simd::Backend;

use super::{
    BoundRules, Format, Frame, LeafKind, Summary, Zeros,
    levels::{Parents, Rest},
    rules::MAX_BUFFERED_LEAF_BYTES,
};
#[cfg(feature = "rayon")]
use crate::join::Join;
use crate::{batch_buffer::BatchBuffer, linear::AnyLinearHash};

/// Computes a [`Format`] of data that arrives in pieces.
///
/// Larger pieces mean fewer copies: whole batches of leaves are hashed in place.
#[derive(Clone)]
pub struct Hasher<T> {
    format: T,
    pub(super) rules: BoundRules,
    pub(super) leaves: PendingLeaves,
    pub(super) len: u64,
}

impl<T: Format> Hasher<T> {
    pub(super) fn new(backend: Backend, format: T) -> Self {
        let rules = BoundRules::new(backend, &format);
        let leaves = PendingLeaves::new(&rules);
        Self { format, rules, leaves, len: 0 }
    }

    /// The same hasher on another backend.
    #[must_use]
    pub fn on(mut self, backend: Backend) -> Self {
        self.rules.set_function(self.format.rules().function.on(backend));
        if self.len == 0 {
            self.leaves = PendingLeaves::new(&self.rules);
        }
        self
    }

    /// The same hasher on rayon's thread pool. It is worth it for pieces of 1 MiB and more.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn parallel(mut self) -> Self {
        self.rules.join = Join::Rayon;
        self
    }

    /// Adds data.
    pub fn update(&mut self, data: &[u8]) {
        self.len += data.len() as u64;
        self.leaves.push(&self.rules, data);
    }

    /// The result, after `data`.
    ///
    /// # Errors
    /// If the format has no result for such an input.
    pub fn digest(mut self, data: &[u8]) -> Result<T::Output, T::Error> {
        self.finish(data)
    }

    /// The result.
    ///
    /// # Errors
    /// If the format has no result for such an input.
    pub fn finalize(mut self) -> Result<T::Output, T::Error> {
        self.finish(&[])
    }

    /// [`finalize`](Self::finalize), followed by a reset.
    ///
    /// # Errors
    /// If the format has no result for such an input.
    pub fn finalize_reset(&mut self) -> Result<T::Output, T::Error> {
        self.finish(&[])
    }

    /// Adds the last data, returns the result and begins a new message.
    fn finish(&mut self, data: &[u8]) -> Result<T::Output, T::Error> {
        let len = core::mem::take(&mut self.len) + data.len() as u64;
        let mut rest = Rest::default();
        let last = |len| self.format.last_leaf(len);
        let root = self.leaves.finish(&self.rules, data, &last, &mut rest).map(Into::into);
        let Rest { kept, has_twins } = rest;
        self.format.output(Summary { root, len, kept, has_twins, function: &self.rules.function })
    }
}

/// The leaves that have not been hashed yet, and the levels above them.
#[derive(Clone)]
pub(super) struct PendingLeaves {
    pub(super) buffer: BatchBuffer,
    /// A long leaf in progress.
    long: Option<Box<LongLeaf>>,
    pub(super) above: Parents,
}

/// A leaf that is hashed as it arrives, and its number of bytes so far.
#[derive(Clone)]
pub(super) struct LongLeaf(AnyLinearHash, usize);

impl LongLeaf {
    pub(super) fn new(rules: &BoundRules) -> Self {
        let mut leaf = AnyLinearHash::new(&rules.function);
        leaf.update(&rules.leaf.frame.prefix);
        Self(leaf, 0)
    }

    pub(super) fn update(&mut self, data: &[u8]) {
        self.0.update(data);
        self.1 += data.len();
    }

    /// The digest of the leaf, which is filled up if the format says so.
    pub(super) fn finish(&mut self, rules: &BoundRules) -> Vec<u8> {
        let zeros = [0; 1 << 10];
        while rules.leaf.kind == LeafKind::Filled && self.1 < rules.leaf.size {
            self.update(&zeros[..zeros.len().min(rules.leaf.size - self.1)]);
        }
        self.0.update(&rules.leaf.frame.suffix);
        let mut digest = vec![0; rules.digest_size()];
        self.0.finish(&mut digest);
        digest
    }
}

impl PendingLeaves {
    fn new(rules: &BoundRules) -> Self {
        let lanes = if rules.leaf.size > MAX_BUFFERED_LEAF_BYTES { 1 } else { rules.lanes };
        let buffer = BatchBuffer::new(rules.leaf.size, lanes);
        Self { buffer, long: None, above: Parents::new() }
    }

    fn push(&mut self, rules: &BoundRules, data: &[u8]) {
        if rules.streams_leaves {
            return self.push_long(rules, data);
        }
        self.buffer.push(data, |leaves| self.above.push_leaves(rules, leaves));
    }

    /// Hashes long leaves as they arrive.
    fn push_long(&mut self, rules: &BoundRules, mut data: &[u8]) {
        let size = rules.leaf.size;
        while !data.is_empty() {
            if self.long.is_none() && data.len() >= size {
                let (whole, rest) = data.split_at(data.len() / size * size);
                self.above.push_leaves(rules, whole);
                data = rest;
                continue;
            }
            let leaf = self.long.get_or_insert_with(|| Box::new(LongLeaf::new(rules)));
            let (piece, rest) = data.split_at(data.len().min(size - leaf.1));
            leaf.update(piece);
            data = rest;
            if leaf.1 == size {
                self.end_long(rules);
            }
        }
    }

    /// Finishes the long leaf in progress, if any.
    fn end_long(&mut self, rules: &BoundRules) {
        let Some(mut leaf) = self.long.take() else { return };
        self.above.level(rules, 0).push(rules, &leaf.finish(rules));
    }

    /// Adds the last data and returns the root.
    fn finish(
        &mut self,
        rules: &BoundRules,
        data: &[u8],
        last_leaf: &dyn Fn(usize) -> Option<Frame>,
        rest: &mut Rest,
    ) -> Option<Vec<u8>> {
        let leaf = &rules.leaf;
        if rules.streams_leaves {
            self.push_long(rules, data);
            self.end_long(rules);
        } else {
            let above = &mut self.above;
            let mut last = self.buffer.finish(data, |leaves| above.push_leaves(rules, leaves));
            if !last.is_empty() && leaf.kind == LeafKind::Hashed {
                let own = last_leaf(last.len());
                above.hash(rules, own.as_ref().unwrap_or(&leaf.frame), (last.len(), 0), &last);
            } else if !last.is_empty() {
                last.resize(leaf.size);
                above.push_leaves(rules, &last);
            }
        }
        core::mem::replace(&mut self.above, Parents::new()).finish(rules, &mut Zeros::new(), rest)
    }
}

impl Parents {
    /// Passes the digests of whole leaves up.
    pub(super) fn push_leaves(&mut self, rules: &BoundRules, leaves: &[u8]) {
        match rules.leaf.kind {
            LeafKind::Digest => {
                let whole = leaves.len() / rules.digest_size() * rules.digest_size();
                self.level(rules, 0).push(rules, &leaves[..whole]);
            }
            LeafKind::Hashed | LeafKind::Filled => {
                self.hash(rules, &rules.leaf.frame, (rules.leaf.size, 0), leaves);
            }
        }
    }
}

impl<T> fmt::Debug for Hasher<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher").field("len", &self.len).finish_non_exhaustive()
    }
}

impl<T: Format + Default> Default for Hasher<T> {
    fn default() -> Self {
        T::default().hasher()
    }
}

impl<T: Format> Update for Hasher<T> {
    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }
}

#[cfg(feature = "rayon")]
impl<T: Format> crate::ParUpdate for Hasher<T> {
    fn par_update(&mut self, data: &[u8]) {
        let join = core::mem::replace(&mut self.rules.join, Join::Rayon);
        self.update(data);
        self.rules.join = join;
    }
}

impl<T: Format> Reset for Hasher<T> {
    fn reset(&mut self) {
        self.leaves = PendingLeaves::new(&self.rules);
        self.len = 0;
    }
}

impl<T: Format<Output = Array<u8, N>>, N: ArraySize> OutputSizeUser for Hasher<T> {
    type OutputSize = N;
}

/// Formats with one digest for every input are ordinary hash functions.
impl<T, N> FixedOutput for Hasher<T>
where
    T: Format<Output = Array<u8, N>, Error = Infallible>,
    N: ArraySize,
{
    fn finalize_into(self, out: &mut digest::Output<Self>) {
        let Ok(digest) = self.finalize();
        *out = digest;
    }
}

impl<T, N> FixedOutputReset for Hasher<T>
where
    T: Format<Output = Array<u8, N>, Error = Infallible>,
    N: ArraySize,
{
    fn finalize_into_reset(&mut self, out: &mut digest::Output<Self>) {
        let Ok(digest) = self.finalize_reset();
        *out = digest;
    }
}

impl<T> HashMarker for Hasher<T> {}
