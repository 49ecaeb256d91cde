//! The catalogue of algorithms' names: the table at the end of the help, and hints for wrong or incomplete names.
//!
//! Names with lengths and blocks in them are too many for a list that a program makes. So the rows are written by
//! hand, for readers, and tests check that each one names an algorithm and that each algorithm has a row.

use std::mem::discriminant;

use jlanes::{
    Algorithm,
    algorithm::{BaseHash, Kind, Strength},
};

use super::nearest;

/// A line of the table: one algorithm, or several with the same start of their names.
pub(super) struct Row {
    /// The names. Capitals stand for values that the user fills in.
    pub(super) names: &'static str,
    what: &'static str,
    /// A complete name, if `names` has placeholders.
    example: Option<&'static str>,
}

const fn row(names: &'static str, what: &'static str) -> Row {
    Row { names, what, example: None }
}

/// A row of names with placeholders.
const fn pattern(names: &'static str, example: &'static str, what: &'static str) -> Row {
    Row { names, what, example: Some(example) }
}

/// All algorithms, a line for each.
pub(super) const CATALOGUE: &[Row] = &[
    row("sha256", "SHA-256, the default"),
    row("sha1", "SHA-1"),
    row("sha1dc", "SHA-1; a file of a collision attack is an error"),
    row("sha224 sha384 sha512 sha512-224 sha512-256", "the rest of SHA-2; or sha2, with --length"),
    row("md5", "MD5"),
    row("ripemd160", "RIPEMD-160; 160 bits are too few for new uses"),
    row("sm3", "SM3, the Chinese standard"),
    row("sha3-224 sha3-256 sha3-384 sha3-512", "SHA-3; or sha3, with --length"),
    row("keccak224 keccak256 keccak384 keccak512", "Keccak before it became SHA-3, as in Ethereum"),
    row("keccak256full", "the whole state after Keccak-256, as in CryptoNight"),
    pattern("shake128-BITS shake256-BITS", "shake128-256", "SHAKE with this length"),
    row("kt128 kt256", "KangarooTwelve; also with -BITS"),
    pattern(
        "parallelhash128:BLOCK parallelhash256:BLOCK",
        "parallelhash128:8192",
        "ParallelHash (SP 800-185) with blocks of BLOCK bytes",
    ),
    pattern(
        "parallelhashxof128:BLOCK parallelhashxof256:BLOCK",
        "parallelhashxof128:8192",
        "ParallelHashXOF with blocks of BLOCK bytes",
    ),
    row("kmac128 kmac256", "KMAC (SP 800-185) with --key-file; also with -BITS"),
    row("kmacxof128 kmacxof256", "KMACXOF with --key-file; also with -BITS"),
    row("blake2b blake2s", "BLAKE2 with 512 and 256 bits"),
    pattern("blake2b-BITS blake2s-BITS", "blake2b-256", "BLAKE2 with another length"),
    row("blake3", "BLAKE3, the fastest of all; also with -BITS"),
    row("skein256", "Skein with a state of 256 bits"),
    row("skein512", "Skein with a state of 512 bits"),
    row("skein1024", "Skein with a state of 1024 bits"),
    pattern("skeinN-BITS", "skein512-256", "Skein with another length"),
    pattern(
        "skeinN-tree:YL.YF.YM",
        "skein512-256-tree:2.2.255",
        "Skein's tree mode; also with -BITS before -tree",
    ),
    pattern(
        "jlanesJ-HASH",
        "jlanes8-sha256",
        "one file on J lanes of a HASH above, without a tree",
    ),
    pattern("jlanesJ-HASH-raw", "jlanes8-sha256-raw", "the construction of the paper of 2013"),
    pattern("jpointers-HASH", "jpointers-sha256", "one digest of all files together, in order"),
    pattern("jpointers-HASH-raw", "jpointers-sha256-raw", "the construction of the paper of 2013"),
    row("mh-sha1 mh-sha256", "ISA-L's multi-hash"),
    row("btv2", "BitTorrent v2's pieces root"),
    row("fsverity-sha256 fsverity-sha512", "fs-verity's file digest; also with -BLOCK"),
    row("dmverity-sha1 dmverity-sha256 dmverity-sha512", "dm-verity's root hash"),
    row("sha256tree", "SHA256TREE of Bazel's Remote Execution API"),
    row("glacier", "Amazon Glacier's tree hash"),
    row("s3-sha1 s3-sha256 s3-sha512 s3-md5", "S3's checksums of an object, in base64"),
    row(
        "s3-crc32 s3-crc32c s3-crc64nvme s3-xxhash64 s3-xxhash3 s3-xxhash128",
        "S3's checksums that are no hashes; anyone can forge them",
    ),
    pattern(
        "s3-sha256:PART",
        "s3-sha256:8388608",
        "S3's composite of an upload in parts of PART bytes; so for all but s3-crc64nvme",
    ),
    pattern("etag:PART", "etag:8388608", "S3's ETag of an upload in parts of PART bytes, from MD5"),
    row("dropbox", "Dropbox's content hash"),
    pattern(
        "rfc6962-sha256:LEAF",
        "rfc6962-sha256:65536",
        "RFC 6962's tree hash of leaves of LEAF bytes",
    ),
    row(
        "crc32 crc32c crc64nvme xxh32 xxh64 xxh3-64 xxh128",
        "checksums, not hashes: they detect accidents, and anyone can forge them",
    ),
    row("crc crc32b", "checksums as cksum prints them"),
    row("bsd sysv", "checksums as sum prints them"),
    pattern("hmac-HASH", "hmac-sha256", "HASH with --hmac-key-file"),
];

