//! Turns lists into jobs, one for each line, as workers ask for them.

use std::{ffi::OsString, io, sync::Arc, vec};

use jlanes_files::lists::{Entry, Fault, Line, List, Parser};

use super::{Accepted, Forms, Names};
use crate::{
    files::{Rules, Target, open_or_stdin},
    hash::{
        Computation, Job, Payload, Work,
        directory::{self, Met, is_for_directories},
    },
    system,
};

/// An item of a list: a file to verify, or a fact to report.
pub(crate) enum Listed {
    File(Entry),
    /// An entry with a size and no digest, and the size of the file.
    Sized(Entry, io::Result<u64>),
    /// A file in a directory that the list has a digest of.
    Member(Met),
    /// The end of such a directory.
    Directory(Entry),
    /// A malformed or refused line.
    Malformed {
        list: Arc<[u8]>,
        line: u64,
        /// The last tag in the list.
        tagged: Option<Vec<u8>>,
        /// The reason for refusing the line; `None` if it is malformed.
        refused: Option<String>,
    },
    /// The end of the list.
    End {
        list: Arc<[u8]>,
        skipped: bool,
        /// A hint for malformed lines.
        hint: Option<String>,
        /// A name that was taken literally, because only the file of that name exists.
        literal: Option<Vec<u8>>,
    },
    /// A name of `--only` that no list has.
    Absent {
        name: Vec<u8>,
    },
    /// The list could not be opened, or read to its end.
    Unreadable {
        list: Arc<[u8]>,
        error: io::Error,
    },
}

/// The directories in lists that are walked, and the rules for that.
#[derive(Clone, Debug)]
pub(crate) enum Directories {
    /// None: their digests are refused.
    None,
    /// Directories below the base directory: a list must not make us read the whole disk.
    Below(Rules),
    /// All.
    All(Rules),
}

/// The jobs of all `lists`, only for the names in `only` if there are any.
pub(crate) fn jobs(
    lists: Vec<OsString>,
    accepted: Accepted,
    only: Vec<OsString>,
    directories: Directories,
) -> impl Iterator<Item = Job<Listed>> + Send {
    let only = only.into_iter().map(|name| (system::into_bytes(name), false)).collect();
    let (lists, parser) = (lists.into_iter(), Parser::new(accepted));
    Lists { lists, open: None, inside: None, directories, parser, computations: Arc::new([]), only }
}

/// An open list.
struct Open {
    list: List,
    /// The name in messages.
    name: Arc<[u8]>,
    is_stdin: bool,
    /// Whether lines were skipped: because of `--only`, or because their files are optional.
    skipped: bool,
    /// A hint for malformed lines.
    hint: Option<String>,
    /// The first name that was taken literally.
    literal: Option<Vec<u8>>,
}

impl Open {
    /// Opens the list `operand`. An error comes with the list's name for messages.
    fn new(operand: &OsString, accepted: &Accepted) -> Result<Self, (Arc<[u8]>, io::Error)> {
        let is_stdin = operand == "-";
        let name = match is_stdin {
            true => Arc::from(&b"standard input"[..]),
            false => Arc::from(system::bytes(operand)),
        };
        let opened = open_or_stdin(operand).map(|reader| match accepted.forms {
            Forms::All => List::new(reader),
            // GNU's tools read no other formats
            Forms::Sum | Forms::Cksum => Ok(List::gnu(reader)),
        });
        let list = match opened {
            Ok(Ok(list)) => list.longest(accepted.longest_line()),
            // GNU's words
            Ok(Err(_)) => return Err((name, io::Error::other("read error"))),
            Err(error) => return Err((name, error)),
        };
        Ok(Self { list, name, is_stdin, skipped: false, hint: None, literal: None })
    }
}

struct Lists {
    lists: vec::IntoIter<OsString>,
    open: Option<Open>,
    /// The remaining jobs of the last line's directory.
    inside: Option<Box<dyn Iterator<Item = Job<Listed>> + Send>>,
    directories: Directories,
    parser: Parser<Accepted>,
    /// The computations of the last line.
    computations: Arc<[Computation]>,
    /// The names of `--only`, and whether a list has had each.
    only: Vec<(Vec<u8>, bool)>,
}

