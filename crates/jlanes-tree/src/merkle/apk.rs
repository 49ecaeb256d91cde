//! [`Apk`], the chunk digest of Android's APK signature schemes 2 and 3.
//!
//! Three sections (entries, central directory, end of central directory) are cut into chunks of 1
//! MiB that never cross a section's border. A prefix separates chunks from the list of their
//! hashes, and contains the chunk's length or the number of chunks.

use alloc::{boxed::Box, vec::Vec};
use core::convert::Infallible;

use jlanes_simd::Backend;

use super::{Format, Frame, Hasher, Leaf, NodeFunction, Rules, Summary, hash};

/// Bytes of a chunk.
const CHUNK_BYTES: usize = 1 << 20;
/// The byte before a chunk's length.
const CHUNK_TAG: u8 = 0xa5;
/// The byte before the number of chunks.
const LIST_TAG: u8 = 0x5a;

/// One section's list of chunk hashes, after those of earlier sections.
#[derive(Clone, Debug)]
struct Section(NodeFunction);

impl Section {
    /// The prefix of a chunk of `len` bytes.
    fn frame(len: usize) -> Frame {
        Frame::prefix(tagged(CHUNK_TAG, len))
    }
}

impl Format for Section {
    type Output = Vec<u8>;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        Rules::only_leaves(self.0, Leaf::plain(CHUNK_BYTES).framed(Self::frame(CHUNK_BYTES)))
    }

    fn last_leaf(&self, len: usize) -> Option<Frame> {
        Some(Self::frame(len))
    }

    fn output(&self, tree: Summary<'_>) -> Result<Vec<u8>, Infallible> {
        Ok(tree.kept.concat())
    }
}

/// Computes the chunk digest of consecutive sections.
#[derive(Clone, Debug)]
pub struct Apk {
    section: Hasher<Section>,
    /// Hashes of the chunks of earlier sections.
    chunks: Vec<u8>,
}

impl Apk {
    /// A hasher at the start of the first section, under SHA-256.
    #[must_use]
    pub fn sha256() -> Self {
        Self { section: Section(NodeFunction::SHA256).hasher(), chunks: Vec::new() }
    }

    /// A hasher at the start of the first section, under SHA-512.
    #[must_use]
    pub fn sha512() -> Self {
        Self { section: Section(NodeFunction::SHA512).hasher(), chunks: Vec::new() }
    }

    /// The same hasher on another backend.
    #[must_use]
    pub fn on(self, backend: Backend) -> Self {
        Self { section: self.section.on(backend), ..self }
    }

    /// The same hasher on rayon's thread pool.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn parallel(self) -> Self {
        Self { section: self.section.parallel(), ..self }
    }

    /// Adds data to the section.
    pub fn update(&mut self, data: &[u8]) {
        self.section.update(data);
    }

    /// Ends a section.
    pub fn end_section(&mut self) {
        let Ok(mut chunks) = self.section.finalize_reset();
        self.chunks.append(&mut chunks);
    }

    /// The digest, after the last section's end.
    #[must_use]
    pub fn finalize(mut self) -> Box<[u8]> {
        self.end_section();
        let rules = &self.section.rules;
        let count = self.chunks.len() / rules.digest_size();
        hash(&rules.function, [&tagged(LIST_TAG, count), &self.chunks])
    }

    /// The digest of whole sections.
    #[must_use]
    pub fn digest(mut self, sections: &[&[u8]]) -> Box<[u8]> {
        for section in sections {
            self.update(section);
            self.end_section();
        }
        self.finalize()
    }
}

/// A tag and a number of 32 bits.
fn tagged(tag: u8, number: usize) -> [u8; 5] {
    // chunks are at most 1 MiB, and an APK's offsets have 32 bits
    let bytes = (number as u32).to_le_bytes();
    [tag, bytes[0], bytes[1], bytes[2], bytes[3]]
}
