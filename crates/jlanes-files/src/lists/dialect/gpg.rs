//! `gpg --print-md` and `gpg --print-mds`, with or without `--with-colons`.
//!
//! ```text
//! list   = *( entry / colons )
//! entry  = name ": " digits *( 1*blank digits ) ; a long digest continues in more lines
//!        / name ": " NEWLINE digits ..          ; below a long name
//! digits = [ algorithm " = " ] group *( 1*blank group ) ; in upper case
//! colons = name ":" number ":" digest ":"       ; the name percent-encoded
//! ```
//!
//! Without an algorithm, the length of the digest decides.

use super::{
    Dialect, KnownDialect, Meaning, SpelledFile, lines, percent_decode, split_once, words,
};

/// OpenPGP's numbers of algorithms.
const NUMBERS: [(&[u8], &[u8]); 7] = [
    (b"1", b"MD5"),
    (b"2", b"SHA1"),
    (b"3", b"RIPEMD160"),
    (b"8", b"SHA256"),
    (b"9", b"SHA384"),
    (b"10", b"SHA512"),
    (b"11", b"SHA224"),
];

/// Bytes below the first line of an entry: more than its digits need.
const MAX_DIGITS_BYTES: usize = 512;

struct Gpg;

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| (colons(line).is_some() || begin(line).is_some()).then(|| Box::new(Gpg) as _),
    #[cfg(test)]
    sample: "f:   SHA1 = A999 3E36 4706 816A BA3E\n           2571 7850 C26C 9CD0 D89D\n\
             g:1:E2FC714C4727EE9395F324CD2E7F331F:\n",
};

impl Dialect for Gpg {
    /// No comments: a name may begin with `#`.
    fn is_comment(&self, line: &[u8]) -> bool {
        let has_digits = begin(line).is_some_and(|(_, digits)| !digits.is_empty());
        line.starts_with(b"#") && !has_digits && colons(line).is_none()
    }

    fn continues(&mut self, record: &[u8], line: &[u8]) -> bool {
        let first = lines(record).next().unwrap_or_default();
        let (Some((_, digits)), true) =
            (begin(first), record.len() < first.len() + MAX_DIGITS_BYTES)
        else {
            return false;
        };
        let is_alone = digits.is_empty() && record.len() == first.len();
        groups(line).is_some_and(|(tag, _)| is_alone || (line.starts_with(b" ") && tag.is_none()))
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        if let Some(file) = colons(record) {
            return Meaning::File(file);
        }
        let mut lines = lines(record);
        let Some((name, first)) = lines.next().and_then(begin) else { return Meaning::Malformed };
        let (mut tag, mut digits) = (None, Vec::new());
        for (named, more) in [first].into_iter().chain(lines).filter_map(groups) {
            tag = tag.or(named);
            digits.extend(more);
        }
        let digests = vec![(tag.map(Into::into), digits.into())];
        Meaning::File(SpelledFile { name: name.to_vec(), digests, ..SpelledFile::default() })
    }
}

/// Parses `NAME:NUMBER:DIGEST:`.
fn colons(line: &[u8]) -> Option<SpelledFile<'_>> {
    let mut parts = line.strip_suffix(b":")?.rsplitn(3, |byte| *byte == b':');
    let (digest, number, name) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    let known = NUMBERS.iter().find(|(known, _)| *known == number);
    let file = || {
        Some(SpelledFile::new(percent_decode(name)?, known.map_or(number, |(_, tag)| tag), digest))
    };
    (is_number && is_group(digest)).then(file)?
}

/// The name in the first line of an entry, and the digits there, if any. A field of `Get-FileHash`
/// differs by the blank before its colon.
fn begin(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = line.iter().rposition(|byte| *byte == b':')?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    if name.is_empty() || name.ends_with(b" ") {
        return None;
    }
    // eight digits are SFV's, and the colon is the end of the name
    let is_gpgs = |(tag, digits): (Option<&[u8]>, Vec<u8>)| tag.is_some() || digits.len() != 8;
    let is_digits = || value.starts_with(b" ") && groups(value).is_some_and(is_gpgs);
    (matches!(value, b"" | b" ") || is_digits()).then(|| (name, value.trim_ascii()))
}

/// The algorithm, if the line names it, and the digits.
fn groups(line: &[u8]) -> Option<(Option<&[u8]>, Vec<u8>)> {
    let (tag, digits) = match split_once(line, b" = ") {
        Some((tag, digits)) => (Some(tag.trim_ascii()), digits),
        None => (None, line),
    };
    let is_tag =
        |tag: &[u8]| tag.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let is_whole = tag.is_none_or(is_tag) && words(digits).all(is_group);
    let all_digits = words(digits).collect::<Vec<_>>().concat();
    (is_whole && !all_digits.is_empty()).then_some((tag, all_digits))
}

fn is_group(word: &[u8]) -> bool {
    word.len() > 1 && word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_other_lists_are_no_entries() {
        assert!(begin(b"Hash: 0A0A").is_some() && begin(b"Hash    : 0A0A").is_none());
        assert!(begin(b"f: CRC32 = 352441C2").is_some() && begin(b"f: 352441C2").is_none());
    }

    #[test]
    fn a_name_with_a_number_sign_is_no_comment() {
        for (line, is_comment) in [
            ("# of today", true),
            ("# digests:", true),
            ("#f: SHA1 = A999 3E36", false),
            ("#f:2:A9993E36:", false),
            ("f: SHA1 = A999 3E36", false),
        ] {
            assert_eq!(Gpg.is_comment(line.as_bytes()), is_comment, "{line}");
        }
    }
}
