//! Magnet links, as RHash writes them, one for each file.
//!
//! ```text
//! link  = "magnet:?" field *( "&" field )       ; values are percent-encoded
//! field = "dn=" name / "xl=" size / "xt=urn:" algorithm ":" digest / key "=" value
//! ```
//!
//! The digest of SHA-1 is in base 32.

use super::{KnownDialect, SpelledFile, file_per_line, number, percent_decode, split_once};

const BEGIN: &[u8] = b"magnet:?";

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| file_per_line(line, parse_entry),
    #[cfg(test)]
    sample: "magnet:?xl=3&dn=f&xt=urn:md5:900150983cd24fb0d6963f7d28e17f72\n\
             magnet:?dn=%67&xt=urn:tree:tiger:aa&xt=urn:md5:e2fc714c4727ee9395f324cd2e7f331f\n",
};

fn parse_entry(line: &[u8]) -> Option<SpelledFile<'_>> {
    let mut file = SpelledFile::default();
    for field in line.strip_prefix(BEGIN)?.split(|byte| *byte == b'&') {
        let (key, value) = split_once(field, b"=")?;
        let blanks: Vec<u8> =
            value.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
        let value = percent_decode(&blanks)?;
        match key {
            b"dn" if file.name.is_empty() => file.name = value,
            b"xl" if file.size.is_none() => file.size = Some(number(&value)?),
            b"xt" => {
                let (tag, digest) = split_once(value.strip_prefix(b"urn:")?, b":")?;
                let hex = base32(digest).filter(|_| tag == b"sha1").map(hex::encode);
                let digest = hex.map_or_else(|| digest.to_vec(), String::into_bytes);
                file.digests.push((Some(tag.to_vec().into()), digest.into()));
            }
            // a second name or size would be lost, or is another file's
            [b'd', b'n', ..] | [b'x', b'l' | b't', ..] => return None,
            _ => {}
        }
    }
    Some(file)
}

/// Decodes base 32, the encoding of SHA-1 in links.
fn base32(text: &[u8]) -> Option<Vec<u8>> {
    let bytes = text.as_chunks::<8>().0.iter().map(|digits| {
        digits.iter().try_fold(0_u64, |number, digit| {
            let value = match digit.to_ascii_lowercase() {
                letter @ b'a'..=b'z' => letter - b'a',
                digit @ b'2'..=b'7' => digit - b'2' + 26,
                _ => return None,
            };
            Some(number << 5 | u64::from(value))
        })
    });
    let numbers = bytes.collect::<Option<Vec<_>>>()?;
    (text.len() == 32)
        .then(|| numbers.iter().flat_map(|it| it.to_be_bytes().into_iter().skip(3)).collect())
}
