//! The output of `pip hash`.
//!
//! ```text
//! list = *( name ":" 1*( NEWLINE "--hash=" algorithm ":" digest ) )
//! ```

use super::{Dialect, KnownDialect, Meaning, SpelledFile, lines, split_once};
use crate::lists::{Fault, MAX_LINE_BYTES};

struct Pip;

const HASH: &[u8] = b"--hash=";

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| line.starts_with(HASH).then(|| Box::new(Pip) as _),
    #[cfg(test)]
    sample: "f:\n--hash=md5:900150983cd24fb0d6963f7d28e17f72\n\
             g:\n--hash=md5:e2fc714c4727ee9395f324cd2e7f331f\n",
};

impl Dialect for Pip {
    fn continues(&mut self, record: &[u8], line: &[u8]) -> bool {
        !record.starts_with(HASH) && line.starts_with(HASH)
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        let mut lines = lines(record);
        let name = lines.next().and_then(|line| line.strip_suffix(b":"));
        // each entry has its own copy of the name
        let copied = |name: &&[u8]| name.len().saturating_mul(lines.clone().count());
        let name = name.filter(|name| copied(name) <= MAX_LINE_BYTES);
        let digests = lines.map(|line| {
            let (tag, digest) = split_once(line.strip_prefix(HASH)?, b":")?;
            Some(SpelledFile::new(name?.to_vec(), tag, digest))
        });
        let files: Vec<_> = digests.map(|file| file.ok_or(Fault::Malformed)).collect();
        if files.is_empty() { Meaning::Malformed } else { Meaning::Files(files) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_not_copied_without_a_bound() {
        let read = |len: usize| {
            let digests = "--hash=md5:00\n".repeat(1 << 10);
            let record = format!("{}:\n{}", "f".repeat(len), digests.trim_end());
            let Meaning::Files(files) = Pip.read(record.as_bytes()) else { panic!("no files") };
            files.into_iter().flatten().count()
        };
        assert_eq!((read(1 << 10), read((1 << 10) + 1)), (1 << 10, 0));
    }
}
