//! OpenPGP's clear text signatures: which lines of a list are signed. gpg verifies the signature; this
//! module only finds the signed text.

pub(super) const BEGIN: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
/// The start of every line of the armour. Inside the signed text, a line that begins with a dash gets
/// another dash in front.
const DASHES: &[u8] = b"-----";
const END: &[u8] = b"-----END PGP SIGNATURE-----";

/// The part of a signed list that the next line is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Armour {
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
pub(super) enum Part {
    /// A line of text, after this many bytes of escaping.
    Text(usize),
    /// The first line of the armour, before the signed text.
    Begin,
    /// The line after the signed text.
    End,
    Armour,
}

/// Whether a signed text begins in `record`, which may have several lines.
pub(super) fn begins_in(record: &[u8]) -> bool {
    record.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_end() == BEGIN)
}

impl Armour {
    /// Moves to the next line and returns its role. As in gpg, blanks at the ends of the armour's lines
    /// do not count.
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
