//! The commands of the program, and the steps that several of them share: list, fetch, write.

mod create;
mod diff;
mod errors;
mod export;
mod update;
mod verify;
mod versions;

use std::{collections::HashSet, io, iter, num::NonZero, path::Path, sync::Arc, thread};

use futures::{FutureExt, Stream, StreamExt, future, stream};
use jlanes::{Digest, Sha256};
use jlanes_files::Cancel;
use tokio::{
    sync::mpsc,
    task::{JoinError, JoinHandle},
    time::{MissedTickBehavior, interval},
};

pub(crate) use create::create;
pub(crate) use diff::diff;
pub(crate) use errors::errors;
pub(crate) use export::export;
pub(crate) use update::update;
pub(crate) use verify::{Report, verify};
pub(crate) use versions::versions;

#[cfg(feature = "cluster")]
use crate::cluster;
use crate::{
    Trouble,
    computation::{self, Computation},
    fetch::{Fetched, Fetcher, Memory},
    files::{self, Local},
    hash::Pool,
    location::{At, Object, Place, Stored},
    manifest::{Manifest, Row, Writer},
    meta::{Meta, now},
    options::{Effort, Reading},
    progress::{Progress, message},
    stores::{Listing, Stores},
};

/// The outcome of a command that did its work, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    Good,
    /// Objects could not be read.
    Unread,
    /// Objects may be missing.
    Incomplete,
    Differs,
}

impl End {
    /// The exit status. 2 means that the command could not do its work.
    pub(crate) fn status(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Differs => 1,
            Self::Unread => 3,
            Self::Incomplete => 4,
        }
    }

    /// The worse of both outcomes, if `is_so`.
    fn or(self, is_so: bool, other: Self) -> Self {
        if is_so { self.max(other) } else { self }
    }
}

/// 16 bytes of a URL's digest: 10^8 URLs fit into memory, without collisions.
type Short = [u8; 16];

fn short(text: impl AsRef<[u8]>) -> Short {
    let digest: [u8; 32] = Sha256::digest(text).into();
    *digest.first_chunk().expect("a digest has 32 bytes")
}

/// The computations of these names.
fn computations(names: &[String]) -> Result<Vec<Computation>, Trouble> {
    names.iter().map(|name| computation::parse(name)).collect()
}

/// Reads objects, on this machine or on a cluster, and passes the results to `each`, and `None` at
/// intervals.
async fn fetch<T: Send + 'static>(
    objects: mpsc::Receiver<(Object, T)>,
    names: &[String],
    effort: &Effort,
    mut each: impl FnMut(Option<(Fetched, T)>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let computations = computations(names)?;
    #[cfg(feature = "cluster")]
    let mut fetched = match &effort.cluster.scheduler {
        Some(scheduler) => {
            cluster::digests(scheduler, objects, names, &effort.cluster).await?.boxed()
        }
        None => read(objects, computations, &effort.reading).boxed(),
    };
    #[cfg(not(feature = "cluster"))]
    let mut fetched = read(objects, computations, &effort.reading);
    let mut times = interval(effort.checkpoint);
    times.set_missed_tick_behavior(MissedTickBehavior::Delay);
    times.tick().await;
    loop {
        tokio::select! {
            one = fetched.next() => match one {
                Some(one) => each(Some(one?))?,
                None => return Ok(()),
            },
            _ = times.tick() => each(None)?,
        }
    }
}

/// Reads objects: `reading` of them at once from stores, and files on their own threads.
fn read<T: Send + 'static>(
    objects: mpsc::Receiver<(Object, T)>,
    computations: Vec<Computation>,
    reading: &Reading,
) -> impl Stream<Item = Result<(Fetched, T), Trouble>> + use<T> {
    let (files, objects) = sorted(objects);
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let pool = Pool::new(computations.clone(), workers);
    let fetcher = Arc::new(Fetcher::new(pool, Memory::new(reading.memory)));
    let fetched = stream(objects).map(move |(url, meta, at, tag)| {
        let known = (url.clone(), meta.clone());
        let fetched = tokio::spawn(fetcher.clone().digests(url, meta, at));
        async move {
            let lost = |error: JoinError| Fetched::failed(known.0, known.1, error.to_string());
            Ok((fetched.await.unwrap_or_else(lost), tag))
        }
    });
    stream::select(fetched.buffer_unordered(reading.in_flight), local(files, computations))
}

/// An object of a store, or one that cannot be read.
type Remote<T> = (String, Meta, Result<Stored, String>, T);

/// Splits objects into files and others.
fn sorted<T: Send + 'static>(
    mut objects: mpsc::Receiver<(Object, T)>,
) -> (mpsc::Receiver<Local<T>>, mpsc::Receiver<Remote<T>>) {
    let (files, local) = mpsc::channel(1024);
    let (others, remote) = mpsc::channel(1);
    tokio::spawn(async move {
        while let Some((Object { url, meta: listed, at }, tag)) = objects.recv().await {
            let is_named = matches!(at, Ok(At::Named(_)));
            let is_sent = match at {
                Ok(At::File(path) | At::Named(path)) => {
                    files.send(Local { url, path, is_named, listed, tag }).await.is_ok()
                }
                Ok(At::Store(stored)) => others.send((url, listed, Ok(stored), tag)).await.is_ok(),
                Err(reason) => others.send((url, listed, Err(reason), tag)).await.is_ok(),
            };
            if !is_sent {
                return;
            }
        }
    });
    (local, remote)
}

