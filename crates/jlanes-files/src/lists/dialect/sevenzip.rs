//! The output of `7z h`.
//!
//! ```text
//! list  = *phrase title rule *( entry / directory ) rule sums *phrase
//! title = 1*algorithm "Size" "Name"             ; aligned with the rule
//! rule  = 2*hyphens hyphens                     ; each run is a column, the last one is open
//! entry = 1*digest size name
//! directory = name "/"                          ; without digests
//! sums  = 1*digest "-" digits size              ; over all files
//! ```

use std::ops::Range;

use super::{Dialect, KnownDialect, Meaning, SpelledFile, number, split_once, windows_name, words};

#[derive(Default)]
enum SevenZip {
    #[default]
    Outside,
    /// After the title, with its words.
    Titled(Vec<Vec<u8>>),
    /// Between the rules, with the title and the columns.
    Files(Vec<Vec<u8>>, Vec<Range<usize>>),
    /// After the last rule, with the number of words in the line of sums.
    Sums(usize),
}

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| {
        (is_title(line) || line.starts_with(b"7-Zip ")).then(|| Box::new(SevenZip::default()) as _)
    },
    #[cfg(test)]
    sample: "\n7-Zip (z) 26.02 (x64) : Copyright\n\nScanning\n1 folder, 2 files, 7 bytes (1 KiB)\n\n\
             MD5                                       Size  Name\n\
             -------------------------------- -------------  ------------\n\
             900150983cd24fb0d6963f7d28e17f72             3  f\n\
             \u{20}                                               d/\n\
             e2fc714c4727ee9395f324cd2e7f331f             4  g\n\
             -------------------------------- -------------  ------------\n\
             72fec1e483f93d446c8a644a5760b391-00000000             7  \n\n\
             Folders: 1\nFiles: 2\nSize: 7\n\n\
             MD5    for data:              72fec1e483f93d446c8a644a5760b391-00000000\n\n\
             Everything is Ok\n",
};

impl Dialect for SevenZip {
    fn read<'r>(&mut self, line: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        let columns = columns(line);
        let (next, is_structure) = match (std::mem::take(self), columns) {
            // sums have no name
            (Self::Files(title, _), Some(_)) => (Self::Sums(title.len() - 1), true),
            (Self::Files(title, columns), None) => {
                let meaning = match parse_entry(&title, &columns, line) {
                    _ if is_directory(&columns, line) => Meaning::Comment,
                    entry => entry.map_or(Meaning::Malformed, Meaning::File),
                };
                *self = Self::Files(title, columns);
                return meaning;
            }
            (Self::Titled(title), Some(columns)) if title.len() == columns.len() => {
                (Self::Files(title, columns), true)
            }
            // the sums of all files
            (Self::Sums(count), _) if words(line).count() == count && words(line).all(is_sum) => {
                return Meaning::Comment;
            }
            (Self::Sums(_), _) => (Self::Outside, false),
            _ if is_title(line) => (Self::Titled(words(line).map(<[u8]>::to_vec).collect()), true),
            _ => (Self::Outside, is_phrase(line)),
        };
        *self = next;
        if is_structure { Meaning::Structure } else { Meaning::Malformed }
    }
}

fn parse_entry<'r>(
    title: &[Vec<u8>],
    columns: &[Range<usize>],
    line: &'r [u8],
) -> Option<SpelledFile<'r>> {
    let field = |at: &Range<usize>| line.get(at.start..at.end.min(line.len()));
    let fields: Vec<_> = columns.iter().map(field).collect::<Option<_>>()?;
    let [digests @ .., size, name] = &fields[..] else { return None };
    let digests = title.iter().zip(digests);
    let digests = digests.map(|(tag, text)| (Some(tag.clone().into()), text.trim_ascii().into()));
    let (name, digests) = (windows_name(name), digests.collect());
    Some(SpelledFile {
        name,
        digests,
        size: Some(number(size.trim_ascii())?),
        ..SpelledFile::default()
    })
}

/// Whether only the name of a directory stands in the last of the `columns`.
fn is_directory(columns: &[Range<usize>], line: &[u8]) -> bool {
    let start = columns.last().map_or(0, |last| last.start);
    let is_blank = line.get(..start).is_some_and(|before| before.trim_ascii().is_empty());
    is_blank && matches!(line.last(), Some(b'/' | b'\\'))
}

fn is_title(line: &[u8]) -> bool {
    line.ends_with(b" Size  Name")
}

/// The columns that a rule marks.
fn columns(line: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut start = 0;
    let mut columns = Vec::new();
    for run in line.split(|byte| *byte == b' ') {
        if !run.iter().all(|byte| *byte == b'-') {
            return None;
        }
        if !run.is_empty() {
            columns.push(start..start + run.len());
        }
        start += run.len() + 1;
    }
    columns.last_mut()?.end = usize::MAX;
    (columns.len() > 2).then_some(columns)
}

fn is_sum(word: &[u8]) -> bool {
    word.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}

/// Whether `line` is one of the program's messages before or after the files.
fn is_phrase(line: &[u8]) -> bool {
    let is_total =
        |name: &[u8]| [&b"Folders"[..], b"Files", b"Alternate streams", b"Size"].contains(&name);
    if let Some((_, value)) = split_once(line, b": ").filter(|(name, _)| is_total(name)) {
        return number(value).is_some();
    }
    let words: Vec<_> = words(line).collect();
    match words[..] {
        [b"7-Zip" | b"p7zip" | b"Scanning", ..] | [b"Everything", b"is", b"Ok"] => true,
        [bits, locale, ..] if bits.ends_with(b"-bit") => locale.starts_with(b"locale="),
        [count, b"folder," | b"folders," | b"file," | b"files,", ..] => number(count).is_some(),
        [_, b"for", b"data:", sum] | [_, b"for", b"data", b"and", b"names:", sum] => is_sum(sum),
        _ => false,
    }
}
