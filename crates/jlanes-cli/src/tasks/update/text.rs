//! The text of a list in memory: where the lines of each file are, and the user's comments.

mod form;

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map},
    ffi::OsStr,
    fs::File,
    io::{self, BufRead as _, Read as _},
    iter,
    ops::Range,
    time::Duration,
};

use jlanes_files::{
    Computation,
    lists::{Entry, GnuParser, LineLayout, MAX_LINE_BYTES, Style, normalized_path},
};

use self::form::{DigestLine, LineForm, is_in, style_of};
use super::stamp::Stamp;
use crate::{
    lists::{AcceptedDigests, NameRules},
    tasks::audit::{Listing, PathSpellings},
};

/// The start of the comment with the time of the update.
pub(super) const UPDATE_TIME_PREFIX: &str = "# jlanes-sum --update, files as of ";

/// The number of bytes read at once, so that a file that is no list is not read to its end.
const READ_BYTES: usize = MAX_LINE_BYTES;

/// A list in a format that `--update` writes.
#[derive(Default)]
pub(super) struct ListText {
    bytes: Vec<u8>,
    rows: Vec<Row>,
    /// Lines of a file that stand apart from its first ones, by its row.
    more: HashMap<usize, Vec<Row>>,
    last: LastLine,
    /// The rows by plain paths; `None` while files are in the order of their paths.
    index: Option<HashMap<Vec<u8>, usize>>,
    /// The forms of lines, one for each computation and layout.
    forms: Vec<LineForm>,
    /// Lines in none of these forms, by their offsets.
    odd: HashMap<usize, DigestLine<'static>>,
    names: NameRules,
    spellings: PathSpellings,
    /// Whether every file has at most one digest by each computation, in the order of the computations.
    pub(super) has_one_digest_each: bool,
    /// The time of the last update.
    pub(super) begun: Option<Duration>,
    /// The style of its lines.
    pub(super) style: Option<Style>,
    /// The reason why a new list would lose something, if there is one.
    pub(super) fault: Option<String>,
}

/// The last line with a digest so far.
#[derive(Default)]
struct LastLine {
    /// The offset of the line after it.
    end: usize,
    name: Vec<u8>,
    /// The number of its computation.
    number: usize,
}

/// The range of lines with the digests of a file, and of the comments before them.
#[derive(Clone, Copy)]
struct Row {
    comments: usize,
    digests: usize,
    end: usize,
}

