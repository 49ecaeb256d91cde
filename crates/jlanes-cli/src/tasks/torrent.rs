//! Comparing files with a torrent.
//!
//! Its files are read one behind the other: that is how version 1 cuts them into pieces. The trees of
//! version 2 are computed from the same read.

mod pieces;
mod place;

use std::{
    fs::File,
    io::{self, Read},
};

use jlanes::{
    Backend,
    merkle::{BitTorrent, Format},
};

use self::pieces::{Comparison, State};
pub(crate) use self::place::Place;
use crate::{
    lists::torrent::{self, Torrent},
    report::{Details, Verdict, Verdicts},
    system::{self, Kind},
};

/// Bytes of the longest torrent that is read: each of them is in memory.
const LONGEST: u64 = 256 << 20;

/// Bytes that are read at once.
const PIECE: usize = 4 << 20;

/// Reads the torrent at `path`.
///
/// # Errors
/// The system's, or what is wrong with it.
pub(crate) fn read(path: &std::ffi::OsStr) -> io::Result<Torrent> {
    let mut text = Vec::new();
    system::open_named(path)?.take(LONGEST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other("too long for a torrent"));
    }
    Torrent::parse(&text).map_err(io::Error::other)
}

/// What became of a file, but for pieces of version 1.
enum Found {
    Right,
    Wrong,
    /// It has another length.
    Length(u64),
    Failed(io::Error),
}

/// A file on its way to its verdict.
struct Pending {
    at: usize,
    /// Where it begins in all files together.
    start: u64,
    found: Found,
    root: Option<[u8; 32]>,
}

/// Compares files and tells.
pub(crate) struct Check<'t, 'v> {
    torrent: &'t Torrent,
    place: &'t Place,
    backend: Backend,
    ignore_missing: bool,
    verdicts: Verdicts<'v>,
    comparison: Option<Comparison<'t>>,
    pending: std::collections::VecDeque<Pending>,
    all_good: bool,
    /// Files that match, that do not, and that could not be read.
    counts: [u64; 3],
}

impl<'t, 'v> Check<'t, 'v> {
    pub(crate) fn new(
        (torrent, place): (&'t Torrent, &'t Place),
        ignore_missing: bool,
        verdicts: Verdicts<'v>,
        backend: Backend,
    ) -> Self {
        let total = torrent.files.iter().map(|file| file.len).sum();
        let comparison =
            torrent.pieces.as_ref().map(|pieces| Comparison::new(pieces, total, backend));
        Self {
            torrent,
            place,
            backend,
            ignore_missing,
            verdicts,
            comparison,
            pending: std::collections::VecDeque::new(),
            all_good: true,
            counts: [0; 3],
        }
    }