impl Lists {
    /// Whether `--only` allows the file `name`.
    fn wants(&mut self, name: &[u8]) -> bool {
        let asked = self.only.iter_mut().find(|(wanted, _)| wanted == name);
        let met = asked.map(|(_, met)| *met = true).is_some();
        met || self.only.is_empty()
    }

    /// The next job of the open list.
    fn read(&mut self, list: &mut Open) -> Job<Listed> {
        loop {
            match list.list.next(&mut self.parser) {
                Ok(Some(line)) => {
                    if let Some(job) = self.job(list, line) {
                        return job;
                    }
                }
                Ok(None) => {
                    let (name, skipped) = (Arc::clone(&list.name), list.skipped);
                    let (hint, literal) = (list.hint.take(), list.literal.take());
                    return without_work(Listed::End { list: name, skipped, hint, literal });
                }
                // GNU's words
                Err(_) => {
                    let (list, error) = (Arc::clone(&list.name), io::Error::other("read error"));
                    return without_work(Listed::Unreadable { list, error });
                }
            }
        }
    }

    /// The job of a line, if its file is wanted.
    fn job(&mut self, list: &mut Open, line: Line) -> Option<Job<Listed>> {
        let Line { number, text, entry, is_optional } = line;
        let entry = match (entry, &text) {
            (Err(Fault::Malformed), Some(text)) => self.parser.tags().bare(text, &list.name),
            (Ok(entry), _) if list.is_stdin && entry.name == b"-" => Err(Fault::Malformed),
            (entry, _) => entry,
        };
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(Fault::Refused(why)) => return Some(self.malformed(list, number, Some(why))),
            Err(Fault::Malformed) => {
                if list.hint.is_none() {
                    list.hint = text.and_then(|text| self.parser.tags().doubt(&text));
                }
                return Some(self.malformed(list, number, None));
            }
        };
        let names = &self.parser.tags().names;
        let is_there = |name: &[u8]| {
            let target = names.target(name, &names.path(name));
            target.is_ok_and(|target| target.regular_size().is_ok())
        };
        if entry.choose_name(is_there) {
            list.literal.get_or_insert_with(|| entry.name.clone());
        }
        if let Some(why) = names.refusal(&entry.name) {
            return Some(self.malformed(list, number, Some(why)));
        }
        let path = names.path(&entry.name).into_owned();
        let Ok(target) = names.target(&entry.name, &path) else {
            return Some(self.malformed(list, number, None));
        };
        let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
        if !self.wants(&entry.name) || (is_optional && target.regular_size().is_err_and(is_missing))
        {
            list.skipped = true;
            return None;
        }
        if entry.digests.is_empty() {
            let size = target.regular_size();
            return Some(without_work(Listed::Sized(entry, size)));
        }
        let of_directory =
            entry.digests.iter().any(|(it, _)| matches!(it, Computation::Directory(_)));
        let refused =
            |list: &Open, why: &str| Some(self.malformed(list, number, Some(why.to_owned())));
        let rules = match &self.directories {
            Directories::None if of_directory => {
                return refused(list, "a digest of a directory, which -c checks");
            }
            Directories::None => None,
            Directories::Below(rules) | Directories::All(rules) => {
                Some(rules).filter(|_| of_directory || is_directory(&entry, &path))
            }
        };
        let Some(rules) = rules else { return Some(self.file(target, entry)) };
        if matches!(self.directories, Directories::Below(_))
            && (Names::leads_out(&entry.name).is_some()
                || self.parser.tags().names.links_lead_out(&path))
        {
            return refused(list, "a directory outside of the working directory, which -r checks");
        }
        let mut inside = in_directory(entry, path, rules);
        let first = inside.next();
        self.inside = Some(Box::new(inside));
        first
    }

    fn malformed(&self, list: &Open, line: u64, refused: Option<String>) -> Job<Listed> {
        let name = Arc::clone(&list.name);
        let tagged = self.parser.tagged().map(<[u8]>::to_vec);
        without_work(Listed::Malformed { list: name, line, tagged, refused })
    }

    fn file(&mut self, target: Target, entry: Entry) -> Job<Listed> {
        let computations = || entry.digests.iter().map(|(it, _)| it);
        if !computations().eq(self.computations.iter()) {
            self.computations = computations().cloned().collect();
        }
        let work = Work { computations: Arc::clone(&self.computations), target };
        Job { payload: Listed::File(entry), work: Some(work) }
    }

    /// The next name of `--only` that no list had.
    fn absent(&mut self) -> Option<Job<Listed>> {
        let (name, met) = self.only.iter_mut().find(|(_, met)| !met)?;
        *met = true;
        Some(without_work(Listed::Absent { name: name.clone() }))
    }
}

