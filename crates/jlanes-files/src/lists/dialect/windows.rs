//! What Windows' own tools print: PowerShell's `Get-FileHash`, as a list, a table or CSV, and
//! `certutil -hashfile`.

use crate::lists::{Entry, Tags};

/// The columns that `Get-FileHash` has.
const COLUMNS: [&str; 3] = ["Algorithm", "Hash", "Path"];
const ALGORITHM: usize = 0;
const HASH: usize = 1;
const PATH: usize = 2;

/// The fields of one file, in the order of [`COLUMNS`].
type Fields = [Option<Vec<u8>>; 3];

/// What `Get-FileHash` prints.
#[derive(Clone, Debug)]
pub(in crate::lists) enum FileHash {
    /// `Algorithm : SHA256` and so on, a line a field; long ones go on in indented lines.
    List { fields: Fields, last: usize },
    /// Columns with blanks between them.
    Table,
    /// Columns at these places, between which this byte stands.
    Csv { at: [Option<usize>; 3], separator: u8 },
}

impl FileHash {
    /// What a list with this `first` line is, if it is one of these.
    pub(super) fn begins(first: &[u8]) -> Option<Self> {
        if field(first).is_some() {
            return Some(Self::List { fields: Fields::default(), last: PATH });
        }
        let words: Vec<_> =
            first.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        if words == COLUMNS.map(str::as_bytes) {
            return Some(Self::Table);
        }
        let separator = *first.iter().find(|byte| b",;\t".contains(byte))?;
        let columns = csv(first, separator);
        let is = |name: &str, it: &Vec<u8>| it.eq_ignore_ascii_case(name.as_bytes());
        let at = COLUMNS.map(|name| columns.iter().position(|it| is(name, it)));
        // two columns of one name might differ
        let count = |name: &str| columns.iter().filter(|it| is(name, it)).count();
        let is_once = COLUMNS.iter().all(|name| count(name) <= 1);
        let is_it = is_once && at[HASH].is_some() && at[PATH].is_some();
        is_it.then_some(Self::Csv { at, separator })
    }

    /// What `line` says; a list's entry comes with the line behind it.
    pub(super) fn parse<T: Tags>(
        &mut self,
        line: &[u8],
        tags: &T,
    ) -> Option<Option<Entry<T::Scheme>>> {
        match self {
            Self::List { fields, last } => {
                let Some((column, value)) = field(line) else {
                    return match &mut fields[*last] {
                        Some(begun) if line.starts_with(b"  ") => {
                            begun.extend_from_slice(line.trim_ascii());
                            None
                        }
                        _ => Some(None),
                    };
                };
                *last = column;
                let whole = fields[column].is_some().then(|| std::mem::take(fields));
                fields[column] = Some(value.to_vec());
                whole.map(|fields| entry(fields, tags))
            }
            Self::Table => {
                let (algorithm, rest) = word(line)?;
                let Some((hash, path)) = word(rest) else { return Some(None) };
                let is_rule = |text: &[u8]| text.iter().all(|byte| *byte == b'-');
                let is_title = algorithm == COLUMNS[ALGORITHM].as_bytes();
                if is_title || (is_rule(algorithm) && is_rule(hash)) {
                    return None;
                }
                // the end of a long path is not there
                let is_cut = path.ends_with(b"...") || path.ends_with("\u{2026}".as_bytes());
                let fields = [algorithm, hash, path].map(|text| Some(text.to_vec()));
                Some(if is_cut { None } else { entry(fields, tags) })
            }
            Self::Csv { at, separator } => {
                let values = csv(line, *separator);
                let fields = at.map(|at| values.get(at?).cloned());
                let is_title = fields[HASH].as_deref() == Some(COLUMNS[HASH].as_bytes());
                if is_title { None } else { Some(entry(fields, tags)) }
            }
        }
    }

