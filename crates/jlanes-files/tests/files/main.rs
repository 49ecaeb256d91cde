//! The crate as its users see it: files, directories and readers against RustCrypto's SHA-2.

#![allow(clippy::unwrap_used)]

mod cancelling;
mod failing;
mod hashes;
mod holes;
#[cfg(all(feature = "lists", feature = "checksums"))]
mod lists;
mod order;
mod parts;
#[cfg(all(feature = "lists", feature = "checksums"))]
mod s3;
#[cfg(all(feature = "lists", feature = "checksums"))]
mod s3_documents;
mod walking;
mod windows;

use std::{
    fs,
    path::{Path, PathBuf},
};

use jlanes::Algorithm;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// The default algorithm of the tests.
const SHA256: [Algorithm; 1] = [Algorithm::SHA256];

/// `len` bytes that depend on `len`.
fn paint(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 31 + i / 251 + len) as u8).collect()
}

fn sha256(data: &[u8]) -> Box<[u8]> {
    Sha256::digest(data)[..].into()
}

/// A directory that is removed when it is dropped.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }
}
