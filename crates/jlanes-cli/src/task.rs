//! What the program can do.

use std::{ffi::OsString, io, sync::Arc, time::Instant};

use jlanes::Algorithm;

use crate::{
    audit::{self, Auditor, Record},
    check::{Accepted, Checker, Manner, lists},
    debug,
    error::Voice,
    hash::{self, Settings},
    operands::Operands,
    output::Output,
    sum::{self, Form, Printer},
    walk::Rules,
};

/// What to do.
pub(crate) enum Task {
    /// Print digests.
    Sum { operands: Operands, algorithms: Arc<[Algorithm]>, rules: Option<Rules>, form: Form },
    /// Check lists.
    Check { lists: Vec<OsString>, accepted: Accepted, manner: Manner, only: Vec<OsString> },
    /// Print a text.
    Print(Vec<u8>),
    /// Compare files with lists.
    Audit {
        lists: Vec<OsString>,
        accepted: Accepted,
        operands: Operands,
        rules: Rules,
        quiet: bool,
    },
}

impl Task {
    /// Does it. Returns whether all went well; errors are those of output.
    pub(crate) fn run(self, settings: Settings, debug: bool, voice: &Voice) -> io::Result<bool> {
        let (start, backend) = (Instant::now(), settings.backend);
        let (stats, well) = match self {
            Self::Print(text) => {
                let mut output = Output::default();
                output.line(|out| out.extend_from_slice(&text))?;
                return output.flush().map(|()| true);
            }
            Self::Sum { operands, algorithms, rules, form } => {
                let jobs = sum::jobs(operands, Arc::clone(&algorithms), rules);
                let printer = Printer::new(voice, form, algorithms);
                let (stats, printer) = hash::run(settings, jobs, printer)?;
                (stats, printer.finish(backend)?)
            }
            Self::Check { lists, accepted, manner, only } => {
                let jobs = lists::jobs(lists, accepted.clone(), only);
                let checker = Checker::new(voice, accepted, manner, backend);
                let (stats, checker) = hash::run(settings, jobs, checker)?;
                (stats, checker.all_good)
            }
            Self::Audit { lists, accepted, operands, rules, quiet } => {
                let (record, readable) = Record::read(lists, accepted, voice);
                let record = Arc::new(record);
                let jobs = audit::jobs(operands, rules, Arc::clone(&record));
                let auditor = Auditor::new(voice, record, quiet, backend);
                let (stats, auditor) = hash::run(settings, jobs, auditor)?;
                (stats, auditor.finish()? && readable)
            }
        };
        if debug {
            debug::tell(voice, &stats, start);
        }
        Ok(well)
    }
}
