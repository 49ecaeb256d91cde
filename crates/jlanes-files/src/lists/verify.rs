//! Comparison of files with a list.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Entry, Fault, GnuParser, Line, LineCounts, List, TagRules};
use crate::{BaseDir, Engine, Job, Outcome, Payload, Target, Work, system};

/// A line of a list, with the verdict on its file.
#[derive(Debug)]
pub struct VerifiedLine {
    /// The line's number, from 1 on.
    pub number: u64,
    /// The entry, if the line is well-formed.
    pub entry: Option<Entry>,
    /// The file's digests, one for each of the entry's; none if it could not be read.
    pub found: Vec<Box<[u8]>>,
    /// The verdict on the file, or on a line that has no entry.
    pub verdict: Verdict,
}

/// The verdict on a file.
#[derive(Debug)]
pub enum Verdict {
    /// The file has the digests of the line, and its size if the line has one.
    Match,
    /// The file has another digest or another size.
    Mismatch,
    /// The file could not be read, or changed while it was read.
    Unreadable(io::Error),
    /// The line is malformed, or refused by [`TagRules`].
    Fault(Fault),
}

/// Hashes the files of a list and passes the verdict on each line to `each`, in order. Relative names
/// start at the working directory. The list chooses which files are read, so trust its writer with
/// that, or use [`verify_beneath`]. A missing file that the list calls optional gets no verdict.
///
/// Returns the numbers of the list's lines.
///
/// # Errors
/// Those of `each` and of the list's reader, which end the run, and
/// [`Interrupted`](io::ErrorKind::Interrupted) after a [`Cancel`](crate::Cancel).
pub fn verify(
    engine: &Engine,
    list: List,
    tags: impl TagRules + Send,
    each: impl FnMut(VerifiedLine) -> io::Result<()> + Send,
) -> io::Result<LineCounts> {
    run(engine, Jobs { list, parser: GnuParser::new(tags), root: Root::Here, is_over: false }, each)
}

/// [`verify`] with relative names that start at the directory `dir`.
///
/// # Errors
/// Those of [`verify`].
pub fn verify_at(
    engine: &Engine,
    dir: &Path,
    list: List,
    tags: impl TagRules + Send,
    each: impl FnMut(VerifiedLine) -> io::Result<()> + Send,
) -> io::Result<LineCounts> {
    let root = Root::At(dir.to_owned());
    run(engine, Jobs { list, parser: GnuParser::new(tags), root, is_over: false }, each)
}

/// [`verify`] for untrusted lists: it reads only regular files below `base`. Absolute names, and names
/// and symbolic links that lead out of `base`, are unreadable.
///
/// ```
/// use std::{io, sync::Arc};
///
/// use jlanes_files::{
///     BaseDir, Engine,
///     lists::{AnyAlgorithm, List, Verdict, verify_beneath},
/// };
///
/// let base = Arc::new(BaseDir::open(b"src")?);
/// let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// let list = format!("{digest}  lib.rs\n{digest}  ../Cargo.toml\n");
/// let list = List::new(io::Cursor::new(list))?.max_line_bytes(4096);
/// let mut verdicts = Vec::new();
/// verify_beneath(&Engine::new(), &base, list, AnyAlgorithm::default(), |line| {
///     verdicts.push(line.verdict);
///     Ok(())
/// })?;
/// assert!(matches!(verdicts[..], [Verdict::Mismatch, Verdict::Unreadable(_)]));
/// # Ok::<(), io::Error>(())
/// ```
///
/// # Errors
/// Those of [`verify`].
pub fn verify_beneath(
    engine: &Engine,
    base: &Arc<BaseDir>,
    list: List,
    tags: impl TagRules + Send,
    each: impl FnMut(VerifiedLine) -> io::Result<()> + Send,
) -> io::Result<LineCounts> {
    let root = Root::Beneath(Arc::clone(base));
    run(engine, Jobs { list, parser: GnuParser::new(tags), root, is_over: false }, each)
}

fn run(
    engine: &Engine,
    mut jobs: Jobs<impl TagRules + Send>,
    mut each: impl FnMut(VerifiedLine) -> io::Result<()> + Send,
) -> io::Result<LineCounts> {
    let all = std::iter::from_fn(|| jobs.next());
    let sink = |pending: Pending, outcome: Option<_>| each(pending.verified(outcome)?);
    engine.clone().detect_changes(true).run(all, sink).map(drop)?;
    Ok(jobs.list.line_counts())
}

struct Jobs<T: TagRules> {
    list: List,
    parser: GnuParser<T>,
    root: Root,
    is_over: bool,
}

