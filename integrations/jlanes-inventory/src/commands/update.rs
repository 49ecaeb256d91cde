//! `update`: a manifest of the current state of the same locations.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use super::{Short, Trouble, list, locations, short, told, write};
use crate::{
    location::{Meta, Stores},
    manifest::{Manifest, Writer},
    options::Effort,
};

/// Makes the next generation of a manifest. Unchanged objects keep their rows; new objects, changed
/// ones, and those with errors are read.
pub(crate) async fn update(directory: &Path, effort: &Effort) -> Result<bool, Trouble> {
    let old = Manifest::existing(directory)?;
    let places = locations(&old.about.locations)?;
    let mut looks: HashMap<Short, (Short, usize)> = HashMap::new();
    old.rows(|row| {
        if row.digest.is_ok() {
            looks.entry(short(&row.url)).or_insert((look(&row.meta), 0)).1 += 1;
        }
    })?;
    let complete = old.about.algorithms.len();
    looks.retain(|_, (_, rows)| *rows == complete);

    let mut writer = Writer::replacing(directory, &old)?;
    let stores = Arc::new(Stores::new(effort.reading.retries));
    let kept: Arc<Mutex<HashSet<Short>>> = Arc::default();
    let keep = kept.clone();
    let objects = list(stores, places, move |object| {
        let url = short(&object.url);
        let same = looks.get(&url).is_some_and(|(before, _)| *before == look(&object.meta));
        if same {
            keep.lock().unwrap_or_else(PoisonError::into_inner).insert(url);
        }
        !same
    });
    let (read, errors) = write(objects, &old.about.algorithms, &mut writer, effort).await?;
    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let mut result = Ok(());
    old.rows(|row| {
        if kept.contains(&short(&row.url)) {
            writer.push(row);
        }
        if writer.waiting() >= super::ROWS && result.is_ok() {
            result = writer.flush();
        }
    })?;
    result?;
    writer.commit()?;
    eprintln!("jlanes-inventory: {} objects kept, {read} read", kept.len());
    Ok(told(directory, read, errors))
}

/// The version of an object: its ETag, or its time of change without one; and its size.
fn look(meta: &Meta) -> Short {
    let Meta { size, mtime, etag, .. } = meta;
    short(&match etag {
        Some(etag) => format!("{size:?} {etag}"),
        None => format!("{size:?} {mtime:?}"),
    })
}
