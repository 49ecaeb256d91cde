//! The text of a list: its comments, and in which form its lines are.

use std::{
    collections::HashMap,
    ffi::OsStr,
    fs::File,
    io::{self, BufReader},
    time::Duration,
};

use super::{
    rows::Like,
    stamp::{self, Seal},
};
use crate::{
    hash::Scheme,
    lists::{
        Accepted, Encoding, Entry, LONGEST_LINE, Layout, Names, Parser, Style, read_line, text,
    },
    tasks::audit::Record,
};

/// What stands before the time in a list.
pub(super) const COMMENT: &str = "# jlanes-sum --update, files as of ";

/// The text of a list, if it is in a form that `--update` writes.
#[derive(Default)]
pub(super) struct Text {
    pub(super) record: Record,
    /// When it was brought up to date.
    pub(super) begun: Option<Duration>,
    /// How its lines are written.
    pub(super) style: Option<Style>,
    /// The user's comments before all lines, before the lines of each row, and behind all lines.
    pub(super) head: Vec<u8>,
    pub(super) notes: HashMap<usize, Vec<u8>>,
    pub(super) tail: Vec<u8>,
    /// The seals of the files' stamps, by row.
    pub(super) seals: Vec<Option<Seal>>,
    /// The device that the files from a row on were on.
    pub(super) devices: Vec<(usize, u64)>,
    /// Lines with digests; none if they are not those of one file after another, each once.
    pub(super) lines: Option<usize>,
    /// Why it would not be the same list any more if it was written anew.
    pub(super) fault: Option<String>,
}

impl Text {
    /// Reads `list`.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn read(list: &OsStr, accepted: Accepted) -> io::Result<Self> {
        let names = accepted.names.clone();
        let mut reader = BufReader::with_capacity(32 << 10, File::open(list)?);
        let mut parser = Parser::new(accepted);
        let (mut text, mut line) = (Self { lines: Some(0), ..Self::default() }, Vec::new());
        let (mut comments, mut stamp) = (Vec::new(), None);
        let (mut last, mut like) = (None, None::<Like>);
        for number in 1_u64.. {
            if read_line(&mut reader, b'\n', LONGEST_LINE, &mut line)?.is_none() {
                break;
            }
            if line.starts_with(b"#!") && number == 1 {
                text.fault = Some("a script".to_owned());
            } else if line.starts_with(b"#") {
                text.comment(&line, &mut comments, &mut stamp);
            } else if let Some(entry) = like.as_ref().and_then(|like| entry(like, &line)) {
                text.add(entry, &names, &mut last, &mut comments, stamp.take());
            } else if let Some(entry) = parser.parse(&line) {
                let style = text.style.filter(|known| is_in(*known, &entry, &line));
                let style = style.or_else(|| style_of(&entry, &line));
                like = style.and_then(|style| Like::of(style, &entry));
                if style.is_none() || text.style.is_some_and(|first| Some(first) != style) {
                    text.is_not_ours(number);
                }
                if text.style.is_none() {
                    text.head = std::mem::take(&mut comments);
                    text.style = style;
                }
                text.add(entry, &names, &mut last, &mut comments, stamp.take());
            } else if !line.is_empty() {
                text.is_not_ours(number);
            }
        }
        text.record.sort();
        text.tail = comments;
        if text.style.is_none() && text.begun.is_none() && !text.tail.is_empty() {
            text.fault.get_or_insert_with(|| "no list".to_owned());
        }
        Ok(text)
    }

    fn is_not_ours(&mut self, number: u64) {
        let why = || format!("line {number} is in another form than --update writes");
        self.fault.get_or_insert_with(why);
    }

    /// Adds a line and the comments before it; `last` is the row of the line before.
    fn add(
        &mut self,
        entry: Entry<Scheme>,
        names: &Names,
        last: &mut Option<usize>,
        comments: &mut Vec<u8>,
        stamp: Option<(u64, Seal)>,
    ) {
        let name = entry.name.clone();
        let row = self.record.add(entry, names);
        let is_next = last.is_none_or(|last| row == last || row == self.seals.len());
        self.lines = self.lines.filter(|_| is_next).map(|lines| lines + 1);
        *last = Some(row);
        self.note(row, &name, comments, stamp);
    }

    /// Keeps the comments before a line about the file in `row`, which it calls `name`.
    fn note(&mut self, row: usize, name: &[u8], others: &mut Vec<u8>, stamp: Option<(u64, Seal)>) {
        if !others.is_empty() {
            self.notes.entry(row).or_default().append(others);
        }
        let is_new = row == self.seals.len();
        if is_new {
            self.seals.push(None);
        }
        // the seal is on the name that the list goes on with
        let stamp = stamp.filter(|_| *name == *self.record.files()[row].name);
        if let (Some((device, seal)), None) = (stamp, self.seals[row]) {
            self.seals[row] = Some(seal);
            if is_new && self.devices.last().is_none_or(|(_, last)| *last != device) {
                self.devices.push((row, device));
            }
        }
    }

    fn comment(&mut self, line: &[u8], others: &mut Vec<u8>, stamp: &mut Option<(u64, Seal)>) {
        if let Some(moment) = line.strip_prefix(COMMENT.as_bytes()) {
            self.begun = self.begun.or_else(|| self::moment(str::from_utf8(moment).ok()?));
        } else if line.starts_with(stamp::PREFIX.as_bytes()) {
            *stamp = stamp::device(line).zip(stamp::seal(line));
        } else {
            others.extend_from_slice(line);
            others.push(b'\n');
        }
    }
}

/// The entry of a line of this form, in a fraction of the time that a parser takes.
fn entry(like: &Like, line: &[u8]) -> Option<Entry<Scheme>> {
    let mut digest = Vec::new();
    let name = like.split(line, &mut digest)?.to_vec();
    let digests = vec![(like.scheme.clone(), digest)];
    Some(Entry { name, digests, either: false, size: None, literal: None })
}

/// The style of `line`, which holds `entry`; `None` if we do not write such lines.
pub(super) fn style_of(entry: &Entry<Scheme>, line: &[u8]) -> Option<Style> {
    let untagged = [false, true].map(|binary| Layout::Untagged { binary });
    let layouts = untagged.into_iter().chain([Layout::Tagged]);
    let mut styles = layouts.flat_map(|layout| {
        let encodings = [Encoding::Hex, Encoding::Base64].into_iter();
        encodings.map(move |encoding| Style { layout, encoding, zero: false })
    });
    styles.find(|style| is_in(*style, entry, line))
}

/// Whether `line` is `entry`, in this style.
fn is_in(style: Style, entry: &Entry<Scheme>, line: &[u8]) -> bool {
    let [(scheme, digest)] = &entry.digests[..] else { return false };
    let tag = if style.layout == Layout::Tagged { scheme.tag() } else { String::new() };
    let mut written = Vec::with_capacity(line.len() + 1);
    text::write(style, scheme, &tag, &entry.name, digest, &mut written);
    written.strip_suffix(b"\n") == Some(line)
}

/// The time that `text` says, which has nine digits behind the point.
pub(super) fn moment(text: &str) -> Option<Duration> {
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
        assert_eq!(moment("12.000000345"), Some(Duration::new(12, 345)));
        for text in ["", "12", "12.5", "+1.000000000", "1.+00000000", "-1.000000000", "x.000000000"]
        {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
