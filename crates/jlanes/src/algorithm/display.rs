//! The text of an [`Algorithm`]: its name, and its tag in lists of digests.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;

use super::{Algorithm, AnyHash, Key, Kind, parameters::Values, parse};
use crate::merkle::Version;

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
            tag = format!("fsverity-{hash}-{block}");
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
        let suffix = |raw| if raw { "-raw" } else { "" };
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
            Kind::JLanes { lanes, hash, raw } => write!(f, "jlanes{lanes}-{hash}{}", suffix(raw)),
            Kind::JPointers { hash, raw } => write!(f, "jpointers-{hash}{}", suffix(raw)),
            Kind::MhSha1 => f.write_str("mh-sha1"),
            Kind::MhSha256 => f.write_str("mh-sha256"),
            Kind::BitTorrent => f.write_str("btv2"),
            Kind::FsVerity { hash, block: parse::DEFAULT_BLOCK } => write!(f, "fsverity-{hash}"),
            Kind::FsVerity { hash, block } => write!(f, "fsverity-{hash}-{block}"),
            Kind::DmVerity(hash) => write!(f, "dmverity-{hash}"),
            Kind::Sha256Tree => f.write_str("sha256tree"),
            Kind::Glacier => f.write_str("glacier"),
            Kind::S3 { checksum, part: None } => write!(f, "s3-{checksum}"),
            Kind::S3 { checksum, part: Some(part) } => write!(f, "s3-{checksum}:{part}"),
            #[cfg(feature = "md5")]
            Kind::ETag { part } => write!(f, "etag:{part}"),
            Kind::Dropbox => f.write_str("dropbox"),
            Kind::Rfc6962 { leaf } => write!(f, "rfc6962-sha256:{leaf}"),
        }
    }
}

/// The name with everything that the digest depends on, except the key: `fsverity-sha256+salt=61626364`,
/// and `hmac-` where there is a key for HMAC, or `mac-` where it is the algorithm's own.
impl fmt::Display for AnyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", prefix(self.key()), self.algorithm(), self.values())
    }
}

impl AnyHash {
    /// [`Algorithm::tag`], with everything that the digest depends on, except the key.
    #[must_use]
    pub fn tag(&self) -> String {
        let [mut prefix, mut values] = [prefix(self.key()).to_string(), self.values().to_string()];
        prefix.make_ascii_uppercase();
        values.make_ascii_uppercase();
        format!("{prefix}{}{values}", self.algorithm().tag())
    }
}

/// Text before an algorithm's name.
fn prefix(key: Option<&Key>) -> &'static str {
    match key {
        Some(Key::Hmac(_)) => "hmac-",
        Some(Key::Own(_)) => "mac-",
        None => "",
    }
}

/// Text behind an algorithm's name: all values except the key and whether it is a leaf.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |f: &mut fmt::Formatter<'_>, name: &str, value: Option<u64>| {
            value.map_or(Ok(()), |value| write!(f, "+{name}={value}"))
        };
        let hex = |f: &mut fmt::Formatter<'_>, name: &str, value: Option<&[u8]>| {
            let Some(value) = value else { return Ok(()) };
            write!(f, "+{name}=")?;
            value.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
        };
        number(f, "block", self.block_size.map(|size| size as u64))?;
        number(f, "hash-block", self.hash_block_size.map(|size| size as u64))?;
        hex(f, "salt", self.salt.as_deref())?;
        if self.version == Some(Version::V0) {
            f.write_str("+format=0")?;
        }
        if self.memory_order {
            f.write_str("+isal-memory-order")?;
        }
        hex(f, "personalization", self.personalization.as_deref())?;
        hex(f, "public-key", self.public_key.as_deref())?;
        hex(f, "key-id", self.key_id.as_deref())?;
        hex(f, "nonce", self.nonce.as_deref())?;
        hex(f, "customization", self.customization.as_deref())?;
        hex(f, "context", self.context.as_deref().map(str::as_bytes))?;
        number(f, "seek", self.seek)
    }
}
