//! Lists as jobs: a line a job, read as the workers come to need them.

use std::{
    ffi::OsString,
    io::{self, BufReader, Read},
    os::unix::ffi::{OsStrExt, OsStringExt},
    sync::Arc,
    vec,
};

use super::{Accepted, dialect::Dialect};
use crate::{
    files::{open_or_stdin, read_line, target},
    hash::{Job, Payload, Scheme, Work},
    lists::line::{self, Entry, LONGEST_LINE, Parser},
};

/// What stands in a list.
pub(crate) enum Listed {
    File(Entry<Scheme>),
    /// A line in none of the accepted forms.
    Malformed {
        list: Arc<[u8]>,
        line: u64,
        /// The last tag.
        tagged: Option<Vec<u8>>,
        /// Why what the line names is not accepted, where that is what is wrong.
        refused: Option<String>,
    },
    /// The list's end, and whether it has lines that were not asked for.
    End {
        list: Arc<[u8]>,
        skipped: bool,
    },
    /// A name that was asked for and is in no list.
    Absent {
        name: Vec<u8>,
    },
    /// The list could not be read, or not to its end.
    Unreadable {
        list: Arc<[u8]>,
        error: io::Error,
    },
}

/// The lines of all `lists`; only those about the names in `only`, if there are any.
pub(crate) fn jobs(
    lists: Vec<OsString>,
    accepted: Accepted,
    only: Vec<OsString>,
) -> impl Iterator<Item = Job<Listed>> + Send {
    let only = only.into_iter().map(|name| (name.into_vec(), false)).collect();
    let (lists, parser) = (lists.into_iter(), Parser::new(accepted));
    Lists { lists, open: None, parser, schemes: Arc::new([]), only }
}

struct Lists {
    lists: vec::IntoIter<OsString>,
    open: Option<List>,
    parser: Parser<Accepted>,
    /// The last line's schemes.
    schemes: Arc<[Scheme]>,
    /// The names that were asked for, each with whether it has been met.
    only: Vec<(Vec<u8>, bool)>,
}

struct List {
    reader: BufReader<Box<dyn Read + Send>>,
    /// As messages call it.
    name: Arc<[u8]>,
    is_stdin: bool,
    dialect: Dialect,
    line: u64,
    /// Whether there were lines that were not asked for.
    skipped: bool,
}

impl List {
    fn open(operand: &OsString) -> Result<Self, (Arc<[u8]>, io::Error)> {
        let is_stdin = operand == "-";
        let name: &[u8] = if is_stdin { b"standard input" } else { operand.as_bytes() };
        let name = Arc::from(name);
        let reader = match open_or_stdin(operand) {
            Ok(reader) => BufReader::with_capacity(32 << 10, reader),
            Err(error) => return Err((name, error)),
        };
        let dialect = Dialect::default();
        Ok(Self { reader, name, is_stdin, dialect, line: 0, skipped: false })
    }

    /// The next line that is neither empty nor a comment, without its end; nothing inside if it is
    /// too long to be one.
    fn next(&mut self) -> io::Result<Option<Option<Vec<u8>>>> {
        let mut line = Vec::new();
        loop {
            self.line += 1;
            let Some(is_longer) = read_line(&mut self.reader, b'\n', LONGEST_LINE, &mut line)?
            else {
                return Ok(None);
            };
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            if !line.is_empty() && line[0] != b'#' {
                return Ok(Some((!is_longer).then_some(line)));
            }
        }
    }
}

impl Lists {
    /// Whether a line's file was asked for.
    fn wants(&mut self, listed: &Listed) -> bool {
        let Listed::File(Entry { name, .. }) = listed else { return true };
        let asked = self.only.iter_mut().find(|(wanted, _)| wanted == name);
        let met = asked.map(|(_, met)| *met = true).is_some();
        met || self.only.is_empty()
    }

    /// What the open list holds next.
    fn read(&mut self, list: &mut List) -> Job<Listed> {
        let name = Arc::clone(&list.name);
        loop {
            match list.next() {
                Ok(Some(line)) => {
                    let Some(job) = self.job(list, line.as_deref()) else { continue };
                    if self.wants(&job.payload) {
                        return job;
                    }
                    list.skipped = true;
                }
                Ok(None) => return note(Listed::End { list: name, skipped: list.skipped }),
                // GNU's words, which say no more
                Err(_) => {
                    let error = io::Error::other("read error");
                    return note(Listed::Unreadable { list: name, error });
                }
            }
        }
    }

    /// The job of one line, if it is about a file.
    fn job(&mut self, list: &mut List, line: Option<&[u8]>) -> Option<Job<Listed>> {
        let entry = match line {
            Some(line) => list.dialect.parse(line, &mut self.parser)?,
            None => None,
        };
        let entry = entry.filter(|entry| !(list.is_stdin && entry.name == b"-"));
        let found = entry.and_then(|entry| Some((target(&entry.name).ok()?, entry)));
        let Some((target, entry)) = found else {
            let (list, number) = (Arc::clone(&list.name), list.line);
            let tagged = self.parser.tagged().map(<[u8]>::to_vec);
            let refused = line.and_then(line::tag).and_then(|tag| self.parser.tags().refusal(tag));
            return Some(note(Listed::Malformed { list, line: number, tagged, refused }));
        };
        let schemes = || entry.digests.iter().map(|(scheme, _)| scheme);
        if !schemes().eq(self.schemes.iter()) {
            self.schemes = schemes().cloned().collect();
        }
        let work = Work { schemes: Arc::clone(&self.schemes), target };
        Some(Job { payload: Listed::File(entry), work: Some(work) })
    }

    /// A name that was asked for and has not been met, after all lists.
    fn absent(&mut self) -> Option<Job<Listed>> {
        let (name, met) = self.only.iter_mut().find(|(_, met)| !met)?;
        *met = true;
        Some(note(Listed::Absent { name: name.clone() }))
    }
}

impl Iterator for Lists {
    type Item = Job<Listed>;

    fn next(&mut self) -> Option<Job<Listed>> {
        let mut list = match self.open.take() {
            Some(list) => list,
            None => match self.lists.next().map(|operand| List::open(&operand)) {
                Some(Ok(list)) => list,
                Some(Err((list, error))) => return Some(note(Listed::Unreadable { list, error })),
                None => return self.absent(),
            },
        };
        let job = self.read(&mut list);
        if !matches!(job.payload, Listed::End { .. } | Listed::Unreadable { .. }) {
            self.open = Some(list);
        }
        Some(job)
    }
}

impl Payload for Listed {
    fn weight(&self) -> usize {
        match self {
            Self::File(Entry { name, digests, .. }) => {
                name.len() + digests.iter().map(|(_, digest)| digest.len()).sum::<usize>()
            }
            Self::Malformed { tagged, refused, .. } => {
                tagged.as_ref().map_or(0, Vec::len) + refused.as_ref().map_or(0, String::len)
            }
            _ => 0,
        }
    }
}

fn note(payload: Listed) -> Job<Listed> {
    Job { payload, work: None }
}
