//! Places of objects: paths, and keys in buckets. A place is parsed once. Manifests name it by its URL,
//! from which exactly the same bytes come back.

use std::{
    fmt, io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use jlanes_files::system;
use percent_encoding::{
    AsciiSet, CONTROLS, percent_decode_str, percent_encode, utf8_percent_encode,
};

use crate::{meta::Meta, s3::Bucket};

/// An object, or a place that could not be listed.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) url: String,
    pub(crate) meta: Meta,
    pub(crate) at: Result<At, String>,
}

/// How an object is read.
#[derive(Clone, Debug)]
pub(crate) enum At {
    File(PathBuf),
    /// A file that the user named, which may be a pipe or a device.
    Named(PathBuf),
    Store(Stored),
}

/// An object of a store.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) bucket: Arc<Bucket>,
    pub(crate) key: String,
    /// The size, if known. It only decides how the object is requested.
    pub(crate) size: Option<u64>,
}

/// The place of an object; as a location, also of all objects below it, or of all keys with its prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path(PathBuf),
    Key { bucket: String, key: String },
}

/// The characters that the URL of a key escapes: those of a path in the URL standard.
const KEY: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`')
    .add(b'{')
    .add(b'}');

/// The characters that the URL of a path escapes. In the URL standard, `\` separates directories, too.
const PATH: &AsciiSet = &KEY.add(b'\\');

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => {
                write!(f, "file://{}", percent_encode(&system::bytes(path.as_os_str()), PATH))
            }
            Self::Key { bucket, key } => {
                write!(f, "s3://{bucket}/{}", utf8_percent_encode(key, KEY))
            }
        }
    }
}

impl Place {
    /// The place of a URL, percent-decoded. Neither `?` nor `..` has a meaning. `None` if the text is
    /// not a URL.
    pub(crate) fn of_url(url: &str) -> Option<Result<Self, String>> {
        let (scheme, rest) = url.split_once("://")?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        Some(match (&*scheme.to_ascii_lowercase(), host) {
            ("file", "" | "localhost") if !path.is_empty() => {
                let bytes: Vec<u8> = percent_decode_str(path).collect();
                Ok(Self::Path(system::path(&bytes).into()))
            }
            ("file", _) => Err("not a path on this machine".into()),
            ("s3", "") => Err("it has no bucket".into()),
            ("s3", bucket) if !is_bucket(bucket.as_bytes()) => {
                Err(format!("'{bucket}' is no name of a bucket"))
            }
            ("s3", bucket) => {
                let key = percent_decode_str(path.strip_prefix('/').unwrap_or(path)).decode_utf8();
                key.map(|key| Self::Key { bucket: bucket.into(), key: key.into() })
                    .map_err(|_| "a key is UTF-8, and its '%' is written '%25'".into())
            }
            (scheme, _) => Err(format!("objects of {scheme}:// are not read")),
        })
    }

    /// The location that a user names: a URL, or else a path, which becomes absolute.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let place = match Self::of_url(text).unwrap_or_else(|| Ok(Self::Path(text.into()))) {
            Ok(Self::Path(path)) => resolved(&path).map(Self::Path).map_err(|it| it.to_string()),
            place => place,
        };
        place.map_err(|reason| format!("'{text}': {reason}"))
    }

    /// Whether it is a part of a bucket, which exists only while it has objects.
    pub(crate) fn is_prefix(&self) -> bool {
        matches!(self, Self::Key { key, .. } if !key.is_empty())
    }
}

/// Whether a name can be that of a bucket, so that no other part of a URL passes for it.
fn is_bucket(name: &[u8]) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b".-_".contains(byte);
    is_end(name.first()) && is_end(name.last()) && name.iter().all(is_inner)
}

/// An absolute path without `..`. The part before the last `..` is resolved, because it may be a link.
/// Programs that read URLs would take `..` for the directory above in the text.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let parts: Vec<_> = path.components().collect();
    let up = parts.iter().rposition(|part| *part == Component::ParentDir).map_or(0, |at| at + 1);
    let (above, below) = parts.split_at(up);
    let mut path: PathBuf = above.iter().collect();
    if up > 0 {
        path = path.canonicalize()?;
    }
    path.extend(below);
    Ok(path)
}
