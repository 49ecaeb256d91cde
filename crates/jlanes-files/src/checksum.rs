//! Checksums that detect errors: those of `cksum` and `sum`, and those of storage systems.

use std::{fmt, hash::Hasher, io};

use crc_fast::CrcAlgorithm;
use jlanes::algorithm::{S3Checksum, Strength};
use twox_hash::{xxhash3_64, xxhash3_128, xxhash32, xxhash64};

use crate::FileHasher;

/// Defines the enum of checksums, with the name, size and documentation of each.
macro_rules! checksums {
    ($(#[$attribute:meta])* pub enum $type:ident {
        $($name:ident: $spec:literal, $bytes:literal, $doc:literal;)*
    }) => {
        $(#[$attribute])*
        pub enum $type {
            $(
                #[doc = $doc]
                $name,
            )*
        }

        impl $type {
            /// All checksums, GNU cksum's first and in its order.
            pub fn all() -> impl Iterator<Item = Self> {
                [$(Self::$name),*].into_iter()
            }

            /// Bytes of the checksum.
            #[must_use]
            pub fn output_size(self) -> usize {
                match self {
                    $(Self::$name => $bytes,)*
                }
            }

            fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $spec,)*
                }
            }
        }
    };
}
checksums! {
    /// A checksum of `cksum` and `sum`, or of a storage system.
    ///
    /// It detects errors. It is not a hash: anybody can make a file with a given checksum. The most
    /// significant byte comes first.
    ///
    /// ```
    /// use jlanes_files::{Checksum, Engine, Input};
    ///
    /// let crc64nvme = Checksum::named("crc64nvme").expect("S3's usual checksum");
    /// Engine::new().digests([crc64nvme], [Input::from("Cargo.toml")], |file| {
    ///     assert_eq!(file.digests?[0].len(), crc64nvme.output_size());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Checksum {
        Sysv: "sysv", 2, "System V's sum of bytes.";
        Bsd: "bsd", 2, "BSD's rotating sum.";
        Crc: "crc", 4, "POSIX's CRC, the default of `cksum`.";
        Crc32b: "crc32b", 4, "The CRC of Ethernet, gzip and PNG.";
        Crc32: "crc32", 4, "The same CRC in lists, such as SFV.";
        Crc32c: "crc32c", 4, "Castagnoli's CRC, of iSCSI, ext4 and S3.";
        Crc64Nvme: "crc64nvme", 8, "The CRC of NVMe, and S3's usual checksum.";
        Xxh32: "xxh32", 4, "xxHash with 32 bits.";
        Xxh64: "xxh64", 8, "xxHash with 64 bits.";
        Xxh3: "xxh3-64", 8, "XXH3 with 64 bits.";
        Xxh128: "xxh128", 16, "XXH3 with 128 bits.";
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Checksum {
    /// The checksum called `name`, in upper or lower case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let other = [("xxh3", Self::Xxh3), ("xxh3-128", Self::Xxh128)].into_iter();
        let mut names = Self::all().map(|checksum| (checksum.name(), checksum)).chain(other);
        names.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, checksum)| checksum)
    }

    /// The same checksum in this crate; `None` if S3's is a hash of the library, and no checksum.
    pub(crate) fn of_s3(checksum: S3Checksum) -> Option<Self> {
        match checksum {
            S3Checksum::Crc32 => Some(Self::Crc32),
            S3Checksum::Crc32c => Some(Self::Crc32c),
            S3Checksum::Crc64Nvme => Some(Self::Crc64Nvme),
            S3Checksum::XxHash64 => Some(Self::Xxh64),
            S3Checksum::XxHash3 => Some(Self::Xxh3),
            S3Checksum::XxHash128 => Some(Self::Xxh128),
            _ => None,
        }
    }

    /// No strength: see [`Strength::Checksum`].
    #[must_use]
    pub fn strength(self) -> Strength {
        Strength::Checksum
    }

    /// Whether lists contain it like a digest, in hexadecimal and with a tag. The lines of `cksum` and
    /// `sum` have other formats, and are not checked.
    #[must_use]
    pub fn is_listed(self) -> bool {
        !matches!(self, Self::Sysv | Self::Bsd | Self::Crc | Self::Crc32b)
    }
}

impl Checksum {
    /// A hasher for one file.
    pub(crate) fn hasher(self) -> Box<dyn FileHasher> {
        match self {
            Self::Sysv => self.sum(0, sysv, |sum: u32| {
                let folded = (sum & 0xffff) + (sum >> 16);
                ((folded & 0xffff) + (folded >> 16)).into()
            }),
            Self::Bsd => self.sum(0, bsd, u16::into),
            Self::Crc => self.sum(crc_fast::Digest::new(CrcAlgorithm::Crc32Cksum), crc, cksum),
            Self::Crc32b | Self::Crc32 => self.crc(CrcAlgorithm::Crc32IsoHdlc),
            Self::Crc32c => self.crc(CrcAlgorithm::Crc32Iscsi),
            Self::Crc64Nvme => self.crc(CrcAlgorithm::Crc64Nvme),
            Self::Xxh32 => self.xxh(xxhash32::Hasher::default()),
            Self::Xxh64 => self.xxh(xxhash64::Hasher::default()),
            Self::Xxh3 => self.xxh(xxhash3_64::Hasher::new()),
            Self::Xxh128 => {
                self.sum(xxhash3_128::Hasher::new(), xxhash3_128::Hasher::write, |sum| {
                    sum.finish_128()
                })
            }
        }
    }

