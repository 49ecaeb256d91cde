//! `errors`: objects of a manifest without a digest.

use std::path::Path;

use super::{End, warn_of_gaps};
use crate::{Trouble, manifest::Manifest, progress::result};

/// Prints objects without a digest, with the reasons.
pub(crate) fn errors(directory: &Path) -> Result<End, Trouble> {
    let manifest = Manifest::existing(directory, None)?;
    let (mut last, mut printed) = (None, Ok(()));
    manifest.rows(|row| {
        let Err(reason) = row.digest else { return };
        let line = format!("{}: {}", row.url, reason.replace(char::is_control, " "));
        // the same error of several algorithms is printed once
        if last.as_ref() != Some(&line) && printed.is_ok() {
            printed = result(&line);
        }
        last = Some(line);
    })?;
    printed?;
    Ok(End::Good.or(last.is_some(), End::Unread).max(warn_of_gaps(&manifest)))
}
