//! Hexadecimal digits.

use pyo3::{prelude::*, types::PyString};

/// The bytes as a string of small digits.
pub(crate) fn string<'py>(py: Python<'py>, bytes: &[u8]) -> Bound<'py, PyString> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    let digits: String =
        bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
    PyString::new(py, &digits)
}
