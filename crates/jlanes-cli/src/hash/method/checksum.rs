//! The checksums of POSIX and of older systems, as `cksum` and `sum` have them. They are no digests:
//! nothing is safe that stands on them.

use std::{fmt, io};

use jlanes_files::FileHasher;

/// A checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checksum {
    /// System V's sum of bytes.
    Sysv,
    /// BSD's rotating sum.
    Bsd,
    /// POSIX's CRC, which is `cksum`'s.
    Crc,
    /// Ethernet's CRC, which is also that of gzip and of PNG.
    Crc32b,
}

/// The names, in the order in which GNU's `cksum` lists them.
const NAMES: [(&str, Checksum); 4] = [
    ("sysv", Checksum::Sysv),
    ("bsd", Checksum::Bsd),
    ("crc", Checksum::Crc),
    ("crc32b", Checksum::Crc32b),
];

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = NAMES.iter().find(|(_, checksum)| checksum == self);
        f.write_str(known.map_or("", |(name, _)| name))
    }
}

impl Checksum {
    /// The checksum called `name`.
    pub(super) fn named(name: &str) -> Option<Self> {
        let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, checksum)| *checksum)
    }

    /// Bytes of it.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Sysv | Self::Bsd => 2,
            Self::Crc | Self::Crc32b => 4,
        }
    }

    pub(super) fn hasher(self) -> Box<dyn FileHasher> {
        match self {
            Self::Sysv => Box::new(Sysv(0)),
            Self::Bsd => Box::new(Bsd(0)),
            Self::Crc => Box::new(Crc::default()),
            Self::Crc32b => Box::new(Crc32b(crc32fast::Hasher::new())),
        }
    }
}

struct Sysv(u32);

impl FileHasher for Sysv {
    fn update(&mut self, data: &[u8]) {
        // so many bytes at once that their sum fits
        for part in data.chunks(1 << 20) {
            let sum: u32 = part.iter().map(|byte| u32::from(*byte)).sum();
            self.0 = self.0.wrapping_add(sum);
        }
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        let folded = (self.0 & 0xffff) + (self.0 >> 16);
        let sum = (folded & 0xffff) + (folded >> 16);
        Ok((sum as u16).to_be_bytes().into())
    }
}

struct Bsd(u16);

impl FileHasher for Bsd {
    fn update(&mut self, data: &[u8]) {
        let step = |sum: u16, byte: &u8| sum.rotate_right(1).wrapping_add(u16::from(*byte));
        self.0 = data.iter().fold(self.0, step);
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        Ok(self.0.to_be_bytes().into())
    }
}

struct Crc32b(crc32fast::Hasher);

impl FileHasher for Crc32b {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        Ok(self.0.finalize().to_be_bytes().into())
    }
}

/// POSIX's CRC has the polynomial of Ethernet's, but takes the bits of a byte from the other end,
/// starts at zero, and ends with the length. So it is Ethernet's over bytes whose bits are in
/// reversed order, with the bits of the result reversed.
struct Crc {
    reversed: crc32fast::Hasher,
    len: u64,
}

impl Default for Crc {
    fn default() -> Self {
        // Ethernet's CRC is inverted where it starts and where it ends
        Self { reversed: crc32fast::Hasher::new_with_initial(!0), len: 0 }
    }
}

impl Crc {
    fn take(&mut self, data: &[u8]) {
        let mut piece = [0; 4096];
        for part in data.chunks(piece.len()) {
            let piece = &mut piece[..part.len()];
            for (to, from) in piece.iter_mut().zip(part) {
                *to = from.reverse_bits();
            }
            self.reversed.update(piece);
        }
    }
}

impl FileHasher for Crc {
    fn update(&mut self, data: &[u8]) {
        self.len += data.len() as u64;
        self.take(data);
    }

    fn finish(mut self: Box<Self>) -> io::Result<Box<[u8]>> {
        // as many bytes of the length as it has, the lowest first
        let len = self.len.to_le_bytes();
        let used = len.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        self.take(&len[..used]);
        Ok(self.reversed.finalize().reverse_bits().to_be_bytes().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_do_not_depend_on_how_a_file_comes() {
        let data: Vec<u8> = (0..100_000_u32).map(|i| (i % 251) as u8).collect();
        for (name, checksum) in NAMES {
            let sum = |piece: usize| {
                let mut hasher = checksum.hasher();
                data.chunks(piece).for_each(|part| hasher.update(part));
                hasher.finish().unwrap()
            };
            let whole = sum(data.len());
            assert_eq!(whole.len(), checksum.size(), "{name}");
            for piece in [1, 7, 4096, 4097] {
                assert_eq!(sum(piece), whole, "{name} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn the_check_value_of_catalogues_comes_out() {
        // of the digits 1 to 9, as catalogues of CRCs have it for CKSUM without a length
        let mut crc = Crc::default();
        crc.take(b"123456789");
        assert_eq!(crc.reversed.finalize().reverse_bits(), 0x765e_7680);
        let mut crc = Checksum::Crc32b.hasher();
        crc.update(b"123456789");
        assert_eq!(*crc.finish().unwrap(), 0xcbf4_3926_u32.to_be_bytes());
    }
}
