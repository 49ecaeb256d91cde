//! Where the files of a torrent are.

use crate::{
    lists::{
        plain,
        torrent::{File, Torrent},
    },
    report::quote,
    system,
};

/// Where the files of a torrent are, and which of them are wanted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The file, or the directory that the files are in; empty if that is the working directory.
    root: Vec<u8>,
    /// The files that were named, if any.
    wanted: Option<Vec<usize>>,
}

impl Place {
    /// The place that `operands` name: the torrent's file or directory, a directory that it is in, or
    /// files of its own; without any of them it is in the working directory.
    ///
    /// # Errors
    /// What is to be said of operands that are none of these.
    pub(crate) fn new(torrent: &Torrent, operands: &[Vec<u8>]) -> Result<Self, String> {
        let mut place: Option<Self> = None;
        for operand in operands {
            let next = Self::of(torrent, operand)?;
            place = Some(match place {
                None => next,
                Some(place) if place.root != next.root => {
                    return Err("the files of a torrent are in one directory".to_owned());
                }
                Some(place) => Self {
                    wanted: place.wanted.zip(next.wanted).map(|(a, b)| [a, b].concat()),
                    root: next.root,
                },
            });
        }
        Ok(place.unwrap_or_else(|| Self { root: torrent.name.clone(), wanted: None }))
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
        let path = plain(operand);
        let root = |file: &File| {
            let root = path.strip_suffix(&file.path[..])?;
            if root.is_empty() { Some(root) } else { root.strip_suffix(b"/") }
        };
        let files = torrent.files.iter().enumerate().filter(|(_, file)| !file.is_padding);
        let found = files.filter_map(|(at, file)| Some((at, root(file)?)));
        // the longest path that fits
        match found.min_by_key(|(_, root)| root.len()) {
            Some((at, root)) => Ok(Self { root: root.to_vec(), wanted: Some(vec![at]) }),
            None => Err(format!("{} is not in the torrent", quote::name(operand))),
        }
    }

    /// The path of a file.
    pub(super) fn path(&self, file: &File) -> Vec<u8> {
        if file.path.is_empty() { self.root.clone() } else { join(&self.root, &file.path) }
    }

    /// Whether the file in this place was asked for.
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
