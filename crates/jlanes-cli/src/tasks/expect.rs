//! `--expect`: compares files with a digest from the command line.

use std::{io, iter, sync::Arc};

use jlanes_files::{Computation, Engine, Job, Rules, Work, lists::Entry};

use super::{
    TaskOutcome,
    check::{Checker, Strictness},
};
use crate::{
    files::{OperandFile, Operands},
    lists::{AcceptedDigests, ListItem},
    report::{Console, VerdictOptions},
};

/// Compares files with one digest.
pub(crate) struct Expect {
    pub(crate) operands: Operands,
    pub(crate) rules: Rules,
    /// The digests, as an entry of a list for each file.
    pub(crate) expected: Entry,
    /// A hint for files that do not match.
    pub(crate) hint: Option<String>,
    pub(crate) accepted: AcceptedDigests,
    pub(crate) ignore_missing: bool,
    pub(crate) shown: VerdictOptions,
}

impl Expect {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<TaskOutcome> {
        let Self { operands, rules, expected, hint, accepted, ignore_missing, shown } = self;
        let strictness = Strictness { ignore_missing, ..Strictness::default() };
        let jobs = jobs(operands, rules, expected, hint);
        let checker = Checker::new(console, accepted, (strictness, shown), engine.backend());
        let (stats, checker) = engine.run(jobs, checker)?;
        Ok((Some(stats), checker.finish()?))
    }
}

/// The files of `operands`, as entries of a list that are `expected`.
fn jobs(
    operands: Operands,
    rules: Rules,
    expected: Entry,
    hint: Option<String>,
) -> impl Iterator<Item = Job<ListItem>> + Send {
    let computations: Arc<[Computation]> =
        expected.digests.iter().map(|(it, _)| it.clone()).collect();
    let jobs = operands.files(Arc::new(rules)).map(move |(name, found)| {
        let entry = Entry { name, ..expected.clone() };
        match found {
            OperandFile::File(target) => {
                let work = Work { computations: Arc::clone(&computations), target };
                Job { payload: ListItem::File(entry), work: Some(work) }
            }
            OperandFile::Failed(error) if error.kind() == io::ErrorKind::NotFound => {
                Job { payload: ListItem::Unreadable { list: entry.name.into(), error }, work: None }
            }
            // any other error, even of a line in a list of names, counts as a file that could not be read
            OperandFile::Failed(error) => {
                Job { payload: ListItem::Sized(entry, Err(error)), work: None }
            }
        }
    });
    let end =
        ListItem::End { list: Arc::from(&b"--expect"[..]), skipped: false, hint, literal: None };
    jobs.chain(iter::once(Job { payload: end, work: None }))
}
