//! Listing and opening of objects: files of this machine, and S3's buckets.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::mpsc;

use crate::{
    files,
    location::{At, Object, Place, Stored},
    meta::Meta,
    s3::{Bucket, Failure},
};

/// How the listing of a location ended. Only after a complete one, objects that are not in it are
/// no longer there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Listing {
    /// With the number of objects.
    Complete(u64),
    Incomplete(String),
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
            Place::Path(path) => Ok(At::Named(path)),
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
            Ok(Some((meta, _))) => {
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
    for (found_path, found) in files::list(path) {
        count += 1;
        let url = Place::Path(found_path.clone()).to_string();
        let at = if found_path == path { At::Named } else { At::File };
        let object = match found {
            Ok(meta) => Object { url, meta, at: Ok(at(found_path)) },
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

/// The prefix of the keys below a key.
fn folder(key: &str) -> String {
    if key.is_empty() || key.ends_with('/') { key.into() } else { format!("{key}/") }
}
