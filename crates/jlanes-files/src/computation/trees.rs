//! Hashers of tree formats that return more than a digest (S3, dm-verity), or none for some files
//! (BitTorrent), and of S3's checksums that are no hashes.

use std::io;

use jlanes::{
    Algorithm, Backend, Md5, Sha1, Sha512,
    algorithm::{AnyHash, AnyLanes, Fixed, Hash, Kind},
    merkle::{self, BitTorrent, ETag, Format, Hasher, S3},
    multi::Messages,
};

use super::{Computation, FileHasher, KeepTree};

/// The hasher of `hash`, if it is one of these formats. dm-verity passes its hash tree, without the
/// superblock, to `keep`.
pub(super) fn hasher(
    hash: &AnyHash,
    backend: Backend,
    parallel: bool,
    keep: Option<&KeepTree>,
) -> Option<Box<dyn FileHasher>> {
    let kind = hash.algorithm().kind();
    if let Some(of) = OfParts::new(kind).filter(|of| of.part < SMALL_PART) {
        return Some(SmallParts::boxed(of, backend));
    }
    Some(match kind {
        Kind::BitTorrent => Tree::boxed(Ok(BitTorrent::default()), backend, parallel, |pieces| {
            Ok(pieces.root[..].into())
        }),
        Kind::S3 { checksum, part } => {
            let format = match (checksum.hash(), part) {
                (Some(Fixed::Sha1), Some(part)) => S3::of::<Sha1>(part),
                (Some(Fixed::Sha256), Some(part)) => S3::new(part),
                (Some(Fixed::Sha512), Some(part)) => S3::of::<Sha512>(part),
                (Some(Fixed::Md5), Some(part)) => S3::of::<Md5>(part),
                #[cfg(feature = "checksums")]
                (None, part) => return checksums::hasher(checksum, part),
                _ => return None,
            };
            Tree::boxed(format, backend, parallel, |composite| {
                Ok([&composite.digest[..], &composite.parts.to_be_bytes()].concat().into())
            })
        }
        Kind::ETag { part } => Tree::boxed(ETag::new(part), backend, parallel, |tag| {
            Ok([&tag.digest[..], &tag.parts.to_be_bytes()].concat().into())
        }),
        Kind::DmVerity(_) => {
            let format = hash.dmverity()?;
            let keep = keep.cloned();
            let format = if keep.is_some() { format.with_tree() } else { format };
            Tree::boxed(Ok(format), backend, parallel, move |verity| {
                if let Some(keep) = keep {
                    keep(&verity.tree)?;
                }
                Ok(verity.root)
            })
        }
        _ => return None,
    })
}

/// A tree format's hasher, and the function that makes the file's result from its output.
struct Tree<T, R> {
    hasher: Hasher<T>,
    result: R,
}

impl<T: Format, R> Tree<T, R>
where
    Self: FileHasher + 'static,
{
    fn boxed(
        format: Result<T, merkle::Error>,
        backend: Backend,
        parallel: bool,
        result: R,
    ) -> Box<dyn FileHasher> {
        let format = format.expect("`Algorithm` and `AnyHash` have checked the sizes");
        let hasher = format.on(backend);
        Box::new(Self { hasher: if parallel { hasher.parallel() } else { hasher }, result })
    }
}

impl<T, R> FileHasher for Tree<T, R>
where
    T: Format + Send,
    R: FnOnce(T::Output) -> io::Result<Box<[u8]>> + Send,
{
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }

    fn skip_zeros(&mut self, len: u64) -> bool {
        self.hasher.update_zeros(len);
        true
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        let output = self.hasher.finalize().map_err(|error| io::Error::other(error.into()))?;
        (self.result)(output)
    }
}

/// S3 parts shorter than this are hashed as they arrive: keeping all their digests would take more
/// memory than a thousandth of the file.
pub(super) const SMALL_PART: usize = 64 << 10;

/// The number of parts hashed together.
const PARTS: usize = 1024;

/// S3's digests of a file's parts, and the digest that is made of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfParts {
    pub(crate) hash: Fixed,
    pub(crate) part: usize,
    /// Whether the digest of a single part is that of the file, as in entity tags.
    is_tag: bool,
}

impl OfParts {
    /// The parts of this kind of algorithm; `None` where it has none, or they are not hashed.
    pub(super) fn new(kind: Kind) -> Option<Self> {
        match kind {
            Kind::S3 { checksum, part: Some(part) } => {
                Some(Self { hash: checksum.hash()?, part, is_tag: false })
            }
            Kind::ETag { part } => Some(Self { hash: Fixed::Md5, part, is_tag: true }),
            _ => None,
        }
    }

    /// Empty digests of the parts of a file.
    pub(crate) fn digests(self, backend: Backend) -> PartDigests {
        let hash = Algorithm::from(Hash::Fixed(self.hash));
        let all = Computation::from(hash).hasher(backend, false);
        PartDigests { all, first: self.is_tag.then(Box::default), parts: 0 }
    }
}

