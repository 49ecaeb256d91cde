//! Formats of lists other than GNU's (`gnu.rs`): one module each, and the table of all.
//!
//! The header of each module has the grammar of its dialect; [`DIALECTS`] has a [`KnownDialect`] for each. A dialect
//! groups lines into records and returns the meaning of each record. Lines that it does not know are
//! malformed: no line is skipped silently.

mod apt;
mod bagit;
mod certutil;
mod debian;
mod distinfo;
mod filehash;
mod gentoo_digests;
mod gentoo_manifest;
mod gosum;
mod gpg;
pub(super) mod hashdeep;
pub(super) mod json;
mod lock_file;
mod magnet;
pub(super) mod mtree;
mod pip;
mod rhash;
mod sevenzip;
mod sfv;
mod spelled;
mod srcinfo;

use super::meaning::{Meaning, SpelledFile, WithoutDigest};

pub use sfv::begins as is_sfv;

/// A dialect that is reading a list.
pub(super) trait Dialect: Send {
    /// Whether `line` is a comment, which may stand between any two lines.
    fn is_comment(&self, line: &[u8]) -> bool {
        line.starts_with(b"#")
    }

    /// Whether the dialect was recognized by something that GNU's tools ignore, so that they might
    /// misread the same lines.
    fn is_certain(&self) -> bool {
        false
    }

    /// Whether `line` belongs to the same record as the lines before it, which `record` has with line
    /// feeds between them. A blank line is empty.
    fn continues(&mut self, _record: &[u8], _line: &[u8]) -> bool {
        false
    }

    /// Whether more lines can complete the open record.
    fn may_continue(&self, _record: &[u8]) -> bool {
        true
    }

    /// The meaning of a record. It is called once for each record, also for one that the end of the
    /// list cuts off.
    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>>;
}

/// A dialect that was chosen for a list, with its own state.
pub(super) type OpenDialect = Box<dyn Dialect>;

/// Parser of a line with a file.
type LineParser = fn(&[u8]) -> Option<SpelledFile<'_>>;

/// A dialect with one file in each line.
struct FilePerLine(LineParser);

impl Dialect for FilePerLine {
    fn read<'r>(&mut self, line: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        self.0(line).map_or(Meaning::Malformed, Meaning::File)
    }
}

/// The dialect of which `parse` parses the lines, if `line` is one of them.
fn file_per_line(line: &[u8], parse: LineParser) -> Option<OpenDialect> {
    parse(line).map(|_| Box::new(FilePerLine(parse)) as _)
}

/// The facts, other than its lines, that a list may be recognized by.
pub(super) struct ListInfo<'l> {
    /// The name of its file, without directories.
    pub(super) name: &'l [u8],
    /// The tags of the digests that the user asked for, in order.
    pub(super) columns: Vec<String>,
}

/// A dialect in the table [`DIALECTS`]: the function that recognizes its lists, and a sample.
#[derive(Clone, Copy)]
pub(super) struct KnownDialect {
    /// Returns the dialect if `line`, near the beginning of a list, belongs to it.
    pub(super) opens: fn(line: &[u8], about: &ListInfo) -> Option<OpenDialect>,
    /// A list with an entry for each of the files `f` and `g`, for the tests that all dialects share.
    #[cfg(test)]
    pub(super) sample: &'static str,
}

/// All dialects, the more specific ones first: if two lose equally many lines, the first is chosen.
pub(super) const DIALECTS: [KnownDialect; 21] = [
    json::DIALECT,
    hashdeep::DIALECT,
    filehash::DIALECT,
    certutil::DIALECT,
    bagit::DIALECT,
    gentoo_digests::DIALECT,
    gentoo_manifest::DIALECT,
    distinfo::DIALECT,
    rhash::DIALECT,
    magnet::DIALECT,
    sevenzip::DIALECT,
    srcinfo::DIALECT,
    lock_file::DIALECT,
    apt::DIALECT,
    gosum::DIALECT,
    pip::DIALECT,
    gpg::DIALECT,
    spelled::DIALECT,
    debian::DIALECT,
    sfv::DIALECT,
    mtree::DIALECT,
];

/// The lines of a record.
fn lines(record: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    record.split(|byte| *byte == b'\n')
}

/// The words of a line.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A number that consists of digits only.
fn number(text: &[u8]) -> Option<u64> {
    let digits = str::from_utf8(text).ok().filter(|_| text.iter().all(u8::is_ascii_digit))?;
    digits.parse().ok()
}

/// `text` before and after the first `separator`.
fn split_once<'t>(text: &'t [u8], separator: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let at = text.windows(separator.len()).position(|window| window == separator)?;
    Some((&text[..at], &text[at + separator.len()..]))
}

/// Decodes `%HH`; `None` if two digits do not follow a percent sign.
fn percent_decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut parts = text.split(|byte| *byte == b'%');
    let mut out = parts.next()?.to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        out.extend(hex::decode(digits).ok()?);
        out.extend_from_slice(rest);
    }
    Some(out)
}

/// The name on this system of a file that Windows calls `name`, with slashes between directories. Of a
/// path that begins at a drive or a server, only the last part can be found on another system.
fn windows_name(name: &[u8]) -> Vec<u8> {
    windows_name_if(name, crate::system::is_absolute(name))
}

fn windows_name_if(name: &[u8], is_absolute: bool) -> Vec<u8> {
    let drive = matches!(name, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    if (drive || name.starts_with(b"\\\\")) && !is_absolute {
        let last = name.rsplit(|byte| matches!(byte, b'\\' | b'/')).next();
        return last.unwrap_or_default().to_vec();
    }
    if name.contains(&b'/') {
        return name.to_vec();
    }
    name.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_slashes_and_no_drives() {
        for (windows, here) in [
            ("f", "f"),
            (r"d\f", "d/f"),
            (r".\f", "./f"),
            (r"C:\Users\x\f", "f"),
            ("C:/Users/x/f", "f"),
            (r"\\server\share\f", "f"),
            ("/home/x/a\\b", "/home/x/a\\b"),
        ] {
            assert_eq!(windows_name_if(windows.as_bytes(), false), here.as_bytes(), "{windows}");
        }
        assert_eq!(windows_name_if(br"C:\x\f", true), b"C:/x/f", "where it is a path");
    }
}
