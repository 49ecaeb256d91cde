//! Hash objects and batches with outputs of any length: hashlib's `shake_128` and `shake_256`, and `xof_many`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jlanes::{
    Shake128, Shake256,
    digest::{ExtendableOutput, Update},
};
use pyo3::{
    exceptions::{PyOverflowError, PyValueError},
    prelude::*,
    sync::MutexExt,
    types::{PyBytes, PyList, PyString},
};

use crate::{
    batch, buffer,
    inputs::{self, Data},
    message::{self, MAX_ATTACHED_BYTES},
    names::Name,
    output::{self, Form},
    xof::{Filler, Xof},
};

/// A hasher of SHAKE.
#[derive(Clone)]
enum ShakeState {
    Shake128(Shake128),
    Shake256(Shake256),
}

impl ShakeState {
    fn new(name: &str) -> Option<Self> {
        match Xof::find(name)? {
            Xof::Shake128 => Some(Self::Shake128(Shake128::default())),
            Xof::Shake256 => Some(Self::Shake256(Shake256::default())),
            Xof::Kt128 | Xof::Kt256 => None,
        }
    }

    /// Adds `data`, without the GIL if it is long.
    fn update(&mut self, py: Python<'_>, data: &[u8]) {
        let mut add = || match self {
            Self::Shake128(hasher) => hasher.update(data),
            Self::Shake256(hasher) => hasher.update(data),
        };
        if data.len() > MAX_ATTACHED_BYTES {
            py.detach(add);
        } else {
            add();
        }
    }

    fn finish(self, out: &mut [u8]) {
        match self {
            Self::Shake128(hasher) => hasher.finalize_xof_into(out),
            Self::Shake256(hasher) => hasher.finalize_xof_into(out),
        }
    }
}

/// A hash object with digests of any length.
#[pyclass(frozen, name = "XofHash", module = "jlanes")]
pub(crate) struct PyXof(Mutex<ShakeState>);

impl PyXof {
    /// A hash object of the function `name`, if that is SHAKE, for a message that begins with `data`.
    pub(crate) fn named(name: &str, data: &Data<'_>) -> PyResult<Option<Self>> {
        let Some(mut state) = ShakeState::new(name) else { return Ok(None) };
        if let Some(data) = &data.0 {
            inputs::with_pieces(data, |piece| {
                state.update(data.py(), piece);
                Ok(())
            })?;
        }
        Ok(Some(Self(Mutex::new(state))))
    }

    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, ShakeState> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, py: Python<'_>, length: isize) -> PyResult<Vec<u8>> {
        let mut out = buffer::zeros(size(length)?)?;
        let state = self.lock(py).clone();
        if out.len() > MAX_ATTACHED_BYTES {
            py.detach(|| state.finish(&mut out));
        } else {
            state.finish(&mut out);
        }
        Ok(out)
    }
}

/// The length of a digest, checked against hashlib's limit.
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
        // the buffer before the lock: `__buffer__` may use this object
        inputs::with_one(data, |bytes| self.lock(py).update(py, bytes))
    }

    /// The first `length` bytes of the output for the message so far.
    fn digest<'py>(&self, py: Python<'py>, length: isize) -> PyResult<Bound<'py, PyBytes>> {
        buffer::bytes(py, &self.finish(py, length)?)
    }

    /// The first `length` bytes of the output, in hexadecimal.
    fn hexdigest<'py>(&self, py: Python<'py>, length: isize) -> PyResult<Bound<'py, PyString>> {
        output::hex(py, &self.finish(py, length)?)
    }

    /// A copy, for messages with the same beginning.
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
            ShakeState::Shake128(_) => "shake_128",
            ShakeState::Shake256(_) => "shake_256",
        }
    }

    /// 0, because `digest` takes the length.
    #[getter]
    fn digest_size(&self) -> usize {
        0
    }

    /// The size of a block in bytes.
    #[getter]
    fn block_size(&self, py: Python<'_>) -> usize {
        match &*self.lock(py) {
            ShakeState::Shake128(_) => 168,
            ShakeState::Shake256(_) => 136,
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

/// A hash object of SHAKE128; the message begins with `data`.
#[pyfunction]
#[pyo3(
    signature = (data=Data::MISSING, *, string=Data::MISSING, usedforsecurity=true),
    text_signature = "(data=b'', *, usedforsecurity=True, string=b'')"
)]
pub(crate) fn shake_128(
    data: Data<'_>,
    string: Data<'_>,
    usedforsecurity: bool,
) -> PyResult<Option<PyXof>> {
    let _ = usedforsecurity; // accepted for hashlib's sake
    PyXof::named("shake_128", &message::message(data, string)?)
}

