//! The digest of an input tree in the Remote Execution API of Bazel and others: a Merkle tree of
//! directories in protobuf, with files as leaves.

use crate::{
    Hasher,
    tree::{Entries, Node},
};

/// A blob's digest and its length.
type Blob = ([u8; 32], usize);

/// A directory before its digest is known.
struct Directory<'t> {
    entries: &'t Entries,
    /// The first of its files among all, and of its directories.
    files: usize,
    children: Vec<usize>,
    height: usize,
}

#[derive(Default)]
struct Walk<'t> {
    files: Vec<&'t [u8]>,
    directories: Vec<Directory<'t>>,
}

impl<'t> Walk<'t> {
    /// Records a directory after those below it, and returns its index.
    fn visit(&mut self, entries: &'t Entries) -> usize {
        let files = self.files.len();
        for node in entries.values() {
            if let Node::File { data, .. } = node {
                self.files.push(data);
            }
        }
        let mut children = Vec::new();
        for node in entries.values() {
            if let Node::Directory(entries) = node {
                children.push(self.visit(entries));
            }
        }
        let above = |child: &usize| self.directories[*child].height + 1;
        let height = children.iter().map(above).max().unwrap_or(0);
        self.directories.push(Directory { entries, files, children, height });
        self.directories.len() - 1
    }
}

/// The digest of a tree's root directory: first all files, then directories of one height.
pub(crate) fn root(entries: &Entries, hasher: Hasher) -> [u8; 32] {
    let mut walk = Walk::default();
    let root = walk.visit(entries);
    let files: Vec<Blob> =
        hasher(&walk.files).into_iter().zip(walk.files.iter().map(|file| file.len())).collect();
    let mut blobs: Vec<Blob> = vec![([0; 32], 0); walk.directories.len()];
    for height in 0..=walk.directories[root].height {
        let numbers: Vec<usize> =
            (0..blobs.len()).filter(|i| walk.directories[*i].height == height).collect();
        let messages: Vec<Vec<u8>> =
            numbers.iter().map(|i| message(&walk.directories[*i], &files, &blobs)).collect();
        let digests = hasher(&messages.iter().map(Vec::as_slice).collect::<Vec<_>>());
        for ((number, message), digest) in numbers.into_iter().zip(&messages).zip(digests) {
            blobs[number] = (digest, message.len());
        }
    }
    blobs[root].0
}

/// A `Directory` in protobuf: files, directories and links, each by name.
fn message(directory: &Directory, files: &[Blob], directories: &[Blob]) -> Vec<u8> {
    let (mut of_files, mut of_directories, mut of_links) = (Vec::new(), Vec::new(), Vec::new());
    let mut files = files[directory.files..].iter();
    let mut children = directory.children.iter().map(|child| &directories[*child]);
    for (name, node) in directory.entries {
        let mut entry = Vec::new();
        bytes(1, name.as_bytes(), &mut entry);
        match node {
            Node::File { executable, .. } => {
                if let Some(blob) = files.next() {
                    digest(blob, &mut entry);
                }
                if *executable {
                    number(4, 1, &mut entry);
                }
                bytes(1, &entry, &mut of_files);
            }
            Node::Directory(_) => {
                if let Some(blob) = children.next() {
                    digest(blob, &mut entry);
                }
                bytes(2, &entry, &mut of_directories);
            }
            Node::Link(target) => {
                bytes(2, target.as_bytes(), &mut entry);
                bytes(3, &entry, &mut of_links);
            }
        }
    }
    [of_files, of_directories, of_links].concat()
}

fn digest((hash, len): &Blob, out: &mut Vec<u8>) {
    let mut message = Vec::new();
    bytes(1, hex::encode(hash).as_bytes(), &mut message);
    if *len > 0 {
        number(2, *len, &mut message);
    }
    bytes(2, &message, out);
}

/// A field of bytes, a text or a message.
fn bytes(field: usize, bytes: &[u8], out: &mut Vec<u8>) {
    varint(field << 3 | 2, out);
    varint(bytes.len(), out);
    out.extend(bytes);
}

fn number(field: usize, number: usize, out: &mut Vec<u8>) {
    varint(field << 3, out);
    varint(number, out);
}

fn varint(mut number: usize, out: &mut Vec<u8>) {
    while number > 127 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}
