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

use jlanes::{Algorithm, Backend};

use crate::{
    hash::{Key, Scheme},
    system::{Stat, Time},
};

/// What the comment begins with.
pub(super) const PREFIX: &[u8] = b"# jlanes-sum --update, file ";

/// Bytes of the seal.
const SEAL: usize = 16;

/// The comment on a file that is called `name` and has these digests.
pub(super) fn comment<'d>(
    stat: &Stat,
    name: &[u8],
    digests: impl Iterator<Item = (&'d Scheme, &'d [u8])>,
) -> Vec<u8> {
    let Stat { identity: (device, inode), size, modified, changed, .. } = stat;
    let (changed, modified) = (moment(*changed), moment(*modified));
    let state = format!("{device}:{inode} {size} {changed} {modified}");
    let digests: Vec<_> = digests.collect();
    let secret = digests.iter().find_map(|(scheme, _)| scheme.secret());
    let hmac = Algorithm::SHA256.with(Key::Hmac(secret.unwrap_or_default().to_vec()));
    let seal = hmac.expect("there is HMAC with SHA-256").hasher_on(Backend::detect());
    let mut seal = seal.expect("HMAC is a digest");
    let mut add = |part: &[u8]| {
        seal.update(&(part.len() as u64).to_be_bytes());
        seal.update(part);
    };
    add(state.as_bytes());
    add(name);
    for (scheme, digest) in digests {
        add(scheme.tag().as_bytes());
        add(digest);
    }
    let seal = hex::encode(&seal.finalize()[..SEAL]);
    [PREFIX, state.as_bytes(), b" ", seal.as_bytes(), b"\n"].concat()
}

/// The device that the file was on, by its comment.
pub(super) fn device(comment: &[u8]) -> Option<u64> {
    let state = comment.strip_prefix(PREFIX)?;
    let device = state.split(|byte| *byte == b':').next()?;
    str::from_utf8(device).ok()?.parse().ok()
}

fn moment(Time { seconds, nanoseconds }: Time) -> String {
    format!("{seconds}.{nanoseconds:09}")
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
        comment(&stat, name, [(&scheme, digest)].into_iter())
    }

    #[test]
    fn everything_is_sealed() {
        let known = of(STAT, b"f", &[1; 32]);
        let text = "# jlanes-sum --update, file 7:11 3 8.000000009 5.000000006 ";
        assert!(known.starts_with(text.as_bytes()), "{}", known.escape_ascii());
        assert_eq!(device(&known), Some(7));
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