/// Reads files.
fn local<T: Send + 'static>(
    mut files: mpsc::Receiver<Local<T>>,
    computations: Vec<Computation>,
) -> impl Stream<Item = Result<(Fetched, T), Trouble>> + use<T> {
    let (sender, results) = mpsc::channel(1024);
    let run = tokio::task::spawn_blocking(move || {
        // after a failure, nobody receives more results
        let send = |fetched, tag| {
            let sent = sender.blocking_send((fetched, tag));
            sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
        };
        let files = iter::from_fn(|| files.blocking_recv());
        drop(files::hash(&computations, files, &Cancel::new(), send));
    });
    // a panic must not pass for the end of the files
    let end = run
        .into_stream()
        .filter_map(|end| future::ready(end.err().map(|error| Err(error.to_string()))));
    stream(results).map(Ok).chain(end)
}

fn stream<T>(mut items: mpsc::Receiver<T>) -> impl Stream<Item = T> {
    stream::poll_fn(move |cx| items.poll_recv(cx))
}

/// The URL of the manifest `out` below each place, with a slash; `None` if it is not below. Links are
/// followed to a place, and not below it.
fn own(places: &[Place], out: &Path) -> Result<Vec<Option<String>>, Trouble> {
    let out = out.canonicalize().map_err(|error| format!("{}: {error}", out.display()))?;
    let own = |place: &Place| {
        let Place::Path(path) = place else { return Ok(None) };
        // without a path, the listing says why
        let Ok(real) = path.canonicalize() else { return Ok(None) };
        if real == out {
            return Err(format!("{place}: the directory of the manifest is no location"));
        }
        let below = out.strip_prefix(real).ok();
        Ok(below.map(|below| format!("{}/", Place::Path(path.join(below)))))
    };
    places.iter().map(own).collect()
}

/// Lists locations one after another. An object in two of them comes once. Objects that `wanted`
/// rejects do not come, nor do those of the manifest, which begin with the `own` of their location. Each
/// comes with the time before it is read. The task returns how each listing
/// ended.
fn list(
    stores: Arc<Stores>,
    places: Vec<Place>,
    own: Vec<Option<String>>,
    mut wanted: impl FnMut(&Object) -> bool + Send + 'static,
) -> (mpsc::Receiver<(Object, i64)>, JoinHandle<Vec<Listing>>) {
    let (sender, objects) = mpsc::channel(1024);
    let listings = tokio::spawn(async move {
        let mut seen = HashSet::new();
        let mut listings = Vec::with_capacity(places.len());
        for (place, own) in places.into_iter().zip(own) {
            let (listed, mut all) = mpsc::channel(1024);
            let stores = stores.clone();
            let listing = tokio::spawn(async move { stores.list(place, listed).await });
            while let Some(object) = all.recv().await {
                let is_own = own.as_ref().is_some_and(|own| object.url.starts_with(own));
                let new = !is_own && seen.insert(short(&object.url)) && wanted(&object);
                if new && sender.send((object, now())).await.is_err() {
                    break;
                }
            }
            drop(all);
            listings
                .push(listing.await.unwrap_or_else(|error| Listing::Incomplete(error.to_string())));
        }
        listings
    });
    (objects, listings)
}

/// The outcome of all listings together.
fn joined(listings: &[Listing]) -> Listing {
    let mut objects = 0;
    let mut reasons = Vec::new();
    for listing in listings {
        match listing {
            Listing::Complete(count) => objects += count,
            Listing::Incomplete(reason) => reasons.push(&**reason),
        }
    }
    match reasons[..] {
        [] => Listing::Complete(objects),
        _ => Listing::Incomplete(reasons.join("; ")),
    }
}

/// Writes the rows of objects as they are read.
async fn write(
    objects: mpsc::Receiver<(Object, i64)>,
    names: &[String],
    writer: &mut Writer,
    effort: &Effort,
) -> Result<(u64, u64), Trouble> {
    let progress = Progress::new();
    let done = fetch(objects, names, effort, |fetched| {
        let Some((fetched, checked_at)) = fetched else { return writer.flush() };
        progress.count(fetched.meta.size, fetched.digests.is_err());
        rows(fetched, names, checked_at).try_for_each(|row| writer.push(row))
    })
    .await;
    if done.is_err() {
        // rows that were read before an error stay
        writer.flush()?;
    }
    done?;
    Ok(progress.end())
}

/// The rows of an object, one for each algorithm.
fn rows(fetched: Fetched, names: &[String], checked_at: i64) -> impl Iterator<Item = Row> {
    let Fetched { url, meta, listed, digests } = fetched;
    names.iter().enumerate().map(move |(i, name)| Row {
        url: url.clone(),
        meta: meta.clone(),
        algorithm: name.clone(),
        digest: digests.as_ref().map(|digests| digests[i].clone()).map_err(String::clone),
        checked_at,
        listed: listed.clone(),
    })
}

/// The locations of a manifest.
fn places(texts: &[String]) -> Result<Vec<Place>, Trouble> {
    texts.iter().map(|text| Place::parse(text)).collect()
}

/// Reports gaps in a manifest that was written, and returns the outcome.
fn report_gaps(out: &Path, unread: u64, listing: &Listing) -> End {
    let out = out.display();
    if unread > 0 {
        message(format_args!(
            "objects that could not be read: {unread}; 'jlanes-inventory errors \
             {out}' prints the reasons"
        ));
    }
    if let Listing::Incomplete(reason) = listing {
        message(format_args!("the listing is incomplete: {reason}"));
    }
    let is_incomplete = matches!(listing, Listing::Incomplete(_));
    End::Good.or(unread > 0, End::Unread).or(is_incomplete, End::Incomplete)
}

/// Warns of gaps in a manifest that is read, and returns the outcome.
fn warn_of_gaps(manifest: &Manifest) -> End {
    let Some(reason) = manifest.gap() else { return End::Good };
    message(format_args!("WARNING: objects may be missing in the manifest: {reason}"));
    End::Incomplete
}
