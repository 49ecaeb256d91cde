//! The digests of files in mtree(5) specifications. Entries have whole paths, or names in the
//! directory that earlier lines have entered.

use super::{Entry, Fault, LONGEST_LINE, Tags, plain};

mod vis;

/// The comment that specifications begin with.
pub(super) const MAGIC: &[u8] = b"#mtree";

use vis::unvis;
pub(super) use vis::vis;

/// The keywords of digests that we have, or may have, with their tags. The first ones are also
/// written.
pub(super) const DIGESTS: [(&str, &[u8]); 13] = [
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

/// The keywords that tell other things of a file than what is in it.
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

/// What is said of a file that has neither size nor digest.
const NOTHING: &str = "neither a digest nor a size that could be checked";

/// The message for a digest or a size that does not parse.
const UNREADABLE: &str = "a digest or a size that cannot be read";

/// Bytes of a path that is longer than any that the system takes: a hierarchy gets no deeper.
const LONGEST_PATH: usize = 8 << 10;

/// The type of the entry's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Type {
    #[default]
    File,
    Directory,
    /// It has no bytes that could be hashed.
    Other,
}

impl Type {
    fn of(word: &[u8]) -> Self {
        match word {
            b"file" => Self::File,
            b"dir" => Self::Directory,
            _ => Self::Other,
        }
    }
}

/// Whether `line` may be the first of an mtree(5) specification.
#[must_use]
pub fn begins(line: &[u8]) -> bool {
    let mut fields = fields(line);
    let Some(first) = fields.next() else { return false };
    let known = |field: &[u8]| {
        let (key, _) = split(field);
        matches!(key, b"type" | b"size") || is_digest(key)
    };
    first == b"/set" || (!first.contains(&b'=') && fields.any(known))
}

/// Reads the lines of a specification.
#[derive(Clone, Debug, Default)]
pub(super) struct Mtree {
    /// The directory that entries without a slash are in, with a slash at its end.
    dir: Vec<u8>,
    /// Lengths that `dir` had before.
    above: Vec<usize>,
    /// Directories below, which are deeper than any that there can be.
    too_deep: u64,
    /// What entries without a type are.
    set: Type,
    /// A line that goes on in the next.
    begun: Vec<u8>,
}

impl Mtree {
    /// Parses `line`; `None` if it has no file.
    pub(super) fn parse<T: Tags>(
        &mut self,
        line: &[u8],
        tags: &T,
    ) -> Option<Result<Entry<T::Scheme>, Fault>> {
        if self.begun.len() + line.len() > LONGEST_LINE {
            self.begun.clear();
            return Some(Err(Fault::Malformed));
        }
        if let Some(part) = line.strip_suffix(b"\\") {
            self.begun.extend_from_slice(part);
            return None;
        }
        let line = [&std::mem::take(&mut self.begun), line].concat();
        let mut fields = fields(&line);
        let first = fields.next()?;
        let mut keys: Vec<_> = fields.map(split).collect();
        keys.sort_unstable();
        keys.dedup();
        let kind = keys.iter().find(|(key, _)| key == b"type").map(|(_, kind)| Type::of(kind));
        match first {
            // it would be of every file that follows
            b"/set" if keys.iter().any(|(key, _)| *key == b"size" || is_digest(key)) => {
                return Some(Err(Fault::Refused("a size or a digest in /set".to_owned())));
            }
            b"/set" => self.set = kind.unwrap_or(self.set),
            b"/unset" if keys.iter().any(|(key, _)| matches!(*key, b"type" | b"all")) => {
                self.set = Type::File;
            }
            b"/unset" => {}
            b".." if self.too_deep > 0 => self.too_deep -= 1,
            b".." => self.dir.truncate(self.above.pop().unwrap_or(0)),
            _ => {
                let twice = keys.windows(2).find(|pair| pair[0].0 == pair[1].0);
                return match twice {
                    Some([(key, _), ..]) => {
                        let why = format!("{} is there twice", key.escape_ascii());
                        Some(Err(Fault::Refused(why)))
                    }
                    _ => self.entry(first, kind.unwrap_or(self.set), &keys, tags),
                };
            }
        }
        None
    }

