//! `verify`: whether objects still have the digests of a manifest.

use std::{path::Path, sync::Arc};

use tokio::sync::mpsc;

use super::{End, fetch, warn_of_gaps};
use crate::{
    Trouble,
    location::{At, Object},
    log::About,
    manifest::{Manifest, Row},
    meta::Meta,
    options::Effort,
    progress::{Progress, message, result},
    stores::Stores,
};

/// The objects to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Report {
    /// None; only the exit status counts.
    Nothing,
    /// Changed objects.
    Failures,
    /// Every object.
    All,
}

/// Reads all objects of a manifest again.
pub(crate) async fn verify(
    directory: &Path,
    report: Report,
    effort: &Effort,
) -> Result<End, Trouble> {
    let manifest = Manifest::existing(directory, None)?;
    let gap = match report {
        Report::Nothing => End::Good.or(manifest.gap().is_some(), End::Incomplete),
        Report::Failures | Report::All => warn_of_gaps(&manifest),
    };
    let About { algorithms: names, locations } = manifest.about().clone();
    let stores = Arc::new(Stores::new(effort.reading.retries));
    let (sender, objects) = mpsc::channel(1024);
    // rows of one object are adjacent
    let read = tokio::task::spawn_blocking(move || {
        let mut group: Vec<Row> = Vec::new();
        let send = |group: Vec<Row>| {
            let Some(first) = group.first() else { return };
            let at = stores.open(&first.url, first.meta.size).map(|at| match at {
                At::Named(path) if !locations.contains(&first.url) => At::File(path),
                at => at,
            });
            let url = first.url.clone();
            // after a failure, nobody receives more objects
            drop(sender.blocking_send((Object { url, meta: Meta::default(), at }, group)));
        };
        manifest.rows(|row| {
            if group.first().is_some_and(|first| first.url != row.url) {
                send(std::mem::take(&mut group));
            }
            group.push(row);
        })?;
        send(group);
        Ok::<_, Trouble>(())
    });

    let progress = Progress::new();
    let (mut differ, mut unread, mut unknown) = (0_u64, 0_u64, 0_u64);
    fetch(objects, &names, effort, |fetched| {
        let Some((fetched, expected)) = fetched else { return Ok(()) };
        let url = &fetched.url;
        let verdict = match &fetched.digests {
            Err(reason) => {
                if report > Report::Nothing {
                    progress.line(|| message(format_args!("{url}: {reason}")));
                }
                unread += 1;
                "FAILED open or read"
            }
            Ok(_) if expected.iter().any(|row| row.digest.is_err()) => {
                unknown += 1;
                "FAILED, the manifest has an error instead of a digest"
            }
            Ok(digests) => {
                let same = |row: &Row| {
                    let at = names.iter().position(|name| *name == row.algorithm);
                    at.is_some_and(|at| Ok(&digests[at]) == row.digest.as_ref())
                };
                if expected.iter().all(same) {
                    "OK"
                } else {
                    differ += 1;
                    "FAILED"
                }
            }
        };
        progress.count(fetched.meta.size, verdict != "OK");
        if report == Report::All || report == Report::Failures && verdict != "OK" {
            progress.line(|| result(format_args!("{url}: {verdict}")))?;
        }
        Ok(())
    })
    .await?;
    read.await.map_err(|error| error.to_string())??;
    progress.end();
    if report > Report::Nothing {
        for (count, what) in [
            (differ, "did NOT match"),
            (unread, "could not be read"),
            (unknown, "have no digest in the manifest"),
        ] {
            if count > 0 {
                message(format_args!("WARNING: objects that {what}: {count}"));
            }
        }
    }
    let end = End::Good.or(unread + unknown > 0, End::Unread).or(differ > 0, End::Differs);
    Ok(end.max(gap))
}
