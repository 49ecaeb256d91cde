//! `update`: a new version of a manifest, with the current state of its locations.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use super::{End, Short, joined, list, own, places, report_gaps, short, write};
use crate::{
    Trouble,
    location::Object,
    manifest::{Manifest, ROWS, Row, Writer},
    meta::Meta,
    options::Effort,
    progress::message,
    stores::{Listing, Stores},
};

/// An object in the previous version.
struct Known {
    version: Short,
    digests: u32,
    /// Whether it was an object at all, and not a directory that could not be listed.
    is_object: bool,
    /// Whether a later change would have given it another version.
    is_settled: bool,
    now: Now,
}

/// The state of a known object in the new listing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Now {
    Unlisted,
    Same,
    /// The same time, which may hide a change. It is read.
    Recent,
    /// Another version, which is read.
    Other,
}

/// The number of rows below which parts are merged.
const SMALL: usize = ROWS / 4;

/// The fraction of the objects that a listing may lack before the user has to confirm their removal.
const TENTH: usize = 10;

/// The coarsest resolution of times, that of FAT, in milliseconds.
const RESOLUTION: i64 = 2000;

/// Makes the next version of a manifest. Unchanged objects keep their rows. New objects, changed ones,
/// and objects with errors are read. Objects are removed only if a complete listing lacks them.
pub(crate) async fn update(
    directory: &Path,
    allow_removals: bool,
    effort: &Effort,
) -> Result<End, Trouble> {
    drop(Manifest::existing(directory, None)?);
    let (mut writer, old) = Writer::open(directory)?;
    let old = old.ok_or_else(|| format!("{}: the manifest has gone", directory.display()))?;
    let places = places(&old.about().locations)?;
    let own = own(&places, directory)?;
    let mut known: HashMap<Short, Known> = HashMap::new();
    old.rows(|row| {
        let known = known.entry(short(&row.url)).or_insert_with(|| Known {
            version: listed_version(&row),
            digests: 0,
            is_object: row.digest.is_ok() || row.meta.size.is_some(),
            is_settled: is_settled(&row),
            now: Now::Unlisted,
        });
        known.digests += u32::from(row.digest.is_ok());
    })?;
    let complete = old.about().algorithms.len();
    let known = Arc::new(Mutex::new(known));
    let shared = known.clone();
    let is_wanted = move |object: &Object| {
        let mut known = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = known.get_mut(&short(&object.url)) else { return true };
        let is_same = match &object.at {
            Ok(_) => {
                let Meta { mtime, etag, .. } = &object.meta;
                // the size alone shows few changes
                (mtime.is_some() || etag.is_some())
                    && known.digests as usize == complete
                    && known.version == version(&object.meta)
            }
            // the listing does not show a change
            Err(_) => known.digests > 0,
        };
        known.now = match (is_same, known.is_settled || object.at.is_err()) {
            (true, true) => Now::Same,
            (true, false) => Now::Recent,
            (false, _) => Now::Other,
        };
        known.now != Now::Same
    };
    let stores = Arc::new(Stores::new(effort.reading.retries));
    writer.begin(old.about().clone());
    let (objects, listings) = list(stores, places, own, is_wanted);
    let (read, mut errors) = write(objects, &old.about().algorithms, &mut writer, effort).await?;
    let mut listing = joined(&listings.await.map_err(|error| error.to_string())?);

    let known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let objects = || known.values().filter(|known| known.is_object);
    let mut gone = objects().filter(|known| known.now == Now::Unlisted).count();
    if matches!(listing, Listing::Complete(_))
        && !allow_removals
        && gone * TENTH > objects().count()
    {
        listing = Listing::Incomplete(format!(
            "{gone} of {} objects are not in it; if they are gone, confirm it by --allow-removals",
            objects().count()
        ));
    }
    let is_whole = matches!(listing, Listing::Complete(_));
    let keep = |row: &Row| match known.get(&short(&row.url)).map(|known| known.now) {
        Some(Now::Same) => true,
        Some(Now::Unlisted) => !is_whole,
        Some(Now::Recent | Now::Other) | None => false,
    };
    for part in old.parts() {
        let mut rows = old.read(part)?;
        if rows.len() >= SMALL && rows.iter().all(keep) {
            writer.keep(part);
            continue;
        }
        rows.retain(keep);
        rows.into_iter().try_for_each(|row| writer.push(row))?;
    }
    writer.finish(listing.clone())?;

    let count = |now| known.values().filter(|known| known.now == now).count();
    let kept = count(Now::Same);
    let (recent, changed) = (count(Now::Recent) as u64, count(Now::Other) as u64);
    let added = read - recent - changed;
    if !is_whole {
        message(format_args!("{gone} objects are not in the listing, and keep their rows"));
        let is_unread = |known: &&Known| known.now == Now::Unlisted && known.digests == 0;
        errors += known.values().filter(is_unread).count() as u64;
        gone = 0;
    }
    let recent = match recent {
        0 => String::new(),
        recent => format!("{recent} too new to tell, "),
    };
    message(format_args!(
        "{kept} objects kept, {read} read: {added} added, {changed} changed, {recent}\
         {gone} removed, {errors} unread"
    ));
    Ok(report_gaps(directory, errors, &listing))
}

/// The version of an object in a listing: its size, and its ETag or else its time of change.
fn version(meta: &Meta) -> Short {
    let Meta { size, mtime, etag, .. } = meta;
    short(&match etag {
        Some(etag) => format!("{size:?} {etag}"),
        None => format!("{size:?} {mtime:?}"),
    })
}

/// Whether every change after an object was read shows in its version: it has an ETag, or its time was
/// over before. Another change within the resolution of times leaves the time as it is.
fn is_settled(row: &Row) -> bool {
    let listed = match &row.listed {
        Meta { mtime: None, etag: None, .. } => &row.meta,
        listed => listed,
    };
    let is_over = |time: i64| time.saturating_add(RESOLUTION) < row.checked_at;
    listed.etag.is_some() || listed.mtime.is_some_and(is_over)
}

/// The version in the listing that a row comes from. Manifests of version 0.3 do not have it.
fn listed_version(row: &Row) -> Short {
    match &row.listed {
        Meta { mtime: None, etag: None, .. } => version(&row.meta),
        listed => version(&Meta { size: row.meta.size, ..listed.clone() }),
    }
}
