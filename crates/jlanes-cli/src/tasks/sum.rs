//! The default task: prints the digests of files.

use std::{fs, io, sync::Arc};

use jlanes::Backend;
use jlanes_files::{
    Computation, Digests, Engine, Job, Outcome, Payload, Rules, Sink, Work,
    lists::{ForeignFormat, Style, digest},
};

use super::{
    NOT_BEGUN, TaskOutcome,
    list_output::{ListOutput, commit, open},
};
use crate::{
    files::{OperandFile, Operands},
    hash::JPointersHasher,
    lists::checksum,
    report::{Console, Destination, Notice, Output, json},
    system,
};

/// Prints the digests of files.
pub(crate) struct Sum {
    pub(crate) operands: Operands,
    pub(crate) computations: Arc<[Computation]>,
    pub(crate) rules: Rules,
    pub(crate) form: Form,
    pub(crate) to: Option<ListOutput>,
}

impl Sum {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<TaskOutcome> {
        let Self { operands, computations, mut rules, form, to } = self;
        let Some((draft, destination)) = open(to, &computations, &mut rules, console) else {
            return Ok(NOT_BEGUN);
        };
        let printer = Printer::new(console, form, (&computations, rules.hash_links), destination);
        let (stats, printer) = engine.run(jobs(operands, computations, rules), printer)?;
        let written = printer.finish(engine.backend())?;
        Ok((Some(stats), commit(draft, written, console)?.into()))
    }
}

/// A file that waits for its result.
pub(crate) struct Pending {
    pub(super) name: Vec<u8>,
    /// The reason why it is not hashed.
    pub(super) error: Option<io::Error>,
}

/// The jobs of the files of `operands`, in order.
fn jobs(
    operands: Operands,
    computations: Arc<[Computation]>,
    rules: Rules,
) -> impl Iterator<Item = Job<Pending>> + Send {
    operands.files(Arc::new(rules)).map(move |(name, found)| match found {
        OperandFile::File(target) => {
            let work = Work { computations: Arc::clone(&computations), target };
            Job { payload: Pending { name, error: None }, work: Some(work) }
        }
        OperandFile::Failed(error) => {
            Job { payload: Pending { name, error: Some(error) }, work: None }
        }
    })
}

/// The format of printed digests.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Lines {
        style: Style,
        /// Whether the user named any file.
        named: bool,
    },
    Json(Style),
    /// One line for each file, in another tool's format.
    OtherFormat(ForeignFormat),
}

/// One of the digests printed for each file.
struct Column {
    computation: Computation,
    /// The name in lines, and that in JSON.
    tag: String,
    name: String,
    /// The files so far, for a digest of all files together.
    all_files: Option<JPointersHasher>,
}

impl Column {
    fn new(computation: &Computation) -> Self {
        let (tag, name) = (computation.tag(), computation.to_string());
        let all_files = JPointersHasher::new(computation);
        Self { computation: computation.clone(), tag, name, all_files }
    }

    /// Appends the line of one file.
    fn write(&self, form: Form, name: &[u8], len: u64, digest: &[u8], out: &mut Vec<u8>) {
        match (form, &self.computation) {
            (Form::Lines { style, named }, Computation::Checksum(sum)) if !sum.is_listed() => {
                checksum::write(style, *sum, named.then_some(name), len, digest, out);
            }
            (Form::Lines { style, .. }, _) => {
                style.write(&self.computation, &self.tag, name, digest, out);
            }
            (Form::OtherFormat(_), _) => {}
            (Form::Json(style), computation) => {
                let digest = digest::text(computation, digest, style.encoding);
                json::write(name, Some(len), &self.name, Ok(digest), out);
            }
        }
    }
}

/// The sink: prints results.
pub(crate) struct Printer<'v> {
    console: &'v Console,
    form: Form,
    columns: Vec<Column>,
    /// The directory of the last file, for formats that need it.
    dir: Vec<u8>,
    /// Whether symbolic links are hashed themselves.
    links: bool,
    output: Output,
    /// Whether every file could be read.
    all_read: bool,
    /// Whether no file changed while it was read.
    none_changed: bool,
}

impl<'v> Printer<'v> {
    pub(crate) fn new(
        console: &'v Console,
        form: Form,
        (computations, links): (&[Computation], bool),
        to: Destination,
    ) -> Self {
        let columns: Vec<_> = computations.iter().map(Column::new).collect();
        let mut output = Output::new(to);
        if let Form::OtherFormat(format) = form {
            format.begin(columns.iter().map(|column| &column.tag[..]), output.unwritten());
        }
        let (dir, all_read, none_changed) = (Vec::new(), true, true);
        Self { console, form, columns, dir, links, output, all_read, none_changed }
    }

