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

use super::{Dialect, KnownDialect, Meaning, SpelledFile, split_once};
use crate::lists::{
    gnu::{split_escape_mark, tagged_file},
    unescape,
};

#[derive(Default)]
struct GentooDigests {
    /// The algorithm of the lines.
    tag: Option<Vec<u8>>,
}

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| title(line).map(|_| Box::new(GentooDigests::default()) as _),
    #[cfg(test)]
    sample: "# MD5 HASH\n900150983cd24fb0d6963f7d28e17f72  f\n# a comment\n# SHA1 HASH\n\
             81fe8bfe87576c3ecb22426f8e57847382917acf  g\n",
};

impl Dialect for GentooDigests {
    fn is_certain(&self) -> bool {
        true
    }

    fn is_comment(&self, line: &[u8]) -> bool {
        line.starts_with(b"#") && title(line).is_none()
    }

    fn read<'r>(&mut self, line: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        if let Some(tag) = title(line) {
            self.tag = Some(tag.to_vec());
            return Meaning::Structure;
        }
        let untagged = || {
            let (digest, name) = sum(line)?;
            Some(SpelledFile::new(name.into_owned(), self.tag.clone()?, digest))
        };
        tagged_file(line).or_else(untagged).map_or(Meaning::Malformed, Meaning::File)
    }
}

/// The algorithm that a title names.
fn title(line: &[u8]) -> Option<&[u8]> {
    let tag = line.strip_prefix(b"# ")?.strip_suffix(b" HASH")?;
    (!tag.is_empty() && !tag.contains(&b' ')).then_some(tag)
}

/// The digest and the name in a line. A backslash before the digest means that the name is escaped.
fn sum(line: &[u8]) -> Option<(&[u8], Cow<'_, [u8]>)> {
    let (is_escaped, line) = split_escape_mark(line);
    let (digest, rest) = split_once(line, b" ")?;
    let name = rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"*"))?;
    Some((digest, if is_escaped { unescape(name)? } else { name.into() }))
}
