//! `Get-FileHash` of PowerShell: as a list, as a table, or through `ConvertTo-Csv`.
//!
//! ```text
//! list      = *( field *( 2*blank more ) )       ; each field of a file once, in any order
//! field     = ( "Algorithm" / "Hash" / "Path" ) *blank ":" value
//! table     = title rule *row
//! title     = [ "Algorithm" ] "Hash" "Path"
//! row       = [ algorithm ] digest path          ; a path that ends in "..." is cut off
//! csv       = columns *values                    ; by "," or ";" or a tab, quoted or not
//! ```
//!
//! Without an algorithm, the length of the digest decides.

use super::{Dialect, KnownDialect, Meaning, SpelledFile, lines, windows_name};

/// The columns of `Get-FileHash`.
const COLUMNS: [&str; 3] = ["Algorithm", "Hash", "Path"];
/// The index of the digest's column.
const HASH_COLUMN: usize = 1;
/// The index of the name's column, which is the last.
const PATH_COLUMN: usize = 2;

enum FileHash {
    List,
    /// Columns: their places among `count`, and the byte that separates them, a blank in a table.
    Columns {
        at: [Option<usize>; 3],
        count: usize,
        separator: u8,
    },
}

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| Some(Box::new(FileHash::begins(line)?) as _),
    #[cfg(test)]
    sample: "\r\nAlgorithm : MD5\r\nHash      : 900150983CD24FB0D6963F7D28E17F72\r\n\
             Path      : C:\\Users\\me\\f\r\n\r\nAlgorithm : MD5\r\n\
             Hash      : E2FC714C4727EE93\r\n            95F324CD2E7F331F\r\nPath      : g\r\n",
};

impl FileHash {
    fn begins(first: &[u8]) -> Option<Self> {
        if field(first).is_some() {
            return Some(Self::List);
        }
        let separator = *first.iter().find(|byte| b",;\t".contains(byte)).unwrap_or(&b' ');
        let columns = values(first, separator, usize::MAX);
        let is = |name: &str, column: &Vec<u8>| column.eq_ignore_ascii_case(name.as_bytes());
        let at = COLUMNS.map(|name| columns.iter().position(|column| is(name, column)));
        // two columns of one name might differ
        let number = |name: &str| columns.iter().filter(|column| is(name, column)).count();
        let is_once = COLUMNS.iter().all(|name| number(name) <= 1);
        let count = columns.len();
        // a table has only these columns, and the path is the last
        let is_table =
            || at.iter().flatten().count() == count && at[PATH_COLUMN] == Some(count - 1);
        let is_it = is_once && at[HASH_COLUMN].is_some() && at[PATH_COLUMN].is_some();
        (is_it && (separator != b' ' || is_table())).then_some(Self::Columns {
            at,
            count,
            separator,
        })
    }
}

impl Dialect for FileHash {
    fn is_comment(&self, line: &[u8]) -> bool {
        // the first value may be a name that begins with `#`
        let is_row = match self {
            Self::Columns { count, separator, .. } if *separator != b' ' => {
                csv(line, *separator).len() == *count
            }
            Self::List | Self::Columns { .. } => false,
        };
        line.starts_with(b"#") && !is_row
    }

    fn continues(&mut self, record: &[u8], line: &[u8]) -> bool {
        if !matches!(self, Self::List) || lines(record).next().and_then(field).is_none() {
            return false;
        }
        match field(line) {
            Some((column, _)) => lines(record).filter_map(field).all(|(known, _)| known != column),
            None => line.starts_with(b"  "),
        }
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        match self {
            Self::List => {
                let (mut fields, mut last): ([Option<Vec<u8>>; 3], _) = Default::default();
                for line in lines(record) {
                    match (field(line), &mut last) {
                        (Some((column, value)), _) => {
                            fields[column] = Some(value.to_vec());
                            last = Some(column);
                        }
                        // the rest of a long value
                        (None, Some(last)) => {
                            fields[*last].get_or_insert_default().extend(line.trim_ascii());
                        }
                        (None, None) => return Meaning::Malformed,
                    }
                }
                file(fields)
            }
            Self::Columns { at, count, separator } => {
                let values = values(record, *separator, *count);
                // a row may end early
                if values.len() > *count {
                    return Meaning::Malformed;
                }
                let fields = at.map(|at| values.get(at?).cloned());
                // in every column: another line has a digest or a name
                let all = |is: &dyn Fn(usize, &[u8]) -> bool| {
                    let has = |it: usize| fields[it].as_deref().is_some_and(|text| is(it, text));
                    (0..COLUMNS.len()).all(|it| at[it].is_none() || has(it))
                };
                let is_title = all(&|it, text| text.eq_ignore_ascii_case(COLUMNS[it].as_bytes()));
                let is_table = *separator == b' ';
                let is_rule = is_table && all(&|_, text| text.iter().all(|byte| *byte == b'-'));
                // the table has cut off a long path
                let is_cut =
                    |path: &[u8]| path.ends_with(b"...") || path.ends_with("\u{2026}".as_bytes());
                match () {
                    () if is_title || is_rule => Meaning::Structure,
                    () if is_table && fields[PATH_COLUMN].as_deref().is_some_and(is_cut) => {
                        Meaning::Malformed
                    }
                    () => file(fields),
                }
            }
        }
    }
}

/// The file of a record, if its fields are complete.
fn file<'r>([algorithm, hash, path]: [Option<Vec<u8>>; 3]) -> Meaning<SpelledFile<'r>> {
    let (Some(hash), Some(path)) = (hash, path) else { return Meaning::Malformed };
    let digests = vec![(algorithm.map(Into::into), hash.into())];
    Meaning::File(SpelledFile { name: windows_name(&path), digests, ..SpelledFile::default() })
}

/// Splits `Hash      : 00..` into the column and the value.
fn field(line: &[u8]) -> Option<(usize, &[u8])> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
    Some((COLUMNS.iter().position(|column| column.as_bytes() == name)?, value))
}

/// The values in a line. A table has `count` of them, and the last one may contain blanks.
fn values(line: &[u8], separator: u8, count: usize) -> Vec<Vec<u8>> {
    if separator != b' ' {
        return csv(line, separator);
    }
    let (mut values, mut unread) = (Vec::new(), line.trim_ascii());
    while !unread.is_empty() {
        let end =
            unread.iter().position(u8::is_ascii_whitespace).filter(|_| values.len() + 1 < count);
        let (value, after) = unread.split_at(end.unwrap_or(unread.len()));
        values.push(value.to_vec());
        unread = after.trim_ascii();
    }
    values
}

/// The values in a line of CSV, unquoted.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_number_sign_is_no_comment() {
        let list = FileHash::begins(b"Path,Hash").unwrap();
        for (line, is_comment) in [("#f,00", false), ("#TYPE of", true), ("f,00", false)] {
            assert_eq!(list.is_comment(line.as_bytes()), is_comment, "{line}");
        }
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
}
