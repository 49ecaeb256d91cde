//! [`jobs`], an iterator over the lines of checksum lists as jobs for the engine.
//!
//! A job is a file to hash, or a fact to report in its turn, such as a malformed line: each is a [`ListItem`], and the
//! engine returns them in order, so verdicts have the order of lines. A directory's digest comes after its members.
//!
//! A line is read when a worker asks for a job, because lists may be longer than memory. They may be untrusted, too:
//! the rules of [`AcceptedDigests`] apply before a file is opened.

use std::{ffi::OsString, io, sync::Arc, vec};

use jlanes_files::{
    Computation, Job, Payload, Rules, Target, Work,
    lists::{Entry, Fault, GnuParser, Line, List},
};

use super::{AcceptedDigests, ListTools, NameRules};
use crate::{
    files::open_or_stdin,
    hash::directory::{self, DirectoryItem, is_for_directories},
    system,
};

/// An item of a list: a file to verify, or a fact to report.
pub(crate) enum ListItem {
    File(Entry),
    /// An entry with a size and no digest, and the size of the file.
    Sized(Entry, io::Result<u64>),
    /// A file in a directory that the list has a digest of.
    Member(DirectoryItem),
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
    /// Directories anywhere.
    All(Rules),
}

/// The jobs of all `lists`, only for the names in `only` if there are any.
pub(crate) fn jobs(
    lists: Vec<OsString>,
    accepted: AcceptedDigests,
    only: Vec<OsString>,
    directories: Directories,
) -> impl Iterator<Item = Job<ListItem>> + Send {
    let only = only.into_iter().map(|name| (system::into_bytes(name), false)).collect();
    let (lists, parser) = (lists.into_iter(), GnuParser::new(accepted));
    Lists { lists, open: None, inside: None, directories, parser, computations: Arc::new([]), only }
}

/// An open list.
struct OpenList {
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

impl OpenList {
    /// Opens the list `operand`. An error comes with the list's name for messages.
    fn new(operand: &OsString, accepted: &AcceptedDigests) -> Result<Self, (Arc<[u8]>, io::Error)> {
        let is_stdin = operand == "-";
        let name = match is_stdin {
            true => Arc::from(&b"standard input"[..]),
            false => Arc::from(system::bytes(operand)),
        };
        let opened = open_or_stdin(operand).map(|reader| match accepted.tools {
            ListTools::All => List::new(reader),
            // GNU's tools read no other formats
            ListTools::Sum | ListTools::Cksum => Ok(List::gnu(reader)),
        });
        let list = match opened {
            Ok(Ok(list)) => list.max_line_bytes(accepted.max_line_bytes()),
            // GNU's words
            Ok(Err(_)) => return Err((name, io::Error::other("read error"))),
            Err(error) => return Err((name, error)),
        };
        Ok(Self { list, name, is_stdin, skipped: false, hint: None, literal: None })
    }
}

struct Lists {
    lists: vec::IntoIter<OsString>,
    open: Option<OpenList>,
    /// The remaining jobs of the last line's directory.
    inside: Option<Box<dyn Iterator<Item = Job<ListItem>> + Send>>,
    directories: Directories,
    parser: GnuParser<AcceptedDigests>,
    /// The computations of the last line.
    computations: Arc<[Computation]>,
    /// The names of `--only`, and whether a list has had each.
    only: Vec<(Vec<u8>, bool)>,
}

impl Lists {
    /// Whether `--only` allows the file `name`.
    fn wants(&mut self, name: &[u8]) -> bool {
        let asked = self.only.iter_mut().filter(|(wanted, _)| wanted == name);
        let is_asked = asked.map(|(_, found)| *found = true).count() > 0;
        is_asked || self.only.is_empty()
    }

