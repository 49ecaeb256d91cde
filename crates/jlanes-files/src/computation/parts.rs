//! S3's digest of the digests of a file's parts, where the parts are hashed on their own: on lanes with parts
//! of other files, or by a checksum that has no lanes.
//!
//! [`PartDigests`] takes the digests in order, wherever they come from. One file with its parts on the lanes is
//! a hash list of `jlanes::merkle`.

use std::io;

use jlanes::{
    Algorithm, Backend,
    algorithm::{BaseHash, Fixed, Kind},
};

use super::{Computation, FileHasher};

/// The format of a digest of parts' digests: S3's composite, or an entity tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Multipart {
    pub(crate) hash: Fixed,
    /// Bytes of a part.
    pub(crate) size: usize,
    /// Whether the digest of a single part is that of the file, as in entity tags.
    is_entity_tag: bool,
}

impl Multipart {
    /// The parts of this kind of algorithm; `None` where it has none, or they are not hashed.
    pub(super) fn new(kind: Kind) -> Option<Self> {
        match kind {
            Kind::S3 { checksum, part: Some(part) } => {
                Some(Self { hash: checksum.hash()?, size: part, is_entity_tag: false })
            }
            Kind::ETag { part } => Some(Self { hash: Fixed::Md5, size: part, is_entity_tag: true }),
            _ => None,
        }
    }

    /// A collector of the digests of a file's parts, empty so far.
    pub(crate) fn digests(self, backend: Backend) -> PartDigests {
        let hash = Algorithm::from(BaseHash::Fixed(self.hash));
        let first = self.is_entity_tag.then(Box::default);
        PartDigests { first, ..PartDigests::new(Computation::from(hash).hasher(backend, false)) }
    }
}

/// The digests of a file's parts, hashed as they come, and their number.
pub(crate) struct PartDigests {
    /// The hasher of the digests.
    hasher: Box<dyn FileHasher>,
    /// The digest of the first part, where that of a single part is the file's.
    first: Option<Box<[u8]>>,
    count: u64,
}

impl PartDigests {
    /// A collector without any digest yet. `hasher` hashes the digests.
    pub(crate) fn new(hasher: Box<dyn FileHasher>) -> Self {
        Self { hasher, first: None, count: 0 }
    }

    /// Adds the digest of the next part.
    pub(crate) fn add(&mut self, digest: &[u8]) {
        if let (Some(first), 0) = (&mut self.first, self.count) {
            *first = digest.into();
        }
        self.hasher.update(digest);
        self.count += 1;
    }

    /// The result for the file: a digest and the number of parts.
    pub(crate) fn finish(self) -> io::Result<Box<[u8]>> {
        let digest = match self.first {
            Some(first) if self.count == 1 => first,
            _ => self.hasher.finish()?,
        };
        Ok(with_count(&digest, self.count))
    }
}

/// A digest, and the number of parts in eight bytes.
pub(super) fn with_count(digest: &[u8], parts: u64) -> Box<[u8]> {
    [digest, &parts.to_be_bytes()].concat().into()
}