impl Row {
    /// The description of its algorithms.
    pub(super) fn text(&self) -> String {
        let strength = |name: &str| name.parse().map(Algorithm::strength);
        match self.examples().all(|name| strength(name) == Ok(Strength::Broken)) {
            true => format!("{}; broken: collisions are known", self.what),
            false => self.what.to_owned(),
        }
    }

    /// Complete names.
    pub(super) fn examples(&self) -> impl Iterator<Item = &'static str> {
        let names = self.example.is_none().then(|| self.names.split(' '));
        self.example.into_iter().chain(names.into_iter().flatten())
    }
}

/// The table at the end of the help.
pub(super) fn help() -> String {
    let mut text = String::from("Algorithms:\n");
    for row in CATALOGUE {
        text += &format!("  {}\n          {}\n", row.names, row.text());
    }
    text
}

/// Whether the table has `algorithm`, possibly with other parameters.
pub(super) fn has(algorithm: Algorithm) -> bool {
    let name = algorithm.to_string();
    let function = |name: &str| name.split(['-', ':']).next().map(str::to_owned);
    let mut names = CATALOGUE.iter().flat_map(|row| row.names.split(' '));
    match algorithm.kind() {
        Kind::Hash(BaseHash::Fixed(_)) => names.any(|known| known == name),
        Kind::Xof(_) | Kind::Blake2(_) | Kind::Blake3(_) => {
            names.any(|known| function(known) == function(&name))
        }
        kind => CATALOGUE.iter().flat_map(Row::examples).any(|example| {
            let known = example.parse::<Algorithm>();
            known.is_ok_and(|known| discriminant(&known.kind()) == discriminant(&kind))
        }),
    }
}

/// The name most similar to `spec`, if any is similar.
pub(super) fn nearest(spec: &str) -> Option<&'static str> {
    let names = CATALOGUE.iter().flat_map(|row| row.names.split(' '));
    nearest::nearest(&spec.replace('_', "-"), names)
}

