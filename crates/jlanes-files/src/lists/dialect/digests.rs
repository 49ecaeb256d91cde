//! `DIGESTS` of Gentoo's stages. Comments name the hashes, because two of them have digests of one
//! length.
//!
//! ```text
//! list  = *( title *( entry / comment ) )
//! title = "# " algorithm " HASH"
//! entry = digest "  " name                      ; as in GNU's lists
//!       / tag " (" name ") = " digest           ; without a title
//! ```

use std::borrow::Cow;

use super::{Dialect, Reading, Row, SpelledFile, cut};
use crate::lists::{
    gnu::{begin, tagged_file},
    unescape,
};

#[derive(Default)]
struct Digests {
    /// The algorithm of the lines.
    tag: Option<Vec<u8>>,
}

pub(super) const ROW: Row = Row {
    opens: |line, _| title(line).map(|_| Box::new(Digests::default()) as _),
    #[cfg(test)]
    sample: "# MD5 HASH\n900150983cd24fb0d6963f7d28e17f72  f\n# a comment\n# SHA1 HASH\n\
             81fe8bfe87576c3ecb22426f8e57847382917acf  g\n",
};

impl Dialect for Digests {
    fn is_certain(&self) -> bool {
        true
    }

    fn is_comment(&self, line: &[u8]) -> bool {
        line.starts_with(b"#") && title(line).is_none()
    }

    fn read<'r>(&mut self, line: &'r [u8]) -> Reading<SpelledFile<'r>> {
        if let Some(tag) = title(line) {
            self.tag = Some(tag.to_vec());
            return Reading::Structure;
        }
        let untagged = || {
            let (digest, name) = sum(line)?;
            Some(SpelledFile::new(name.into_owned(), self.tag.clone()?, digest))
        };
        tagged_file(line).or_else(untagged).map_or(Reading::Malformed, Reading::File)
    }
}

/// The algorithm that a title names.
fn title(line: &[u8]) -> Option<&[u8]> {
    let tag = line.strip_prefix(b"# ")?.strip_suffix(b" HASH")?;
    (!tag.is_empty() && !tag.contains(&b' ')).then_some(tag)
}

/// The digest and the name in a line. A backslash before the digest means that the name is escaped.
fn sum(line: &[u8]) -> Option<(&[u8], Cow<'_, [u8]>)> {
    let (is_escaped, line) = begin(line);
    let (digest, rest) = cut(line, b" ")?;
    let name = rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"*"))?;
    Some((digest, if is_escaped { unescape(name)? } else { name.into() }))
}
