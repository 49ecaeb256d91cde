//! Debian's archives: `Release` and `InRelease`, `Packages`, and what signs packages, `.dsc`,
//! `.changes` and `.buildinfo`.
//!
//! ```text
//! list   = *( field / line / stanza )
//! field  = name ":" [ value ]
//! line   = blank digest size name               ; below a field of SECTIONS
//!        / blank digest size section priority name   ; below "Files:" of .changes
//!        / blank text                           ; below any other field
//! stanza = "Package:" value *field blank-line   ; with "Filename", "Size" and digests
//! ```

use super::{Dialect, File, Otherwise, Reading, Row, lines, number, words};

/// The fields with digests, each with its tag.
const SECTIONS: [(&str, &[u8]); 12] = [
    ("MD5Sum", b"MD5"),
    ("MD5sum", b"MD5"),
    ("Files", b"MD5"),
    ("SHA1", b"SHA1"),
    ("SHA256", b"SHA256"),
    ("SHA384", b"SHA384"),
    ("SHA512", b"SHA512"),
    ("Checksums-Md5", b"MD5"),
    ("Checksums-Sha1", b"SHA1"),
    ("Checksums-Sha256", b"SHA256"),
    ("Checksums-Sha384", b"SHA384"),
    ("Checksums-Sha512", b"SHA512"),
];

/// The fields that such a file may begin with.
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

#[derive(Default)]
struct Debian {
    /// The tag of the field that the lines belong to, if it has digests.
    section: Option<&'static [u8]>,
}

pub(super) const ROW: Row = Row {
    opens: |line, _| begins(line).then(|| Box::new(Debian::default()) as _),
    #[cfg(test)]
    sample: "Origin: Debian\nDescription: of\n two lines\nMD5Sum:\n \
             900150983cd24fb0d6963f7d28e17f72 3 f\n e2fc714c4727ee9395f324cd2e7f331f 4 g\n",
};

/// Whether `line` may be the first of such a file.
fn begins(line: &[u8]) -> bool {
    let Some((name, value)) = field(line) else { return false };
    FIRST.iter().any(|known| known.as_bytes() == name) || (tag(name).is_some() && value.is_empty())
}

impl Dialect for Debian {
    fn goes_on(&mut self, record: &[u8], line: &[u8]) -> bool {
        record.starts_with(b"Package:") && !line.is_empty()
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Reading<File<'r>> {
        if record.starts_with(b"Package:") && record.contains(&b'\n') {
            return stanza(record);
        }
        if !record.starts_with(b" ") && !record.starts_with(b"\t") {
            let Some((name, _)) = field(record) else { return Reading::Malformed };
            self.section = tag(name);
            return Reading::Structure;
        }
        let Some(tag) = self.section else { return Reading::Structure };
        let parts: Vec<_> = words(record).collect();
        let (digest, size, name) = match parts[..] {
            [digest, size, name] | [digest, size, _, _, name] => (digest, number(size), name),
            _ => return Reading::Malformed,
        };
        match size {
            None => Reading::Malformed,
            size => Reading::File(File {
                size,
                otherwise: Otherwise::Structure,
                ..File::new(name.to_vec(), tag, digest)
            }),
        }
    }
}

/// A package in `Packages`.
fn stanza(record: &[u8]) -> Reading<File<'_>> {
    let fields = || lines(record).filter_map(field);
    let value = |name: &str| fields().find(|it| it.0 == name.as_bytes()).map(|(_, value)| value);
    let digests =
        fields().filter_map(|(name, value)| Some((Some(tag(name)?.into()), value.into())));
    let mut digests = digests.peekable();
    let mut names: Vec<_> = fields().map(|(name, _)| name).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Reading::Malformed;
    }
    match (value("Filename"), value("Size").map(number)) {
        (None, _) if digests.peek().is_none() => Reading::Structure,
        (Some(_), Some(None)) | (None, _) => Reading::Malformed,
        (Some(name), size) => Reading::File(File {
            name: name.to_vec(),
            digests: digests.collect(),
            size: size.flatten(),
            ..File::default()
        }),
    }
}

/// The tag of the digests in the field `name`.
fn tag(name: &[u8]) -> Option<&'static [u8]> {
    SECTIONS.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, tag)| *tag)
}

/// The name and the value of the field that `line` begins.
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (name, value) = line.split_at(line.iter().position(|byte| *byte == b':')?);
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    name.iter().all(is_letter).then_some((name, value[1..].trim_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_fields_have_three_words_or_five() {
        for (line, is_file) in
            [(" 0a 3 f", true), (" 0a 3 x y f", true), (" 0a 3 f g", false), (" 0a 3", false)]
        {
            for section in ["SHA256:", "Checksums-Sha256:", "Files:"] {
                let mut list = Debian::default();
                assert!(matches!(list.read(section.as_bytes()), Reading::Structure));
                let is = matches!(list.read(line.as_bytes()), Reading::File(_));
                assert_eq!(is, is_file, "{section}{line}");
            }
        }
    }
}
