//! Lines of lists, in every form that GNU's `--check` accepts.

use base64ct::{Base64, Encoding as _};

use super::unescape;

/// The algorithms that a list's lines may name.
pub(crate) trait Tags {
    /// What identifies an algorithm.
    type Algorithm: Copy;

    /// The algorithm of a tagged line.
    fn tagged(&self, tag: &[u8]) -> Option<Self::Algorithm>;

    /// The algorithm of lines without a tag with such a digest, unless they are not accepted.
    fn untagged(&self, digest: &[u8]) -> Option<Self::Algorithm>;

    /// The algorithm of lines in fsverity's own form, `HASH:DIGEST NAME`.
    fn fsverity(&self, hash: &[u8]) -> Option<Self::Algorithm>;

    /// The digest that a text spells.
    fn digest(&self, algorithm: &Self::Algorithm, text: &[u8]) -> Option<Vec<u8>>;
}

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry<A> {
    pub(crate) algorithm: A,
    pub(crate) digest: Vec<u8>,
    pub(crate) name: Vec<u8>,
}

/// The two layouts of lines without a tag. A list may not mix them, or a file name with leading
/// blanks could pass for another file's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Untagged {
    /// Two characters between the digest and the name: a blank, and a blank or an asterisk.
    Standard,
    /// One blank.
    BsdReversed,
}

/// Reads the lines of lists, and remembers which layout they have.
pub(crate) struct Parser<T: Tags> {
    tags: T,
    layout: Option<Untagged>,
    /// The algorithm of the last line that began with a tag.
    tagged: Option<T::Algorithm>,
}

impl<T: Tags> Parser<T> {
    pub(crate) fn new(tags: T) -> Self {
        Self { tags, layout: None, tagged: None }
    }

    /// The algorithms that lines may name.
    pub(crate) fn tags(&self) -> &T {
        &self.tags
    }

    /// The algorithm of the last line that began with a tag, be it malformed otherwise.
    pub(crate) fn tagged(&self) -> Option<T::Algorithm> {
        self.tagged
    }

    /// The entry in `line`, which comes without its end; `None` if it is malformed.
    pub(crate) fn parse(&mut self, line: &[u8]) -> Option<Entry<T::Algorithm>> {
        let line = line.trim_blanks();
        let (escaped, line) = match line.strip_prefix(b"\\") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (algorithm, digest, name) = match self.split_tagged(line) {
            Some(parts) => parts?,
            None => self.split_fsverity(line).or_else(|| self.split_untagged(line))?,
        };
        let name = if escaped { unescape(name)?.into_owned() } else { name.to_vec() };
        // a NUL cannot be part of a file's name
        (!name.contains(&0)).then_some(Entry { algorithm, digest, name })
    }

    /// `TAG (NAME) = DIGEST`, also without the blanks. The outer `None` means that this is no
    /// tagged line at all.
    #[expect(clippy::type_complexity, reason = "the parts of a line, used in one place")]
    fn split_tagged<'l>(
        &mut self,
        line: &'l [u8],
    ) -> Option<Option<(T::Algorithm, Vec<u8>, &'l [u8])>> {
        let (tag, rest) =
            line.split_at(line.iter().position(|byte| is_blank(*byte) || *byte == b'(')?);
        let algorithm = self.tags.tagged(tag)?;
        self.tagged = Some(algorithm);
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
        let parts = || {
            let close = rest.iter().rposition(|byte| *byte == b')')?;
            let (name, rest) = (&rest[..close], &rest[close + 1..]);
            let rest = rest.trim_blanks().strip_prefix(b"=")?;
            let digest = self.tags.digest(&algorithm, rest.trim_blanks())?;
            Some((algorithm, digest, name))
        };
        Some(parts())
    }

    /// `HASH:DIGEST NAME`.
    fn split_fsverity<'l>(&self, line: &'l [u8]) -> Option<(T::Algorithm, Vec<u8>, &'l [u8])> {
        let (hash, rest) = line.split_at(line.iter().position(|byte| *byte == b':')?);
        let algorithm = self.tags.fsverity(hash)?;
        let (text, name) = rest.split_at(rest.iter().position(|byte| *byte == b' ')?);
        let digest = self.tags.digest(&algorithm, &text[1..])?;
        (name.len() > 1).then(|| (algorithm, digest, &name[1..]))
    }

    /// `DIGEST  NAME`, `DIGEST *NAME` or `DIGEST NAME`.
    fn split_untagged<'l>(&mut self, line: &'l [u8]) -> Option<(T::Algorithm, Vec<u8>, &'l [u8])> {
        let (text, rest) = line.split_at(line.iter().position(|byte| is_blank(*byte))?);
        let algorithm = self.tags.untagged(text)?;
        let digest = self.tags.digest(&algorithm, text)?;
        let rest = &rest[1..];
        let layout = match rest {
            [] => return None,
            [b' ' | b'*', _, ..] => *self.layout.get_or_insert(Untagged::Standard),
            _ if self.layout == Some(Untagged::Standard) => return None,
            _ => *self.layout.insert(Untagged::BsdReversed),
        };
        Some((algorithm, digest, if layout == Untagged::Standard { &rest[1..] } else { rest }))
    }
}

/// A digest of `len` bytes in hexadecimal, upper or lower case, or in base64.
pub(super) fn decode(text: &[u8], len: usize) -> Option<Vec<u8>> {
    // base64 of two or four bytes is as long as hexadecimal, but padded, and so cannot be meant
    let hex = hex::decode(text).ok().filter(|digest| digest.len() == len);
    let base64 = || Base64::decode_vec(str::from_utf8(text).ok()?).ok();
    hex.or_else(base64).filter(|digest| digest.len() == len)
}

/// What GNU's tools take for white space in a line.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Trimming of [blanks](is_blank).
trait TrimStart {
    fn trim_blanks(&self) -> &Self;
}

impl TrimStart for [u8] {
    fn trim_blanks(&self) -> &Self {
        let n = self.iter().take_while(|byte| is_blank(**byte)).count();
        &self[n..]
    }
}
