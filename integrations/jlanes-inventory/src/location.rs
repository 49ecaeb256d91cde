//! Locations of objects: files, and S3's buckets. The name of an object is its URL everywhere.

use std::{
    collections::HashMap,
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use futures::{StreamExt, TryStreamExt};
use object_store::{
    BackoffConfig, ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey},
};
use percent_encoding::percent_decode_str;
use tokio::sync::mpsc;
use url::Url;

use crate::files;

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
    pub(crate) store: Arc<AmazonS3>,
    pub(crate) path: object_store::path::Path,
    /// If known; it decides only how the object is requested.
    pub(crate) size: Option<u64>,
}

/// A file, a directory with everything below it, or the objects with a prefix in a bucket.
#[derive(Clone, Debug)]
pub(crate) struct Location(Url);

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Location {
    /// A URL, otherwise a path.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match Url::parse(text) {
            Ok(url) if url.scheme() == "file" => {
                url.to_file_path()
                    .map_err(|()| format!("'{text}' is not a path on this machine"))?;
                Ok(Self(url))
            }
            Ok(url) if url.scheme() == "s3" => match url.host_str() {
                Some(_) => Ok(Self(url)),
                None => Err(format!("'{text}' has no bucket")),
            },
            Ok(url) if text.contains("://") => {
                Err(format!("'{text}': there are file:// and s3://, and not {}://", url.scheme()))
            }
            _ => Ok(Self(url_of_path(Path::new(text))?)),
        }
    }
}

/// The URL of a path, which is made absolute but not resolved.
fn url_of_path(path: &Path) -> Result<Url, String> {
    let path = std::path::absolute(path).map_err(|error| error.to_string())?;
    Url::from_file_path(&path).map_err(|()| format!("'{}' has no URL", path.display()))
}

/// The timeout of a response with its body; bodies are parts of large objects.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Lists and opens objects.
pub(crate) struct Stores {
    retry: RetryConfig,
    buckets: Mutex<HashMap<String, Arc<AmazonS3>>>,
}

impl Stores {
    /// The number of retries, with growing pauses.
    pub(crate) fn new(retries: usize) -> Self {
        let backoff = BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(15),
            base: 2.0,
        };
        let retry_timeout = Duration::from_secs(600);
        let retry = RetryConfig { backoff, max_retries: retries, retry_timeout };
        Self { retry, buckets: Mutex::default() }
    }

    fn bucket(&self, name: &str) -> Result<Arc<AmazonS3>, String> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = buckets.get(name) {
            return Ok(store.clone());
        }
        let builder = AmazonS3Builder::from_env();
        // an endpoint without TLS is explicit
        let endpoint = builder.get_config_value(&AmazonS3ConfigKey::Endpoint);
        let plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
        let client = ClientOptions::new().with_timeout(TIMEOUT).with_allow_http(plain);
        let builder = builder.with_client_options(client);
        let builder = builder.with_bucket_name(name).with_retry(self.retry.clone());
        let store = Arc::new(builder.build().map_err(|error| error.to_string())?);
        buckets.insert(name.into(), store.clone());
        Ok(store)
    }

    /// The way to read the object of a URL, which once had `size` bytes.
    pub(crate) fn open(&self, url: &str, size: Option<u64>) -> Result<At, String> {
        let url = Url::parse(url).map_err(|error| error.to_string())?;
        match (url.scheme(), url.host_str()) {
            ("file", _) => {
                url.to_file_path().map(At::File).map_err(|()| "not a path on this machine".into())
            }
            ("s3", Some(bucket)) => {
                let path = object_store::path::Path::parse(key(&url)?);
                let path = path.map_err(|error| error.to_string())?;
                Ok(At::Store(Stored { store: self.bucket(bucket)?, path, size }))
            }
            _ => Err(format!("objects of {}:// are not read", url.scheme())),
        }
    }

    /// Lists a location; a place that cannot be listed becomes an object that cannot be read.
    pub(crate) async fn list(&self, location: Location, objects: mpsc::Sender<Object>) {
        let Location(url) = location;
        if let Ok(path) = url.to_file_path() {
            let list = move || {
                // without a receiver, no more objects are wanted
                files::list(&path).try_for_each(|(path, found)| {
                    objects.blocking_send(file(path, found)).map_err(drop)
                })
            };
            return drop(tokio::task::spawn_blocking(list).await);
        }
        if let Err(reason) = self.list_bucket(&url, &objects).await {
            let object = Object { url: url.into(), meta: Meta::default(), at: Err(reason) };
            drop(objects.send(object).await);
        }
    }

    async fn list_bucket(&self, url: &Url, objects: &mpsc::Sender<Object>) -> Result<(), String> {
        let store = self.bucket(url.host_str().unwrap_or_default())?;
        let key = key(url)?;
        let prefix = object_store::path::Path::parse(&key).map_err(|error| error.to_string())?;
        // a key also names a single object
        let alone = (!key.is_empty() && !key.ends_with('/')).then_some(&prefix);
        let alone = match alone {
            Some(path) => store.head(path).await.ok(),
            None => None,
        };
        let mut listed = match alone {
            Some(meta) => futures::stream::iter([Ok(meta)]).boxed(),
            None => store.list(Some(&prefix)),
        };
        while let Some(meta) = listed.try_next().await.map_err(|error| error.to_string())? {
            let mut url = url.clone();
            url.path_segments_mut()
                .map_err(|()| "a bucket's URL has a path".to_owned())?
                .clear()
                .extend(meta.location.as_ref().split('/'));
            let (store, size) = (store.clone(), Some(meta.size));
            let at = Ok(At::Store(Stored { store, path: meta.location, size }));
            let meta = Meta {
                size: Some(meta.size),
                mtime: Some(meta.last_modified.timestamp_millis()),
                etag: meta.e_tag,
                version: meta.version,
            };
            if objects.send(Object { url: url.into(), meta, at }).await.is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// The key in a bucket's URL.
fn key(url: &Url) -> Result<String, String> {
    let key = percent_decode_str(url.path().trim_start_matches('/')).decode_utf8();
    key.map(String::from).map_err(|_| "a key is UTF-8".into())
}

/// A listed file, or a place that could not be listed.
fn file(path: PathBuf, found: io::Result<Meta>) -> Object {
    let url = url_of_path(&path).map_or_else(|error| error, String::from);
    match found {
        Ok(meta) => Object { url, meta, at: Ok(At::File(path)) },
        Err(error) => Object { url, meta: Meta::default(), at: Err(error.to_string()) },
    }
}

/// Now, in milliseconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}
