//! `create`: a manifest of all objects at some locations.

use std::{collections::HashSet, path::Path, sync::Arc};

use super::{Short, Trouble, list, locations, methods, short, told, write};
use crate::{
    location::Stores,
    manifest::{About, Manifest, Writer},
    options::Effort,
};

/// Makes a manifest, or resumes an interrupted one: objects with a row are not read again.
pub(crate) async fn create(
    texts: &[String],
    out: &Path,
    names: Vec<String>,
    effort: &Effort,
) -> Result<bool, Trouble> {
    let places = locations(texts)?;
    // one name for each, independent of its spelling on the command line
    let mut names: Vec<String> = methods(&names)?.iter().map(ToString::to_string).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let about =
        About { locations: places.iter().map(ToString::to_string).collect(), algorithms: names };
    let mut done: HashSet<Short> = HashSet::new();
    let mut failed = 0;
    let mut writer = match Manifest::open(out)? {
        None => Writer::create(out, about.clone())?,
        Some(old) if old.about != about => {
            let out = out.display();
            return Err(format!("{out}: there is a manifest of other locations or algorithms"));
        }
        Some(old) => {
            old.rows(|row| {
                failed += u64::from(done.insert(short(&row.url)) && row.digest.is_err());
            })?;
            eprintln!("jlanes-inventory: {} objects are in {} already", done.len(), out.display());
            old.append(out)
        }
    };
    let before = done.len() as u64;
    let stores = Arc::new(Stores::new(effort.reading.retries));
    let objects = list(stores, places, move |object| !done.contains(&short(&object.url)));
    let (objects, errors) = write(objects, &about.algorithms, &mut writer, effort).await?;
    writer.flush()?;
    Ok(told(out, before + objects, failed + errors))
}
