//! Printing digests.

use std::{io, mem, sync::Arc};

use jlanes::{Algorithm, Backend};

use crate::{
    files::{Files, Found, Operands, Rules},
    hash::{Digests, Job, Outcome, Pointers, Sink, Work},
    lists::line::{Foreign, Style, digest},
    report::{Output, Voice, json},
};

/// A file that the user asked for, on its way to its lines.
pub(crate) struct Asked {
    name: Vec<u8>,
    /// Why there is nothing to hash.
    error: Option<io::Error>,
}

/// The files that `operands` stand for, in order.
pub(crate) fn jobs(
    operands: Operands,
    algorithms: Arc<[Algorithm]>,
    rules: Option<Rules>,
) -> impl Iterator<Item = Job<Asked>> + Send {
    let rules = rules.map(Arc::new);
    let files = operands.into_iter().flat_map(move |operand| Files::of(operand, rules.as_ref()));
    files.map(move |(name, found)| match found {
        Found::File(target) => {
            let work = Work { algorithms: Arc::clone(&algorithms), target };
            Job { payload: Asked { name, error: None }, work: Some(work) }
        }
        Found::Failed(error) => Job { payload: Asked { name, error: Some(error) }, work: None },
    })
}

/// How results are shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Lines(Style),
    Json(Style),
    /// One line a file, as another tool has it.
    Foreign(Foreign),
}

/// Prints results.
pub(crate) struct Printer<'v> {
    voice: &'v Voice,
    form: Form,
    algorithms: Arc<[Algorithm]>,
    /// For each algorithm that is about all files, what is known of them.
    lists: Vec<Option<Pointers>>,
    /// The directory of the last file, where lists of another tool want to know.
    dir: Vec<u8>,
    output: Output,
    /// Whether every file could be read.
    all_read: bool,
}

impl<'v> Printer<'v> {
    pub(crate) fn new(voice: &'v Voice, form: Form, algorithms: Arc<[Algorithm]>) -> Self {
        let lists = algorithms.iter().map(|algorithm| Pointers::new(*algorithm)).collect();
        let mut output = Output::default();
        if let Form::Foreign(list) = form {
            list.begin(&algorithms, output.unwritten());
        }
        Self { voice, form, algorithms, lists, dir: Vec::new(), output, all_read: true }
    }

    fn print(
        &mut self,
        algorithm: Algorithm,
        name: &[u8],
        len: u64,
        digest: &[u8],
    ) -> io::Result<()> {
        let form = self.form;
        self.output.line(|out| match form {
            Form::Lines(style) => style.write(algorithm, name, digest, out),
            Form::Foreign(_) => {}
            Form::Json(style) => {
                let digest = Ok(digest::text(algorithm, digest, style.encoding));
                json::write(name, Some(len), algorithm, digest, out);
            }
        })
    }

    /// Says in JSON why there is no digest.
    fn record(&mut self, algorithm: Algorithm, name: &[u8], error: &io::Error) -> io::Result<()> {
        match self.form {
            Form::Lines(_) | Form::Foreign(_) => Ok(()),
            Form::Json(_) => {
                self.output.line(|out| json::write(name, None, algorithm, Err(error), out))
            }
        }
    }

    fn say(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        self.all_read = false;
        // results and messages keep their order where both are shown together
        self.output.flush()?;
        self.voice.complain(name, error);
        Ok(())
    }

    /// One message a file that cannot be read, however many algorithms there are.
    fn complain(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        for algorithm in Arc::clone(&self.algorithms).iter() {
            self.record(*algorithm, name, error)?;
        }
        self.say(name, error)
    }

    /// All digests of a file in one line, as `list` has it.
    fn row(&mut self, list: Foreign, name: &[u8], len: u64, digests: Digests) -> io::Result<()> {
        let digests: Vec<_> = match digests.into_iter().collect() {
            Ok(digests) => digests,
            Err(error) => return self.complain(name, &error),
        };
        if !list.takes(name) {
            return self.complain(name, &io::Error::other("such a name does not fit the format"));
        }
        let algorithms = Arc::clone(&self.algorithms);
        let digests = digests.iter().map(|digest| &digest[..]);
        let dir = &mut self.dir;
        self.output.line(|out| list.write(&algorithms, name, len, digests, dir, out))
    }

    fn results(&mut self, name: &[u8], len: u64, digests: Digests) -> io::Result<()> {
        if let Form::Foreign(list) = self.form {
            return self.row(list, name, len, digests);
        }
        let algorithms = Arc::clone(&self.algorithms);
        for (i, (&algorithm, digest)) in algorithms.iter().zip(digests).enumerate() {
            match (digest, &mut self.lists[i]) {
                (Ok(leaf), Some(list)) => list.push(&leaf, len),
                (Ok(digest), None) => self.print(algorithm, name, len, &digest)?,
                (Err(error), _) => {
                    self.record(algorithm, name, &error)?;
                    self.say(name, &error)?;
                }
            }
        }
        Ok(())
    }

    /// Prints the digests of all files together. Returns whether there are all digests that were
    /// asked for.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self, backend: Backend) -> io::Result<bool> {
        let algorithms = Arc::clone(&self.algorithms);
        for (&algorithm, list) in algorithms.iter().zip(mem::take(&mut self.lists)) {
            match list {
                None => {}
                Some(list) if self.all_read => {
                    let len = list.total;
                    self.print(algorithm, b"-", len, &list.finish(backend))?;
                }
                Some(_) => {
                    let error = io::Error::other("no digest of a list without all its files");
                    self.record(algorithm, b"-", &error)?;
                    self.say(b"-", &error)?;
                }
            }
        }
        self.output.flush()?;
        Ok(self.all_read)
    }
}

impl Sink<Asked> for Printer<'_> {
    fn accept(&mut self, asked: Asked, outcome: Option<Outcome>) -> io::Result<()> {
        let Asked { name, error } = asked;
        let changed = outcome.as_ref().is_some_and(|outcome| outcome.changed);
        self.output.notice(self.voice, &name, changed)?;
        match outcome.map(|Outcome { len, digests, .. }| digests.map(|digests| (len, digests))) {
            Some(Ok((len, digests))) => self.results(&name, len, digests),
            Some(Err(error)) => self.complain(&name, &error),
            None => error.map_or(Ok(()), |error| self.complain(&name, &error)),
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
