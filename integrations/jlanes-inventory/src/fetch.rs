//! Reads many objects at once, and sends their pieces to be hashed.

use std::{io, sync::Arc};

use futures::StreamExt;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::{
    hash::{Outgoing, Part, Piece, Pool},
    location::{Meta, Stored},
};

/// Bytes per request for an object of a store.
const PART: u64 = 16 << 20;

const CHANGED_BEFORE: &str = "it changed since it was listed";
const CHANGED: &str = "it changed while it was read";
const NOT_HASHED: &str = "it was not hashed";

/// The unit of counted memory.
const UNIT: usize = 1 << 10;

/// Memory for pieces, shared by any number of fetchers.
#[derive(Clone)]
pub(crate) struct Memory {
    free: Arc<Semaphore>,
    units: u32,
}

impl Memory {
    /// Pieces in flight take at most `bytes`, plus one piece of each object.
    pub(crate) fn new(bytes: usize) -> Self {
        let units = (bytes / UNIT).clamp(1, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        Self { free: Arc::new(Semaphore::new(units)), units: units as u32 }
    }

    async fn room(&self, bytes: usize) -> Result<OwnedSemaphorePermit, String> {
        // a piece larger than the whole memory takes all of it
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.units);
        self.free.clone().acquire_many_owned(units).await.map_err(|error| error.to_string())
    }
}

/// Computes digests of objects, within limits.
pub(crate) struct Fetcher {
    pool: Pool,
    memory: Memory,
}

/// An object after reading, or the failure.
pub(crate) struct Fetched {
    pub(crate) url: String,
    pub(crate) meta: Meta,
    /// A digest for each algorithm, or the error.
    pub(crate) digests: Result<Vec<Vec<u8>>, String>,
}

impl Fetcher {
    pub(crate) fn new(pool: Pool, memory: Memory) -> Self {
        Self { pool, memory }
    }

    /// Reads an object of a store to its end.
    pub(crate) async fn digests(
        self: Arc<Self>,
        url: String,
        meta: Meta,
        at: Result<Stored, String>,
    ) -> Fetched {
        let outgoing = self.pool.object();
        let (senders, digests): (Vec<_>, Vec<_>) =
            outgoing.into_iter().map(|Outgoing { parts, digest }| (parts, digest)).unzip();
        let read = match at {
            Err(reason) => Err(reason),
            Ok(stored) => self.read(stored, &meta, &senders).await,
        };
        let meta = match read {
            Ok(meta) => meta,
            Err(reason) => return Fetched { url, meta, digests: Err(reason) },
        };
        let mut all = Vec::with_capacity(digests.len());
        for digest in digests {
            match digest.await.unwrap_or_else(|_| Err(io::Error::other(NOT_HASHED))) {
                Ok(digest) => all.push(digest.into_vec()),
                Err(error) => return Fetched { url, meta, digests: Err(error.to_string()) },
            }
        }
        Fetched { url, meta, digests: Ok(all) }
    }

    /// Reads an object of a store, large ones in parts. The store library retries failed requests;
    /// interrupted bodies are continued if the object is the same.
    async fn read(
        &self,
        Stored { store, path, size }: Stored,
        listed: &Meta,
        senders: &[mpsc::Sender<Part>],
    ) -> Result<Meta, String> {
        let mut found: Option<Meta> = None;
        let mut total = 0;
        let mut in_parts = size.is_some_and(|size| size > PART);
        loop {
            let etag = found.as_ref().map_or(&listed.etag, |found| &found.etag);
            let options = GetOptions {
                if_match: etag.clone(),
                // an empty object has no first part
                range: in_parts.then(|| GetRange::Bounded(total..total + PART)),
                ..GetOptions::default()
            };
            let changed = if found.is_some() { CHANGED } else { CHANGED_BEFORE };
            let text = |error| match error {
                object_store::Error::Precondition { .. } => changed.to_owned(),
                other => other.to_string(),
            };
            let got = store.get_opts(&path, options).await.map_err(text)?;
            let now = Meta {
                size: Some(got.meta.size),
                mtime: Some(got.meta.last_modified.timestamp_millis()),
                etag: got.meta.e_tag.clone(),
                version: got.meta.version.clone(),
            };
            // not every server supports conditions, or has ETags in lists
            let before = found.as_ref().unwrap_or(listed);
            let other_etag = before.etag.is_some() && before.etag != now.etag;
            if other_etag || before.size.is_some() && before.size != now.size {
                return Err(changed.into());
            }
            let all = now.size.unwrap_or_default();
            // the size was unknown, and this much has already arrived
            in_parts |= all > PART;
            let end = if in_parts { total + PART } else { u64::MAX };
            let mut body = got.into_stream();
            while total < end
                && let Some(bytes) = body.next().await
            {
                let mut bytes = match bytes {
                    Ok(bytes) => bytes,
                    Err(error) => {
                        // a body is not continued if the object has changed
                        let head = store.head(&path).await;
                        let other = head.is_ok_and(|head| head.e_tag != now.etag);
                        return Err(if other { CHANGED.into() } else { text(error) });
                    }
                };
                bytes.truncate(usize::try_from(end - total).unwrap_or(usize::MAX));
                total += bytes.len() as u64;
                let room = Arc::new(self.memory.room(bytes.len()).await?);
                for sender in senders {
                    let piece = Piece { bytes: bytes.clone(), _room: room.clone() };
                    sender.send(Part::Piece(piece)).await.map_err(|_| NOT_HASHED)?;
                }
            }
            if total == all {
                for sender in senders {
                    sender.send(Part::End).await.map_err(|_| NOT_HASHED)?;
                }
                return Ok(now);
            }
            if total != end || total > all {
                return Err(format!("{total} bytes came of {all}"));
            }
            found = Some(now);
        }
    }
}