    /// The next job of the open list.
    fn read(&mut self, list: &mut OpenList) -> Job<ListItem> {
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
                    return without_work(ListItem::End { list: name, skipped, hint, literal });
                }
                // GNU's words
                Err(_) => {
                    let (list, error) = (Arc::clone(&list.name), io::Error::other("read error"));
                    return without_work(ListItem::Unreadable { list, error });
                }
            }
        }
    }

    /// The first job of a line, if its file is wanted.
    fn job(&mut self, list: &mut OpenList, line: Line) -> Option<Job<ListItem>> {
        let Line { number, text, entry, is_optional } = line;
        let entry = self.entry(list, text, entry);
        let job = entry.and_then(|entry| self.job_of(list, entry, is_optional));
        job.unwrap_or_else(|fault| Some(self.malformed(list, number, fault)))
    }

    /// The entry of a line, under the name of the two that it has if there is a choice.
    fn entry(
        &self,
        list: &mut OpenList,
        text: Option<Vec<u8>>,
        entry: Result<Entry, Fault>,
    ) -> Result<Entry, Fault> {
        let tags = self.parser.tags();
        let entry = match (entry, &text) {
            (Err(Fault::Malformed), Some(text)) => tags.nameless_entry(text, &list.name),
            (Ok(entry), _) if list.is_stdin && entry.name == b"-" => Err(Fault::Malformed),
            (entry, _) => entry,
        };
        if let (Err(Fault::Malformed), None) = (&entry, &list.hint) {
            list.hint = text.and_then(|text| tags.line_hint(&text));
        }
        let mut entry = entry?;
        let is_there = |name: &[u8]| {
            let target = tags.names.target(name, &tags.names.path(name));
            target.is_ok_and(|target| target.regular_size().is_ok())
        };
        if entry.choose_name(is_there) {
            list.literal.get_or_insert_with(|| entry.name.clone());
        }
        Ok(entry)
    }

    /// The first job of an entry, if its file is wanted.
    fn job_of(
        &mut self,
        list: &mut OpenList,
        entry: Entry,
        is_optional: bool,
    ) -> Result<Option<Job<ListItem>>, Fault> {
        let names = &self.parser.tags().names;
        if let Some(why) = names.refusal(&entry.name) {
            return Err(Fault::Refused(why));
        }
        let path = names.path(&entry.name).into_owned();
        let target = names.target(&entry.name, &path).map_err(|_| Fault::Malformed)?;
        let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
        if !self.wants(&entry.name) || (is_optional && target.regular_size().is_err_and(is_missing))
        {
            list.skipped = true;
            return Ok(None);
        }
        if entry.digests.is_empty() {
            let size = target.regular_size();
            return Ok(Some(without_work(ListItem::Sized(entry, size))));
        }
        let Some(rules) = self.rules(&entry, &path)? else {
            return Ok(Some(self.file(target, entry)));
        };
        let mut members = in_directory(entry, path, rules);
        let first = members.next();
        self.inside = Some(Box::new(members));
        Ok(first)
    }

    /// The rules for the directory `path`, if `entry` is one.
    fn rules(&self, entry: &Entry, path: &[u8]) -> Result<Option<&Rules>, Fault> {
        let is_of_directory =
            entry.digests.iter().any(|(it, _)| matches!(it, Computation::Directory(_)));
        let is_directory = || is_of_directory || is_directory(entry, path);
        let leads_out = || {
            NameRules::leads_out(&entry.name).is_some()
                || self.parser.tags().names.links_lead_out(path)
        };
        let refused = |why: &str| Err(Fault::Refused(why.to_owned()));
        match &self.directories {
            Directories::None if is_of_directory => {
                refused("a digest of a directory, which -c checks")
            }
            Directories::Below(_) if is_directory() && leads_out() => {
                refused("a directory outside of the working directory, which -r checks")
            }
            Directories::Below(rules) | Directories::All(rules) if is_directory() => {
                Ok(Some(rules))
            }
            Directories::None | Directories::Below(_) | Directories::All(_) => Ok(None),
        }
    }

    fn malformed(&self, list: &OpenList, line: u64, fault: Fault) -> Job<ListItem> {
        let name = Arc::clone(&list.name);
        let tagged = self.parser.last_tag().map(<[u8]>::to_vec);
        let refused = match fault {
            Fault::Malformed => None,
            Fault::Refused(why) => Some(why),
        };
        without_work(ListItem::Malformed { list: name, line, tagged, refused })
    }

    fn file(&mut self, target: Target, entry: Entry) -> Job<ListItem> {
        let computations = || entry.digests.iter().map(|(it, _)| it);
        if !computations().eq(self.computations.iter()) {
            self.computations = computations().cloned().collect();
        }
        let work = Work { computations: Arc::clone(&self.computations), target };
        Job { payload: ListItem::File(entry), work: Some(work) }
    }

    /// The next name of `--only` that no list had.
    fn absent(&mut self) -> Option<Job<ListItem>> {
        let (name, found) = self.only.iter_mut().find(|(_, found)| !found)?;
        *found = true;
        Some(without_work(ListItem::Absent { name: name.clone() }))
    }
}

