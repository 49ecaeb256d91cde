//! Lists of digests: reading them in the formats of many tools, writing and verifying them.
//!
//! A [`List`] reads lists of GNU's `sha256sum` and `cksum`, BSD's tools, OpenSSL, fsverity, hashdeep,
//! mtree, SFV, Debian's archives, PowerShell, `certutil` and many others, and recognizes the format. It
//! yields an [`Entry`] for each file. [`Tags`] say which digests it accepts; [`AnyAlgorithm`] accepts
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
//!     Style::GNU.write(Algorithm::SHA256, "SHA256", name.as_bytes(), &file.digests?[0], &mut text);
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
//! A list chooses which files are read: [`verify_beneath`] is for lists by strangers.

mod account;
mod any;
mod armour;
mod choice;
mod decode;
mod dialect;
pub mod digest;
mod foreign;
mod guess;
mod lines;
mod list;
mod record;
pub mod spelling;
mod tags;
#[cfg(test)]
mod tests;
mod trust;
mod verify;
mod write;

use std::borrow::Cow;

use self::dialect::gnu::decode;
pub use self::{
    account::Account,
    any::AnyAlgorithm,
    decode::{Decoded, decoded},
    dialect::{
        gnu::{Parser, from_base64, tag},
        hashdeep::MAGIC as HASHDEEP,
        is_sfv,
        mtree::begins as is_mtree,
    },
    foreign::Foreign,
    guess::{Guess, candidates, told},
    lines::read_line,
    list::{Line, List},
    tags::{Entry, Fault, Tags},
    trust::{Facts, distrust},
    verify::{Verdict, Verified, verify, verify_at, verify_beneath},
    write::{Encoding, Layout, Style},
};

/// The length in bytes of the longest line of a list.
pub const LONGEST_LINE: usize = 1 << 20;

/// `name` without `.` and repeated slashes: a list may call `./a//b` what a walk calls `a/b`.
#[must_use]
pub fn plain(name: &[u8]) -> Vec<u8> {
    let parts = name.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"."));
    let path = parts.collect::<Vec<_>>().join(&b'/');
    if name.starts_with(b"/") { [b"/", &path[..]].concat() } else { path }
}

/// Whether `name` has to be escaped, because it would break a line.
#[must_use]
pub fn needs_escape(name: &[u8]) -> bool {
    name.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'\r'))
}

/// Decodes `text`, in lowercase hexadecimal, into `bytes`. Returns whether it could.
pub fn from_hex(text: &[u8], bytes: &mut Vec<u8>) -> bool {
    // without branches, so that it is compiled to vectors
    let value = |digit: u8| (digit & 15) + 9 * (digit >> 6);
    let is_digit = |digit: &u8| (digit.wrapping_sub(b'0') < 10) | (digit.wrapping_sub(b'a') < 6);
    let (pairs, rest) = text.as_chunks::<2>();
    bytes.clear();
    bytes.extend(pairs.iter().map(|[high, low]| value(*high) << 4 | value(*low)));
    rest.is_empty() & text.iter().fold(true, |all, digit| all & is_digit(digit))
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

/// The inverse of [`escape`]; `None` for anything that [`escape`] does not return.
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
