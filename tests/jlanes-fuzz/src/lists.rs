//! Lists of digests as `jlanes-sum` writes and checks them: what is written is read back.

use arbitrary::{Result, Unstructured};
use jlanes::{Algorithm, algorithm::Kind};

use self::sum::lists::line::{
    Encoding, Entry, Fault, Foreign, Layout, Parser, Style, Tags, digest,
    hashdeep::Hashdeep,
    mtree::{self, Mtree},
    needs_escape,
};

/// The grammar of `jlanes-sum`, which is a program and no library.
#[path = "../../../crates/jlanes-cli/src"]
#[allow(dead_code, unused_imports, reason = "jlanes-sum uses all of it")]
mod sum {
    pub(crate) mod lists {
        pub(crate) mod line;
    }
}

/// Lines of every algorithm; those without a tag are of the given one.
#[derive(Clone, Copy)]
struct Known(Algorithm);

impl Tags for Known {
    type Scheme = Algorithm;

    fn tagged(&self, tag: &[u8]) -> Option<Algorithm> {
        str::from_utf8(tag).ok()?.parse().ok()
    }

    fn untagged(&self, _: &[u8]) -> Option<Algorithm> {
        Some(self.0)
    }

    fn prefixed(&self, hash: &[u8]) -> Vec<Algorithm> {
        let is_meant = matches!(self.0.kind(), Kind::FsVerity { .. })
            && self.0.to_string().as_bytes().strip_prefix(b"fsverity-") == Some(hash);
        is_meant.then_some(self.0).into_iter().collect()
    }

    fn digest(&self, algorithm: &Algorithm, text: &[u8]) -> Option<Vec<u8>> {
        digest::parse(*algorithm, text)
    }
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

/// Writes a line and reads it, or reads lines that nobody wrote.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a line does not come back as it was.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let algorithm = u.choose(&NAMES)?.parse().expect("a name");
    match u.int_in_range(0..=3)? {
        0 => written(u, algorithm),
        1 => read(u, algorithm),
        2 => hashdeep(u),
        _ => mtree_list(u),
    }
}

fn style(u: &mut Unstructured, algorithm: Algorithm) -> Result<Style> {
    let layout = match u.int_in_range(0..=2)? {
        0 => Layout::Tagged,
        1 if matches!(algorithm.kind(), Kind::FsVerity { .. }) => Layout::FsVerity,
        _ => Layout::Untagged { binary: u.arbitrary()? },
    };
    let encoding = if u.arbitrary()? { Encoding::Base64 } else { Encoding::Hex };
    Ok(Style { layout, encoding, zero: u.arbitrary()? })
}

/// A file's name: what is left of the input, without NUL.
fn name(u: &mut Unstructured) -> Result<Vec<u8>> {
    Ok(u.bytes(u.len())?.iter().copied().filter(|byte| *byte != 0).collect())
}

fn written(u: &mut Unstructured, algorithm: Algorithm) -> Result<()> {
    let style = style(u, algorithm)?;
    // S3's digest comes with its number of parts
    let parts = matches!(algorithm.kind(), Kind::S3 { .. } | Kind::ETag { .. });
    let mut digest = u.bytes(algorithm.output_size())?.to_vec();
    if parts {
        digest.extend_from_slice(&u.int_in_range(1..=u64::MAX)?.to_be_bytes());
    }
    let name = name(u)?;
    let mut line = Vec::new();
    let raw = Style { layout: Layout::Raw, ..style };
    raw.write(algorithm, "", &name, &digest, &mut line);
    assert_eq!(line, digest[..algorithm.output_size()]);

    line.clear();
    style.write(algorithm, &algorithm.tag(), &name, &digest, &mut line);
    assert_eq!(line.pop(), Some(if style.zero { 0 } else { b'\n' }));
    assert!(style.zero || !line.contains(&b'\n'), "one line a file");
    // lines that end with NUL are not escaped, and are not for reading
    if name.is_empty() || (style.zero && needs_escape(&name)) {
        return Ok(());
    }
    let entry = Parser::new(Known(algorithm)).parse(&line);
    assert_eq!(
        entry,
        Some(Entry { name, digests: vec![(algorithm, digest)], either: false, size: None })
    );
    Ok(())
}

/// Several lines for one parser, which remembers the first one's layout. What it makes of a line is
/// written and comes back the same.
fn read(u: &mut Unstructured, algorithm: Algorithm) -> Result<()> {
    let mut parser = Parser::new(Known(algorithm));
    let style = Style { layout: Layout::Tagged, zero: false, ..style(u, algorithm)? };
    for line in u.bytes(u.len())?.split(|byte| *byte == b'\n') {
        let Some(entry) = parser.parse(line) else { continue };
        assert!(!entry.name.contains(&0), "a name with NUL");
        let mut copy = Vec::new();
        let (scheme, digest) = &entry.digests[0];
        style.write(*scheme, &scheme.tag(), &entry.name, digest, &mut copy);
        copy.pop();
        assert_eq!(Parser::new(Known(algorithm)).parse(&copy), Some(entry));
    }
    Ok(())
}

/// Lists of other tools, of which `read` reads a line, and lines that they would not write.
fn other(
    u: &mut Unstructured,
    list: Foreign,
    mut read: impl FnMut(&[u8]) -> Option<Result<Entry<Algorithm>, Fault>>,
) -> Result<()> {
    let foreign = u.peek_bytes(u.len()).unwrap_or_default();
    let algorithm: Algorithm = u.choose(&["sha256", "sha1"])?.parse().expect("a name");
    let (len, digest) = (u.arbitrary()?, u.bytes(algorithm.output_size())?);
    let mut name = name(u)?;
    if name.is_empty() || !list.takes(&name) {
        return Ok(());
    }
    let mut lines = Vec::new();
    let tag = &algorithm.tag()[..];
    list.begin([tag].into_iter(), &mut lines);
    list.write(&name, len, [(tag, digest)].into_iter(), &mut Vec::new(), &mut lines);
    if list == Foreign::Mtree {
        name = mtree::path(&name);
    }
    let lines = lines.strip_suffix(b"\n").expect("whole lines");
    let entries = lines.split(|byte| *byte == b'\n').skip(1).filter_map(&mut read);
    let entry =
        Entry { name, digests: vec![(algorithm, digest.to_vec())], either: false, size: Some(len) };
    assert_eq!(entries.collect::<Vec<_>>(), [Ok(entry)]);
    foreign.split(|byte| *byte == b'\n').for_each(|line| _ = read(line));
    Ok(())
}

fn hashdeep(u: &mut Unstructured) -> Result<()> {
    let mut list = Hashdeep::default();
    other(u, Foreign::Hashdeep, |line| list.parse(line, &Known(Algorithm::SHA256)))
}

fn mtree_list(u: &mut Unstructured) -> Result<()> {
    let mut list = Mtree::default();
    other(u, Foreign::Mtree, |line| list.parse(line, &Known(Algorithm::SHA256)))
}
