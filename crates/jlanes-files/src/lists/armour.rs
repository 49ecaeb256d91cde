//! What OpenPGP puts around a text that it signs. The signature is not verified; gpg does
//! that.

pub(super) const BEGIN: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
/// The start of every line of the armour. In the text, lines with a dash have another one before it.
const DASHES: &[u8] = b"-----";
const END: &[u8] = b"-----END PGP SIGNATURE-----";

/// The part of a signed text that is being read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Armour {
    /// Nothing has been signed.
    #[default]
    None,
    Header,
    Text,
    Signature,
    /// Nothing from here on is signed, and something before was.
    After,
}

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'l> {
    Text(&'l [u8]),
    /// The line before a signed text.
    Begin,
    /// The line after it.
    End,
    Armour,
}

/// Whether a signed text begins in `record`, which may have several lines.
pub(super) fn begins_in(record: &[u8]) -> bool {
    record.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_end() == BEGIN)
}

impl Armour {
    /// Takes the next line. Blanks at the ends of the armour's lines do not count, as in gpg.
    pub(super) fn strip<'l>(&mut self, line: &'l [u8]) -> Part<'l> {
        let bare = line.trim_ascii_end();
        let (next, part) = match *self {
            Self::None | Self::After if bare == BEGIN => (Self::Header, Part::Begin),
            Self::Header if bare.is_empty() => (Self::Text, Part::Armour),
            Self::Text if line.starts_with(DASHES) => (Self::Signature, Part::End),
            Self::Signature if bare == END => (Self::After, Part::Armour),
            Self::Header | Self::Signature => (*self, Part::Armour),
            Self::Text => (*self, Part::Text(line.strip_prefix(b"- ").unwrap_or(line))),
            Self::None | Self::After => (*self, Part::Text(line)),
        };
        *self = next;
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_is_left() {
        let text = |text: &'static str| Part::Text(text.as_bytes());
        let lines = [
            ("before", text("before")),
            ("-----BEGIN PGP SIGNATURE-----", text("-----BEGIN PGP SIGNATURE-----")),
            ("-----BEGIN PGP SIGNED MESSAGE----- \t", Part::Begin),
            ("Hash: SHA512", Part::Armour),
            (" ", Part::Armour),
            ("text", text("text")),
            ("- -dashed", text("-dashed")),
            ("-----BEGIN PGP SIGNATURE----- ", Part::End),
            ("", Part::Armour),
            ("iQ==", Part::Armour),
            ("-----END PGP SIGNATURE-----", Part::Armour),
            ("- after", text("- after")),
            ("-----BEGIN PGP SIGNED MESSAGE-----", Part::Begin),
            ("", Part::Armour),
            ("-----BEGIN PGP SIGNED MESSAGE-----", Part::End),
            ("neither", Part::Armour),
        ];
        let mut armour = Armour::default();
        for (line, part) in lines {
            assert_eq!(armour.strip(line.as_bytes()), part, "{line}");
        }
        assert_eq!(armour, Armour::Signature);
    }
}
