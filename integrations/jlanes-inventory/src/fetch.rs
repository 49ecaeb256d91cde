//! Reading of many objects at once, within limits of memory and requests; their pieces go to the
//! hashing threads.

use std::{io, sync::Arc};

use futures::StreamExt;
use http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::{
    hash::{Outgoing, Part, Piece, Pool},
    location::Stored,
    meta::Meta,
    s3::{Checksums, Failure},
};

/// The number of bytes in a request for an object of a store.
const PART: u64 = 16 << 20;

const CHANGED_BEFORE: &str = "it changed since it was listed";
const CHANGED: &str = "it changed while it was read";
const UNKNOWN: &str =
    "it came in parts, of which its store does not say whether they are of one object";
const OTHER_LENGTH: &str = "its bytes are more or fewer than the store announced";
const NOT_HASHED: &str = "it was not hashed";

/// The unit in which memory is counted.
const UNIT: usize = 1 << 10;

/// Memory for pieces, shared by any number of fetchers.
#[derive(Clone)]
pub(crate) struct Memory {
    free: Arc<Semaphore>,
    units: u32,
}

impl Memory {
    /// Memory for pieces in flight: at most `bytes`, plus one piece of each object.
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

/// Computes the digests of objects, within limits.
pub(crate) struct Fetcher {
    pool: Pool,
    memory: Memory,
}

/// An object after reading, or the failure.
pub(crate) struct Fetched {
    pub(crate) url: String,
    /// The metadata from the answer with the hashed content.
    pub(crate) meta: Meta,
    /// The metadata from the listing.
    pub(crate) listed: Meta,
    /// A digest for each algorithm, or the error.
    pub(crate) digests: Result<Vec<Vec<u8>>, String>,
}

impl Fetched {
    /// An object without digests.
    pub(crate) fn failed(url: String, listed: Meta, reason: String) -> Self {
        Self { url, meta: listed.clone(), listed, digests: Err(reason) }
    }
}

impl Fetcher {
    pub(crate) fn new(pool: Pool, memory: Memory) -> Self {
        Self { pool, memory }
    }

    /// Reads an object of a store to its end.
    pub(crate) async fn digests(
        self: Arc<Self>,
        url: String,
        listed: Meta,
        at: Result<Stored, String>,
    ) -> Fetched {
        let outgoing = self.pool.object();
        let (senders, digests): (Vec<_>, Vec<_>) =
            outgoing.into_iter().map(|Outgoing { parts, digest }| (parts, digest)).unzip();
        let read = match at {
            Err(reason) => Err(reason),
            Ok(stored) => self.read(stored, &listed, &senders).await,
        };
        let (meta, checksums) = match read {
            Ok(read) => read,
            Err(reason) => return Fetched::failed(url, listed, reason),
        };
        let mut all = Vec::with_capacity(digests.len());
        for (computation, digest) in self.pool.computations.iter().zip(digests) {
            match digest.await.unwrap_or_else(|_| Err(io::Error::other(NOT_HASHED))) {
                Ok(digest) if checksums.contradict(computation, &digest) => {
                    let reason = format!("its {computation} is not the one that the store keeps");
                    return Fetched::failed(url, listed, reason);
                }
                Ok(digest) => all.push(digest.into_vec()),
                Err(error) => return Fetched::failed(url, listed, error.to_string()),
            }
        }
        Fetched { url, meta, listed, digests: Ok(all) }
    }

    /// Reads an object of a store, large ones in parts. A failed request is repeated from where its
    /// answer broke off.
    async fn read(
        &self,
        stored: Stored,
        listed: &Meta,
        senders: &[mpsc::Sender<Part>],
    ) -> Result<(Meta, Checksums), String> {
        let mut reading = Reading { stored, listed, found: None, checksums: None, total: 0 };
        let mut retries = reading.stored.bucket.retries();
        loop {
            match self.part(&mut reading, senders).await {
                Ok(Some(meta)) => {
                    for sender in senders {
                        sender.send(Part::End).await.map_err(|_| NOT_HASHED)?;
                    }
                    let checksums = reading.checksums().await.map_err(|it| it.to_string())?;
                    return Ok((meta, checksums));
                }
                Ok(None) => retries = reading.stored.bucket.retries(),
                Err(failure) => retries.again(failure).await.map_err(|it| it.to_string())?,
            }
        }
    }

