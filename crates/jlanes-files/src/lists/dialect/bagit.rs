//! Manifests of BagIt, RFC 8493. Only the name of the list says which algorithm it has.
//!
//! ```text
//! name  = [ "tag" ] "manifest-" algorithm ".txt"
//! entry = *blank digest 1*blank [ "*" ] path
//!       / *blank "\" digest 1*blank [ "*" ] escaped-name ; GNU's list under such a name
//!       / tag " (" name ") = " digest           ; likewise
//! path  = *( byte / "%0A" / "%0D" / "%25" )     ; nothing else is encoded
//! ```
//!
//! Most writers forget to encode percent signs, so the path exactly as it is written is the second
//! choice.

use std::borrow::Cow;

use super::{Dialect, KnownDialect, Meaning, SpelledFile};
use crate::lists::{
    gnu::{split_escape_mark, tagged_file},
    unescape,
};

struct BagIt {
    tag: Vec<u8>,
}

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |_, about| {
        let name = about.name.strip_prefix(b"tag").unwrap_or(about.name);
        let tag = name.strip_prefix(b"manifest-")?.strip_suffix(b".txt")?;
        Some(Box::new(BagIt { tag: tag.to_vec() }))
    },
    #[cfg(test)]
    sample: "900150983cd24fb0d6963f7d28e17f72  f\ne2fc714c4727ee9395f324cd2e7f331f\t*g\n",
};

impl Dialect for BagIt {
    fn is_certain(&self) -> bool {
        true
    }

    fn read<'r>(&mut self, line: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        if let Some(file) = tagged_file(line) {
            return Meaning::File(file);
        }
        let (is_escaped, line) = split_escape_mark(line);
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let (digest, rest) = line.split_at(line.iter().position(is_blank).unwrap_or(line.len()));
        let path = &rest[rest.iter().take_while(|byte| is_blank(byte)).count()..];
        let path = path.strip_prefix(b"*").unwrap_or(path);
        let name =
            if is_escaped { unescape(path).map(Cow::into_owned) } else { Some(decode_path(path)) };
        let Some(name) = name else { return Meaning::Malformed };
        let literal = (!is_escaped && name != path).then(|| path.to_vec());
        Meaning::File(SpelledFile { literal, ..SpelledFile::new(name, self.tag.clone(), digest) })
    }
}

fn decode_path(path: &[u8]) -> Vec<u8> {
    let (mut name, mut rest) = (Vec::with_capacity(path.len()), path);
    while let [first, after @ ..] = rest {
        let (byte, after) = match rest {
            [b'%', b'0', b'A' | b'a', after @ ..] => (b'\n', after),
            [b'%', b'0', b'D' | b'd', after @ ..] => (b'\r', after),
            [b'%', b'2', b'5', after @ ..] => (b'%', after),
            _ => (*first, after),
        };
        name.push(byte);
        rest = after;
    }
    name
}
