//! Digests as text, whatever they are of.

use base64ct::{Base64, Encoding as _};
use jlanes_files::lists::{Encoding, Style, digest, from_base64};

use super::checksum;
use crate::{
    hash::{DirHash, Scheme, What},
    report::Details,
};

/// What stands before Go's digests.
pub(super) const H1: &str = "h1:";

/// The digest as it is printed.
pub(crate) fn of(what: What, bytes: &[u8], encoding: Encoding) -> String {
    match what {
        What::Digest(algorithm) => digest::text(algorithm, bytes, encoding),
        What::Checksum(sum) if sum.is_listed() => encoding.encode(bytes),
        What::Checksum(_) => checksum::text(bytes),
        What::Directory(DirHash::H1) => format!("{H1}{}", Base64::encode_string(bytes)),
        What::Directory(DirHash::GitSha256) => hex::encode(bytes),
    }
}

/// The digest as it is printed alone.
pub(crate) fn spelled(scheme: &Scheme, bytes: &[u8]) -> String {
    of(scheme.what(), bytes, Encoding::Hex)
}

/// Appends the line of one file under `scheme`, if lines have it.
pub(crate) fn write(
    style: Style,
    scheme: &Scheme,
    tag: &str,
    name: &[u8],
    digest: &[u8],
    out: &mut Vec<u8>,
) {
    match scheme.what() {
        What::Digest(algorithm) => style.write(algorithm, tag, name, digest, out),
        What::Checksum(_) => style.write_checksum(tag, name, digest, out),
        // it has the line of a directory
        What::Directory(_) => {}
    }
}

/// What a verdict on a file reports of the expected digest.
pub(crate) fn details(scheme: &Scheme, expected: &[u8]) -> Details<'static> {
    let (algorithm, expected) = (scheme.to_string(), spelled(scheme, expected));
    let broken = scheme.is_broken();
    Details { algorithm: Some(algorithm), expected: Some(expected), broken, ..Details::default() }
}

/// The digest that `text` spells.
pub(crate) fn parse(what: What, text: &[u8]) -> Option<Vec<u8>> {
    match what {
        What::Digest(algorithm) => digest::parse(algorithm, text),
        What::Checksum(sum) if !sum.is_listed() => None,
        What::Checksum(_) => {
            hex::decode(text).ok().filter(|digest| digest.len() == what.output_size())
        }
        What::Directory(DirHash::H1) => {
            let digest = from_base64(text.strip_prefix(H1.as_bytes())?)?;
            (digest.len() == what.output_size()).then_some(digest)
        }
        What::Directory(DirHash::GitSha256) => {
            hex::decode(text).ok().filter(|digest| digest.len() == what.output_size())
        }
    }
}
