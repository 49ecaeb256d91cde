//! What the program can do.

pub(crate) mod audit;
pub(crate) mod check;
mod debug;
pub(crate) mod dirhash;
pub(crate) mod sum;

use std::{ffi::OsString, io, sync::Arc, time::Instant};

use self::{
    audit::{Auditor, Record, Sought, Unusable},
    check::{Checker, Verdicts},
    dirhash::{Binder, DirHash},
    sum::{Form, Printer},
};
use crate::{
    files::{Files, Found, Operands, Rules, read::Target},
    hash::{Engine, Scheme},
    lists::{Accepted, reader},
    report::{
        Voice, output,
        progress::{self, When},
    },
};

/// What to do.
pub(crate) enum Task {
    /// Print digests.
    Sum { operands: Operands, schemes: Arc<[Scheme]>, rules: Option<Rules>, form: Form },
    /// Check lists.
    Check { lists: Vec<OsString>, accepted: Accepted, verdicts: Verdicts, only: Vec<OsString> },
    /// Print the digests of directories.
    Bind { operands: Operands, rules: Rules, hash: DirHash },
    /// Print a text.
    Print(Vec<u8>),
    /// Compare files with lists.
    Audit {
        lists: Vec<OsString>,
        accepted: Accepted,
        operands: Operands,
        rules: Rules,
        verdicts: audit::Verdicts,
    },
}

/// How to do it.
pub(crate) struct Manner {
    pub(crate) engine: Engine,
    pub(crate) progress: When,
    pub(crate) debug: bool,
}

/// Files to come.
type Targets = Box<dyn Iterator<Item = Target> + Send>;

impl Task {
    /// All files that are going to be read, if that can be known without reading a stream.
    fn targets(&self) -> Option<Targets> {
        let (operands, rules) = match self {
            Self::Sum { operands, rules, .. } => (operands, rules.as_ref()),
            Self::Audit { operands, rules: given, .. }
            | Self::Bind { operands, rules: given, .. } => (operands, Some(given)),
            Self::Check { lists, accepted, only, .. } => {
                if lists.iter().any(|list| list == "-") {
                    return None;
                }
                let jobs = reader::jobs(lists.clone(), accepted.clone(), only.clone());
                return Some(Box::new(jobs.filter_map(|job| job.work).map(|work| work.target)));
            }
            Self::Print(_) => return None,
        };
        let rules = rules.cloned().map(Arc::new);
        let operands = operands.again()?.into_iter();
        let files = operands.flat_map(move |operand| Files::of(operand, rules.as_ref()));
        Some(Box::new(files.filter_map(|(_, found)| match found {
            Found::File(target) => Some(target),
            Found::Failed(_) => None,
        })))
    }

    /// Does it. Returns whether all went well; errors are those of output.
    pub(crate) fn run(self, manner: Manner, voice: &Voice) -> io::Result<bool> {
        let Manner { mut engine, progress, debug } = manner;
        let (start, backend) = (Instant::now(), engine.settings.backend);
        engine.reading.meter = progress::start(progress);
        if engine.reading.meter.is_some()
            && let Some(targets) = self.targets()
        {
            progress::survey(targets.map(|target| match target {
                Target::Stdin => None,
                target => Some(target.size().unwrap_or(0)),
            }));
        }
        let (stats, well) = match self {
            Self::Print(text) => return output::print(&text).map(|()| true),
            Self::Sum { operands, schemes, rules, form } => {
                let printer = Printer::new(voice, form, &schemes);
                let jobs = sum::jobs(operands, schemes, rules);
                let (stats, printer) = engine.run(jobs, printer)?;
                (stats, printer.finish(backend)?)
            }
            Self::Bind { operands, rules, hash } => {
                let jobs = dirhash::jobs(operands, rules, hash);
                let (stats, binder) = engine.run(jobs, Binder::new(voice, hash))?;
                (stats, binder.all_good)
            }
            Self::Check { lists, accepted, verdicts, only } => {
                let jobs = reader::jobs(lists, accepted.clone(), only);
                let checker = Checker::new(voice, accepted, verdicts, backend);
                let (stats, checker) = engine.run(jobs, checker)?;
                (stats, checker.finish()?)
            }
            Self::Audit { lists, accepted, operands, rules, verdicts } => {
                let (record, good) = match Record::read(lists, accepted, voice) {
                    Ok((record, good)) => (Arc::new(record), good),
                    Err(Unusable) => return Ok(false),
                };
                let (names, wrong) = operands.collected();
                wrong.iter().for_each(|(list, error)| voice.complain(list, error));
                let (rules, operands) = (Arc::new(rules), Operands::Given(names));
                let again = operands.again().expect("names that were given can be had twice");
                let sought = Sought::new(again, &rules, &record);
                let jobs = audit::jobs(operands, rules, Arc::clone(&record), &sought);
                let auditor = Auditor::new(voice, record, sought, verdicts, backend);
                let (stats, auditor) = engine.run(jobs, auditor)?;
                (stats, auditor.finish()? && good && wrong.is_empty())
            }
        };
        progress::finish();
        if debug {
            debug::tell(voice, &stats, start);
        }
        Ok(well)
    }
}
