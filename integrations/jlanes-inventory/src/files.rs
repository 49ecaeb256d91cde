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
            WalkEntry::File(target) => {
                target.stat().map(|stat| stat.as_ref().map_or_else(Meta::default, meta))
            }
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
        let is_right =
            |kind| file.is_named || [FileKind::File, FileKind::Directory].contains(&kind);
        let stat = system::stat(&name).and_then(|stat| match is_right(stat.kind) {
            true => Ok(stat),
            false => Err(io::Error::other("it is no file any more")),
        });
        // another file may take the path before it is opened
        let target = match file.is_named {
            true => Target::at(&name),
            false => Target::regular(&name),
        };
        let (before, target) = match (stat, target) {
            (Ok(stat), Ok(target)) => (Ok(stat), Some(target)),
            (Err(error), _) | (_, Err(error)) => (Err(error), None),
        };
        let work = target.map(|target| Work { computations: Arc::clone(&computations), target });
        Job { payload: Entry { file, name, before }, work }
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
    name: Vec<u8>,
    before: io::Result<Stat>,
}

impl<T: Send> Payload for Entry<T> {
    fn weight(&self) -> usize {
        self.name.len() + self.file.url.len()
    }
}

struct Each<F>(F);

impl<T, F: FnMut(Fetched, T) -> io::Result<()>> Sink<Entry<T>> for Each<F> {
    fn accept(&mut self, entry: Entry<T>, outcome: Option<Outcome>) -> io::Result<()> {
        let Entry { file: Local { url, listed, tag, .. }, name, before } = entry;
        let read = before.and_then(|before| {
            let outcome = outcome.expect("a file with a status is read");
            let digests: Vec<_> = outcome.digests?.into_iter().collect::<io::Result<_>>()?;
            let after = system::stat(&name)?;
            let found = meta(&before);
            let is_listed = (listed.size.is_none() || listed.size == found.size)
                && (listed.mtime.is_none() || listed.mtime == found.mtime)
                && listed.etag.is_none();
            // another file may have taken the path before or after it was opened, also a directory's; the
            // metadata of pipes and devices does not depend on their content
            let is_same =
                !outcome.changed && is_listed && fingerprint(&before) == fingerprint(&after);
            let is_read = match before.kind {
                FileKind::File => is_same,
                FileKind::Directory => false,
                other => other == after.kind,
            };
            if !is_read {
                return Err(io::Error::other("it changed while it was read"));
            }
            let meta = Meta { size: Some(outcome.len), ..meta(&after) };
            Ok((meta, digests.into_iter().map(Vec::from).collect()))
        });
        let fetched = match read {
            Ok((meta, digests)) => Fetched { url, meta, listed, digests: Ok(digests) },
            Err(error) => Fetched::failed(url, listed, error.to_string()),
        };
        (self.0)(fetched, tag)
    }
}

/// The metadata of a path that differs if the file was written or replaced.
fn fingerprint(stat: &Stat) -> (FileKind, u64, (u64, u64), Time) {
    (stat.kind, stat.size, stat.identity, stat.modified)
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
    use std::{fs, iter};

    use super::*;
    use crate::computation;

    #[test]
    fn a_file_in_a_directory_s_place_is_not_the_listed_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let local = || {
            let (url, path) = (String::new(), path.clone());
            Local { url, path, is_named: false, listed: Meta::default(), tag: () }
        };
        // the first job is ready before the second one is asked for, and is read after that
        fs::create_dir(&path).unwrap();
        let change = || {
            fs::remove_dir(&path).ok()?;
            fs::write(&path, "another").unwrap();
            None
        };
        let mut read = Vec::new();
        hash(
            &[computation::parse("sha256").unwrap()],
            iter::once(local()).chain(iter::from_fn(change)),
            &Cancel::new(),
            |fetched, ()| {
                read.push(fetched.digests);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(read, [Err("it changed while it was read".into())]);
    }
}
