//! From paths and readers to digests: the engine's simple interface.

use std::{
    io::{self, Read},
    mem, panic,
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use crate::{
    Cancel, Computation, Engine, Files, Job, Outcome, Payload, Rules, Sink, Stats, Target,
    WalkEntry, Work, system,
};

/// An input: a file, all files of a directory, or a reader.
#[derive(Debug)]
pub struct Input(InputKind);

#[derive(Debug)]
enum InputKind {
    Files(PathBuf, Arc<Rules>),
    Reader(PathBuf, Target),
}

impl Input {
    /// The files of `path` by `rules`: with [`Rules::recurse`], all files of a directory and its subdirectories.
    #[must_use]
    pub fn walk(path: impl Into<PathBuf>, rules: &Arc<Rules>) -> Self {
        Self(InputKind::Files(path.into(), Arc::clone(rules)))
    }

    /// The contents of `reader`, under a name that is returned with the digests. See
    /// [`Target::reader`].
    #[must_use]
    pub fn reader(name: impl Into<PathBuf>, reader: impl Read + Send + 'static) -> Self {
        Self(InputKind::Reader(name.into(), Target::reader(reader)))
    }
}

impl<P: Into<PathBuf>> From<P> for Input {
    /// The file `path`. A directory is an error, as with `File::open`.
    fn from(path: P) -> Self {
        Self::walk(path, &Arc::default())
    }
}

/// The digests of a file or a reader, or the error that it has instead.
#[derive(Debug)]
pub struct FileResult {
    /// The path, or the reader's name.
    pub path: PathBuf,
    /// Bytes read.
    pub len: u64,
    /// Whether the file was seen to change while it was read; see [`Engine::detect_changes`].
    pub changed: bool,
    /// One digest for each computation, or the first error.
    pub digests: io::Result<Vec<Box<[u8]>>>,
}

impl FileResult {
    fn new(NamedInput { path, wrong }: NamedInput, outcome: Option<Outcome>) -> Self {
        let Some(Outcome { len, changed, digests, .. }) = outcome else {
            let error = wrong.unwrap_or_else(|| io::ErrorKind::NotFound.into());
            return Self { path, len: 0, changed: false, digests: Err(error) };
        };
        let digests = digests.and_then(|digests| digests.into_iter().collect());
        Self { path, len, changed, digests }
    }
}

/// The engine's payload: the name of an input.
struct NamedInput {
    path: PathBuf,
    /// The error that keeps it from being hashed.
    wrong: Option<io::Error>,
}

impl Payload for NamedInput {
    fn weight(&self) -> usize {
        self.path.as_os_str().len()
    }
}

/// The jobs of `inputs`.
fn jobs(
    computations: Arc<[Computation]>,
    inputs: impl Iterator<Item = Input> + Send,
) -> impl Iterator<Item = Job<NamedInput>> + Send {
    inputs
        .flat_map(|Input(kind)| -> Box<dyn Iterator<Item = (PathBuf, WalkEntry)> + Send> {
            match kind {
                InputKind::Reader(name, target) => {
                    Box::new([(name, WalkEntry::File(target))].into_iter())
                }
                InputKind::Files(path, rules) if rules.recurse => {
                    let name = system::bytes(path.as_os_str()).into_owned();
                    let files = Files::below(name, &rules);
                    Box::new(files.map(|(name, found)| (system::path(&name).into_owned(), found)))
                }
                InputKind::Files(path, _) => {
                    let target = Target::at(&system::bytes(path.as_os_str()));
                    let found = target.map_or_else(WalkEntry::Failed, WalkEntry::File);
                    Box::new([(path, found)].into_iter())
                }
            }
        })
        .filter_map(move |(path, found)| match found {
            WalkEntry::File(target) => {
                let work = Work { computations: Arc::clone(&computations), target };
                Some(Job { payload: NamedInput { path, wrong: None }, work: Some(work) })
            }
            WalkEntry::Failed(error) => {
                Some(Job { payload: NamedInput { path, wrong: Some(error) }, work: None })
            }
            WalkEntry::Notice(_) => None,
        })
}

/// The computations in the type that jobs share. Panics without any.
fn all<C: Clone + Into<Computation>>(computations: &[C]) -> Arc<[Computation]> {
    assert!(!computations.is_empty(), "nothing is to be computed of a file");
    computations.iter().cloned().map(Into::into).collect()
}

/// A sink that passes on results.
fn sink(mut each: impl FnMut(FileResult) -> io::Result<()> + Send) -> impl Sink<NamedInput> + Send {
    move |entry: NamedInput, outcome: Option<Outcome>| each(FileResult::new(entry, outcome))
}

impl Engine {
    /// Hashes `inputs` and calls `each` with every result, from one thread at a time. Returns when
    /// all are done.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use jlanes::{Algorithm, Digest, Sha256};
    /// use jlanes_files::{Engine, Input, Rules};
    ///
    /// // two digests of every file below `src`, from one read, and of something in memory
    /// let algorithms = [Algorithm::SHA256, "md5".parse()?];
    /// let rules = Arc::new(Rules { recurse: true, ..Rules::default() });
    /// let inputs = [Input::walk("src", &rules), Input::reader("memory", &b"abc"[..])];
    /// let mut last = None;
    /// let stats = Engine::new().digests(algorithms, inputs, |file| {
    ///     last = Some((file.path, file.digests?));
    ///     Ok(())
    /// })?;
    /// assert!(stats.files > 10);
    /// let (path, digests) = last.unwrap();
    /// assert_eq!(path.to_str(), Some("memory"));
    /// assert_eq!(*digests[0], *Sha256::digest(b"abc"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of `each`, which end the run, and [`Interrupted`](io::ErrorKind::Interrupted)
    /// after a [`Cancel`]. A file that cannot be read is a result, and the run continues.
    ///
    /// # Panics
    /// If there are no computations.
    pub fn digests<C: Clone + Into<Computation>, I: Into<Input>>(
        &self,
        computations: impl AsRef<[C]>,
        inputs: impl IntoIterator<Item = I, IntoIter: Send>,
        each: impl FnMut(FileResult) -> io::Result<()> + Send,
    ) -> io::Result<Stats> {
        let jobs = jobs(all(computations.as_ref()), inputs.into_iter().map(Into::into));
        Ok(self.run(jobs, sink(each))?.0)
    }

    /// Hashes `inputs` on other threads while the caller takes the results.
    ///
    /// At most 256 results wait for the caller; then the work pauses. Dropping [`Results`] cancels
    /// it.
    ///
    /// ```
    /// use jlanes::Algorithm;
    /// use jlanes_files::Engine;
    ///
    /// for file in Engine::new().spawn([Algorithm::SHA256], ["src/lib.rs", "missing"])? {
    ///     match file.digests {
    ///         Ok(digests) => println!("{}: {:x?}", file.path.display(), digests[0]),
    ///         Err(error) => println!("{}: {error}", file.path.display()),
    ///     }
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the system cannot start a thread.
    ///
    /// # Panics
    /// If there are no computations.
    pub fn spawn<C: Clone + Into<Computation>, I: Into<Input> + 'static>(
        &self,
        computations: impl AsRef<[C]>,
        inputs: impl IntoIterator<Item = I, IntoIter: Send + 'static>,
    ) -> io::Result<Results> {
        /// The maximum number of results that wait for the caller.
        const MAX_UNTAKEN: usize = 256;
        let computations = all(computations.as_ref());
        let (sender, receiver) = mpsc::sync_channel(MAX_UNTAKEN);
        let (engine, dropped) = self.with_own_cancel();
        let inputs = inputs.into_iter().map(Into::into);
        let work = move || {
            let send = |hashed| {
                sender.send(hashed).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
            };
            Ok(engine.run(jobs(computations, inputs), sink(send))?.0)
        };
        let thread = thread::Builder::new().name("jlanes-files".to_owned()).spawn(work)?;
        Ok(Results { receiver, dropped, thread: Some(thread), stats: Ok(Stats::default()) })
    }
}

