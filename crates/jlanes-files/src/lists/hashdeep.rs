//! Lists of hashdeep, version 1.0: a line that tells the columns, and for each file its size, its
//! digests and its name, with commas between them. Names stand as they are, and last.

use super::{Entry, Fault, Tags};

/// The first line of a list of hashdeep.
pub const MAGIC: &[u8] = b"%%%% HASHDEEP-1.0";

/// What comes before the columns in the line that tells them.
const COLUMNS: &[u8] = b"%%%% ";

/// The digests that hashdeep has and we have, or may have, with their tags.
pub(super) const DIGESTS: [(&str, &[u8]); 3] =
    [("md5", b"MD5"), ("sha1", b"SHA1"), ("sha256", b"SHA256")];

/// Reads the lines behind the first.
#[derive(Clone, Debug)]
pub(super) struct Hashdeep<S> {
    /// How many columns there are, if the last one is the name.
    columns: Option<usize>,
    size: Option<usize>,
    /// The columns of digests that are accepted.
    digests: Vec<(usize, S)>,
    /// Why one of the others is not.
    refused: Option<String>,
}

impl<S> Default for Hashdeep<S> {
    fn default() -> Self {
        Self { columns: None, size: None, digests: Vec::new(), refused: None }
    }
}

impl<S: Clone> Hashdeep<S> {
    /// What `line` says: nothing if it tells the columns.
    pub(super) fn parse<T: Tags<Scheme = S>>(
        &mut self,
        line: &[u8],
        tags: &T,
    ) -> Option<Result<Entry<S>, Fault>> {
        match line.strip_prefix(COLUMNS) {
            Some(columns) => {
                self.begin(columns, tags);
                None
            }
            None => Some(self.entry(line, tags).ok_or_else(|| match &self.refused {
                Some(why) if self.digests.is_empty() => Fault::Refused(why.clone()),
                _ => Fault::Malformed,
            })),
        }
    }

    fn begin<T: Tags<Scheme = S>>(&mut self, columns: &[u8], tags: &T) {
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
        self.digests =
            known.clone().filter_map(|(name, tag)| Some((at(name)?, tags.tagged(tag)?))).collect();
        let refusal = |(name, tag): &(&str, &[u8])| at(name).and_then(|_| tags.refusal(tag));
        self.refused = known.clone().find_map(refusal);
    }

    fn entry<T: Tags<Scheme = S>>(&self, line: &[u8], tags: &T) -> Option<Entry<S>> {
        let columns = self.columns?;
        let fields: Vec<_> = line.splitn(columns, |byte| *byte == b',').collect();
        if fields.len() < columns || self.digests.is_empty() {
            return None;
        }
        let digest =
            |(at, scheme): &(usize, S)| Some((scheme.clone(), tags.digest(scheme, fields[*at])?));
        let digests = self.digests.iter().map(digest).collect::<Option<_>>()?;
        let size = match self.size {
            Some(at) => Some(str::from_utf8(fields[at]).ok()?.parse().ok()?),
            None => None,
        };
        let name = fields[columns - 1].to_vec();
        (!name.is_empty() && !name.contains(&0)).then_some(Entry {
            name,
            digests,
            either: false,
            size,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::AnyAlgorithm;

    /// What a list of these columns says in `line`, if digests of 128 bits are refused.
    fn read(columns: &str, line: &str) -> Result<Vec<u8>, Fault> {
        let tags = AnyAlgorithm { least_bits: 160, ..AnyAlgorithm::default() };
        let mut list = Hashdeep::default();
        let columns = format!("%%%% size,{columns},filename");
        assert_eq!(list.parse(columns.as_bytes(), &tags), None);
        list.parse(line.as_bytes(), &tags).unwrap().map(|entry| entry.name)
    }

    #[test]
    fn a_line_is_refused_if_no_column_is_accepted() {
        let (md5, sha1) = ("0a".repeat(16), "0a".repeat(20));
        assert_eq!(read("md5,sha1", &format!("3,{md5},{sha1},f")), Ok(b"f".to_vec()));
        assert_eq!(read("md5,sha1", "3"), Err(Fault::Malformed));
        let why = "MD5 has 128 bits, and 160 are the least".to_lowercase();
        let refused = |fault| matches!(fault, Fault::Refused(it) if it.to_lowercase() == why);
        assert!(read("md5", &format!("3,{md5},f")).is_err_and(refused));
    }
}
