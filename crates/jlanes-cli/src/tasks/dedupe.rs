//! `--dedupe`: finds files that are equal.
//!
//! Only few files are read completely. A file with a size of its own is not opened. Of the others, the
//! first buffer is hashed, which is all of most files. Only files with equal first buffers are hashed
//! to the end, on lanes as usual.
//!
//! The output is a list with comments, which `--check` accepts.

use std::{collections::HashSet, ffi::CString, io, slice, sync::Arc, time::SystemTime};

use jlanes_files::{
    Computation, Engine, Job, Outcome, Payload, Rules, Sink, Stats, Target, Work,
    lists::{Style, digest},
};

use super::{
    NOT_BEGUN, TaskOutcome,
    list_output::{ListOutput, commit, open},
};
use crate::{
    files::{OperandFile, Operands},
    report::{Console, Destination, Notice, Output, json},
    system::FileKind,
};

/// The options for printing groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DedupeForm {
    pub(crate) style: Style,
    pub(crate) json: bool,
    /// Whether to print the totals at the end.
    pub(crate) summary: bool,
}

/// Prints groups of equal files.
pub(crate) struct Dedupe {
    pub(crate) operands: Operands,
    pub(crate) rules: Rules,
    pub(crate) computation: Computation,
    pub(crate) form: DedupeForm,
    pub(crate) to: Option<ListOutput>,
}

impl Dedupe {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<TaskOutcome> {
        let Self { operands, mut rules, computation, form, to } = self;
        let opened = open(to, slice::from_ref(&computation), &mut rules, console);
        let Some((draft, destination)) = opened else { return Ok(NOT_BEGUN) };
        let (stats, all_read) =
            find_duplicates(engine, (operands, rules), &computation, (form, destination), console)?;
        // finding no equal files is a result, so an empty list is written
        Ok((Some(stats), commit(draft, (all_read, true), console)?.into()))
    }
}

/// A file that may be equal to others.
struct Candidate {
    name: Vec<u8>,
    size: u64,
    /// Whether to follow a symbolic link.
    follow: bool,
    /// The number of bytes hashed so far, and their digest.
    hashed: Option<(u64, Box<[u8]>)>,
}

impl Candidate {
    fn target(&self) -> Target {
        let path = CString::new(&self.name[..]).expect("names of files have no NUL");
        Target::Walked { dir: None, path, follow: self.follow, git: false }
    }

    /// Whether the whole file was hashed.
    fn is_whole(&self) -> bool {
        self.hashed.as_ref().is_some_and(|(len, _)| *len == self.size)
    }
}

/// Finds and prints equal files. Returns whether all files could be compared.
///
/// # Errors
/// Those of output.
fn find_duplicates(
    engine: &Engine,
    (operands, rules): (Operands, Rules),
    computation: &Computation,
    (form, to): (DedupeForm, Destination),
    console: &Console,
) -> io::Result<(Stats, bool)> {
    let begun = SystemTime::now();
    let (mut files, mut all_read) = candidates(operands, Arc::new(rules), console);
    let mut stats = Stats::default();
    for first_buffer_only in [true, false] {
        // files that could not be read once are not tried again
        let is_left = |at: &usize| first_buffer_only || files[*at].hashed.is_some();
        let left = (0..files.len()).filter(is_left).collect();
        let alike = groups(&files, left, |file| (file.size, file.hashed.clone()));
        let mut jobs: Vec<_> = alike.into_iter().flatten().collect();
        jobs.retain(|at| first_buffer_only || !files[*at].is_whole());
        // neighbours in a directory often are neighbours on the disk
        jobs.sort_unstable();
        let computations: Arc<[Computation]> = Arc::new([computation.clone()]);
        let work = jobs.into_iter().map(|at| {
            let work = Work { computations: Arc::clone(&computations), target: files[at].target() };
            Job { payload: FileIndex(at), work: Some(work) }
        });
        let work: Vec<_> = work.collect();
        let (done, hasher) = engine.clone().first_buffer_only(first_buffer_only).run(
            work.into_iter(),
            DigestCollector { console, files, all_read, first_buffer_only },
        )?;
        DigestCollector { files, all_read, .. } = hasher;
        stats.add_later(done);
    }
    let whole = (0..files.len()).filter(|at| files[*at].is_whole()).collect();
    let mut duplicates = groups(&files, whole, |file| (file.size, file.hashed.clone()));
    duplicates.sort_unstable();
    print((&files, &duplicates), computation, form, begun, to)?;
    Ok((stats, all_read))
}

