//! Hashers that have a file to themselves: trees, and several digests of one file.

use std::{
    ffi::OsStr,
    io::{self, Write},
};

use jlanes::{
    Backend, Sha1, Sha256, Sha512,
    algorithm::{AnyHasher, Fixed, Hash, Kind, Skein, SkeinSize},
    merkle::{
        self, BitTorrent, CompressionOf, DigestOf, DmVerity, ETag, Engine, Format, FsVerity,
        Hasher, S3, Verity,
    },
    skein::{Join, Skein256, Skein512, Skein1024, TreeParams},
};

use jlanes_files::{Digester, FileHasher, file_hasher};

use super::{Computation, Parameters, Scheme, pointers::leaf_prefix, sought::Sought};
use crate::{
    files::Replacement,
    report::{quote, reason},
};

/// The hasher of one scheme.
pub(super) fn hasher(scheme: &Scheme, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
    let parameters = &*scheme.parameters;
    let algorithm = match scheme.what {
        Computation::Digest(algorithm) => algorithm,
        Computation::Checksum(checksum) => return checksum.hasher(),
        Computation::Directory(_) => unreachable!("files are hashed, and directories made of them"),
    };
    if let Some(key) = parameters.hmac_key() {
        let hasher = algorithm.hmac_on(key, backend).expect("schemes have been checked");
        return file_hasher(hasher, parallel);
    }
    match algorithm.kind() {
        Kind::Hash(Hash::Skein(skein)) => {
            skein_hasher(skein, TreeParams::default(), parameters, backend, parallel)
        }
        Kind::SkeinTree(skein, tree) => skein_hasher(skein, tree, parameters, backend, parallel),
        Kind::Hash(_) => Digester::hasher(&algorithm, backend, parallel),
        Kind::Blake2(blake2) => {
            file_hasher(blake2.hasher_on(parameters.own_key(), backend), parallel)
        }
        Kind::Blake3(blake3) => Sought::boxed(blake3, parameters, parallel).unwrap_or_else(|| {
            file_hasher(blake3.hasher_on(parameters.blake3_mode(), backend), parallel)
        }),
        Kind::Xof(xof) => {
            let customization = parameters.customization.as_deref();
            let customized = customization.and_then(|string| xof.customized_on(string, backend));
            let hasher = customized.or_else(|| algorithm.hasher_on(backend).ok());
            file_hasher(hasher.expect("it is a digest"), parallel)
        }
        Kind::JPointers { hash, raw } => {
            let mut leaf = hash.hasher_on(backend);
            leaf.update(&leaf_prefix(hash, raw));
            file_hasher(leaf, parallel)
        }
        Kind::BitTorrent => Tree::boxed(Ok(BitTorrent::default()), backend, parallel, |pieces| {
            Ok(pieces.root[..].into())
        }),
        Kind::S3 { part } if part < SMALL_PART => SmallParts::boxed(Fixed::Sha256, part, backend),
        Kind::ETag { part } if part < SMALL_PART => SmallParts::boxed(Fixed::Md5, part, backend),
        Kind::S3 { part } => Tree::boxed(S3::new(part), backend, parallel, |composite| {
            Ok([&composite.digest[..], &composite.parts.to_be_bytes()].concat().into())
        }),
        Kind::ETag { part } => Tree::boxed(ETag::new(part), backend, parallel, |tag| {
            Ok([&tag.digest[..], &tag.parts.to_be_bytes()].concat().into())
        }),
        Kind::FsVerity { hash: Fixed::Sha512, block } => {
            let format = FsVerity::<Sha512>::new(block, parameters.salt());
            Tree::boxed(format, backend, parallel, |digest| Ok(digest[..].into()))
        }
        Kind::FsVerity { block, .. } => {
            let format = FsVerity::<Sha256>::new(block, parameters.salt());
            Tree::boxed(format, backend, parallel, |digest| Ok(digest[..].into()))
        }
        Kind::DmVerity(Fixed::Sha1) => {
            dmverity(parameters.dmverity::<Sha1>(), parameters, backend, parallel)
        }
        Kind::DmVerity(Fixed::Sha512) => {
            dmverity(parameters.dmverity::<Sha512>(), parameters, backend, parallel)
        }
        Kind::DmVerity(_) => {
            dmverity(parameters.dmverity::<Sha256>(), parameters, backend, parallel)
        }
        _ => {
            let hasher = algorithm.hasher_on(backend).expect("what is no digest has its arm above");
            let hasher = file_hasher(hasher, parallel);
            if parameters.memory_order { Box::new(MemoryOrder(hasher)) } else { hasher }
        }
    }
}

/// Where parts of S3 are smaller, their digests are hashed as they come: all of them would take more
/// memory than a thousandth of the file.
const SMALL_PART: usize = 64 << 10;

