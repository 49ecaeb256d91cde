//! j-pointers: one digest over a list of files, from the digests of the files.
//!
//! The engine's results are of one file each, but a digest of a list needs the leaves of all files in their order, and
//! the number of their bytes. The tool has that order: it asks the engine for leaves, which share lanes as other
//! digests do, collects them, and hashes the root.

use std::io;

use jlanes::{
    Backend,
    algorithm::{BaseHash, Kind},
};
use jlanes_files::{Computation, Outcome};

/// The leaves of a list, hashed as they come.
#[derive(Clone, Debug)]
pub(crate) struct JPointersHasher {
    hash: BaseHash,
    raw: bool,
    leaves: Vec<u8>,
    count: u64,
    /// The number of bytes of all messages.
    pub(crate) total: u64,
}

impl JPointersHasher {
    /// An empty list, if `computation` is a digest of a list.
    pub(crate) fn new(computation: &Computation) -> Option<Self> {
        let Kind::JPointers { hash, raw } = computation.kind()? else { return None };
        Some(Self { hash, raw, leaves: Vec::new(), count: 0, total: 0 })
    }

    /// Adds the digest of a message of `len` bytes.
    pub(crate) fn push(&mut self, leaf: &[u8], len: u64) {
        self.leaves.extend_from_slice(leaf);
        self.count += 1;
        self.total += len;
    }

    /// The list's digest.
    pub(crate) fn finish(self, backend: Backend) -> Box<[u8]> {
        let mut root = self.hash.hasher_on(backend);
        if !self.raw {
            // the field has 32 bits, and 2^32 digests do not fit in memory
            root.update(&self.hash.pointers_root(self.count as u32, self.total));
        }
        root.update(&self.leaves);
        root.finalize()
    }
}

/// The digests of one file by `computations`, as lists have them: a digest of a list covers this file alone.
///
/// # Errors
/// Those of the file and of its digests.
pub(crate) fn digests_of_one_file<'c>(
    computations: impl Iterator<Item = &'c Computation>,
    Outcome { len, digests, .. }: Outcome,
    backend: Backend,
) -> io::Result<Vec<Box<[u8]>>> {
    let one =
        |(computation, digest): (_, io::Result<Box<[u8]>>)| match JPointersHasher::new(computation)
        {
            None => digest,
            Some(mut list) => {
                list.push(&digest?, len);
                Ok(list.finish(backend))
            }
        };
    computations.zip(digests?).map(one).collect()
}
