//! Algorithms by name: a name that parses has a canonical form and a tag that parse to the same
//! algorithm, in any spelling, and a hasher with the same digest for any pieces.

use arbitrary::{Result, Unstructured};
use jlanes::Algorithm;

use crate::input::{backend, pieces, text};

/// Parts of names, and separators.
const PARTS: [&str; 44] = [
    "sha",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "md5",
    "ripemd160",
    "sm3",
    "skein",
    "skein256",
    "skein512",
    "skein1024",
    "jlanes",
    "jpointers",
    "mh",
    "btv2",
    "sha256tree",
    "glacier",
    "dropbox",
    "fsverity",
    "dmverity",
    "s3",
    "rfc6962",
    "blake2b",
    "k12",
    "raw",
    "tree",
    "0",
    "1",
    "2",
    "8",
    "16",
    "224",
    "256",
    "257",
    "512",
    "4096",
    "-",
    "_",
    ":",
    ".",
    "/",
    "k",
];
/// The limit for hashing: longer digests and more lanes would take memory and time.
const LONGEST: usize = 300;

/// Parses a name, and hashes if it is one.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a name does not come back, or a digest depends on pieces or backend.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let name = name(u)?;
    let Ok(algorithm) = name.parse::<Algorithm>() else { return Ok(()) };
    let canonical = algorithm.to_string();
    let tag = algorithm.tag();
    for spelling in [&canonical, &tag, &canonical.to_uppercase(), &canonical.replace('-', "_")] {
        assert_eq!(spelling.parse(), Ok(algorithm), "{spelling}");
    }
    if algorithm.output_size() > LONGEST {
        return Ok(());
    }
    let (Ok(mut hasher), Ok(mut whole)) = (algorithm.hasher_on(backend(u)?), algorithm.hasher())
    else {
        return Ok(());
    };
    let text = text(u, 3000)?;
    for piece in pieces(u, &text, 4)? {
        hasher.update(piece);
    }
    whole.update(&text);
    let digest = whole.finalize();
    assert_eq!(digest.len(), algorithm.output_size(), "{canonical}");
    assert_eq!(hasher.finalize_reset(), digest, "{canonical}, {} bytes", text.len());
    hasher.update(&text);
    assert_eq!(hasher.finalize(), digest, "{canonical}, after a reset");
    Ok(())
}

/// Parts of names one after another, and sometimes any text.
fn name(u: &mut Unstructured) -> Result<String> {
    if u.ratio(1, 8)? {
        return Ok(u.arbitrary::<&str>()?.to_owned());
    }
    (0..u.int_in_range(1..=9)?).map(|_| u.choose(&PARTS).copied()).collect()
}
