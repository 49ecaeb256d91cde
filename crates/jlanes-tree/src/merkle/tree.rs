//! [`Tree`], the tree of a format with all its digests, for appending and replacing leaves.

use alloc::{boxed::Box, vec, vec::Vec};
use core::{fmt, ops::Range};

use jlanes_core::function::Batch;
use jlanes_simd::Backend;

use super::{BoundRules, Error, Format, Leaf, LeafKind, Node, Summary, Zeros, node_function::hash};

/// The digests of all leaves and nodes of a [`Format`].
///
/// Appending or replacing leaves costs the hashes on their paths to the root, not those of the
/// whole tree. [`Hasher`](super::Hasher) computes the same result without keeping digests.
#[derive(Clone)]
pub struct Tree<T> {
    format: T,
    pub(super) rules: BoundRules,
    /// The leaves' digests, the nodes over them, and so on. The last level has one digest, the
    /// root.
    levels: Vec<Vec<u8>>,
    /// The padding of each level, under [`Odd::ZeroSubtree`](super::Odd::ZeroSubtree).
    pub(super) zeros: Zeros,
    /// Bytes of the last leaf.
    last_len: usize,
}

impl<T: Format> Tree<T> {
    /// A tree without leaves.
    #[must_use]
    pub fn new(format: T) -> Self {
        let rules = BoundRules::new(Backend::detect(), &format);
        Self { format, rules, levels: vec![Vec::new()], zeros: Zeros::new(), last_len: 0 }
    }

    /// The same tree on another backend.
    #[must_use]
    pub fn on(mut self, backend: Backend) -> Self {
        self.rules.set_function(self.format.rules().function.on(backend));
        self
    }