/// The directory where relative names start.
enum Root {
    /// The working directory, or another one by its path.
    Here,
    At(PathBuf),
    /// A directory that no name and no link leads out of.
    Beneath(Arc<BaseDir>),
}

impl Root {
    fn target(&self, name: &[u8]) -> io::Result<Target> {
        let path = system::native_name(name);
        match self {
            Self::Here => Target::at(&path),
            Self::At(dir) => Target::at(&system::bytes(dir.join(system::path(&path)).as_os_str())),
            Self::Beneath(base) => Target::beneath(base, &path),
        }
    }
}

/// A line that waits for its verdict.
enum Pending {
    File(u64, Entry),
    /// An entry with a size only, and the size found.
    Sized(u64, Entry, io::Result<u64>),
    Fault(u64, Fault),
    Unreadable(io::Error),
}

impl<T: TagRules> Jobs<T> {
    fn next(&mut self) -> Option<Job<Pending>> {
        while !self.is_over {
            match self.list.next(&mut self.parser) {
                Ok(line) => {
                    let line = line?;
                    if let Some(job) = self.job(line) {
                        return Some(job);
                    }
                }
                Err(error) => {
                    self.is_over = true;
                    return Some(Job { payload: Pending::Unreadable(error), work: None });
                }
            }
        }
        None
    }

    /// The job for a line; `None` if its file is optional and missing.
    fn job(&self, line: Line) -> Option<Job<Pending>> {
        let note = |payload| Some(Job { payload, work: None });
        let Line { number, entry, is_optional, .. } = line;
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(fault) => return note(Pending::Fault(number, fault)),
        };
        let target = |name: &[u8]| self.root.target(name);
        entry.choose_name(|name| target(name).is_ok_and(|it| it.regular_size().is_ok()));
        let Ok(target) = target(&entry.name) else {
            return note(Pending::Fault(number, Fault::Malformed));
        };
        let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
        if is_optional && target.regular_size().is_err_and(is_missing) {
            return None;
        }
        if entry.digests.is_empty() {
            let size = target.regular_size();
            return note(Pending::Sized(number, entry, size));
        }
        let computations = entry.digests.iter().map(|(it, _)| it.clone()).collect();
        let work = Work { computations, target };
        Some(Job { payload: Pending::File(number, entry), work: Some(work) })
    }
}

impl Payload for Pending {
    fn weight(&self) -> usize {
        match self {
            Self::File(_, entry) | Self::Sized(_, entry, _) => entry.weight(),
            Self::Fault(..) | Self::Unreadable(_) => 0,
        }
    }
}

