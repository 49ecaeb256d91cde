//! Lines of GNU's tools, in every form that their `--check` accepts, and the variants of other tools
//! that write such lines.
//!
//! ```text
//! line     = *blank [ "\" ] ( tagged / prefixed / untagged )   ; the name after "\" is escaped
//! tagged   = tag [ " " ] "(" name ")" *blank "=" *blank digest
//! prefixed = hash ":" digest " " [ " " / "*" ] name
//! untagged = digest blank ( " " / "*" ) name / digest blank name
//! ```
//!
//! Variants: tags may be in any case, as FreeBSD's md5(1) has them; RHash puts any number of blanks
//! after a tag; xxhsum puts `XXH3_` before a digest, and tags that end in `_LE` have digests with the
//! bytes reversed.

use std::borrow::Cow;

use super::{
    Entry, TagRules,
    meaning::SpelledFile,
    spelling::{hex_digits, is_hex},
    tag_rules::canonical,
    unescape,
};
use crate::Computation;

/// The two layouts of lines without a tag. A list may not mix them, because a file name with leading
/// blanks could pass for another file's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UntaggedLayout {
    /// Two characters between the digest and the name: a blank, and a blank or an asterisk.
    Standard,
    /// One blank.
    BsdReversed,
}

/// The digests in a line, and the file's name.
type DigestsAndName<'l> = (Vec<(Computation, Vec<u8>)>, &'l [u8]);

/// The number of tags that are remembered: an entry has few.
const MEMO_TAGS: usize = 8;

/// A parser of GNU's lines. It remembers their layout, because a list may have only one.
pub struct GnuParser<T: TagRules> {
    tags: T,
    layout: Option<UntaggedLayout>,
    /// Whether a backslash at the start of a line means that its name is escaped. If lines end with
    /// NUL, none is.
    pub(super) escapes: bool,
    /// Whether the variants of other tools are read, too.
    pub(super) reads_variants: bool,
    /// The tag of the last tagged line.
    tagged: Option<Vec<u8>>,
    /// The last tags, as they stand in lines, and their computations.
    memo: Vec<(Vec<u8>, Option<Computation>)>,
    /// The length of the last digest without a tag, in hexadecimal, and its computation.
    untagged: Option<(usize, Option<Computation>)>,
    /// The computation of the last line with a hexadecimal digest without a tag.
    hexadecimal: Option<Computation>,
}

impl<T: TagRules> GnuParser<T> {
    /// A parser that accepts digests with `tags`.
    pub fn new(tags: T) -> Self {
        Self {
            tags,
            layout: None,
            escapes: true,
            reads_variants: false,
            tagged: None,
            memo: Vec::new(),
            untagged: None,
            hexadecimal: None,
        }
    }

    /// The [`TagRules`] that this parser asks.
    pub fn tags(&self) -> &T {
        &self.tags
    }

    /// The tags, to be changed between two lists. The meaning of a tag must stay the same.
    pub fn tags_mut(&mut self) -> &mut T {
        (self.untagged, self.hexadecimal) = (None, None);
        &mut self.tags
    }

    /// The tag of the last tagged line, even if that line was malformed.
    #[must_use]
    pub fn last_tag(&self) -> Option<&[u8]> {
        self.tagged.as_deref()
    }

    /// The computation of `tag`, spelled as in a line.
    pub(super) fn computation(&mut self, tag: &[u8]) -> Option<Computation> {
        if let Some((_, computation)) = self.memo.iter().find(|(known, _)| known == tag) {
            return computation.clone();
        }
        let computation = self.tags.tagged(&self.canonical_tag(tag));
        if self.memo.len() == MEMO_TAGS {
            self.memo.clear();
        }
        self.memo.push((tag.to_vec(), computation.clone()));
        computation
    }

