//! [`Document`], the description of an object by `aws s3api`, read strictly: whatever could be meant otherwise
//! is an error.
//!
//! ```text
//! head-object           = { "ContentLength": number, checksums, .. }
//! get-object-attributes = { "ObjectSize": number, "Checksum": { checksums }, "ObjectParts": parts, .. }
//! checksums             = "ChecksumNAME": base64, .., "ChecksumType": "COMPOSITE" / "FULL_OBJECT"
//! parts                 = { "TotalPartsCount": number, "Parts": [ { "PartNumber": number,
//!                           "Size": number, "ChecksumNAME": base64, .. }, .. ], .. }
//! ```

use std::{error::Error, fmt};

use base64ct::{Base64, Encoding as _};
use jlanes::algorithm::S3Checksum;
use serde_json::{Map, Value};

use super::combined;
use crate::lists::{MAX_PARTS, json_object};

/// The error of a text that is no document, or a contradictory one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentError {
    /// It is not a single JSON object, or an object has a key twice.
    Json,
    /// The value of this key has another type, or is out of range.
    Value(String),
    /// The value of this key is not the base64 of such a checksum.
    Checksum(String),
    /// The values of this key and of others contradict each other.
    Contradiction(String),
    /// It describes a part or a range of the object: the length is not the object's.
    Partial,
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json => f.write_str("not one JSON object with different keys"),
            Self::Value(key) => write!(f, "the value of {key} is none that S3 has"),
            Self::Checksum(key) => write!(f, "the value of {key} is no such checksum in base64"),
            Self::Contradiction(key) => write!(f, "{key} contradicts other values"),
            Self::Partial => f.write_str("of a part or range of the object, not of all of it"),
        }
    }
}

impl Error for DocumentError {}

/// The length and the checksums of an object, as S3 has them.
///
/// ```
/// use jlanes_files::{Engine, s3::{Document, Verdict}};
///
/// let text = r#"{"ContentLength": 9, "ChecksumCRC32": "y/Q5Jg==", "ChecksumType": "FULL_OBJECT"}"#;
/// let found = Document::parse(text.as_bytes())?.verify(&Engine::new(), &b"123456789"[..], None, &[])?;
/// assert_eq!(found.verdict(), Verdict::Ok);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub(super) size: Option<u64>,
    pub(super) sums: Vec<ObjectSum>,
    /// The parts, if all are listed.
    pub(super) parts: Vec<Part>,
    unknown: Vec<String>,
}

/// A checksum of the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ObjectSum {
    pub(super) checksum: S3Checksum,
    pub(super) digest: Vec<u8>,
    pub(super) coverage: Coverage,
}

/// The bytes that a checksum was computed of: the object's, or the checksums of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    Whole,
    /// The checksums of the parts, and their number if it is known.
    Parts(Option<u64>),
}

/// A part of the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) size: u64,
    pub(super) sums: Vec<(S3Checksum, Vec<u8>)>,
}

/// The checksums among an object's members.
#[derive(Default)]
struct ChecksumMembers {
    /// Each checksum with its bytes and, if its value ends in one, the number of parts.
    sums: Vec<(S3Checksum, Vec<u8>, Option<u64>)>,
    /// Whether they are composites, if there is a type.
    is_composite: Option<bool>,
    unknown: Vec<String>,
}

impl Document {
    /// Parses what `aws s3api head-object --checksum-mode ENABLED` or `get-object-attributes` prints.
    ///
    /// # Errors
    /// If it is no such document, or may mean more than one thing.
    pub fn parse(text: &[u8]) -> Result<Self, DocumentError> {
        let document = json_object(text).ok_or(DocumentError::Json)?;
        if document.contains_key("PartsCount") || document.contains_key("ContentRange") {
            return Err(DocumentError::Partial);
        }
        let mut members = ChecksumMembers::of(&document)?;
        if let Some(inner) = optional(&document, "Checksum", Value::as_object)? {
            let is_empty = members.sums.is_empty() && members.is_composite.is_none();
            if !is_empty || !members.unknown.is_empty() {
                return Err(DocumentError::Contradiction("Checksum".into()));
            }
            members = ChecksumMembers::of(inner)?;
        }
        let (size, length) =
            (number(&document, "ObjectSize")?, number(&document, "ContentLength")?);
        if size.is_some() && length.is_some_and(|length| Some(length) != size) {
            return Err(DocumentError::Contradiction("ContentLength".into()));
        }
        let listed = optional(&document, "ObjectParts", Value::as_object)?;
        let (count, parts) = listed.map_or(Ok((None, Vec::new())), listed_parts)?;
        let has_parts = listed.is_some_and(|listed| !listed.is_empty());
        let is_composite = members.is_composite;
        let sum = |(checksum, digest, suffix): (S3Checksum, Vec<u8>, Option<u64>)| {
            // before December 2024 there was neither a type nor CRC64NVME
            let guessed = || has_parts && checksum.has_composite();
            let coverage = match suffix.is_some() || is_composite.unwrap_or_else(guessed) {
                false => Coverage::Whole,
                true if !checksum.has_composite() => {
                    return Err(DocumentError::Contradiction(key(checksum)));
                }
                true if suffix.is_some() && is_composite == Some(false) => {
                    return Err(DocumentError::Contradiction(key(checksum)));
                }
                true if suffix.is_some() && count.is_some() && suffix != count => {
                    return Err(DocumentError::Contradiction(key(checksum)));
                }
                true => Coverage::Parts(suffix.or(count)),
            };
            Ok(ObjectSum { checksum, digest, coverage })
        };
        let sums = members.sums.into_iter().map(sum).collect::<Result<_, _>>()?;
        let document = Self { size: size.or(length), sums, parts, unknown: members.unknown };
        match document.contradiction() {
            Some(key) => Err(DocumentError::Contradiction(key)),
            None => Ok(document),
        }
    }

