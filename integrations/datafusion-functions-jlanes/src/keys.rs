//! Keys by name. SQL and plans contain only names; each process reads the bytes itself.

use std::{env, fs, io::ErrorKind, path::Path};

use datafusion_common::{Result, exec_datafusion_err, exec_err};

/// The directory of key files.
const DIRECTORY: &str = "JLANES_KEYS";

/// The prefix of a variable with a key.
const PREFIX: &str = "JLANES_KEY_";

/// The key with this name: the bytes of the file in the directory `JLANES_KEYS`, otherwise the
/// hexadecimal digits in the variable `JLANES_KEY_NAME`. Errors contain no byte of it.
pub(crate) fn find(name: &str) -> Result<Vec<u8>> {
    // names cannot lead out of the directory
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    if name.is_empty() || !name.bytes().all(plain) {
        return exec_err!("'{name}' is no name of a key: letters, digits, '_' and '-' are");
    }
    let key = match from_file(name)? {
        Some(key) => key,
        None => from_variable(name)?,
    };
    if key.is_empty() {
        return exec_err!("the key '{name}' has no bytes");
    }
    Ok(key)
}

fn from_file(name: &str) -> Result<Option<Vec<u8>>> {
    let Some(directory) = env::var_os(DIRECTORY) else {
        return Ok(None);
    };
    match fs::read(Path::new(&directory).join(name)) {
        Ok(key) => Ok(Some(key)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => exec_err!("the key '{name}' cannot be read: {error}"),
    }
}

fn from_variable(name: &str) -> Result<Vec<u8>> {
    let variable = format!("{PREFIX}{}", name.to_ascii_uppercase().replace('-', "_"));
    let Some(text) = env::var_os(&variable) else {
        return exec_err!("there is no key '{name}': no file in {DIRECTORY}, and no {variable}");
    };
    let text = text.to_str().map(str::as_bytes).filter(|text| text.len().is_multiple_of(2));
    let byte = |pair: &[u8]| {
        let digit = |at: usize| char::from(pair[at]).to_digit(16);
        u8::try_from(digit(0)? << 4 | digit(1)?).ok()
    };
    let key = text.and_then(|text| text.chunks(2).map(byte).collect::<Option<Vec<u8>>>());
    key.ok_or_else(|| exec_datafusion_err!("{variable} is not hexadecimal"))
}
