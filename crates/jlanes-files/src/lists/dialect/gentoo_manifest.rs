//! `Manifest` files of Gentoo's trees, GLEP 74.
//!
//! ```text
//! list  = *( entry / "TIMESTAMP" time / "IGNORE" path )
//! entry = tag path size 1*( algorithm digest )
//! tag   = "DIST" / "DATA" / "MANIFEST" / "EBUILD" / "MISC"
//!       / "AUX"                                 ; its path is relative to files/
//! path  = *( byte / "\x" 2digit / "\u" 4digit / "\U" 8digit )
//! ```

use super::{Dialect, KnownDialect, Meaning, SpelledFile, number, words};
use crate::lists::spelling::is_hex;

const TAGS: [&[u8]; 6] = [b"DIST", b"DATA", b"MANIFEST", b"EBUILD", b"MISC", b"AUX"];

struct GentooManifest;

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| {
        let words: Vec<_> = words(line).collect();
        let is_entry = || words.len() > 4 && TAGS.contains(&words[0]);
        (is_other(&words) || is_entry()).then(|| Box::new(GentooManifest) as _)
    },
    #[cfg(test)]
    sample: "TIMESTAMP 2026-09-01T12:00:00Z\nDIST f 3 MD5 900150983cd24fb0d6963f7d28e17f72\n\
             DATA \\x67 4 MD5 e2fc714c4727ee9395f324cd2e7f331f WHIRLPOOL 00\n",
};

impl Dialect for GentooManifest {
    fn read<'r>(&mut self, line: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        let words: Vec<_> = words(line).collect();
        if is_other(&words) {
            return Meaning::Structure;
        }
        parse_entry(&words).map_or(Meaning::Malformed, Meaning::File)
    }
}

fn is_other(words: &[&[u8]]) -> bool {
    matches!(words, [b"TIMESTAMP" | b"IGNORE", _])
}

fn parse_entry<'l>(words: &[&'l [u8]]) -> Option<SpelledFile<'l>> {
    let [tag, path, size, digests @ ..] = words else { return None };
    let (digests, []) = digests.as_chunks::<2>() else { return None };
    let size = number(size).filter(|_| TAGS.contains(tag))?;
    let dir: &[u8] = if *tag == b"AUX" { b"files/" } else { b"" };
    Some(SpelledFile {
        name: [dir, &unescape(path)?].concat(),
        digests: digests.iter().map(|[tag, hex]| (Some((*tag).into()), (*hex).into())).collect(),
        size: Some(size),
        ..SpelledFile::default()
    })
}

/// Decodes the escapes in `path`.
fn unescape(path: &[u8]) -> Option<Vec<u8>> {
    let mut parts = path.split(|byte| *byte == b'\\');
    let mut name = parts.next()?.to_vec();
    for part in parts {
        let digits = match part.first()? {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let (code, rest) = part[1..].split_at_checked(digits)?;
        // `from_str_radix` accepts a sign, too
        let code = str::from_utf8(code).ok().filter(|_| is_hex(code))?;
        let char = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
        name.extend(char.to_string().bytes().chain(rest.iter().copied()));
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_whole() {
        assert_eq!(
            unescape(br"a\x20b\u00e9\U0001F600").as_deref(),
            Some("a b\u{e9}\u{1f600}".as_bytes())
        );
        for path in [r"a\", r"a\q", r"a\x2", r"a\x+1", r"a\ud800", r"a\\"] {
            assert_eq!(unescape(path.as_bytes()), None, "{path}");
        }
    }
}
