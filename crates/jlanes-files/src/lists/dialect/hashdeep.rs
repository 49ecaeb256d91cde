//! Lists of hashdeep, version 1.0. The name is the last field and never escaped.
//!
//! ```text
//! list    = magic columns *( comment / entry )
//! magic   = "%%%% HASHDEEP-1.0"
//! columns = "%%%% size," *( digest-name "," ) "filename"
//! entry   = size "," *( digest "," ) name
//! comment = "#" text
//! ```

use super::{Dialect, KnownDialect, Meaning, SpelledFile, number};

/// The first line of hashdeep's lists.
pub const MAGIC: &[u8] = b"%%%% HASHDEEP-1.0";

/// The start of the line that names the columns.
const COLUMNS: &[u8] = b"%%%% ";

/// The digests of hashdeep that we have in some builds, with their tags.
pub(in crate::lists) const DIGESTS: [(&str, &[u8]); 3] =
    [("md5", b"MD5"), ("sha1", b"SHA1"), ("sha256", b"SHA256")];

#[derive(Default)]
struct Hashdeep {
    /// The number of columns, if the last one is the name.
    columns: Option<usize>,
    size: Option<usize>,
    /// The columns with digests, and their tags.
    digests: Vec<(usize, &'static [u8])>,
}

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| (line == MAGIC).then(|| Box::new(Hashdeep::default()) as _),
    #[cfg(test)]
    sample: "%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n## Invoked from: /\n\
             3,900150983cd24fb0d6963f7d28e17f72,f\n4,e2fc714c4727ee9395f324cd2e7f331f,g\n",
};

impl Hashdeep {
    fn begin(&mut self, columns: &[u8]) {
        let names: Vec<_> = columns.split(|byte| *byte == b',').collect();
        let at = |wanted: &str| names.iter().position(|name| *name == wanted.as_bytes());
        // two columns of one name might differ
        let count = |wanted: &str| names.iter().filter(|it| **it == wanted.as_bytes()).count();
        let digests = DIGESTS.iter().map(|(name, _)| *name);
        let is_once = digests.chain(["size"]).all(|name| count(name) <= 1);
        let is_last = at("filename") == Some(names.len() - 1);
        self.columns = (is_once && is_last).then_some(names.len());
        self.size = at("size");
        let known = DIGESTS.iter();
        self.digests = known.filter_map(|(name, tag)| Some((at(name)?, *tag))).collect();
    }

    fn file<'l>(&self, line: &'l [u8]) -> Option<SpelledFile<'l>> {
        let columns = self.columns?;
        let fields: Vec<_> = line.splitn(columns, |byte| *byte == b',').collect();
        if fields.len() < columns {
            return None;
        }
        let size = match self.size {
            Some(at) => Some(number(fields[at])?),
            None => None,
        };
        let digest = |(at, tag): &(usize, &'static [u8])| (Some((*tag).into()), fields[*at].into());
        let digests = self.digests.iter().map(digest).collect();
        Some(SpelledFile {
            name: fields[columns - 1].to_vec(),
            digests,
            size,
            ..SpelledFile::default()
        })
    }
}

impl Dialect for Hashdeep {
    fn read<'r>(&mut self, line: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        match line.strip_prefix(COLUMNS) {
            Some(columns) => {
                self.begin(columns);
                let is_read = self.columns.is_some() || line == MAGIC;
                if is_read { Meaning::Structure } else { Meaning::Malformed }
            }
            None => self.file(line).map_or(Meaning::Malformed, Meaning::File),
        }
    }
}
