//! RFC 6962's log and its proofs.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use jlanes::{
    Sha256,
    digest::{Output, array::Array},
    merkle::{self, Rfc6962, Tree},
};
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    sync::MutexExt,
    types::{PyBytes, PyList},
};

use super::{bytes, to_py_err};
use crate::{batch, buffer, inputs};

type Sha256Digest = Output<Sha256>;

/// A log with RFC 6962's tree of its entries: it grows, and gives roots and proofs.
///
/// Threads may share a log: it has a lock.
#[pyclass(frozen, module = "jlanes.merkle", name = "Log")]
pub(crate) struct Log(Mutex<Tree<Rfc6962>>);

impl Log {
    /// Locks the tree for `work`, which must run no Python code: a signal handler or a finalizer may use the log.
    fn locked<R>(&self, py: Python<'_>, work: impl FnOnce(&mut Tree<Rfc6962>) -> R) -> R {
        work(&mut self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Log {
    #[new]
    #[pyo3(signature = (entries=None, /))]
    fn new(entries: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let log = Self(Mutex::new(Tree::new(Rfc6962::entries::<Sha256>())));
        if let Some(entries) = entries {
            log.extend(entries)?;
        }
        Ok(log)
    }

    /// Adds an entry.
    fn append(&self, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = entry.py();
        inputs::with_one(entry, |entry| self.locked(py, |tree| tree.push(entry)))?
            .map_err(to_py_err)
    }

    /// Adds many entries. If Ctrl-C stops it, the first of them are in the log. Entries of other
    /// threads and of signal handlers may come between them.
    fn extend(&self, entries: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = entries.py();
        inputs::with_many(entries, |many, _| {
            let slices = &*many.slices()?;
            batch::parts(slices.len(), |i| slices[i].len()).try_for_each(|part| {
                let extend = |tree: &mut Tree<_>| py.detach(|| tree.extend(&slices[part]));
                self.locked(py, extend).map_err(to_py_err)?;
                py.check_signals()
            })
        })
    }

    /// The tree's root hash.
    fn root<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let Ok(root) = self.locked(py, |tree| tree.digest());
        Ok(bytes(py, &root))
    }

    /// The proof that entry `index` is in the log.
    fn inclusion<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyList>> {
        listed(py, self.locked(py, |tree| tree.inclusion(index)))
    }

    /// The proof that this log begins with the log of its first `old` entries.
    fn consistency<'py>(&self, py: Python<'py>, old: usize) -> PyResult<Bound<'py, PyList>> {
        listed(py, self.locked(py, |tree| tree.consistency(old)))
    }

    /// The hash of the subtree of the entries from `start` up to `end`.
    fn subtree<'py>(&self, py: Python<'py>, start: u64, end: u64) -> PyResult<Bound<'py, PyBytes>> {
        let hash = self.locked(py, |tree| tree.subtree(start..end)).map_err(no_such)?;
        Ok(bytes(py, &hash))
    }

    /// The proof that entry `index` is in the subtree of the entries from `start` up to `end`.
    fn inclusion_in<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        end: u64,
        index: u64,
    ) -> PyResult<Bound<'py, PyList>> {
        listed(py, self.locked(py, |tree| tree.inclusion_in(start..end, index)))
    }

    /// The proof that the log of the first `size` entries has the subtree of the entries from `start` up to
    /// `end`.
    fn subtree_consistency<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        end: u64,
        size: u64,
    ) -> PyResult<Bound<'py, PyList>> {
        listed(py, self.locked(py, |tree| tree.subtree_consistency(start..end, size)))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.locked(py, |tree| tree.leaves())
    }

    /// A pickle has the hashes of the entries, not the entries.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        let hashes = slf.get().locked(py, |tree| buffer::bytes(py, tree.level(0)))?;
        Ok((slf.get_type().getattr("_of_hashes")?, (hashes,)))
    }

    /// The log of entries with these hashes, one after the other.
    #[staticmethod]
    fn _of_hashes(hashes: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let mut tree = Tree::new(Rfc6962::entries::<Sha256>());
        tree.extend_hashed(hashes.as_bytes()).map_err(|_| no_digest())?;
        Ok(Self(Mutex::new(tree)))
    }
}