    /// Calls `read`, and then restores the memory of the layout and of the last tag.
    pub(super) fn trial<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        let (layout, tagged) = (self.layout, self.tagged.clone());
        let result = read(self);
        (self.layout, self.tagged) = (layout, tagged);
        result
    }

    /// The entry in `line`, as the first line of a list, unless only one blank separates its digest and
    /// name.
    pub(super) fn parse_standard(&mut self, line: &[u8]) -> Option<Entry> {
        self.trial(|parser| {
            parser.layout = None;
            let entry = parser.parse(line)?;
            let is_standard = parser.layout != Some(UntaggedLayout::BsdReversed);
            (is_standard && !entry.name.starts_with(b" ")).then_some(entry)
        })
    }

    /// The reason for refusing `line`, if it is understood.
    pub(super) fn line_refusal(&self, line: &[u8]) -> Option<String> {
        if !self.reads_variants {
            return None;
        }
        let lenient =
            || self.tags.computation_refusal(&self.lenient()?.parse(line)?.digests.first()?.0);
        let refused = tag(line).and_then(|tag| self.tags.tag_refusal(&self.canonical_tag(tag)));
        refused.or_else(lenient)
    }

    /// A parser with the lenient version of the tags, if there is one.
    pub(super) fn lenient(&self) -> Option<Self> {
        let (escapes, reads_variants) = (self.escapes, self.reads_variants);
        Some(GnuParser { escapes, reads_variants, ..GnuParser::new(self.tags.lenient()?) })
    }

    /// Our spelling of `tag`, which other tools may spell otherwise. A parser without variants leaves it as it is.
    pub(super) fn canonical_tag<'t>(&self, tag: &'t [u8]) -> Cow<'t, [u8]> {
        if self.reads_variants { canonical(tag).into() } else { tag.into() }
    }

    /// The entry in `line`, without its end; `None` if the line is malformed.
    pub fn parse(&mut self, line: &[u8]) -> Option<Entry> {
        let (escaped, line) =
            if self.escapes { split_escape_mark(line) } else { (false, trimmed(line)) };
        let (digests, name) = if let Some(parts) = split_hexadecimal(line) {
            self.untagged_parts(parts)?
        } else if let Some(parts) = self.split_tagged(line) {
            parts?
        } else {
            self.split_prefixed(line).or_else(|| self.untagged_parts(split_blank(line)?))?
        };
        let name = if escaped { unescape(name)?.into_owned() } else { name.to_vec() };
        // file names have no NUL
        let any_suffices = digests.len() > 1;
        let entry = Entry { name, literal: None, digests, any_suffices, size: None };
        (!entry.name.contains(&0)).then_some(entry)
    }

    /// Splits `TAG (NAME) = DIGEST`, with or without the blanks. The outer `None` means that the line
    /// is not tagged.
    fn split_tagged<'l>(&mut self, line: &'l [u8]) -> Option<Option<DigestsAndName<'l>>> {
        let (tag, after_tag) = split_tag(line)?;
        let reversed = tag.split_last_chunk().filter(|(hash, end): &(&[u8], &[u8; 3])| {
            let is_xxhash = hash.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"XXH"));
            self.reads_variants && is_xxhash && end.eq_ignore_ascii_case(b"_LE")
        });
        let computation = self.computation(reversed.map_or(tag, |(hash, _)| hash))?;
        if self.last_tag() != Some(tag) {
            self.tagged = Some(tag.to_vec());
        }
        let parenthesis = match self.reads_variants {
            true => trimmed(after_tag),
            false => after_tag.strip_prefix(b" ").unwrap_or(after_tag),
        };
        let name_and_digest = parenthesis.strip_prefix(b"(")?;
        let digests_and_name = || {
            let (name, text) = named(name_and_digest)?;
            let mut text = Cow::Borrowed(text);
            if reversed.is_some() {
                let mut bytes = hex::decode(&text).ok()?;
                bytes.reverse();
                text = Cow::Owned(hex::encode(bytes).into_bytes());
            }
            let digest = self.tags.digest(&computation, &text)?;
            Some((vec![(computation, digest)], name))
        };
        Some(digests_and_name())
    }

    /// Splits `HASH:DIGEST NAME`, with one blank or two, like lines without a tag.
    fn split_prefixed<'l>(&mut self, line: &'l [u8]) -> Option<DigestsAndName<'l>> {
        let (hash, rest) = line.split_at(line.iter().position(|byte| *byte == b':')?);
        let computations = self.tags.prefixed(hash);
        let (text, name) = rest.split_at(rest.iter().position(|byte| *byte == b' ')?);
        let digest = |computation: Computation| {
            let digest = self.tags.digest(&computation, &text[1..])?;
            Some((computation, digest))
        };
        let digests: Vec<_> = computations.into_iter().filter_map(digest).collect();
        let name = if digests.is_empty() { None } else { self.name(&name[1..]) };
        Some((digests, name?))
    }

    /// The parts of `DIGEST  NAME`, `DIGEST *NAME` or `DIGEST NAME`, split at its first blank.
    fn untagged_parts<'l>(
        &mut self,
        (text, rest): (&[u8], &'l [u8]),
    ) -> Option<DigestsAndName<'l>> {
        let xxh3 = text.strip_prefix(b"XXH3_").filter(|_| self.reads_variants);
        let (computation, text) = match xxh3 {
            Some(text) => (self.computation(b"XXH3-64")?, text),
            None => (self.untagged(text)?, text),
        };
        let digest = self.tags.digest(&computation, text)?;
        // with one damaged digit, a hexadecimal digest would pass for a longer hash's in base64
        let known = self.hexadecimal.as_ref() == Some(&computation);
        let is_named = matches!(computation, Computation::Directory(_));
        if self.reads_variants && !known && self.hexadecimal.is_some() && !is_hex(text) && !is_named
        {
            return None;
        }
        let name = self.name(&rest[1..])?;
        if !known && is_hex(text) {
            self.hexadecimal = Some(computation.clone());
        }
        Some((vec![(computation, digest)], name))
    }

    /// The computation of the digest `text` without a tag. Of a hexadecimal digest, only the length
    /// counts.
    pub(super) fn untagged(&mut self, text: &[u8]) -> Option<Computation> {
        if !is_hex(text) {
            return self.tags.untagged(text);
        }
        if self.untagged.as_ref().is_none_or(|(len, _)| *len != text.len()) {
            self.untagged = Some((text.len(), self.tags.untagged(text)));
        }
        self.untagged.as_ref()?.1.clone()
    }

    /// The name after the first blank, in the layout of the earlier lines.
    fn name<'l>(&mut self, rest: &'l [u8]) -> Option<&'l [u8]> {
        let layout = match rest {
            [] => return None,
            [b' ' | b'*', _, ..] => *self.layout.get_or_insert(UntaggedLayout::Standard),
            _ if self.layout == Some(UntaggedLayout::Standard) => return None,
            _ => *self.layout.insert(UntaggedLayout::BsdReversed),
        };
        Some(if layout == UntaggedLayout::Standard { &rest[1..] } else { rest })
    }
}

