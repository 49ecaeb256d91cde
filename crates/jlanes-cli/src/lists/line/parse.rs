//! Lines of lists, in every form that GNU's `--check` accepts.

use base64ct::{Base64, Encoding as _};

use super::unescape;

/// The schemes that a list's lines may name.
pub(crate) trait Tags {
    /// An scheme, and what else digests depend on.
    type Scheme: Clone;

    /// The scheme of a tagged line.
    fn tagged(&self, tag: &[u8]) -> Option<Self::Scheme>;

    /// The scheme of lines without a tag with such a digest, unless they are not accepted.
    fn untagged(&self, digest: &[u8]) -> Option<Self::Scheme>;

    /// The schemes that lines of the form `HASH:DIGEST NAME` may mean, the likeliest first: registries
    /// of containers write so of the file's own digest, and fsverity of its own.
    fn prefixed(&self, hash: &[u8]) -> Vec<Self::Scheme>;

    /// The digest that a text spells.
    fn digest(&self, scheme: &Self::Scheme, text: &[u8]) -> Option<Vec<u8>>;

    /// Why digests of this tag are not accepted, if they are known.
    fn refusal(&self, _: &[u8]) -> Option<String> {
        None
    }
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is in none of the accepted forms.
    Malformed,
    /// What it says is understood, and not accepted for this reason.
    Refused(String),
}

/// What a line of a list says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry<S> {
    pub(crate) name: Vec<u8>,
    /// Digests of different kinds; none if only the size is known.
    pub(crate) digests: Vec<(S, Vec<u8>)>,
    /// Whether the line leaves open which of them it means, and one that matches is enough.
    pub(crate) either: bool,
    /// Bytes of the file, if the list has them.
    pub(crate) size: Option<u64>,
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
    /// Whether a backslash before a line says that its name is escaped: not where lines end with NUL.
    pub(crate) escapes: bool,
    /// The last tag.
    tagged: Option<Vec<u8>>,
    /// The last tag, and what it means: most lists have one.
    memo: Option<(Vec<u8>, Option<T::Scheme>)>,
    /// The length of the last digest without a tag, in hexadecimal, and what it is of.
    untagged: Option<(usize, Option<T::Scheme>)>,
}

impl<T: Tags> Parser<T> {
    pub(crate) fn new(tags: T) -> Self {
        Self { tags, layout: None, escapes: true, tagged: None, memo: None, untagged: None }
    }

    /// The schemes that lines may name.
    pub(crate) fn tags(&self) -> &T {
        &self.tags
    }

    /// The same, to be changed between two lists; what tags mean must not change.
    pub(crate) fn tags_mut(&mut self) -> &mut T {
        self.untagged = None;
        &mut self.tags
    }

    /// The tag of the last line that began with one, be it malformed otherwise.
    pub(crate) fn tagged(&self) -> Option<&[u8]> {
        self.tagged.as_deref()
    }

    /// What `tag` means.
    fn scheme(&mut self, tag: &[u8]) -> Option<T::Scheme> {
        if self.memo.as_ref().is_none_or(|(known, _)| known != tag) {
            self.memo = Some((tag.to_vec(), self.tags.tagged(tag)));
        }
        self.memo.as_ref()?.1.clone()
    }

    /// The entry in `line`, which comes without its end; `None` if it is malformed.
    pub(crate) fn parse(&mut self, line: &[u8]) -> Option<Entry<T::Scheme>> {
        let (escaped, line) = if self.escapes { begin(line) } else { (false, line.trim_blanks()) };
        let one = |(scheme, digest, name)| (vec![(scheme, digest)], name);
        let (digests, name) = match self.split_tagged(line) {
            Some(parts) => one(parts?),
            None => match self.split_prefixed(line) {
                Some(parts) => parts,
                None => one(self.split_untagged(line)?),
            },
        };
        let name = if escaped { unescape(name)?.into_owned() } else { name.to_vec() };
        // a NUL cannot be part of a file's name
        let either = digests.len() > 1;
        (!name.contains(&0)).then_some(Entry { name, digests, either, size: None })
    }