/// The files of `operands`, without empty ones. A file with several links comes once.
fn candidates(operands: Operands, rules: Arc<Rules>, console: &Console) -> (Vec<Candidate>, bool) {
    let (mut files, mut all_read) = (Vec::new(), true);
    let mut known = HashSet::new();
    for (name, found) in operands.files(rules) {
        let (stat, follow) = match found {
            OperandFile::Failed(error) => (Err(error), false),
            OperandFile::File(target) => {
                (target.stat(), !matches!(target, Target::Walked { follow: false, .. }))
            }
        };
        match stat {
            Ok(Some(stat)) if stat.kind == FileKind::File => {
                if stat.size > 0 && known.insert(stat.identity) {
                    files.push(Candidate { name, size: stat.size, follow, hashed: None });
                }
            }
            Ok(_) => {
                all_read = false;
                console.report_error(&name, &io::Error::other("not a regular file"));
            }
            Err(error) => {
                all_read &= Notice::is(&error);
                console.report_error(&name, &error);
            }
        }
    }
    (files, all_read)
}

/// The files in `at` that share their `key` with others, as groups. Groups and members keep their order.
fn groups<K: Ord>(
    files: &[Candidate],
    mut at: Vec<usize>,
    key: impl Fn(&Candidate) -> K,
) -> Vec<Vec<usize>> {
    at.sort_by_cached_key(|at| key(&files[*at]));
    let groups = at.chunk_by(|a, b| key(&files[*a]) == key(&files[*b]));
    groups.filter(|group| group.len() > 1).map(<[usize]>::to_vec).collect()
}

/// The engine's payload: the index of a file among the candidates.
struct FileIndex(usize);

impl Payload for FileIndex {
    fn weight(&self) -> usize {
        0
    }
}

/// The sink: stores the digests of files.
struct DigestCollector<'v> {
    console: &'v Console,
    files: Vec<Candidate>,
    all_read: bool,
    /// Whether the digests may be of first buffers only.
    first_buffer_only: bool,
}

impl Sink<FileIndex> for DigestCollector<'_> {
    fn accept(&mut self, FileIndex(at): FileIndex, outcome: Option<Outcome>) -> io::Result<()> {
        let Some(outcome) = outcome else { return Ok(()) };
        let file = &mut self.files[at];
        let (len, changed) = (outcome.len, outcome.changed);
        file.hashed = match outcome.only_digest() {
            Ok(digest) => Some((len, digest)),
            Err(error) => {
                self.all_read = false;
                self.console.report_error(&file.name, &error);
                None
            }
        };
        let has_other_size = !self.first_buffer_only && file.hashed.is_some() && len != file.size;
        if changed || has_other_size {
            self.all_read = false;
            self.console.report_changed(&file.name);
            file.hashed = None;
        }
        Ok(())
    }
}

fn print(
    (files, duplicates): (&[Candidate], &[Vec<usize>]),
    computation: &Computation,
    form: DedupeForm,
    begun: SystemTime,
    to: Destination,
) -> io::Result<()> {
    let mut output = Output::new(to);
    let (tag, name) = (computation.tag(), computation.to_string());
    let (mut count, mut total) = (0, 0);
    for group in duplicates {
        let Candidate { size, hashed, .. } = &files[group[0]];
        let Some((_, digest)) = hashed else { continue };
        let wasted = size.saturating_mul(group.len() as u64 - 1);
        count += group.len() as u64;
        total += wasted;
        let names = || group.iter().map(|at| &files[*at].name[..]);
        if form.json {
            let digest = digest::text(computation, digest, form.style.encoding);
            let names: Vec<_> = names().collect();
            output.line(|out| json::group(&names, *size, wasted, &name, digest, out))?;
            continue;
        }
        let title = format!("# {} files of {}, {wasted} wasted\n", group.len(), bytes(*size));
        output.line(|out| out.extend(title.bytes()))?;
        for name in names() {
            output.line(|out| form.style.write(computation, &tag, name, digest, out))?;
        }
        output.line(|out| out.push(b'\n'))?;
    }
    if form.summary {
        let groups = duplicates.len() as u64;
        let counts = [("groups", groups), ("files", count), ("bytes wasted", total)];
        output.line(|out| match form.json {
            true => json::summary(&counts, begun, out),
            false => out.extend(
                format!("# summary: {groups} groups, {count} files, {} wasted\n", bytes(total))
                    .bytes(),
            ),
        })?;
    }
    output.flush()
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}