    /// Prints an object that says why a column has no digest, if the output is JSON.
    fn print_json_error(
        &mut self,
        column: usize,
        name: &[u8],
        error: &io::Error,
    ) -> io::Result<()> {
        let algorithm = &self.columns[column].name;
        match self.form {
            Form::Lines { .. } | Form::OtherFormat(_) => Ok(()),
            Form::Json(_) => {
                self.output.line(|out| json::write(name, None, algorithm, Err(error), out))
            }
        }
    }

    fn say(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        self.all_read = false;
        // results and messages keep their order where both are shown together
        self.output.flush()?;
        self.console.report_error(name, error);
        Ok(())
    }

    /// Prints one message for a file that cannot be read, however many digests it should have.
    fn report_error(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        if Notice::is(error) {
            self.output.flush()?;
            self.console.report_error(name, error);
            return Ok(());
        }
        for column in 0..self.columns.len() {
            self.print_json_error(column, name, error)?;
        }
        self.say(name, error)
    }

    /// Prints all digests of a file in one line of `format`.
    fn print_row(
        &mut self,
        format: ForeignFormat,
        name: &[u8],
        len: u64,
        digests: Digests,
    ) -> io::Result<()> {
        let digests: Vec<_> = match digests.into_iter().collect() {
            Ok(digests) => digests,
            Err(error) => return self.report_error(name, &error),
        };
        if !format.supports_name(name) {
            return self
                .report_error(name, &io::Error::other("such a name does not fit the format"));
        }
        let is_link = self.links && format == ForeignFormat::Mtree;
        if let Some(text) = is_link.then(|| fs::read_link(system::path(name)).ok()).flatten() {
            let (text, dir) = (system::into_bytes(text.into()), &mut self.dir);
            return self.output.line(|out| ForeignFormat::write_link(name, &text, dir, out));
        }
        let tags = self.columns.iter().map(|column| &column.tag[..]);
        let digests = tags.zip(digests.iter().map(|digest| &digest[..]));
        let dir = &mut self.dir;
        self.output.line(|out| format.write(name, len, digests, dir, out))
    }

    fn print_digests(&mut self, name: &[u8], len: u64, digests: Digests) -> io::Result<()> {
        if let Form::OtherFormat(format) = self.form {
            return self.print_row(format, name, len, digests);
        }
        for (i, digest) in digests.into_iter().enumerate() {
            let column = &mut self.columns[i];
            match (digest, &mut column.all_files) {
                (Ok(leaf), Some(all_files)) => all_files.push(&leaf, len),
                (Ok(digest), None) => {
                    self.output.line(|out| column.write(self.form, name, len, &digest, out))?;
                }
                (Err(error), _) => {
                    self.print_json_error(i, name, &error)?;
                    self.say(name, &error)?;
                }
            }
        }
        Ok(())
    }

    /// Prints the digests of all files together. Returns whether all requested digests were printed,
    /// and whether any were.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self, backend: Backend) -> io::Result<(bool, bool)> {
        for i in 0..self.columns.len() {
            let column = &mut self.columns[i];
            match column.all_files.take() {
                None => {}
                Some(all_files) if self.all_read => {
                    let (len, digest) = (all_files.total, all_files.finish(backend));
                    self.output.line(|out| column.write(self.form, b"-", len, &digest, out))?;
                }
                Some(_) => {
                    let error = io::Error::other("no digest of a list without all its files");
                    self.print_json_error(i, b"-", &error)?;
                    self.say(b"-", &error)?;
                }
            }
        }
        self.output.flush()?;
        Ok((self.all_read && self.none_changed, self.output.has_lines()))
    }
}

impl Payload for Pending {
    fn weight(&self) -> usize {
        self.name.len()
    }
}

impl Sink<Pending> for Printer<'_> {
    fn accept(&mut self, asked: Pending, outcome: Option<Outcome>) -> io::Result<()> {
        let Pending { name, error } = asked;
        let changed = outcome.as_ref().is_some_and(|outcome| outcome.changed);
        self.output.report_if_changed(self.console, &name, changed)?;
        self.none_changed &= !changed;
        match outcome.map(|Outcome { len, digests, .. }| digests.map(|digests| (len, digests))) {
            Some(Ok((len, digests))) => self.print_digests(&name, len, digests),
            Some(Err(error)) => self.report_error(&name, &error),
            None => error.map_or(Ok(()), |error| self.report_error(&name, &error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
