//! mtree(5) specifications. An entry has a whole path, or a name in the directory that earlier lines
//! have entered.
//!
//! ```text
//! list    = *( command / entry / comment )
//! command = ( "/set" / "/unset" ) *( blank keyword ) / ".."
//! entry   = vis-name *( blank keyword [ "=" value ] )
//! comment = *blank "#" text
//! ```
//!
//! A line that ends in a backslash continues in the next.

use super::{Dialect, KnownDialect, Meaning, SpelledFile, WithoutDigest, number};
use crate::lists::normalized_path;

mod vis;

/// The comment at the beginning of specifications.
pub(in crate::lists) const MAGIC: &[u8] = b"#mtree";

use vis::unvis;
pub(in crate::lists) use vis::vis;

/// The keywords of digests that we have in some builds, with their tags. The first ones are also
/// written.
pub(in crate::lists) const DIGESTS: [(&str, &[u8]); 13] = [
    ("md5digest", b"MD5"),
    ("rmd160digest", b"RIPEMD160"),
    ("sha1digest", b"SHA1"),
    ("sha256digest", b"SHA256"),
    ("sha384digest", b"SHA384"),
    ("sha512digest", b"SHA512"),
    ("md5", b"MD5"),
    ("rmd160", b"RIPEMD160"),
    ("ripemd160digest", b"RIPEMD160"),
    ("sha1", b"SHA1"),
    ("sha256", b"SHA256"),
    ("sha384", b"SHA384"),
    ("sha512", b"SHA512"),
];

/// The keywords of other facts than a file's contents.
const OTHERS: [&str; 20] = [
    "content",
    "contents",
    "device",
    "flags",
    "gid",
    "gname",
    "ignore",
    "inode",
    "link",
    "mode",
    "nlink",
    "nochange",
    "optional",
    "resdevice",
    "size",
    "tags",
    "time",
    "type",
    "uid",
    "uname",
];

/// The reason for refusing an entry without size and digest.
const NOTHING: &str = "neither a digest nor a size that could be checked";

/// More bytes than the system allows in a path: deeper directories do not exist.
const MAX_PATH_BYTES: usize = 8 << 10;

/// The type of the entry's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Type {
    #[default]
    File,
    Directory,
    /// A type without bytes to hash.
    Other,
}

impl Type {
    fn of(word: &[u8]) -> Option<Self> {
        match word {
            b"file" => Some(Self::File),
            b"dir" => Some(Self::Directory),
            b"block" | b"char" | b"door" | b"fifo" | b"link" | b"socket" => Some(Self::Other),
            _ => None,
        }
    }
}

/// Whether `line` may be the first line of an mtree(5) specification.
#[must_use]
pub fn begins(line: &[u8]) -> bool {
    let mut fields = fields(line);
    let Some(first) = fields.next() else { return false };
    let known = |field: &[u8]| {
        let (key, value) = split(field);
        let is_type = key == b"type" && Type::of(value).is_some();
        !value.is_empty() && (is_type || key == b"size" || is_digest(key))
    };
    first == b"/set" || (!first.contains(&b'=') && fields.any(known))
}

#[derive(Clone, Debug, Default)]
struct Mtree {
    /// The directory of entries without a slash. It ends with a slash.
    dir: Vec<u8>,
    /// The earlier lengths of `dir`, one for each directory above.
    above: Vec<usize>,
    /// The number of directories entered below the maximum depth.
    too_deep: u64,
    /// The type of entries that have none.
    set: Type,
}

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| (line == MAGIC || begins(line)).then(|| Box::new(Mtree::default()) as _),
    #[cfg(test)]
    sample: "#mtree\n/set type=file\n. type=dir\n    # a comment\n    f \\\n        size=3 \
             md5=900150983cd24fb0d6963f7d28e17f72\n    l type=link link=f\n\
             g md5digest=e2fc714c4727ee9395f324cd2e7f331f\n..\n",
};

impl Dialect for Mtree {
    fn is_comment(&self, line: &[u8]) -> bool {
        line.trim_ascii_start().starts_with(b"#")
    }