impl Pending {
    /// The verdict on the line, from the outcome of its file.
    fn verified(self, outcome: Option<Outcome>) -> io::Result<VerifiedLine> {
        let verdict = |is_right| if is_right { Verdict::Match } else { Verdict::Mismatch };
        let mut found = Vec::new();
        let (number, entry, verdict) = match (self, outcome) {
            (Self::Unreadable(error), _) => return Err(error),
            (Self::Fault(number, fault), _) => (number, None, Verdict::Fault(fault)),
            (Self::Sized(number, entry, size), _) => {
                let verdict = size.map(|size| verdict(entry.size == Some(size)));
                (number, Some(entry), verdict.unwrap_or_else(Verdict::Unreadable))
            }
            (Self::File(number, entry), Some(outcome)) => {
                let digests = outcome.digests.and_then(|all| all.into_iter().collect());
                let verdict = digests.map(|digests: Vec<_>| {
                    if outcome.changed {
                        return Verdict::Unreadable(io::Error::other(
                            "it changed while it was read",
                        ));
                    }
                    found = digests;
                    verdict(entry.compare(Some(outcome.len), &found).is_ok())
                });
                (number, Some(entry), verdict.unwrap_or_else(Verdict::Unreadable))
            }
            (Self::File(..), None) => unreachable!("a file is read"),
        };
        Ok(VerifiedLine { number, entry, found, verdict })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::lists::AnyAlgorithm;

    fn verdicts(list: &str) -> Vec<Verdict> {
        let list = List::new(io::Cursor::new(list.to_owned())).unwrap();
        let mut verdicts = Vec::new();
        let each = |line: VerifiedLine| {
            verdicts.push(line.verdict);
            Ok(())
        };
        verify(&Engine::new(), list, AnyAlgorithm::default(), each).unwrap();
        verdicts
    }

    #[test]
    fn sizes_are_those_of_regular_files() {
        let dir = tempfile::tempdir().unwrap();
        // a backslash begins an escape in mtree's names
        let path = dir.path().to_str().unwrap().replace('\\', "/");
        fs::write(dir.path().join("f"), "abc").unwrap();
        let size = fs::metadata(&path).unwrap().len();
        let list = format!("#mtree\n{path}/f size=3\n{path}/f size=4\n{path} size={size}\n");
        let found = verdicts(&list);
        assert!(
            matches!(found[..], [Verdict::Match, Verdict::Mismatch, Verdict::Unreadable(_)]),
            "{found:?}"
        );
    }

    #[test]
    fn names_begin_in_a_directory_and_found_digests_are_returned() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("f"), "abc").unwrap();
        let list = List::new(io::Cursor::new(format!("{}  f\n", "0a".repeat(32)))).unwrap();
        let mut found = Vec::new();
        let each = |line: VerifiedLine| {
            assert!(matches!(line.verdict, Verdict::Mismatch));
            found.extend(line.found);
            Ok(())
        };
        verify_at(&Engine::new(), dir.path(), list, AnyAlgorithm::default(), each).unwrap();
        assert_eq!(&found[0][..4], [0xba, 0x78, 0x16, 0xbf]);
    }

    #[test]
    #[cfg(unix)]
    fn nothing_leads_out_of_the_base() {
        use std::os::unix::fs::symlink;

        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("base")).unwrap();
        fs::write(at("base/f"), "abc").unwrap();
        fs::write(at("secret"), "abc").unwrap();
        symlink("../secret", at("base/link")).unwrap();
        symlink("f", at("base/inside")).unwrap();
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let secret = at("secret");
        let names = ["f", "inside", "link", "../secret", secret.to_str().unwrap(), "-", "."];
        let list: String = names.iter().map(|name| format!("{digest}  {name}\n")).collect();
        let list = List::new(io::Cursor::new(list + "no line of a list\n")).unwrap();
        let base = Arc::new(BaseDir::open(at("base").to_str().unwrap().as_bytes()).unwrap());
        let mut found = Vec::new();
        let each = |line: VerifiedLine| {
            found.push(match line.verdict {
                Verdict::Match => "match",
                Verdict::Mismatch => "mismatch",
                Verdict::Unreadable(_) => "unreadable",
                Verdict::Fault(_) => "fault",
            });
            Ok(())
        };
        verify_beneath(&Engine::new(), &base, list, AnyAlgorithm::default(), each).unwrap();
        let no = "unreadable";
        assert_eq!(found, ["match", "match", no, no, no, no, no, "fault"]);
    }

    #[test]
    fn short_digests_are_refused_in_every_form() {
        let hex = "0a".repeat(8);
        for list in [
            format!("SHAKE128-64 (f) = {hex}\n"),
            format!("SHAKE128-64(f)= {hex}\n"),
            format!("{{\"name\":\"f\",\"algorithm\":\"shake128-64\",\"digest\":\"{hex}\"}}\n"),
            format!("Algorithm : SHAKE128-64\nHash : {hex}\nPath : f\n"),
            // a name that is a keyword of mtree
            format!("SHAKE128-64 (a type=link) = {hex}\n"),
        ] {
            let found = verdicts(&list);
            let told = "has 64 bits, and 128 are the least";
            assert!(
                matches!(&found[..], [Verdict::Fault(Fault::Refused(why))] if why.ends_with(told)),
                "{list}: {found:?}"
            );
        }
    }

    #[test]
    fn a_title_without_a_digest_and_a_broken_line_are_malformed() {
        for list in ["SHA256 hash of f:\n", "MD5 (f) = 0\n"] {
            let found = verdicts(list);
            assert!(matches!(found[..], [Verdict::Fault(Fault::Malformed)]), "{list}: {found:?}");
        }
    }

    #[test]
    fn a_comment_tells_that_a_list_is_a_specification() {
        assert!(verdicts("#mtree\n/unset all\n").is_empty());
        assert_eq!(verdicts("/unset all\n").len(), 1);
    }

    #[test]
    fn entries_that_wait_are_weighed() {
        let [sha256, md5] = ["sha256", "md5"].map(|name| name.parse().unwrap());
        let digests = vec![(sha256, vec![0; 32]), (md5, vec![0; 16])];
        let entry =
            Entry { name: b"f".to_vec(), literal: None, digests, any_suffices: false, size: None };
        assert_eq!(entry.weight(), 49);
        assert_eq!(Pending::Sized(1, entry.clone(), Ok(3)).weight(), 49);
        assert_eq!(Pending::File(1, entry).weight(), 49);
        assert_eq!(Pending::Fault(1, Fault::Malformed).weight(), 0);
    }
}
