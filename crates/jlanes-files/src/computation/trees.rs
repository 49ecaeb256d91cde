//! Hashers of tree formats that return more than a digest (S3, dm-verity), or none for some files
//! (BitTorrent), and of S3's checksums that are no hashes.

use std::io;

use jlanes::{
    Algorithm, Backend, Md5, Sha1, Sha512,
    algorithm::{AnyHash, AnyHasher, AnyLanes, Fixed, Hash, Kind, S3Checksum},
    merkle::{self, BitTorrent, ETag, Format, Hasher, S3},
    multi::Messages,
};

use super::{FileHasher, KeepTree};

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
        Kind::S3 { checksum, part } => match (checksum.hash(), part) {
            (Some(_), Some(part)) => {
                let format = match checksum {
                    S3Checksum::Sha1 => S3::of::<Sha1>(part),
                    S3Checksum::Sha512 => S3::of::<Sha512>(part),
                    S3Checksum::Md5 => S3::of::<Md5>(part),
                    _ => S3::new(part),
                };
                Tree::boxed(format, backend, parallel, |composite| {
                    Ok([&composite.digest[..], &composite.parts.to_be_bytes()].concat().into())
                })
            }
            #[cfg(feature = "checksums")]
            (None, part) => checksums::hasher(checksum, part)?,
            _ => return None,
        },
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

    /// The result for a file, from the digest of its first part and that of all digests.
    pub(crate) fn result(self, first: Box<[u8]>, all: Box<[u8]>, parts: u64) -> Box<[u8]> {
        let digest = if self.is_tag && parts == 1 { first } else { all };
        [&digest[..], &parts.to_be_bytes()].concat().into()
    }
}

/// A hasher of S3's digest or entity tag with small parts.
struct SmallParts {
    of: OfParts,
    lanes: AnyLanes,
    /// The hash of the parts' digests.
    digest: Box<dyn AnyHasher>,
    parts: u64,
    /// The first part's digest.
    first: Box<[u8]>,
    /// The part that is not complete yet.
    rest: Vec<u8>,
}

impl SmallParts {
    fn boxed(of: OfParts, backend: Backend) -> Box<dyn FileHasher> {
        let lanes = Algorithm::from(Hash::Fixed(of.hash)).lanes();
        let lanes = lanes.expect("a hash has a digest of everything").on(backend);
        let (digest, first, rest) = (lanes.hasher(), Box::default(), Vec::new());
        Box::new(Self { of, lanes, digest, parts: 0, first, rest })
    }

    fn add(&mut self, parts: &[&[u8]]) {
        let digests = self.lanes.digests(Messages::slices(parts));
        self.digest.update(&digests);
        if self.first.is_empty() {
            self.first = digests[..self.lanes.output_size()].into();
        }
        self.parts += parts.len() as u64;
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
            let n = data.len().min(self.of.part - self.rest.len());
            self.rest.extend_from_slice(&data[..n]);
            data = &data[n..];
            if self.rest.len() < self.of.part {
                return;
            }
            self.add_rest();
        }
        let (whole, rest) = data.split_at(data.len() / self.of.part * self.of.part);
        for group in whole.chunks(self.of.part * PARTS) {
            self.add(&group.chunks(self.of.part).collect::<Vec<_>>());
        }
        self.rest.extend_from_slice(rest);
    }

    fn finish(mut self: Box<Self>) -> io::Result<Box<[u8]>> {
        // an empty file is one empty part
        if !self.rest.is_empty() || self.parts == 0 {
            self.add_rest();
        }
        Ok(self.of.result(self.first, self.digest.finalize(), self.parts))
    }
}

#[cfg(feature = "checksums")]
mod checksums {
    //! Checksums of S3 that are no hashes: part after part, as they are faster than memory.

    use std::{io, mem};

    use jlanes::algorithm::S3Checksum;

    use crate::{Checksum, FileHasher};

    /// The hasher of a whole object, or of parts.
    pub(super) fn hasher(checksum: S3Checksum, part: Option<usize>) -> Option<Box<dyn FileHasher>> {
        let sum = Checksum::of_s3(checksum)?;
        Some(match part {
            None => sum.hasher(),
            Some(part) => {
                let (current, all) = (sum.hasher(), sum.hasher());
                Box::new(CompositeHasher { sum, part, left: part, current, all, parts: 0 })
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
        /// The hasher of the parts' checksums.
        all: Box<dyn FileHasher>,
        parts: u64,
    }

    impl CompositeHasher {
        fn end_part(&mut self) -> io::Result<()> {
            let current = mem::replace(&mut self.current, self.sum.hasher());
            self.all.update(&current.finish()?);
            self.parts += 1;
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
            if self.left < self.part || self.parts == 0 {
                self.end_part()?;
            }
            let digest = self.all.finish()?;
            Ok([&digest[..], &self.parts.to_be_bytes()].concat().into())
        }
    }
}