    fn continues(&mut self, record: &[u8], _: &[u8]) -> bool {
        record.ends_with(b"\\")
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        // the list ends inside the line
        if record.ends_with(b"\\") {
            return Meaning::Malformed;
        }
        let mut fields = fields(record);
        let Some(first) = fields.next() else { return Meaning::Structure };
        let mut keys: Vec<_> = fields.map(split).collect();
        keys.sort_unstable();
        keys.dedup();
        let kind = keys.iter().find(|(key, _)| key == b"type").map(|(_, kind)| Type::of(kind));
        let kind = match kind {
            Some(None) if first != b"/unset" => {
                return Meaning::Refused("a type that is not known".to_owned());
            }
            known => known.flatten(),
        };
        match first {
            // every file after it would have this digest
            b"/set" if keys.iter().any(|(key, _)| *key == b"size" || is_digest(key)) => {
                return Meaning::Refused("a size or a digest in /set".to_owned());
            }
            b"/set" => self.set = kind.unwrap_or(self.set),
            // another line has lost its beginning
            b"/unset" if keys.iter().any(|(_, value)| !value.is_empty()) => {
                return Meaning::Malformed;
            }
            b"/unset" if keys.iter().any(|(key, _)| matches!(*key, b"type" | b"all")) => {
                self.set = Type::File;
            }
            b"/unset" => {}
            b".." if !keys.is_empty() => return Meaning::Malformed,
            b".." if self.too_deep > 0 => self.too_deep -= 1,
            b".." => self.dir.truncate(self.above.pop().unwrap_or(0)),
            _ => {
                let twice = keys.windows(2).find(|pair| pair[0].0 == pair[1].0);
                return match twice {
                    Some([(key, _), ..]) => {
                        Meaning::Refused(format!("{} is there twice", key.escape_ascii()))
                    }
                    _ => self.entry(first, kind.unwrap_or(self.set), &keys),
                };
            }
        }
        Meaning::Structure
    }
}

impl Mtree {
    fn entry<'r>(
        &mut self,
        name: &[u8],
        kind: Type,
        keys: &[(&'r [u8], &'r [u8])],
    ) -> Meaning<SpelledFile<'r>> {
        let Some(name) = unvis(name) else { return Meaning::Malformed };
        let is_whole = name.contains(&b'/');
        if kind == Type::Directory && !is_whole {
            self.enter(&name);
        }
        let digest = keys.iter().find(|(key, _)| is_digest(key));
        match (kind, digest) {
            (Type::File, _) => {}
            (Type::Directory | Type::Other, None) => {
                let without_digest = WithoutDigest::Structure;
                return Meaning::File(SpelledFile {
                    name,
                    without_digest,
                    ..SpelledFile::default()
                });
            }
            (Type::Directory | Type::Other, Some((key, _))) => {
                return Meaning::Refused(format!("{} of what is no file", key.escape_ascii()));
            }
        }
        let value = |keyword: &str| {
            let found = keys.iter().find(|(key, _)| *key == keyword.as_bytes());
            found.map(|(_, value)| *value)
        };
        let size = value("size").map(number);
        if size == Some(None) {
            return Meaning::Refused("a size that cannot be read".to_owned());
        }
        // a size does not replace a digest that is not compared
        let is_other = |key: &[u8]| OTHERS.iter().any(|it| it.as_bytes() == key);
        let digests = keys.iter().filter(|(key, _)| !is_other(key)).map(|(key, value)| {
            let known = DIGESTS.iter().find(|(keyword, _)| keyword.as_bytes() == *key);
            (Some(known.map_or(&b""[..], |(_, tag)| tag).into()), (*value).into())
        });
        let without_digest = match (keys.iter().find(|(key, _)| !is_other(key)), size) {
            (Some((key, _)), _) => {
                WithoutDigest::Refused(format!("{} is not compared", key.escape_ascii()))
            }
            (None, None) => WithoutDigest::Refused(NOTHING.to_owned()),
            (None, Some(_)) => WithoutDigest::Entry,
        };
        Meaning::File(SpelledFile {
            name: if is_whole { name } else { [&self.dir[..], &name].concat() },
            digests: digests.collect(),
            size: size.flatten(),
            is_optional: value("optional").is_some(),
            without_digest,
            ..SpelledFile::default()
        })
    }

    /// Enters the directory `name`.
    fn enter(&mut self, name: &[u8]) {
        if self.too_deep > 0 || self.dir.len() + name.len() >= MAX_PATH_BYTES {
            self.too_deep += 1;
            return;
        }
        self.above.push(self.dir.len());
        self.dir.extend_from_slice(name);
        self.dir.push(b'/');
    }
}

fn is_digest(key: &[u8]) -> bool {
    DIGESTS.iter().any(|(keyword, _)| key == keyword.as_bytes())
}

/// The fields of a record. A backslash before a line feed is not one.
fn fields(record: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = record.split(|byte| *byte == b'\n');
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let fields =
        lines.flat_map(move |line| line.strip_suffix(b"\\").unwrap_or(line).split(is_blank));
    fields.filter(|field| !field.is_empty())
}

fn split(field: &[u8]) -> (&[u8], &[u8]) {
    match field.iter().position(|byte| *byte == b'=') {
        Some(at) => (&field[..at], &field[at + 1..]),
        None => (field, b""),
    }
}

