//! mtree(5) specifications, as far as they are about digests of files: entries with whole paths, or
//! in the hierarchy of directories that the lines walk through.

use super::{Entry, LONGEST_LINE, Tags, plain};

mod vis;

use vis::unvis;
pub(super) use vis::vis;

/// The keywords of digests that we have, or may have, with their tags. Those that are written stand
/// first.
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

/// Bytes of a path that is longer than any that the system takes: a hierarchy gets no deeper.
const LONGEST_PATH: usize = 8 << 10;

/// Reads the lines of a specification.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mtree {
    /// The directory that entries without a slash are in, with a slash at its end.
    dir: Vec<u8>,
    /// Lengths that `dir` had before.
    above: Vec<usize>,
    /// Directories below, which are deeper than any that there can be.
    too_deep: u64,
    /// Whether entries without a type are directories.
    set_dirs: bool,
    /// A line that goes on in the next.
    begun: Vec<u8>,
}

impl Mtree {
    /// Whether `line` may be the first of a specification.
    pub(crate) fn begins(line: &[u8]) -> bool {
        let mut fields = fields(line);
        let Some(first) = fields.next() else { return false };
        let known = |field: &[u8]| {
            let (key, _) = split(field);
            key == b"type" || DIGESTS.iter().any(|(keyword, _)| key == keyword.as_bytes())
        };
        first == b"/set" || (!first.contains(&b'=') && fields.any(known))
    }

    /// What `line` says: nothing if there is no digest in it, `None` inside if it is malformed.
    pub(crate) fn parse<T: Tags>(
        &mut self,
        line: &[u8],
        tags: &T,
    ) -> Option<Option<Entry<T::Scheme>>> {
        if self.begun.len() + line.len() > LONGEST_LINE {
            self.begun.clear();
            return Some(None);
        }
        if let Some(part) = line.strip_suffix(b"\\") {
            self.begun.extend_from_slice(part);
            return None;
        }
        let line = [&std::mem::take(&mut self.begun), line].concat();
        let mut fields = fields(&line);
        let first = fields.next()?;
        let keys: Vec<_> = fields.map(split).collect();
        let is_dir = keys.iter().find(|(key, _)| key == b"type").map(|(_, kind)| kind == b"dir");
        match first {
            b"/set" => self.set_dirs = is_dir.unwrap_or(self.set_dirs),
            b"/unset" => self.set_dirs &= !keys.iter().any(|(key, _)| key == b"type"),
            b".." if self.too_deep > 0 => self.too_deep -= 1,
            b".." => self.dir.truncate(self.above.pop().unwrap_or(0)),
            _ => return self.entry(first, is_dir, &keys, tags),
        }
        None
    }

    fn entry<T: Tags>(
        &mut self,
        name: &[u8],
        is_dir: Option<bool>,
        keys: &[(&[u8], &[u8])],
        tags: &T,
    ) -> Option<Option<Entry<T::Scheme>>> {
        let Some(name) = unvis(name) else { return Some(None) };
        let is_whole = name.contains(&b'/');
        if is_dir.unwrap_or(self.set_dirs) {
            if !is_whole {
                self.enter(&name);
            }
            return None;
        }
        let value = |keyword: &str| {
            let found = keys.iter().find(|(key, _)| *key == keyword.as_bytes());
            found.map(|(_, value)| *value)
        };
        let known = DIGESTS.iter().filter_map(|(keyword, tag)| Some((value(keyword)?, *tag)));
        let accepted = known.filter_map(|(text, tag)| Some((tags.tagged(tag)?, text)));
        let digests: Vec<_> = accepted
            .map(|(scheme, text)| Some((scheme.clone(), tags.digest(&scheme, text)?)))
            .collect();
        if digests.is_empty() {
            return None;
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
        Some(parts())
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
pub(crate) fn path(name: &[u8]) -> Vec<u8> {
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
        for _ in 0..LONGEST_PATH {
            assert_eq!(list.parse(b"..", &Nothing), None);
        }
        assert_eq!(list.dir, b"");
    }

    #[test]
    fn a_line_that_goes_on_and_on_is_malformed() {
        let mut list = Mtree::default();
        let part = [&b"x".repeat(LONGEST_LINE / 4)[..], b"\\"].concat();
        for _ in 0..3 {
            assert_eq!(list.parse(&part, &Nothing), None);
        }
        assert_eq!(list.parse(&part, &Nothing), Some(None));
        assert_eq!(list.parse(b"x type=file", &Nothing), None, "another line");
        let longest = b"x".repeat(LONGEST_LINE);
        assert_eq!(list.parse(&longest, &Nothing), None, "a line that has an end");
    }
}
