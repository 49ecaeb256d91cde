//! OpenPGP's clear text signatures: which lines of a list are signed. gpg verifies the signature; this
//! module only finds the signed text.

pub(super) const BEGIN: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
/// The start of every line of the armor. Inside the signed text, a line that begins with a dash gets
/// another dash in front.
const DASHES: &[u8] = b"-----";
const END: &[u8] = b"-----END PGP SIGNATURE-----";

/// The part of a signed list that the next line is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ClearsignPart {
    /// Before any signature.
    #[default]
    None,
    Header,
    Text,
    Signature,
    /// After a signed text: no line from here on is signed.
    After,
}

/// The role of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineRole {
    /// A line of text, after this many bytes of escaping.
    Text(usize),
    /// The first line of the armor, before the signed text.
    Begin,
    /// The line after the signed text.
    End,
    Armor,
}

/// Whether a signed text begins in `record`, which may have several lines.
pub(super) fn has_signed_text(record: &[u8]) -> bool {
    record.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_end() == BEGIN)
}

/// Whether `line` is one of the header, before the signed text.
pub(super) fn is_header(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    let known: [&[u8]; 6] =
        [b"Hash", b"SaltedHash", b"Comment", b"Charset", b"Version", b"NotDashEscaped"];
    name.len() < line.len() && known.contains(&name)
}

/// Whether `line` may be one inside a signature: a field of its header, or base64.
pub(super) fn is_signature(line: &[u8]) -> bool {
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let has_field = is_header(line) || line.starts_with(b"MessageID:");
    has_field || line.trim_ascii_end().iter().all(is_base64)
}

impl ClearsignPart {
    /// Moves to the next line and returns its role. As in gpg, blanks at the ends of the armor's lines
    /// do not count.
    pub(super) fn advance(&mut self, line: &[u8]) -> LineRole {
        let bare = line.trim_ascii_end();
        let (next, role) = match *self {
            Self::None | Self::After if bare == BEGIN => (Self::Header, LineRole::Begin),
            Self::Header if bare.is_empty() => (Self::Text, LineRole::Armor),
            Self::Text if line.starts_with(DASHES) => (Self::Signature, LineRole::End),
            Self::Signature if bare == END => (Self::After, LineRole::Armor),
            Self::Header | Self::Signature => (*self, LineRole::Armor),
            Self::Text if line.starts_with(b"- ") => (*self, LineRole::Text(2)),
            Self::None | Self::Text | Self::After => (*self, LineRole::Text(0)),
        };
        *self = next;
        role
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_is_left() {
        let lines = [
            ("before", LineRole::Text(0)),
            ("-----BEGIN PGP SIGNATURE-----", LineRole::Text(0)),
            ("-----BEGIN PGP SIGNED MESSAGE----- \t", LineRole::Begin),
            ("Hash: SHA512", LineRole::Armor),
            (" ", LineRole::Armor),
            ("text", LineRole::Text(0)),
            ("- -dashed", LineRole::Text(2)),
            ("-----BEGIN PGP SIGNATURE----- ", LineRole::End),
            ("", LineRole::Armor),
            ("iQ==", LineRole::Armor),
            ("-----END PGP SIGNATURE-----", LineRole::Armor),
            ("- after", LineRole::Text(0)),
            ("-----BEGIN PGP SIGNED MESSAGE-----", LineRole::Begin),
            ("", LineRole::Armor),
            ("-----BEGIN PGP SIGNED MESSAGE-----", LineRole::End),
            ("neither", LineRole::Armor),
        ];
        let mut armor = ClearsignPart::default();
        for (line, role) in lines {
            assert_eq!(armor.advance(line.as_bytes()), role, "{line}");
        }
        assert_eq!(armor, ClearsignPart::Signature);
    }
}