/// The path that an entry has for the file `name`: relative to the root of the hierarchy, if the file
/// is below it. mtree wants the directories before it, and no prefix but `.`.
pub(in crate::lists) fn path(name: &[u8]) -> Vec<u8> {
    if is_below(name) {
        [b"./", &normalized_path(name)[..]].concat()
    } else if name.contains(&b'/') {
        name.to_vec()
    } else {
        // without a slash it could be a command
        [b"./", name].concat()
    }
}

/// Appends entries for the directories of `path` that `dir` is not in. `dir` is the directory of the
/// last entry, and becomes that of this one.
pub(in crate::lists) fn enter(path: &[u8], dir: &mut Vec<u8>, out: &mut Vec<u8>) {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/' && is_below(path));
    for (slash, _) in slashes {
        if !dir.starts_with(&path[..=slash]) {
            out.extend_from_slice(&vis(&path[..slash]));
            out.extend_from_slice(b" type=dir\n");
            *dir = path[..=slash].to_vec();
        }
    }
}

/// Whether the path `name` stays inside the hierarchy.
fn is_below(name: &[u8]) -> bool {
    !name.starts_with(b"/") && name.split(|byte| *byte == b'/').all(|part| part != b"..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::{AnyAlgorithm, Entry, GnuParser};

    /// The meaning of a line without accepted digests.
    fn read(list: &mut Mtree, line: &[u8]) -> Meaning<Entry> {
        let nothing = AnyAlgorithm { least_bits: 1 << 20, ..AnyAlgorithm::default() };
        list.read(line).accept_digests(&mut GnuParser::new(nothing))
    }

    #[track_caller]
    fn is_structure(list: &mut Mtree, line: &[u8]) {
        assert_eq!(read(list, line), Meaning::Structure, "{}", line.escape_ascii());
    }

    #[test]
    fn a_hierarchy_has_an_end() {
        let mut list = Mtree::default();
        for _ in 0..MAX_PATH_BYTES {
            is_structure(&mut list, b"d type=dir");
        }
        assert!(list.dir.len() <= MAX_PATH_BYTES && list.above.len() <= MAX_PATH_BYTES);
        let deepest = list.dir.clone();
        is_structure(&mut list, b"..");
        assert_eq!(list.dir, deepest, "that one was left out");
        for _ in 1..MAX_PATH_BYTES {
            is_structure(&mut list, b"..");
        }
        assert_eq!(list.dir, b"");
    }

    #[test]
    fn nothing_is_in_a_directory_with_too_long_a_name() {
        let mut list = Mtree::default();
        let directory = |len: usize| [&b"d".repeat(len)[..], b" type=dir"].concat();
        is_structure(&mut list, &directory(100));
        is_structure(&mut list, &directory(100));
        let above = list.dir.clone();
        assert_eq!(above.len(), 202);
        is_structure(&mut list, &directory(MAX_PATH_BYTES));
        is_structure(&mut list, &directory(1));
        assert_eq!(list.dir, above);
    }

    #[test]
    fn a_file_is_checked_somehow_or_refused() {
        for (line, size) in [
            (&b"f type=file size=3"[..], Some(3)),
            (b"f size=3 mode=0644", Some(3)),
            (b"f type=file mode=0644", None),
            (b"f", None),
            // a digest that is not compared
            (b"f size=3 sha3digest=00", None),
            (b"f size=3 cksum=1", None),
            (b"f size=3 sha256digest=00", None),
            (b"f size=3 sha256dig", None),
            // two sizes contradict each other
            (b"f size=3 size=4", None),
            (b"f type=link size=3 type=file", None),
            (b"/set size=3", None),
            (b"f size=x", None),
            (b"f type=fil sha256digest=00", None),
            (b"/set type=fil", None),
            (b"l type=link link=f sha256digest=00", None),
            (b"d type=dir md5=00", None),
            (b"f size=3 size=3", Some(3)),
        ] {
            match (read(&mut Mtree::default(), line), size) {
                (Meaning::File(entry), Some(_)) => {
                    assert_eq!((entry.digests, entry.size), (vec![], size));
                }
                (Meaning::Refused(_), None) => {}
                (meaning, _) => panic!("{}: {meaning:?}", line.escape_ascii()),
            }
        }
        for line in [&b"l type=link link=f"[..], b"d type=dir", b"p type=fifo", b"/unset mode"] {
            is_structure(&mut Mtree::default(), line);
        }
        let mut list = Mtree::default();
        for line in [&b"/set type=link"[..], b"l", b"/unset mode", b"l", b"/unset all"] {
            is_structure(&mut list, line);
        }
        assert!(matches!(read(&mut list, b"l"), Meaning::Refused(_)));
    }
}
