//! Parsing of algorithms' names, and the spellings of other tools.

use alloc::string::String;
use core::{error, fmt, str::FromStr};

use jlanes_tree::{TreeError, merkle, skein};

#[cfg(feature = "blake2")]
use super::blake2::{Blake2, WordSize};
use super::{Algorithm, BaseHash, Fixed, Kind, S3Checksum, Skein, skein::SkeinSize};
use crate::merkle::FsVerity;

/// fs-verity's default block size.
pub(super) const DEFAULT_BLOCK: usize = 4096;

const SKEINS: [(&str, SkeinSize); 3] = [
    ("skein256", SkeinSize::Skein256),
    ("skein512", SkeinSize::Skein512),
    ("skein1024", SkeinSize::Skein1024),
];

/// The error of a string that is not the name of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// The name is unknown.
    Unknown,
    /// A number is missing, has a sign or leading zeros, or is too large.
    Number,
    /// A number of bytes has an unknown unit.
    Unit,
    /// The output is not a positive multiple of 8 bits.
    OutputBits,
    /// The output is longer than [`Algorithm::MAX_OUTPUT`].
    OutputTooLong,
    /// BLAKE2's output is longer than this number of bits.
    LongerThan(usize),
    /// The number of lanes is out of range.
    Lanes(TreeError),
    /// The parameters of Skein's tree are invalid.
    Tree(skein::Error),
    /// The format does not support the size of a block, part or leaf.
    Size(merkle::Error),
    /// S3 has no composite of this checksum.
    NoComposite(S3Checksum),
}

impl fmt::Display for AlgorithmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("unknown algorithm"),
            Self::Number => f.write_str("not a number"),
            Self::Unit => f.write_str("the units of a number of bytes are K, M and G, as in 8M"),
            Self::OutputBits => f.write_str("the output is no positive multiple of 8 bits"),
            Self::OutputTooLong => {
                write!(f, "the output is longer than {} bytes", Algorithm::MAX_OUTPUT)
            }
            Self::LongerThan(bits) => write!(f, "the output is longer than {bits} bits"),
            Self::Lanes(error) => error.fmt(f),
            Self::Tree(error) => error.fmt(f),
            Self::Size(error) => error.fmt(f),
            Self::NoComposite(checksum) => {
                write!(f, "S3 has {checksum} of whole objects, without a size of parts")
            }
        }
    }
}

impl error::Error for AlgorithmError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Unknown
            | Self::Number
            | Self::Unit
            | Self::OutputBits
            | Self::OutputTooLong
            | Self::LongerThan(_)
            | Self::NoComposite(_) => None,
            Self::Lanes(error) => Some(error),
            Self::Tree(error) => Some(error),
            Self::Size(error) => Some(error),
        }
    }
}

type Result<T> = core::result::Result<T, AlgorithmError>;

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(name: &str) -> Result<Self> {
        let mut name: String = name.replace('_', "-");
        name.make_ascii_lowercase();
        // first with its hyphen, because a length may follow it, as in `kangarootwelve-512`
        let kind = kind(&name).or_else(|error| kind(&without_hyphen(&name)).map_err(|_| error));
        kind.map(Self)
    }
}

/// `name` without the hyphen that standards write between a hash's name and its number: `sm-3`,
/// `ripemd-160`.
fn without_hyphen(name: &str) -> String {
    match name.split_once('-') {
        Some((word, number))
            if !word.is_empty()
                && word.bytes().all(|byte| byte.is_ascii_lowercase())
                && number.starts_with(|first: char| first.is_ascii_digit()) =>
        {
            [word, number].concat()
        }
        _ => name.into(),
    }
}

