//! The text of a list, in memory: where the lines of each file are, and the user's comments.

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

use super::stamp::Stamp;
use crate::{
    hash::Computation,
    lists::{
        Accepted, Encoding, Entry, LONGEST_LINE, Layout, Names, Parser, Style, from_hex,
        needs_escape, plain,
    },
    tasks::audit::{Record, Spellings},
};

/// What stands before the time in a list.
pub(super) const COMMENT: &str = "# jlanes-sum --update, files as of ";

/// Bytes that are read at once: what is no list need not be read to its end.
const PART: usize = LONGEST_LINE;

/// A list in a form that `--update` writes.
#[derive(Default)]
pub(super) struct Text {
    bytes: Vec<u8>,
    rows: Vec<Row>,
    /// Lines of a file behind those of others, by its row.
    more: HashMap<usize, Vec<Row>>,
    /// The end of the lines with digests, and the file and the computation of the last one.
    end: usize,
    last: Vec<u8>,
    last_number: usize,
    /// The rows by the plain paths of files, if they are not in the order of these.
    index: Option<HashMap<Vec<u8>, usize>>,
    /// The form of lines with each computation.
    forms: Vec<Form>,
    /// Lines in other forms, by the places where they begin.
    odd: HashMap<usize, Line<'static>>,
    names: Names,
    spellings: Spellings,
    /// Whether no file has two digests by a computation, and all are in the order of the computations.
    pub(super) is_one_each: bool,
    /// When it was brought up to date.
    pub(super) begun: Option<Duration>,
    /// How its lines are written.
    pub(super) style: Option<Style>,
    /// Why it would not be the same list any more if it was written anew.
    pub(super) fault: Option<String>,
}

/// Where lines with the digests of a file are, with the comments before them.
#[derive(Clone, Copy)]
struct Row {
    comments: usize,
    digests: usize,
    end: usize,
}

/// A line with a digest.
#[derive(Clone)]
pub(super) struct Line<'t> {
    /// The number of the digest's computation.
    pub(super) number: usize,
    pub(super) name: Cow<'t, [u8]>,
    /// The digest in hexadecimal.
    digits: Cow<'t, [u8]>,
}

impl Line<'_> {
    pub(super) fn digest(&self) -> Vec<u8> {
        let mut digest = Vec::with_capacity(self.digits.len() / 2);
        from_hex(&self.digits, &mut digest);
        digest
    }
}

/// The form of lines with a digest in hexadecimal and a name that is not escaped. Such lines are read
/// in a fraction of the time that a parser takes.
struct Form {
    computation: Computation,
    /// Digits of the digest.
    digits: usize,
    /// The text before the name, and between the name and the digest.
    before: String,
    between: &'static [u8],
    is_tagged: bool,
}

impl Form {
    fn new(computation: Computation, layout: Layout) -> Self {
        let (digits, is_tagged) = (2 * computation.output_size(), layout == Layout::Tagged);
        let before = if is_tagged { format!("{} (", computation.tag()) } else { String::new() };
        let between: &[u8] = match layout {
            Layout::Tagged => b") = ",
            Layout::Untagged { binary: true } => b" *",
            _ => b"  ",
        };
        Self { computation, digits, before, between, is_tagged }
    }

    /// The name and the digest in `line`, if that is in this form; not all forms have as many digits.
    fn split<'l>(&self, line: &'l [u8]) -> Option<(&'l [u8], &'l [u8])> {
        let rest = line.strip_prefix(self.before.as_bytes())?;
        if self.is_tagged {
            let (name, digits) = rest.split_at_checked(rest.len().checked_sub(self.digits)?)?;
            Some((name.strip_suffix(self.between)?, digits))
        } else {
            let (digits, name) = rest.split_at_checked(self.digits)?;
            Some((name.strip_prefix(self.between)?, digits)).filter(|_| !digits.contains(&b' '))
        }
    }

    /// The name in `line`, if that is in this form, and `--update` writes it so.
    fn name<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        let (name, digits) = self.split(line)?;
        let is_plain = !name.is_empty() && !needs_escape(name) && !name.contains(&0);
        (is_plain && from_hex(digits, &mut Vec::with_capacity(self.digits / 2))).then_some(name)
    }
}