    /// Compares all files. Returns whether all is well.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn run(mut self) -> io::Result<bool> {
        let mut start = 0;
        for (at, file) in self.torrent.files.iter().enumerate() {
            let mut root = None;
            let found = if file.is_padding {
                self.pad(start, file.len);
                Found::Right
            } else {
                self.compare(start, file, &mut root).unwrap_or_else(Found::Failed)
            };
            if !file.is_padding && self.place.wants(at) {
                self.pending.push_back(Pending { at, start, found, root });
            }
            start += file.len;
            self.tell(false)?;
        }
        self.tell(true)?;
        self.finish()
    }

    /// Takes zeros that nobody stores.
    fn pad(&mut self, start: u64, len: u64) {
        if let Some(comparison) = &mut self.comparison {
            comparison.update(start, &vec![0; len as usize]);
        }
    }

    /// Reads a file, which begins at `start`, and computes its `root`.
    fn compare(
        &mut self,
        start: u64,
        file: &torrent::File,
        root: &mut Option<[u8; 32]>,
    ) -> io::Result<Found> {
        let path = self.place.path(file);
        let stat = system::stat(&path)?;
        match stat.kind {
            Kind::File => {}
            Kind::Directory => return Err(system::is_a_directory()),
            _ => return Err(io::Error::other("not a regular file")),
        }
        if stat.size != file.len {
            return Ok(Found::Length(stat.size));
        }
        let mut source = File::open(system::path(&path))?;
        let mut tree = file.root.map(|_| BitTorrent::default().hasher_on(self.backend));
        let mut buffer = vec![0; PIECE.min(usize::try_from(file.len).unwrap_or(PIECE)) + 1];
        let mut len = 0;
        loop {
            let n = match source.read(&mut buffer) {
                Ok(n) => n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if n == 0 {
                break;
            }
            let data = &buffer[..n];
            if len + n as u64 > file.len {
                // it has grown
                return Ok(Found::Length(len + n as u64));
            }
            if let Some(comparison) = &mut self.comparison {
                comparison.update(start + len, data);
            }
            if let Some(tree) = &mut tree {
                tree.update(data);
            }
            len += n as u64;
        }
        if len != file.len {
            return Ok(Found::Length(len));
        }
        let found = tree.map(|tree| tree.finalize().map_err(io::Error::other)).transpose()?;
        *root = found.map(|hashes| hashes.root.into());
        Ok(if *root == file.root { Found::Right } else { Found::Wrong })
    }

    /// Reports the files of which all pieces are known.
    fn tell(&mut self, is_over: bool) -> io::Result<()> {
        while let Some(Pending { at, start, .. }) = self.pending.front() {
            let (start, end) = (*start, start + self.torrent.files[*at].len);
            let state = match &self.comparison {
                None => State::Right,
                Some(comparison) if is_over => comparison.last_state(start, end),
                Some(comparison) => match comparison.state(start, end) {
                    Some(state) => state,
                    None => return Ok(()),
                },
            };
            if let Some(pending) = self.pending.pop_front() {
                self.verdict(pending, state)?;
            }
        }
        Ok(())
    }

    fn verdict(&mut self, pending: Pending, state: State) -> io::Result<()> {
        let Pending { at, found, root, .. } = pending;
        let file = &self.torrent.files[at];
        let name = self.place.path(file);
        let mut failure = None;
        let verdict = match (found, state) {
            (Found::Failed(error), _) => {
                if self.ignore_missing && error.kind() == io::ErrorKind::NotFound {
                    return Ok(());
                }
                self.verdicts.complain(&name, &error)?;
                failure = Some(error);
                Verdict::Unreadable
            }
            (Found::Right, State::Right) => Verdict::Ok,
            (found, state) => {
                let why = match (found, state) {
                    (Found::Length(len), _) => Some(format!("{len} bytes instead of {}", file.len)),
                    (Found::Right, State::Unknown) => {
                        Some("shares a piece with a file that is not whole".to_owned())
                    }
                    _ => None,
                };
                if let Some(why) = why {
                    self.verdicts.complain(&name, &io::Error::other(why))?;
                }
                Verdict::Failed
            }
        };
        self.all_good &= verdict == Verdict::Ok;
        self.counts[match verdict {
            Verdict::Ok => 0,
            Verdict::Failed => 1,
            _ => 2,
        }] += 1;
        self.verdicts.tell(verdict, &name, || Details {
            algorithm: Some(if file.root.is_some() { "btv2" } else { "btv1" }.to_owned()),
            expected: file.root.map(hex::encode),
            found: root.map(hex::encode),
            error: failure.as_ref(),
            ..Details::default()
        })
    }

    fn finish(mut self) -> io::Result<bool> {
        let [right, wrong, unreadable] = self.counts;
        self.verdicts.finish(&[Verdict::Ok, Verdict::Failed, Verdict::Unreadable])?;
        let told = [(unreadable, "could not be read"), (wrong, "did NOT match")];
        for (count, what) in told.into_iter().filter(|(count, _)| *count > 0) {
            let files = if count == 1 { "file" } else { "files" };
            self.verdicts.say(format!("WARNING: {count} {files} {what}").as_bytes())?;
        }
        if right + wrong + unreadable == 0 {
            self.verdicts.say(b"no file was verified")?;
            return Ok(false);
        }
        Ok(self.all_good)
    }
}
