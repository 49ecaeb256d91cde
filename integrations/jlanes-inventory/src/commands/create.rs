//! `create`: a manifest of all objects at some locations.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
    sync::Arc,
};

use super::{End, Short, computations, joined, list, own, places, report_gaps, short, write};
use crate::{
    Trouble,
    location::Object,
    log::About,
    manifest::Writer,
    options::Effort,
    progress::message,
    stores::{Listing, Stores},
};

/// Makes a manifest, or resumes an interrupted one, in which objects with a row are not read again.
pub(crate) async fn create(
    texts: &[String],
    out: &Path,
    names: Vec<String>,
    effort: &Effort,
) -> Result<End, Trouble> {
    let places = places(texts)?;
    // one name for each algorithm, however the command line spells it
    let mut names: Vec<String> = computations(&names)?.iter().map(ToString::to_string).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let about =
        About { locations: places.iter().map(ToString::to_string).collect(), algorithms: names };
    if out.exists() {
        // a location that is refused stays as it is
        own(&places, out)?;
    }
    let (mut writer, old) = Writer::open(out)?;
    let own = own(&places, out)?;
    let mut done: HashMap<Short, bool> = HashMap::new();
    match old {
        None => writer.grow(about.clone())?,
        Some(old) if *old.about() != about => {
            let out = out.display();
            return Err(format!("{out}: there is a manifest of other locations or algorithms"));
        }
        Some(old) => {
            old.rows(|row| *done.entry(short(&row.url)).or_default() |= row.digest.is_err())?;
            message(format_args!("{} objects are in {} already", done.len(), out.display()));
        }
    }
    let failed = done.values().filter(|failed| **failed).count() as u64;
    let stores = Arc::new(Stores::new(effort.reading.retries));
    let is_new = move |object: &Object| !done.contains_key(&short(&object.url));
    let (objects, listings) = list(stores, places.clone(), own, is_new);
    let (_, errors) = write(objects, &about.algorithms, &mut writer, effort).await?;
    let mut listings = listings.await.map_err(|error| error.to_string())?;
    for (place, listing) in places.iter().zip(&mut listings) {
        if place.is_prefix() && *listing == Listing::Complete(0) {
            *listing =
                Listing::Incomplete(format!("{place}: there is no object of this name or below"));
        }
    }
    let listing = joined(&listings);
    writer.finish(listing.clone())?;
    Ok(report_gaps(out, failed + errors, &listing))
}
