//! fs-verity of many small files at once: the blocks of all files share the lanes, level by level. So a level's last
//! block is padded here, by the format's rule for data and nodes, which is `Odd::Zeros` in its [rules](super).

use alloc::{vec, vec::Vec};

use jlanes_core::function::{AnyFunction, Batch};
use jlanes_simd::Backend;

use super::{super::Frame, FsVerity};

impl FsVerity {
    /// The digests of files in memory, one after the other. Their blocks are hashed together, so a
    /// block of a small file costs no more than a block of a large one.
    #[must_use]
    pub fn digest_many(&self, files: &[&[u8]]) -> Vec<u8> {
        self.digest_many_on(Backend::detect(), files)
    }

    /// [`digest_many`](Self::digest_many) on a given backend.
    #[must_use]
    pub fn digest_many_on(&self, backend: Backend, files: &[&[u8]]) -> Vec<u8> {
        let function = self.function.on(backend);
        let mut roots = roots(&function, &self.frame(), self.block, files);
        if self.root_only {
            return roots;
        }
        let each = roots.chunks_exact(function.output_size()).zip(files);
        let descriptors: Vec<_> =
            each.map(|(root, file)| self.descriptor(root, file.len() as u64)).collect();
        function.digest_with(&[], |i| [&descriptors[i][..]], &mut roots);
        roots
    }
}

/// The root of each file's tree of blocks of `size` bytes; zeros for empty files.
fn roots(function: &AnyFunction, frame: &Frame, size: usize, files: &[&[u8]]) -> Vec<u8> {
    let digest = function.output_size();
    let mut roots = vec![0; files.len() * digest];
    let mut level: Vec<(usize, Vec<u8>)>;
    let mut bytes: Vec<(usize, &[u8])> = files.iter().copied().enumerate().collect();
    loop {
        let digests = blocks(function, frame, size, &bytes);
        let mut left = &digests[..];
        let mut above = Vec::new();
        for (file, bytes) in bytes {
            let (nodes, later) = left.split_at(bytes.len().div_ceil(size) * digest);
            if nodes.len() == digest {
                roots[file * digest..][..digest].copy_from_slice(nodes);
            } else if !nodes.is_empty() {
                above.push((file, nodes.to_vec()));
            }
            left = later;
        }
        if above.is_empty() {
            return roots;
        }
        level = above;
        bytes = level.iter().map(|(file, bytes)| (*file, &bytes[..])).collect();
    }
}

/// The digests of the blocks of all `messages`, each message padded with zeros to whole blocks.
fn blocks(
    function: &AnyFunction,
    frame: &Frame,
    size: usize,
    messages: &[(usize, &[u8])],
) -> Vec<u8> {
    let mut tails = Vec::new();
    for (_, bytes) in messages {
        tails.extend_from_slice(bytes.chunks_exact(size).remainder());
        tails.resize(tails.len().next_multiple_of(size), 0);
    }
    let mut tails = tails.chunks_exact(size);
    let mut blocks = Vec::new();
    for (_, bytes) in messages {
        let whole = bytes.chunks_exact(size);
        let tail = if whole.remainder().is_empty() { None } else { tails.next() };
        blocks.extend(whole.chain(tail));
    }
    let mut digests = vec![0; blocks.len() * function.output_size()];
    frame.hash(function, &Batch::slices(&blocks), &mut digests);
    digests
}