    /// Reads the next part of an object. Returns the metadata after the last part.
    async fn part(
        &self,
        reading: &mut Reading<'_>,
        senders: &[mpsc::Sender<Part>],
    ) -> Result<Option<Meta>, Failure> {
        let Reading { stored, listed, found, checksums, total } = reading;
        // an empty object has no first part
        let size = found.as_ref().map_or(stored.size, |found| found.size);
        let end = size.filter(|size| *size > PART).map(|size| size.min(*total + PART));
        let changed = |reason: &str| Failure::lasting(reason.into());
        let answer = match stored.bucket.get(&stored.key, *total, end, found.as_ref()).await {
            Err(Failure { status: Some(StatusCode::PRECONDITION_FAILED), .. }) => {
                return Err(changed(CHANGED));
            }
            // the object has become shorter, or empty
            Err(Failure { status: Some(StatusCode::RANGE_NOT_SATISFIABLE), .. })
                if found.is_none() && end.is_some() =>
            {
                stored.size = None;
                return Ok(None);
            }
            answer => answer?,
        };
        // not every server supports conditions, so compare here, too
        match found {
            None if !is_listed(listed, &answer.meta) => return Err(changed(CHANGED_BEFORE)),
            Some(before) if *before != answer.meta => return Err(changed(CHANGED)),
            None | Some(_) => {}
        }
        let all = answer.meta.size.unwrap_or_default();
        // only the end of an answer without a counted body shows whether its bytes are the announced ones
        let end = match answer.is_unique && answer.is_counted {
            true => answer.end.min(*total + PART),
            false => answer.end,
        };
        *found = Some(answer.meta);
        *checksums = answer.checksums.or_else(|| checksums.take());
        let mut body = answer.body;
        while let Some(bytes) = body.next().await {
            let mut bytes = match bytes {
                Err(_) if !answer.is_unique => return Err(changed(UNKNOWN)),
                bytes => bytes?,
            };
            let left = usize::try_from(end - *total).unwrap_or(usize::MAX);
            if bytes.len() > left && !answer.is_counted {
                return Err(changed(OTHER_LENGTH));
            }
            bytes.truncate(left);
            let room = Arc::new(self.memory.room(bytes.len()).await.map_err(Failure::lasting)?);
            for sender in senders {
                let piece = Piece { bytes: bytes.clone(), _room: room.clone() };
                sender.send(Part::Piece(piece)).await.map_err(|_| changed(NOT_HASHED))?;
            }
            *total += bytes.len() as u64;
            if *total == end && answer.is_counted {
                break;
            }
        }
        match *total {
            // what was hashed may be no part of the object at all
            total if total < end => Err(changed(OTHER_LENGTH)),
            total if total == all => Ok(found.clone()),
            _ if !answer.is_unique => Err(changed(UNKNOWN)),
            // an answer may have less than the requested range
            _ => Ok(None),
        }
    }
}

/// The progress of reading an object.
struct Reading<'a> {
    stored: Stored,
    listed: &'a Meta,
    /// The metadata from the first answer.
    found: Option<Meta>,
    /// From an answer with the whole object.
    checksums: Option<Checksums>,
    total: u64,
}

impl Reading<'_> {
    /// The checksums of the object after it was read. One that came in parts has its own request.
    async fn checksums(self) -> Result<Checksums, Failure> {
        if let Some(checksums) = self.checksums {
            return Ok(checksums);
        }
        let headed = self.stored.bucket.head(&self.stored.key).await?;
        // a newer object has its own
        let same = headed.filter(|(meta, _)| Some(meta) == self.found.as_ref());
        Ok(same.map(|(_, checksums)| checksums).unwrap_or_default())
    }
}

/// Whether an object may be the listed one. The lists of some stores have other ETags, and finer times.
fn is_listed(listed: &Meta, found: &Meta) -> bool {
    let time = listed.mtime.zip(found.mtime).map(|(listed, found)| listed.abs_diff(found) < 1000);
    let is_same = match listed.etag {
        Some(_) => listed.etag == found.etag || time == Some(true),
        None => time != Some(false),
    };
    (listed.size.is_none() || listed.size == found.size) && is_same
}