    /// The entry that no line follows.
    pub(super) fn finish<T: Tags>(&mut self, tags: &T) -> Option<Option<Entry<T::Scheme>>> {
        let Self::List { fields, .. } = self else { return None };
        let fields = std::mem::take(fields);
        fields.iter().any(Option::is_some).then(|| entry(fields, tags))
    }
}

/// `Hash      : 00..`: the column, and what it has.
fn field(line: &[u8]) -> Option<(usize, &[u8])> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
    Some((COLUMNS.iter().position(|column| column.as_bytes() == name)?, value))
}

/// The first word of `line`, and what stands behind it.
fn word(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    (end > 0).then(|| (&line[..end], line[end..].trim_ascii()))
}

/// The values in a line of CSV, without their quotes.
fn csv(line: &[u8], separator: u8) -> Vec<Vec<u8>> {
    let (mut values, mut value, mut is_quoted) = (Vec::new(), Vec::new(), false);
    let mut bytes = line.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' if is_quoted && bytes.peek() == Some(&b'"') => {
                bytes.next();
                value.push(b'"');
            }
            b'"' => is_quoted = !is_quoted,
            _ if byte == separator && !is_quoted => values.push(std::mem::take(&mut value)),
            _ => value.push(byte),
        }
    }
    values.push(value);
    values
}

/// The entry of a file, if nothing of it is missing. Without an algorithm its length tells.
fn entry<T: Tags>([algorithm, hash, path]: Fields, tags: &T) -> Option<Entry<T::Scheme>> {
    let (hash, name) = (hash?, path?);
    let scheme = match algorithm {
        Some(algorithm) => tags.tagged(&algorithm.to_ascii_uppercase())?,
        None => tags.untagged(&hash)?,
    };
    let digest = tags.digest(&scheme, &hash)?;
    let is_name = !name.is_empty() && !name.contains(&0);
    is_name.then(|| Entry { name, digests: vec![(scheme, digest)], either: false, size: None })
}

/// What `certutil -hashfile` prints: a line with the algorithm and the name, and one with the digest.
#[derive(Clone, Debug, Default)]
pub(in crate::lists) struct Certutil {
    /// The algorithm and the name of the file that the next line has the digest of.
    begun: Option<(Vec<u8>, Vec<u8>)>,
}

impl Certutil {
    pub(super) fn begins(first: &[u8]) -> bool {
        title(first).is_some()
    }

    pub(super) fn parse<T: Tags>(
        &mut self,
        line: &[u8],
        tags: &T,
    ) -> Option<Option<Entry<T::Scheme>>> {
        let unfinished = self.begun.take();
        if let Some((tag, name)) = title(line) {
            self.begun = Some((tag.to_vec(), name.to_vec()));
            return unfinished.map(|_| None);
        }
        if line.starts_with(b"CertUtil:") {
            return unfinished.map(|_| None);
        }
        let (tag, name) = match unfinished {
            Some(begun) => begun,
            None => return Some(None),
        };
        let text: Vec<u8> = line.iter().copied().filter(|byte| *byte != b' ').collect();
        // the versions that print blanks between bytes say "file" before the name
        let is_spaced = text.len() < line.len();
        let name = match name.strip_prefix(b"file ") {
            Some(rest) if is_spaced => rest.to_vec(),
            _ => name,
        };
        let digests = || {
            let scheme = tags.tagged(&tag)?;
            let digest = tags.digest(&scheme, &text)?;
            Some(vec![(scheme, digest)])
        };
        let is_name = !name.is_empty() && !name.contains(&0);
        Some(digests().filter(|_| is_name).map(|digests| Entry {
            name,
            digests,
            either: false,
            size: None,
        }))
    }
}

impl Certutil {
    /// What is wrong where no digest follows.
    pub(super) fn finish<S>(&mut self) -> Option<Option<Entry<S>>> {
        self.begun.take().map(|_| None)
    }
}

