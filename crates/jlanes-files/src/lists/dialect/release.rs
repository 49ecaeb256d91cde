//! The index of a repository of Debian packages, `Release` or `InRelease`, and what signs sources,
//! `.dsc` and `.changes`: fields, some of which have lines of digests, sizes and names.

use crate::lists::{Entry, Tags};

/// The fields with digests, each with its tag.
const SECTIONS: [(&str, &[u8]); 8] = [
    ("MD5Sum", b"MD5"),
    ("SHA1", b"SHA1"),
    ("SHA256", b"SHA256"),
    ("SHA384", b"SHA384"),
    ("SHA512", b"SHA512"),
    ("Checksums-Sha1", b"SHA1"),
    ("Checksums-Sha256", b"SHA256"),
    ("Checksums-Sha512", b"SHA512"),
];

/// The fields that such a file may begin with.
const FIRST: [&str; 10] = [
    "Origin",
    "Label",
    "Archive",
    "Suite",
    "Version",
    "Codename",
    "Date",
    "Format",
    "Component",
    "Architectures",
];

#[derive(Clone, Debug, Default)]
pub(in crate::lists) struct Release {
    /// The tag of the field that the lines belong to, if it has digests.
    section: Option<&'static [u8]>,
}

impl Release {
    /// Whether `line` may be the first of such a file.
    pub(super) fn begins(line: &[u8]) -> bool {
        let name = field(line).unwrap_or_default();
        let is = |known: &str| known.as_bytes() == name;
        FIRST.into_iter().any(is)
            || SECTIONS.iter().any(|(known, _)| is(known) && line.ends_with(b":"))
    }

    /// What `line` says: nothing if it names no file, or has a digest that is not wanted.
    pub(super) fn parse<T: Tags>(
        &mut self,
        line: &[u8],
        tags: &T,
    ) -> Option<Option<Entry<T::Scheme>>> {
        if !line.starts_with(b" ") {
            let name = field(line)?;
            let known = SECTIONS.iter().find(|(known, _)| known.as_bytes() == name);
            self.section = known.map(|(_, tag)| *tag);
            return None;
        }
        let section = self.section?;
        let Some(scheme) = tags.tagged(section) else {
            return tags.refusal(section).map(|_| None);
        };
        let mut words = line.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
        let mut entry = || {
            let digest = tags.digest(&scheme, words.next()?)?;
            let size = str::from_utf8(words.next()?).ok()?.parse().ok()?;
            let name = words.next()?.to_vec();
            let is_whole = words.next().is_none() && !name.contains(&0);
            let digests = vec![(scheme.clone(), digest)];
            is_whole.then_some(Entry { name, digests, either: false, size: Some(size) })
        };
        Some(entry())
    }
}

/// The name of the field that `line` begins.
fn field(line: &[u8]) -> Option<&[u8]> {
    let name = &line[..line.iter().position(|byte| *byte == b':')?];
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    name.iter().all(is_letter).then_some(name)
}