/// The digests of a file's parts, hashed as they come, and their number.
pub(crate) struct PartDigests {
    /// The hasher of all digests.
    all: Box<dyn FileHasher>,
    /// The digest of the first part, where that of a single part is the file's.
    first: Option<Box<[u8]>>,
    parts: u64,
}

impl PartDigests {
    /// Adds digests of `size` bytes each.
    pub(crate) fn add(&mut self, digests: &[u8], size: usize) {
        if let (Some(first), 0) = (&mut self.first, self.parts) {
            *first = digests[..size].into();
        }
        self.all.update(digests);
        self.parts += (digests.len() / size) as u64;
    }

    /// The result for the file: a digest and the number of parts.
    pub(crate) fn finish(self) -> io::Result<Box<[u8]>> {
        let digest = match self.first {
            Some(first) if self.parts == 1 => first,
            _ => self.all.finish()?,
        };
        Ok([&digest[..], &self.parts.to_be_bytes()].concat().into())
    }
}

/// A hasher of S3's digest or entity tag with small parts.
struct SmallParts {
    part: usize,
    lanes: AnyLanes,
    digests: PartDigests,
    /// The part that is not complete yet.
    rest: Vec<u8>,
}

impl SmallParts {
    fn boxed(of: OfParts, backend: Backend) -> Box<dyn FileHasher> {
        let lanes = Algorithm::from(Hash::Fixed(of.hash)).lanes();
        let lanes = lanes.expect("a hash has a digest of everything").on(backend);
        Box::new(Self { part: of.part, lanes, digests: of.digests(backend), rest: Vec::new() })
    }

    fn add(&mut self, parts: &[&[u8]]) {
        let digests = self.lanes.digests(Messages::slices(parts));
        self.digests.add(&digests, self.lanes.output_size());
    }

    fn add_rest(&mut self) {
        let mut rest = std::mem::take(&mut self.rest);
        self.add(&[&rest]);
        rest.clear();
        self.rest = rest;
    }
}

impl FileHasher for SmallParts {
    fn update(&mut self, mut data: &[u8]) {
        if !self.rest.is_empty() {
            let n = data.len().min(self.part - self.rest.len());
            self.rest.extend_from_slice(&data[..n]);
            data = &data[n..];
            if self.rest.len() < self.part {
                return;
            }
            self.add_rest();
        }
        let (whole, rest) = data.split_at(data.len() / self.part * self.part);
        for group in whole.chunks(self.part * PARTS) {
            self.add(&group.chunks(self.part).collect::<Vec<_>>());
        }
        self.rest.extend_from_slice(rest);
    }

    fn finish(mut self: Box<Self>) -> io::Result<Box<[u8]>> {
        // an empty file is one empty part
        if !self.rest.is_empty() || self.digests.parts == 0 {
            self.add_rest();
        }
        self.digests.finish()
    }
}

#[cfg(feature = "checksums")]
mod checksums {
    //! Checksums of S3 that are no hashes: part after part, as they are faster than memory.

    use std::{io, mem};

    use jlanes::algorithm::S3Checksum;

    use super::PartDigests;
    use crate::{Checksum, FileHasher};

    /// The hasher of a whole object, or of parts.
    pub(super) fn hasher(checksum: S3Checksum, part: Option<usize>) -> Option<Box<dyn FileHasher>> {
        let sum = Checksum::of_s3(checksum)?;
        Some(match part {
            None => sum.hasher(),
            Some(part) => {
                let (current, all) = (sum.hasher(), sum.hasher());
                let digests = PartDigests { all, first: None, parts: 0 };
                Box::new(CompositeHasher { sum, part, left: part, current, digests })
            }
        })
    }

    /// The checksum of the parts' checksums.
    struct CompositeHasher {
        sum: Checksum,
        part: usize,
        /// Bytes that the current part lacks.
        left: usize,
        current: Box<dyn FileHasher>,
        digests: PartDigests,
    }

    impl CompositeHasher {
        fn end_part(&mut self) -> io::Result<()> {
            let current = mem::replace(&mut self.current, self.sum.hasher());
            self.digests.add(&current.finish()?, self.sum.output_size());
            self.left = self.part;
            Ok(())
        }
    }

    impl FileHasher for CompositeHasher {
        fn update(&mut self, mut data: &[u8]) {
            while !data.is_empty() {
                let (piece, rest) = data.split_at(data.len().min(self.left));
                self.current.update(piece);
                self.left -= piece.len();
                data = rest;
                if self.left == 0 {
                    self.end_part().expect("a checksum is of any data");
                }
            }
        }

        fn finish(mut self: Box<Self>) -> io::Result<Box<[u8]>> {
            // an empty object is one empty part
            if self.left < self.part || self.digests.parts == 0 {
                self.end_part()?;
            }
            self.digests.finish()
        }
    }
}
