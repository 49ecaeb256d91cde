//! The format of a list, by its first line that is no comment.

mod json;
mod release;
pub(super) mod sfv;
mod windows;

use self::{
    release::Release,
    windows::{Certutil, FileHash},
};
use super::{Accepted, Forms};
use crate::{
    hash::Scheme,
    lists::line::{
        self, Entry, Fault, Parser, Tags,
        hashdeep::{Hashdeep, MAGIC},
        mtree::Mtree,
    },
    system,
};

/// The form of a list's lines.
#[derive(Clone, Debug, Default)]
pub(super) enum Dialect {
    #[default]
    Unknown,
    Gnu,
    Hashdeep(Hashdeep<Scheme>),
    Mtree(Mtree),
    Json,
    FileHash(FileHash),
    Certutil(Certutil),
    Release(Release),
    Sfv,
}

/// What a line says: nothing if it names no file.
type Parsed = Option<Result<Entry<Scheme>, Fault>>;

impl Dialect {
    fn of(first: &[u8], gnu: &mut Parser<Accepted>) -> Self {
        if gnu.tags().forms != Forms::All {
            return Self::Gnu;
        }
        if first == MAGIC {
            return Self::Hashdeep(Hashdeep::default());
        }
        if first.starts_with(b"{") {
            return Self::Json;
        }
        if gnu.parse(first).is_some() {
            return Self::Gnu;
        }
        let is_refused = line::tag(first).is_some_and(|tag| gnu.tags().refusal(tag).is_some());
        if let Some(list) = FileHash::begins(first) {
            Self::FileHash(list)
        } else if Certutil::begins(first) {
            Self::Certutil(Certutil::default())
        } else if Release::begins(first) {
            Self::Release(Release::default())
        } else if sfv::begins(first) {
            Self::Sfv
        } else if Mtree::begins(first) && !is_refused {
            Self::Mtree(Mtree::default())
        } else {
            Self::Gnu
        }
    }

    /// What `line` says, or in some dialects the lines before it.
    pub(super) fn parse(&mut self, line: &[u8], gnu: &mut Parser<Accepted>) -> Parsed {
        if let Self::Unknown = self {
            *self = Self::of(line, gnu);
        }
        let is_strict = gnu.tags().is_strict();
        let before = match self {
            Self::Unknown | Self::Gnu => Self::Gnu,
            _ if !is_strict => Self::Gnu,
            _ => self.clone(),
        };
        let parsed = self.read(line, gnu);
        if !matches!(parsed, Some(Err(Fault::Malformed))) {
            return parsed;
        }
        let refused = line::tag(line).and_then(|tag| gnu.tags().refusal(tag));
        let refused = refused.or_else(|| if is_strict { before.refused(line, gnu) } else { None });
        refused.map_or(parsed, |why| Some(Err(Fault::Refused(why))))
    }

    /// Why `line` is refused, if somebody who asks for nothing would accept it.
    fn refused(mut self, line: &[u8], gnu: &Parser<Accepted>) -> Option<String> {
        let entry = self.read(line, &mut Parser::new(gnu.tags().lenient()))?.ok()?;
        refusal(&entry, gnu.tags())
    }

    fn read(&mut self, line: &[u8], gnu: &mut Parser<Accepted>) -> Parsed {
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
            Self::Unknown | Self::Gnu => Some(gnu.parse(line)),
            Self::Json => json::parse(line, gnu.tags()),
            Self::FileHash(list) => list.parse(line, gnu.tags()),
            Self::Certutil(list) => list.parse(line, gnu.tags()),
            Self::Release(list) => list.parse(line, gnu.tags()),
            Self::Sfv => sfv::parse(line, gnu.tags()),
        };
        self.spelled(parsed)
    }

    /// What the last lines say, where no line has said it yet.
    pub(super) fn finish(&mut self, gnu: &Parser<Accepted>) -> Parsed {
        let tags = gnu.tags();
        let mut before = if tags.is_strict() { self.clone() } else { Self::Gnu };
        let parsed = self.end(tags);
        if !matches!(parsed, Some(Err(Fault::Malformed))) {
            return parsed;
        }
        let why = before.end(&tags.lenient()).and_then(|entry| refusal(&entry.ok()?, tags));
        why.map_or(parsed, |why| Some(Err(Fault::Refused(why))))
    }

    fn end(&mut self, tags: &Accepted) -> Parsed {
        let parsed = match self {
            Self::FileHash(list) => list.finish(tags),
            Self::Certutil(list) => list.finish(),
            _ => None,
        };
        self.spelled(parsed)
    }

    /// The same with names as this system has them, where the list is Windows' own.
    fn spelled(&self, mut parsed: Option<Option<Entry<Scheme>>>) -> Parsed {
        if let (Self::FileHash(_) | Self::Certutil(_) | Self::Sfv, Some(Some(entry))) =
            (self, &mut parsed)
        {
            entry.name = windows::name(&entry.name, system::is_absolute(&entry.name));
        }
        parsed.map(|entry| entry.ok_or(Fault::Malformed))
    }
}

/// Why `tags` do not accept the digest of `entry`.
fn refusal(entry: &Entry<Scheme>, tags: &Accepted) -> Option<String> {
    let (scheme, _) = entry.digests.first()?;
    tags.refusal(scheme.tag().as_bytes())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::lists::{Accepted, Names, Which};

    fn parser() -> Parser<Accepted> {
        Parser::new(Accepted {
            which: Which::Tagged { untagged: None, guess: true },
            forms: Forms::All,
            given: Arc::default(),
            least_bits: 0,
            checksums: true,
            names: Names::default(),
            list: b"LIST".to_vec(),
        })
    }

    /// The entries of a list with these lines, and the dialect that it turns out to be.
    fn read(lines: &[impl AsRef<[u8]>]) -> (Vec<Entry<Scheme>>, Dialect) {
        let (mut dialect, mut parser) = (Dialect::default(), parser());
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
            ("; a comment".to_owned(), "Sfv"),
            ("f 352441C2".to_owned(), "Sfv"),
        ] {
            let dialect = format!("{:?}", read(&[&line]).1);
            assert!(dialect.starts_with(expected), "{line}: {dialect}");
        }
    }
}
