//! `--dirhash`: prints the digests of directories.

use std::{io, mem, slice};

use jlanes::Backend;
use jlanes_files::{
    Computation, Engine, Job, Outcome, Rules, Sink,
    lists::{escape, needs_escape},
};

use super::{
    NOT_BEGUN, TaskOutcome,
    list_output::{ListOutput, commit, open},
};
use crate::{
    files::Operands,
    hash::directory::{self, DirectoryDigest, DirectoryItem},
    report::{Console, Destination, Notice, Output, digest_text},
};

/// Prints the digests of directories.
pub(crate) struct Dirhash {
    pub(crate) operands: Operands,
    pub(crate) rules: Rules,
    pub(crate) computation: Computation,
    /// Whether lines have tags.
    pub(crate) tagged: bool,
    /// The destination of the lines.
    pub(crate) to: Option<ListOutput>,
}

impl Dirhash {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<TaskOutcome> {
        let Self { operands, mut rules, computation, tagged, to } = self;
        let opened = open(to, slice::from_ref(&computation), &mut rules, console);
        let Some((draft, destination)) = opened else { return Ok(NOT_BEGUN) };
        let jobs = jobs(operands, rules, computation.clone());
        let printer =
            DirectoryPrinter::new(console, (computation, tagged), engine.backend(), destination);
        let (stats, printer) = engine.run(jobs, printer)?;
        Ok((Some(stats), commit(draft, printer.finish(), console)?.into()))
    }
}

/// The files in the directories `operands`, each followed by the directory's end.
fn jobs(
    operands: Operands,
    rules: Rules,
    computation: Computation,
) -> impl Iterator<Item = Job<DirectoryItem>> + Send {
    operands.into_iter().flat_map(move |operand| directory::jobs(operand, &rules, &computation))
}

/// The sink: prints the digests of directories.
struct DirectoryPrinter<'v> {
    console: &'v Console,
    computation: Computation,
    tagged: bool,
    backend: Backend,
    /// The files of the current directory so far.
    directory: DirectoryDigest,
    /// Whether all of these could be read.
    whole: bool,
    output: Output,
    /// Whether every directory so far has its digest.
    all_good: bool,
}

impl<'v> DirectoryPrinter<'v> {
    fn new(
        console: &'v Console,
        (computation, tagged): (Computation, bool),
        backend: Backend,
        to: Destination,
    ) -> Self {
        let (directory, output) = (DirectoryDigest::default(), Output::new(to));
        Self {
            console,
            computation,
            tagged,
            backend,
            directory,
            whole: true,
            output,
            all_good: true,
        }
    }

    /// Returns whether every directory has its digest, and whether there are any directories.
    fn finish(self) -> (bool, bool) {
        (self.all_good, self.output.has_lines())
    }

    fn report_error(&mut self, path: &[u8], error: &io::Error) -> io::Result<()> {
        if !Notice::is(error) {
            (self.whole, self.all_good) = (false, false);
        }
        self.output.flush()?;
        self.console.report_error(path, error);
        Ok(())
    }

    fn end(&mut self, name: &[u8]) -> io::Result<()> {
        let directory = mem::take(&mut self.directory);
        if !mem::replace(&mut self.whole, true) {
            return Ok(());
        }
        match directory.finish(&self.computation, self.backend) {
            Ok(digest) => {
                let digest = digest_text(&self.computation, &digest);
                let tag = self.tagged.then(|| self.computation.tag());
                self.output.line(|out| write(tag.as_deref(), name, &digest, out))
            }
            Err(error) => {
                self.report_error(name, &error)?;
                self.whole = true;
                Ok(())
            }
        }
    }
}

/// Appends the line of one directory.
fn write(tag: Option<&str>, name: &[u8], digest: &str, out: &mut Vec<u8>) {
    let (escaped, shown) = (needs_escape(name), escape(name));
    out.extend_from_slice(if escaped { b"\\" } else { b"" });
    let parts: [&[u8]; 5] = match tag {
        Some(tag) => [tag.as_bytes(), b" (", &shown, b") = ", digest.as_bytes()],
        None => [digest.as_bytes(), b"  ", &shown, b"", b""],
    };
    parts.into_iter().for_each(|part| out.extend_from_slice(part));
    out.push(b'\n');
}

impl Sink<DirectoryItem> for DirectoryPrinter<'_> {
    fn accept(&mut self, item: DirectoryItem, outcome: Option<Outcome>) -> io::Result<()> {
        if let DirectoryItem::End(name) = item {
            return self.end(&name);
        }
        let changed = outcome.as_ref().is_some_and(|outcome| outcome.changed);
        self.output.report_if_changed(self.console, item.path(), changed)?;
        self.all_good &= !changed;
        self.directory
            .add(item, outcome)
            .map_or(Ok(()), |(path, error)| self.report_error(&path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
