//! Hashes whose output has any length: hashlib's `shake_128` and `shake_256`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jlanes::{
    Shake128, Shake256,
    digest::{ExtendableOutput, Update},
    multi,
    tree::{Kt128, Kt256},
};
use pyo3::{
    exceptions::{PyOverflowError, PyValueError},
    prelude::*,
    sync::MutexExt,
    types::{PyBytes, PyList, PyString},
};

use crate::{
    batch, buffer,
    gate::{self, Data},
    hasher::{self, DETACH},
    output,
};

/// One of the functions, with what it has absorbed.
#[derive(Clone)]
enum State {
    Shake128(Shake128),
    Shake256(Shake256),
}

impl State {
    fn new(name: &str) -> Option<Self> {
        match &*plain(name) {
            "shake128" => Some(Self::Shake128(Shake128::default())),
            "shake256" => Some(Self::Shake256(Shake256::default())),
            _ => None,
        }
    }

    fn update(&mut self, data: &[u8]) {
        match self {
            Self::Shake128(hasher) => hasher.update(data),
            Self::Shake256(hasher) => hasher.update(data),
        }
    }

    fn finish(self, out: &mut [u8]) {
        match self {
            Self::Shake128(hasher) => hasher.finalize_xof_into(out),
            Self::Shake256(hasher) => hasher.finalize_xof_into(out),
        }
    }
}

/// A hash object whose digests have any length.
#[pyclass(frozen, name = "XofHash", module = "jlanes")]
pub(crate) struct PyXof(Mutex<State>);

impl PyXof {
    /// A hash object of this name, if it is one of these, which has taken `data`.
    pub(crate) fn named(name: &str, data: &Data<'_>) -> PyResult<Option<Self>> {
        let Some(state) = State::new(name) else { return Ok(None) };
        let hash = Self(Mutex::new(state));
        if let Some(data) = &data.0 {
            hash.update(data)?;
        }
        Ok(Some(hash))
    }

    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, py: Python<'_>, length: isize) -> PyResult<Vec<u8>> {
        let mut out = buffer::zeros(size(length)?)?;
        let state = self.lock(py).clone();
        if out.len() > DETACH {
            py.detach(|| state.finish(&mut out));
        } else {
            state.finish(&mut out);
        }
        Ok(out)
    }
}

/// The length of a digest; hashlib has the same limit.
fn size(length: isize) -> PyResult<usize> {
    match usize::try_from(length) {
        Ok(length) if length < 1 << 29 => Ok(length),
        Ok(_) => Err(PyValueError::new_err("length is too large")),
        Err(_) => Err(PyValueError::new_err("length must not be negative")),
    }
}

#[pymethods]
impl PyXof {
    /// Adds the bytes of a bytes-like object to the message.
    #[pyo3(signature = (data, /))]
    fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = data.py();
        // the buffer first: code that lends it may use this object
        gate::with_one(data, |bytes| {
            let state = &mut *self.lock(py);
            if bytes.len() > DETACH {
                py.detach(|| state.update(bytes));
            } else {
                state.update(bytes);
            }
        })
    }

    /// The first `length` bytes of the output for the message so far.
    fn digest<'py>(&self, py: Python<'py>, length: isize) -> PyResult<Bound<'py, PyBytes>> {
        output::bytes(py, &self.finish(py, length)?)
    }

    /// The first `length` bytes of the output, in hexadecimal.
    fn hexdigest<'py>(&self, py: Python<'py>, length: isize) -> PyResult<Bound<'py, PyString>> {
        output::hex(py, &self.finish(py, length)?)
    }

    /// A hash object that has taken the same message.
    fn copy(&self, py: Python<'_>) -> Self {
        Self(Mutex::new(self.lock(py).clone()))
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    /// hashlib's name of the algorithm.
    #[getter]
    fn name(&self, py: Python<'_>) -> &'static str {
        match &*self.lock(py) {
            State::Shake128(_) => "shake_128",
            State::Shake256(_) => "shake_256",
        }
    }

    /// 0: the length is chosen when the digest is taken.
    #[getter]
    fn digest_size(&self) -> usize {
        0
    }

    /// Bytes of a block.
    #[getter]
    fn block_size(&self, py: Python<'_>) -> usize {
        match &*self.lock(py) {
            State::Shake128(_) => 168,
            State::Shake256(_) => 136,
        }
    }

    #[getter]
    fn _rate_bits(&self, py: Python<'_>) -> usize {
        8 * self.block_size(py)
    }

    #[getter]
    fn _capacity_bits(&self, py: Python<'_>) -> usize {
        1600 - self._rate_bits(py)
    }

    #[getter]
    fn _suffix(&self) -> &'static [u8] {
        b"\x1f"
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<{} jlanes.XofHash object @ {self:p}>", self.name(py))
    }
}

