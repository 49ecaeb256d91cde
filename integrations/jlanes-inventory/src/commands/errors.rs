//! `errors`: objects of a manifest without a digest.

use std::path::Path;

use super::{End, warned};
use crate::{Trouble, manifest::Manifest};

/// Prints objects without a digest, with the reasons.
pub(crate) fn errors(directory: &Path) -> Result<End, Trouble> {
    let manifest = Manifest::existing(directory, None)?;
    let mut last = None;
    manifest.rows(|row| {
        let Err(reason) = row.digest else { return };
        let line = format!("{}: {}", row.url, reason.replace(char::is_control, " "));
        // the same error of several algorithms is printed once
        if last.as_ref() != Some(&line) {
            println!("{line}");
        }
        last = Some(line);
    })?;
    Ok(End::Good.or(last.is_some(), End::Unread).max(warned(&manifest)))
}
