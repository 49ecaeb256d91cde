//! Digests as text, whatever they are of.

use base64ct::{Base64, Encoding as _};
use jlanes_files::lists::{Encoding, Style, digest, from_base64};

use super::checksum;
use crate::{
    hash::{Computation, DirHash, Strength},
    report::Details,
};

/// What stands before Go's digests.
pub(super) const H1: &str = "h1:";

/// The digest as it is printed.
pub(crate) fn of(scheme: &Computation, bytes: &[u8], encoding: Encoding) -> String {
    match scheme {
        Computation::Digest(hash) => digest::text(hash.algorithm(), bytes, encoding),
        Computation::Checksum(sum) if sum.is_listed() => encoding.encode(bytes),
        Computation::Checksum(_) => checksum::text(bytes),
        Computation::Directory(DirHash::H1) => format!("{H1}{}", Base64::encode_string(bytes)),
        Computation::Directory(DirHash::GitSha256) => hex::encode(bytes),
    }
}

/// The digest as it is printed alone.
pub(crate) fn spelled(scheme: &Computation, bytes: &[u8]) -> String {
    of(scheme, bytes, Encoding::Hex)
}

/// Appends the line of one file under `scheme`, if lines have it.
pub(crate) fn write(
    style: Style,
    scheme: &Computation,
    tag: &str,
    name: &[u8],
    digest: &[u8],
    out: &mut Vec<u8>,
) {
    match scheme {
        Computation::Digest(hash) => {
            style.write(hash.algorithm(), tag, name, digest, out);
        }
        Computation::Checksum(_) => style.write_checksum(tag, name, digest, out),
        // it has the line of a directory
        Computation::Directory(_) => {}
    }
}

/// What a verdict on a file reports of the expected digest.
pub(crate) fn details(scheme: &Computation, expected: &[u8]) -> Details<'static> {
    let (algorithm, expected) = (scheme.to_string(), spelled(scheme, expected));
    let broken = scheme.strength() == Strength::Broken;
    Details { algorithm: Some(algorithm), expected: Some(expected), broken, ..Details::default() }
}

/// The digest that `text` spells.
pub(crate) fn parse(scheme: &Computation, text: &[u8]) -> Option<Vec<u8>> {
    let digest = match scheme {
        Computation::Digest(hash) => {
            return digest::parse(hash.algorithm(), text);
        }
        Computation::Checksum(sum) if !sum.is_listed() => None,
        Computation::Directory(DirHash::H1) => from_base64(text.strip_prefix(H1.as_bytes())?),
        Computation::Directory(DirHash::GitSha256) => hex::decode(text).ok(),
        Computation::Checksum(_) => {
            // base64 of four bytes is as long as their hexadecimal, but padded
            hex::decode(text).ok().or_else(|| from_base64(text))
        }
    };
    digest.filter(|digest| digest.len() == scheme.output_size())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Checksum;

    #[test]
    fn checksums_with_forms_of_their_own_are_no_digests() {
        assert_eq!(parse(&Computation::Checksum(Checksum::Crc), b"12191315"), None);
        for text in ["352441c2", "NSRBwg=="] {
            let crc32 = parse(&Computation::Checksum(Checksum::Crc32), text.as_bytes());
            assert_eq!(crc32, Some(vec![0x35, 0x24, 0x41, 0xc2]), "{text}");
        }
    }
}