    fn entry<T: Tags>(
        &mut self,
        name: &[u8],
        kind: Type,
        keys: &[(&[u8], &[u8])],
        tags: &T,
    ) -> Option<Result<Entry<T::Scheme>, Fault>> {
        let Some(name) = unvis(name) else { return Some(Err(Fault::Malformed)) };
        let is_whole = name.contains(&b'/');
        if kind == Type::Directory && !is_whole {
            self.enter(&name);
        }
        if kind != Type::File {
            return None;
        }
        let value = |keyword: &str| {
            let found = keys.iter().find(|(key, _)| *key == keyword.as_bytes());
            found.map(|(_, value)| *value)
        };
        let known = DIGESTS.iter().filter_map(|(keyword, tag)| Some((value(keyword)?, *tag)));
        let accepted = known.clone().filter_map(|(text, tag)| Some((tags.tagged(tag)?, text)));
        let digests: Vec<_> = accepted
            .map(|(scheme, text)| Some((scheme.clone(), tags.digest(&scheme, text)?)))
            .collect();
        if digests.is_empty() {
            let refused = known.clone().find_map(|(_, tag)| tags.refusal(tag));
            // a size is no substitute for a digest that is not compared
            let mut others =
                keys.iter().filter(|(key, _)| !OTHERS.iter().any(|it| it.as_bytes() == *key));
            let unknown =
                others.next().map(|(key, _)| format!("{} is not compared", key.escape_ascii()));
            let nothing = || value("size").is_none().then(|| NOTHING.to_owned());
            if let Some(why) = refused.or(unknown).or_else(nothing) {
                return Some(Err(Fault::Refused(why)));
            }
        }
        let number = |text: &[u8]| str::from_utf8(text).ok()?.parse::<u64>().ok();
        let size = value("size").map(number);
        let parts = || {
            let name = if is_whole { name } else { [&self.dir[..], &name].concat() };
            let digests = digests.into_iter().collect::<Option<_>>()?;
            let size = match size {
                Some(size) => Some(size?),
                None => None,
            };
            Some(Entry { name, digests, either: false, size })
        };
        Some(parts().ok_or_else(|| Fault::Refused(UNREADABLE.to_owned())))
    }