fn kind(name: &str) -> Result<Kind> {
    Ok(match name {
        "mh-sha1" => Kind::MhSha1,
        "mh-sha256" => Kind::MhSha256,
        "btv2" => Kind::BitTorrent,
        "sha256tree" => Kind::Sha256Tree,
        "glacier" => Kind::Glacier,
        "dropbox" => Kind::Dropbox,
        _ => {
            if let Some(lanes_and_hash) = name.strip_prefix("jlanes") {
                lanes(lanes_and_hash)?
            } else if let Some(hash) = name.strip_prefix("jpointers-") {
                let (hash, raw) = hash_and_raw(hash)?;
                Kind::JPointers { hash, raw }
            } else if let Some(hash) = name.strip_prefix("fsverity-") {
                fsverity(hash)?
            } else if let Some(hash) = name.strip_prefix("dmverity-") {
                Kind::DmVerity(one_of(hash, &[Fixed::Sha1, Fixed::Sha256, Fixed::Sha512])?)
            } else if let Some(checksum) = name.strip_prefix("s3-") {
                s3(checksum)?
            } else if let Some(etag) = etag(name) {
                etag?
            } else if let Some(leaf) = name.strip_prefix("rfc6962-sha256:") {
                Kind::Rfc6962 { leaf: size(leaf)? }
            } else if let Some((hash, tree)) = name.split_once("-tree:") {
                Kind::SkeinTree(skein(hash)?, self::tree(tree)?)
            } else if let Some(xof) = xof(name) {
                xof?
            } else {
                #[cfg(feature = "blake3")]
                if let Some(blake3) = super::Blake3::parse(name) {
                    return blake3.map(Kind::Blake3);
                }
                #[cfg(feature = "blake2")]
                if let Some(blake2) = blake2(name) {
                    return blake2.map(Kind::Blake2);
                }
                Kind::Hash(hash(name)?)
            }
        }
    })
}

/// `NAME` or `NAME:PART`.
fn s3(rest: &str) -> Result<Kind> {
    let (name, part) = match rest.split_once(':') {
        Some((name, part)) => (name, Some(part)),
        None => (rest, None),
    };
    let known = S3Checksum::all().find(|checksum| checksum.name() == name);
    let checksum = known.ok_or(AlgorithmError::Unknown)?;
    let part = part.map(size).transpose()?;
    if part.is_some() && !checksum.has_composite() {
        return Err(AlgorithmError::NoComposite(checksum));
    }
    Ok(Kind::S3 { checksum, part })
}

/// `etag:PART`, if the name begins so.
#[cfg(feature = "md5")]
fn etag(name: &str) -> Option<Result<Kind>> {
    let part = name.strip_prefix("etag:")?;
    Some(size(part).map(|part| Kind::ETag { part }))
}

#[cfg(not(feature = "md5"))]
fn etag(_: &str) -> Option<Result<Kind>> {
    None
}

/// The extendable-output functions; `None` for other names.
#[cfg(feature = "sha3")]
fn xof(name: &str) -> Option<Result<Kind>> {
    super::Xof::parse(name).map(|xof| xof.map(Kind::Xof))
}

#[cfg(not(feature = "sha3"))]
fn xof(_: &str) -> Option<Result<Kind>> {
    None
}

/// `J-HASH` with an optional suffix.
fn lanes(rest: &str) -> Result<Kind> {
    let (lanes, rest) = rest.split_once('-').ok_or(AlgorithmError::Unknown)?;
    let lanes: usize = number(lanes)?;
    if !(1..=256).contains(&lanes) {
        return Err(AlgorithmError::Lanes(TreeError::Lanes(lanes)));
    }
    let (hash, raw) = hash_and_raw(rest)?;
    Ok(Kind::JLanes { lanes: lanes as u16, hash, raw })
}

/// `HASH` or `HASH-raw`.
fn hash_and_raw(rest: &str) -> Result<(BaseHash, bool)> {
    match rest.strip_suffix("-raw") {
        Some(name) => Ok((hash(name)?, true)),
        None => Ok((hash(rest)?, false)),
    }
}

fn hash(name: &str) -> Result<BaseHash> {
    match one_of(name, Fixed::ALL) {
        Ok(fixed) => Ok(BaseHash::Fixed(fixed)),
        Err(_) => skein(name).map(BaseHash::Skein),
    }
}

fn one_of(name: &str, hashes: &[Fixed]) -> Result<Fixed> {
    let name = &normalized(name)[..];
    hashes.iter().copied().find(|hash| hash.name() == name).ok_or(AlgorithmError::Unknown)
}

/// Normalizes the spellings `SHA2-256`, `SHA-512/256` and `RMD160` of OpenSSL, NIST and others.
fn normalized(name: &str) -> String {
    let name = without_hyphen(&name.replace('/', "-"));
    match name.strip_prefix("sha2-").filter(|bits| *bits != "1") {
        Some(bits) => alloc::format!("sha{bits}"),
        None if name == "rmd160" => "ripemd160".into(),
        None => name,
    }
}

