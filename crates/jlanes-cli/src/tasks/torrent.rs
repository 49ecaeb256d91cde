//! `--torrent`: compares files with a torrent.
//!
//! Version 1 cuts the concatenated files into pieces. Each piece is a message that the engine hashes
//! next to others. Version 2 has a tree for each file. With both, a file is read twice.

mod content;
mod files;
mod jobs;

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read},
    sync::Arc,
};

use jlanes_files::{Engine, Outcome, Sink, Stats, torrent::Torrent};

use self::{
    content::TorrentContent,
    files::TorrentFiles,
    jobs::{TorrentItem, jobs},
};
use super::{NOT_BEGUN, TaskOutcome};
use crate::{
    files::open_or_stdin,
    report::{Console, Details, ExitState, Verdict, VerdictOptions, Verdicts, progress},
    system,
};

/// The maximum size of a torrent, which is read into memory.
const MAX_TORRENT_BYTES: u64 = 256 << 20;

/// Compares files with a torrent.
pub(crate) struct CompareTorrent {
    pub(crate) torrent: OsString,
    pub(crate) files: Vec<OsString>,
    pub(crate) ignore_missing: bool,
    pub(crate) shown: VerdictOptions,
}

impl CompareTorrent {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<TaskOutcome> {
        let torrent = match read(&self.torrent) {
            Ok(torrent) => torrent,
            Err(error) => {
                console.report_error(&system::bytes(&self.torrent), &error);
                return Ok(NOT_BEGUN);
            }
        };
        let operands: Vec<_> = self.files.into_iter().map(system::into_bytes).collect();
        let files = match TorrentFiles::new(&torrent, &operands) {
            Ok(files) => files,
            Err(why) => {
                console.say(format!("--torrent: {why}"));
                return Ok(NOT_BEGUN);
            }
        };
        let verdicts = Verdicts::new(console, self.shown);
        let (stats, ended) = check(engine, (&torrent, &files), self.ignore_missing, verdicts)?;
        Ok((Some(stats), ended))
    }
}

/// Reads the torrent at `path`, or from standard input if that is `-`.
///
/// # Errors
/// The system's, or that of a malformed torrent.
fn read(path: &OsStr) -> io::Result<Torrent> {
    let mut text = Vec::new();
    open_or_stdin(path)?.take(MAX_TORRENT_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_TORRENT_BYTES {
        return Err(io::Error::other("too long for a torrent"));
    }
    Torrent::parse(&text).map_err(io::Error::other)
}

/// The result of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceResult {
    /// A file that it is part of is missing.
    Unknown,
    Right,
    Wrong,
}

/// Compares `files` with `torrent`, and reports on each. Returns whether all match.
///
/// # Errors
/// Those of output.
fn check(
    engine: &Engine,
    (torrent, files): (&Torrent, &TorrentFiles),
    ignore_missing: bool,
    verdicts: Verdicts<'_>,
) -> io::Result<(Stats, ExitState)> {
    let content = Arc::new(TorrentContent::new(torrent, files));
    let (jobs, bytes) = jobs(torrent, files, &content);
    progress::add_up_total([Some(bytes)].into_iter());
    let pieces = torrent.pieces.as_ref().map_or(0, |pieces| pieces.digests.len());
    let check = TorrentChecker {
        torrent,
        files,
        content: Arc::clone(&content),
        ignore_missing,
        verdicts,
        pieces: vec![PieceResult::Unknown; pieces],
        tree: None,
        counts: [0; 3],
    };
    let (stats, check) = engine.run(jobs, check)?;
    Ok((stats, check.finish()?))
}

/// The sink: compares results, and reports on files.
struct TorrentChecker<'t, 'v> {
    torrent: &'t Torrent,
    files: &'t TorrentFiles,
    content: Arc<TorrentContent>,
    ignore_missing: bool,
    verdicts: Verdicts<'v>,
    pieces: Vec<PieceResult>,
    /// The outcome of the next file's tree.
    tree: Option<Outcome>,
    /// The numbers of files that match, that differ, and that could not be read.
    counts: [u64; 3],
}

