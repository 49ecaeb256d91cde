//! Printing digests.

use std::{io, mem, sync::Arc};

use crate::{
    algorithm::Algorithm,
    error::Voice,
    files::Files,
    hash::{Job, Outcome, Sink},
    json,
    line::Style,
    operands::Operands,
    output::Output,
    walk::{Found, Rules},
};

/// A file that the user asked for, on its way to a line.
pub(crate) struct Asked {
    name: Vec<u8>,
    algorithm: Algorithm,
    /// Whether this is the file's first algorithm.
    first: bool,
    /// Why there is nothing to hash.
    error: Option<io::Error>,
}

/// The files that `operands` stand for, in order, each once for every algorithm.
pub(crate) fn jobs(
    operands: Operands,
    algorithms: Vec<Algorithm>,
    rules: Option<Rules>,
) -> impl Iterator<Item = Job<Asked>> + Send {
    let rules = rules.map(Arc::new);
    let files = operands.into_iter().flat_map(move |operand| Files::of(operand, rules.as_ref()));
    files.flat_map(move |(name, found)| match found {
        Found::File(target) => {
            let job = |(i, &algorithm)| Job {
                payload: Asked { name: name.clone(), algorithm, first: i == 0, error: None },
                work: Some((algorithm, target.clone())),
            };
            algorithms.iter().enumerate().map(job).collect()
        }
        Found::Failed(error) => {
            let algorithm = algorithms[0];
            let payload = Asked { name, algorithm, first: true, error: Some(error) };
            vec![Job { payload, work: None }]
        }
    })
}

/// How results are shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Lines(Style),
    Json(Style),
}

/// Prints results.
pub(crate) struct Printer<'v> {
    voice: &'v Voice,
    form: Form,
    output: Output,
    /// Whether the last file could be read.
    read: bool,
    /// Whether every file could be read.
    pub(crate) all_read: bool,
}

impl<'v> Printer<'v> {
    pub(crate) fn new(voice: &'v Voice, form: Form) -> Self {
        Self { voice, form, output: Output::default(), read: true, all_read: true }
    }

    fn print(&mut self, asked: &Asked, len: u64, digest: &[u8]) -> io::Result<()> {
        self.read = true;
        let Asked { name, algorithm, .. } = asked;
        let form = self.form;
        self.output.line(|out| match form {
            Form::Lines(style) => style.write(algorithm.tag(), name, digest, out),
            Form::Json(style) => {
                let digest = Ok(style.encoding.encode(digest));
                json::write(name, Some(len), *algorithm, digest, out);
            }
        })
    }

    fn complain(&mut self, asked: &Asked, error: &io::Error) -> io::Result<()> {
        self.all_read = false;
        if matches!(self.form, Form::Json(_)) {
            let (name, algorithm) = (&asked.name, asked.algorithm);
            self.output.line(|out| json::write(name, None, algorithm, Err(error), out))?;
        }
        // one message a file, however many algorithms there are
        let read_before = mem::replace(&mut self.read, false);
        if !asked.first && !read_before {
            return Ok(());
        }
        // results and messages keep their order where both are shown together
        self.output.flush()?;
        self.voice.complain(&asked.name, error);
        Ok(())
    }
}

impl Sink<Asked> for Printer<'_> {
    fn accept(&mut self, mut asked: Asked, outcome: Option<Outcome>) -> io::Result<()> {
        let error = asked.error.take();
        match outcome.map(|Outcome { len, digest }| digest.map(|digest| (len, digest))) {
            Some(Ok((len, digest))) => self.print(&asked, len, &digest),
            Some(Err(error)) => self.complain(&asked, &error),
            None => error.map_or(Ok(()), |error| self.complain(&asked, &error)),
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
