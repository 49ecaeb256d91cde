//! Nix archives: the serialization that Nix hashes for a path of its store.

use std::{
    fs::{self, File},
    io::{self, Cursor, Read},
    mem,
    path::{Path, PathBuf},
    process::Command,
    vec,
};

use anyhow::{Context, Result, ensure};
use jlanes::{
    Sha256,
    multi::{ReadSource, Scheduler},
};
use sha2::Digest;

use crate::tree::executable;

/// An archive as it is read: framing and files.
pub(crate) struct Archive {
    parts: vec::IntoIter<Part>,
    part: Box<dyn Read>,
}

enum Part {
    Text(Vec<u8>),
    File(PathBuf, u64),
}

impl Archive {
    fn new(path: &Path) -> Result<Self> {
        let (mut parts, mut text) = (Vec::new(), Vec::new());
        string(b"nix-archive-1", &mut text);
        put(path, &mut text, &mut parts)?;
        parts.push(Part::Text(text));
        Ok(Self { parts: parts.into_iter(), part: Box::new(io::empty()) })
    }
}

impl Read for Archive {
    /// Fills the buffer, across parts.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            filled += match self.part.read(&mut buffer[filled..])? {
                0 => match self.parts.next() {
                    None => break,
                    Some(part) => {
                        self.part = match part {
                            Part::Text(text) => Box::new(Cursor::new(text)),
                            Part::File(path, len) => Box::new(File::open(path)?.take(len)),
                        };
                        0
                    }
                },
                n => n,
            };
        }
        Ok(filled)
    }
}

/// The hashes of paths, as by `nix-hash --type sha256`: archives are hashed while they are read,
/// one per lane.
pub(crate) fn on_lanes(paths: &[PathBuf]) -> Result<Vec<[u8; 32]>> {
    let mut scheduler = Scheduler::<Sha256, _>::new();
    for (i, path) in paths.iter().enumerate() {
        scheduler.submit(ReadSource(i, Archive::new(path)?));
    }
    let mut hashes = vec![[0; 32]; paths.len()];
    for (i, hash) in scheduler.drain() {
        hashes[i] = hash?.into();
    }
    Ok(hashes)
}

/// The hashes of paths, one after the other.
pub(crate) fn one_by_one(paths: &[PathBuf]) -> Result<Vec<[u8; 32]>> {
    let mut buffer = vec![0; 64 << 10];
    let mut hash = |path: &PathBuf| {
        let (mut archive, mut hasher) = (Archive::new(path)?, sha2::Sha256::new());
        loop {
            match archive.read(&mut buffer)? {
                0 => return Ok(hasher.finalize().into()),
                n => hasher.update(&buffer[..n]),
            }
        }
    };
    paths.iter().map(&mut hash).collect()
}

/// The tool's name and version, if it is installed.
pub(crate) fn tool() -> Option<String> {
    let output = Command::new("nix-hash").arg("--version").output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().replace(" (Nix)", ""))
}

/// The hashes of paths, by the tool.
pub(crate) fn by_tool(paths: &[PathBuf]) -> Result<Vec<[u8; 32]>> {
    let output = Command::new("nix-hash").args(["--type", "sha256"]).args(paths).output()?;
    ensure!(output.status.success(), "nix-hash: {}", String::from_utf8_lossy(&output.stderr));
    crate::hex_lines(&output.stdout)
}

/// Appends the archive of a path.
fn put(path: &Path, text: &mut Vec<u8>, parts: &mut Vec<Part>) -> Result<()> {
    let metadata = fs::symlink_metadata(path).with_context(|| path.display().to_string())?;
    strings(["(", "type"], text);
    if metadata.is_symlink() {
        strings(["symlink", "target"], text);
        string(fs::read_link(path)?.to_str().context("a target in UTF-8")?.as_bytes(), text);
    } else if metadata.is_dir() {
        string(b"directory", text);
        for name in names(path)? {
            strings(["entry", "(", "name", &name, "node"], text);
            put(&path.join(&name), text, parts)?;
            string(b")", text);
        }
    } else {
        string(b"regular", text);
        if executable(&metadata) {
            strings(["executable", ""], text);
        }
        string(b"contents", text);
        let len = metadata.len();
        text.extend(len.to_le_bytes());
        parts.push(Part::Text(mem::take(text)));
        parts.push(Part::File(path.into(), len));
        text.resize((len.next_multiple_of(8) - len) as usize, 0);
    }
    string(b")", text);
    Ok(())
}

/// The names in a directory, in order.
fn names(directory: &Path) -> Result<Vec<String>> {
    let name = |entry: io::Result<fs::DirEntry>| {
        entry?.file_name().into_string().ok().context("a name in UTF-8")
    };
    let mut names = fs::read_dir(directory)?.map(name).collect::<Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}

fn strings<const N: usize>(texts: [&str; N], out: &mut Vec<u8>) {
    for text in texts {
        string(text.as_bytes(), out);
    }
}

/// A string after its length, padded to eight bytes.
fn string(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
    out.resize(out.len() + bytes.len().next_multiple_of(8) - bytes.len(), 0);
}
