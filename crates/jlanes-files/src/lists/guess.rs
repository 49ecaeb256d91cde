//! Guesses the algorithm of a digest without a name: from the list's name, or else from the digest's length.
//!
//! Only these places in the name of a list count, because a list of `blake3.tar.gz` need not have
//! BLAKE3's digests. `.txt` and `.asc` may follow, and the algorithm may have `sum` or `sums` attached.
//!
//! 1. After the last dot, as in `f.iso.sha256`. The longest suffix that is a name counts, because names
//!    of Skein's trees contain dots.
//! 2. All of the name: `SHA256SUMS`, `sha3-512.txt`.
//! 3. After a hyphen or an underscore, with `sums`: `app_1.2_SHA512SUMS`.
//!
//! A list with such a name has only digests of this algorithm. In other lists, a digest is of the usual
//! algorithm for its length, if there is one.

/// An algorithm in which lists are published.
struct Candidate {
    name: &'static str,
    bits: u64,
    /// Whether it is the usual algorithm for this length.
    is_usual: bool,
}

const fn usual(name: &'static str, bits: u64) -> Candidate {
    Candidate { name, bits, is_usual: true }
}

const fn rare(name: &'static str, bits: u64) -> Candidate {
    Candidate { name, bits, is_usual: false }
}

/// By length, the more common ones first. SHA-512 and BLAKE2b are both common, so neither is usual.
const CANDIDATES: [Candidate; 29] = [
    rare("crc32", 32),
    rare("crc32c", 32),
    rare("xxh32", 32),
    rare("crc64nvme", 64),
    rare("xxh64", 64),
    rare("xxh3-64", 64),
    usual("md5", 128),
    rare("xxh128", 128),
    usual("sha1", 160),
    rare("ripemd160", 160),
    usual("sha224", 224),
    rare("sha512-224", 224),
    rare("sha3-224", 224),
    usual("sha256", 256),
    rare("sha512-256", 256),
    rare("sha3-256", 256),
    rare("keccak256", 256),
    rare("blake2s", 256),
    rare("blake2b-256", 256),
    rare("blake3", 256),
    rare("sm3", 256),
    rare("skein256", 256),
    usual("sha384", 384),
    rare("sha3-384", 384),
    rare("blake2b", 512),
    rare("sha512", 512),
    rare("sha3-512", 512),
    rare("skein512", 512),
    rare("keccak512", 512),
];

/// Words for the member of a family that has the digest's length: the word, the prefix of the members'
/// names, and the usual member.
const FAMILIES: [(&str, &str, &str); 8] = [
    ("b2", "blake2b-", "blake2b"),
    ("blake2", "blake2b-", "blake2b"),
    ("b2s", "blake2s-", "blake2s"),
    ("b3", "blake3-", "blake3"),
    ("sha2", "sha", "sha256"),
    ("sha3", "sha3-", "sha3-256"),
    ("keccak", "keccak", "keccak256"),
    ("skein", "skein512-", "skein512"),
];

/// The guessed algorithm of a digest.
#[derive(Debug, PartialEq, Eq)]
pub enum Guess<A> {
    /// The algorithm that the list's name contains, or the usual one for the length.
    One(A),
    /// One of several, none of which is usual.
    Several(Vec<&'static str>),
    /// None: no lists are published with digests of this length.
    Nothing,
}

impl<A> Guess<A> {
    /// Guesses the algorithm of a digest of `bits` bits in the list `name`. `parse` returns the
    /// algorithms of this build.
    pub fn new(bits: u64, name: &[u8], parse: impl Fn(&str) -> Option<A>) -> Self {
        if let Some((_, algorithm)) = algorithm_in_list_name(name, bits, &parse) {
            return Self::One(algorithm);
        }
        let fitting = || CANDIDATES.iter().filter(|known| known.bits == bits);
        if let Some(usual) =
            fitting().filter(|known| known.is_usual).find_map(|known| parse(known.name))
        {
            return Self::One(usual);
        }
        let names: Vec<_> = candidates(bits).filter(|name| parse(name).is_some()).collect();
        if names.is_empty() { Self::Nothing } else { Self::Several(names) }
    }
}

/// The names of the algorithms of published lists with digests of `bits` bits, the more common ones
/// first.
pub fn candidates(bits: u64) -> impl Iterator<Item = &'static str> {
    CANDIDATES.iter().filter(move |it| it.bits == bits).map(|it| it.name)
}

/// The algorithm in the name of `list`, and the text before it: `f.iso`, the name of the only file, in
/// `f.iso.sha256`, otherwise nothing. Digests have `bits` bits, or 0 in an empty list.
pub fn algorithm_in_list_name<A>(
    list: &[u8],
    bits: u64,
    parse: impl Fn(&str) -> Option<A>,
) -> Option<(&[u8], A)> {
    let lower = list.to_ascii_lowercase();
    let name = str::from_utf8(&lower).ok()?;
    let name = name.strip_suffix(".txt").or_else(|| name.strip_suffix(".asc")).unwrap_or(name);
    let text = &list[..name.len()];
    let hash = |word: &str| {
        let sums = word.strip_suffix("sums").or_else(|| word.strip_suffix("sum"));
        let word = sums.unwrap_or(word).trim_end_matches(['-', '_']);
        let family = || {
            let (_, prefix, usual) = FAMILIES.iter().find(|(family, ..)| *family == word)?;
            if bits == 0 { parse(usual) } else { parse(&format!("{prefix}{bits}")) }
        };
        parse(word).or_else(family)
    };
    let after = |separators: &'static [char]| {
        name.match_indices(separators).map(|(at, _)| at).filter(|at| *at > 0)
    };
    let extension = after(&['.']).find_map(|at| Some((&text[..at], hash(&name[at + 1..])?)));
    // a file `sha3` may come from a project of that name
    let is_family = FAMILIES.iter().any(|(family, ..)| *family == name);
    let whole = || Some((&text[..0], hash(name).filter(|_| !is_family)?));
    let end = || {
        let mut ends = after(&['-', '_']).filter(|_| name.ends_with("sums"));
        ends.find_map(|at| Some((&text[..0], hash(&name[at + 1..])?)))
    };
    extension.or_else(whole).or_else(end)
}

