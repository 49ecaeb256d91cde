//! The chunk digest of Android's APK signature schemes 2 and 3.
//!
//! Three sections (entries, central directory, end of central directory) are cut into chunks of 1
//! MiB that never cross a section's border. A prefix separates chunks from the list of their
//! hashes, and contains the chunk's length or the number of chunks.

use alloc::vec::Vec;
use core::{convert::Infallible, fmt, marker::PhantomData};

use jlanes_core::{batch::MultiDigest, engine::Engine};

use super::{
    CompressionOf, DigestOf, EngineOf, Format, Frame, FunctionOf, Hasher, Leaf, Node, NodeHash,
    Summary, digest_bytes,
};
use crate::linear::Linear;

/// Bytes of a chunk.
const CHUNK: usize = 1 << 20;
/// The byte before a chunk's length.
const OF_CHUNK: u8 = 0xa5;
/// The byte before the number of chunks.
const OF_LIST: u8 = 0x5a;

/// One section's list of chunk hashes.
#[derive(Clone, Copy, Debug)]
pub struct Section<H>(PhantomData<H>);

impl<H> Default for Section<H> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<H> Section<H> {
    /// The prefix of a chunk of `len` bytes.
    fn frame(len: usize) -> Frame {
        Frame::prefix(tagged(OF_CHUNK, len))
    }
}

impl<H: MultiDigest<Function: NodeHash> + Clone> Format for Section<H> {
    type Hash = H;
    type Output = Vec<u8>;
    type Error = Infallible;

    fn leaf(&self) -> Leaf {
        Leaf::plain(CHUNK).framed(Self::frame(CHUNK))
    }

    fn last_leaf(&self, len: usize) -> Option<Frame> {
        Some(Self::frame(len))
    }

    fn node(&self) -> Node {
        Node::list::<FunctionOf<Self>>()
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        _engine: E,
        tree: Summary<FunctionOf<Self>>,
    ) -> Result<Vec<u8>, Infallible> {
        Ok(tree.kept.concat())
    }
}

/// Computes the chunk digest of consecutive sections.
#[derive(Clone)]
pub struct Apk<H: MultiDigest<Function: NodeHash> + Clone, E = EngineOf<Section<H>>> {
    engine: E,
    section: Hasher<Section<H>, E>,
    /// Hashes of the chunks of earlier sections.
    chunks: Vec<u8>,
}

impl<H: MultiDigest<Function: NodeHash> + Clone, E: Engine<CompressionOf<Section<H>>>> Apk<H, E> {
    /// A hasher at the start of the first section.
    #[must_use]
    pub fn new(engine: E) -> Self {
        Self { engine, section: Section::default().hasher_on(engine), chunks: Vec::new() }
    }

    /// Adds data to the section.
    pub fn update(&mut self, data: &[u8]) {
        self.section.update(data);
    }

    /// [`update`](Self::update) on rayon's thread pool.
    #[cfg(feature = "rayon")]
    pub fn par_update(&mut self, data: &[u8]) {
        self.section.par_update(data);
    }

    /// Ends a section.
    pub fn end_section(&mut self) {
        let next = Section::default().hasher_on(self.engine);
        let Ok(chunks) = core::mem::replace(&mut self.section, next).finalize();
        self.chunks.extend(chunks);
    }

    /// The digest, after the last section's end.
    #[must_use]
    pub fn finalize(mut self) -> DigestOf<Section<H>> {
        self.end_section();
        let count = self.chunks.len() / digest_bytes::<H::Function>();
        let list = Linear::<H::Function, E>::new(self.engine).chain(&tagged(OF_LIST, count));
        list.chain(&self.chunks).finish()
    }
}

impl<H: MultiDigest<Function: NodeHash> + Clone, E> fmt::Debug for Apk<H, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Apk").field("section", &self.section).finish_non_exhaustive()
    }
}

/// A tag and a number of 32 bits.
fn tagged(tag: u8, number: usize) -> [u8; 5] {
    // chunks are at most 1 MiB, and an APK's offsets have 32 bits
    let bytes = (number as u32).to_le_bytes();
    [tag, bytes[0], bytes[1], bytes[2], bytes[3]]
}