impl ListText {
    /// Reads `list`, up to the first line in an unknown format.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn read(list: &OsStr, accepted: AcceptedDigests) -> io::Result<Self> {
        let mut list = File::open(list)?;
        let mut text =
            Self { names: accepted.names.clone(), has_one_digest_each: true, ..Self::default() };
        let (mut parser, mut bytes) = (GnuParser::new(accepted), Vec::new());
        let size = usize::try_from(list.metadata()?.len()).unwrap_or(0);
        // without enough room, the buffer grows
        let _ = bytes.try_reserve_exact(size.saturating_add(READ_BYTES));
        let (mut start, mut number) = (0, 1_u64);
        while text.fault.is_none() {
            let is_over = list.by_ref().take(READ_BYTES as u64).read_to_end(&mut bytes)? == 0;
            if is_over && start < bytes.len() {
                bytes.push(b'\n');
            }
            while let Some(line) = whole_line(&bytes[start..]).filter(|_| text.fault.is_none()) {
                let place = start..start + line.len() + 1;
                if number == 1 && line.starts_with(b"#!") {
                    text.fault = Some("a script".to_owned());
                } else if !text.take(line, place.clone(), &mut parser) {
                    text.refuse(number);
                }
                (start, number) = (place.end, number + 1);
            }
            if bytes.len() - start > MAX_LINE_BYTES {
                text.refuse(number);
            } else if is_over {
                break;
            }
        }
        text.bytes = bytes;
        if text.rows.is_empty() && text.begun.is_none() && !text.trailing_comments().is_empty() {
            text.fault.get_or_insert_with(|| "no list".to_owned());
        }
        if text.index.is_some() {
            text.index_rows();
        }
        Ok(text)
    }

    fn refuse(&mut self, line: u64) {
        let why = || format!("line {line} is in another form than --update writes");
        self.fault.get_or_insert_with(why);
    }

    /// Adds the line at `place`. Returns whether `--update` writes such lines.
    fn take(
        &mut self,
        line: &[u8],
        place: Range<usize>,
        parser: &mut GnuParser<AcceptedDigests>,
    ) -> bool {
        if line.starts_with(b"#") {
            if let Some(moment) = line.strip_prefix(UPDATE_TIME_PREFIX.as_bytes()) {
                let moment = str::from_utf8(moment).ok().and_then(moment_of);
                self.begun = self.begun.or(moment);
            }
        } else if let Some((number, name)) = self.known(line) {
            self.add(number, name, place);
        } else if !line.is_empty() {
            let entry = parser.parse(line);
            return entry.is_some_and(|entry| self.learn(&entry, line, place));
        }
        true
    }

    /// The text of a list with the digests of `listing`.
    pub(super) fn of(listing: &Listing, names: &NameRules) -> Self {
        let mut text = Self { names: names.clone(), ..Self::default() };
        for (row, file) in listing.files().iter().enumerate() {
            for claim in listing.claims(row) {
                let number =
                    text.number(listing.computation(claim.computation), LineLayout::Tagged);
                let start = text.bytes.len();
                text.bytes.extend_from_slice(b"-\n");
                text.keep_odd_line(number, &file.name, &claim.digest, start);
                text.add(number, &file.name, start..start + 2);
            }
        }
        text.index_rows();
        text
    }

    /// The number of the computation and the name in `line`, if it has one of the known forms.
    fn known<'l>(&self, line: &'l [u8]) -> Option<(usize, &'l [u8])> {
        let mut forms = self.forms.iter().enumerate();
        forms.find_map(|(number, form)| Some((number, form.name(line)?)))
    }

    /// The number of `computation`.
    fn number(&mut self, computation: &Computation, layout: LineLayout) -> usize {
        let known = self.forms.iter().position(|form| form.computation == *computation);
        known.unwrap_or_else(|| {
            self.forms.push(LineForm::new(computation.clone(), layout));
            self.forms.len() - 1
        })
    }

    /// Adds a line with `entry` in a form that is not known yet. Returns whether `--update` writes such
    /// lines.
    fn learn(&mut self, entry: &Entry, line: &[u8], place: Range<usize>) -> bool {
        let style = match self.style {
            Some(style) => Some(style).filter(|style| is_in(*style, entry, line)),
            None => style_of(entry, line),
        };
        let (Some(style), [(computation, digest)]) = (style, &entry.digests[..]) else {
            return false;
        };
        self.style = Some(style);
        let number = self.number(computation, style.layout);
        if self.forms[number].name(line).is_none() {
            self.keep_odd_line(number, &entry.name, digest, place.start);
        }
        self.add(number, &entry.name, place);
        true
    }

    /// Keeps the contents of the line at `start`, which has none of the forms.
    fn keep_odd_line(&mut self, number: usize, name: &[u8], digest: &[u8], start: usize) {
        let digits = Cow::Owned(hex::encode(digest).into_bytes());
        self.odd.insert(start, DigestLine { number, name: Cow::Owned(name.to_vec()), digits });
    }

    /// Adds the line at `place`, with a digest of the file `name`.
    fn add(&mut self, number: usize, name: &[u8], place: Range<usize>) {
        match self.rows.last_mut() {
            Some(row) if self.last.name == name => {
                row.end = place.end;
                self.has_one_digest_each &= number > self.last.number;
            }
            _ => {
                let (path, last) = (without_dot_slash(name), without_dot_slash(&self.last.name));
                let is_in_order = self.rows.is_empty() || last < path;
                if !is_in_order || !is_plain(path) || *self.names.path(name) != *name {
                    self.index.get_or_insert_default();
                }
                self.spellings.add(path);
                self.rows.push(Row {
                    comments: self.last.end,
                    digests: place.start,
                    end: place.end,
                });
                self.last.name.clear();
                self.last.name.extend_from_slice(name);
            }
        }
        (self.last.number, self.last.end) = (number, place.end);
    }

    /// Makes the lines of each file adjacent, and makes the index by paths.
    fn index_rows(&mut self) {
        let mut index = HashMap::new();
        for row in std::mem::take(&mut self.rows) {
            let path = normalized_path(&self.names.path(&self.name_in(&row)));
            self.spellings.add(&path);
            match index.entry(path) {
                hash_map::Entry::Occupied(first) => {
                    self.has_one_digest_each = false;
                    self.more.entry(*first.get()).or_default().push(row);
                }
                hash_map::Entry::Vacant(first) => {
                    first.insert(self.rows.len());
                    self.rows.push(row);
                }
            }
        }
        self.index = Some(index);
    }

    /// The number of files.
    pub(super) fn files(&self) -> usize {
        self.rows.len()
    }

    /// All computations, in the order of the list.
    pub(super) fn computations(&self) -> impl ExactSizeIterator<Item = &Computation> {
        self.forms.iter().map(|form| &form.computation)
    }

    pub(super) fn computation(&self, number: usize) -> &Computation {
        &self.forms[number].computation
    }

    /// The row of the file called `name`, under any spelling. The row `next` is tried first.
    pub(super) fn row(&self, name: &[u8], next: usize) -> Option<usize> {
        if self.rows.get(next).is_some_and(|row| self.name_in(row) == name) {
            return Some(next);
        }
        self.spellings.row(name, |path| match &self.index {
            Some(index) => index.get(path).copied(),
            None => {
                let order = |row: &Row| without_dot_slash(&self.name_in(row)).cmp(path);
                self.rows.binary_search_by(order).ok()
            }
        })
    }

    /// The name of the file in `row`.
    pub(super) fn name(&self, row: usize) -> Cow<'_, [u8]> {
        self.name_in(&self.rows[row])
    }

    fn name_in(&self, row: &Row) -> Cow<'_, [u8]> {
        self.lines_in(row).next().map_or_else(Cow::default, |line| line.name)
    }

    /// The lines about the file in `row`.
    pub(super) fn lines(&self, row: usize) -> impl Iterator<Item = DigestLine<'_>> {
        self.parts(row).flat_map(|part| self.lines_in(part))
    }

    fn parts(&self, row: usize) -> impl Iterator<Item = &Row> {
        iter::once(&self.rows[row]).chain(self.more.get(&row).into_iter().flatten())
    }

    fn lines_in(&self, row: &Row) -> impl Iterator<Item = DigestLine<'_>> {
        let mut at = row.digests;
        lines_with_ends(&self.bytes[row.digests..row.end]).filter_map(move |line| {
            let start = at;
            at += line.len();
            if let Some(line) = self.odd.get(&start) {
                return Some(line.clone());
            }
            let line = line.strip_suffix(b"\n").filter(|line| !line.starts_with(b"#"))?;
            self.forms.iter().enumerate().find_map(|(number, form)| {
                let (name, digits) =
                    form.split(line).map(|(name, digits)| (name.into(), digits.into()))?;
                Some(DigestLine { number, name, digits })
            })
        })
    }

    /// The stamp of the file in `row`.
    pub(super) fn stamp(&self, row: usize) -> Option<Stamp<'_>> {
        let Row { comments, digests, .. } = self.rows[row];
        let mut lines = self.bytes[comments..digests].rsplit(|byte| *byte == b'\n');
        lines.find_map(Stamp::parse)
    }

    /// The user's comments before the lines about the file in `row`, except those at the start of the
    /// list, which concern all files.
    pub(super) fn user_comments(&self, row: usize) -> Vec<u8> {
        let parts = self.parts(row).filter(|part| part.comments > 0);
        parts.flat_map(|part| self.user_comments_in(part.comments..part.end)).collect()
    }

    /// The user's comments after all lines.
    pub(super) fn trailing_comments(&self) -> Vec<u8> {
        self.user_comments_in(self.last.end..self.bytes.len())
    }

    fn user_comments_in(&self, part: Range<usize>) -> Vec<u8> {
        let lines = lines_with_ends(&self.bytes[part]);
        lines.filter(|line| is_user_comment(line)).collect::<Vec<_>>().concat()
    }

    /// The lines before those about the file in `row`, except the time of the update. Before the first
    /// file, these are the user's comments.
    pub(super) fn before(&self, row: usize) -> impl Iterator<Item = &[u8]> {
        let end = match (row, self.rows.get(row)) {
            (0, Some(first)) => first.digests,
            (_, next) => next.map_or(self.last.end, |next| next.comments),
        };
        lines_with_ends(&self.bytes[..end]).filter(move |line| match row {
            0 => is_user_comment(line),
            _ => !line.starts_with(UPDATE_TIME_PREFIX.as_bytes()),
        })
    }
}

