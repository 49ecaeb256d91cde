//! The output of `apt-get --print-uris`.
//!
//! ```text
//! entry = "'" url "' " name " " size " " algorithm ":" digest
//! ```

use super::{KnownDialect, SpelledFile, file_per_line, number, split_once, words};

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| file_per_line(line, parse_entry),
    #[cfg(test)]
    sample: "'http://example.org/f' f 3 MD5Sum:900150983cd24fb0d6963f7d28e17f72\n\
             'http://example.org/g' g 4 MD5Sum:e2fc714c4727ee9395f324cd2e7f331f\n",
};

fn parse_entry(line: &[u8]) -> Option<SpelledFile<'_>> {
    let (_, rest) = split_once(line.strip_prefix(b"'")?, b"' ")?;
    let words: Vec<_> = words(rest).collect();
    let [name, size, digest] = words[..] else { return None };
    let (tag, digest) = split_once(digest, b":")?;
    Some(SpelledFile { size: Some(number(size)?), ..SpelledFile::new(name.to_vec(), tag, digest) })
}