/// shake_128(data=b'', *, usedforsecurity=True)
///
/// A hash object of SHAKE128, which has taken `data`.
#[pyfunction]
#[pyo3(signature = (data=Data::MISSING, *, string=Data::MISSING, usedforsecurity=true))]
pub(crate) fn shake_128(
    data: Data<'_>,
    string: Data<'_>,
    usedforsecurity: bool,
) -> PyResult<Option<PyXof>> {
    let _ = usedforsecurity; // nothing is refused here
    PyXof::named("shake_128", &hasher::message(data, string)?)
}

/// shake_256(data=b'', *, usedforsecurity=True)
///
/// A hash object of SHAKE256, which has taken `data`.
#[pyfunction]
#[pyo3(signature = (data=Data::MISSING, *, string=Data::MISSING, usedforsecurity=true))]
pub(crate) fn shake_256(
    data: Data<'_>,
    string: Data<'_>,
    usedforsecurity: bool,
) -> PyResult<Option<PyXof>> {
    let _ = usedforsecurity;
    PyXof::named("shake_256", &hasher::message(data, string)?)
}

/// The name in small letters and without dashes, which programs put in different places.
fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace(['-', '_'], "")
}

/// What fills outputs of any length.
type Filler = fn(&[&[u8]], &mut [&mut [u8]]);

/// The function with this name, on many messages. KangarooTwelve fills lanes with the parts of a
/// message, and not with messages.
fn filler(name: &str) -> Option<Filler> {
    Some(match &*plain(name) {
        "shake128" => multi::xof_many::<Shake128>,
        "shake256" => multi::xof_many::<Shake256>,
        "kt128" => one_by_one::<Kt128>,
        "kt256" => one_by_one::<Kt256>,
        _ => return None,
    })
}

fn one_by_one<H: ExtendableOutput + Update + Default>(messages: &[&[u8]], outs: &mut [&mut [u8]]) {
    for (message, out) in messages.iter().zip(outs) {
        H::digest_xof(message, out);
    }
}

/// xof_many(name, messages, length)
///
/// The first bytes of the outputs for many messages, in order, of shake_128, shake_256, kt128 or
/// kt256. `length` is a number, or a list with one for each message. Of a column with one length,
/// they are a column.
#[pyfunction]
pub(crate) fn xof_many<'py>(
    name: &str,
    messages: &Bound<'py, PyAny>,
    length: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let fill = filler(name);
    let fill = fill.ok_or_else(|| PyValueError::new_err(format!("{name} has one length")))?;
    if let Some(digest) = batch::of_columns(messages, "digest")? {
        let bits = 8 * size(length.extract()?)?;
        let name = plain(name);
        return digest.call1((format!("{name}-{bits}"), messages));
    }
    gate::with_many(messages, |many, _| {
        let list = many.slices();
        let lengths = match length.extract::<isize>() {
            Ok(length) => vec![size(length)?; list.len()],
            Err(_) => {
                let lengths: Vec<isize> = length.extract()?;
                lengths.into_iter().map(size).collect::<PyResult<_>>()?
            }
        };
        if lengths.len() != list.len() {
            return Err(PyValueError::new_err("not as many lengths as messages"));
        }
        let results = PyList::empty(py);
        let mut first = 0;
        while first < list.len() {
            // parts after which Ctrl-C is looked for
            let (mut end, mut cost) = (first, 0);
            while end < list.len() && cost < batch::PATIENCE {
                cost += list[end].len() + lengths[end] + 64; // some for the work apart from hashing
                end += 1;
            }
            let total = lengths[first..end].iter().try_fold(0, |sum: usize, n| sum.checked_add(*n));
            let total = total.ok_or_else(|| PyOverflowError::new_err("too many bytes"))?;
            let mut out = buffer::zeros(total)?;
            let mut outs = Vec::with_capacity(end - first);
            let mut rest = &mut *out;
            for length in &lengths[first..end] {
                let (one, later) = rest.split_at_mut(*length);
                outs.push(one);
                rest = later;
            }
            let part = &list[first..end];
            py.detach(|| fill(part, &mut outs));
            for out in &outs {
                results.append(output::bytes(py, out)?)?;
            }
            py.check_signals()?;
            first = end;
        }
        Ok(results.into_any())
    })
}
