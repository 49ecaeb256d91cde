//! The rows of a list in the form that `--update` writes most: read one after another, and none is kept.

use std::{
    fs::File,
    io::{self, BufReader, Seek as _},
    ops::Range,
    time::Duration,
};

use super::{
    stamp,
    text::{self, COMMENT},
};
use crate::{
    hash::Scheme,
    lists::{
        Accepted, Encoding, Entry, LONGEST_LINE, Layout, Parser, Style, from_hex, needs_escape,
        read_line,
    },
};

/// The form of lines with a digest and a name. Lines that differ in digits and name alone mean the same
/// hash.
#[derive(Clone)]
pub(super) struct Like {
    pub(super) scheme: Scheme,
    pub(super) style: Style,
    /// Digits of the digest.
    digits: usize,
    between: &'static [u8],
}

impl Like {
    pub(super) fn of(style: Style, entry: &Entry<Scheme>) -> Option<Self> {
        let [(scheme, digest)] = &entry.digests[..] else { return None };
        let between: &[u8] = match style.layout {
            Layout::Untagged { binary: false } => b"  ",
            Layout::Untagged { binary: true } => b" *",
            _ => return None,
        };
        let is_plain = style.encoding == Encoding::Hex && digest.len() == scheme.output_size();
        let (scheme, digits) = (scheme.clone(), 2 * digest.len());
        is_plain.then_some(Self { scheme, style, digits, between })
    }

    /// The form of the first line of `list`.
    fn first(list: &File, accepted: Accepted) -> io::Result<Option<Self>> {
        let (mut reader, mut line) = (BufReader::new(list), Vec::new());
        while read_line(&mut reader, b'\n', LONGEST_LINE, &mut line)?.is_some() {
            if !line.starts_with(b"#") || line.starts_with(b"#!") {
                let entry = Parser::new(accepted).parse(&line);
                let like = entry.and_then(|entry| Self::of(text::style_of(&entry, &line)?, &entry));
                return Ok(like);
            }
        }
        Ok(None)
    }

    /// The name in a line of this form, and its digest in `digest`.
    pub(super) fn split<'l>(&self, line: &'l [u8], digest: &mut Vec<u8>) -> Option<&'l [u8]> {
        let (digits, rest) = line.split_at_checked(self.digits)?;
        let name = rest.strip_prefix(self.between)?;
        let is_plain = !name.is_empty() && !needs_escape(name) && !name.contains(&0);
        (from_hex(digits, digest) && is_plain).then_some(name)
    }
}

/// A list of which all rows can be compared one after another with a walk: it is in one form, and in the
/// order of names, so that none is there twice.
pub(super) struct Outline {
    pub(super) like: Like,
    /// How many files it has.
    pub(super) files: usize,
    /// When it was brought up to date.
    pub(super) begun: Option<Duration>,
}

impl Outline {
    /// Looks through `list`. `None` if it is another list.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn read(list: File, accepted: Accepted) -> io::Result<Option<Self>> {
        let names = accepted.names.clone();
        let Some(like) = Like::first(&list, accepted)? else { return Ok(None) };
        let mut rows = Rows::new(list, like)?;
        let (mut files, mut last) = (0, Vec::new());
        while let Some(name) = rows.next()? {
            let Some(name) = name else { return Ok(None) };
            let is_in_order =
                files == 0 || (*last < *name && last.starts_with(b"./") == name.starts_with(b"./"));
            if !is_in_order || !is_plain(name) || *names.path(name) != *name {
                return Ok(None);
            }
            last.clear();
            last.extend_from_slice(name);
            files += 1;
        }
        let Rows { like, begun, .. } = rows;
        Ok(Some(Self { like, files, begun }))
    }
}

/// Whether `name` is the only one that its file has with this beginning.
fn is_plain(name: &[u8]) -> bool {
    let rest = name.strip_prefix(b"./").or_else(|| name.strip_prefix(b"/")).unwrap_or(name);
    rest.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"."))
}

/// Reads one row after another.
pub(super) struct Rows {
    reader: BufReader<File>,
    like: Like,
    line: Vec<u8>,
    /// The digest in that line, and the stamp before it.
    digest: Vec<u8>,
    stamp: Vec<u8>,
    begun: Option<Duration>,
}

/// Where a digest is, and the stamp of its file.
pub(super) type Told = (Range<usize>, Range<usize>);

impl Rows {
    pub(super) fn new(mut list: File, like: Like) -> io::Result<Self> {
        list.rewind()?;
        let reader = BufReader::with_capacity(64 << 10, list);
        let (line, digest, stamp) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { reader, like, line, digest, stamp, begun: None })
    }

    /// Reads the next row, and returns its name; `Some(None)` for a line in another form.
    #[expect(clippy::option_option, reason = "the outer one is that of iterators")]
    fn next(&mut self) -> io::Result<Option<Option<&[u8]>>> {
        self.stamp.clear();
        while read_line(&mut self.reader, b'\n', LONGEST_LINE, &mut self.line)?.is_some() {
            if self.line.starts_with(stamp::PREFIX.as_bytes()) {
                std::mem::swap(&mut self.line, &mut self.stamp);
            } else if let Some(moment) = self.line.strip_prefix(COMMENT.as_bytes()) {
                self.begun = self.begun.or_else(|| text::moment(str::from_utf8(moment).ok()?));
            } else if !self.line.is_empty() && !self.line.starts_with(b"#") {
                return Ok(Some(self.like.split(&self.line, &mut self.digest)));
            }
        }
        Ok(None)
    }

    /// Whether there is no further row.
    pub(super) fn is_at_end(&mut self) -> bool {
        matches!(self.next(), Ok(None))
    }

    /// Whether the next row is that of the file `name`. Appends to `text` what it tells.
    pub(super) fn find(&mut self, name: &[u8], text: &mut Vec<u8>) -> Option<Told> {
        let is_it = self.next().is_ok_and(|row| row.flatten() == Some(name));
        let mut add = |part: &[u8]| {
            text.extend_from_slice(part);
            text.len() - part.len()..text.len()
        };
        is_it.then(|| (add(&self.digest), add(&self.stamp)))
    }
}