/// `skein512` or `skein512-BITS`.
fn skein(name: &str) -> Result<Skein> {
    let name = without_hyphen(name);
    let (name, bits) = match name.split_once('-') {
        Some((name, bits)) => (name, Some(bits)),
        None => (&name[..], None),
    };
    let known = SKEINS.iter().find(|(known, _)| *known == name);
    let &(_, size) = known.ok_or(AlgorithmError::Unknown)?;
    let bytes = bits.map_or(Ok(size.state_size()), output_bytes)?;
    Ok(Skein { size, bytes })
}

/// Bytes of an output of `bits` bits.
pub(super) fn output_bytes(bits: &str) -> Result<usize> {
    match number(bits)? {
        0 => Err(AlgorithmError::OutputBits),
        bits if bits % 8 != 0 => Err(AlgorithmError::OutputBits),
        bits if bits / 8 > Algorithm::MAX_OUTPUT => Err(AlgorithmError::OutputTooLong),
        bits => Ok(bits / 8),
    }
}

/// `blake2b` or `blake2b-BITS`; `None` for other names.
#[cfg(feature = "blake2")]
fn blake2(name: &str) -> Option<Result<Blake2>> {
    let word = [WordSize::U32, WordSize::U64].into_iter();
    let (word, suffix) = word.filter_map(|w| Some((w, name.strip_prefix(w.name())?))).next()?;
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let bits = match suffix.strip_prefix('-') {
        None if suffix.is_empty() => Ok(8 * word.max_size()),
        // OpenSSL's `blake2b512`
        None if is_number(suffix) => number(suffix),
        None => return None,
        Some(bits) => number(bits),
    };
    let bits = match bits {
        Ok(bits) => bits,
        Err(error) => return Some(Err(error)),
    };
    Some(match bits / 8 {
        bytes if bits == 0 || 8 * bytes != bits => Err(AlgorithmError::OutputBits),
        bytes if bytes > word.max_size() => Err(AlgorithmError::LongerThan(8 * word.max_size())),
        bytes => Ok(Blake2 { word, bytes }),
    })
}

/// `YL.YF.YM`.
fn tree(text: &str) -> Result<skein::TreeParams> {
    let mut numbers = text
        .split('.')
        .map(|text| number(text).and_then(|n| u8::try_from(n).map_err(|_| AlgorithmError::Number)));
    let mut next = || numbers.next().unwrap_or(Err(AlgorithmError::Number));
    let (yl, yf, ym) = (next()?, next()?, next()?);
    if numbers.next().is_some() {
        return Err(AlgorithmError::Number);
    }
    let tree = skein::TreeParams::new(yl, yf, ym).map_err(AlgorithmError::Tree)?;
    if tree.is_tree() {
        Ok(tree)
    } else {
        Err(AlgorithmError::Tree(skein::Error::Tree { yl, yf, ym }))
    }
}

/// `HASH` or `HASH-BLOCK`.
fn fsverity(rest: &str) -> Result<Kind> {
    let (name, block) = match rest.split_once('-') {
        Some((name, block)) => (name, bytes(block)?),
        None => (rest, DEFAULT_BLOCK),
    };
    let hash = one_of(name, &[Fixed::Sha256, Fixed::Sha512])?;
    FsVerity::sha256(block, &[]).map_err(AlgorithmError::Size)?;
    Ok(Kind::FsVerity { hash, block })
}

/// A size of at least one byte.
pub(super) fn size(text: &str) -> Result<usize> {
    match bytes(text)? {
        0 => Err(AlgorithmError::Size(merkle::Error::ZeroSize)),
        size => Ok(size),
    }
}

/// A number of bytes: `8m` is 8 MiB.
fn bytes(text: &str) -> Result<usize> {
    let unit = text.trim_start_matches(|char: char| char.is_ascii_digit());
    let digits = &text[..text.len() - unit.len()];
    let bits = match unit {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        _ if digits.is_empty() => return Err(AlgorithmError::Number),
        _ => return Err(AlgorithmError::Unit),
    };
    number(digits)?.checked_mul(1 << bits).ok_or(AlgorithmError::Number)
}

/// A number in its canonical spelling, so that an algorithm has few names.
fn number(text: &str) -> Result<usize> {
    let spelled = text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'));
    if spelled {
        text.parse().map_err(|_| AlgorithmError::Number)
    } else {
        Err(AlgorithmError::Number)
    }
}