fn listed(
    py: Python<'_>,
    proof: Result<Vec<Box<[u8]>>, merkle::Error>,
) -> PyResult<Bound<'_, PyList>> {
    PyList::new(py, proof.map_err(no_such)?.iter().map(|digest| bytes(py, digest)))
}

/// ValueError for a range that is no subtree of any log, IndexError for what this log does not have.
fn no_such(error: merkle::Error) -> PyErr {
    match error {
        merkle::Error::NotSubtree { .. } => to_py_err(error),
        missing => PyIndexError::new_err(missing.to_string()),
    }
}

fn digest(object: &Bound<'_, PyAny>) -> PyResult<Sha256Digest> {
    let digest = inputs::with_one(object, |bytes| Array::try_from(bytes).ok())?;
    digest.ok_or_else(no_digest)
}

fn no_digest() -> PyErr {
    PyValueError::new_err("a hash of the log has 32 bytes")
}

fn proof(objects: &Bound<'_, PyAny>) -> PyResult<Vec<Sha256Digest>> {
    inputs::with_many(objects, |many, _| {
        many.slices()?
            .iter()
            .map(|bytes| Array::try_from(*bytes).map_err(|_| no_digest()))
            .collect()
    })
}

/// Whether the proof shows that `entry` has this index in the log of `size` entries with this root.
#[pyfunction]
pub(crate) fn verify_inclusion(
    entry: &Bound<'_, PyAny>,
    index: u64,
    size: u64,
    proof: &Bound<'_, PyAny>,
    root: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let (proof, root) = (self::proof(proof)?, digest(root)?);
    let verify =
        |entry: &[u8]| merkle::verify_inclusion::<Sha256>(entry, (index, size), &proof, &root);
    Ok(inputs::with_one(entry, verify)?.is_ok())
}

/// Whether the proof shows that the log of `size` entries with `root` begins with the log of `old_size`
/// entries with `old_root`.
#[pyfunction]
pub(crate) fn verify_consistency(
    old_size: u64,
    old_root: &Bound<'_, PyAny>,
    size: u64,
    root: &Bound<'_, PyAny>,
    proof: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let (old, new, proof) = (digest(old_root)?, digest(root)?, self::proof(proof)?);
    Ok(merkle::verify_consistency::<Sha256>((old_size, &old), (size, &new), &proof).is_ok())
}

/// The hash of an entry as a leaf.
#[pyfunction]
pub(crate) fn leaf_hash<'py>(entry: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let hash = inputs::with_one(entry, merkle::leaf_hash::<Sha256>)?;
    Ok(bytes(entry.py(), &hash))
}

/// Two adjacent subtrees with all entries from `start` up to `end`, each as (start, end).
#[pyfunction]
pub(crate) fn cover(start: u64, end: u64) -> PyResult<[(u64, u64); 2]> {
    Ok(merkle::cover(start..end).map_err(to_py_err)?.map(|Range { start, end }| (start, end)))
}

/// Whether the proof shows that the leaf with the hash `leaf` has this index in the subtree of the entries from
/// `start` up to `end` with the hash `node`.
#[pyfunction]
pub(crate) fn verify_leaf_inclusion(
    leaf: &Bound<'_, PyAny>,
    index: u64,
    start: u64,
    end: u64,
    proof: &Bound<'_, PyAny>,
    node: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let (leaf, proof, node) = (digest(leaf)?, self::proof(proof)?, digest(node)?);
    let subtree = merkle::Subtree { range: start..end, hash: &node };
    Ok(merkle::verify_leaf_inclusion::<Sha256>(&leaf, index, &proof, subtree).is_ok())
}

/// Whether the proof shows that the log of `size` entries with `root` has the subtree of the entries from
/// `start` up to `end` with the hash `node`.
#[pyfunction]
pub(crate) fn verify_subtree_consistency(
    start: u64,
    end: u64,
    node: &Bound<'_, PyAny>,
    size: u64,
    root: &Bound<'_, PyAny>,
    proof: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let (node, root, proof) = (digest(node)?, digest(root)?, self::proof(proof)?);
    let subtree = merkle::Subtree { range: start..end, hash: &node };
    let tree = merkle::TreeHead { leaves: size, root: &root };
    Ok(merkle::verify_subtree_consistency::<Sha256>(subtree, tree, &proof).is_ok())
}
