//! [`TorrentFiles`]: where a torrent's files are, found from the operands, and which of them are wanted.

use jlanes_files::{
    lists::normalized_path,
    torrent::{File, Torrent},
};

use crate::{report::quote, system};

/// The directory of a torrent's files, and the choice of wanted ones.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TorrentFiles {
    /// The torrent's file, or the directory with its files; empty for the working directory.
    root: Vec<u8>,
    /// The files that the user named, if any.
    wanted: Option<Vec<usize>>,
}

impl TorrentFiles {
    /// The files that `operands` name: the torrent's file or directory, a directory that contains it,
    /// or some of its files. Without operands, it is in the working directory.
    ///
    /// # Errors
    /// The message about an operand that is none of these.
    pub(crate) fn new(torrent: &Torrent, operands: &[Vec<u8>]) -> Result<Self, String> {
        let mut files: Option<Self> = None;
        for operand in operands {
            let next = Self::of(torrent, operand)?;
            files = Some(match files {
                None => next,
                Some(files) if files.root != next.root => {
                    return Err("the files of a torrent are in one directory".to_owned());
                }
                Some(files) => Self {
                    wanted: files.wanted.zip(next.wanted).map(|(a, b)| [a, b].concat()),
                    root: next.root,
                },
            });
        }
        Ok(files.unwrap_or_else(|| Self { root: torrent.name.clone(), wanted: None }))
    }

    fn of(torrent: &Torrent, operand: &[u8]) -> Result<Self, String> {
        let inside = || join(operand, &torrent.name);
        if system::is_directory(operand) {
            let is_above = !torrent.is_directory || system::is_directory(&inside());
            let root = if is_above { inside() } else { operand.to_vec() };
            return Ok(Self { root, wanted: None });
        }
        if !torrent.is_directory {
            return Ok(Self { root: operand.to_vec(), wanted: None });
        }
        let path = normalized_path(operand);
        let root = |file: &File| {
            let root = path.strip_suffix(&file.path[..])?;
            if root.is_empty() { Some(root) } else { root.strip_suffix(b"/") }
        };
        let files = torrent.files.iter().enumerate().filter(|(_, file)| !file.is_padding);
        let found = files.filter_map(|(at, file)| Some((at, root(file)?)));
        // the longest path of the torrent that matches
        match found.min_by_key(|(_, root)| root.len()) {
            Some((at, root)) => Ok(Self { root: root.to_vec(), wanted: Some(vec![at]) }),
            None => Err(format!("{} is not in the torrent", quote::name(operand))),
        }
    }

    /// The path of a file.
    pub(super) fn path(&self, file: &File) -> Vec<u8> {
        if file.path.is_empty() { self.root.clone() } else { join(&self.root, &file.path) }
    }

    /// Whether the user wants this file.
    pub(super) fn wants(&self, at: usize) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&at))
    }
}

fn join(dir: &[u8], name: &[u8]) -> Vec<u8> {
    match dir {
        b"" => name.to_vec(),
        _ if dir.ends_with(b"/") => [dir, name].concat(),
        _ => [dir, b"/", name].concat(),
    }
}
