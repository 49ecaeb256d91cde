//! The fs-verity digests of all files below a directory, as `fsverity digest` prints them. The
//! builder of a file system image signs them, and the kernel checks every page that is read.
//!
//! A file is hashed while it is read; blocks share the lanes and, for large files, the cores.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example fsverity_image -- DIRECTORY
//! ```

use std::{
    env,
    fs::File,
    io::{Read, Write, stdout},
    path::Path,
};

use anyhow::{Context, Result};
use jlanes::merkle::{Format, FsVerity};
use walkdir::WalkDir;

/// The block size of the digests: the page size of most kernels.
const BLOCK: usize = 4096;
/// Bytes that are read at once: enough for all lanes of two cores.
const PIECE: usize = 4 << 20;

fn digest(format: &FsVerity, path: &Path) -> Result<Box<[u8]>> {
    let file = File::open(path)?;
    let mut hasher = format.parallel();
    let mut piece = Vec::with_capacity(PIECE);
    while (&file).take(PIECE as u64).read_to_end(&mut piece)? > 0 {
        hasher.update(&piece);
        piece.clear();
    }
    let Ok(digest) = hasher.finalize();
    Ok(digest)
}

fn main() -> Result<()> {
    let root = env::args_os().nth(1).context("usage: fsverity_image DIRECTORY")?;
    let format = FsVerity::sha256(BLOCK, b"")?;
    let mut out = stdout().lock();
    for entry in WalkDir::new(&root).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            let path = entry.path();
            let digest = digest(&format, path).with_context(|| path.display().to_string())?;
            writeln!(out, "sha256:{} {}", hex::encode(digest), path.display())?;
        }
    }
    Ok(())
}
