//! The format of a list, by its first line that is no comment.

mod json;
mod release;
mod sfv;
mod windows;

use self::{
    release::Release,
    windows::{Certutil, FileHash},
};
use super::{
    Entry, Fault, Parser, Tags,
    hashdeep::{self, Hashdeep},
    mtree::{self, Mtree},
    parse::tag,
};
use crate::system;

pub use sfv::begins as is_sfv;

/// The form of a list's lines.
#[derive(Clone, Debug)]
pub(super) enum Dialect<S> {
    Unknown,
    Gnu,
    Hashdeep(Hashdeep<S>),
    Mtree(Mtree),
    Json,
    FileHash(FileHash),
    Certutil(Certutil),
    Release(Release),
    Sfv,
}

/// What a line says: nothing if it names no file.
type Parsed<S> = Option<Result<Entry<S>, Fault>>;

impl<S: Clone> Dialect<S> {
    fn of<T: Tags<Scheme = S>>(first: &[u8], gnu: &mut Parser<T>) -> Self {
        if first == hashdeep::MAGIC {
            return Self::Hashdeep(Hashdeep::default());
        }
        if first.starts_with(b"{") {
            return Self::Json;
        }
        if gnu.parse(first).is_some() {
            return Self::Gnu;
        }
        let is_refused = tag(first).is_some_and(|tag| gnu.tags().refusal(tag).is_some());
        if let Some(list) = FileHash::begins(first) {
            Self::FileHash(list)
        } else if Certutil::begins(first) {
            Self::Certutil(Certutil::default())
        } else if Release::begins(first) {
            Self::Release(Release::default())
        } else if sfv::begins(first) {
            Self::Sfv
        } else if mtree::begins(first) && !is_refused {
            Self::Mtree(Mtree::default())
        } else {
            Self::Gnu
        }
    }

    /// Reads a comment before the list, which may tell the format.
    pub(super) fn note_comment(&mut self, line: &[u8]) {
        if line == mtree::MAGIC && matches!(self, Self::Unknown) {
            *self = Self::Mtree(Mtree::default());
        }
    }

    /// What `line` says, or in some dialects the lines before it.
    pub(super) fn parse<T: Tags<Scheme = S>>(
        &mut self,
        line: &[u8],
        gnu: &mut Parser<T>,
    ) -> Parsed<S> {
        if let Self::Unknown = self {
            *self = Self::of(line, gnu);
        }
        let before = self.clone();
        let parsed = self.read(line, gnu);
        if !matches!(parsed, Some(Err(Fault::Malformed))) {
            return parsed;
        }
        let refused = tag(line).and_then(|tag| gnu.tags().refusal(tag));
        let refused = refused.or_else(|| before.refused(line, gnu.tags()));
        refused.map_or(parsed, |why| Some(Err(Fault::Refused(why))))
    }

    /// Why `line` is refused, if somebody who asks for nothing would accept it.
    fn refused<T: Tags<Scheme = S>>(mut self, line: &[u8], tags: &T) -> Option<String> {
        let entry = self.read(line, &mut Parser::new(tags.lenient()?))?.ok()?;
        refusal(&entry, tags)
    }

    fn read<T: Tags<Scheme = S>>(&mut self, line: &[u8], gnu: &mut Parser<T>) -> Parsed<S> {
        // prose before a list may look like the beginning of another one, and anything may end with
        // eight digits
        let is_loose =
            matches!(self, Self::FileHash(_) | Self::Certutil(_) | Self::Release(_) | Self::Sfv);
        if is_loose
            && !line.starts_with(b" ")
            && let Some(entry) = gnu.parse(line)
        {
            return Some(Ok(entry));
        }
        let parsed = match self {
            Self::Hashdeep(list) => return list.parse(line, gnu.tags()),
            Self::Mtree(list) => return list.parse(line, gnu.tags()),
            Self::Json => return json::parse(line, gnu.tags()),
            Self::Unknown | Self::Gnu => Some(gnu.parse(line)),
            Self::FileHash(list) => list.parse(line, gnu.tags()),
            Self::Certutil(list) => list.parse(line, gnu.tags()),
            Self::Release(list) => list.parse(line, gnu.tags()),
            Self::Sfv => sfv::parse(line, gnu.tags()),
        };
        self.spelled(parsed)
    }

    /// What the last lines say, where no line has said it yet.
    pub(super) fn finish<T: Tags<Scheme = S>>(&mut self, gnu: &Parser<T>) -> Parsed<S> {
        let tags = gnu.tags();
        let mut before = self.clone();
        let parsed = self.end(tags);
        if !matches!(parsed, Some(Err(Fault::Malformed))) {
            return parsed;
        }
        let lenient = tags.lenient();
        let why = lenient.and_then(|it| refusal(&before.end(&it)?.ok()?, tags));
        why.map_or(parsed, |why| Some(Err(Fault::Refused(why))))
    }

    fn end<T: Tags<Scheme = S>>(&mut self, tags: &T) -> Parsed<S> {
        let parsed = match self {
            Self::FileHash(list) => list.finish(tags),
            Self::Certutil(list) => list.finish(),
            _ => None,
        };
        self.spelled(parsed)
    }