    /// `TAG (NAME) = DIGEST`, also without the blanks. The outer `None` means that this is no
    /// tagged line at all.
    #[expect(clippy::type_complexity, reason = "the parts of a line, used in one place")]
    fn split_tagged<'l>(
        &mut self,
        line: &'l [u8],
    ) -> Option<Option<(T::Scheme, Vec<u8>, &'l [u8])>> {
        let (tag, rest) = split_tag(line)?;
        let scheme = self.scheme(tag)?;
        if self.tagged() != Some(tag) {
            self.tagged = Some(tag.to_vec());
        }
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
        let parts = || {
            let close = rest.iter().rposition(|byte| *byte == b')')?;
            let (name, rest) = (&rest[..close], &rest[close + 1..]);
            let rest = rest.trim_blanks().strip_prefix(b"=")?;
            let digest = self.tags.digest(&scheme, rest.trim_blanks())?;
            Some((scheme, digest, name))
        };
        Some(parts())
    }

    /// `HASH:DIGEST NAME`, with one blank or, as in lists without a tag, two.
    #[expect(clippy::type_complexity, reason = "the parts of a line, used in one place")]
    fn split_prefixed<'l>(
        &mut self,
        line: &'l [u8],
    ) -> Option<(Vec<(T::Scheme, Vec<u8>)>, &'l [u8])> {
        let (hash, rest) = line.split_at(line.iter().position(|byte| *byte == b':')?);
        let schemes = self.tags.prefixed(hash);
        let (text, name) = rest.split_at(rest.iter().position(|byte| *byte == b' ')?);
        let digest = |scheme: T::Scheme| {
            let digest = self.tags.digest(&scheme, &text[1..])?;
            Some((scheme, digest))
        };
        let digests: Vec<_> = schemes.into_iter().filter_map(digest).collect();
        let name = if digests.is_empty() { None } else { self.name(&name[1..]) };
        Some((digests, name?))
    }

    /// `DIGEST  NAME`, `DIGEST *NAME` or `DIGEST NAME`.
    fn split_untagged<'l>(&mut self, line: &'l [u8]) -> Option<(T::Scheme, Vec<u8>, &'l [u8])> {
        let (text, rest) = line.split_at(line.iter().position(|byte| is_blank(*byte))?);
        let scheme = self.untagged(text)?;
        let digest = self.tags.digest(&scheme, text)?;
        Some((scheme, digest, self.name(&rest[1..])?))
    }

    /// What the digest `text` is of, which has no tag. In hexadecimal only its length counts.
    fn untagged(&mut self, text: &[u8]) -> Option<T::Scheme> {
        if !text.iter().all(u8::is_ascii_hexdigit) {
            return self.tags.untagged(text);
        }
        if self.untagged.as_ref().is_none_or(|(len, _)| *len != text.len()) {
            self.untagged = Some((text.len(), self.tags.untagged(text)));
        }
        self.untagged.as_ref()?.1.clone()
    }

    /// The name behind the first blank, in the layout of the lines before.
    fn name<'l>(&mut self, rest: &'l [u8]) -> Option<&'l [u8]> {
        let layout = match rest {
            [] => return None,
            [b' ' | b'*', _, ..] => *self.layout.get_or_insert(Untagged::Standard),
            _ if self.layout == Some(Untagged::Standard) => return None,
            _ => *self.layout.insert(Untagged::BsdReversed),
        };
        Some(if layout == Untagged::Standard { &rest[1..] } else { rest })
    }
}

/// What `line` begins with, if that may be a tag.
pub(crate) fn tag(line: &[u8]) -> Option<&[u8]> {
    split_tag(begin(line).1).map(|(tag, _)| tag)
}

/// A line behind its leading blanks, and the backslash that says that its name is escaped.
fn begin(line: &[u8]) -> (bool, &[u8]) {
    let line = line.trim_blanks();
    match line.strip_prefix(b"\\") {
        Some(rest) => (true, rest),
        None => (false, line),
    }
}

fn split_tag(line: &[u8]) -> Option<(&[u8], &[u8])> {
    line.split_at_checked(line.iter().position(|byte| is_blank(*byte) || *byte == b'(')?)
}

/// A digest of `len` bytes in hexadecimal, upper or lower case, or in base64.
pub(super) fn decode(text: &[u8], len: usize) -> Option<Vec<u8>> {
    // base64 of two or four bytes is as long as hexadecimal, but padded, and so cannot be meant
    let hex = hex::decode(text).ok().filter(|digest| digest.len() == len);
    hex.or_else(|| from_base64(text)).filter(|digest| digest.len() == len)
}

/// What `text` says in base64. As for GNU's tools, the last symbol may have bits behind the last byte,
/// which say nothing: symbols take the place of the padding, and the bytes that they add go again.
pub(crate) fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(text).ok()?;
    let symbols = text.trim_end_matches('=');
    let padding = "AA".get(..text.len() - symbols.len())?;
    let mut bytes = Base64::decode_vec(&[symbols, padding].concat()).ok()?;
    bytes.truncate(bytes.len() - padding.len());
    Some(bytes)
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