    /// The key of a value that the listed parts do not add up to.
    fn contradiction(&self) -> Option<String> {
        let Self { size, sums, parts, .. } = self;
        let total = parts.iter().try_fold(0_u64, |total, part| total.checked_add(part.size));
        if !parts.is_empty() && (total.is_none() || size.is_some_and(|size| total != Some(size))) {
            return Some("Parts".into());
        }
        let is_other = |sum: &&ObjectSum| {
            let crcs = parts.iter().map(|part| {
                let mut sums = part.sums.iter();
                Some((&sums.find(|(checksum, _)| *checksum == sum.checksum)?.1, part.size))
            });
            let crcs: Option<Vec<_>> = crcs.collect();
            let all = crcs.filter(|_| sum.coverage == Coverage::Whole && !parts.is_empty());
            all.and_then(|all| combined(sum.checksum, all).ok())
                .is_some_and(|all| *all != *sum.digest)
        };
        sums.iter().find(is_other).map(|sum| key(sum.checksum))
    }

    /// The bytes of the object, if the document has them.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The checksums of the object.
    pub fn checksums(&self) -> impl Iterator<Item = S3Checksum> {
        self.sums.iter().map(|sum| sum.checksum)
    }

    /// The keys of checksums that are unknown here: nothing is compared with them.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }
}

impl ChecksumMembers {
    fn of(object: &Map<String, Value>) -> Result<Self, DocumentError> {
        let mut members = Self::default();
        for (key, value) in object {
            let Some(name) = key.strip_prefix("Checksum").filter(|name| !name.is_empty()) else {
                continue;
            };
            let text = value.as_str().ok_or_else(|| DocumentError::Value(key.clone()))?;
            if name == "Type" {
                members.is_composite = Some(match text {
                    "COMPOSITE" => true,
                    "FULL_OBJECT" => false,
                    _ => return Err(DocumentError::Value(key.clone())),
                });
            } else if let Some(checksum) = S3Checksum::all().find(|it| self::key(*it) == *key) {
                let (digest, count) =
                    value_of(checksum, text).ok_or_else(|| DocumentError::Checksum(key.clone()))?;
                members.sums.push((checksum, digest, count));
            } else {
                members.unknown.push(key.clone());
            }
        }
        Ok(members)
    }
}

/// The key of a checksum.
pub(super) fn key(checksum: S3Checksum) -> String {
    format!("Checksum{}", checksum.name().to_ascii_uppercase())
}

/// The bytes of a checksum, and the number of parts behind it.
fn value_of(checksum: S3Checksum, text: &str) -> Option<(Vec<u8>, Option<u64>)> {
    let (text, count) = match text.split_once('-') {
        None => (text, None),
        Some((text, digits)) => {
            let is_count =
                |count: &u64| (1..=MAX_PARTS).contains(count) && count.to_string() == digits;
            (text, Some(digits.parse().ok().filter(is_count)?))
        }
    };
    let digest = Base64::decode_vec(text).ok()?;
    (digest.len() == checksum.output_size()).then_some((digest, count))
}

/// The number of parts, and all parts; none if some are on another page.
fn listed_parts(object: &Map<String, Value>) -> Result<(Option<u64>, Vec<Part>), DocumentError> {
    let total = number(object, "TotalPartsCount")?;
    if total.is_some_and(|total| !(1..=MAX_PARTS).contains(&total)) {
        return Err(DocumentError::Value("TotalPartsCount".into()));
    }
    let Some(listed) = optional(object, "Parts", Value::as_array)? else {
        return Ok((total, Vec::new()));
    };
    let (mut parts, mut last) = (Vec::new(), 0);
    for part in listed {
        let part = part.as_object().ok_or_else(|| DocumentError::Value("Parts".into()))?;
        let required =
            |key: &str| number(part, key)?.ok_or_else(|| DocumentError::Value(key.into()));
        let (number, size) = (required("PartNumber")?, required("Size")?);
        // numbers may be left out
        if number <= last || number > MAX_PARTS {
            return Err(DocumentError::Value("PartNumber".into()));
        }
        last = number;
        let sums =
            ChecksumMembers::of(part)?.sums.into_iter().map(
                |(checksum, digest, count)| match count {
                    None => Ok((checksum, digest)),
                    Some(_) => Err(DocumentError::Checksum(key(checksum))),
                },
            );
        parts.push(Part { size, sums: sums.collect::<Result<_, _>>()? });
    }
    match total {
        Some(total) if total < parts.len() as u64 => {
            Err(DocumentError::Contradiction("Parts".into()))
        }
        Some(total) if total > parts.len() as u64 => Ok((Some(total), Vec::new())),
        _ if parts.is_empty() => Ok((None, parts)),
        _ => Ok((Some(parts.len() as u64), parts)),
    }
}

/// A number, if there is one.
fn number(object: &Map<String, Value>, key: &str) -> Result<Option<u64>, DocumentError> {
    optional(object, key, Value::as_u64)
}

/// The value of `key` as `get` returns it, if there is one.
fn optional<'v, T>(
    object: &'v Map<String, Value>,
    key: &str,
    get: impl Fn(&'v Value) -> Option<T>,
) -> Result<Option<T>, DocumentError> {
    let value = object.get(key);
    value.map(|value| get(value).ok_or_else(|| DocumentError::Value(key.into()))).transpose()
}
