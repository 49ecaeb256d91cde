//! What a list remembers of the files in it: a comment before the lines of each, which says what
//! the file was like before it was read.
//!
//! ```text
//! # jlanes-sum --update, file 2049:1311 6 1732450000.123456789 1732450000.123456789 SEAL
//! ```
//!
//! These are device and inode, size, the time of the last change and that of the last write. Another
//! copy of the file, another file under its name and every later change differ in one of them,
//! whatever clocks say. The seal binds all of it to the name and the digests that follow: where a
//! line was edited or moved, the comment says nothing. Where there is a key, it is sealed by the key,
//! so that digests by another key are not taken for those by this one.

use std::num::NonZero;

use jlanes::{Algorithm, Backend, algorithm::AnyHasher};

use crate::{
    hash::{Key, Scheme},
    lists::from_hex,
    system::{Stat, Time},
};

/// What the comment begins with.
pub(super) const PREFIX: &str = "# jlanes-sum --update, file ";

/// The seal of a comment.
pub(super) type Seal = NonZero<u128>;

/// Makes the comments of a list.
#[derive(Clone)]
pub(super) struct Sealer {
    hmac: Box<dyn AnyHasher>,
    tags: Vec<String>,
}

impl Sealer {
    /// For files with digests by `schemes`.
    pub(super) fn new(schemes: &[Scheme]) -> Self {
        let secret = schemes.iter().find_map(Scheme::secret).unwrap_or_default();
        let hmac = Algorithm::SHA256.with(Key::Hmac(secret.to_vec()));
        let hmac = hmac.expect("there is HMAC with SHA-256").hasher_on(Backend::detect());
        let hmac = hmac.expect("HMAC is a digest");
        Self { hmac, tags: schemes.iter().map(Scheme::tag).collect() }
    }

    /// The comment on a file that is called `name` and has these digests.
    pub(super) fn comment(&self, stat: &Stat, name: &[u8], digests: &[&[u8]]) -> Vec<u8> {
        let seal = self.seal(stat, name, digests).map_or(0, NonZero::get);
        format!("{PREFIX}{} {seal:032x}\n", state(stat)).into_bytes()
    }

    /// The seal of this comment; one that is zero counts as none.
    pub(super) fn seal(&self, stat: &Stat, name: &[u8], digests: &[&[u8]]) -> Option<Seal> {
        let mut sealed = Vec::with_capacity(256);
        let mut add = |part: &[u8]| {
            sealed.extend_from_slice(&(part.len() as u64).to_be_bytes());
            sealed.extend_from_slice(part);
        };
        add(state(stat).as_bytes());
        add(name);
        for (tag, digest) in self.tags.iter().zip(digests) {
            add(tag.as_bytes());
            add(digest);
        }
        let mut hmac = self.hmac.clone();
        hmac.update(&sealed);
        let seal = hmac.finalize();
        NonZero::new(u128::from_be_bytes(*seal.first_chunk().expect("a digest of 32 bytes")))
    }
}

/// A file's device and inode, size and times.
fn state(stat: &Stat) -> String {
    let Stat { identity: (device, inode), size, modified, changed, .. } = stat;
    let (Time { seconds: at, nanoseconds: and }, Time { seconds, nanoseconds }) =
        (changed, modified);
    format!("{device}:{inode} {size} {at}.{and:09} {seconds}.{nanoseconds:09}")
}

/// The seal of a comment.
pub(super) fn seal(comment: &[u8]) -> Option<Seal> {
    let mut seal = Vec::with_capacity(16);
    let is_hex = from_hex(comment.rsplit(|byte| *byte == b' ').next()?, &mut seal);
    NonZero::new(u128::from_be_bytes(seal.try_into().ok().filter(|_| is_hex)?))
}

/// The device that the file was on, by its comment.
pub(super) fn device(comment: &[u8]) -> Option<u64> {
    let state = comment.strip_prefix(PREFIX.as_bytes())?;
    let device = state.split(|byte| *byte == b':').next()?;
    str::from_utf8(device).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jlanes::Algorithm;

    use crate::system::FileKind;

    const STAT: Stat = Stat {
        kind: FileKind::File,
        size: 3,
        identity: (7, 11),
        modified: Time { seconds: 5, nanoseconds: 6 },
        changed: Time { seconds: 8, nanoseconds: 9 },
        is_executable: false,
    };

    fn of(stat: Stat, name: &[u8], digest: &[u8]) -> Vec<u8> {
        let scheme = Scheme::from(Algorithm::SHA256);
        Sealer::new(&[scheme]).comment(&stat, name, &[digest])
    }

    #[test]
    fn everything_is_sealed() {
        let known = of(STAT, b"f", &[1; 32]);
        let text = "# jlanes-sum --update, file 7:11 3 8.000000009 5.000000006 ";
        assert!(known.starts_with(text.as_bytes()), "{}", known.escape_ascii());
        assert_eq!(device(&known), Some(7));
        let sealer = Sealer::new(&[Scheme::from(Algorithm::SHA256)]);
        assert_eq!(seal(known.trim_ascii_end()), sealer.seal(&STAT, b"f", &[&[1; 32]]));
        let time = Time { seconds: 5, nanoseconds: 7 };
        for other in [
            of(Stat { size: 4, ..STAT }, b"f", &[1; 32]),
            of(Stat { identity: (7, 12), ..STAT }, b"f", &[1; 32]),
            of(Stat { identity: (8, 11), ..STAT }, b"f", &[1; 32]),
            of(Stat { modified: time, ..STAT }, b"f", &[1; 32]),
            of(Stat { changed: time, ..STAT }, b"f", &[1; 32]),
            of(STAT, b"g", &[1; 32]),
            of(STAT, b"f", &[2; 32]),
        ] {
            assert_ne!(other, known);
        }
    }
}