/// A hint at the missing part of `spec`, if it is the start of a name.
pub(super) fn hint(spec: &str) -> Option<&'static str> {
    let spec = spec.to_ascii_lowercase().replace('_', "-");
    let lanes = spec.strip_prefix("jlanes");
    let has_hash = lanes.is_some_and(|rest| rest.contains('-'));
    let has_number = lanes.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    Some(match &spec[..] {
        "s3" | "s3-" => "the checksum is missing, as in s3-sha256 and s3-sha256:8388608",
        _ if spec.starts_with("s3-") && spec.ends_with(':') => {
            "the size of a part is missing, as in s3-sha256:8388608"
        }
        "etag" | "etag:" => "the size of a part is missing, as in etag:8388608",
        "rfc6962-sha256" | "rfc6962-sha256:" | "rfc6962" => {
            "the size of a leaf is missing, as in rfc6962-sha256:65536"
        }
        _ if lanes.is_some() && !has_number => {
            "the number of lanes is missing, as in jlanes8-sha256"
        }
        _ if lanes.is_some() && !has_hash => "the hash is missing, as in jlanes8-sha256",
        "jpointers" | "jpointers-" => "the hash is missing, as in jpointers-sha256",
        "hmac" | "hmac-" => "the hash is missing, as in hmac-sha256",
        "shake128" | "shake128-" | "shake256" | "shake256-" | "shake" => {
            "the length in bits is missing, as in shake128-256"
        }
        "skein" => "it is one of skein256, skein512 and skein1024",
        "kmac" | "kmac-" => "it is one of kmac128 and kmac256",
        _ if spec.starts_with("tuplehash") => "the library has TupleHash; a file is no tuple",
        "mh" | "mh-" => "it is one of mh-sha1 and mh-sha256",
        "fsverity" | "fsverity-" => "it is one of fsverity-sha256 and fsverity-sha512",
        "dmverity" | "dmverity-" => {
            "it is one of dmverity-sha1, dmverity-sha256 and dmverity-sha512"
        }
        _ if spec.ends_with("-tree") || spec.ends_with("-tree:") => {
            "the tree's parameters are missing, as in skein512-tree:2.2.255"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use jlanes::algorithm::Fixed;
    use jlanes_files::Checksum;

    use super::*;
    use crate::hash::{ComputationName, family::is_available};

    #[test]
    fn all_names_are_those_of_algorithms() {
        for row in CATALOGUE {
            assert!(row.examples().next().is_some(), "{}", row.names);
            for name in row.examples() {
                assert!(is_available(name) || ComputationName::parse(name).is_ok(), "{name}");
            }
        }
    }

    #[test]
    fn all_algorithms_have_a_line() {
        for fixed in Fixed::all() {
            assert!(has(BaseHash::Fixed(fixed).into()), "{fixed}");
        }
        for checksum in Checksum::all().map(|it| it.to_string()) {
            assert!(CATALOGUE.iter().any(|row| row.names.split(' ').any(|it| it == checksum)));
        }
        for name in ["blake3-8", "skein256-8-tree:1.1.2", "jlanes7-sm3-raw", "fsverity-sha512-1k"] {
            assert!(has(name.parse().unwrap()), "{name}");
        }
    }

    #[test]
    fn parts_of_names_get_a_hint_of_the_missing_part() {
        for (part, word) in [
            ("s3-sha256:", "part"),
            ("S3_CRC32:", "part"),
            ("s3", "s3-sha256"),
            ("rfc6962-sha256:", "leaf"),
            ("jlanes", "lanes"),
            ("jlanes-sha256", "lanes"),
            ("jlanes8", "hash"),
            ("jpointers", "hash"),
            ("skein512-tree", "parameters"),
            ("shake256", "length"),
            ("dmverity", "dmverity-sha1"),
            ("fsverity", "fsverity-sha256"),
            ("hmac-", "hash"),
            ("etag:", "part"),
            ("mh", "mh-sha1"),
            ("kmac", "kmac128"),
            ("tuplehash128", "library"),
            ("skein", "skein256"),
        ] {
            assert!(hint(part).is_some_and(|hint| hint.contains(word)), "{part}");
            assert!(ComputationName::parse(part).is_err(), "{part}");
        }
        assert_eq!(hint("sha257"), None);
    }
}
