//! Digests in one word, as tools spell them: `sha256-BASE64` (Subresource Integrity, npm),
//! `sha256:HEX`, `sha256:BASE64` (with or without padding) and `sha256:NIX32` (Nix),
//! `--hash=sha256:HEX` (pip), `0xHEX`.

use std::ops::Range;

use super::{TagRules, from_base64};
use crate::Computation;

/// Nix's digits.
const NIX32: &[u8; 32] = b"0123456789abcdfghijklmnpqrsvwxyz";

/// The digits of the shortest digest that lists have, MD5's.
const MIN_HEX_DIGITS: usize = 32;

/// The names before digests in base64.
const BASE64_HASHES: [&str; 6] = ["h1", "md5", "sha1", "sha256", "sha384", "sha512"];

/// The symbols of such digests, without padding.
const BASE64_SYMBOLS: [usize; 5] = [22, 27, 43, 64, 86];

/// The digests in `text`, words with names of algorithms. Of several words, those with the longest
/// digests count, and one match is enough, as in Subresource Integrity. Algorithms that `tags` does not
/// know are skipped.
///
/// Empty if no word has a known algorithm, or if a digest is malformed.
pub fn parse_words<T: TagRules>(text: &[u8], tags: &T) -> Vec<(Computation, Vec<u8>)> {
    let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let known = words.filter_map(|word| {
        let (name, digest) = split(str::from_utf8(word).ok()?);
        let computation = tags.tagged(name?.to_ascii_uppercase().as_bytes())?;
        Some((tags.digest(&computation, normalized(digest).as_bytes()), computation))
    });
    let digests: Option<Vec<_>> =
        known.map(|(digest, computation)| digest.map(|digest| (computation, digest))).collect();
    longest_digests(digests.unwrap_or_default())
}

/// The digests of the greatest length.
pub fn longest_digests(mut digests: Vec<(Computation, Vec<u8>)>) -> Vec<(Computation, Vec<u8>)> {
    let longest = digests.iter().map(|(_, digest)| digest.len()).max();
    digests.retain(|(_, digest)| Some(digest.len()) == longest);
    digests
}

/// The name of the algorithm before the digest in `word`, if any, and the digest.
pub fn split(word: &str) -> (Option<&str>, &str) {
    let word = word.strip_prefix("--hash=").unwrap_or(word);
    if let Some((name, digest)) = word.rsplit_once(':') {
        return (Some(name), digest);
    }
    let named = word.split_once('-').and_then(|(name, digest)| {
        // options may follow the digest
        let digest = digest.split('?').next()?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        // S3's digest is followed by a number of parts
        let is_digest = from_base64(padded(digest).as_bytes())?.len() >= 16;
        (is_name && is_digest).then_some((Some(name), digest))
    });
    named.unwrap_or((None, word))
}

/// `digest` in hexadecimal or base64, converted from the other spellings.
pub fn normalized(digest: &str) -> String {
    let hex = digest.strip_prefix("0x").filter(|hex| is_hex(hex.as_bytes()));
    // MD5 in hexadecimal is as long as SHA-1 in base 32
    let nix = || from_nix32(digest.as_bytes()).filter(|_| !is_hex(digest.as_bytes()));
    let nix = || nix().map(hex::encode);
    hex.map(str::to_owned).or_else(nix).unwrap_or_else(|| padded(digest))
}

/// `digest` with the padding of base64, which OpenSSH and others leave out.
fn padded(digest: &str) -> String {
    let padded = format!("{digest}{}", &"==="[..digest.len().wrapping_neg() % 4]);
    let is_digest = |bytes: Vec<u8>| bytes.len() >= 16;
    let is_base64 =
        !is_hex(digest.as_bytes()) && from_base64(padded.as_bytes()).is_some_and(is_digest);
    if is_base64 { padded } else { digest.to_owned() }
}

/// The number of bits of `text`, a digest in hexadecimal or base64.
pub fn bits_of(text: &[u8]) -> u64 {
    match is_hex(text) {
        true => 4 * text.len() as u64,
        false => 8 * from_base64(text).map_or(0, |bytes| bytes.len() as u64),
    }
}

/// Whether `text` has hexadecimal digits only.
pub fn is_hex(text: &[u8]) -> bool {
    hex_digits(text) == text.len()
}

/// The number of hexadecimal digits with which `text` starts.
pub(super) fn hex_digits(text: &[u8]) -> usize {
    /// Whether a byte is one. In a digest, a branch on digits or letters would be mispredicted.
    const IS_DIGIT: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = (byte as u8).is_ascii_hexdigit();
            byte += 1;
        }
        table
    };
    text.iter().take_while(|byte| IS_DIGIT[usize::from(**byte)]).count()
}

