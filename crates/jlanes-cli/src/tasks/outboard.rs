//! Outboards: the nodes of BLAKE3's tree over a file, and the proof of a range by them.

use std::{
    ffi::OsString,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
};

use jlanes::{
    Backend,
    bao::{Bao, Error, Layout, Value, Verified},
};
use jlanes_files::{Computation, Outcome, Rules, Sink};

use super::{
    list_output::{ListOutput, commit, open},
    sum::{Form, Pending, Printer},
};
use crate::{
    files::{OperandFile, Operands, Replacement, open_or_stdin},
    report::{
        Console, Details, ExitState, Verdict, VerdictOptions, Verdicts, details, progress, quote,
        reason,
    },
    system,
};

/// Prints the digest of one file, and writes the outboard.
pub(crate) struct MakeOutboard {
    pub(crate) bao: Bao,
    pub(crate) layout: Layout,
    pub(crate) out: OsString,
    pub(crate) computations: Vec<Computation>,
    pub(crate) operands: Operands,
    pub(crate) rules: Rules,
    pub(crate) form: Form,
    pub(crate) to: Option<ListOutput>,
}

/// A file, with a count of its bytes for the progress.
struct CountingReader<R>(R);

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).inspect(|read| progress::count(*read as u64))
    }
}

impl MakeOutboard {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, backend: Backend, console: &Console) -> io::Result<ExitState> {
        let Self { bao, layout, out, computations, operands, mut rules, form, to } = self;
        let Some((draft, destination)) = open(to, &computations, &mut rules, console) else {
            return Ok(ExitState::Failed);
        };
        let bao = bao.on(backend);
        let mut printer =
            Printer::new(console, form, (&computations, rules.hash_links), destination);
        for (name, found) in operands.files(rules.into()) {
            let made = match found {
                OperandFile::File(_) => write_outboard(&bao, layout, &name, &out),
                OperandFile::Failed(error) => Err(error),
            };
            let (outcome, error) = match made {
                Ok((root, len)) => {
                    let digests = Ok(vec![Ok(root.into())]);
                    (Some(Outcome { len, stat: None, changed: false, digests }), None)
                }
                Err(error) => (None, Some(error)),
            };
            printer.accept(Pending { name, error }, outcome)?;
        }
        Ok(commit(draft, printer.finish(backend)?, console)?.into())
    }
}

/// Writes the outboard of the file `name` to `out`. Returns the digest and the length.
fn write_outboard(
    bao: &Bao,
    layout: Layout,
    name: &[u8],
    out: &OsString,
) -> io::Result<(Value, u64)> {
    let file = CountingReader(open_or_stdin(system::path(name).as_os_str())?);
    let outboard = bao.read_outboard(layout, file)?;
    // a part of an outboard would pass for that of a shorter file
    let write = || {
        let place = Replacement::new(out)?;
        outboard.write_to(place.file()?)?;
        place.commit()
    };
    write().map_err(|error| outboard_error(out, &error))?;
    Ok((outboard.root(), outboard.length()))
}

/// An error of the outboard, not of the file.
fn outboard_error(name: &OsString, error: &io::Error) -> io::Error {
    let name = quote::value(name);
    io::Error::new(error.kind(), format!("outboard {name}: {}", reason(error)))
}

/// Compares a range of a file with a digest.
pub(crate) struct VerifyRange {
    pub(crate) bao: Bao,
    pub(crate) root: Value,
    pub(crate) computation: Computation,
    pub(crate) name: OsString,
    pub(crate) outboard: OsString,
    pub(crate) range: Range<u64>,
    pub(crate) shown: VerdictOptions,
}

impl VerifyRange {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, backend: Backend, console: &Console) -> io::Result<ExitState> {
        let mut verdicts = Verdicts::new(console, self.shown);
        let name = system::bytes(&self.name);
        let (verdict, failure) = match self.compare(backend) {
            Ok(()) => (Verdict::Ok, None),
            Err(Error::Io(error)) => (Verdict::Unreadable, Some(error)),
            Err(error) => (Verdict::Failed, Some(io::Error::other(error))),
        };
        if let Some(error) = &failure {
            verdicts.report_error(&name, error)?;
        }
        verdicts.print(verdict, &name, || Details {
            error: failure.as_ref(),
            ..details(&self.computation, &self.root)
        })?;
        verdicts.finish(&[Verdict::Ok, Verdict::Failed, Verdict::Unreadable])
    }

    fn compare(&self, backend: Backend) -> Result<(), Error> {
        let mut data = system::open_named(&self.name)?;
        let named = |error| outboard_error(&self.outboard, &error);
        let mut nodes = system::open_named(&self.outboard).map_err(named)?;
        // devices have a length, too
        let len = data.seek(SeekFrom::End(0))?;
        let outboard = nodes.seek(SeekFrom::End(0)).map_err(named)?;
        let layout = Layout::of_lengths(len, outboard);
        let layout = layout.ok_or(Error::OutboardLength { len, outboard })?;
        let (bao, files) = (self.bao.on(backend), (nodes, data));
        let mut verified = Verified::open(bao, &self.root, layout, len, files)?;
        let Range { start, end } = self.range;
        if start > len || (end > len && end < u64::MAX) {
            let error = format!("the range goes past the end, which is at byte {len}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, error).into());
        }
        verified.read(self.range.clone(), io::sink())?;
        Ok(())
    }
}
