//! Lists of hashdeep, version 1.0: a line that tells the columns, and for each file its size, its
//! digests and its name, with commas between them. Names stand as they are, and last.

use super::{Entry, Tags};

/// The first line.
pub(crate) const MAGIC: &[u8] = b"%%%% HASHDEEP-1.0";

/// What comes before the columns in the line that tells them.
const COLUMNS: &[u8] = b"%%%% ";

/// The digests that hashdeep has and we have, the strongest first, with their tags.
pub(super) const DIGESTS: [(&str, &[u8]); 2] = [("sha256", b"SHA256"), ("sha1", b"SHA1")];

/// Reads the lines behind the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hashdeep {
    /// Names of the columns.
    columns: Vec<Vec<u8>>,
}

impl Hashdeep {
    /// What `line` says: nothing if it tells the columns, `None` inside if it is malformed.
    pub(crate) fn parse<T: Tags>(
        &mut self,
        line: &[u8],
        tags: &T,
    ) -> Option<Option<Entry<T::Scheme>>> {
        if let Some(columns) = line.strip_prefix(COLUMNS) {
            self.columns = columns.split(|byte| *byte == b',').map(<[u8]>::to_vec).collect();
            return None;
        }
        Some(self.entry(line, tags))
    }

    fn entry<T: Tags>(&self, line: &[u8], tags: &T) -> Option<Entry<T::Scheme>> {
        let fields: Vec<_> = line.splitn(self.columns.len().max(1), |byte| *byte == b',').collect();
        let name = match self.columns.last() {
            Some(last) if last == b"filename" && fields.len() == self.columns.len() => {
                fields.last()?.to_vec()
            }
            _ => return None,
        };
        let digest_of = |(column, tag): &(&str, &[u8])| {
            let at = self.columns.iter().position(|known| known == column.as_bytes())?;
            let scheme = tags.tagged(tag)?;
            Some((tags.digest(&scheme, fields[at])?, scheme))
        };
        let (digest, scheme) = DIGESTS.iter().find_map(digest_of)?;
        (!name.is_empty() && !name.contains(&0)).then_some(Entry { scheme, digest, name })
    }
}
