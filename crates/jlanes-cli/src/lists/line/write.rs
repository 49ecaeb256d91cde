//! Lines of output.

use base64ct::{Base64, Encoding as _};

use jlanes::{Algorithm, algorithm::Kind};

use super::{digest, escape, needs_escape};

/// Where the name and the digest stand in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `DIGEST  NAME`, or `DIGEST *NAME` in binary mode.
    Untagged {
        /// Marks the name with an asterisk.
        binary: bool,
    },
    /// `TAG (NAME) = DIGEST`.
    Tagged,
    /// `HASH:DIGEST NAME`, as `fsverity digest` prints.
    FsVerity,
    /// The digest alone.
    Nameless,
    /// The digest's bytes and nothing else.
    Raw,
}

impl Layout {
    fn has_names(self) -> bool {
        !matches!(self, Self::Nameless | Self::Raw)
    }
}

/// How a digest is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Lower-case hexadecimal.
    Hex,
    /// Base64 with padding.
    Base64,
}

impl Encoding {
    /// The digest as text.
    pub(crate) fn encode(self, digest: &[u8]) -> String {
        match self {
            Self::Hex => hex::encode(digest),
            Self::Base64 => Base64::encode_string(digest),
        }
    }
}

/// What a line of output looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) layout: Layout,
    pub(crate) encoding: Encoding,
    /// Lines end with NUL, and names are never escaped.
    pub(crate) zero: bool,
}

/// A digest as lines have it.
#[derive(Clone, Copy)]
struct Spelled<'d> {
    raw: &'d [u8],
    /// What fsverity's lines have before the text.
    prefix: &'d str,
    text: &'d str,
}

impl Style {
    /// Appends the line of one file to `out`.
    pub(crate) fn write(
        self,
        algorithm: Algorithm,
        tag: &str,
        name: &[u8],
        digest: &[u8],
        out: &mut Vec<u8>,
    ) {
        let text = digest::text(algorithm, digest, self.encoding);
        let prefix = match algorithm.kind() {
            Kind::FsVerity { hash, .. } => format!("{hash}:"),
            _ => String::new(),
        };
        let raw = digest::raw(algorithm, digest);
        self.line(Spelled { raw, prefix: &prefix, text: &text }, tag, name, out);
    }

    /// The same of a checksum.
    pub(crate) fn write_checksum(self, tag: &str, name: &[u8], sum: &[u8], out: &mut Vec<u8>) {
        let text = self.encoding.encode(sum);
        self.line(Spelled { raw: sum, prefix: "", text: &text }, tag, name, out);
    }

    fn line(self, digest: Spelled<'_>, tag: &str, name: &[u8], out: &mut Vec<u8>) {
        let Spelled { raw, prefix, text } = digest;
        let escaped;
        let mut shown = name;
        if !self.zero && self.layout.has_names() && needs_escape(name) {
            escaped = escape(name);
            shown = &escaped;
            out.push(b'\\');
        }
        match self.layout {
            Layout::Raw => return out.extend_from_slice(raw),
            Layout::Untagged { binary } => {
                out.extend_from_slice(text.as_bytes());
                out.extend_from_slice(if binary { b" *" } else { b"  " });
                out.extend_from_slice(shown);
            }
            Layout::Nameless => out.extend_from_slice(text.as_bytes()),
            Layout::Tagged => {
                out.extend_from_slice(tag.as_bytes());
                out.extend_from_slice(b" (");
                out.extend_from_slice(shown);
                out.extend_from_slice(b") = ");
                out.extend_from_slice(text.as_bytes());
            }
            Layout::FsVerity => {
                out.extend_from_slice(prefix.as_bytes());
                out.extend_from_slice(text.as_bytes());
                out.push(b' ');
                out.extend_from_slice(shown);
            }
        }
        out.push(self.end());
    }

    /// The same with tags.
    pub(crate) fn tagged(self) -> Self {
        Self { layout: Layout::Tagged, ..self }
    }

    /// What a line ends with.
    pub(crate) fn end(self) -> u8 {
        if self.zero { 0 } else { b'\n' }
    }
}
