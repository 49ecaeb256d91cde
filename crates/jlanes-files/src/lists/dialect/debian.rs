//! Debian's archives: `Release` and `InRelease`, `Packages`, and the signed descriptions of packages,
//! `.dsc`, `.changes` and `.buildinfo`.
//!
//! ```text
//! list   = *( field / line / stanza )
//! field  = name ":" [ value ]
//! line   = blank digest size name               ; below a field of a hash
//!        / blank digest size section priority name   ; below "Files:" of .changes
//!        / blank text                           ; below any other field
//! stanza = "Package:" value *field blank-line   ; with "Filename", "Size" and digests
//! ```
//!
//! Lines with digests below a field that names no known hash are refused.

use super::{Dialect, KnownDialect, Meaning, SpelledFile, WithoutDigest, lines, number, words};
use crate::lists::spelling::digest_words;

/// The hashes with fields of their own.
const KNOWN: [&str; 6] = ["MD5", "MD5Sum", "SHA1", "SHA256", "SHA384", "SHA512"];

/// The first fields of such files.
const FIRST: [&str; 11] = [
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
    "Package",
];

/// More bytes than the name of a field has.
const MAX_NAME_BYTES: usize = 64;

#[derive(Default)]
struct Debian {
    /// The field above, to which the following lines belong.
    field: Vec<u8>,
}

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| begins(line).then(|| Box::new(Debian::default()) as _),
    #[cfg(test)]
    sample: "Origin: Debian\nDescription: of\n two lines\nMD5Sum:\n \
             900150983cd24fb0d6963f7d28e17f72 3 f\n e2fc714c4727ee9395f324cd2e7f331f 4 g\n",
};

/// Whether `line` may be the first line of such a file.
fn begins(line: &[u8]) -> bool {
    let Some((name, value)) = field(line) else { return false };
    FIRST.iter().any(|known| known.as_bytes() == name) || (is_known(tag(name)) && value.is_empty())
}

impl Dialect for Debian {
    fn continues(&mut self, record: &[u8], line: &[u8]) -> bool {
        // text below a field that is none of a hash
        let is_text = || {
            let name = field(&record[..record.len().min(MAX_NAME_BYTES)]).map(|(name, _)| name);
            is_more(line)
                && name.is_some_and(|name| !is_known(tag(name)))
                && !sum(line).is_some_and(|(digest, ..)| is_digest(digest))
        };
        !line.is_empty() && (record.starts_with(b"Package:") || is_text())
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        if record.starts_with(b"Package:") && record.contains(&b'\n') {
            return stanza(record);
        }
        if !is_more(record) {
            let Some((name, value)) = lines(record).next().and_then(field) else {
                return Meaning::Malformed;
            };
            self.field = name.to_vec();
            // digests stand in the lines below a field, not next to it
            let is_strange = is_known(tag(name)) && !value.is_empty();
            return if is_strange { Meaning::Malformed } else { Meaning::Structure };
        }
        let (tag, is_known) = (tag(&self.field), is_known(tag(&self.field)));
        match sum(record) {
            Some((digest, size, name)) if is_known || is_digest(digest) => {
                let field = self.field.escape_ascii();
                let why = || format!("a digest below \"{field}\", which names no known hash");
                let without_digest = match is_known {
                    true => WithoutDigest::Structure,
                    false => WithoutDigest::Refused(why()),
                };
                let file = SpelledFile::new(name.to_vec(), tag.to_vec(), digest);
                Meaning::File(SpelledFile { size: Some(size), without_digest, ..file })
            }
            _ if is_known => Meaning::Malformed,
            _ => Meaning::Structure,
        }
    }
}