/// The start of `line`, if it may be a tag.
#[must_use]
pub fn tag(line: &[u8]) -> Option<&[u8]> {
    split_tag(split_escape_mark(line).1).map(|(tag, _)| tag)
}

/// Whether a line has the backslash of an escaped name, and its text after that and leading blanks.
pub(super) fn split_escape_mark(line: &[u8]) -> (bool, &[u8]) {
    let line = trimmed(line);
    match line.strip_prefix(b"\\") {
        Some(rest) => (true, rest),
        None => (false, line),
    }
}

/// Splits `line` at its first blank.
fn split_blank(line: &[u8]) -> Option<(&[u8], &[u8])> {
    Some(line.split_at(line.iter().position(|byte| is_blank(*byte))?))
}

/// Splits `line` at the blank after a hexadecimal digest, with which most lines begin.
fn split_hexadecimal(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let n = hex_digits(line);
    (n >= 32 && line.get(n).is_some_and(|byte| is_blank(*byte))).then(|| line.split_at(n))
}

/// The first word of `line` and the rest, unless the word is a digest.
fn split_tag(line: &[u8]) -> Option<(&[u8], &[u8])> {
    if split_hexadecimal(line).is_some() {
        return None;
    }
    Some(line.split_at(line.iter().position(|byte| is_blank(*byte) || *byte == b'(')?))
}