/// The results of [`Engine::spawn`], an iterator.
#[derive(Debug)]
pub struct Results {
    receiver: Receiver<FileResult>,
    dropped: Cancel,
    /// The thread, until its end.
    thread: Option<JoinHandle<io::Result<Stats>>>,
    /// The result of the thread, until it is taken.
    stats: io::Result<Stats>,
}

impl Results {
    /// Waits for the next result for at most `most`.
    ///
    /// # Errors
    /// [`Timeout`](RecvTimeoutError::Timeout) if none comes in time, and
    /// [`Disconnected`](RecvTimeoutError::Disconnected) after the last one.
    ///
    /// # Panics
    /// As [`Engine::run`].
    pub fn wait(&mut self, most: Duration) -> Result<FileResult, RecvTimeoutError> {
        let next = self.receiver.recv_timeout(most);
        if matches!(next, Err(RecvTimeoutError::Disconnected)) {
            self.join();
        }
        next
    }

    /// Waits for the end of the run and returns its statistics.
    ///
    /// # Errors
    /// [`Interrupted`](io::ErrorKind::Interrupted) after a [`Cancel`]: some results are missing.
    ///
    /// # Panics
    /// As [`Engine::run`].
    pub fn finish(mut self) -> io::Result<Stats> {
        while self.receiver.recv().is_ok() {}
        self.join();
        mem::replace(&mut self.stats, Ok(Stats::default()))
    }

    /// Waits for the thread and resumes its panic, if there was one.
    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.stats = thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
        }
    }
}

impl Iterator for Results {
    type Item = FileResult;

    fn next(&mut self) -> Option<FileResult> {
        let next = self.receiver.recv().ok();
        if next.is_none() {
            self.join();
        }
        next
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        self.dropped.cancel();
    }
}
