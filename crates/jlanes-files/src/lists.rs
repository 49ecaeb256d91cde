//! Lists of digests: reading them in the formats of many tools, writing and verifying them.
//!
//! A [`List`] reads lists of GNU's `sha256sum` and `cksum`, BSD's tools, OpenSSL, fsverity, hashdeep,
//! mtree, SFV, Debian's archives, PowerShell, `certutil` and many others, and recognizes the format. It
//! yields an [`Entry`] for each file. [`TagRules`] say which digests it accepts; [`AnyAlgorithm`] accepts
//! all of [`jlanes`]. [`verify`] hashes the files and compares.
//!
//! ```
//! use std::io;
//!
//! use jlanes::Algorithm;
//! use jlanes_files::{
//!     Engine,
//!     lists::{AnyAlgorithm, List, Style, Verdict, verify},
//! };
//!
//! // a list of two files
//! let mut text = Vec::new();
//! Engine::new().digests([Algorithm::SHA256], ["Cargo.toml", "README.md"], |file| {
//!     let name = file.path.to_str().expect("both names are ASCII");
//!     Style::GNU.write(&Algorithm::SHA256.into(), "SHA256", name.as_bytes(), &file.digests?[0], &mut text);
//!     Ok(())
//! })?;
//! text.extend(b"SHA1 (missing) = da39a3ee5e6b4b0d3255bfef95601890afd80709\n");
//!
//! let mut verdicts = Vec::new();
//! verify(&Engine::new(), List::new(io::Cursor::new(text))?, AnyAlgorithm::default(), |line| {
//!     verdicts.push((line.number, matches!(line.verdict, Verdict::Match)));
//!     Ok(())
//! })?;
//! assert_eq!(verdicts, [(1, true), (2, true), (3, false)]);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! The list chooses which files are read: use [`verify_beneath`] for untrusted lists.

mod any_algorithm;
mod base_encodings;
mod choice;
mod clearsign;
mod dialect;
pub mod digest;
mod entry;
mod foreign;
mod gnu;
mod guess;
mod line_counts;
mod lines;
mod list;
mod lost_digest;
mod meaning;
mod record;
pub mod spelling;
mod tag_rules;
#[cfg(test)]
mod tests;
mod text_encoding;
mod untrusted;
mod verify;
mod write;

use std::borrow::Cow;

pub use self::{
    any_algorithm::AnyAlgorithm,
    base_encodings::{from_base64, from_hex},
    dialect::{hashdeep::MAGIC as HASHDEEP_MAGIC, is_sfv, mtree::begins as is_mtree},
    entry::Entry,
    foreign::ForeignFormat,
    gnu::{GnuParser, tag},
    guess::{Guess, algorithm_in_list_name, candidates},
    line_counts::LineCounts,
    lines::read_line,
    list::{Line, List},
    tag_rules::{Fault, TagRules},
    text_encoding::{DecodedText, decode_text},
    untrusted::untrusted_refusal,
    verify::{Verdict, VerifiedLine, verify, verify_at, verify_beneath},
    write::{Encoding, LineLayout, Style},
};
#[cfg(feature = "checksums")]
pub(crate) use self::{dialect::json::json_object, untrusted::MAX_PARTS};

/// The length of the longest line of a list, in bytes.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// `name` without `.` parts and repeated slashes: a list may call `./a//b` the file that a walk calls
/// `a/b`.
#[must_use]
pub fn normalized_path(name: &[u8]) -> Vec<u8> {
    let parts = name.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"."));
    let path = parts.collect::<Vec<_>>().join(&b'/');
    if name.starts_with(b"/") { [b"/", &path[..]].concat() } else { path }
}

/// Whether `name` has to be escaped, because it would break its line.
#[must_use]
pub fn needs_escape(name: &[u8]) -> bool {
    name.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'\r'))
}

/// `name` with backslashes, line feeds and carriage returns as two characters each.
#[must_use]
pub fn escape(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len() + 8);
    for &byte in name {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            _ => out.push(byte),
        }
    }
    out
}

/// The inverse of [`escape`]; `None` for text that [`escape`] does not return.
fn unescape(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !text.contains(&b'\\') {
        return Some(Cow::Borrowed(text));
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(Cow::Owned(out))
}