/// The lines of `text`, with their ends.
fn lines_with_ends(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b'\n')
}

/// Whether the line is a comment that `--update` did not write.
fn is_user_comment(line: &[u8]) -> bool {
    let is_ours = || {
        line.starts_with(UPDATE_TIME_PREFIX.as_bytes())
            || Stamp::parse(line.trim_ascii_end()).is_some()
    };
    line.starts_with(b"#") && !is_ours()
}

/// The first line of `text`, without its end, if the end is there.
fn whole_line(text: &[u8]) -> Option<&[u8]> {
    let len = { text }.skip_until(b'\n').ok()?;
    text[..len].strip_suffix(b"\n")
}

/// `name` without the leading `./`.
fn without_dot_slash(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"./").unwrap_or(name)
}

/// Whether `path` is a [normalized](normalized_path) one.
fn is_plain(path: &[u8]) -> bool {
    let rest = path.strip_prefix(b"/").unwrap_or(path);
    rest.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"."))
}

/// The time in `text`, with nine digits after the point.
fn moment_of(text: &str) -> Option<Duration> {
    let (seconds, nanoseconds) = text.split_once('.')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = is_number(seconds) && is_number(nanoseconds) && nanoseconds.len() == 9;
    fits.then(|| Some(Duration::new(seconds.parse().ok()?, nanoseconds.parse().ok()?)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        assert_eq!(moment_of("12.000000345"), Some(Duration::new(12, 345)));
        for text in ["", "12", "12.5", "+1.000000000", "1.+00000000", "-1.000000000", "x.000000000"]
        {
            assert_eq!(moment_of(text), None, "{text}");
        }
    }
}
