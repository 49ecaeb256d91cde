//! Places of objects: a path, or a key in a bucket. A place is parsed once; its URL is its name in
//! manifests, from which exactly the same bytes come back.

use std::{
    collections::HashMap,
    fmt, io,
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use jlanes_files::system;
use percent_encoding::{
    AsciiSet, CONTROLS, percent_decode_str, percent_encode, utf8_percent_encode,
};
use tokio::sync::mpsc;

use crate::{
    files,
    s3::{Bucket, Failure},
};

/// The metadata of an object before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) size: Option<u64>,
    /// Milliseconds since 1970.
    pub(crate) mtime: Option<i64>,
    pub(crate) etag: Option<String>,
    pub(crate) version: Option<String>,
}

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
    Store(Stored),
}

/// An object of a store.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) bucket: Arc<Bucket>,
    pub(crate) key: String,
    /// If known; it decides only how the object is requested.
    pub(crate) size: Option<u64>,
}

/// How the listing of a location ended. Only after a complete one, objects that are not in it are
/// no longer there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Listing {
    /// With the number of objects.
    Complete(u64),
    Incomplete(String),
}

/// An object; as a location, also everything below it, or all keys with a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path(PathBuf),
    Key { bucket: String, key: String },
}

/// Characters that are escaped in the URL of a key, as the URL standard does it in a path.
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

/// Characters that are escaped in the URL of a path: to the URL standard, `\` separates, too.
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
    /// The place of a URL: its bytes after percent-decoding, in which nothing has a meaning any
    /// more, neither `?` nor `..`. `None` if it is no URL.
    fn of_url(url: &str) -> Option<Result<Self, String>> {
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

    /// The location that a user names: a URL, otherwise a path, which is made absolute.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let place = match Self::of_url(text).unwrap_or_else(|| Ok(Self::Path(text.into()))) {
            Ok(Self::Path(path)) => resolved(&path).map(Self::Path).map_err(|it| it.to_string()),
            place => place,
        };
        place.map_err(|reason| format!("'{text}': {reason}"))
    }

    /// Whether it is a part of a bucket, which exists only as long as there are objects.
    pub(crate) fn is_prefix(&self) -> bool {
        matches!(self, Self::Key { key, .. } if !key.is_empty())
    }
}

/// Whether a name is a bucket's, and no other part of a URL.
fn is_bucket(name: &[u8]) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b".-_".contains(byte);
    is_end(name.first()) && is_end(name.last()) && name.iter().all(is_inner)
}

/// The prefix of the keys below a key.
fn folder(key: &str) -> String {
    if key.is_empty() || key.ends_with('/') { key.into() } else { format!("{key}/") }
}

/// An absolute path without `..`: what is before it is resolved, as it may be a link, and programs
/// that read URLs take it for the directory above.
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

/// Lists and opens objects.
pub(crate) struct Stores {
    retries: usize,
    buckets: Mutex<HashMap<String, Arc<Bucket>>>,
}

impl Stores {
    /// The number of retries, with growing pauses.
    pub(crate) fn new(retries: usize) -> Self {
        Self { retries, buckets: Mutex::default() }
    }

    fn bucket(&self, name: &str) -> Result<Arc<Bucket>, String> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = buckets.get(name) {
            return Ok(bucket.clone());
        }
        let bucket = Arc::new(Bucket::new(name, self.retries)?);
        buckets.insert(name.into(), bucket.clone());
        Ok(bucket)
    }

    /// The way to read the object of a URL, which once had `size` bytes.
    pub(crate) fn open(&self, url: &str, size: Option<u64>) -> Result<At, String> {
        match Place::of_url(url).unwrap_or_else(|| Err("it is no URL".into()))? {
            Place::Path(path) => Ok(At::File(path)),
            Place::Key { key, .. } if key.is_empty() => {
                Err("without a key, it is no object".into())
            }
            Place::Key { bucket, key } => {
                Ok(At::Store(Stored { bucket: self.bucket(&bucket)?, key, size }))
            }
        }
    }

    /// Lists a location. Files, directories and named objects that cannot be looked at are objects
    /// that cannot be read.
    pub(crate) async fn list(&self, place: Place, objects: mpsc::Sender<Object>) -> Listing {
        let (name, key) = match &place {
            Place::Path(path) => {
                let (path, objects) = (path.clone(), objects.clone());
                let listed = tokio::task::spawn_blocking(move || list_files(&path, &objects));
                return listed.await.unwrap_or_else(|error| Listing::Incomplete(error.to_string()));
            }
            Place::Key { bucket, key } => (bucket, key),
        };
        let listed = self.list_bucket(name, key, &objects).await;
        listed.map_or_else(
            |failure| Listing::Incomplete(format!("{place}: {failure}")),
            Listing::Complete,
        )
    }

    async fn list_bucket(
        &self,
        name: &str,
        key: &str,
        objects: &mpsc::Sender<Object>,
    ) -> Result<u64, Failure> {
        let bucket = self.bucket(name).map_err(Failure::lasting)?;
        let mut count = 0;
        let send = async |key: String, found: Result<Meta, &Failure>| {
            let url = Place::Key { bucket: name.into(), key: key.clone() }.to_string();
            let object = match found {
                Ok(meta) => {
                    let stored = Stored { bucket: bucket.clone(), key, size: meta.size };
                    Object { url, meta, at: Ok(At::Store(stored)) }
                }
                Err(failure) => Object { url, meta: Meta::default(), at: Err(failure.to_string()) },
            };
            // without a receiver, no more objects are wanted
            let sent = objects.send(object).await;
            sent.map_err(|_| Failure::lasting("it was broken off".into()))
        };
        let prefix = folder(key);
        // a location is an object, too, which is not below itself
        let named = if prefix == key { Ok(None) } else { bucket.head(key).await };
        match named {
            Ok(None) => {}
            Ok(Some(meta)) => {
                send(key.into(), Ok(meta)).await?;
                count += 1;
            }
            Err(failure) => {
                send(key.into(), Err(&failure)).await?;
                return Err(failure);
            }
        }
        let mut pages = bucket.pages(&prefix);
        while let Some(page) = pages.next().await? {
            for (key, meta) in page {
                send(key, Ok(meta)).await?;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// Lists files.
fn list_files(path: &Path, objects: &mpsc::Sender<Object>) -> Listing {
    let (mut count, mut failed) = (0, None);
    for (path, found) in files::list(path) {
        count += 1;
        let url = Place::Path(path.clone()).to_string();
        let object = match found {
            Ok(meta) => Object { url, meta, at: Ok(At::File(path)) },
            Err(error) => {
                failed.get_or_insert_with(|| format!("{url}: {error}"));
                Object { url, meta: Meta::default(), at: Err(error.to_string()) }
            }
        };
        if objects.blocking_send(object).is_err() {
            return Listing::Incomplete("it was broken off".into());
        }
    }
    failed.map_or(Listing::Complete(count), Listing::Incomplete)
}

/// Now, in milliseconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}
