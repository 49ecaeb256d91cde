//! Digests and HMAC tags of many messages at once.

use jlanes::{Algorithm, algorithm::AnyLanes, multi::Messages};
use pyo3::{
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    prelude::*,
    types::{IntoPyDict, PyByteArray, PyBytes, PyList, PyMemoryView},
};
use rayon::ThreadPool;

use crate::{
    buffer::{self, Lent},
    hex, names,
    threads::{self, Threads},
};

/// Bytes of messages, digests and passes of PBKDF2 after which Ctrl-C is looked for: about a tenth
/// of a second.
pub(crate) const PATIENCE: usize = 64 << 20;

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
        cost: impl Fn(usize) -> usize,
        width: usize,
        out: &mut [u8],
        work: impl Fn(&AnyLanes, usize, &mut [u8]) -> Result<(), E> + Sync,
    ) -> PyResult<()> {
        let count = out.len().checked_div(width).unwrap_or(0);
        let (mut first, mut rest) = (0, out);
        while first < count {
            let (mut end, mut bytes) = (first, 0);
            while end < count && bytes < PATIENCE {
                bytes += cost(end) + width + 64;
                end += 1;
            }
            let (part, later) = std::mem::take(&mut rest).split_at_mut((end - first) * width);
            let done = py.detach(|| threads::run(self.pool, || work(&self.lanes, first, part)));
            done.map_err(|error| PyValueError::new_err(error.to_string()))?;
            py.check_signals()?;
            (first, rest) = (end, later);
        }
        Ok(())
    }

    /// Digests of messages into `out`.
    fn digest(&self, py: Python<'_>, messages: Rows<'_>, out: &mut [u8]) -> PyResult<()> {
        let width = self.lanes.output_size();
        self.run(
            py,
            |i| messages.len_of(i),
            width,
            out,
            |lanes, first, out| {
                let part = messages.part(first, out.len() / width)?;
                lanes.digest(part, out);
                Ok::<_, jlanes::multi::LayoutError>(())
            },
        )
    }

    /// HMAC tags of messages into `out`.
    fn hmac(
        &self,
        py: Python<'_>,
        key: Key<'_>,
        messages: Rows<'_>,
        out: &mut [u8],
    ) -> PyResult<()> {
        let width = self.lanes.output_size();
        self.run(
            py,
            |i| messages.len_of(i),
            width,
            out,
            |lanes, first, out| {
                let count = out.len() / width;
                let part = messages.part(first, count).map_err(|error| error.to_string())?;
                let done = match key {
                    Key::One(key) => lanes.hmac(key, part, out),
                    Key::Each(keys) => {
                        lanes.hmac_keyed(Messages::slices(&keys[first..][..count]), part, out)
                    }
                };
                done.map_err(|error| error.to_string())
            },
        )
    }
}

/// The key of all messages, or one for each.
#[derive(Clone, Copy)]
enum Key<'a> {
    One(&'a [u8]),
    Each(&'a [&'a [u8]]),
}

/// Messages as Python has them.
#[derive(Clone, Copy)]
enum Rows<'a> {
    List(&'a [&'a [u8]]),
    Records { bytes: &'a [u8], width: usize },
}

impl<'a> Rows<'a> {
    fn len_of(&self, i: usize) -> usize {
        match self {
            Self::List(list) => list[i].len(),
            Self::Records { width, .. } => *width,
        }
    }

    fn part(&self, first: usize, count: usize) -> Result<Messages<'a>, jlanes::multi::LayoutError> {
        match *self {
            Self::List(list) => Ok(Messages::slices(&list[first..][..count])),
            Self::Records { bytes, width } => {
                Messages::records(&bytes[first * width..][..count * width], width)
            }
        }
    }
}

/// What a call gives back for each message.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Bytes,
    Hex,
}

