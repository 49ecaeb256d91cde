//! Keys by name, so that the bytes of keys stay out of plans and logs.

use std::{env, fs, io, path::Path};

use pyo3::{
    exceptions::{PyLookupError, PyValueError},
    prelude::*,
};

/// The reason why there is no key.
pub(crate) enum NoKey {
    Missing(String),
    Wrong(String),
}

impl NoKey {
    pub(crate) fn text(self) -> String {
        match self {
            Self::Missing(text) | Self::Wrong(text) => text,
        }
    }
}

/// The key of this name: the bytes of the file NAME in the folder JLANES_KEYS, or else the hexadecimal digits
/// in the variable JLANES_KEY_NAME.
pub(crate) fn find(name: &str) -> Result<Vec<u8>, NoKey> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if name.is_empty() || !name.bytes().all(is_word) {
        let rule = "use letters, digits, '_' and '-'";
        return Err(NoKey::Wrong(format!("'{name}' is not a name of a key: {rule}")));
    }
    let file = env::var_os("JLANES_KEYS").map(|folder| fs::read(Path::new(&folder).join(name)));
    let key = match file {
        Some(Ok(key)) => from_file(name, key)?,
        Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => {
            return Err(NoKey::Wrong(format!("the file of the key '{name}': {error}")));
        }
        _ => from_variable(name)?,
    };
    if key.is_empty() {
        return Err(NoKey::Wrong(format!("the key '{name}' is empty")));
    }
    Ok(key)
}

/// Refuses text with a newline at its end, which editors and `echo` add, and which is not meant as part
/// of the key.
fn from_file(name: &str, key: Vec<u8>) -> Result<Vec<u8>, NoKey> {
    match key.split_last() {
        Some((b'\n', text))
            if text
                .iter()
                .all(|byte| byte.is_ascii_graphic() || *byte == b' ' || *byte == b'\r') =>
        {
            Err(NoKey::Wrong(format!(
                "the file of the key '{name}' is text that ends with a newline: write it without one, \
                 with printf"
            )))
        }
        _ => Ok(key),
    }
}

fn from_variable(name: &str) -> Result<Vec<u8>, NoKey> {
    let variable = format!("JLANES_KEY_{}", name.to_ascii_uppercase().replace('-', "_"));
    let Some(text) = env::var_os(&variable) else {
        return Err(NoKey::Missing(format!(
            "no key '{name}': neither a file in JLANES_KEYS nor the variable {variable} exists"
        )));
    };
    let pairs = text.as_encoded_bytes().chunks(2);
    let byte = |pair: &[u8]| match pair {
        [a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
            u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()
        }
        _ => None,
    };
    let key = pairs.map(byte).collect::<Option<Vec<u8>>>();
    key.ok_or_else(|| NoKey::Wrong(format!("{variable} is not hexadecimal")))
}

/// The key of this name.
#[pyfunction]
pub(crate) fn named_key(name: &str) -> PyResult<Vec<u8>> {
    find(name).map_err(|error| match error {
        NoKey::Missing(text) => PyLookupError::new_err(text),
        NoKey::Wrong(text) => PyValueError::new_err(text),
    })
}
