//! `distinfo` files of FreeBSD's ports and of pkgsrc.
//!
//! ```text
//! list  = *( time / id / entry )
//! time  = "TIMESTAMP = " digits
//! id    = "$NetBSD" text                        ; the first line, of pkgsrc
//! entry = tag " (" name ") = " digest           ; the lines of a file stand together
//!       / "SIZE (" name ") = " size
//!       / "Size (" name ") = " size " bytes"
//! ```

use super::{Dialect, KnownDialect, Meaning, SpelledFile, lines, number};
use crate::lists::{Fault, gnu::tagged, meaning::WithoutDigest};

struct Distinfo {
    /// Whether the list is pkgsrc's: it begins with an id.
    has_id: bool,
    /// The name in the first line of the open record, once a second line has followed.
    name: Option<Vec<u8>>,
}

const TIME: &[u8] = b"TIMESTAMP = ";
const ID: &[u8] = b"$NetBSD";

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| {
        let has_size = || tagged(line).is_some_and(|(tag, ..)| tag.eq_ignore_ascii_case(b"size"));
        let has_id = line.starts_with(ID);
        (has_id || is_time(line) || has_size())
            .then(|| Box::new(Distinfo { has_id, name: None }) as _)
    },
    #[cfg(test)]
    sample: "TIMESTAMP = 1760000000\nMD5 (f) = 900150983cd24fb0d6963f7d28e17f72\nSIZE (f) = 3\n\
             MD5 (g) = e2fc714c4727ee9395f324cd2e7f331f\nSIZE (g) = 4\n",
};

/// The reason for refusing pkgsrc's digests of patches.
const PATCH: &str = "a digest of a patch without the lines that have $NetBSD in them";

impl Dialect for Distinfo {
    /// GNU's tools would compare the digests of patches, too.
    fn is_certain(&self) -> bool {
        self.has_id
    }

    fn continues(&mut self, record: &[u8], line: &[u8]) -> bool {
        let name = |line| tagged(line).map(|(_, name, _)| name);
        let Some(next) = name(line) else { return false };
        let first = || lines(record).next().and_then(name).unwrap_or_default().to_vec();
        self.name.get_or_insert_with(first) == next
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        self.name = None;
        if record.starts_with(ID) || is_time(record) {
            return Meaning::Structure;
        }
        let (mut files, mut size, mut names) = (Vec::new(), None, Vec::new());
        for (tag, name, value) in lines(record).filter_map(tagged) {
            names.push(name);
            match tag {
                b"SIZE" | b"Size" => match number(value.strip_suffix(b" bytes").unwrap_or(value)) {
                    // a second size might differ
                    Some(number) if size.is_none() => size = Some(number),
                    _ => files.push(Err(Fault::Malformed)),
                },
                _ if self.has_id && name.starts_with(b"patch-") => {
                    files.push(Err(Fault::Refused(PATCH.to_owned())));
                }
                _ => files.push(Ok(SpelledFile::new(name.to_vec(), tag, value))),
            }
        }
        match (names.first(), &files[..]) {
            (Some(name), []) => Meaning::File(SpelledFile {
                name: name.to_vec(),
                size,
                without_digest: WithoutDigest::Entry,
                ..SpelledFile::default()
            }),
            (Some(_), _) => {
                files.iter_mut().flatten().for_each(|file| file.size = size);
                Meaning::Files(files)
            }
            (None, _) => Meaning::Malformed,
        }
    }
}

fn is_time(line: &[u8]) -> bool {
    line.strip_prefix(TIME).and_then(number).is_some()
}
