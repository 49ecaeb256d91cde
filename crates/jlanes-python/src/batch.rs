//! Digests and HMAC tags of many messages at once.

use std::mem;

use jlanes::{
    Algorithm,
    algorithm::AnyLanes,
    multi::{LayoutError, Messages},
};
use pyo3::{
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    prelude::*,
    types::{IntoPyDict, PyByteArray},
};
use rayon::ThreadPool;

use crate::{
    buffer,
    gate::{self, Keys, Many, Shape},
    hasher::DETACH,
    names,
    output::{self, Form},
    threads::{self, Threads, Watch},
};

/// Bytes of messages, digests and passes of PBKDF2 after which Ctrl-C is looked for: a few
/// milliseconds.
pub(crate) const PATIENCE: usize = 8 << 20;

/// Messages that fill all lanes: fewer take as long.
const LANES: usize = 16;

/// What a call does to every message.
pub(crate) struct Job<'a> {
    lanes: AnyLanes,
    pool: Option<&'a ThreadPool>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(algorithm: Algorithm, pool: Option<&'a ThreadPool>) -> PyResult<Self> {
        let lanes = algorithm.lanes();
        let lanes = lanes.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { lanes: if pool.is_some() { lanes.parallel() } else { lanes }, pool })
    }

    /// Runs `work` on parts of the messages, of which each costs `cost` bytes and gives `width`
    /// bytes of `out`. Python's lock is free meanwhile, and Ctrl-C is heard between the parts.
    pub(crate) fn run<E: std::fmt::Display + Send>(
        &self,
        py: Python<'_>,
        cost: impl Fn(usize) -> usize + Sync,
        width: usize,
        out: &mut [u8],
        work: impl Fn(&AnyLanes, usize, &mut [u8]) -> Result<(), E> + Sync,
    ) -> PyResult<()> {
        let count = out.len().checked_div(width).unwrap_or(0);
        let few = (0..count.min(LANES + 1)).map(&cost);
        if few.fold(0, usize::saturating_add) <= DETACH && count <= LANES {
            // to free the lock would take longer
            let done = work(&self.lanes, 0, out);
            return done.map_err(|error| PyValueError::new_err(error.to_string()));
        }
        let threads = self.pool.map_or(1, ThreadPool::current_num_threads);
        let watch = Watch::new();
        let all = || {
            let (mut first, mut rest) = (0, out);
            while first < count && watch.go_on() {
                let (mut end, mut bytes) = (first, 0_usize);
                while end < count && bytes < threads * PATIENCE {
                    let last = count.min(end + threads * LANES);
                    let costs = (end..last).map(&cost);
                    bytes = costs.fold(bytes, |bytes, cost| {
                        bytes.saturating_add(cost.saturating_add(width))
                    });
                    end = last;
                }
                let (part, later) = mem::take(&mut rest).split_at_mut((end - first) * width);
                work(&self.lanes, first, part)?;
                (first, rest) = (end, later);
            }
            Ok::<_, E>(())
        };
        let done = threads::watched(py, self.pool, &watch, all)?;
        done.map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.check_signals()
    }

    /// Digests of messages into `out`.
    fn digest(&self, py: Python<'_>, messages: Many<'_>, out: &mut [u8]) -> PyResult<()> {
        let width = self.lanes.output_size();
        self.run(
            py,
            |i| messages.get(i).len(),
            width,
            out,
            |lanes, first, out| {
                let part = part(messages, first, out.len() / width)?;
                lanes.digest(part, out);
                Ok::<_, LayoutError>(())
            },
        )
    }

    /// HMAC tags of messages into `out`.
    fn hmac(
        &self,
        py: Python<'_>,
        key: Keys<'_>,
        messages: Many<'_>,
        out: &mut [u8],
    ) -> PyResult<()> {
        let width = self.lanes.output_size();
        self.run(
            py,
            |i| messages.get(i).len(),
            width,
            out,
            |lanes, first, out| {
                let count = out.len() / width;
                let part = part(messages, first, count).map_err(|error| error.to_string())?;
                let done = match key {
                    Keys::One(key) => lanes.hmac(key, part, out),
                    Keys::Each(keys) => {
                        lanes.hmac_keyed(Messages::slices(&keys[first..][..count]), part, out)
                    }
                };
                done.map_err(|error| error.to_string())
            },
        )
    }
}

