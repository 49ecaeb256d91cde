//! The output of `certutil -hashfile` of Windows, in the languages of its messages.
//!
//! ```text
//! list  = *( entry / done )
//! entry = title *blank-line digits
//! title = algorithm " hash of " name ":"        ; or as in TITLES
//!       / algorithm " hash of file " name ":"   ; where bytes have blanks between them
//! done  = "CertUtil:" text
//! ```

use super::{Dialect, KnownDialect, Meaning, SpelledFile, lines, windows_name};

/// The words before the algorithm, and those between it and the name.
const TITLES: [(&[u8], &[u8]); 11] = [
    (b"", b" hash of "),
    (b"", b"-Hash von "),
    (b"", b"-Hash der Datei "),
    (b"Hachage ", b" de "),
    (b"Hachage ", b" du fichier "),
    (b"", b" hachage de "),
    (b"", b" hash del archivo "),
    (b"", b" hash de "),
    (b"Hash ", b" del archivo "),
    (b"Hash ", b" do arquivo "),
    (b"Hash ", b" de "),
];

/// The maximum number of blank lines before the digits, with some to spare.
const MAX_BLANK_LINES: usize = 8;

struct Certutil;

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| title(line).map(|_| Box::new(Certutil) as _),
    #[cfg(test)]
    sample: "MD5 hash of f:\r\n900150983cd24fb0d6963f7d28e17f72\r\nCertUtil: -hashfile command \
             completed successfully.\r\nMD5-Hash von g:\r\ne2fc714c4727ee9395f324cd2e7f331f\r\n",
};

impl Dialect for Certutil {
    fn continues(&mut self, record: &[u8], line: &[u8]) -> bool {
        let first = lines(record).next().unwrap_or_default();
        let blank = &record[first.len()..];
        blank.len() < MAX_BLANK_LINES
            && blank.iter().all(|byte| *byte == b'\n')
            && is_digits(line)
            && title(first).is_some()
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        let (first, rest) = match record.iter().position(|byte| *byte == b'\n') {
            Some(at) => (&record[..at], record[at..].trim_ascii()),
            None => (record, &b""[..]),
        };
        if first.starts_with(b"CertUtil:") {
            return Meaning::Structure;
        }
        let Some((tag, name)) = title(first).filter(|_| !rest.is_empty()) else {
            return Meaning::Malformed;
        };
        // only the versions that print blanks between bytes have "file" before the name
        let name = match name.strip_prefix(b"file ") {
            Some(rest_of_name) if rest.contains(&b' ') => rest_of_name,
            _ => name,
        };
        let digits: Vec<u8> = rest.iter().copied().filter(|byte| *byte != b' ').collect();
        Meaning::File(SpelledFile::new(windows_name(name), tag, digits))
    }
}

fn is_digits(line: &[u8]) -> bool {
    line.iter().all(|byte| byte.is_ascii_hexdigit() || byte.is_ascii_whitespace())
}

/// The algorithm and the name in a title.
fn title(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii_end().strip_suffix(b":")?;
    // French has a blank before the colon, sometimes a no-break space
    let line = line.strip_suffix("\u{a0}".as_bytes()).unwrap_or(line).trim_ascii_end();
    TITLES.iter().find_map(|(before, between)| {
        let after = line.strip_prefix(*before)?;
        let at = after.windows(between.len()).position(|window| window == *between)?;
        let is_tag = at > 0 && after[..at].iter().all(u8::is_ascii_alphanumeric);
        is_tag.then_some((&after[..at], &after[at + between.len()..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_in_several_languages() {
        for line in [
            "SHA256 hash of a b:",
            "SHA256-Hash von a b:",
            "Hachage SHA256 de a b :",
            "Hachage SHA256 de a b\u{a0}:",
            "SHA256 hash de a b:",
            "Hash SHA256 do arquivo a b:",
        ] {
            assert_eq!(title(line.as_bytes()), Some((&b"SHA256"[..], &b"a b"[..])), "{line}");
        }
        assert_eq!(title(b"the SHA256 hash of a:"), None);
    }
}