/// `SHA256 hash of NAME:`: the algorithm, and the name.
fn title(line: &[u8]) -> Option<(&[u8], &[u8])> {
    const OF: &[u8] = b" hash of ";
    let at = line.windows(OF.len()).position(|window| window == OF)?;
    let name = line[at + OF.len()..].trim_ascii_end().strip_suffix(b":")?;
    let tag = &line[..at];
    tag.iter().all(u8::is_ascii_alphanumeric).then_some((tag, name))
}

/// The name here of a file that Windows calls `name`: slashes stand between directories. Of a path that
/// begins at a drive or a server only the last part can be found on another system.
pub(super) fn name(name: &[u8], is_absolute: bool) -> Vec<u8> {
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
    use crate::lists::AnyAlgorithm;

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
            assert_eq!(name(windows.as_bytes(), false), here.as_bytes(), "{windows}");
        }
        assert_eq!(name(br"C:\x\f", true), b"C:/x/f", "where it is a path");
    }

    #[test]
    fn values_of_csv_may_be_quoted() {
        let values = |line: &str| {
            let values = csv(line.as_bytes(), b',');
            values.into_iter().map(|value| String::from_utf8(value).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(values(r#""a","b,c","d""e""#), ["a", "b,c", r#"d"e"#]);
        assert_eq!(values("a,,b"), ["a", "", "b"]);
        assert_eq!(values(""), [""]);
        assert_eq!(values("\"a"), ["a"]);
    }

    #[test]
    fn rows_have_all_fields() {
        let tags = AnyAlgorithm::default();
        let hex = "0a".repeat(32);
        let named = |dialect: &mut FileHash, line: &str| {
            dialect.parse(line.as_bytes(), &tags).map(|it| it.map(|entry| entry.name))
        };
        let mut table = FileHash::begins(b"Algorithm Hash Path").unwrap();
        assert_eq!(named(&mut table, &format!("SHA256 {hex} f")), Some(Some(b"f".to_vec())));
        assert_eq!(named(&mut table, "--------- ---- ----"), None);
        for malformed in ["SHA256 ---- f", "----"] {
            assert_eq!(named(&mut table, malformed), Some(None), "{malformed}");
        }
        let mut csv = FileHash::begins(b"Algorithm,Hash,Path").unwrap();
        assert_eq!(named(&mut csv, &format!("SHA256,{hex},f")), Some(Some(b"f".to_vec())));
        assert_eq!(named(&mut csv, &format!("SHA256,{hex},")), Some(None));
    }

    #[test]
    fn only_indented_lines_go_on() {
        let tags = AnyAlgorithm::default();
        let hash = format!("Hash : {}", "0a".repeat(32));
        let mut list = FileHash::begins(b"Algorithm : SHA256").unwrap();
        for line in ["Algorithm : SHA256", &hash, "Path : a long", "       name"] {
            assert_eq!(list.parse(line.as_bytes(), &tags), None);
        }
        assert_eq!(list.parse(b"prose", &tags), Some(None));
        let entry = list.finish(&tags).flatten().unwrap();
        assert_eq!(entry.name, b"a longname");
    }

    #[test]
    fn names_of_certutil_are_told_by_the_form_of_the_digest() {
        let tags = AnyAlgorithm::default();
        let (hex, spaced) = ("0a".repeat(32), ["0a"; 32].join(" "));
        for (title, digest, name) in [
            ("SHA256 hash of f:", &hex, Some(&b"f"[..])),
            ("SHA256 hash of file f:", &hex, Some(b"file f")),
            ("SHA256 hash of file f:", &spaced, Some(b"f")),
            ("SHA256 hash of :", &hex, None),
        ] {
            let mut list = Certutil::default();
            assert_eq!(list.parse(title.as_bytes(), &tags), None);
            let entry = list.parse(digest.as_bytes(), &tags).unwrap();
            assert_eq!(entry.as_ref().map(|entry| &entry.name[..]), name, "{title}");
        }
    }
}