/// The package of a stanza in `Packages`.
fn stanza(record: &[u8]) -> Meaning<SpelledFile<'_>> {
    let fields = || lines(record).filter_map(field);
    let value = |name: &str| fields().find(|it| it.0 == name.as_bytes()).map(|(_, value)| value);
    let has_digest = fields().any(|(name, _)| is_known(tag(name)));
    let digests = fields().map(|(name, value)| (Some(tag(name).into()), value.into()));
    let mut names: Vec<_> = fields().map(|(name, _)| name).collect();
    names.sort_unstable();
    let is_twice = names.windows(2).any(|pair| pair[0] == pair[1]);
    if is_twice || lines(record).any(|line| !is_more(line) && field(line).is_none()) {
        return Meaning::Malformed;
    }
    match (value("Filename"), value("Size").map(number)) {
        (None, _) if !has_digest => Meaning::Structure,
        (Some(_), Some(None)) | (None, _) => Meaning::Malformed,
        (Some(name), size) => Meaning::File(SpelledFile {
            name: name.to_vec(),
            digests: digests.collect(),
            size: size.flatten(),
            ..SpelledFile::default()
        }),
    }
}

/// The digest, the size and the name in a line below a field.
fn sum(line: &[u8]) -> Option<(&[u8], u64, &[u8])> {
    match words(line).collect::<Vec<_>>()[..] {
        [digest, size, name] | [digest, size, _, _, name] => Some((digest, number(size)?, name)),
        _ => None,
    }
}

fn is_digest(word: &[u8]) -> bool {
    digest_words(word).any(|at| at.len() == word.len())
}

/// Whether `line` continues the field above.
fn is_more(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}

/// The tag of the digests in the field `name`.
fn tag(name: &[u8]) -> &[u8] {
    match name {
        b"Files" => b"MD5",
        _ => name.strip_prefix(b"Checksums-").unwrap_or(name),
    }
}

fn is_known(tag: &[u8]) -> bool {
    KNOWN.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(tag))
}

/// The name and the value of the field that begins in `line`.
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (name, value) = line.split_at(line.iter().position(|byte| *byte == b':')?);
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let is_name = !name.is_empty() && name.iter().all(is_letter);
    is_name.then_some((name, value[1..].trim_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::{AnyAlgorithm, GnuParser};

    /// The meaning of a line below `field`.
    fn below<'l>(field: &str, line: &'l str) -> Meaning<SpelledFile<'l>> {
        let mut list = Debian::default();
        assert!(matches!(list.read(field.as_bytes()), Meaning::Structure));
        list.read(line.as_bytes())
    }

    #[test]
    fn digests_below_no_known_field_are_refused() {
        let mut tags = GnuParser::new(AnyAlgorithm::default());
        let digest = "900150983cd24fb0d6963f7d28e17f72";
        for field in ["Checksums-Blake9:", "Package-List:", "Description: of", "SHA9:"] {
            for line in [format!(" {digest} 3 f"), format!("\t{digest} 3 x y f")] {
                let meaning = below(field, &line).accept_digests(&mut tags);
                assert!(matches!(meaning, Meaning::Refused(_)), "{field}{line}: {meaning:?}");
            }
            for line in [" f deb utils optional", " and 3 f", " two lines"] {
                assert_eq!(
                    below(field, line).accept_digests(&mut tags),
                    Meaning::Structure,
                    "{field}{line}"
                );
            }
        }
        let blake = [digest; 4].concat();
        let meaning =
            below("Checksums-Blake2b:", &format!(" {blake} 3 f")).accept_digests(&mut tags);
        assert!(matches!(meaning, Meaning::File(_)), "a hash that we have: {meaning:?}");
        let wrong = below("SHA256:", " 00 3 f").accept_digests(&mut tags);
        assert_eq!(wrong, Meaning::Malformed);
        assert!(matches!(Debian::default().read(b"SHA256: 00"), Meaning::Malformed));
    }

    #[test]
    fn lines_of_fields_have_three_words_or_five() {
        for (line, is_file) in
            [(" 0a 3 f", true), (" 0a 3 x y f", true), (" 0a 3 f g", false), (" 0a 3", false)]
        {
            for section in ["SHA256:", "Checksums-Sha256:", "Files:"] {
                let is = matches!(below(section, line), Meaning::File(_));
                assert_eq!(is, is_file, "{section}{line}");
            }
        }
    }
}
