//! Makes a .torrent of version 2 (BEP 52) of a directory: the tree of files with their pieces roots,
//! and the piece layers, as libtorrent's `create_torrent` makes it.
//!
//! The result is compared with one from sha2, block by block, and with libtorrent's own if Python
//! has it (`pip install libtorrent`; the variable `PYTHON` may name the interpreter).
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example torrent -- [DIRECTORY OUT]
//! ```

use std::{
    collections::BTreeMap,
    env, fs,
    io::{Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::{Context, Result, bail};
use jlanes::{
    Sha256,
    digest::Output,
    merkle::{self, BitTorrent, Format, PieceHashes},
};
use jlanes_examples::{Contest, Noise, peer};
use sha2::Digest;

const PIECE: usize = 256 << 10;
/// The leaves of a file's tree.
const BLOCK: usize = 16 << 10;
/// Answers each line with a torrent of directory `argv[1]`, after its length.
const LIBTORRENT: &str = "
import os, sys, libtorrent as lt
for line in sys.stdin:
    files = lt.file_storage()
    lt.add_files(files, sys.argv[1])
    flags = lt.create_torrent_flags_t.v2_only
    torrent = lt.create_torrent(files, piece_size=int(sys.argv[2]), flags=flags)
    lt.set_piece_hashes(torrent, os.path.dirname(sys.argv[1]))
    entry = torrent.generate()
    del entry[b'creation date']
    torrent = lt.bencode(entry)
    sys.stdout.buffer.write(len(torrent).to_bytes(8, 'little') + torrent)
    sys.stdout.buffer.flush()
";

/// The pieces of a non-empty file.
type Hasher = fn(&[u8]) -> Result<PieceHashes, merkle::Error>;
type Directory = BTreeMap<String, Entry>;

enum Entry {
    Directory(Directory),
    File { len: usize, executable: bool, pieces: Option<PieceHashes> },
}

fn on_lanes(file: &[u8]) -> Result<PieceHashes, merkle::Error> {
    BitTorrent::with_pieces(PIECE)?.digest(file)
}

fn one_by_one(file: &[u8]) -> Result<PieceHashes, merkle::Error> {
    let mut level: Vec<Output<Sha256>> = file.chunks(BLOCK).map(sha2::Sha256::digest).collect();
    level.resize(level.len().next_power_of_two(), Output::<Sha256>::default());
    let (mut covered, mut layer) = (BLOCK, Vec::new());
    while level.len() > 1 {
        if covered == PIECE {
            layer = level[..file.len().div_ceil(PIECE)].to_vec();
        }
        level = level.chunks(2).map(|pair| sha2::Sha256::digest(pair.concat())).collect();
        covered *= 2;
    }
    Ok(PieceHashes { root: level[0], layer })
}

fn read(directory: &Path, hasher: Hasher) -> Result<Directory> {
    let mut entries = Directory::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).context("a name in UTF-8")?;
        let entry = if path.is_dir() {
            Entry::Directory(read(&path, hasher)?)
        } else {
            let data = fs::read(&path)?;
            let pieces = (!data.is_empty()).then(|| hasher(&data)).transpose()?;
            Entry::File { len: data.len(), executable: executable(&path)?, pieces }
        };
        entries.insert(name.into(), entry);
    }
    Ok(entries)
}

#[cfg(unix)]
fn executable(path: &Path) -> Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(path.metadata()?.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn executable(_path: &Path) -> Result<bool> {
    Ok(false)
}

/// Bencoding, with the keys of a dictionary in order.
#[derive(Default)]
struct Bencode(Vec<u8>);

impl Bencode {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend(format!("{}:", bytes.len()).into_bytes());
        self.0.extend(bytes);
    }

    fn number(&mut self, key: &str, number: usize) {
        self.bytes(key.as_bytes());
        self.0.extend(format!("i{number}e").into_bytes());
    }

    fn text(&mut self, key: &str, text: &[u8]) {
        self.bytes(key.as_bytes());
        self.bytes(text);
    }

    fn dictionary(&mut self, key: &str, write: impl FnOnce(&mut Self)) {
        self.bytes(key.as_bytes());
        self.0.push(b'd');
        write(self);
        self.0.push(b'e');
    }

    fn files(&mut self, directory: &Directory) {
        for (name, entry) in directory {
            self.dictionary(name, |this| match entry {
                Entry::Directory(directory) => this.files(directory),
                Entry::File { len, executable, pieces } => this.dictionary("", |this| {
                    if *executable {
                        this.text("attr", b"x");
                    }
                    this.number("length", *len);
                    if let Some(pieces) = pieces {
                        this.text("pieces root", &pieces.root);
                    }
                }),
            });
        }
    }
}

