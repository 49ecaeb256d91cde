//! What OpenPGP puts around a text that it signs. The signature is not verified; gpg does
//! that.

const BEGIN: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &[u8] = b"-----BEGIN PGP SIGNATURE-----";
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
}

impl Armour {
    /// Takes the next line, and returns what of it is text.
    pub(super) fn strip<'l>(&mut self, line: &'l [u8]) -> Option<&'l [u8]> {
        match (*self, line) {
            (Self::None | Self::Text, _) if line == BEGIN => *self = Self::Header,
            (Self::Header, b"") => *self = Self::Text,
            (Self::Text, _) if line == SIGNATURE => *self = Self::Signature,
            (Self::Signature, _) if line == END => *self = Self::None,
            (Self::Header | Self::Signature, _) => {}
            (Self::Text, _) => return Some(line.strip_prefix(b"- ").unwrap_or(line)),
            (Self::None, _) => return Some(line),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_is_left() {
        let lines = [
            (&b"before"[..], Some(&b"before"[..])),
            (SIGNATURE, Some(SIGNATURE)),
            (BEGIN, None),
            (b"Hash: SHA512", None),
            (b"", None),
            (b"text", Some(b"text")),
            (b"- -dashed", Some(b"-dashed")),
            (SIGNATURE, None),
            (b"", None),
            (b"iQ==", None),
            (END, None),
            (b"- after", Some(b"- after")),
        ];
        let mut armour = Armour::default();
        for (line, text) in lines {
            assert_eq!(armour.strip(line), text, "{}", line.escape_ascii());
        }
    }
}
