//! Lists of digests as `jlanes-sum` writes and checks them: what is written is read back.

use arbitrary::{Result, Unstructured};

use self::sum::line::{Encoding, Layout, Parser, Style, Tags, needs_escape};

/// The grammar of `jlanes-sum`, which is a program and no library.
#[path = "../../../crates/jlanes-cli/src"]
mod sum {
    pub(crate) mod line;
}

/// Two algorithms with digests of different lengths.
#[derive(Clone, Copy)]
struct Known;

const SHA256: (&str, usize) = ("SHA256", 32);
const SHA512: (&str, usize) = ("SHA512", 64);

impl Tags for Known {
    type Algorithm = &'static str;

    fn tagged(&self, tag: &[u8]) -> Option<(&'static str, usize)> {
        [SHA256, SHA512].into_iter().find(|(name, _)| name.as_bytes() == tag)
    }

    fn untagged(&self) -> Option<(&'static str, usize)> {
        Some(SHA256)
    }
}

/// Writes a line and reads it, or reads a line that nobody wrote.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a line does not come back as it was.
pub fn run(u: &mut Unstructured) -> Result<()> {
    if u.ratio(1, 2)? { written(u) } else { foreign(u) }
}

fn style(u: &mut Unstructured, tagged: bool) -> Result<Style> {
    let layout = if tagged { Layout::Tagged } else { Layout::Untagged { binary: u.arbitrary()? } };
    let encoding = if u.arbitrary()? { Encoding::Base64 } else { Encoding::Hex };
    Ok(Style { layout, encoding, zero: u.arbitrary()? })
}

fn written(u: &mut Unstructured) -> Result<()> {
    let tagged = u.arbitrary()?;
    let style = style(u, tagged)?;
    let (tag, len) = if tagged { *u.choose(&[SHA256, SHA512])? } else { SHA256 };
    let digest = u.bytes(len)?;
    let name: Vec<u8> = u.take_name();
    let raw = Style { layout: Layout::Raw, ..style };
    let mut line = Vec::new();
    raw.write(tag, &name, digest, &mut line);
    assert_eq!(line, digest);

    line.clear();
    style.write(tag, &name, digest, &mut line);
    assert_eq!(line.pop(), Some(if style.zero { 0 } else { b'\n' }));
    assert!(style.zero || !line.contains(&b'\n'), "one line a file");
    // names of lines that end with NUL are not escaped: a backslash in front would be read as one
    if name.is_empty() || (style.zero && needs_escape(&name)) {
        return Ok(());
    }
    let entry = Parser::new(Known).parse(&line).expect("a line that was just written");
    assert_eq!((entry.algorithm, &entry.digest[..], entry.name), (tag, digest, name));
    Ok(())
}

/// Several lines for one parser, which remembers the first one's layout. What it makes of a line is
/// written and comes back the same.
fn foreign(u: &mut Unstructured) -> Result<()> {
    let mut parser = Parser::new(Known);
    let style = style(u, true)?;
    for line in u.take_rest_of_lines() {
        let Some(entry) = parser.parse(line) else { continue };
        assert!(!entry.name.contains(&0), "a name with NUL");
        let mut copy = Vec::new();
        let style = Style { zero: false, ..style };
        style.write(entry.algorithm, &entry.name, &entry.digest, &mut copy);
        copy.pop();
        assert_eq!(Parser::new(Known).parse(&copy), Some(entry));
    }
    Ok(())
}

/// What is left of the input, as text.
trait Rest<'a> {
    fn take_name(&mut self) -> Vec<u8>;
    fn take_rest_of_lines(&mut self) -> impl Iterator<Item = &'a [u8]>;
}

impl<'a> Rest<'a> for Unstructured<'a> {
    /// A name of a file: anything without NUL.
    fn take_name(&mut self) -> Vec<u8> {
        let rest = self.bytes(self.len()).expect("as much as there is");
        rest.iter().copied().filter(|byte| *byte != 0).collect()
    }

    fn take_rest_of_lines(&mut self) -> impl Iterator<Item = &'a [u8]> {
        let rest = self.bytes(self.len()).expect("as much as there is");
        rest.split(|byte| *byte == b'\n')
    }
}
