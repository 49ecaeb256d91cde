//! Lists of hashdeep, version 1.0. The name is the last field and never escaped.
//!
//! ```text
//! list    = magic columns *( comment / entry )
//! magic   = "%%%% HASHDEEP-1.0"
//! columns = "%%%% size," *( digest-name "," ) "filename"
//! entry   = size "," *( digest "," ) name
//! comment = "#" text
//! ```

use std::collections::BTreeSet;

use super::{Dialect, KnownDialect, Meaning, SpelledFile, number};

/// The first line of hashdeep's lists.
pub const MAGIC: &[u8] = b"%%%% HASHDEEP-1.0";

/// The start of the line that names the columns.
const COLUMNS: &[u8] = b"%%%% ";

/// The digests of hashdeep that we write in some builds, with their tags.
pub(in crate::lists) const DIGESTS: [(&str, &[u8]); 3] =
    [("md5", b"MD5"), ("sha1", b"SHA1"), ("sha256", b"SHA256")];

#[derive(Default)]
struct Hashdeep {
    /// The number of columns, if the last one is the name.
    columns: Option<usize>,
    size: Option<usize>,
    /// The columns with digests, and their tags, also of hashes that we do not have.
    digests: Vec<(usize, Vec<u8>)>,
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
        // two columns of one name might differ
        let is_once = names.iter().collect::<BTreeSet<_>>().len() == names.len();
        let is_last = names.last() == Some(&&b"filename"[..]);
        self.columns = (is_once && is_last).then_some(names.len());
        self.size = names.iter().position(|name| name == b"size");
        let digests = names[..names.len() - 1].iter().enumerate();
        let digests = digests.filter(|(at, _)| Some(*at) != self.size);
        self.digests = digests.map(|(at, name)| (at, name.to_vec())).collect();
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
        let digest = |(at, tag): &(usize, Vec<u8>)| (Some(tag.clone().into()), fields[*at].into());
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
