//! Local files, which [`jlanes_files`] lists, reads and hashes.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use jlanes_files::{
    Cancel, Engine, Files, Job, Order, Outcome, Payload, Rules, Sink, Target, WalkEntry, Work,
    system::{self, FileKind, Stat, Time},
};

use crate::{computation::Computation, fetch::Fetched, meta::Meta};

/// A file to read.
pub(crate) struct Local<T> {
    pub(crate) url: String,
    pub(crate) path: PathBuf,
    /// Whether a pipe or a device is read, too. One that took a file's place might never end.
    pub(crate) is_named: bool,
    /// The metadata from the listing. A file with other metadata is an error; what is unknown is not
    /// compared.
    pub(crate) listed: Meta,
    pub(crate) tag: T,
}

/// The files below `path` with their metadata, or the error of a directory that cannot be listed. Links
/// and special files are skipped, unless `path` is one.
pub(crate) fn list(path: &Path) -> impl Iterator<Item = (PathBuf, io::Result<Meta>)> + use<> {
    let rules = Rules { recurse: true, ..Rules::default() };
    let files = Files::below(system::bytes(path.as_os_str()).into_owned(), &Arc::new(rules));
    files.filter_map(|(name, found)| {
        let meta = match found {
            // the metadata of pipes and devices do not depend on their content
            WalkEntry::File(target) => target.stat().map(|stat| {
                let stat = stat.filter(|stat| stat.kind == FileKind::File);
                stat.as_ref().map_or_else(Meta::default, meta)
            }),
            WalkEntry::Failed(error) => Err(error),
            WalkEntry::Notice(_) => return None,
        };
        Some((system::path(&name).into_owned(), meta))
    })
}

/// Hashes files on this thread and its helpers, and passes the results to `each` as files end. An error
/// of `each` ends the run.
pub(crate) fn hash<T: Send>(
    computations: &[Computation],
    files: impl Iterator<Item = Local<T>> + Send,
    cancel: &Cancel,
    each: impl FnMut(Fetched, T) -> io::Result<()> + Send,
) -> io::Result<()> {
    let computations: Arc<[Computation]> = computations.into();
    let jobs = files.map(|file| {
        let name = system::bytes(file.path.as_os_str()).into_owned();
        let target = match file.is_named {
            true => Target::at(&name),
            false => Target::regular(&name),
        };
        let (target, error) = match target {
            Ok(target) => (Some(target), None),
            Err(error) => (None, Some(error)),
        };
        let work = target.map(|target| Work { computations: Arc::clone(&computations), target });
        Job { payload: Entry { file, error }, work }
    });
    Engine::new()
        .order(Order::AsFinished)
        .detect_changes(true)
        .cancel(cancel)
        .run(jobs, Each(each))?;
    Ok(())
}

struct Entry<T> {
    file: Local<T>,
    /// The error that keeps it from being opened.
    error: Option<io::Error>,
}

impl<T: Send> Payload for Entry<T> {
    fn weight(&self) -> usize {
        self.file.path.as_os_str().len() + self.file.url.len()
    }
}

struct Each<F>(F);

impl<T, F: FnMut(Fetched, T) -> io::Result<()>> Sink<Entry<T>> for Each<F> {
    fn accept(&mut self, entry: Entry<T>, outcome: Option<Outcome>) -> io::Result<()> {
        let Entry { file: Local { url, listed, tag, .. }, error } = entry;
        let read = error.map_or(Ok(()), Err).and_then(|()| {
            let outcome = outcome.expect("a file without an error is read");
            let digests: Vec<_> = outcome.digests?.into_iter().collect::<io::Result<_>>()?;
            let found = outcome.stat.as_ref().map_or_else(Meta::default, meta);
            let is_listed = match outcome.stat {
                Some(_) => {
                    (listed.size.is_none() || listed.size == found.size)
                        && (listed.mtime.is_none() || listed.mtime == found.mtime)
                        && listed.etag.is_none()
                }
                // pipes and devices have no size
                None => listed.size.is_none_or(|size| size == 0),
            };
            if outcome.changed || !is_listed {
                return Err(io::Error::other("it changed while it was read"));
            }
            let meta = Meta { size: Some(outcome.len), ..found };
            Ok((meta, digests.into_iter().map(Vec::from).collect()))
        });
        let fetched = match read {
            Ok((meta, digests)) => Fetched { url, meta, listed, digests: Ok(digests) },
            Err(error) => Fetched::failed(url, listed, error.to_string()),
        };
        (self.0)(fetched, tag)
    }
}

fn meta(stat: &Stat) -> Meta {
    let Time { seconds, nanoseconds } = stat.modified;
    let nanoseconds = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    // rounded towards zero, also before 1970
    let mtime = i64::try_from(nanoseconds / 1_000_000).ok();
    Meta { size: Some(stat.size), mtime, ..Meta::default() }
}

#[cfg(test)]
mod tests {
    use std::{fs, iter, time::SystemTime};

    use super::*;
    use crate::computation;

    #[test]
    fn a_row_has_the_metadata_of_the_opened_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let named = system::bytes(path.as_os_str()).into_owned();
        for is_listed in [false, true] {
            fs::write(&path, "one").unwrap();
            fs::File::open(&path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
            let before = meta(&system::stat(&named).unwrap());
            let listed = if is_listed { before.clone() } else { Meta::default() };
            let local =
                Local { url: String::new(), path: path.clone(), is_named: false, listed, tag: () };
            // the first job is ready before the second one is asked for, and is read after that
            let change = || {
                fs::remove_file(&path).ok()?;
                fs::write(&path, "two").unwrap();
                None
            };
            let mut read = Vec::new();
            hash(
                &[computation::parse("sha256").unwrap()],
                iter::once(local).chain(iter::from_fn(change)),
                &Cancel::new(),
                |fetched, ()| {
                    read.push((fetched.meta.mtime, fetched.digests.map(drop)));
                    Ok(())
                },
            )
            .unwrap();
            let expected = match is_listed {
                true => (before.mtime, Err("it changed while it was read".into())),
                false => (meta(&system::stat(&named).unwrap()).mtime, Ok(())),
            };
            assert_eq!(read, [expected]);
        }
    }

    #[test]
    fn a_device_in_the_place_of_a_file_is_no_file() {
        for (size, expected) in [(Some(1), false), (Some(0), true), (None, true)] {
            let listed = Meta { size, ..Meta::default() };
            let path = "/dev/null".into();
            let local = Local { url: String::new(), path, is_named: true, listed, tag: () };
            let mut read = Vec::new();
            hash(
                &[computation::parse("sha256").unwrap()],
                iter::once(local),
                &Cancel::new(),
                |fetched, ()| {
                    read.push(fetched.digests.is_ok());
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(read, [expected]);
        }
    }
}