impl Iterator for Lists {
    type Item = Job<ListItem>;

    fn next(&mut self) -> Option<Job<ListItem>> {
        if let Some(job) = self.inside.as_mut().and_then(Iterator::next) {
            return Some(job);
        }
        self.inside = None;
        let mut list = match self.open.take() {
            Some(list) => list,
            None => match self.lists.next().map(|it| OpenList::new(&it, self.parser.tags())) {
                Some(Ok(list)) => {
                    let name = list.name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
                    self.parser.tags_mut().list = name.to_vec();
                    list
                }
                Some(Err((list, error))) => {
                    return Some(without_work(ListItem::Unreadable { list, error }));
                }
                None => return self.absent(),
            },
        };
        let job = self.read(&mut list);
        if !matches!(job.payload, ListItem::End { .. } | ListItem::Unreadable { .. }) {
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
) -> impl Iterator<Item = Job<ListItem>> + Send + use<> {
    let jobs = directory::jobs(Ok(path), rules, &entry.digests[0].0);
    let mut entry = Some(entry);
    jobs.map(move |Job { payload, work }| {
        let payload = match payload {
            DirectoryItem::End(_) => {
                ListItem::Directory(entry.take().expect("a directory ends once"))
            }
            item => ListItem::Member(item),
        };
        Job { payload, work }
    })
}

impl Payload for ListItem {
    fn weight(&self) -> usize {
        match self {
            Self::File(entry) | Self::Sized(entry, _) | Self::Directory(entry) => entry.weight(),
            Self::Malformed { tagged, refused, .. } => {
                tagged.as_ref().map_or(0, Vec::len) + refused.as_ref().map_or(0, String::len)
            }
            Self::Member(item) => item.weight(),
            _ => 0,
        }
    }
}

fn without_work(payload: ListItem) -> Job<ListItem> {
    Job { payload, work: None }
}

#[cfg(test)]
mod tests {
    use jlanes::Algorithm;

    use super::*;

    #[test]
    fn waiting_lines_weigh_the_memory_they_keep() {
        let entry = || Entry {
            name: b"name".to_vec(),
            literal: None,
            digests: vec![(Algorithm::SHA256.into(), vec![0; 32])],
            any_suffices: false,
            size: None,
        };
        let list: Arc<[u8]> = (*b"list").into();
        let refused = Some("why".to_owned());
        let malformed = |tagged, refused| {
            ListItem::Malformed { list: list.clone(), line: 1, tagged, refused }.weight()
        };
        assert_eq!(ListItem::File(entry()).weight(), 36);
        assert_eq!(ListItem::Sized(entry(), Ok(7)).weight(), 36);
        assert_eq!(ListItem::Directory(entry()).weight(), 36);
        assert_eq!(ListItem::Member(DirectoryItem::End(b"dir".to_vec())).weight(), 3);
        assert_eq!(malformed(Some(b"TAGS".to_vec()), refused), 7);
        assert_eq!(malformed(None, None), 0);
        assert_eq!(ListItem::Absent { name: b"name".to_vec() }.weight(), 0);
    }
}
