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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text behind this many bytes.
    Text(usize),
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
    pub(super) fn take(&mut self, line: &[u8]) -> Part {
        let bare = line.trim_ascii_end();
        let (next, part) = match *self {
            Self::None | Self::After if bare == BEGIN => (Self::Header, Part::Begin),
            Self::Header if bare.is_empty() => (Self::Text, Part::Armour),
            Self::Text if line.starts_with(DASHES) => (Self::Signature, Part::End),
            Self::Signature if bare == END => (Self::After, Part::Armour),
            Self::Header | Self::Signature => (*self, Part::Armour),
            Self::Text if line.starts_with(b"- ") => (*self, Part::Text(2)),
            Self::None | Self::Text | Self::After => (*self, Part::Text(0)),
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
        let lines = [
            ("before", Part::Text(0)),
            ("-----BEGIN PGP SIGNATURE-----", Part::Text(0)),
            ("-----BEGIN PGP SIGNED MESSAGE----- \t", Part::Begin),
            ("Hash: SHA512", Part::Armour),
            (" ", Part::Armour),
            ("text", Part::Text(0)),
            ("- -dashed", Part::Text(2)),
            ("-----BEGIN PGP SIGNATURE----- ", Part::End),
            ("", Part::Armour),
            ("iQ==", Part::Armour),
            ("-----END PGP SIGNATURE-----", Part::Armour),
            ("- after", Part::Text(0)),
            ("-----BEGIN PGP SIGNED MESSAGE-----", Part::Begin),
            ("", Part::Armour),
            ("-----BEGIN PGP SIGNED MESSAGE-----", Part::End),
            ("neither", Part::Armour),
        ];
        let mut armour = Armour::default();
        for (line, part) in lines {
            assert_eq!(armour.take(line.as_bytes()), part, "{line}");
        }
        assert_eq!(armour, Armour::Signature);
    }
}
