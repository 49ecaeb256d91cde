//! Lists in any format: reading never fails, and each entry could be that of a line.

use std::io::Cursor;

use arbitrary::{Result, Unstructured};
use jlanes::algorithm::Kind;
use jlanes_files::{
    Computation,
    lists::{AnyAlgorithm, Fault, GnuParser, Line, List, MAX_LINE_BYTES, Style, TagRules},
};

use crate::lists::entries;

/// Parts of lines, and lines by which formats are recognized.
const PARTS: [&str; 76] = [
    "Algorithm",
    "Hash",
    "Path",
    "Algorithm : SHA256",
    "Algorithm Hash Path",
    "\"Algorithm\",\"Hash\",\"Path\"",
    "SHA256 hash of f:",
    "-----BEGIN PGP SIGNED MESSAGE-----",
    "-----BEGIN PGP SIGNATURE-----",
    "%%%% HASHDEEP-1.0",
    "%%%% size,md5,sha256,filename",
    "#mtree",
    "/set type=file",
    "/unset all",
    "f type=file",
    " size=3",
    " sha1digest=da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "d type=dir",
    "..",
    "SHA256",
    "SHA512",
    "SHA1",
    "MD5",
    "CRC32",
    "S3-SHA256:5",
    "sha256:",
    "MD5Sum:",
    " hash of ",
    "file ",
    " : ",
    ":",
    "  ",
    " ",
    " *",
    ",",
    ";",
    "\"",
    "\\",
    "/",
    "C:\\",
    "f",
    "0a",
    "d41d8cd98f00b204e9800998ecf8427e",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "{\"name\":\"f\",\"algorithm\":\"md5\",\"digest\":\"",
    "\"}",
    "Origin: Debian",
    "CertUtil:",
    "TIMESTAMP = 1",
    "SIZE (f) = 3",
    "# SHA1 HASH",
    "DIST f 3 SHA1 ",
    "magnet:?dn=f&xt=urn:sha1:",
    "pkgbase = f",
    "source = f",
    "sha1sums = ",
    "[[package]]",
    "checksum = \"",
    "hash = \"sha1:",
    "--hash=sha1:",
    "'http://f' f 3 SHA1:",
    "7-Zip ",
    "SHA1 Size  Name",
    "---- ----  ----",
    "f: SHA1 = DA39",
    "f:2:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709:",
    "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
    "{\"filename\":\"f\",\"integrity\":\"",
    "[{\"Hash\":\"",
    "\",\"Path\":\"f\"}]",
    "...",
    "=",
    " (",
    ") = ",
    "\n",
];

/// All algorithms with digests of at least 256 bits.
#[derive(Clone)]
struct Long(AnyAlgorithm);

impl Long {
    fn has(computation: &Computation) -> bool {
        computation.output_size() >= 32
    }
}

impl TagRules for Long {
    fn tagged(&self, tag: &[u8]) -> Option<Computation> {
        self.0.tagged(tag).filter(Self::has)
    }

    fn untagged(&self, digest: &[u8]) -> Option<Computation> {
        self.0.untagged(digest).filter(Self::has)
    }

    fn prefixed(&self, hash: &[u8]) -> Vec<Computation> {
        self.0.prefixed(hash).into_iter().filter(Self::has).collect()
    }

    fn tag_refusal(&self, tag: &[u8]) -> Option<String> {
        self.0.tagged(tag).as_ref().and_then(|computation| self.computation_refusal(computation))
    }

    fn computation_refusal(&self, computation: &Computation) -> Option<String> {
        (!Self::has(computation)).then(|| "short".to_owned())
    }
}

/// Reads a list of lines made from parts and any bytes.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If an entry has a name or a digest that no line can have, or changes when it is written and read.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let mut text = Vec::new();
    while !u.is_empty() && text.len() < MAX_LINE_BYTES {
        if u.ratio(7, 8)? {
            text.extend_from_slice(u.choose(&PARTS)?.as_bytes());
        } else {
            let len = u.int_in_range(0..=8)?.min(u.len());
            text.extend_from_slice(u.bytes(len)?);
        }
    }
    for entry in entries(text.clone()) {
        assert!(!entry.name.contains(&0), "a name with NUL");
        assert!(!entry.digests.is_empty() || entry.size.is_some(), "nothing to compare");
        for (computation, digest) in &entry.digests {
            let parts = matches!(
                computation.kind(),
                Some(Kind::S3 { part: Some(_), .. } | Kind::ETag { .. })
            );
            assert_eq!(digest.len(), computation.output_size() + if parts { 8 } else { 0 });
            let mut line = Vec::new();
            let (tag, style) = (computation.tag(), Style::GNU.tagged());
            style.write(computation, &tag, &entry.name, digest, &mut line);
            let copies = entries(line);
            let [copy] = &copies[..] else { panic!("{copies:?} of {entry:?}") };
            assert_eq!((&copy.name, &copy.digests[0].1), (&entry.name, digest));
        }
    }
    signed(&text);
    let mut list = List::new(Cursor::new(text)).expect("memory reads");
    let mut parser = GnuParser::new(Long(AnyAlgorithm::default()));
    while let Some(Line { entry, .. }) = list.next(&mut parser).expect("memory reads") {
        match entry {
            Ok(entry) => assert!(entry.digests.iter().all(|(it, _)| Long::has(it))),
            Err(Fault::Refused(_) | Fault::Malformed) => {}
        }
    }
    Ok(())
}

/// Text before or after a signed text never yields an entry that is not refused.
fn signed(other: &[u8]) {
    const BEGIN: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
    let md5 = "d41d8cd98f00b204e9800998ecf8427e";
    let text = format!("MD5 (signed) = {md5}\n-----BEGIN PGP SIGNATURE-----\n\n");
    let text = [BEGIN, b"\n\n", text.as_bytes(), b"-----END PGP SIGNATURE-----\n"].concat();
    if other.windows(BEGIN.len()).any(|part| part == BEGIN) {
        return;
    }
    for list in [[&text[..], other].concat(), [other, b"\n", &text].concat()] {
        let mut list = List::new(Cursor::new(list)).expect("memory reads");
        let mut parser = GnuParser::new(AnyAlgorithm::default());
        let (mut is_refused, mut has_others) = (false, false);
        while let Some(Line { entry, .. }) = list.next(&mut parser).expect("memory reads") {
            match entry {
                Ok(entry) => has_others |= entry.name != b"signed",
                Err(fault) => is_refused |= matches!(fault, Fault::Refused(_)),
            }
        }
        assert!(
            !has_others || is_refused,
            "an entry that was not signed: {}",
            other.escape_ascii()
        );
    }
}