/// The name and the digest after `TAG (`.
fn named(name_and_digest: &[u8]) -> Option<(&[u8], &[u8])> {
    let close = name_and_digest.iter().rposition(|byte| *byte == b')')?;
    let digest = trimmed(&name_and_digest[close + 1..]).strip_prefix(b"=")?;
    Some((&name_and_digest[..close], trimmed(digest)))
}

/// The tag, the name and the digest of a tagged line, whatever the tag.
pub(super) fn tagged(line: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (tag, rest) = split_tag(trimmed(line))?;
    let (name, text) = named(trimmed(rest).strip_prefix(b"(")?)?;
    Some((tag, name, text))
}

/// The file of a tagged line in a list of another dialect. A hexadecimal number is no tag.
pub(super) fn tagged_file(line: &[u8]) -> Option<SpelledFile<'_>> {
    let (is_escaped, line) = split_escape_mark(line);
    let (tag, name, text) = tagged(line).filter(|(tag, ..)| !is_hex(tag))?;
    let name = if is_escaped { unescape(name)? } else { name.into() };
    Some(SpelledFile::new(name.into_owned(), tag, text))
}

/// Whether GNU's tools take `byte` for white space in a line.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// `text` without leading [blanks](is_blank).
fn trimmed(text: &[u8]) -> &[u8] {
    let n = text.iter().take_while(|byte| is_blank(**byte)).count();
    &text[n..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules for tests: the length of a digest is the number in its first letters or its prefix.
    struct Letters;

    impl TagRules for Letters {
        fn tagged(&self, _: &[u8]) -> Option<Computation> {
            None
        }

        fn untagged(&self, digest: &[u8]) -> Option<Computation> {
            digest.first().map(of_letter)
        }

        fn prefixed(&self, hash: &[u8]) -> Vec<Computation> {
            hash.iter().map(of_letter).collect()
        }

        fn digest(&self, computation: &Computation, _: &[u8]) -> Option<Vec<u8>> {
            Some(vec![computation.output_size() as u8])
        }
    }

    fn of_letter(letter: &u8) -> Computation {
        format!("shake128-{}", 8 * u32::from(*letter)).parse().unwrap()
    }

    fn letters(parser: &mut GnuParser<Letters>, line: &str) -> Option<Vec<u8>> {
        let entry = parser.parse(line.as_bytes())?;
        Some(entry.digests.iter().map(|(it, _)| it.output_size() as u8).collect())
    }

    #[test]
    fn untagged_digests_are_recognized_by_their_length_in_hexadecimal() {
        let mut parser = GnuParser::new(Letters);
        for (line, letter) in [
            ("ab  f", b"a"),
            ("cd  f", b"a"),
            ("cdef  f", b"c"),
            ("abcd  f", b"c"),
            // base64
            ("xy  f", b"x"),
            ("yz  f", b"y"),
        ] {
            assert_eq!(letters(&mut parser, line).as_deref(), Some(&letter[..]), "{line}");
        }
    }

    #[test]
    fn lines_that_may_mean_several_digests_say_so() {
        for (line, any_suffices) in [("a:00 f", false), ("ab:00 f", true)] {
            let entry = GnuParser::new(Letters).parse(line.as_bytes()).unwrap();
            assert_eq!(
                (entry.any_suffices, entry.digests.len()),
                (any_suffices, 1 + usize::from(any_suffices))
            );
        }
    }

    #[test]
    fn names_are_not_empty() {
        for line in ["ab ", "ab", ""] {
            assert_eq!(GnuParser::new(Letters).parse(line.as_bytes()), None, "{line:?}");
        }
    }
}
