//! One digest for a whole directory: the j-pointers tree over the list of its files, each as its
//! path followed by its contents. It changes when a file is changed, added, removed or renamed.
//!
//! The list is hashed as it is read: each lane opens the next file when its last one ends, so small
//! files and large ones keep all lanes busy, and no more files are open than there are lanes.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example sum_directory -- DIRECTORY
//! ```

use std::{
    env,
    fs::File,
    io::{self, Cursor, Read},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use jlanes::{Sha256, multi::ReadSource, tree::JPointers};
use walkdir::WalkDir;

/// A message of the list.
enum Message {
    Path(Cursor<Vec<u8>>),
    /// A file that has not been read from yet.
    Closed(PathBuf),
    Open(File),
}

impl Read for Message {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Path(path) => path.read(out),
            Self::Open(file) => file.read(out),
            Self::Closed(path) => {
                *self = Self::Open(File::open(path)?);
                self.read(out)
            }
        }
    }
}

/// The path of a file below `root` and its contents.
fn messages(root: &Path, path: PathBuf) -> [ReadSource<(), Message>; 2] {
    let name = path.strip_prefix(root).unwrap_or(&path).as_os_str().as_bytes().to_vec();
    [Message::Path(Cursor::new(name)), Message::Closed(path)].map(|message| ReadSource((), message))
}

fn main() -> Result<()> {
    let root = env::args_os().nth(1).context("usage: sum_directory DIRECTORY")?;
    let root = Path::new(&root);
    let mut files = Vec::new();
    for entry in WalkDir::new(root).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            files.push(entry.into_path());
        }
    }
    let count = files.len();
    let mut list = JPointers::<Sha256>::new();
    list.push_sources(files.into_iter().flat_map(|path| messages(root, path)))?;
    println!("{} {count} files", hex::encode(list.finalize()));
    Ok(())
}
