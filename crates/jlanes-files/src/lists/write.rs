//! [`Style`]: how a line of a list is written, in the layouts of GNU's tools, fsverity and BagIt.

use base64ct::{Base64, Encoding as _};

use jlanes::algorithm::Kind;

use super::{digest, escape, needs_escape};
use crate::Computation;

/// The order of digest, tag and name in a line, and which of them it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineLayout {
    /// `DIGEST  NAME`, or `DIGEST *NAME` in binary mode.
    Untagged {
        /// Whether an asterisk marks the name.
        binary: bool,
    },
    /// `TAG (NAME) = DIGEST`.
    Tagged,
    /// `HASH:DIGEST NAME`, as `fsverity digest` prints; `./` precedes names that begin with a blank or
    /// an asterisk.
    FsVerity,
    /// `DIGEST  data/NAME`, a line of a bag's payload manifest (RFC 8493).
    Bag,
    /// The digest only.
    Nameless,
    /// The bytes of the digest, without a line end.
    Raw,
}

impl LineLayout {
    /// Whether names with a line feed are escaped by a backslash.
    fn escapes(self) -> bool {
        !matches!(self, Self::Nameless | Self::Raw | Self::Bag)
    }
}

/// The spelling of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Lower-case hexadecimal.
    Hex,
    /// Base64 with padding.
    Base64,
}

impl Encoding {
    /// The digest as text.
    #[must_use]
    pub fn encode(self, digest: &[u8]) -> String {
        match self {
            Self::Hex => hex::encode(digest),
            Self::Base64 => Base64::encode_string(digest),
        }
    }
}

/// The style of printed lines: layout, spelling of the digest, and line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The order of name and digest.
    pub layout: LineLayout,
    /// The spelling of the digest.
    pub encoding: Encoding,
    /// Whether lines end with NUL; then no name is escaped.
    pub zero: bool,
}

impl Style {
    /// The lines of `sha256sum` and similar tools.
    pub const GNU: Self = Self {
        layout: LineLayout::Untagged { binary: false },
        encoding: Encoding::Hex,
        zero: false,
    };

    /// Appends the line of a file to `out`. `tag` is for tagged lines.
    pub fn write(
        self,
        computation: &Computation,
        tag: &str,
        name: &[u8],
        digest: &[u8],
        out: &mut Vec<u8>,
    ) {
        let text = digest::text(computation, digest, self.encoding);
        let (tag, text) = (tag.as_bytes(), text.as_bytes());
        let is_escaped = !self.zero && self.layout.escapes() && needs_escape(name);
        let shown: &[u8] = if is_escaped { &escape(name) } else { name };
        let mut put = |parts: &[&[u8]]| parts.iter().for_each(|part| out.extend_from_slice(part));
        if is_escaped {
            put(&[b"\\"]);
        }
        match self.layout {
            // S3's number of parts is left out
            LineLayout::Raw => return put(&[&digest[..computation.output_size()]]),
            LineLayout::Untagged { binary } => {
                put(&[text, if binary { b" *" } else { b"  " }, shown]);
            }
            LineLayout::Nameless => put(&[text]),
            LineLayout::Tagged => put(&[tag, b" (", shown, b") = ", text]),
            LineLayout::Bag => put(&[text, b"  data/", &percent_encoded(name)]),
            LineLayout::FsVerity => {
                // a blank or an asterisk at the start of a name would pass for part of the separator
                let is_odd = name.starts_with(b" ") || name.starts_with(b"*");
                let hash = match computation.kind() {
                    Some(Kind::FsVerity { hash, .. }) => format!("{hash}:"),
                    _ => String::new(),
                };
                put(&[hash.as_bytes(), text, b" ", if is_odd { b"./" } else { b"" }, shown]);
            }
        }
        put(&[&[self.end()]]);
    }

    /// The same style with tagged lines.
    #[must_use]
    pub fn tagged(self) -> Self {
        Self { layout: LineLayout::Tagged, ..self }
    }

    /// The last byte of a line.
    #[must_use]
    pub fn end(self) -> u8 {
        if self.zero { 0 } else { b'\n' }
    }
}

/// A file's name in a bag: line feeds, carriage returns and percent signs are percent-encoded.
fn percent_encoded(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    for byte in name {
        match byte {
            b'\n' | b'\r' | b'%' => out.extend(format!("%{byte:02X}").bytes()),
            _ => out.push(*byte),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use jlanes::Algorithm;

    use super::*;

    #[test]
    fn names_in_bags_are_percent_encoded() {
        let style = Style { layout: LineLayout::Bag, ..Style::GNU };
        let mut line = Vec::new();
        style.write(&Algorithm::SHA256.into(), "SHA256", b"a\r\n%20 \\b", &[0x5a; 32], &mut line);
        let expected = format!("{}  data/a%0D%0A%2520 \\b\n", "5a".repeat(32));
        assert_eq!(line.escape_ascii().to_string(), expected.escape_default().to_string());
    }
}
