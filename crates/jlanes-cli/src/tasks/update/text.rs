//! The text of a list: its comments, and in which form its lines are.

use std::{
    fs::File,
    io::{self, BufReader},
    time::Duration,
};

use super::stamp;
use crate::{
    hash::Scheme,
    lists::{Accepted, Encoding, Entry, LONGEST_LINE, Layout, Parser, Style, read_line, text},
    tasks::audit::Record,
};

/// What stands before the time in a list.
pub(super) const COMMENT: &str = "# jlanes-sum --update, files as of ";

/// The comments before the lines about a file.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The user's.
    pub(super) others: Vec<u8>,
    /// The file's stamp.
    pub(super) stamp: Option<Box<[u8]>>,
}

/// The contents of a list besides digests.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// When it was brought up to date.
    pub(super) begun: Option<Duration>,
    /// How its lines are written.
    pub(super) style: Option<Style>,
    pub(super) head: Vec<u8>,
    pub(super) tail: Vec<u8>,
    /// The comments before the lines about each file, by its row.
    pub(super) notes: Vec<Notes>,
    /// Why it would not be the same list any more if it was written anew.
    pub(super) fault: Option<String>,
}

impl Text {
    /// Reads the text of `list`, which has the files of `record`. Lines that are malformed are passed over.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn read(list: File, accepted: Accepted, record: &Record) -> io::Result<Self> {
        let mut reader = BufReader::with_capacity(32 << 10, list);
        let mut parser = Parser::new(accepted);
        let (mut text, mut line) = (Self::default(), Vec::new());
        let (mut comments, mut stamp) = (Vec::new(), None);
        for number in 1_u64.. {
            if read_line(&mut reader, b'\n', LONGEST_LINE, &mut line)?.is_none() {
                break;
            }
            if line.starts_with(b"#!") && number == 1 {
                text.fault = Some("a script".to_owned());
            } else if line.starts_with(b"#") {
                text.comment(&line, &mut comments, &mut stamp);
            } else if let Some(entry) = parser.parse(&line) {
                let style = style(&entry, &line);
                if style.is_none() || text.style.is_some_and(|first| Some(first) != style) {
                    let why = || format!("line {number} is in another form than --update writes");
                    text.fault.get_or_insert_with(why);
                }
                if text.style.is_none() {
                    text.head = std::mem::take(&mut comments);
                    text.style = style;
                }
                text.note(&entry.name, record, &mut comments, stamp.take());
            } else if !line.is_empty() {
                let why = || format!("line {number} is in another form than --update writes");
                text.fault.get_or_insert_with(why);
            }
        }
        text.tail = comments;
        if text.style.is_none() && text.begun.is_none() && !text.tail.is_empty() {
            text.fault.get_or_insert_with(|| "no list".to_owned());
        }
        Ok(text)
    }

    /// Keeps the comments before a line about the file `name`.
    fn note(
        &mut self,
        name: &[u8],
        record: &Record,
        others: &mut Vec<u8>,
        stamp: Option<Box<[u8]>>,
    ) {
        let Some(row) = record.row(name) else { return others.clear() };
        if self.notes.is_empty() {
            self.notes.resize_with(record.files().len(), Notes::default);
        }
        let notes = &mut self.notes[row];
        notes.others.append(others);
        // the seal is on the name that the list goes on with
        if name == record.files()[row].name && notes.stamp.is_none() {
            notes.stamp = stamp;
        }
    }

    fn comment(&mut self, line: &[u8], others: &mut Vec<u8>, stamp: &mut Option<Box<[u8]>>) {
        if let Some(moment) = line.strip_prefix(COMMENT.as_bytes()) {
            self.begun = self.begun.or_else(|| self::moment(str::from_utf8(moment).ok()?));
        } else if line.starts_with(stamp::PREFIX) {
            *stamp = Some([line, b"\n"].concat().into());
        } else {
            others.extend_from_slice(line);
            others.push(b'\n');
        }
    }
}

/// The style of `line`, which holds `entry`; `None` if we do not write such lines.
fn style(entry: &Entry<Scheme>, line: &[u8]) -> Option<Style> {
    let [(scheme, digest)] = &entry.digests[..] else { return None };
    let tag = scheme.tag();
    let untagged = [false, true].map(|binary| Layout::Untagged { binary });
    let layouts = untagged.into_iter().chain([Layout::Tagged]);
    let styles = layouts.flat_map(|layout| {
        let encodings = [Encoding::Hex, Encoding::Base64].into_iter();
        encodings.map(move |encoding| Style { layout, encoding, zero: false })
    });
    let is_it = |style: &Style| {
        let mut written = Vec::with_capacity(line.len() + 1);
        text::write(*style, scheme, &tag, &entry.name, digest, &mut written);
        written.strip_suffix(b"\n") == Some(line)
    };
    styles.into_iter().find(is_it)
}

/// The time that `text` says, which has nine digits behind the point.
fn moment(text: &str) -> Option<Duration> {
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