#[cfg(test)]
mod tests {
    use jlanes::Algorithm;

    use super::*;

    fn guess(bits: u64, name: &str) -> Guess<Algorithm> {
        Guess::new(bits, name.as_bytes(), |name| name.parse().ok())
    }

    #[test]
    fn names_of_lists_tell_what_they_have() {
        for (name, bits, expected) in [
            ("MD5SUMS", 128, "md5"),
            ("SHA1SUMS", 160, "sha1"),
            ("f.rmd160", 160, "ripemd160"),
            ("SHA256SUMS", 256, "sha256"),
            ("sha256sums.txt", 256, "sha256"),
            ("sha512sum.txt", 512, "sha512"),
            ("SHA512SUMS.asc", 512, "sha512"),
            ("SHA-512SUMS", 512, "sha512"),
            ("f.iso.sha512sum", 512, "sha512"),
            ("SHA2-512SUMS", 512, "sha512"),
            ("SHA3-512SUMS", 512, "sha3-512"),
            ("app_1.2_SHA3-512SUMS", 512, "sha3-512"),
            ("app-1.2-sha512sums", 512, "sha512"),
            ("SHA384SUMS", 384, "sha384"),
            ("sha3-384.txt", 384, "sha3-384"),
            ("f.sha3", 384, "sha3-384"),
            ("B2SUMS", 512, "blake2b"),
            ("b2sums.txt", 256, "blake2b-256"),
            ("f.b2", 512, "blake2b"),
            ("f.blake2b", 512, "blake2b"),
            ("f.b3", 256, "blake3"),
            ("B3SUMS", 256, "blake3"),
            ("f.keccak", 512, "keccak512"),
            ("club2020.sha512", 512, "sha512"),
            ("sha512-256.txt", 256, "sha512-256"),
            ("x.sm3", 256, "sm3"),
            ("f.skein512-256-tree:2.2.255", 256, "skein512-256-tree:2.2.255"),
            ("f.jlanes8-sha256", 256, "jlanes8-sha256"),
            // the algorithm of the name, not the usual one for the length
            ("f.sha256", 160, "sha256"),
            ("anything", 256, "sha256"),
            ("anything", 128, "md5"),
        ] {
            assert_eq!(guess(bits, name), Guess::One(expected.parse().unwrap()), "{name} {bits}");
        }
    }

    #[test]
    fn a_word_elsewhere_in_a_name_tells_nothing() {
        for (name, expected) in [
            ("blake3-1.5.4.tar.gz.sha256", "sha256"),
            ("libkeccak-1.3.tar.gz.sha256", "sha256"),
            ("app-b2.iso.sha256", "sha256"),
            ("app-b3.iso.sha256sum.txt", "sha256"),
            ("keccak.sha256", "sha256"),
            ("sha3-256.iso.sm3", "sm3"),
            ("keccak", "sha256"),
            ("b2", "sha256"),
            ("blake3-1.5.4", "sha256"),
            ("blake3-1.5.4.txt", "sha256"),
            ("b2sum-list", "sha256"),
            ("my-b2sum", "sha256"),
            ("sm3.iso", "sha256"),
            ("sm3-sha256sums", "sha256"),
            ("libblake3sums", "sha256"),
            ("CHECKSUMS.blake3.d", "sha256"),
        ] {
            assert_eq!(guess(256, name), Guess::One(expected.parse().unwrap()), "{name}");
        }
    }

    #[test]
    fn unknown_lengths_are_not_guessed() {
        for name in ["club2", "sha512.iso", "b2-sha512", ".sha512"] {
            let Guess::Several(names) = guess(512, name) else { panic!("one guess: {name}") };
            assert!(names.starts_with(&["blake2b", "sha512"]), "{names:?}");
        }
        for bits in [0, 4, 32, 64, 8192] {
            assert_eq!(guess(bits, "list"), Guess::Nothing, "{bits}");
        }
    }

    #[test]
    fn candidates_have_the_bits_of_their_algorithms() {
        for candidate in &CANDIDATES {
            // checksums, and algorithms that this build lacks, are skipped
            if let Ok(algorithm) = candidate.name.parse::<Algorithm>() {
                let bits = 8 * algorithm.output_size() as u64;
                assert_eq!(bits, candidate.bits, "{}", candidate.name);
            }
        }
    }

    #[test]
    fn a_list_may_be_of_one_file() {
        let file = |list: &'static str| {
            let parse = |name: &str| name.parse::<Algorithm>().ok();
            let (file, _) = algorithm_in_list_name(list.as_bytes(), 256, parse)?;
            str::from_utf8(file).ok()
        };
        assert_eq!(file("f.iso.SHA256"), Some("f.iso"));
        assert_eq!(file("f.iso.sha256sum.txt"), Some("f.iso"));
        assert_eq!(file("SHA256SUMS"), Some(""));
        assert_eq!(file("f.txt"), None);
    }
}
