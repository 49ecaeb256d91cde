//! Objects are read, many at once, and their pieces sent to be hashed.

use std::{
    fs::File,
    io::{ErrorKind, Read},
    path::Path,
    sync::Arc,
};

use bytes::Bytes;
use futures::StreamExt;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, aws::AmazonS3};
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
};

use crate::{
    hash::{Outgoing, Part, Piece, Pool},
    location::{At, Meta, Object, meta},
};

/// Bytes of a file that are read at once, if there is memory for all files that are read.
const PIECE: usize = 256 << 10;

/// Bytes of a file that are read at once, at least.
const LEAST: usize = 16 << 10;

/// Bytes of an object of a store that are asked for at once.
const PART: u64 = 16 << 20;

const CHANGED_BEFORE: &str = "it changed since it was listed";
const CHANGED: &str = "it changed while it was read";

/// The unit of the memory that is counted.
const UNIT: usize = 1 << 10;

/// Memory for pieces, however many fetchers share it.
#[derive(Clone)]
pub(crate) struct Memory {
    free: Arc<Semaphore>,
    units: u32,
    piece: usize,
}

impl Memory {
    /// Pieces that are under way take `bytes` at most; of each object from a network, one more may
    /// have come already. If they are small enough for `in_flight` of them, lanes are full.
    pub(crate) fn new(bytes: usize, in_flight: usize) -> Self {
        let least = LEAST / UNIT; // or no piece would ever fit
        let units = (bytes / UNIT).clamp(least, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        let piece = (bytes / in_flight).clamp(LEAST, PIECE);
        Self { free: Arc::new(Semaphore::new(units)), units: units as u32, piece }
    }

    async fn room(&self, bytes: usize) -> Result<OwnedSemaphorePermit, String> {
        // a piece that is larger than all memory takes all of it
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.units);
        self.free.clone().acquire_many_owned(units).await.map_err(|error| error.to_string())
    }
}

/// Digests of objects, and what they take.
pub(crate) struct Fetcher {
    pool: Pool,
    memory: Memory,
}

/// An object that was read, or not.
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

    /// Reads an object to its end.
    pub(crate) async fn digests(self: Arc<Self>, object: Object) -> Fetched {
        let Object { url, meta, at } = object;
        let outgoing = self.pool.object();
        let (senders, digests): (Vec<_>, Vec<_>) =
            outgoing.into_iter().map(|Outgoing { parts, digest }| (parts, digest)).unzip();
        let read = match at {
            Err(reason) => Err(reason),
            Ok(At::File(path)) => {
                let this = self.clone();
                let listed = meta.clone();
                let read = move || this.read_file(&path, &listed, &senders);
                let read = tokio::task::spawn_blocking(read).await;
                read.unwrap_or_else(|error| Err(error.to_string()))
            }
            Ok(At::Store { store, path, size }) => {
                self.read_object(&store, &path, size, &meta, &senders).await
            }
        };
        let meta = match read {
            Ok(meta) => meta,
            Err(reason) => return Fetched { url, meta, digests: Err(reason) },
        };
        let mut all = Vec::with_capacity(digests.len());
        for digest in digests {
            match digest.await {
                Ok(digest) => all.push(digest),
                Err(_) => return Fetched { url, meta, digests: Err("it was not hashed".into()) },
            }
        }
        Fetched { url, meta, digests: Ok(all) }
    }

    /// Reads a file on a thread that may block.
    fn read_file(
        &self,
        path: &Path,
        listed: &Meta,
        senders: &[mpsc::Sender<Part>],
    ) -> Result<Meta, String> {
        let text = |error: std::io::Error| error.to_string();
        let mut file = File::open(path).map_err(text)?;
        let before = meta(&file.metadata().map_err(text)?);
        let mut total = 0;
        let mut expected = before.size.unwrap_or_default();
        let most = self.memory.piece;
        loop {
            // a byte more than is left, to see the end; sizes are hints, as in /proc
            let size = usize::try_from(expected).unwrap_or(most).saturating_add(1).min(most);
            let room = Handle::current().block_on(self.memory.room(size))?;
            let mut bytes = vec![0; size];
            let mut filled = 0;
            let mut ended = false;
            while filled < size && !ended {
                match file.read(&mut bytes[filled..]) {
                    Ok(0) => ended = true,
                    Ok(n) => filled += n,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(text(error)),
                }
            }
            bytes.truncate(filled);
            total += filled as u64;
            expected = expected.saturating_sub(filled as u64);
            if filled > 0 {
                let piece = Piece { bytes: Bytes::from(bytes), _room: Arc::new(room) };
                for sender in senders {
                    let sent = sender.blocking_send(Part::Piece(piece.clone()));
                    sent.map_err(|_| "it was not hashed")?;
                }
            }
            if ended {
                break;
            }
        }
        let found = file.metadata().map_err(text)?;
        let after = meta(&found);
        let listed_otherwise = listed.size.is_some() && *listed != before;
        // pipes and devices say nothing of what is read from them
        if found.is_file() && (before != after || listed_otherwise) {
            return Err(CHANGED.into());
        }
        for sender in senders {
            sender.blocking_send(Part::End).map_err(|_| "it was not hashed")?;
        }
        Ok(Meta { size: Some(total), ..after })
    }

    /// Reads an object of a store, large ones in parts. Requests that fail are sent again by the
    /// store, and bodies that break off are continued, of the same object only.
    async fn read_object(
        &self,
        store: &AmazonS3,
        path: &object_store::path::Path,
        size: Option<u64>,
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
            let got = store.get_opts(path, options).await.map_err(text)?;
            let now = Meta {
                size: Some(got.meta.size),
                mtime: Some(got.meta.last_modified.timestamp_millis()),
                etag: got.meta.e_tag.clone(),
                version: got.meta.version.clone(),
            };
            // not every server knows conditions, or has ETags in lists
            let before = found.as_ref().unwrap_or(listed);
            let other_etag = before.etag.is_some() && before.etag != now.etag;
            if other_etag || before.size.is_some() && before.size != now.size {
                return Err(changed.into());
            }
            let all = now.size.unwrap_or_default();
            // of one that was not known to be large, this much has come already
            in_parts |= all > PART;
            let end = if in_parts { total + PART } else { u64::MAX };
            let mut body = got.into_stream();
            while total < end
                && let Some(bytes) = body.next().await
            {
                let mut bytes = match bytes {
                    Ok(bytes) => bytes,
                    Err(error) => {
                        // a body is not continued if the object is another one by now
                        let head = store.head(path).await;
                        let other = head.is_ok_and(|head| head.e_tag != now.etag);
                        return Err(if other { CHANGED.into() } else { text(error) });
                    }
                };
                bytes.truncate(usize::try_from(end - total).unwrap_or(usize::MAX));
                total += bytes.len() as u64;
                let room = Arc::new(self.memory.room(bytes.len()).await?);
                for sender in senders {
                    let piece = Piece { bytes: bytes.clone(), _room: room.clone() };
                    sender.send(Part::Piece(piece)).await.map_err(|_| "it was not hashed")?;
                }
            }
            if total == all {
                for sender in senders {
                    sender.send(Part::End).await.map_err(|_| "it was not hashed")?;
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
