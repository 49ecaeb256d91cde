//! [`S3Checksum`], the checksums that S3 stores with objects: one table of names and sizes.
//!
//! The hashes among them run on the lanes. The CRCs and xxHash are names and sizes in this crate;
//! `jlanes-files` computes them, with its feature `checksums`.

use core::fmt;

use super::{Fixed, Kind};

/// Defines the enum, with the name, size and documentation of each checksum.
macro_rules! s3_checksums {
    ($($(#[$feature:meta])? $name:ident: $spec:literal, $bytes:literal, $doc:literal;)*) => {
        /// A checksum that S3 stores with an object.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum S3Checksum {
            $(
                $(#[$feature])?
                #[doc = $doc]
                $name,
            )*
        }

        impl S3Checksum {
            /// All checksums.
            pub fn all() -> impl Iterator<Item = Self> {
                [$($(#[$feature])? Self::$name),*].into_iter()
            }

            /// Bytes of the checksum.
            #[must_use]
            pub fn output_size(self) -> usize {
                match self {
                    $($(#[$feature])? Self::$name => $bytes,)*
                }
            }

            /// The name in headers and algorithms, in small letters; S3's JSON has it in capitals.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(#[$feature])? Self::$name => $spec,)*
                }
            }
        }
    };
}
s3_checksums! {
    Crc32: "crc32", 4, "The CRC of Ethernet, gzip and PNG.";
    Crc32c: "crc32c", 4, "Castagnoli's CRC.";
    Crc64Nvme: "crc64nvme", 8, "The CRC of NVMe, which S3 itself chooses. It has no composite.";
    Sha1: "sha1", 20, "SHA-1.";
    Sha256: "sha256", 32, "SHA-256.";
    Sha512: "sha512", 64, "SHA-512.";
    #[cfg(feature = "md5")]
    Md5: "md5", 16, "MD5.";
    XxHash64: "xxhash64", 8, "xxHash with 64 bits.";
    XxHash3: "xxhash3", 8, "XXH3 with 64 bits.";
    XxHash128: "xxhash128", 16, "XXH3 with 128 bits.";
}

impl fmt::Display for S3Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl S3Checksum {
    /// The hash, if it is one.
    #[must_use]
    pub fn hash(self) -> Option<Fixed> {
        match self {
            Self::Sha1 => Some(Fixed::Sha1),
            Self::Sha256 => Some(Fixed::Sha256),
            Self::Sha512 => Some(Fixed::Sha512),
            #[cfg(feature = "md5")]
            Self::Md5 => Some(Fixed::Md5),
            Self::Crc32
            | Self::Crc32c
            | Self::Crc64Nvme
            | Self::XxHash64
            | Self::XxHash3
            | Self::XxHash128 => None,
        }
    }

    /// Whether S3 has a checksum of the parts' checksums: all but CRC64NVME, which is always of the whole
    /// object.
    #[must_use]
    pub fn has_composite(self) -> bool {
        self != Self::Crc64Nvme
    }
}

impl Kind {
    /// The hash of whole objects, if that is S3's checksum.
    pub(super) fn s3_hash(self) -> Option<Fixed> {
        match self {
            Self::S3 { checksum, part: None } => checksum.hash(),
            _ => None,
        }
    }
}
