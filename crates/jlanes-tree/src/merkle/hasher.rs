//! [`Hasher`], the tree of a format over data that arrives in pieces.

use alloc::{boxed::Box, vec, vec::Vec};
use core::{convert::Infallible, fmt};

use digest::{
    FixedOutput, FixedOutputReset, HashMarker, OutputSizeUser, Reset, Update,
    array::{Array, ArraySize},
};
use jlanes_simd::Backend;

use super::{
    Format, Frame, LeafKind, Recipe, Summary, Zeros,
    levels::{Above, Rest},
    recipe::MAX_GATHERED_LEAF_BYTES,
};
#[cfg(feature = "rayon")]
use crate::join::Join;
use crate::{gather::Gather, linear::AnyLinear};

/// Computes a [`Format`] of data that arrives in pieces.
///
/// Larger pieces mean fewer copies: whole batches of leaves are hashed in place.
#[derive(Clone)]
pub struct Hasher<T> {
    format: T,
    pub(super) recipe: Recipe,
    pub(super) leaves: PendingLeaves,
    pub(super) len: u64,
}

impl<T: Format> Hasher<T> {
    pub(super) fn new(backend: Backend, format: T) -> Self {
        let recipe = Recipe::new(backend, &format);
        let leaves = PendingLeaves::new(&recipe);
        Self { format, recipe, leaves, len: 0 }
    }

    /// The same hasher on another backend.
    #[must_use]
    pub fn on(mut self, backend: Backend) -> Self {
        self.recipe.set_function(self.format.rules().function.on(backend));
        if self.len == 0 {
            self.leaves = PendingLeaves::new(&self.recipe);
        }
        self
    }

    /// The same hasher on rayon's thread pool. It is worth it for pieces of 1 MiB and more.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn parallel(mut self) -> Self {
        self.recipe.join = Join::Rayon;
        self
    }

    /// Adds data.
    pub fn update(&mut self, data: &[u8]) {
        self.len += data.len() as u64;
        self.leaves.push(&self.recipe, data);
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
        let root = self.leaves.finish(&self.recipe, data, &last, &mut rest).map(Into::into);
        let Rest { kept, has_twins } = rest;
        self.format.output(Summary { root, len, kept, has_twins, function: &self.recipe.function })
    }
}

/// The leaves that have not been hashed yet, and the levels above them.
#[derive(Clone)]
pub(super) struct PendingLeaves {
    pub(super) gather: Gather,
    /// A long leaf in progress.
    long: Option<Box<LongLeaf>>,
    pub(super) above: Above,
}

/// A leaf that is hashed as it arrives, and its number of bytes so far.
#[derive(Clone)]
pub(super) struct LongLeaf(AnyLinear, usize);

impl LongLeaf {
    pub(super) fn new(recipe: &Recipe) -> Self {
        let mut leaf = AnyLinear::new(&recipe.function);
        leaf.update(&recipe.leaf.frame.prefix);
        Self(leaf, 0)
    }

    pub(super) fn update(&mut self, data: &[u8]) {
        self.0.update(data);
        self.1 += data.len();
    }

    /// The digest of the leaf, which is filled up if the format says so.
    pub(super) fn finish(&mut self, recipe: &Recipe) -> Vec<u8> {
        let zeros = [0; 1 << 10];
        while recipe.leaf.kind == LeafKind::Filled && self.1 < recipe.leaf.size {
            self.update(&zeros[..zeros.len().min(recipe.leaf.size - self.1)]);
        }
        self.0.update(&recipe.leaf.frame.suffix);
        let mut digest = vec![0; recipe.digest_size()];
        self.0.finish(&mut digest);
        digest
    }
}

impl PendingLeaves {
    fn new(recipe: &Recipe) -> Self {
        let lanes = if recipe.leaf.size > MAX_GATHERED_LEAF_BYTES { 1 } else { recipe.lanes };
        let gather = Gather::new(recipe.leaf.size, lanes);
        Self { gather, long: None, above: Above::new() }
    }

    fn push(&mut self, recipe: &Recipe, data: &[u8]) {
        if recipe.streams {
            return self.push_long(recipe, data);
        }
        self.gather.push(data, |leaves| self.above.leaves(recipe, leaves));
    }

    /// Hashes long leaves as they arrive.
    fn push_long(&mut self, recipe: &Recipe, mut data: &[u8]) {
        let size = recipe.leaf.size;
        while !data.is_empty() {
            if self.long.is_none() && data.len() >= size {
                let (whole, rest) = data.split_at(data.len() / size * size);
                self.above.leaves(recipe, whole);
                data = rest;
                continue;
            }
            let leaf = self.long.get_or_insert_with(|| Box::new(LongLeaf::new(recipe)));
            let (piece, rest) = data.split_at(data.len().min(size - leaf.1));
            leaf.update(piece);
            data = rest;
            if leaf.1 == size {
                self.end_long(recipe);
            }
        }
    }

    /// Finishes the long leaf in progress, if any.
    fn end_long(&mut self, recipe: &Recipe) {
        let Some(mut leaf) = self.long.take() else { return };
        self.above.level(recipe, 0).push(recipe, &leaf.finish(recipe));
    }

    /// Adds the last data and returns the root.
    fn finish(
        &mut self,
        recipe: &Recipe,
        data: &[u8],
        last_leaf: &dyn Fn(usize) -> Option<Frame>,
        rest: &mut Rest,
    ) -> Option<Vec<u8>> {
        let leaf = &recipe.leaf;
        if recipe.streams {
            self.push_long(recipe, data);
            self.end_long(recipe);
        } else {
            let above = &mut self.above;
            let mut last = self.gather.finish(data, |leaves| above.leaves(recipe, leaves));
            if !last.is_empty() && leaf.kind == LeafKind::Hashed {
                let own = last_leaf(last.len());
                above.hash(recipe, own.as_ref().unwrap_or(&leaf.frame), (last.len(), 0), &last);
            } else if !last.is_empty() {
                last.resize(leaf.size);
                above.leaves(recipe, &last);
            }
        }
        core::mem::replace(&mut self.above, Above::new()).finish(recipe, &mut Zeros::new(), rest)
    }
}

impl Above {
    /// Passes the digests of whole leaves up.
    pub(super) fn leaves(&mut self, recipe: &Recipe, leaves: &[u8]) {
        match recipe.leaf.kind {
            LeafKind::Digest => {
                let whole = leaves.len() / recipe.digest_size() * recipe.digest_size();
                self.level(recipe, 0).push(recipe, &leaves[..whole]);
            }
            LeafKind::Hashed | LeafKind::Filled => {
                self.hash(recipe, &recipe.leaf.frame, (recipe.leaf.size, 0), leaves);
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
        let join = core::mem::replace(&mut self.recipe.join, Join::Rayon);
        self.update(data);
        self.recipe.join = join;
    }
}

impl<T: Format> Reset for Hasher<T> {
    fn reset(&mut self) {
        self.leaves = PendingLeaves::new(&self.recipe);
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