/// A hash object of SHAKE256; the message begins with `data`.
#[pyfunction]
#[pyo3(
    signature = (data=Data::MISSING, *, string=Data::MISSING, usedforsecurity=true),
    text_signature = "(data=b'', *, usedforsecurity=True, string=b'')"
)]
pub(crate) fn shake_256(
    data: Data<'_>,
    string: Data<'_>,
    usedforsecurity: bool,
) -> PyResult<Option<PyXof>> {
    let _ = usedforsecurity;
    PyXof::named("shake_256", &message::message(data, string)?)
}

/// Writes outputs of these lengths to `out`, one after another.
fn write(
    py: Python<'_>,
    fill: Filler,
    messages: &[&[u8]],
    lengths: &[usize],
    mut out: &mut [u8],
) -> PyResult<()> {
    let mut outs = Vec::with_capacity(lengths.len());
    for length in lengths {
        outs.push(out.split_off_mut(..*length).unwrap_or_default());
    }
    py.detach(|| fill(messages, &mut outs));
    py.check_signals()
}

/// The first `length` bytes of the output of shake_128, shake_256, kt128 or kt256 for each message, in
/// order. A list gives a list, an array an array, a column a column. `length` may be a list with a length
/// for each message of a list or an array; the result is a list then.
#[pyfunction]
pub(crate) fn xof_many<'py>(
    name: Name<'_>,
    messages: &Bound<'py, PyAny>,
    length: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let xof = Xof::find(&name).ok_or_else(|| {
        let names = Xof::ALL.map(Xof::name).join(", ");
        PyValueError::new_err(format!("'{}' has one length: use digest_many, or {names}", &*name))
    })?;
    let fill = xof.filler();
    if let Some(digest) = batch::of_columns(messages, "digest")? {
        let bits = 8 * size(length.extract()?)?;
        return digest.call1((format!("{}-{bits}", xof.name()), messages));
    }
    if let Ok(length) = length.extract() {
        let length = size(length)?;
        let (outputs, _) =
            batch::map_messages(messages, length, Form::Bytes, &mut |_, many, mut out| {
                let messages = many.slices()?;
                for part in batch::parts(messages.len(), |i| messages[i].len() + length) {
                    let lengths = vec![length; part.len()];
                    let out = out.split_off_mut(..part.len() * length).unwrap_or_default();
                    write(py, fill, &messages[part], &lengths, out)?;
                }
                Ok(())
            })?;
        return Ok(outputs);
    }
    let lengths: Vec<isize> = length.extract()?;
    let lengths = lengths.into_iter().map(size).collect::<PyResult<Vec<_>>>()?;
    inputs::with_many(messages, |many, _| {
        let messages = many.slices()?;
        if lengths.len() != messages.len() {
            return Err(PyValueError::new_err(
                "not as many lengths as messages: pass one for each, or a number",
            ));
        }
        let outputs = PyList::empty(py);
        for part in batch::parts(messages.len(), |i| messages[i].len() + lengths[i]) {
            let lengths = &lengths[part.clone()];
            let total = lengths.iter().try_fold(0, |sum: usize, length| sum.checked_add(*length));
            let total = total.ok_or_else(|| PyOverflowError::new_err("too many bytes"))?;
            let mut out = buffer::zeros(total)?;
            write(py, fill, &messages[part], lengths, &mut out)?;
            let mut rest = &*out;
            for length in lengths {
                let output = rest.split_off(..*length).unwrap_or_default();
                outputs.append(buffer::bytes(py, output)?)?;
            }
        }
        Ok(outputs.into_any())
    })
}
