//! `collisions=` of SHA-1: an exception or the safe hash for a message of a collision attack.

use jlanes::{Sha1Checked, multi::Lanes};
use pyo3::{
    create_exception,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};

use crate::inputs::Many;

create_exception!(
    jlanes,
    CollisionError,
    PyValueError,
    "A message has a block of a collision attack on SHA-1."
);

/// The result for a message of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collisions {
    /// An exception instead of a digest.
    Raise,
    /// The safe hash of sha1dc.
    Safe,
}

impl FromPyObject<'_, '_> for Collisions {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let text = object.extract::<&str>();
        match text.map_err(|_| PyTypeError::new_err("collisions must be a string"))? {
            "raise" => Ok(Self::Raise),
            "safe" => Ok(Self::Safe),
            _ => Err(PyValueError::new_err("collisions must be 'raise' or 'safe'")),
        }
    }
}

/// Writes the SHA-1 digests of messages; `first` is the index of the first one.
pub(crate) fn digests(
    py: Python<'_>,
    messages: Many<'_>,
    first: usize,
    out: &mut [u8],
) -> PyResult<()> {
    let slices = messages.slices()?;
    let results = py.detach(|| Lanes::<Sha1Checked>::new().try_digests(&slices));
    for (i, (result, out)) in results.into_iter().zip(out.chunks_mut(20)).enumerate() {
        let digest = result
            .map_err(|error| CollisionError::new_err(format!("message {}: {error}", first + i)))?;
        out.copy_from_slice(&digest);
    }
    py.check_signals()
}
