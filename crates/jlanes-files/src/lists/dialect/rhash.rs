//! RHash with several hashes. The list does not name them, so `-a` has to.
//!
//! ```text
//! list    = *( comment / entry )
//! comment = ";" text / "#" text                 ; "#" and a name before digits is an entry
//! entry   = name 1*( "  " digest )
//! ```

use super::{Dialect, KnownDialect, Meaning, SpelledFile, words};
use crate::lists::spelling::is_hex;

struct RHash {
    /// The tags of the digests, in the order of the columns.
    columns: Vec<String>,
}

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |_, about| {
        let columns = about.columns.clone();
        (columns.len() > 1).then(|| Box::new(RHash { columns }) as _)
    },
    #[cfg(test)]
    sample: "; RHash\nf  900150983cd24fb0d6963f7d28e17f72  a9993e364706816aba3e25717850c26c9cd0d89d\n\
             g  e2fc714c4727ee9395f324cd2e7f331f  81fe8bfe87576c3ecb22426f8e57847382917acf\n",
};

impl Dialect for RHash {
    fn is_comment(&self, line: &[u8]) -> bool {
        // a name may begin with `#`
        let last = || words(line).last().is_some_and(|last| last.len() >= 8 && is_hex(last));
        let is_entry =
            || !line[1..].starts_with(b" ") && words(line).count() > self.columns.len() && last();
        line.starts_with(b";") || (line.starts_with(b"#") && !is_entry())
    }

    fn read<'r>(&mut self, line: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        let (mut digests, mut name) = (Vec::new(), line);
        for tag in self.columns.iter().rev() {
            let Some(at) = name.windows(2).rposition(|window| window == b"  ") else {
                return Meaning::Malformed;
            };
            digests.push((Some(tag.clone().into_bytes().into()), name[at + 2..].into()));
            name = &name[..at];
        }
        digests.reverse();
        Meaning::File(SpelledFile { name: name.to_vec(), digests, ..SpelledFile::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_number_sign_is_no_comment() {
        let list = RHash { columns: vec!["CRC32".to_owned(), "MD5".to_owned()] };
        for (line, is_comment) in [
            ("#f  352441c2  900150983cd24fb0d6963f7d28e17f72", false),
            ("# f  352441c2  900150983cd24fb0d6963f7d28e17f72", true),
            ("#of  today", true),
            ("#", true),
            ("; f  352441c2  900150983cd24fb0d6963f7d28e17f72", true),
        ] {
            assert_eq!(list.is_comment(line.as_bytes()), is_comment, "{line}");
        }
    }
}