impl Iterator for Lists {
    type Item = Job<Listed>;

    fn next(&mut self) -> Option<Job<Listed>> {
        if let Some(job) = self.inside.as_mut().and_then(Iterator::next) {
            return Some(job);
        }
        self.inside = None;
        let mut list = match self.open.take() {
            Some(list) => list,
            None => match self.lists.next().map(|it| Open::new(&it, self.parser.tags())) {
                Some(Ok(list)) => {
                    let name = list.name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
                    self.parser.tags_mut().list = name.to_vec();
                    list
                }
                Some(Err((list, error))) => {
                    return Some(without_work(Listed::Unreadable { list, error }));
                }
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

/// Whether `path` is a directory, and all digests of `entry` can be those of a directory.
fn is_directory(entry: &Entry, path: &[u8]) -> bool {
    entry.digests.iter().all(|(it, _)| is_for_directories(it)) && system::is_directory(path)
}

/// The jobs of a line with a directory.
fn in_directory(
    entry: Entry,
    path: Vec<u8>,
    rules: &Rules,
) -> impl Iterator<Item = Job<Listed>> + Send + use<> {
    let jobs = directory::jobs(Ok(path), rules, &entry.digests[0].0);
    let mut entry = Some(entry);
    jobs.map(move |Job { payload, work }| {
        let payload = match payload {
            Met::End(_) => Listed::Directory(entry.take().expect("a directory ends once")),
            met => Listed::Member(met),
        };
        Job { payload, work }
    })
}

impl Payload for Listed {
    fn weight(&self) -> usize {
        match self {
            Self::File(entry) | Self::Sized(entry, _) | Self::Directory(entry) => entry.weight(),
            Self::Malformed { tagged, refused, .. } => {
                tagged.as_ref().map_or(0, Vec::len) + refused.as_ref().map_or(0, String::len)
            }
            Self::Member(met) => met.weight(),
            _ => 0,
        }
    }
}

fn without_work(payload: Listed) -> Job<Listed> {
    Job { payload, work: None }
}

#[cfg(test)]
mod tests {
    use jlanes::Algorithm;

    use super::*;

    #[test]
    fn what_waits_weighs_what_it_keeps() {
        let entry = || Entry {
            name: b"name".to_vec(),
            literal: None,
            digests: vec![(Algorithm::SHA256.into(), vec![0; 32])],
            either: false,
            size: None,
        };
        let list: Arc<[u8]> = (*b"list").into();
        let refused = Some("why".to_owned());
        let malformed = |tagged, refused| {
            Listed::Malformed { list: list.clone(), line: 1, tagged, refused }.weight()
        };
        assert_eq!(Listed::File(entry()).weight(), 36);
        assert_eq!(Listed::Sized(entry(), Ok(7)).weight(), 36);
        assert_eq!(Listed::Directory(entry()).weight(), 36);
        assert_eq!(Listed::Member(Met::End(b"dir".to_vec())).weight(), 3);
        assert_eq!(malformed(Some(b"TAGS".to_vec()), refused), 7);
        assert_eq!(malformed(None, None), 0);
        assert_eq!(Listed::Absent { name: b"name".to_vec() }.weight(), 0);
    }
}
