//! Guesses the algorithm of a digest that comes without a name, by its length and by the name of the
//! file that it is in.

use jlanes::Algorithm;

/// An algorithm of which lists are published.
struct Candidate {
    name: &'static str,
    bits: u64,
    /// What the names of its lists have in them, in small letters and without hyphens.
    words: &'static [&'static str],
    /// Whether a digest of this length is of this algorithm if nothing says otherwise.
    is_usual: bool,
}

const fn usual(name: &'static str, bits: u64, words: &'static [&'static str]) -> Candidate {
    Candidate { name, bits, words, is_usual: true }
}

const fn rare(name: &'static str, bits: u64, words: &'static [&'static str]) -> Candidate {
    Candidate { name, bits, words, is_usual: false }
}

/// Of each length the more specific words come first. SHA-512 and BLAKE2b are both common.
const CANDIDATES: [Candidate; 22] = [
    usual("md5", 128, &["md5"]),
    usual("sha1", 160, &["sha1"]),
    rare("ripemd160", 160, &["ripemd", "rmd160"]),
    rare("sha512-224", 224, &["sha512224", "sha512/224"]),
    rare("sha3-224", 224, &["sha3224"]),
    usual("sha224", 224, &["sha224", "sha2224"]),
    rare("sha512-256", 256, &["sha512256"]),
    rare("sha3-256", 256, &["sha3256"]),
    rare("keccak256", 256, &["keccak"]),
    rare("blake2s", 256, &["blake2s", "b2s"]),
    rare("blake2b-256", 256, &["blake2", "b2"]),
    rare("blake3", 256, &["blake3", "b3"]),
    rare("sm3", 256, &["sm3"]),
    rare("skein256", 256, &["skein256"]),
    usual("sha256", 256, &["sha256", "sha2256"]),
    rare("sha3-384", 384, &["sha3384"]),
    usual("sha384", 384, &["sha384", "sha2384"]),
    rare("sha3-512", 512, &["sha3512"]),
    rare("skein512", 512, &["skein"]),
    rare("keccak512", 512, &["keccak"]),
    rare("sha512", 512, &["sha512", "sha2512"]),
    rare("blake2b", 512, &["blake2", "b2"]),
];

/// The algorithms that a digest may be of.
#[derive(Debug, PartialEq, Eq)]
pub enum Guess {
    /// The usual one of its length, or the one that the list's name has.
    One(&'static str),
    /// Several, none of which is more usual than the others.
    Several(Vec<&'static str>),
    /// No algorithm of which lists are published.
    Nothing,
}

impl Guess {
    /// The algorithm of a digest of `bits` bits in the list `name`.
    #[must_use]
    pub fn new(bits: u64, name: &[u8]) -> Self {
        let fits = |it: &&Candidate| it.bits == bits && it.name.parse::<Algorithm>().is_ok();
        let fitting: Vec<_> = CANDIDATES.iter().filter(fits).collect();
        let name = name.to_ascii_lowercase();
        let told = fitting.iter().find(|it| it.words.iter().any(|word| contains(&name, word)));
        let usual = || fitting.iter().find(|it| it.is_usual);
        match told.or_else(usual) {
            Some(candidate) => Self::One(candidate.name),
            None if fitting.is_empty() => Self::Nothing,
            None => Self::Several(fitting.iter().rev().map(|it| it.name).collect()),
        }
    }
}

/// The algorithms with digests of `bits` bits, except for `name`.
#[must_use]
pub fn others(bits: u64, name: &str) -> Vec<&'static str> {
    let is_other = |it: &&Candidate| it.bits == bits && it.name != name;
    let others =
        CANDIDATES.iter().filter(is_other).filter(|it| it.name.parse::<Algorithm>().is_ok());
    others.map(|it| it.name).collect()
}

/// Whether `name` has `word` in it, with hyphens wherever it likes. Short words stand alone, or at the
/// beginning of a part: `B2SUMS`, but not `club2`.
fn contains(name: &[u8], word: &str) -> bool {
    let is_short = word.len() < 4;
    (0..name.len()).any(|at| {
        let begins = at == 0 || !name[at - 1].is_ascii_alphanumeric();
        let mut rest = name[at..].iter().filter(|byte| !matches!(byte, b'-' | b'_'));
        (begins || !is_short) && word.bytes().all(|byte| rest.next() == Some(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_lists_tell_what_they_have() {
        for (name, bits, expected) in [
            ("MD5SUMS", 128, "md5"),
            ("SHA1SUMS", 160, "sha1"),
            ("f.rmd160", 160, "ripemd160"),
            ("SHA256SUMS", 256, "sha256"),
            ("sha256sums.txt", 256, "sha256"),
            ("CHECKSUM.SHA512-FreeBSD", 512, "sha512"),
            ("SHA-512SUMS", 512, "sha512"),
            ("f.iso.sha512sum", 512, "sha512"),
            ("SHA2-512SUMS", 512, "sha512"),
            ("SHA3-512SUMS", 512, "sha3-512"),
            ("SHA384SUMS", 384, "sha384"),
            ("sha3-384.txt", 384, "sha3-384"),
            ("B2SUMS", 512, "blake2b"),
            ("f.b2", 512, "blake2b"),
            ("f.blake2b", 512, "blake2b"),
            ("club2020.sha512", 512, "sha512"),
            ("sha512-256.txt", 256, "sha512-256"),
            ("x.sm3", 256, "sm3"),
            ("libsha1-ripemd160.txt", 160, "sha1"),
            ("anything", 256, "sha256"),
            ("anything", 128, "md5"),
        ] {
            assert_eq!(Guess::new(bits, name.as_bytes()), Guess::One(expected), "{name} {bits}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        let Guess::Several(names) = Guess::new(512, b"club2") else { panic!("one guess") };
        assert!(names.starts_with(&["blake2b", "sha512"]), "{names:?}");
        for bits in [0, 4, 32, 64, 8192] {
            assert_eq!(Guess::new(bits, b"SHA256SUMS"), Guess::Nothing, "{bits}");
        }
    }

    #[test]
    fn candidates_have_the_bits_of_their_algorithms() {
        for candidate in &CANDIDATES {
            // what another build has not is passed over
            if let Ok(algorithm) = candidate.name.parse::<Algorithm>() {
                assert_eq!(
                    8 * algorithm.output_size() as u64,
                    candidate.bits,
                    "{}",
                    candidate.name
                );
            }
        }
    }
}
