//! The digests that `--algorithm` and its options request, and their hashers.

use std::{
    ffi::OsStr,
    io::{self, Write},
};

use jlanes::{
    Backend,
    algorithm::{AnyHash, Kind, Parameters},
};
use jlanes_files::{Digester, FileHasher, dmverity_hasher, file_hasher};

use crate::{
    files::Replacement,
    report::{quote, reason},
};

mod pointers;
mod scheme;

pub(crate) use self::{
    pointers::{Pointers, of_one_file},
    scheme::{Family, Misfit, Named, Scheme, family},
};

impl Digester for Scheme {
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
        if let Self::Checksum(checksum) = self {
            return checksum.hasher(backend, parallel);
        }
        let hash = self.hash().expect("files are hashed, and directories made of their digests");
        if let Some(path) = self.tree().map(ToOwned::to_owned) {
            let write = move |tree: &[u8]| write_tree(&path, tree);
            let hasher = dmverity_hasher(&hash, backend, parallel, write);
            return hasher.expect("only dm-verity has a tree to write");
        }
        file_hasher(&hash, backend, parallel)
    }

    fn hash(&self) -> Option<AnyHash> {
        let hash = self.any_hash()?;
        let Kind::JPointers { .. } = hash.algorithm().kind() else { return Some(hash.clone()) };
        // the digest of a list is made of the digests of its files as leaves
        let mut parameters = Parameters::default();
        parameters.leaf = true;
        hash.algorithm().with(parameters).ok()
    }
}

/// Writes dm-verity's hash tree to where it is asked for.
fn write_tree(path: &OsStr, tree: &[u8]) -> io::Result<()> {
    // a part of a tree would be taken for one
    let write = || {
        let place = Replacement::new(path)?;
        place.file()?.write_all(tree)?;
        place.commit()
    };
    write().map_err(|error: io::Error| {
        let path = quote::value(path);
        io::Error::new(error.kind(), format!("hash tree {path}: {}", reason(&error)))
    })
}