    /// Number of leaves.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.count(0)
    }

    /// The digests at a height, one after the other; the leaves' are at 0. Empty above the root.
    #[must_use]
    pub fn level(&self, height: usize) -> &[u8] {
        self.levels.get(height).map_or(&[], Vec::as_slice)
    }

    /// The number of digests at a height.
    fn count(&self, height: usize) -> usize {
        self.level(height).len() / self.rules.digest_size()
    }

    /// The root; `None` without leaves, and for lists of digests that are kept.
    #[must_use]
    pub fn root(&self) -> Option<Box<[u8]>> {
        let BoundRules { function, node, .. } = &self.rules;
        let top = self.levels.last().filter(|top| self.rules.has_nodes() && !top.is_empty())?;
        let is_root = !self.rules.is_list() || self.leaves() == 1 && node.min_height == 0;
        Some(if is_root { top.as_slice().into() } else { hash(function, [top]) })
    }

    /// The format's result.
    ///
    /// # Errors
    /// If the format has no result for these leaves.
    pub fn digest(&self) -> Result<T::Output, T::Error> {
        let size = self.rules.leaf.size;
        let len = match self.leaves() as u64 {
            0 => 0,
            _ if size == Leaf::ENTRIES => 0,
            leaves => (leaves - 1) * size as u64 + self.last_len as u64,
        };
        let kept = if !self.rules.has_nodes() {
            self.levels.clone()
        } else {
            let below_root = 0..self.levels.len() as u32 - 1;
            below_root
                .filter(|h| self.rules.keeps(*h))
                .map(|h| self.all_nodes(h as usize))
                .collect()
        };
        let pair = 2 * self.rules.digest_size();
        let has_twins = self.levels.iter().any(|level| self.rules.twins(level, pair) > 0);
        let (root, function) = (self.root(), &self.rules.function);
        self.format.output(Summary { root, len, kept, has_twins, function })
    }

    /// Appends a leaf.
    ///
    /// # Errors
    /// [`Error::LeafLength`] if the leaf is too long, or if the last leaf is too short to be
    /// followed by another.
    pub fn push(&mut self, leaf: &[u8]) -> Result<(), Error> {
        self.extend(&[leaf])
    }

    /// Appends leaves, as many at once as there are lanes.
    ///
    /// # Errors
    /// As [`push`](Self::push); no leaf is appended then.
    pub fn extend(&mut self, leaves: &[&[u8]]) -> Result<(), Error> {
        let Some((last, whole)) = leaves.split_last() else { return Ok(()) };
        let old = self.leaves();
        if old > 0 {
            self.check_leaf_len(self.last_len, true)?;
        }
        whole.iter().try_for_each(|leaf| self.check_leaf_len(leaf.len(), true))?;
        self.check_leaf_len(last.len(), false)?;
        let mut digests = vec![0; leaves.len() * self.rules.digest_size()];
        let (whole_digests, last_digest) =
            digests.split_at_mut(whole.len() * self.rules.digest_size());
        self.hash_leaves(whole, whole_digests);
        self.hash_leaves(&[last], last_digest);
        self.levels[0].append(&mut digests);
        self.last_len = last.len();
        self.refresh(old..old + leaves.len());
        Ok(())
    }

    /// Appends leaves with known digests, those of [`level`](Self::level) 0, to a tree of leaves of any length.
    ///
    /// # Errors
    /// [`Error::LeafLength`] for formats with a size of leaves, and [`Error::Partial`] unless the digests are
    /// whole.
    pub fn extend_hashed(&mut self, digests: &[u8]) -> Result<(), Error> {
        let size = self.rules.leaf.size;
        if size != Leaf::ENTRIES {
            return Err(Error::LeafLength { len: 0, size });
        }
        let (old, block) = (self.leaves(), self.rules.digest_size());
        if !digests.len().is_multiple_of(block) {
            return Err(Error::Partial { len: digests.len() as u64, block });
        }
        self.levels[0].extend_from_slice(digests);
        if !digests.is_empty() {
            self.refresh(old..self.leaves());
        }
        Ok(())
    }

    /// Replaces a leaf. The last one may be replaced by a longer or shorter one.
    ///
    /// # Errors
    /// [`Error::NoSuchLeaf`], or [`Error::LeafLength`] if the leaf does not fit its place.
    pub fn replace(&mut self, index: usize, leaf: &[u8]) -> Result<(), Error> {
        let leaves = self.leaves();
        if index >= leaves {
            return Err(Error::NoSuchLeaf { index: index as u64, leaves: leaves as u64 });
        }
        let is_last = index + 1 == leaves;
        self.check_leaf_len(leaf.len(), !is_last)?;
        let mut digest = vec![0; self.rules.digest_size()];
        self.hash_leaves(&[leaf], &mut digest);
        self.levels[0][index * digest.len()..][..digest.len()].copy_from_slice(&digest);
        if is_last {
            self.last_len = leaf.len();
        }
        self.refresh(index..index + 1);
        Ok(())
    }

    /// Checks the length of a leaf; `whole` if others follow.
    fn check_leaf_len(&self, len: usize, whole: bool) -> Result<(), Error> {
        let size = self.rules.leaf.size;
        let fits = size == Leaf::ENTRIES || len == size || (!whole && len < size && len > 0);
        if fits { Ok(()) } else { Err(Error::LeafLength { len, size }) }
    }

    /// Hashes leaves: whole ones, or a single one.
    fn hash_leaves(&self, leaves: &[&[u8]], out: &mut [u8]) {
        let Leaf { size, frame, kind } = &self.rules.leaf;
        let Some(len) = leaves.first().map(|leaf| leaf.len()) else { return };
        if *size == Leaf::ENTRIES || len == *size && *kind != LeafKind::Digest {
            return frame.hash(&self.rules.function, &Batch::slices(leaves), out);
        }
        let mut filled = leaves.concat();
        let function = &self.rules.function;
        match kind {
            LeafKind::Hashed => {
                let own = self.format.last_leaf(len);
                let frame = own.as_ref().unwrap_or(frame);
                frame.hash(function, &Batch::slices(leaves), out);
            }
            LeafKind::Filled => {
                filled.resize(*size, 0);
                frame.hash(function, &Batch::slices(&[&filled]), out);
            }
            LeafKind::Digest => {
                filled.resize(out.len(), 0);
                out.copy_from_slice(&filled);
            }
        }
    }

    /// Recomputes the nodes over leaves that changed.
    fn refresh(&mut self, mut changed: Range<usize>) {
        let Node { fan_out, min_height, .. } = self.rules.node;
        let mut height = 0;
        while !self.rules.is_list() && (self.count(height) > 1 || height < min_height as usize) {
            changed = changed.start / fan_out..changed.end.div_ceil(fan_out);
            let nodes = self.hash_nodes(height, &changed);
            height += 1;
            if self.levels.len() == height {
                self.levels.push(Vec::new());
            }
            let (level, size) = (&mut self.levels[height], self.rules.digest_size());
            level.resize(level.len().max(changed.end * size), 0);
            level[changed.start * size..changed.end * size].copy_from_slice(&nodes);
        }
    }

    /// Hashes nodes over the digests at `height`.
    fn hash_nodes(&mut self, height: usize, nodes: &Range<usize>) -> Vec<u8> {
        let Self { rules, levels, zeros, .. } = self;
        let (level, digest) = (&levels[height], rules.digest_size());
        let (bytes, promoted) = node_bytes(rules, (level, height), nodes, zeros);
        let size = rules.node.size;
        let nodes = Batch::records(bytes.len() / size, &bytes, size);
        let mut digests = vec![0; nodes.len() * digest];
        rules.node.frame.hash(&rules.function, &nodes, &mut digests);
        if promoted {
            digests.extend_from_slice(&level[level.len() - digest..]);
        }
        digests
    }

    /// All nodes over the digests at `height`, as hashed.
    fn all_nodes(&self, height: usize) -> Vec<u8> {
        let all = 0..self.count(height + 1);
        node_bytes(&self.rules, (&self.levels[height], height), &all, &mut self.zeros.clone()).0
    }
}

/// Nodes over a level, as hashed, and whether the level's last digest takes the place of a last node.
fn node_bytes(
    rules: &BoundRules,
    (level, height): (&[u8], usize),
    nodes: &Range<usize>,
    zeros: &mut Zeros,
) -> (Vec<u8>, bool) {
    let (Node { fan_out, size, .. }, digest) = (&rules.node, rules.digest_size());
    let end = level.len().min(nodes.end * fan_out * digest);
    let mut children = level[nodes.start * fan_out * digest..end].to_vec();
    let mut promoted = false;
    if !children.len().is_multiple_of(fan_out * digest) {
        match rules.completion(&level[level.len() - digest..], height as u32, zeros) {
            Some(next) => children.extend(next),
            None => {
                children.truncate(children.len() - digest);
                promoted = true;
            }
        }
    }
    let mut bytes = rules.lay_out(0, &children);
    bytes.resize(bytes.len().next_multiple_of(*size), 0);
    (bytes, promoted)
}

impl<T> fmt::Debug for Tree<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree")
            .field("leaves", &(self.levels[0].len() / self.rules.digest_size()))
            .finish_non_exhaustive()
    }
}
