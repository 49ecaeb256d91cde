//! Hashers of tree formats that return more than a digest (S3, dm-verity), or none for some files
//! (BitTorrent), and of S3's checksums that are no hashes.

use std::io;

use jlanes::{
    Backend, Md5, Sha1, Sha512,
    algorithm::{AnyHash, Fixed, Kind},
    merkle::{self, BitTorrent, ETag, Format, Hasher, S3},
};

#[cfg(feature = "checksums")]
use super::SequentialParts;
use super::{FileHasher, TreeCallback, parts::with_count};
#[cfg(feature = "checksums")]
use crate::Checksum;

/// The hasher of `hash`, if it is one of these formats. dm-verity passes its hash tree, without the
/// superblock, to `on_tree`.
pub(super) fn hasher(
    hash: &AnyHash,
    backend: Backend,
    parallel: bool,
    on_tree: Option<&TreeCallback>,
) -> Option<Box<dyn FileHasher>> {
    Some(match hash.algorithm().kind() {
        Kind::BitTorrent => {
            TreeHasher::boxed(Ok(BitTorrent::default()), backend, parallel, |pieces| {
                Ok(pieces.root[..].into())
            })
        }
        Kind::S3 { checksum, part } => {
            let format = match (checksum.hash(), part) {
                (Some(Fixed::Sha1), Some(part)) => S3::of::<Sha1>(part),
                (Some(Fixed::Sha256), Some(part)) => S3::new(part),
                (Some(Fixed::Sha512), Some(part)) => S3::of::<Sha512>(part),
                (Some(Fixed::Md5), Some(part)) => S3::of::<Md5>(part),
                #[cfg(feature = "checksums")]
                (None, part) => {
                    let sum = Checksum::of_s3(checksum)?;
                    let parts = |part| SequentialParts::equal(part, move || sum.hasher());
                    return Some(part.map_or_else(|| sum.hasher(), |part| Box::new(parts(part))));
                }
                _ => return None,
            };
            TreeHasher::boxed(format, backend, parallel, |composite| {
                Ok(with_count(&composite.digest, composite.parts))
            })
        }
        Kind::ETag { part } => TreeHasher::boxed(ETag::new(part), backend, parallel, |tag| {
            Ok(with_count(&tag.digest, tag.parts))
        }),
        Kind::DmVerity(_) => {
            let format = hash.dmverity()?;
            let on_tree = on_tree.cloned();
            let format = if on_tree.is_some() { format.with_tree() } else { format };
            TreeHasher::boxed(Ok(format), backend, parallel, move |verity| {
                if let Some(on_tree) = on_tree {
                    on_tree(&verity.tree)?;
                }
                Ok(verity.root)
            })
        }
        _ => return None,
    })
}

/// A tree format's hasher, and the function that makes the file's result from its output.
struct TreeHasher<T, R> {
    hasher: Hasher<T>,
    result: R,
}

impl<T: Format, R> TreeHasher<T, R>
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

impl<T, R> FileHasher for TreeHasher<T, R>
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
