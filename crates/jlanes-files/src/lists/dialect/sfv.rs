//! SFV: a name and CRC-32 a line, and comments behind semicolons.

use crate::lists::{Entry, Tags};

/// Whether `line` may be the first of an SFV list.
#[must_use]
pub fn begins(line: &[u8]) -> bool {
    let is_tagged = line.windows(3).any(|part| part == b") =");
    line.starts_with(b";") || (split(line).is_some() && !is_tagged)
}

/// What `line` says: nothing if it is a comment, `None` inside if it is malformed.
pub(super) fn parse<T: Tags>(line: &[u8], tags: &T) -> Option<Option<Entry<T::Scheme>>> {
    if line.starts_with(b";") {
        return None;
    }
    let entry = || {
        let (name, text) = split(line)?;
        let scheme = tags.tagged(b"CRC32")?;
        let digest = tags.digest(&scheme, text)?;
        let digests = vec![(scheme, digest)];
        (!name.contains(&0)).then(|| Entry {
            name: name.to_vec(),
            digests,
            either: false,
            size: None,
        })
    };
    Some(entry())
}

/// The name, and the eight digits behind it.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii_end();
    let (rest, text) = line.split_at_checked(line.len().checked_sub(8)?)?;
    let name = rest.trim_ascii_end();
    let is_sum = text.iter().all(u8::is_ascii_hexdigit) && name.len() < rest.len();
    (is_sum && !name.is_empty()).then_some((name, text))
}
