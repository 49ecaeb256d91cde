//! Operands: names from the command line or from a list, and the files that they mean.

use std::{
    collections::HashSet,
    ffi::OsString,
    io::{self, BufRead, BufReader, Cursor, Read as _},
    path::Path,
    sync::Arc,
};

use jlanes_files::{
    Files, Rules, Target, WalkNotice,
    lists::{decode_text, read_line},
};

use super::open_or_stdin;
use crate::{
    report::{LineError, Notice},
    system::{self, FileKind},
};

/// The maximum length of a name in a list: far more than any system allows.
const MAX_NAME_BYTES: usize = 64 << 10;

/// The name of a list, and its error.
type ListError = (Vec<u8>, io::Error);

/// A name, or the error of a list.
pub(crate) type Operand = Result<Vec<u8>, ListError>;

/// The source of the names of files.
#[derive(Debug)]
pub(crate) enum Operands {
    Given(Vec<Vec<u8>>),
    /// A list of names that end with `end`.
    Listed {
        list: OsString,
        end: u8,
    },
}

impl Operands {
    /// The same names once more, if they can be read twice: from a regular file, but not from a pipe.
    pub(crate) fn try_clone(&self) -> Option<Self> {
        match self {
            Self::Given(names) => Some(Self::Given(names.clone())),
            Self::Listed { list, end } if list != "-" && is_regular(list) => {
                Some(Self::Listed { list: list.clone(), end: *end })
            }
            Self::Listed { .. } => None,
        }
    }

    /// The files that the names mean by `rules`, each with its name.
    pub(crate) fn files(
        self,
        rules: Arc<Rules>,
    ) -> impl Iterator<Item = (Vec<u8>, OperandFile)> + Send {
        self.into_iter().flat_map(move |operand| files_of(operand, &rules))
    }

    /// All names, in memory, and the errors of others.
    pub(crate) fn into_names(self) -> (Vec<Vec<u8>>, Vec<ListError>) {
        let (mut names, mut wrong) = (Vec::new(), Vec::new());
        for operand in self.into_iter() {
            match operand {
                Ok(name) => names.push(name),
                Err(error) => wrong.push(error),
            }
        }
        (names, wrong)
    }

    /// The names in order. A list is read as they are requested.
    pub(crate) fn into_iter(self) -> Box<dyn Iterator<Item = Operand> + Send> {
        match self {
            Self::Given(names) => Box::new(names.into_iter().map(Ok)),
            Self::Listed { list, end } => match open(&list, end) {
                Ok(reader) => Box::new(NameReader { reader, list, end, number: 0 }),
                Err(error) => Box::new([Err((system::into_bytes(list), error))].into_iter()),
            },
        }
    }
}

fn is_regular(path: &OsString) -> bool {
    system::stat(&system::bytes(path)).is_ok_and(|stat| stat.kind == FileKind::File)
}

/// Opens a list. If it has lines, it may begin with a byte order mark, which selects the encoding.
fn open(list: &OsString, end: u8) -> io::Result<Box<dyn BufRead + Send>> {
    const MARKS: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];

    let mut reader = open_or_stdin(list)?;
    let mut start = Vec::new();
    reader.by_ref().take(3).read_to_end(&mut start)?;
    let has_mark = end == b'\n' && MARKS.iter().any(|mark| start.starts_with(mark));
    let reader = Box::new(Cursor::new(start).chain(reader));
    Ok(match has_mark {
        true => Box::new(decode_text(reader)?.0),
        false => Box::new(BufReader::with_capacity(32 << 10, reader)),
    })
}

struct NameReader {
    reader: Box<dyn BufRead + Send>,
    list: OsString,
    end: u8,
    number: u64,
}

impl NameReader {
    /// The error of the last name.
    fn error(&self, what: &'static str) -> Operand {
        let error = LineError { number: self.number, what };
        Err((system::bytes(&self.list).into(), io::Error::new(io::ErrorKind::InvalidInput, error)))
    }
}

impl Iterator for NameReader {
    type Item = Operand;

    fn next(&mut self) -> Option<Operand> {
        let mut name = Vec::new();
        self.number += 1;
        match read_line(&mut self.reader, self.end, MAX_NAME_BYTES, &mut name) {
            Ok(None) => return None,
            Ok(Some(false)) => {}
            Ok(Some(true)) => return Some(self.error("file name too long")),
            Err(error) => {
                // an unreadable list has no more names
                self.reader = Box::new(io::empty());
                return Some(Err((system::bytes(&self.list).into(), error)));
            }
        }
        // lines of Windows end with a carriage return and a line feed
        if self.end == b'\n' && name.last() == Some(&b'\r') {
            name.pop();
        }
        Some(match &name[..] {
            b"" => self.error("invalid zero-length file name"),
            b"-" if self.list == "-" => {
                self.error("no file name of '-' allowed when names come from standard input")
            }
            _ if name.contains(&0) => self.error("file name with a NUL"),
            _ => Ok(system::native_name(&name).into_owned()),
        })
    }
}

/// `path` and the directories above it, up to the nearest of `roots`; `None` if none is above it.
pub(crate) fn parts_below<'p>(
    path: &'p Path,
    roots: &HashSet<Vec<u8>>,
) -> Option<impl Iterator<Item = &'p Path>> {
    let is_root = |above: &Path| roots.contains(&*system::bytes(above.as_os_str()));
    let levels = path.ancestors().skip(1).position(is_root)?;
    Some(path.ancestors().take(levels + 1))
}

/// Whether `path` is a symbolic link.
pub(crate) fn is_link(path: &Path) -> bool {
    let stat = system::lstat(&system::bytes(path.as_os_str()));
    stat.is_ok_and(|stat| stat.kind == FileKind::Link)
}

/// A file that an operand means, or an error.
pub(crate) enum OperandFile {
    File(Target),
    /// A file that could not be opened or read, or a [`Notice`] about a skipped one.
    Failed(io::Error),
}

/// The files that `operand` means by `rules`, each with its name.
pub(crate) fn files_of(
    operand: Operand,
    rules: &Arc<Rules>,
) -> impl Iterator<Item = (Vec<u8>, OperandFile)> + Send + use<> {
    let (files, wrong) = match operand {
        Ok(name) => (Some(Files::of(name, rules)), None),
        Err((name, error)) => (None, Some((name, OperandFile::Failed(error)))),
    };
    let files = files.into_iter().flatten().map(|(name, found)| (name, OperandFile::from(found)));
    wrong.into_iter().chain(files)
}

impl From<jlanes_files::WalkEntry> for OperandFile {
    fn from(found: jlanes_files::WalkEntry) -> Self {
        Self::Failed(match found {
            jlanes_files::WalkEntry::File(target) => return Self::File(target),
            jlanes_files::WalkEntry::Failed(error) => error,
            jlanes_files::WalkEntry::Notice(WalkNotice::NotAFile(kind)) => {
                Notice::LeftOut(kind).into()
            }
            jlanes_files::WalkEntry::Notice(WalkNotice::OutputFile) => Notice::Output.into(),
            jlanes_files::WalkEntry::Notice(WalkNotice::OutputRefused) => {
                io::Error::other("the output goes here; --force leaves it out")
            }
        })
    }
}