impl Text {
    /// Reads `list`, up to the first line in another form.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn read(list: &OsStr, accepted: Accepted) -> io::Result<Self> {
        let mut list = File::open(list)?;
        let mut text = Self { names: accepted.names.clone(), is_one_each: true, ..Self::default() };
        let (mut parser, mut bytes) = (Parser::new(accepted), Vec::new());
        let size = usize::try_from(list.metadata()?.len()).unwrap_or(0);
        // without room for all it grows
        let _ = bytes.try_reserve_exact(size.saturating_add(PART));
        let (mut start, mut number) = (0, 1_u64);
        while text.fault.is_none() {
            let is_over = list.by_ref().take(PART as u64).read_to_end(&mut bytes)? == 0;
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
            if bytes.len() - start > LONGEST_LINE {
                text.refuse(number);
            } else if is_over {
                break;
            }
        }
        text.bytes = bytes;
        if text.rows.is_empty() && text.begun.is_none() && !text.tail().is_empty() {
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

    /// Takes the line at `place` into account. Returns whether `--update` writes such lines.
    fn take(&mut self, line: &[u8], place: Range<usize>, parser: &mut Parser<Accepted>) -> bool {
        if line.starts_with(b"#") {
            if let Some(moment) = line.strip_prefix(COMMENT.as_bytes()) {
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

    /// The same digests as in `record`.
    pub(super) fn of(record: &Record, names: &Names) -> Self {
        let mut text = Self { names: names.clone(), ..Self::default() };
        for (row, file) in record.files().iter().enumerate() {
            for claim in record.claims(row) {
                let number = text.number(record.computation(claim.computation), Layout::Tagged);
                let start = text.bytes.len();
                text.bytes.extend_from_slice(b"-\n");
                text.set_aside(number, &file.name, &claim.digest, start);
                text.add(number, &file.name, start..start + 2);
            }
        }
        text.index_rows();
        text
    }

    /// The number of the computation and the name in `line`, if it is in one of the forms.
    fn known<'l>(&self, line: &'l [u8]) -> Option<(usize, &'l [u8])> {
        let mut forms = self.forms.iter().enumerate();
        forms.find_map(|(number, form)| Some((number, form.name(line)?)))
    }

    /// The number of `computation`.
    fn number(&mut self, computation: &Computation, layout: Layout) -> usize {
        let known = self.forms.iter().position(|form| form.computation == *computation);
        known.unwrap_or_else(|| {
            self.forms.push(Form::new(computation.clone(), layout));
            self.forms.len() - 1
        })
    }

    /// Takes a line with `entry` into account that is in none of the forms so far. Returns whether
    /// `--update` writes such lines.
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
            self.set_aside(number, &entry.name, digest, place.start);
        }
        self.add(number, &entry.name, place);
        true
    }

    /// Keeps what the line that begins at `start` says.
    fn set_aside(&mut self, number: usize, name: &[u8], digest: &[u8], start: usize) {
        let digits = Cow::Owned(hex::encode(digest).into_bytes());
        self.odd.insert(start, Line { number, name: Cow::Owned(name.to_vec()), digits });
    }

    /// Adds the line at `place`, which has a digest of the file `name`.
    fn add(&mut self, number: usize, name: &[u8], place: Range<usize>) {
        match self.rows.last_mut() {
            Some(row) if self.last == name => {
                row.end = place.end;
                self.is_one_each &= number > self.last_number;
            }
            _ => {
                let (path, last) = (undotted(name), undotted(&self.last));
                let is_in_order = self.rows.is_empty() || last < path;
                if !is_in_order || !is_plain(path) || *self.names.path(name) != *name {
                    self.index.get_or_insert_default();
                }
                self.spellings.add(path);
                self.rows.push(Row { comments: self.end, digests: place.start, end: place.end });
                self.last.clear();
                self.last.extend_from_slice(name);
            }
        }
        (self.last_number, self.end) = (number, place.end);
    }

    /// Brings the lines of each file together, and finds rows by paths.
    fn index_rows(&mut self) {
        let mut index = HashMap::new();
        for row in std::mem::take(&mut self.rows) {
            let path = plain(&self.names.path(&self.name_in(&row)));
            self.spellings.add(&path);
            match index.entry(path) {
                hash_map::Entry::Occupied(first) => {
                    self.is_one_each = false;
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

    /// How many files it has.
    pub(super) fn files(&self) -> usize {
        self.rows.len()
    }

    /// All computations, in the order in which the list has them.
    pub(super) fn computations(&self) -> impl ExactSizeIterator<Item = &Computation> {
        self.forms.iter().map(|form| &form.computation)
    }

    pub(super) fn computation(&self, number: usize) -> &Computation {
        &self.forms[number].computation
    }

    /// The row of the file that is called `name` here, however the list spells it. The one in `next` is
    /// looked at first.
    pub(super) fn row(&self, name: &[u8], next: usize) -> Option<usize> {
        if self.rows.get(next).is_some_and(|row| self.name_in(row) == name) {
            return Some(next);
        }
        self.spellings.row(name, |path| match &self.index {
            Some(index) => index.get(path).copied(),
            None => {
                let order = |row: &Row| undotted(&self.name_in(row)).cmp(path);
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
    pub(super) fn lines(&self, row: usize) -> impl Iterator<Item = Line<'_>> {
        self.parts(row).flat_map(|part| self.lines_in(part))
    }

    fn parts(&self, row: usize) -> impl Iterator<Item = &Row> {
        iter::once(&self.rows[row]).chain(self.more.get(&row).into_iter().flatten())
    }

    fn lines_in(&self, row: &Row) -> impl Iterator<Item = Line<'_>> {
        let mut at = row.digests;
        split(&self.bytes[row.digests..row.end]).filter_map(move |line| {
            let start = at;
            at += line.len();
            if let Some(line) = self.odd.get(&start) {
                return Some(line.clone());
            }
            let line = line.strip_suffix(b"\n").filter(|line| !line.starts_with(b"#"))?;
            self.forms.iter().enumerate().find_map(|(number, form)| {
                let (name, digits) =
                    form.split(line).map(|(name, digits)| (name.into(), digits.into()))?;
                Some(Line { number, name, digits })
            })
        })
    }

    /// The comment that says what the file in `row` was like.
    pub(super) fn stamp(&self, row: usize) -> Option<Stamp<'_>> {
        let Row { comments, digests, .. } = self.rows[row];
        let mut lines = self.bytes[comments..digests].rsplit(|byte| *byte == b'\n');
        lines.find_map(Stamp::parse)
    }

    /// The user's comments before the lines about the file in `row`; those before all lines are not
    /// about it.
    pub(super) fn notes(&self, row: usize) -> Vec<u8> {
        let parts = self.parts(row).filter(|part| part.comments > 0);
        parts.flat_map(|part| self.notes_in(part.comments..part.end)).collect()
    }

    /// The user's comments behind all lines.
    pub(super) fn tail(&self) -> Vec<u8> {
        self.notes_in(self.end..self.bytes.len())
    }

    fn notes_in(&self, part: Range<usize>) -> Vec<u8> {
        split(&self.bytes[part]).filter(|line| is_users(line)).collect::<Vec<_>>().concat()
    }

    /// The lines before those about the file in `row`, but for the time. Before all files these are the
    /// user's comments.
    pub(super) fn before(&self, row: usize) -> impl Iterator<Item = &[u8]> {
        let end = match (row, self.rows.get(row)) {
            (0, Some(first)) => first.digests,
            (_, next) => next.map_or(self.end, |next| next.comments),
        };
        split(&self.bytes[..end]).filter(move |line| match row {
            0 => is_users(line),
            _ => !line.starts_with(COMMENT.as_bytes()),
        })
    }
}

/// The lines of `text`, with their ends.
fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b'\n')
}

/// Whether the line is a comment that `--update` did not write.
fn is_users(line: &[u8]) -> bool {
    let is_ours =
        || line.starts_with(COMMENT.as_bytes()) || Stamp::parse(line.trim_ascii_end()).is_some();
    line.starts_with(b"#") && !is_ours()
}

/// The first line of `text`, without its end, if that is there.
fn whole_line(text: &[u8]) -> Option<&[u8]> {
    let len = { text }.skip_until(b'\n').ok()?;
    text[..len].strip_suffix(b"\n")
}

/// `name` without the directory where everything is.
fn undotted(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"./").unwrap_or(name)
}

/// Whether `path` is the [plain] one.
fn is_plain(path: &[u8]) -> bool {
    let rest = path.strip_prefix(b"/").unwrap_or(path);
    rest.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"."))
}

/// The style of `line`, which holds `entry`; `None` if we do not write such lines.
fn style_of(entry: &Entry, line: &[u8]) -> Option<Style> {
    let untagged = [false, true].map(|binary| Layout::Untagged { binary });
    let layouts = untagged.into_iter().chain([Layout::Tagged]);
    let mut styles = layouts.flat_map(|layout| {
        let encodings = [Encoding::Hex, Encoding::Base64].into_iter();
        encodings.map(move |encoding| Style { layout, encoding, zero: false })
    });
    styles.find(|style| is_in(*style, entry, line))
}

/// Whether `line` is `entry`, in this style.
fn is_in(style: Style, entry: &Entry, line: &[u8]) -> bool {
    let [(computation, digest)] = &entry.digests[..] else { return false };
    if matches!(computation, Computation::Directory(_)) {
        return false;
    }
    let tag = if style.layout == Layout::Tagged { computation.tag() } else { String::new() };
    let mut written = Vec::with_capacity(line.len() + 1);
    style.write(computation, &tag, &entry.name, digest, &mut written);
    written.strip_suffix(b"\n") == Some(line)
}

/// The time that `text` says, which has nine digits behind the point.
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