impl Sink<TorrentItem> for TorrentChecker<'_, '_> {
    fn accept(&mut self, subject: TorrentItem, outcome: Option<Outcome>) -> io::Result<()> {
        match subject {
            TorrentItem::Piece(n) => {
                let digests = self.torrent.pieces.iter().flat_map(|pieces| pieces.digests.get(n));
                // the content knows the file that an error belongs to
                if let Some(Ok(found)) = outcome.map(Outcome::only_digest) {
                    let is_right = digests.into_iter().any(|digest| *digest == *found);
                    self.pieces[n] = if is_right { PieceResult::Right } else { PieceResult::Wrong };
                }
                Ok(())
            }
            TorrentItem::Tree => {
                self.tree = outcome;
                Ok(())
            }
            TorrentItem::File(at) => self.report(at),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.verdicts.flush()
    }
}

impl TorrentChecker<'_, '_> {
    /// The worst result of the pieces that contain parts of a file.
    fn state(&self, at: usize) -> PieceResult {
        let ((start, end), Some(pieces)) = (self.content.range(at), &self.torrent.pieces) else {
            return PieceResult::Right;
        };
        let range = (start / pieces.len) as usize..end.div_ceil(pieces.len) as usize;
        let states = if start == end { &[] } else { &self.pieces[range] };
        match (states.contains(&PieceResult::Wrong), states.contains(&PieceResult::Unknown)) {
            (true, _) => PieceResult::Wrong,
            (_, true) => PieceResult::Unknown,
            _ => PieceResult::Right,
        }
    }

    /// The length of a file if it is not the torrent's, and the root of its tree if that was computed.
    fn measured(&mut self, at: usize) -> (io::Result<Option<u64>>, Option<Box<[u8]>>) {
        match (self.tree.take(), self.content.other_length(at)) {
            (Some(outcome), Ok(None)) if outcome.len != self.torrent.files[at].len => {
                (Ok(Some(outcome.len)), None)
            }
            (Some(outcome), Ok(None)) => match outcome.only_digest() {
                Ok(root) => (Ok(None), Some(root)),
                Err(error) => (Err(error), None),
            },
            (_, length) => (length, None),
        }
    }

    /// Reports on a file, with the outcome for its tree.
    fn report(&mut self, at: usize) -> io::Result<()> {
        let file = &self.torrent.files[at];
        let name = self.files.path(file);
        let state = self.state(at);
        let (length, root) = self.measured(at);
        let mut failure = None;
        let verdict = match length {
            Err(error) => {
                if self.ignore_missing && error.kind() == io::ErrorKind::NotFound {
                    return Ok(());
                }
                self.verdicts.report_error(&name, &error)?;
                failure = Some(error);
                Verdict::Unreadable
            }
            Ok(Some(len)) => {
                let why = format!("{len} bytes instead of {}", file.len);
                self.verdicts.report_error(&name, &io::Error::other(why))?;
                Verdict::Failed
            }
            Ok(None) if root.as_deref() != file.root.as_ref().map(|root| &root[..]) => {
                Verdict::Failed
            }
            Ok(None) => match state {
                PieceResult::Right => Verdict::Ok,
                PieceResult::Wrong => Verdict::Failed,
                PieceResult::Unknown => {
                    let why = "shares a piece with a file that is not whole";
                    self.verdicts.report_error(&name, &io::Error::other(why))?;
                    Verdict::Failed
                }
            },
        };
        self.counts[match verdict {
            Verdict::Ok => 0,
            Verdict::Failed => 1,
            _ => 2,
        }] += 1;
        self.verdicts.print(verdict, &name, || Details {
            algorithm: Some(if file.root.is_some() { "btv2" } else { "btv1" }.to_owned()),
            expected: file.root.map(hex::encode),
            found: root.map(hex::encode),
            error: failure.as_ref(),
            ..Details::default()
        })
    }

    fn finish(mut self) -> io::Result<ExitState> {
        let [right, wrong, unreadable] = self.counts;
        let ended = self.verdicts.finish(&[Verdict::Ok, Verdict::Failed, Verdict::Unreadable])?;
        self.verdicts.warn(unreadable, ("file", "files"), "could not be read")?;
        self.verdicts.warn(wrong, ("file", "files"), "did NOT match")?;
        if right + wrong + unreadable == 0 {
            self.verdicts.say("no file was verified")?;
            return Ok(ExitState::Differs);
        }
        Ok(ended)
    }
}