/// Parts that are hashed together.
const PARTS: usize = 1024;

/// S3's digest of small parts, or its entity tag.
struct SmallParts {
    hash: Fixed,
    part: usize,
    backend: Backend,
    /// The hash of the parts' digests.
    digest: Box<dyn AnyHasher>,
    parts: u64,
    /// The first part's digest.
    first: Box<[u8]>,
    /// The part that is not whole yet.
    rest: Vec<u8>,
}

impl SmallParts {
    fn boxed(hash: Fixed, part: usize, backend: Backend) -> Box<dyn FileHasher> {
        let digest = Hash::Fixed(hash).hasher_on(backend);
        let (first, rest) = (Box::default(), Vec::new());
        Box::new(Self { hash, part, backend, digest, parts: 0, first, rest })
    }

    fn add(&mut self, parts: &[&[u8]]) {
        let scheme = Scheme::plain(Computation::Digest(Hash::Fixed(self.hash).into()));
        for digest in scheme.batch(parts, self.backend) {
            let digest = digest.expect("a hash has a digest of everything");
            self.digest.update(&digest);
            if self.first.is_empty() {
                self.first = digest;
            }
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
        if !self.rest.is_empty() || self.parts == 0 {
            self.add_rest();
        }
        // an entity tag of one part is that part's digest
        let is_plain = self.hash == Fixed::Md5 && self.parts == 1;
        let digest = if is_plain { self.first } else { self.digest.finalize() };
        Ok([&digest[..], &self.parts.to_be_bytes()].concat().into())
    }
}

/// A digest with the bytes of each word reversed.
struct MemoryOrder(Box<dyn FileHasher>);

impl FileHasher for MemoryOrder {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        let mut digest = self.0.finish()?;
        digest.chunks_exact_mut(4).for_each(<[u8]>::reverse);
        Ok(digest)
    }
}

fn skein_hasher(
    skein: Skein,
    tree: TreeParams,
    parameters: &Parameters,
    backend: Backend,
    parallel: bool,
) -> Box<dyn FileHasher> {
    let join = if parallel { Join::available() } else { Join::Serial };
    skein!(skein.size(), H => {
        let config = parameters.skein::<H>(skein.output_bits(), tree).build_on(backend);
        let config = config.expect("the algorithm's name was parsed").with_join(join);
        file_hasher(Box::new(config.hasher()), parallel)
    })
}

/// A tree with a result that is more than its root, or that depends on options.
struct Tree<T: Format, R> {
    hasher: Hasher<T, Backend>,
    parallel: bool,
    result: R,
}

impl<T: Format, R> Tree<T, R>
where
    Self: FileHasher + 'static,
    Backend: Engine<CompressionOf<T>>,
{
    fn boxed(
        format: Result<T, merkle::Error>,
        backend: Backend,
        parallel: bool,
        result: R,
    ) -> Box<dyn FileHasher> {
        let hasher = format.expect("sizes and salts have been checked").hasher_on(backend);
        Box::new(Self { hasher, parallel, result })
    }
}

impl<T, R> FileHasher for Tree<T, R>
where
    T: Format,
    R: FnOnce(T::Output) -> io::Result<Box<[u8]>> + Send,
    Hasher<T, Backend>: Send,
    Backend: Engine<CompressionOf<T>>,
{
    fn update(&mut self, data: &[u8]) {
        if self.parallel {
            self.hasher.par_update(data);
        } else {
            self.hasher.update(data);
        }
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

fn dmverity<H>(
    format: Result<DmVerity<H>, merkle::Error>,
    parameters: &Parameters,
    backend: Backend,
    parallel: bool,
) -> Box<dyn FileHasher>
where
    DmVerity<H>: Format<Output = Verity<DigestOf<DmVerity<H>>>> + 'static,
    Hasher<DmVerity<H>, Backend>: Send,
    Backend: Engine<CompressionOf<DmVerity<H>>>,
{
    let path = parameters.tree.clone();
    let keep = |format: DmVerity<H>| if path.is_some() { format.with_tree() } else { format };
    let format = format.map(keep);
    Tree::boxed(format, backend, parallel, move |verity| {
        if let Some(path) = path {
            write_tree(&path, &verity.tree)?;
        }
        Ok(verity.root[..].into())
    })
}

/// Writes the hash tree to where it is asked for.
fn write_tree(path: &OsStr, tree: &[u8]) -> io::Result<()> {
    let named = |error: io::Error| {
        let path = quote::value(path);
        io::Error::new(error.kind(), format!("hash tree {path}: {}", reason(&error)))
    };
    // a part of a tree would be taken for one
    let write = || {
        let place = Replacement::new(path)?;
        place.file()?.write_all(tree)?;
        place.commit()
    };
    write().map_err(named)
}
