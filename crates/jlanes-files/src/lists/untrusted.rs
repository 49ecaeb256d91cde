//! Limits for entries of untrusted lists.

use super::Entry;

/// The maximum number of bits of a digest in an untrusted list.
const MAX_DIGEST_BITS: u64 = 4096;
/// The maximum number of parts of S3's objects.
pub(crate) const MAX_PARTS: u64 = 10_000;

/// The reason for refusing `entry` of an untrusted list: it makes us compute too much, or proves too
/// little.
#[must_use]
pub fn untrusted_refusal(entry: &Entry) -> Option<String> {
    if entry.digests.is_empty() {
        return Some("a size is no digest".to_owned());
    }
    let excess = entry.digests.iter().find_map(|(computation, digest)| {
        if computation.bits() > MAX_DIGEST_BITS {
            return Some(format!("{} has more than {MAX_DIGEST_BITS} bits", computation.tag()));
        }
        // the number of parts follows the digest
        let parts = digest.get(computation.output_size()..)?;
        let parts = u64::from_be_bytes(parts.try_into().ok()?);
        (parts > MAX_PARTS).then(|| format!("more than {MAX_PARTS} parts, which S3 does not take"))
    });
    // all digests are compared, so a single strong one is enough
    let mut weak = entry.digests.iter().map(|(computation, _)| {
        let why = computation.strength().weakness()?;
        Some(format!("{} is {why}", computation.tag()))
    });
    let weakest = match entry.any_suffices {
        true => weak.find(Option::is_some).flatten(),
        false => weak.reduce(|all, one| all.and(one)).flatten(),
    };
    excess.or(weakest)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::lists::{AnyAlgorithm, Fault, GnuParser, LineCounts, List};

    /// The accepted names, and the counts of lines.
    fn read(list: &str) -> (Vec<String>, LineCounts) {
        let hex = |len: usize| "0a".repeat(len);
        let list = list.replace("MD5HEX", &hex(16)).replace("SHA1HEX", &hex(20));
        let mut list = List::new(io::Cursor::new(list.replace("SHA256HEX", &hex(32)))).unwrap();
        let tags = AnyAlgorithm { untrusted: true, ..AnyAlgorithm::default() };
        let (mut parser, mut found) = (GnuParser::new(tags), Vec::new());
        while let Some(line) = list.next(&mut parser).unwrap() {
            found.push(match line.entry {
                Ok(entry) => String::from_utf8(entry.name).unwrap(),
                Err(Fault::Refused(why)) => why,
                Err(Fault::Malformed) => "malformed".to_owned(),
            });
        }
        (found, list.line_counts())
    }

    #[test]
    fn forgeable_digests_are_refused_and_counted() {
        let broken = "broken: files that differ may have equal digests";
        let (found, account) = read(
            "SHA256HEX  a\nMD5HEX  b\nSHA1 (c) = SHA1HEX\nJLANES8-SHA1 (d) = SHA1HEX\n\
             SHAKE128-8192 (e) = SHA256HEX\nSHA3-256 (f) = SHA256HEX\n",
        );
        let is = |name: &str| format!("{name} is {broken}");
        assert_eq!(found[..4], ["a".to_owned(), is("MD5"), is("SHA1"), is("JLANES8-SHA1")]);
        assert_eq!(found[4..], ["malformed", "f"]);
        assert_eq!((account.entries, account.refused, account.malformed), (2, 3, 1));
    }

    #[test]
    fn a_better_digest_next_to_a_broken_one_is_enough_and_a_size_is_not() {
        let (found, account) = read(
            "#mtree\na md5=MD5HEX sha256digest=SHA256HEX\nb md5=MD5HEX sha1=SHA1HEX\nc size=3\n",
        );
        assert_eq!(found[0], "a");
        assert!(found[1].contains("broken"), "{found:?}");
        assert_eq!(found[2], "a size is no digest");
        assert_eq!((account.entries, account.refused), (1, 2));
    }

    #[test]
    fn slow_digests_are_refused() {
        let entry = |name: &str, len: usize| {
            let digests = vec![(name.parse().unwrap(), vec![0xff; len])];
            Entry { name: b"f".to_vec(), literal: None, digests, any_suffices: false, size: None }
        };
        let tags = AnyAlgorithm { untrusted: true, ..AnyAlgorithm::default() };
        let why = |name, len| crate::lists::TagRules::entry_refusal(&tags, &entry(name, len));
        assert!(why("shake128-8192", 1024).is_some_and(|why| why.contains("more than 4096 bits")));
        assert!(why("s3-sha256:8388608", 40).is_some_and(|why| why.contains("10000 parts")));
        assert_eq!(why("sha256", 32), None);
    }
}
