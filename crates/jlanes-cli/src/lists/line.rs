//! The grammar of lists: the lines that are printed, and the lines that `--check` accepts.
//!
//! Pure: no files, only bytes.

pub(crate) mod digest;
mod foreign;
pub(crate) mod hashdeep;
pub(crate) mod mtree;
mod parse;
mod write;

pub(crate) use foreign::Foreign;
use parse::decode;
pub(crate) use parse::{Entry, Fault, Parser, Tags, from_base64, tag};
pub(crate) use write::{Encoding, Layout, Style};

use std::borrow::Cow;

/// Bytes of the longest line that a list may have. The longest digests that are printed do not fit,
/// and nobody lists them.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// `name` without what makes no difference: a list may call `a/b` what is found as `./a//b`.
pub(crate) fn plain(name: &[u8]) -> Vec<u8> {
    let parts = name.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"."));
    let path = parts.collect::<Vec<_>>().join(&b'/');
    if name.starts_with(b"/") { [b"/", &path[..]].concat() } else { path }
}

/// Whether `name` would break a line, so that it has to be written escaped.
pub(crate) fn needs_escape(name: &[u8]) -> bool {
    name.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'\r'))
}

/// `name` with backslashes, line feeds and carriage returns as two characters each.
pub(crate) fn escape(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len() + 8);
    for &byte in name {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            _ => out.push(byte),
        }
    }
    out
}

/// The inverse of [`escape`]; `None` for anything that [`escape`] does not make.
fn unescape(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !text.contains(&b'\\') {
        return Some(Cow::Borrowed(text));
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(Cow::Owned(out))
}

#[cfg(test)]
mod tests {
    use jlanes::Algorithm;
    use proptest::prelude::*;

    use super::*;

    struct Sha256Only;

    impl Tags for Sha256Only {
        type Scheme = ();

        fn tagged(&self, tag: &[u8]) -> Option<()> {
            (tag == b"SHA256").then_some(())
        }

        fn untagged(&self, _: &[u8]) -> Option<()> {
            Some(())
        }

        fn prefixed(&self, hash: &[u8]) -> Vec<()> {
            (hash == b"sha256").then_some(()).into_iter().collect()
        }

        fn digest(&self, (): &(), text: &[u8]) -> Option<Vec<u8>> {
            decode(text, 32)
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            name in proptest::collection::vec(1u8.., 1..40),
            digest in proptest::array::uniform32(any::<u8>()),
            tagged: bool,
            binary: bool,
            base64: bool,
        ) {
            let style = Style {
                layout: if tagged { Layout::Tagged } else { Layout::Untagged { binary } },
                encoding: if base64 { Encoding::Base64 } else { Encoding::Hex },
                zero: false,
            };
            let mut line = Vec::new();
            style.write(Algorithm::SHA256, "SHA256", &name, &digest, &mut line);
            prop_assert_eq!(line.pop(), Some(b'\n'));
            prop_assert!(!line.contains(&b'\n'));
            let entry = Parser::new(Sha256Only).parse(&line);
            prop_assert_eq!(entry.as_ref().map(|e| &*e.name), Some(&name[..]));
            prop_assert_eq!(entry.map(|e| e.digests), Some(vec![((), digest.to_vec())]));
        }

        #[test]
        fn no_line_panics_and_names_come_without_nul(
            line in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            if let Some(entry) = Parser::new(Sha256Only).parse(&line) {
                prop_assert!(!entry.name.contains(&0));
            }
        }
    }
}