    /// Goes into the directory `name`.
    fn enter(&mut self, name: &[u8]) {
        if self.too_deep > 0 || self.dir.len() + name.len() >= LONGEST_PATH {
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

fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|field| !field.is_empty())
}

fn split(field: &[u8]) -> (&[u8], &[u8]) {
    match field.iter().position(|byte| *byte == b'=') {
        Some(at) => (&field[..at], &field[at + 1..]),
        None => (field, b""),
    }
}

/// The path of the file `name` as an entry has it: from the root of the hierarchy, where the file
/// is below it; there mtree wants the directories first, and nothing but `.` before them.
pub(super) fn path(name: &[u8]) -> Vec<u8> {
    if is_below(name) {
        [b"./", &plain(name)[..]].concat()
    } else if name.contains(&b'/') {
        name.to_vec()
    } else {
        // without a slash it would be a command
        [b"./", name].concat()
    }
}

/// Appends entries for the directories that `path` is in, as far as `dir` is not in them, which is
/// the directory of the last entry and becomes that of this one.
pub(super) fn enter(path: &[u8], dir: &mut Vec<u8>, out: &mut Vec<u8>) {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/' && is_below(path));
    for (slash, _) in slashes {
        if !dir.starts_with(&path[..=slash]) {
            out.extend_from_slice(&vis(&path[..slash]));
            out.extend_from_slice(b" type=dir\n");
            *dir = path[..=slash].to_vec();
        }
    }
}

/// Whether the path `name` stays in the hierarchy.
fn is_below(name: &[u8]) -> bool {
    !name.starts_with(b"/") && name.split(|byte| *byte == b'/').all(|part| part != b"..")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Tags for Nothing {
        type Scheme = ();

        fn tagged(&self, _: &[u8]) -> Option<()> {
            None
        }

        fn untagged(&self, _: &[u8]) -> Option<()> {
            None
        }

        fn prefixed(&self, _: &[u8]) -> Vec<()> {
            Vec::new()
        }

        fn digest(&self, (): &(), _: &[u8]) -> Option<Vec<u8>> {
            None
        }
    }

    #[test]
    fn a_hierarchy_has_an_end() {
        let mut list = Mtree::default();
        for _ in 0..LONGEST_PATH {
            assert_eq!(list.parse(b"d type=dir", &Nothing), None);
        }
        assert!(list.dir.len() <= LONGEST_PATH && list.above.len() <= LONGEST_PATH);
        let deepest = list.dir.clone();
        assert_eq!(list.parse(b"..", &Nothing), None);
        assert_eq!(list.dir, deepest, "that one was left out");
        for _ in 1..LONGEST_PATH {
            assert_eq!(list.parse(b"..", &Nothing), None);
        }
        assert_eq!(list.dir, b"");
    }

    #[test]
    fn nothing_is_in_a_directory_with_too_long_a_name() {
        let mut list = Mtree::default();
        let directory = |len: usize| [&b"d".repeat(len)[..], b" type=dir"].concat();
        assert_eq!(list.parse(&directory(100), &Nothing), None);
        assert_eq!(list.parse(&directory(100), &Nothing), None);
        let above = list.dir.clone();
        assert_eq!(above.len(), 202);
        assert_eq!(list.parse(&directory(LONGEST_PATH), &Nothing), None);
        assert_eq!(list.parse(&directory(1), &Nothing), None);
        assert_eq!(list.dir, above);
    }

    #[test]
    fn a_line_that_goes_on_and_on_is_malformed() {
        let mut list = Mtree::default();
        let part = [&b"x".repeat(LONGEST_LINE / 4)[..], b"\\"].concat();
        for _ in 0..3 {
            assert_eq!(list.parse(&part, &Nothing), None);
        }
        assert_eq!(list.parse(&part, &Nothing), Some(Err(Fault::Malformed)));
        assert_eq!(list.parse(b"x type=link", &Nothing), None, "another line");
        let longest = b"x".repeat(LONGEST_LINE);
        let nothing = Some(Err(Fault::Refused(NOTHING.to_owned())));
        assert_eq!(list.parse(&longest, &Nothing), nothing, "a line that has an end");
    }

    #[test]
    fn a_file_is_checked_somehow_or_refused() {
        for (line, size) in [
            (&b"f type=file size=3"[..], Some(3)),
            (b"f size=3 mode=0644", Some(3)),
            (b"f type=file mode=0644", None),
            (b"f", None),
            // digests that are not compared
            (b"f size=3 sha3digest=00", None),
            (b"f size=3 cksum=1", None),
            (b"f size=3 sha256digest=00", None),
            (b"f size=3 sha256dig", None),
            // which of them would it be
            (b"f size=3 size=4", None),
            (b"f type=link size=3 type=file", None),
            (b"/set size=3", None),
            (b"f size=3 size=3", Some(3)),
        ] {
            let entry = Mtree::default().parse(line, &Nothing).unwrap();
            assert_eq!(
                entry.ok().map(|entry| (entry.digests, entry.size)),
                size.map(|n| (vec![], Some(n)))
            );
        }
        for line in [&b"l type=link link=f"[..], b"d type=dir", b"p type=fifo", b"/unset mode"] {
            assert_eq!(Mtree::default().parse(line, &Nothing), None);
        }
        let mut list = Mtree::default();
        assert_eq!(list.parse(b"/set type=link", &Nothing), None);
        assert_eq!(list.parse(b"l", &Nothing), None);
        assert_eq!(list.parse(b"/unset mode", &Nothing), None);
        assert_eq!(list.parse(b"l", &Nothing), None);
        assert_eq!(list.parse(b"/unset all", &Nothing), None);
        assert!(list.parse(b"l", &Nothing).is_some());
    }
}