/// Calls `job` with the messages and room for digests of `width` bytes, and gives the digests to
/// Python: a list for a list, a matrix for a matrix.
fn over<'py>(
    messages: &Bound<'py, PyAny>,
    width: usize,
    form: Form,
    job: impl FnOnce(Rows<'_>, &mut [u8]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let whole = |count: usize| {
        count.checked_mul(width).ok_or_else(|| PyOverflowError::new_err("too many digests"))
    };
    let is_list = messages.is_instance_of::<PyList>();
    if !is_list && buffer::is_one(messages) {
        return Err(PyTypeError::new_err("a list of messages is required, not one message"));
    }
    match if is_list { None } else { Lent::get(messages).ok() } {
        None => buffer::with_list(messages, |list| {
            let mut out = buffer::zeros(whole(list.len())?)?;
            job(Rows::List(list), &mut out)?;
            listed(py, &out, width, list.len(), form)
        }),
        Some(lent) => {
            let Some((count, record)) = lent.records() else {
                return Err(PyTypeError::new_err(
                    "an array of messages has two dimensions, or items of more than a byte",
                ));
            };
            if record == 0 {
                return Err(PyValueError::new_err("the array's records have no bytes"));
            }
            let rows = Rows::Records { bytes: lent.bytes(), width: record };
            match form {
                Form::Hex => {
                    let mut out = buffer::zeros(whole(count)?)?;
                    job(rows, &mut out)?;
                    listed(py, &out, width, count, form)
                }
                Form::Bytes => {
                    let out = PyByteArray::new_with(py, whole(count)?, |out| job(rows, out))?;
                    matrix(messages, out, (count, width))
                }
            }
        }
    }
}

/// The function of `jlanes.column` with this name, if the messages are a column of Arrow's.
pub(crate) fn of_columns<'py>(
    messages: &Bound<'py, PyAny>,
    function: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = messages.py();
    let hands = |method| messages.hasattr(method);
    if !hands("__arrow_c_array__")? && !hands("__arrow_c_stream__")? {
        return Ok(None);
    }
    py.import("jlanes.column")?.getattr(function).map(Some)
}

/// Digests as a list.
pub(crate) fn listed<'py>(
    py: Python<'py>,
    out: &[u8],
    width: usize,
    count: usize,
    form: Form,
) -> PyResult<Bound<'py, PyAny>> {
    let digest = |i: usize| {
        let digest = &out[i * width..][..width];
        match form {
            Form::Bytes => PyBytes::new(py, digest).into_any(),
            Form::Hex => hex::string(py, digest).into_any(),
        }
    };
    Ok(PyList::new(py, (0..count).map(digest))?.into_any())
}

/// Digests as a matrix of bytes: numpy's if `like` is numpy's, a memoryview otherwise.
fn matrix<'py>(
    like: &Bound<'py, PyAny>,
    out: Bound<'py, PyByteArray>,
    (count, width): (usize, usize),
) -> PyResult<Bound<'py, PyAny>> {
    let py = like.py();
    let is_numpy = like.get_type().module()?.to_str()?.split('.').next() == Some("numpy");
    if is_numpy {
        let array = py.import("numpy")?.getattr("ndarray")?;
        return array.call1(((count, width), "uint8", out));
    }
    let view = PyMemoryView::from(out.as_any())?;
    if count == 0 || width == 0 {
        return Ok(view.into_any());
    }
    view.call_method1("cast", ("B", [count, width]))
}

/// The algorithm under its own key. An empty one is an error, and not the plain digest as in hashlib:
/// who passes a key wants one.
fn keyed(lanes: AnyLanes, key: &[u8]) -> PyResult<AnyLanes> {
    let wrong = format!("{} has no key of {} bytes", lanes.algorithm(), key.len());
    lanes.keyed(key).map_err(|_| PyValueError::new_err(wrong))
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
        job.lanes = buffer::with_bytes(prefix, |prefix| lanes.prefix(prefix))?;
    }
    if let Some(key) = key {
        job.lanes = buffer::with_bytes(key, |key| keyed(job.lanes.clone(), key))??;
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
    if buffer::is_one(key) {
        let key = buffer::with_bytes(key, <[u8]>::to_vec)?;
        return over(messages, width, Form::Bytes, |rows, out| {
            job.hmac(py, Key::One(&key), rows, out)
        });
    }
    buffer::with_list(key, |keys| {
        over(messages, width, Form::Bytes, |rows, out| {
            if keys.len() != out.len() / width {
                return Err(PyValueError::new_err("not as many keys as messages"));
            }
            job.hmac(py, Key::Each(keys), rows, out)
        })
    })
}
