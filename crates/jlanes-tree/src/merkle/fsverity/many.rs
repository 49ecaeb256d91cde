//! Many small files at once: the blocks of all files share the lanes, level by level.

use alloc::{vec, vec::Vec};

use digest::array::Array;
use jlanes_core::{
    batch::{MultiDigest, Start, list},
    engine::Engine,
    hash::Output,
};

use super::{
    super::{CompressionOf, DigestOf, Frame, FunctionOf, NodeHash, block::Blocks},
    Algorithm, FsVerity,
};

impl<H: MultiDigest<Function: Algorithm> + Clone> FsVerity<H> {
    /// The file digests of files in memory, in order. Their blocks are hashed together, so a block
    /// of a small file costs no more than a block of a large one.
    #[must_use]
    pub fn digest_many(&self, files: &[&[u8]]) -> Vec<DigestOf<Self>> {
        self.digest_many_on(H::engine(), files)
    }

    /// [`digest_many`](Self::digest_many) on a given engine.
    #[must_use]
    pub fn digest_many_on<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        files: &[&[u8]],
    ) -> Vec<DigestOf<Self>> {
        let roots = self.roots(engine, files);
        let descriptor = |(root, file): (&DigestOf<Self>, &&[u8])| {
            self.descriptor::<FunctionOf<Self>>(root, file.len() as u64)
        };
        let descriptors: Vec<_> = roots.iter().zip(files).map(descriptor).collect();
        let mut digests = roots;
        let start = Start::<FunctionOf<Self>>::new();
        list::digest(engine, &start, |i| [&descriptors[i]], &mut digests);
        digests
    }

    /// The root of each file's tree; zeros for empty files.
    fn roots<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        files: &[&[u8]],
    ) -> Vec<DigestOf<Self>> {
        let frame = self.frame::<FunctionOf<Self>>();
        let mut roots = vec![DigestOf::<Self>::default(); files.len()];
        let mut level: Vec<(usize, Vec<DigestOf<Self>>)>;
        let mut bytes: Vec<(usize, &[u8])> = files.iter().copied().enumerate().collect();
        loop {
            let digests = blocks::<FunctionOf<Self>, E>(engine, &frame, self.block, &bytes);
            let mut rest = &digests[..];
            let mut above = Vec::new();
            for (file, bytes) in bytes {
                let (own, others) = rest.split_at(bytes.len().div_ceil(self.block));
                match own {
                    [] => {}
                    [root] => roots[file] = *root,
                    children => above.push((file, children.to_vec())),
                }
                rest = others;
            }
            if above.is_empty() {
                return roots;
            }
            level = above;
            bytes =
                level.iter().map(|(file, own)| (*file, Array::slice_as_flattened(own))).collect();
        }
    }
}

/// The digests of the blocks of all `messages`, each message padded with zeros to whole blocks.
fn blocks<F: NodeHash, E: Engine<F::Compression>>(
    engine: E,
    frame: &Frame,
    size: usize,
    messages: &[(usize, &[u8])],
) -> Vec<Output<F>> {
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
    let mut digests = vec![Output::<F>::default(); blocks.len()];
    let function = Start::<F>::new().function(engine);
    frame.hash(&function, Blocks::Slices(&blocks), Array::slice_as_flattened_mut(&mut digests));
    digests
}