    /// A hasher that adds data with `update` and ends with the checksum in the lowest bytes of
    /// `finish`.
    fn sum<H: Send + 'static>(
        self,
        state: H,
        update: fn(&mut H, &[u8]),
        finish: fn(H) -> u128,
    ) -> Box<dyn FileHasher> {
        Box::new(ChecksumHasher { state, update, finish, size: self.output_size() })
    }

    fn crc(self, algorithm: CrcAlgorithm) -> Box<dyn FileHasher> {
        self.sum(crc_fast::Digest::new(algorithm), crc, |digest| digest.finalize().into())
    }

    fn xxh(self, hasher: impl Hasher + Send + 'static) -> Box<dyn FileHasher> {
        self.sum(hasher, Hasher::write, |hasher| hasher.finish().into())
    }
}

/// The computation of a checksum.
struct ChecksumHasher<H> {
    state: H,
    update: fn(&mut H, &[u8]),
    finish: fn(H) -> u128,
    size: usize,
}

impl<H: Send> FileHasher for ChecksumHasher<H> {
    fn update(&mut self, data: &[u8]) {
        (self.update)(&mut self.state, data);
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        let bytes = (self.finish)(self.state).to_be_bytes();
        Ok(bytes[bytes.len() - self.size..].into())
    }
}

fn sysv(sum: &mut u32, data: &[u8]) {
    // the sum of a mebibyte fits in 32 bits
    for part in data.chunks(1 << 20) {
        *sum = sum.wrapping_add(part.iter().map(|byte| u32::from(*byte)).sum());
    }
}

fn bsd(sum: &mut u16, data: &[u8]) {
    let step = |sum: u16, byte: &u8| sum.rotate_right(1).wrapping_add(u16::from(*byte));
    *sum = data.iter().fold(*sum, step);
}

fn crc(digest: &mut crc_fast::Digest, data: &[u8]) {
    digest.update(data);
}

/// Appends the length to POSIX's CRC: its bytes without leading zeros, the lowest first.
fn cksum(mut digest: crc_fast::Digest) -> u128 {
    let len = digest.get_amount().to_le_bytes();
    let used = len.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    digest.update(&len[..used]);
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_one_checksum() {
        for checksum in Checksum::all() {
            assert_eq!(Checksum::named(&checksum.to_string()), Some(checksum));
        }
        assert_eq!(Checksum::named("XXH3"), Some(Checksum::Xxh3));
        assert_eq!(Checksum::named("xxh"), None);
    }

    #[test]
    fn checksums_do_not_depend_on_how_a_file_comes() {
        let data: Vec<u8> = (0..100_000_u32).map(|i| (i % 251) as u8).collect();
        for checksum in Checksum::all() {
            let sum = |piece: usize| {
                let mut hasher = checksum.hasher();
                data.chunks(piece).for_each(|part| hasher.update(part));
                hasher.finish().unwrap()
            };
            let whole = sum(data.len());
            assert_eq!(whole.len(), checksum.output_size(), "{checksum}");
            for piece in [1, 7, 4096, 4097] {
                assert_eq!(sum(piece), whole, "{checksum} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn the_check_value_of_catalogues_comes_out() {
        // of the digits 1 to 9; GNU's `cksum` also adds the length
        for (checksum, expected) in [
            (Checksum::Crc, "377a6011"),
            (Checksum::Crc32b, "cbf43926"),
            (Checksum::Crc32, "cbf43926"),
            (Checksum::Crc32c, "e3069283"),
            (Checksum::Crc64Nvme, "ae8b14860a799888"),
        ] {
            let mut crc = checksum.hasher();
            crc.update(b"123456789");
            assert_eq!(hex::encode(crc.finish().unwrap()), expected, "{checksum}");
        }
    }

    #[test]
    fn xxhash_has_the_answers_of_its_own_tests() {
        // of the empty message, as in tests/sanity_test_vectors.h of xxHash 0.8
        let none = |checksum: Checksum| hex::encode(checksum.hasher().finish().unwrap());
        assert_eq!(none(Checksum::Xxh32), "02cc5d05");
        assert_eq!(none(Checksum::Xxh64), "ef46db3751d8e999");
        assert_eq!(none(Checksum::Xxh3), "2d06800538d394c2");
        assert_eq!(none(Checksum::Xxh128), "99aa06d3014798d86001c324468d497f");
    }
}
