//! `versions`: the history of a manifest.

use std::path::Path;

use super::End;
use crate::{Trouble, log, manifest::Manifest, progress::result};

/// Prints the number of each version, its time, and whether its listing was complete.
pub(crate) fn versions(directory: &Path) -> Result<End, Trouble> {
    let last = Manifest::existing(directory, None)?;
    let numbers = log::versions(directory).map_err(|error| error.to_string())?;
    if numbers.is_empty() {
        result(last.number())?;
    }
    for number in numbers {
        let manifest = Manifest::existing(directory, Some(number))?;
        let state = manifest.gap().map_or("complete".into(), |gap| format!("incomplete: {gap}"));
        result(format_args!("{number}  {}  {state}", manifest.time()))?;
    }
    Ok(End::Good)
}
