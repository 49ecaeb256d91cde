//! Digests in the spellings of npm and Nix, followed by names.
//!
//! ```text
//! entry    = spelling 1*blank [ "*" ] name
//! spelling = algorithm "-" base64 [ "?" options ] ; Subresource Integrity
//!          / algorithm ":" ( hex / base64 / nix32 )
//! ```

use super::{KnownDialect, SpelledFile, file_per_line};
use crate::lists::spelling::{normalized, split};

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| file_per_line(line, parse_entry),
    #[cfg(test)]
    sample: "md5-kAFQmDzST7DWlj99KOF/cg==  f\nmd5:1jfz79n8q9m4kv4x2kf4j1mjr2 *g\n",
};

fn parse_entry(line: &[u8]) -> Option<SpelledFile<'_>> {
    let blank = line.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    let (word, name) = (str::from_utf8(&line[..blank]).ok()?, line[blank..].trim_ascii_start());
    let (tag, digest) = split(word);
    let name = name.strip_prefix(b"*").unwrap_or(name).to_vec();
    Some(SpelledFile::new(name, tag?.as_bytes(), normalized(digest).into_bytes()))
}