/// `count` messages from number `first` on.
fn part(messages: Many<'_>, first: usize, count: usize) -> Result<Messages<'_>, LayoutError> {
    match messages {
        Many::Slices(slices) => Ok(Messages::slices(&slices[first..][..count])),
        Many::Records { bytes, width } => {
            Messages::records(&bytes[first * width..][..count * width], width)
        }
    }
}

/// Calls `job` with the messages and room for values of `width` bytes, and gives the values to Python: a
/// list for a list, a matrix for an array.
pub(crate) fn over<'py>(
    messages: &Bound<'py, PyAny>,
    width: usize,
    form: Form,
    job: impl FnOnce(Many<'_>, &mut [u8]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    gate::with_many(messages, |many, shape| {
        let count = many.len();
        let len = count.checked_mul(width);
        let len = len.ok_or_else(|| PyOverflowError::new_err("too many digests"))?;
        if shape == Shape::List || matches!(form, Form::Hex) {
            let mut out = buffer::zeros(len)?;
            job(many, &mut out)?;
            return output::list(py, &out, (count, width), form);
        }
        let out = PyByteArray::new_with(py, len, |out| job(many, out))?;
        output::matrix(shape, out, (count, width))
    })
}

/// The function of `jlanes.column` with this name, if the messages are a column of Arrow's.
pub(crate) fn of_columns<'py>(
    messages: &Bound<'py, PyAny>,
    function: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !gate::is_column(messages)? {
        return Ok(None);
    }
    let py = messages.py();
    py.import("jlanes.column")?.getattr(function).map(Some)
}

/// The algorithm under its own key. An empty one is an error, and not the plain digest as in hashlib:
/// who passes a key wants one.
fn keyed(lanes: AnyLanes, key: &[u8]) -> PyResult<AnyLanes> {
    lanes.keyed(key).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn digests<'py>(
    name: &str,
    messages: &Bound<'py, PyAny>,
    [prefix, key]: [Option<&Bound<'py, PyAny>>; 2],
    threads: usize,
    form: Form,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let function = match form {
        Form::Bytes => "digest",
        Form::Hex => "digest_hex",
    };
    if let Some(digest) = of_columns(messages, function)? {
        if prefix.is_some() {
            return Err(PyTypeError::new_err("columns have no prefix: take a list or an array"));
        }
        let options =
            [("key", key.into_pyobject(py)?), ("threads", threads.into_pyobject(py)?.into_any())];
        return digest.call((name, messages), Some(&options.into_py_dict(py)?));
    }
    let algorithm = names::parse(name)?;
    let pool = Threads::new(threads)?.pool()?;
    let mut job = Job::new(algorithm, pool.as_deref())?;
    if let Some(prefix) = prefix {
        let lanes = job.lanes.clone();
        job.lanes = gate::with_one(prefix, |prefix| lanes.prefix(prefix))?;
    }
    if let Some(key) = key {
        job.lanes = gate::with_one(key, |key| keyed(job.lanes.clone(), key))??;
    }
    over(messages, algorithm.output_size(), form, |rows, out| job.digest(py, rows, out))
}

/// digest_many(name, messages, *, prefix=b'', key=None, threads=1)
///
/// The digests of many messages, in order. `messages` is a list of bytes-like objects, which gives
/// a list of bytes; an array with a message in each row, which gives an array; or a column of
/// Arrow's, which gives a column, as jlanes.column.digest does. All of them begin with `prefix`,
/// which is hashed once. `key` is BLAKE2's own.
#[pyfunction]
#[pyo3(signature = (name, messages, *, prefix=None, key=None, threads=1))]
pub(crate) fn digest_many<'py>(
    name: &str,
    messages: &Bound<'py, PyAny>,
    prefix: Option<&Bound<'py, PyAny>>,
    key: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    digests(name, messages, [prefix, key], threads, Form::Bytes)
}

/// hexdigest_many(name, messages, *, prefix=b'', key=None, threads=1)
///
/// As digest_many, but a list of strings, or a column of them.
#[pyfunction]
#[pyo3(signature = (name, messages, *, prefix=None, key=None, threads=1))]
pub(crate) fn hexdigest_many<'py>(
    name: &str,
    messages: &Bound<'py, PyAny>,
    prefix: Option<&Bound<'py, PyAny>>,
    key: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    digests(name, messages, [prefix, key], threads, Form::Hex)
}

/// hmac_many(key, messages, digest, *, threads=1)
///
/// The HMAC tags of many messages, in order. `key` is a bytes-like object, or a list with a key for
/// each message; for a column of messages, it may be a column.
#[pyfunction]
#[pyo3(signature = (key, messages, digest, *, threads=1))]
pub(crate) fn hmac_many<'py>(
    key: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    digest: &str,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    if let Some(hmac) = of_columns(messages, "hmac")? {
        let options = [("threads", threads)].into_py_dict(py)?;
        return hmac.call((key, messages, digest), Some(&options));
    }
    let algorithm = names::parse(digest)?;
    let pool = Threads::new(threads)?.pool()?;
    let job = Job::new(algorithm, pool.as_deref())?;
    let width = algorithm.output_size();
    gate::with_keys(key, |keys| {
        over(messages, width, Form::Bytes, |many, out| {
            if let Keys::Each(keys) = keys
                && keys.len() != many.len()
            {
                return Err(PyValueError::new_err("not as many keys as messages"));
            }
            job.hmac(py, keys, many, out)
        })
    })
}
