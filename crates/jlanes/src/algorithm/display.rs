//! The text of an [`Algorithm`]: its name, and its tag in lists of digests.

use alloc::string::{String, ToString};
use core::fmt;

use super::{Algorithm, Kind, parse};

impl Algorithm {
    /// The name in lists of digests, `SHA256 (FILE) = ...`. It is in capitals except for BLAKE2's
    /// last letter, and fs-verity's includes the block size. It parses to the algorithm.
    ///
    /// ```
    /// use jlanes::Algorithm;
    ///
    /// let algorithm: Algorithm = "fsverity-sha256".parse()?;
    /// assert_eq!(algorithm.tag(), "FSVERITY-SHA256-4096");
    /// assert_eq!(algorithm.tag().parse(), Ok(algorithm));
    /// # Ok::<(), jlanes::AlgorithmError>(())
    /// ```
    #[must_use]
    pub fn tag(self) -> String {
        let mut tag = self.to_string();
        if let Kind::FsVerity { hash, block } = self.0 {
            tag = alloc::format!("fsverity-{hash}-{block}");
        }
        tag.make_ascii_uppercase();
        #[cfg(feature = "blake2")]
        if let Kind::Blake2(_) = self.0 {
            tag = tag.replacen("2B", "2b", 1).replacen("2S", "2s", 1);
        }
        tag
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = |raw| if raw { "-raw" } else { "" };
        match self.0 {
            Kind::Hash(hash) => hash.fmt(f),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => blake2.fmt(f),
            #[cfg(feature = "blake3")]
            Kind::Blake3(blake3) => blake3.fmt(f),
            Kind::SkeinTree(skein, tree) => {
                skein.fmt(f)?;
                write!(f, "-tree:{}.{}.{}", tree.yl(), tree.yf(), tree.ym())
            }
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => xof.fmt(f),
            Kind::JLanes { lanes, hash, raw } => write!(f, "jlanes{lanes}-{hash}{}", profile(raw)),
            Kind::JPointers { hash, raw } => write!(f, "jpointers-{hash}{}", profile(raw)),
            Kind::MhSha1 => f.write_str("mh-sha1"),
            Kind::MhSha256 => f.write_str("mh-sha256"),
            Kind::BitTorrent => f.write_str("btv2"),
            Kind::FsVerity { hash, block: parse::BLOCK } => write!(f, "fsverity-{hash}"),
            Kind::FsVerity { hash, block } => write!(f, "fsverity-{hash}-{block}"),
            Kind::DmVerity(hash) => write!(f, "dmverity-{hash}"),
            Kind::Sha256Tree => f.write_str("sha256tree"),
            Kind::Glacier => f.write_str("glacier"),
            Kind::S3 { part } => write!(f, "s3-sha256:{part}"),
            #[cfg(feature = "md5")]
            Kind::ETag { part } => write!(f, "etag:{part}"),
            Kind::Dropbox => f.write_str("dropbox"),
            Kind::Rfc6962 { leaf } => write!(f, "rfc6962-sha256:{leaf}"),
        }
    }
}
