//! SFV lists of CRC-32.
//!
//! ```text
//! list    = *( comment / entry )
//! comment = ";" text / "#" text                 ; "#" and a name before digits is an entry
//! entry   = name 1*blank 8HEXDIG                ; a name of Windows
//!         / "\" escaped-name 1*blank 8HEXDIG    ; RHash, with GNU's escapes
//! ```

use super::{Dialect, KnownDialect, Meaning, SpelledFile, windows_name};
use crate::lists::{gnu::tagged, spelling::is_hex, unescape};

struct Sfv;

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| begins(line).then(|| Box::new(Sfv) as _),
    #[cfg(test)]
    sample: "; made by hand\nf 352441C2\ng ED82CD11\n",
};

/// Whether `line` may be the first line of an SFV list.
#[must_use]
pub fn begins(line: &[u8]) -> bool {
    let is_tagged = tagged(line).is_some_and(|(.., digest)| !digest.contains(&b' '));
    line.starts_with(b";") || (split(line).is_some() && !is_tagged)
}

impl Dialect for Sfv {
    fn is_comment(&self, line: &[u8]) -> bool {
        // a name may begin with `#`
        let is_entry = || !line[1..].starts_with(b" ") && split(line).is_some();
        line.starts_with(b";") || (line.starts_with(b"#") && !is_entry())
    }

    fn read<'r>(&mut self, line: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        let Some((name, text)) = split(line) else { return Meaning::Malformed };
        let escaped = name.strip_prefix(b"\\").filter(|rest| rest.contains(&b'\\'));
        let name = match escaped.and_then(unescape) {
            Some(name) => name.into_owned(),
            None => windows_name(name),
        };
        Meaning::File(SpelledFile::new(name, b"CRC32", text))
    }
}

/// The name and the eight hex digits after it.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii_end();
    let (rest, text) = line.split_at_checked(line.len().checked_sub(8)?)?;
    let name = rest.trim_ascii_end();
    let is_sum = is_hex(text) && name.len() < rest.len();
    (is_sum && !name.is_empty()).then_some((name, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_number_sign_is_no_comment() {
        for (line, is_comment) in [
            ("#f 352441C2", false),
            ("#f", true),
            ("#", true),
            ("# made 20260901", true),
            (";f 352441C2", true),
            ("f 352441C2", false),
        ] {
            assert_eq!(Sfv.is_comment(line.as_bytes()), is_comment, "{line}");
        }
    }
}