    /// The same with names as this system has them, where the list is Windows' own.
    fn spelled(&self, mut parsed: Option<Option<Entry<S>>>) -> Parsed<S> {
        if let (Self::FileHash(_) | Self::Certutil(_) | Self::Sfv, Some(Some(entry))) =
            (self, &mut parsed)
        {
            entry.name = windows::name(&entry.name, system::is_absolute(&entry.name));
        }
        parsed.map(|entry| entry.ok_or(Fault::Malformed))
    }
}

/// Why `tags` do not accept the digest of `entry`.
fn refusal<T: Tags>(entry: &Entry<T::Scheme>, tags: &T) -> Option<String> {
    let (scheme, _) = entry.digests.first()?;
    tags.refusal_of(scheme)
}

#[cfg(test)]
mod tests {
    use jlanes::Algorithm;
    use proptest::prelude::*;

    use super::*;
    use crate::lists::AnyAlgorithm;

    /// The entries of a list with these lines, and the dialect that it turns out to be.
    fn read(lines: &[impl AsRef<[u8]>]) -> (Vec<Entry<Algorithm>>, Dialect<Algorithm>) {
        let (mut dialect, mut parser) = (Dialect::Unknown, Parser::new(AnyAlgorithm::default()));
        let mut entries = Vec::new();
        for line in lines {
            entries.extend(dialect.parse(line.as_ref(), &mut parser).into_iter().flatten());
        }
        entries.extend(dialect.finish(&parser).into_iter().flatten());
        (entries, dialect)
    }

    /// What lines of lists are made of.
    const PARTS: [&str; 32] = [
        "Algorithm",
        "Hash",
        "Path",
        " : ",
        "SHA256",
        "MD5",
        "CRC32",
        " hash of ",
        "file ",
        ":",
        "  ",
        " ",
        ",",
        ";",
        "\"",
        "\\",
        "/",
        "C:\\",
        "f",
        "0a",
        "0123456789abcdef0123456789abcdef",
        "352441C2",
        "{\"name\":",
        "\"f\"",
        "}",
        "Origin:",
        "CertUtil:",
        "---",
        "...",
        "=",
        "(",
        ")",
    ];

    proptest! {
        #[test]
        fn no_lines_panic_and_names_have_no_nul(
            first in proptest::sample::select(vec![
                "", "Algorithm : SHA256", "Algorithm Hash Path", "\"Algorithm\",\"Hash\",\"Path\"",
                "SHA256 hash of f:", "Origin: x", "; x", "{}", "%%%% HASHDEEP-1.0", "#mtree",
            ]),
            lines in proptest::collection::vec(
                proptest::collection::vec(proptest::sample::select(PARTS.to_vec()), 0..8), 0..20),
        ) {
            let lines: Vec<_> = lines.into_iter().map(|parts| parts.concat()).collect();
            let all: Vec<_> = [first.to_owned()].into_iter().chain(lines).collect();
            for entry in read(&all).0 {
                prop_assert!(!entry.name.contains(&0));
            }
        }

        #[test]
        fn no_bytes_panic(lines in proptest::collection::vec(
            proptest::collection::vec(any::<u8>(), 0..80), 0..20,
        )) {
            for entry in read(&lines).0 {
                prop_assert!(!entry.name.contains(&0));
            }
        }
    }

    #[test]
    fn the_first_line_tells_the_format() {
        let hex = "0a".repeat(32);
        for (line, expected) in [
            (format!("{hex}  f"), "Gnu"),
            (format!("SHA256 (f) = {hex}"), "Gnu"),
            (format!("{hex}  deadbeef"), "Gnu"),
            ("a line of prose".to_owned(), "Gnu"),
            ("CRC (f) = 12345678".to_owned(), "Gnu"),
            ("%%%% HASHDEEP-1.0".to_owned(), "Hashdeep"),
            (format!("./f type=file sha256digest={hex}"), "Mtree"),
            ("{\"name\":\"f\"}".to_owned(), "Json"),
            ("Algorithm : SHA256".to_owned(), "FileHash"),
            ("Algorithm   Hash   Path".to_owned(), "FileHash"),
            ("\"Algorithm\",\"Hash\",\"Path\"".to_owned(), "FileHash"),
            ("SHA256 hash of f:".to_owned(), "Certutil"),
            ("Origin: Debian".to_owned(), "Release"),
            ("SHA256:".to_owned(), "Release"),
            ("Notes:".to_owned(), "Gnu"),
            ("; a comment".to_owned(), "Sfv"),
            ("f 352441C2".to_owned(), "Sfv"),
        ] {
            let dialect = format!("{:?}", read(&[&line]).1);
            assert!(dialect.starts_with(expected), "{line}: {dialect}");
        }
    }

    #[test]
    fn fields_of_repositories_have_lines_of_three_words() {
        let hex = "0a".repeat(32);
        for (line, name) in [
            (format!(" {hex} 3 f"), Some(&b"f"[..])),
            (format!(" {hex} 3 f g"), None),
            (format!(" {hex} 3"), None),
        ] {
            for field in ["SHA256:", "Checksums-Sha256:"] {
                let (entries, _) = read(&["Format: 3.0", field, &line]);
                assert_eq!(entries.first().map(|entry| &entry.name[..]), name, "{field}{line}");
            }
        }
    }
}
