//! Stamps: comments in an updated list with the state of each file before it was read.
//!
//! ```text
//! # jlanes-sum --update, file 2049:1311 6 1732450000.123456789 1732450000.123456789 SEAL
//! ```
//!
//! The numbers are device and inode, size, and the times of the last change and of the last write. A
//! copy of the file, another file under its name, and every later change differ in one of them,
//! whatever clocks show. The seal binds the state to the name and the digests that follow: if a line
//! was edited or moved, its stamp is ignored. With a key, the seal is keyed, so that digests by another
//! key are not taken for digests by this one.

use jlanes::{Sha256, algorithm::Key, digest::Output, multi::Lanes};
use jlanes_files::{Computation, lists::from_hex};

use crate::system::{Stat, Time};

/// The start of the comment.
const STAMP_PREFIX: &str = "# jlanes-sum --update, file ";

/// The length of a seal in bytes.
const SEAL_BYTES: usize = 16;

/// A stamp in a list.
#[derive(Clone, Copy)]
pub(super) struct Stamp<'t> {
    pub(super) line: &'t [u8],
    /// The file's device and inode, size and times.
    pub(super) state: &'t [u8],
    seal: &'t [u8],
}

impl<'t> Stamp<'t> {
    /// Parses `line`; `None` if it is no stamp.
    pub(super) fn parse(line: &'t [u8]) -> Option<Self> {
        let rest = line.strip_prefix(STAMP_PREFIX.as_bytes())?;
        let (state, seal) = rest.split_at_checked(rest.len().checked_sub(2 * SEAL_BYTES + 1)?)?;
        Some(Self { line, state, seal: seal.strip_prefix(b" ")? })
    }

    /// Whether the file was in the state `stat`.
    pub(super) fn is_of(&self, stat: &Stat) -> bool {
        let Stat { identity: (device, inode), size, modified, changed, .. } = stat;
        let times = [changed.seconds, changed.nanoseconds, modified.seconds, modified.nanoseconds];
        let times = times.map(|time| u64::try_from(time).ok());
        self.numbers().eq([*device, *inode, *size].map(Some).into_iter().chain(times))
    }

    /// The device that the file was on.
    pub(super) fn device(&self) -> Option<u64> {
        self.numbers().next()?
    }

    /// The numbers of the state; `None` for one that is too large.
    fn numbers(&self) -> impl Iterator<Item = Option<u64>> {
        let add = |all: u64, digit: &u8| all.checked_mul(10)?.checked_add(u64::from(digit - b'0'));
        let parts = self.state.split(|byte| !byte.is_ascii_digit());
        parts.map(move |part| part.iter().try_fold(0, add))
    }
}

/// Makes and checks stamps of files with digests by certain computations.
pub(super) struct Sealer {
    secret: Vec<u8>,
    tags: Vec<String>,
}

impl Sealer {
    /// A sealer for digests by `computations`.
    pub(super) fn new(computations: &[Computation]) -> Self {
        let secret = match computations.iter().find_map(Computation::key) {
            Some(Key::Hmac(key) | Key::Own(key)) => key.clone(),
            None => Vec::new(),
        };
        Self { secret, tags: computations.iter().map(Computation::tag).collect() }
    }

    /// The stamp of the file `name` in the state `stat`, with these digests.
    pub(super) fn comment(&self, stat: &Stat, name: &[u8], digests: &[Vec<u8>]) -> Vec<u8> {
        let state = state(stat);
        let seals = self.seals(&[self.sealed_text(state.as_bytes(), name, digests)]);
        format!("{STAMP_PREFIX}{state} {}\n", hex::encode(&seals[0][..SEAL_BYTES])).into_bytes()
    }

    /// Whether each stamp seals its text, which [`sealed_text`](Self::sealed_text) returns.
    pub(super) fn check(&self, stamps: &[Stamp<'_>], texts: &[Vec<u8>]) -> Vec<bool> {
        let mut bytes = Vec::with_capacity(SEAL_BYTES);
        let is_right = |(seal, stamp): (Output<Sha256>, &Stamp<'_>)| {
            from_hex(stamp.seal, &mut bytes) && bytes == seal[..SEAL_BYTES]
        };
        self.seals(texts).into_iter().zip(stamps).map(is_right).collect()
    }

    fn seals(&self, texts: &[Vec<u8>]) -> Vec<Output<Sha256>> {
        let mut seals = vec![Output::<Sha256>::default(); texts.len()];
        Lanes::<Sha256>::new().hmac(&self.secret, texts, &mut seals);
        seals
    }

    /// The text that a seal covers.
    pub(super) fn sealed_text(&self, state: &[u8], name: &[u8], digests: &[Vec<u8>]) -> Vec<u8> {
        let mut text = Vec::with_capacity(256);
        let mut add = |part: &[u8]| {
            text.extend_from_slice(&(part.len() as u64).to_be_bytes());
            text.extend_from_slice(part);
        };
        add(state);
        add(name);
        for (tag, digest) in self.tags.iter().zip(digests) {
            add(tag.as_bytes());
            add(digest);
        }
        text
    }
}

/// A file's device and inode, size and times.
fn state(stat: &Stat) -> String {
    let Stat { identity: (device, inode), size, modified, changed, .. } = stat;
    let (Time { seconds: at, nanoseconds: and }, Time { seconds, nanoseconds }) =
        (changed, modified);
    format!("{device}:{inode} {size} {at}.{and:09} {seconds}.{nanoseconds:09}")
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
        let computation = Computation::from(Algorithm::SHA256);
        Sealer::new(&[computation]).comment(&stat, name, &[digest.to_vec()])
    }

    #[test]
    fn everything_is_sealed() {
        let known = of(STAT, b"f", &[1; 32]);
        let text = "# jlanes-sum --update, file 7:11 3 8.000000009 5.000000006 ";
        assert!(known.starts_with(text.as_bytes()), "{}", known.escape_ascii());
        let stamp = Stamp::parse(known.trim_ascii_end()).unwrap();
        assert_eq!(stamp.device(), Some(7));
        assert!(stamp.is_of(&STAT));
        let sealer = Sealer::new(&[Algorithm::SHA256.into()]);
        let texts = [b"f", b"g"].map(|name| sealer.sealed_text(stamp.state, name, &[vec![1; 32]]));
        assert_eq!(sealer.check(&[stamp; 2], &texts), [true, false]);
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
            let same = Stamp::parse(other.trim_ascii_end()).unwrap();
            assert_eq!(same.is_of(&STAT), same.state == stamp.state);
        }
    }
}
