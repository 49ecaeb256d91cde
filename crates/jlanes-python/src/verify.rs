//! Comparison of files with a list of digests, on a thread, while Python takes the verdicts.

use std::{
    io,
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use jlanes_files::{
    BaseDir, Cancel, Computation, Engine,
    lists::{
        self, AnyAlgorithm, Encoding, Entry, Fault, LineCounts, List, MAX_LINE_BYTES, Verdict,
    },
    system,
};
use pyo3::{
    PyTraverseError, PyVisit,
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
    pybacked::PyBackedBytes,
    types::PyDict,
};

use crate::{
    arrivals::{self, Arrivals},
    files::named,
    names::{self, Name},
};

const MALFORMED: &str =
    "no known form of a digest and a name; digests without a tag may need algorithm=";

/// A line of a list, and whether its file is as the line says.
#[pyclass(frozen, get_all, module = "jlanes")]
pub(crate) struct Verified {
    /// The line's number, from 1 on.
    line: u64,
    /// The file's name as the list has it; None if the line has none.
    name: Option<Py<PyAny>>,
    /// "match", "mismatch", "unreadable", "malformed" or "refused".
    verdict: &'static str,
    /// The algorithm of the digest that decided.
    algorithm: Option<String>,
    /// The digest in the list.
    expected: Option<String>,
    /// The digest of the file; None if it could not be read.
    found: Option<String>,
    /// The OSError of an unreadable file, or a ValueError of a line that is malformed or refused.
    error: Option<Py<PyAny>>,
}

#[pymethods]
impl Verified {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.error)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = match &self.name {
            Some(name) => format!(", {}", name.bind(py).repr()?),
            None => String::new(),
        };
        Ok(format!("<jlanes.Verified line {}{name}: {}>", self.line, self.verdict))
    }
}

/// An iterator over the lines of a list, in order, without structure and comments.
#[pyclass(frozen, module = "jlanes")]
pub(crate) struct Verification {
    arrivals: Arrivals<lists::VerifiedLine>,
    /// The result of the thread. Lines may still wait when it is set.
    end: Arc<OnceLock<io::Result<LineCounts>>>,
    /// The account of the list, once the last line is taken.
    account: OnceLock<LineCounts>,
    /// Whether any file matched.
    matched: AtomicBool,
    /// Whether any line had another verdict.
    failed: AtomicBool,
    cancel: Cancel,
}

