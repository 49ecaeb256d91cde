//! The tasks of the program. Each is a module with the options as a struct, jobs for the engine, and a sink that
//! prints.

pub(crate) mod audit;
pub(crate) mod check;
mod debug;
pub(crate) mod dedupe;
pub(crate) mod dirhash;
pub(crate) mod expect;
mod list_output;
pub(crate) mod outboard;
pub(crate) mod s3;
pub(crate) mod sum;
pub(crate) mod torrent;
pub(crate) mod update;

use std::{io, sync::Arc, time::Instant};

pub(crate) use self::list_output::{ListOutput, write_tree};
use jlanes_files::{Engine, Stats, Target};

use crate::{
    files::OperandFile,
    lists::reader,
    report::{
        Console, ExitState, output,
        progress::{self, ProgressWhen},
    },
};

/// A task, with the options that only it has.
pub(crate) enum Task {
    /// Print digests.
    Sum(sum::Sum),
    /// Check lists.
    Check(check::Check),
    /// Compare files with one digest.
    Expect(expect::Expect),
    /// Compare a file with an object of S3.
    S3(s3::CompareS3Object),
    /// Print a BLAKE3 digest, and write the nodes of its tree.
    Outboard(outboard::MakeOutboard),
    /// Compare a range of a file with a BLAKE3 digest.
    Range(outboard::VerifyRange),
    /// Compare files with a torrent.
    Torrent(torrent::CompareTorrent),
    /// Print groups of equal files.
    Dedupe(dedupe::Dedupe),
    /// Print the digests of directories.
    Dirhash(dirhash::Dirhash),
    /// Update a list.
    Update(update::Update),
    /// Print a text.
    Print(&'static str),
    /// Compare files with lists.
    Audit(audit::Audit),
}

/// The engine's statistics, `None` if the task could not begin, and how the task ended.
type TaskOutcome = (Option<Stats>, ExitState);

/// The outcome of a task that has reported why it cannot begin.
const NOT_BEGUN: TaskOutcome = (None, ExitState::Failed);

/// Options that all tasks share.
pub(crate) struct RunOptions {
    pub(crate) engine: Engine,
    pub(crate) progress: ProgressWhen,
    pub(crate) debug: bool,
}

/// Files to be read, for the total of progress.
type Targets = Box<dyn Iterator<Item = Target> + Send>;

impl Task {
    /// All files that will be read, unless finding them out means reading a stream.
    fn targets(&self) -> Option<Targets> {
        let (operands, rules) = match self {
            Self::Sum(sum::Sum { operands, rules, .. })
            | Self::Audit(audit::Audit { operands, rules, .. })
            | Self::Expect(expect::Expect { operands, rules, .. })
            | Self::Outboard(outboard::MakeOutboard { operands, rules, .. })
            | Self::Dirhash(dirhash::Dirhash { operands, rules, .. }) => (operands, rules),
            Self::Check(check::Check { lists, accepted, only, directories, .. }) => {
                if lists.iter().any(|list| list == "-") {
                    return None;
                }
                let directories = directories.clone();
                let jobs = reader::jobs(lists.clone(), accepted.clone(), only.clone(), directories);
                return Some(Box::new(jobs.filter_map(|job| job.work).map(|work| work.target)));
            }
            // few of their files will be read, or one; a torrent counts its own
            Self::Update(_)
            | Self::Dedupe(_)
            | Self::S3(_)
            | Self::Torrent(_)
            | Self::Range(_)
            | Self::Print(_) => return None,
        };
        let files = operands.try_clone()?.files(Arc::new(rules.clone()));
        Some(Box::new(files.filter_map(|(_, found)| match found {
            OperandFile::File(target) => Some(target),
            OperandFile::Failed(_) => None,
        })))
    }

    /// Performs the task. An error is one of output.
    pub(crate) fn run(self, options: RunOptions, console: &Console) -> io::Result<ExitState> {
        let RunOptions { mut engine, progress, debug } = options;
        let start = Instant::now();
        if progress::start(progress) {
            engine = engine.progress(progress::count);
            if let Some(targets) = self.targets() {
                progress::add_up_total(targets.map(|target| match target {
                    Target::Stdin => None,
                    target => Some(target.size().unwrap_or(0)),
                }));
            }
        }
        let engine = &engine;
        let (stats, ended) = match self {
            Self::Sum(task) => task.run(engine, console)?,
            Self::Check(task) => task.run(engine, console)?,
            Self::Expect(task) => task.run(engine, console)?,
            Self::S3(task) => task.run(engine, console)?,
            Self::Outboard(task) => (Some(Stats::default()), task.run(engine.backend(), console)?),
            Self::Range(task) => (Some(Stats::default()), task.run(engine.backend(), console)?),
            Self::Torrent(task) => task.run(engine, console)?,
            Self::Dedupe(task) => task.run(engine, console)?,
            Self::Dirhash(task) => task.run(engine, console)?,
            Self::Update(task) => task.run(engine, console)?,
            Self::Print(text) => (None, output::print(text.as_bytes()).map(|()| ExitState::Good)?),
            Self::Audit(task) => task.run(engine, console)?,
        };
        let Some(stats) = stats else { return Ok(ended) };
        progress::finish();
        if debug {
            debug::print(console, &stats, start);
        }
        Ok(ended)
    }
}
