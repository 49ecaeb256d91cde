//! Lists of digests as `jlanes-sum` writes and checks them: a written line is read back unchanged.

use std::{collections::BTreeMap, io::Cursor};

use arbitrary::{Result, Unstructured};
use jlanes::{Algorithm, algorithm::Kind};
use jlanes_files::lists::{
    AnyAlgorithm, Encoding, Entry, ForeignFormat, GnuParser, Line, LineLayout, List, Style,
    needs_escape,
};

fn parser_of(untagged: Algorithm) -> GnuParser<AnyAlgorithm> {
    GnuParser::new(AnyAlgorithm {
        untagged: Some(untagged),
        least_bits: 0,
        ..AnyAlgorithm::default()
    })
}

const NAMES: [&str; 13] = [
    "sha256",
    "sha1",
    "sha512-224",
    "skein512-8",
    "skein512-16",
    "skein256-32",
    "skein1024-2056-tree:1.2.3",
    "jlanes8-sha256-raw",
    "jpointers-sha512",
    "s3-sha256:5",
    "etag:5",
    "fsverity-sha256",
    "fsverity-sha512",
];

/// Writes a line and reads it, or reads arbitrary lines.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a line changes when it is written and read.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let algorithm = u.choose(&NAMES)?.parse().expect("a name");
    match u.int_in_range(0..=3)? {
        0 => written(u, algorithm),
        1 => read(u, algorithm),
        2 => other(u, ForeignFormat::Hashdeep),
        _ => other(u, ForeignFormat::Mtree),
    }
}

fn style(u: &mut Unstructured, algorithm: Algorithm) -> Result<Style> {
    let layout = match u.int_in_range(0..=2)? {
        0 => LineLayout::Tagged,
        1 if matches!(algorithm.kind(), Kind::FsVerity { .. }) => LineLayout::FsVerity,
        _ => LineLayout::Untagged { binary: u.arbitrary()? },
    };
    let encoding = if u.arbitrary()? { Encoding::Base64 } else { Encoding::Hex };
    Ok(Style { layout, encoding, zero: u.arbitrary()? })
}

/// A file's name: the rest of the input, without NULs.
fn name(u: &mut Unstructured) -> Result<Vec<u8>> {
    Ok(u.bytes(u.len())?.iter().copied().filter(|byte| *byte != 0).collect())
}

fn written(u: &mut Unstructured, algorithm: Algorithm) -> Result<()> {
    let style = style(u, algorithm)?;
    // S3's digests end with a number of parts
    let parts = matches!(algorithm.kind(), Kind::S3 { part: Some(_), .. } | Kind::ETag { .. });
    let mut digest = u.bytes(algorithm.output_size())?.to_vec();
    if parts {
        digest.extend_from_slice(&u.int_in_range(1..=u64::MAX)?.to_be_bytes());
    }
    let name = name(u)?;
    let mut line = Vec::new();
    let raw = Style { layout: LineLayout::Raw, ..style };
    let computation = algorithm.into();
    raw.write(&computation, "", &name, &digest, &mut line);
    assert_eq!(line, digest[..algorithm.output_size()]);

    line.clear();
    style.write(&computation, &algorithm.tag(), &name, &digest, &mut line);
    assert_eq!(line.pop(), Some(if style.zero { 0 } else { b'\n' }));
    assert!(style.zero || !line.contains(&b'\n'), "one line a file");
    // lines that end with NUL have no escapes, and are only for output
    if name.is_empty() || (style.zero && needs_escape(&name)) {
        return Ok(());
    }
    let entry = parser_of(algorithm).parse(&line);
    let name = match (style.layout, name.first()) {
        (LineLayout::FsVerity, Some(b' ' | b'*')) => [b"./", &name[..]].concat(),
        _ => name,
    };
    assert_eq!(
        entry,
        Some(Entry {
            name,
            literal: None,
            digests: vec![(computation, digest)],
            any_suffices: false,
            size: None
        })
    );
    Ok(())
}

/// Reads several lines with one parser, which remembers the layout of the first one. Each entry,
/// written and read again, stays the same.
fn read(u: &mut Unstructured, algorithm: Algorithm) -> Result<()> {
    let mut parser = parser_of(algorithm);
    let style = Style { layout: LineLayout::Tagged, zero: false, ..style(u, algorithm)? };
    for line in u.bytes(u.len())?.split(|byte| *byte == b'\n') {
        let Some(entry) = parser.parse(line) else { continue };
        assert!(!entry.name.contains(&0), "a name with NUL");
        let mut copy = Vec::new();
        let (computation, digest) = &entry.digests[0];
        style.write(computation, &computation.tag(), &entry.name, digest, &mut copy);
        copy.pop();
        assert_eq!(parser_of(algorithm).parse(&copy), Some(entry));
    }
    Ok(())
}

/// Reads a list of another tool, with lines that the tool would not write among its own.
fn other(u: &mut Unstructured, list: ForeignFormat) -> Result<()> {
    let foreign = u.peek_bytes(u.len()).unwrap_or_default();
    let algorithm: Algorithm = u.choose(&["sha256", "sha1"])?.parse().expect("a name");
    let (len, digest) = (u.arbitrary()?, u.bytes(algorithm.output_size())?);
    let name = name(u)?;
    if name.is_empty() || !list.supports_name(&name) {
        return Ok(());
    }
    let mut lines = Vec::new();
    let tag = &algorithm.tag()[..];
    list.begin([tag].into_iter(), &mut lines);
    list.write(&name, len, [(tag, digest)].into_iter(), &mut Vec::new(), &mut lines);
    let name = list.path(&name);
    let entry = Entry {
        name,
        literal: None,
        digests: vec![(algorithm.into(), digest.to_vec())],
        any_suffices: false,
        size: Some(len),
    };
    let written = lines.len();
    lines.extend_from_slice(foreign);
    assert_eq!(entries(lines[..written].to_vec()), std::slice::from_ref(&entry));
    assert!(entries(lines).first() == Some(&entry) || foreign.contains(&0));
    Ok(())
}

/// The entries of a list.
pub(crate) fn entries(text: Vec<u8>) -> Vec<Entry> {
    let ends = text.iter().filter(|byte| **byte == b'\n').count() as u64;
    let lines = ends + u64::from(text.last().is_some_and(|last| *last != b'\n'));
    // byte order marks select other encodings
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let is_plain = !text.contains(&0) && !marks.iter().any(|mark| text.starts_with(mark));
    let mut list = List::new(Cursor::new(text)).expect("memory reads");
    let mut parser = GnuParser::new(AnyAlgorithm::default());
    let (mut entries, mut found) = (Vec::new(), BTreeMap::<u64, bool>::new());
    while let Some(Line { number, entry, .. }) = list.next(&mut parser).expect("memory reads") {
        assert!(found.last_key_value().is_none_or(|(last, _)| *last <= number), "{number} again");
        *found.entry(number).or_default() |= entry.is_ok();
        entries.extend(entry);
    }
    let (account, with_entries) =
        (list.line_counts(), found.values().filter(|has_entry| **has_entry).count() as u64);
    assert_eq!(account.entries, with_entries);
    assert_eq!(account.malformed + account.refused, found.len() as u64 - with_entries);
    assert!(!is_plain || account.lines() == lines, "{account:?} of {lines} lines");
    entries
}