/// The piece layers of files longer than a piece, by their roots.
fn layers(directory: &Directory, found: &mut BTreeMap<Output<Sha256>, Vec<u8>>) {
    for entry in directory.values() {
        match entry {
            Entry::Directory(directory) => layers(directory, found),
            Entry::File { pieces: Some(pieces), .. } if !pieces.layer.is_empty() => {
                found.insert(pieces.root, pieces.layer.concat());
            }
            Entry::File { .. } => {}
        }
    }
}

fn torrent(directory: &Path, hasher: Hasher) -> Result<Vec<u8>> {
    let name = directory.file_name().and_then(|name| name.to_str()).context("a directory")?;
    let files = read(directory, hasher)?;
    let mut out = Bencode(b"d".to_vec());
    out.dictionary("info", |info| {
        info.dictionary("file tree", |tree| tree.files(&files));
        info.number("meta version", 2);
        info.text("name", name.as_bytes());
        info.number("piece length", PIECE);
    });
    let mut found = BTreeMap::new();
    layers(&files, &mut found);
    out.dictionary("piece layers", |this| {
        for (root, layer) in found {
            this.bytes(&root);
            this.bytes(&layer);
        }
    });
    out.0.push(b'e');
    Ok(out.0)
}

/// libtorrent in Python, started and waiting, and its name; `None` if it is not installed.
fn libtorrent(directory: &Path) -> Result<Option<(Child, String)>> {
    let python = env::var_os("PYTHON").unwrap_or("python3".into());
    let print = "import libtorrent; print(libtorrent.__version__)";
    let version = match Command::new(&python).args(["-W", "ignore", "-c", print]).output() {
        Ok(output) if output.status.success() => String::from_utf8(output.stdout)?,
        _ => return Ok(None),
    };
    let child = Command::new(&python)
        .args(["-W", "ignore", "-c", LIBTORRENT])
        .arg(directory)
        .arg(PIECE.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    Ok(Some((child, format!("libtorrent {}", version.trim()))))
}

fn ask(child: &mut Child) -> Result<Vec<u8>> {
    child.stdin.as_mut().context("a pipe")?.write_all(b"\n")?;
    let answer = child.stdout.as_mut().context("a pipe")?;
    let mut len = [0; 8];
    answer.read_exact(&mut len)?;
    let mut torrent = vec![0; u64::from_le_bytes(len).try_into()?];
    answer.read_exact(&mut torrent)?;
    Ok(torrent)
}

/// Large files, small ones and an empty one.
fn sample(directory: &Path) -> Result<()> {
    let mut noise = Noise::new(1);
    fs::create_dir_all(directory.join("album/notes"))?;
    fs::write(directory.join("empty"), b"")?;
    for i in 0..16 {
        let len = (4 << 20) + noise.below(12 << 20);
        fs::write(directory.join(format!("album/{i}.flac")), noise.bytes(len))?;
        fs::write(directory.join(format!("album/notes/{i}.txt")), noise.bytes(len >> 10))?;
    }
    Ok(())
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let temporary = tempfile::tempdir()?;
    let (directory, out) = match &args[..] {
        [] => {
            let directory = temporary.path().join("sample");
            sample(&directory)?;
            (directory, None)
        }
        [directory, out] => (fs::canonicalize(directory)?, Some(out)),
        _ => bail!("usage: torrent [DIRECTORY OUT]"),
    };

    let ours = || torrent(&directory, on_lanes).ok();
    let theirs = || torrent(&directory, one_by_one).ok();
    let mut contest = Contest::default();
    let made = contest.run("a torrent", &peer("sha2"), theirs, ours)?;
    let made = made.with_context(|| format!("cannot read {}", directory.display()))?;
    match libtorrent(&directory)? {
        Some((mut child, name)) => {
            contest.run("a torrent", &name, || ask(&mut child).ok(), ours)?;
            drop(child.stdin.take()); // it ends
            child.wait()?;
        }
        None => println!("libtorrent is not installed: not compared with it"),
    }
    if let Some(out) = out {
        fs::write(out, &made)?;
    }
    println!("{} bytes of torrent", made.len());
    contest.end();
    Ok(())
}