impl Drop for Verification {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// A list, and the directory where its names start.
struct Task {
    text: PyBackedBytes,
    tags: AnyAlgorithm,
    dir: PathBuf,
}

impl Task {
    fn run(
        self,
        engine: &Engine,
        base: Option<&Arc<BaseDir>>,
        each: impl FnMut(lists::VerifiedLine) -> io::Result<()> + Send,
    ) -> io::Result<LineCounts> {
        let list = List::new(io::Cursor::new(self.text))?;
        match base {
            Some(base) => {
                let list = list.max_line_bytes(MAX_LINE_BYTES / 16);
                lists::verify_beneath(engine, base, list, self.tags, each)
            }
            None => lists::verify_at(engine, &self.dir, list, self.tags, each),
        }
    }
}

/// The function `verify`, of the text of a list.
#[pyfunction]
#[pyo3(signature = (text, name, base, untrusted, algorithm, threads, progress))]
pub(crate) fn verify(
    text: PyBackedBytes,
    name: &[u8],
    base: &Bound<'_, PyAny>,
    untrusted: bool,
    algorithm: Option<Name<'_>>,
    threads: isize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Verification> {
    let untagged = algorithm.map(|name| names::parse(&name)).transpose()?;
    let tags = AnyAlgorithm { untagged, untrusted, list: name.to_vec(), ..AnyAlgorithm::default() };
    let dir: PathBuf = base.extract()?;
    let beneath = match untrusted.then(|| BaseDir::open(&system::bytes(dir.as_os_str()))) {
        Some(Ok(base)) => Some(Arc::new(base)),
        Some(Err(error)) => return Err(named(error, base)?),
        None => None,
    };
    let (engine, bytes) = arrivals::engine(threads)?;
    let cancel = Cancel::new();
    let engine = engine.cancel(&cancel);
    let (sender, receiver) = mpsc::sync_channel(256);
    let end = Arc::new(OnceLock::new());
    let result = Arc::clone(&end);
    let task = Task { text, tags, dir };
    thread::Builder::new().name("jlanes-files".to_owned()).spawn(move || {
        // after the iterator was dropped, nobody receives the verdict
        let send = |line| sender.send(line).map_err(|_| io::ErrorKind::BrokenPipe.into());
        let _ = result.set(task.run(&engine, beneath.as_ref(), send)); // nobody else sets it
        drop(sender);
    })?;
    Ok(Verification {
        arrivals: Arrivals::new(move |most| receiver.recv_timeout(most), bytes, progress),
        end,
        account: OnceLock::new(),
        matched: AtomicBool::new(false),
        failed: AtomicBool::new(false),
        cancel,
    })
}

/// A digest as lists spell it.
fn text(computation: &Computation, digest: &[u8]) -> String {
    lists::digest::text(computation, digest, Encoding::Hex)
}

impl Verification {
    fn line(&self, py: Python<'_>, line: lists::VerifiedLine) -> PyResult<Verified> {
        let lists::VerifiedLine { number, entry, found, verdict } = line;
        let flag = if matches!(verdict, Verdict::Match) { &self.matched } else { &self.failed };
        flag.store(true, Ordering::Relaxed);
        let name = entry.as_ref().map(|entry| system::path(&entry.name).as_os_str().to_owned());
        let name = name.map(|name| name.into_pyobject(py)).transpose()?;
        let (verdict, error) = match verdict {
            Verdict::Match => ("match", None),
            Verdict::Mismatch => ("mismatch", None),
            Verdict::Unreadable(error) => {
                let name = name
                    .as_ref()
                    .map_or_else(|| py.None().into_bound(py), |it| it.clone().into_any());
                ("unreadable", Some(named(error, &name)?))
            }
            Verdict::Fault(Fault::Malformed) => {
                ("malformed", Some(PyValueError::new_err(MALFORMED)))
            }
            Verdict::Fault(Fault::Refused(why)) => ("refused", Some(PyValueError::new_err(why))),
        };
        let decisive = entry.as_ref().and_then(|entry: &Entry| {
            let (Ok(at) | Err(at)) = entry.compare(None, &found);
            let (computation, expected) = entry.digests.get(at)?;
            Some((computation, text(computation, expected), found.get(at)))
        });
        let (algorithm, expected, found) = match decisive {
            None => (None, None, None),
            Some((computation, expected, found)) => {
                let found = found.map(|found| text(computation, found));
                (computation.algorithm().map(names::name), Some(expected), found)
            }
        };
        Ok(Verified {
            line: number,
            name: name.map(|name| name.into_any().unbind()),
            verdict,
            algorithm,
            expected,
            found,
            error: error.map(|error| error.into_value(py).into_any()),
        })
    }
}

#[pymethods]
impl Verification {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Verified>> {
        if let Some((_, line)) = self.arrivals.next(py)? {
            return self.line(py, line).map(Some);
        }
        match self.end.get() {
            Some(Ok(account)) => {
                self.account.get_or_init(|| *account);
                self.arrivals.report(py).map(|()| None)
            }
            Some(Err(error)) => Err(io::Error::new(error.kind(), error.to_string()).into()),
            None => Err(PyRuntimeError::new_err("a thread that hashed files panicked")),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.arrivals.traverse(&visit)
    }

    /// The numbers of lines of each kind, once the last line is taken; None before.
    #[getter]
    fn account<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(account) = self.account.get() else { return Ok(None) };
        let &LineCounts { entries, structure, comments, malformed, refused } = account;
        let dict = PyDict::new(py);
        for (name, count) in [
            ("entries", entries),
            ("structure", structure),
            ("comments", comments),
            ("malformed", malformed),
            ("refused", refused),
        ] {
            dict.set_item(name, count)?;
        }
        Ok(Some(dict))
    }

    /// Whether the list was read to its end, a file matched, and no line has another verdict.
    #[getter]
    fn ok(&self) -> bool {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        self.account.get().is_some() && is_set(&self.matched) && !is_set(&self.failed)
    }

    /// The number of bytes read so far.
    #[getter]
    fn bytes(&self) -> u64 {
        self.arrivals.bytes()
    }
}