/// The places of words in `text` that look like digests: hexadecimal with at least the digits of MD5, or base64 with
/// padding or after the name of a hash. Padding does not belong to them.
pub fn digest_words(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let is_symbol = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
    let (mut next, mut before) = (0, &b""[..]);
    let runs = text.split(move |byte| !is_symbol(byte)).map(move |run| {
        let start = next;
        next += run.len() + 1;
        let is_named = matches!(text[..start].last(), Some(b'-' | b':'))
            && BASE64_HASHES.iter().any(|name| before.eq_ignore_ascii_case(name.as_bytes()));
        before = run;
        let after = &text[start + run.len()..];
        // three are none, and a line may consist of them
        let padding = after.iter().take(3).take_while(|byte| **byte == b'=').count();
        let is_padded = (padding + run.len()).is_multiple_of(4)
            && (1..3).contains(&padding)
            && !after.get(padding).is_some_and(is_symbol);
        let is_base64 = BASE64_SYMBOLS.contains(&run.len()) && (is_named || is_padded);
        (start, run, is_base64)
    });
    runs.flat_map(|(start, run, is_base64)| {
        let whole = is_base64.then_some(start..start + run.len());
        let mut next = start;
        let digits = run.split(|byte| !byte.is_ascii_hexdigit()).map(move |digits| {
            next += digits.len() + 1;
            next - 1 - digits.len()..next - 1
        });
        let is_digest = move |digits: &Range<_>| !is_base64 && digits.len() >= MIN_HEX_DIGITS;
        whole.into_iter().chain(digits.filter(is_digest))
    })
}

/// Decodes a digest of MD5, SHA-1, SHA-256 or SHA-512 in Nix's base 32: the most significant digit
/// comes first, and the digest's least significant byte.
fn from_nix32(text: &[u8]) -> Option<Vec<u8>> {
    let len = [16_usize, 20, 32, 64].into_iter().find(|len| (8 * len).div_ceil(5) == text.len())?;
    let mut bytes = vec![0; len];
    for (at, byte) in text.iter().rev().enumerate() {
        let digit = NIX32.iter().position(|known| known == byte)? as u16;
        let (first, shift) = (5 * at / 8, 5 * at % 8);
        let [low, high] = (digit << shift).to_le_bytes();
        bytes[first] |= low;
        match bytes.get_mut(first + 1) {
            Some(next) => *next |= high,
            None if high > 0 => return None,
            None => {}
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use jlanes::Algorithm;
    use proptest::prelude::*;

    use super::*;
    use crate::lists::AnyAlgorithm;

    /// digests of the empty message
    const SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const BASE64: &str = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    const NIX: &str = "0mdqa9w1p6cmli6976v4wi0sw9r4p5prkj7lzfd1877wk11c9c73";

    fn parse_words(text: &str) -> Vec<(Computation, String)> {
        let tags = AnyAlgorithm { least_bits: 0, ..AnyAlgorithm::default() };
        let digests = super::parse_words(text.as_bytes(), &tags).into_iter();
        digests.map(|(computation, digest)| (computation, hex::encode(digest))).collect()
    }

    proptest! {
        #[test]
        fn no_words_panic(parts in proptest::collection::vec(proptest::sample::select(vec![
            "sha256", "sha512", "md5", "--hash=", ":", "-", "?", "0x", " ", "0a", "z", "=", "e",
            BASE64, NIX, SHA256, "\u{e9}",
        ]), 0..8)) {
            let text = parts.concat();
            for (computation, digest) in parse_words(&text) {
                prop_assert_eq!(digest.len(), 2 * computation.output_size());
            }
            bits_of(normalized(&text).as_bytes());
        }
    }

    #[test]
    fn every_spelling_is_the_same_digest() {
        for text in [
            format!("sha256:{SHA256}"),
            format!("SHA256:{}", SHA256.to_uppercase()),
            format!("sha256:0x{SHA256}"),
            format!("sha256:{BASE64}"),
            format!("sha256-{BASE64}"),
            format!("sha256-{BASE64}?option"),
            format!("sha256:{}", BASE64.trim_end_matches('=')),
            format!("sha256-{}?option", BASE64.trim_end_matches('=')),
            format!("sha256:{NIX}"),
            format!("--hash=sha256:{SHA256}"),
            // the strongest digest counts, unknown algorithms do not
            format!("md5:d41d8cd98f00b204e9800998ecf8427e sha256-{BASE64}"),
            format!("sha999-{BASE64} tiger:{BASE64} sha256-{BASE64}"),
        ] {
            assert_eq!(
                parse_words(&text),
                [(Algorithm::SHA256.into(), SHA256.to_owned())],
                "{text}"
            );
        }
        assert_eq!(parse_words(&format!("sha256-{BASE64} sha256:{SHA256}")).len(), 2);
    }

    #[test]
    fn nothing_else_is_a_digest() {
        for text in [
            String::new(),
            SHA256.to_owned(),
            format!("tiger:{SHA256}"),
            format!("sha512:{SHA256}"),
            format!("sha256:{}", &SHA256[1..]),
            format!("sha256-{BASE64} sha256:00"),
            "sha256-AAAA".to_owned(),
            format!("sha256:{}", &NIX[1..]),
            // `e` is no digit, and `2` exceeds the highest bit
            format!("sha256:e{}", &NIX[1..]),
            format!("sha256:2{}", &NIX[1..]),
        ] {
            assert_eq!(parse_words(&text), [], "{text}");
        }
    }

    #[test]
    fn hexadecimal_digits_are_not_nix_digits() {
        let md5 = "0".repeat(32);
        assert_eq!(normalized(&md5), md5);
    }

    #[test]
    fn nix_has_its_own_digits() {
        // https://nix.dev/manual/nix/latest/protocols/nix32
        let sha1 = from_nix32(b"vw46m23bizj4n8afrc0fj19wrp7mj3c0").map(hex::encode);
        assert_eq!(sha1.as_deref(), Some("800d59cfcd3c05e900cb4e214be48f6b886a08df"));
    }
}
