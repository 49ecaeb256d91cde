//! PBKDF2: keys derived from one password or many.

use std::{slice, sync::Arc};

use jlanes::{Algorithm, multi::Messages};
use pyo3::{
    exceptions::{PyOverflowError, PyValueError},
    prelude::*,
    types::{IntoPyDict, PyBytes},
};

use crate::{
    batch::{FULL_LANES, Job, map_messages, of_columns},
    buffer,
    inputs::{self, Keys},
    names::{self, Name},
    output::Form,
    threads::{self, Threads, Watch},
};

/// The cost, in bytes to hash, from which one filling of the lanes may take too long to wait for after
/// Ctrl-C. Compared with that, a thread and a copy of the passwords cost nothing.
pub(crate) const LONG_COST_BYTES: usize = 16 << 20;

const UNEVEN: &str = "not as many salts as passwords: pass one for each, or one as bytes";

/// The number of rounds and the length of a derived key, checked.
pub(crate) fn check_sizes(
    algorithm: Algorithm,
    rounds: i64,
    dklen: Option<i64>,
) -> PyResult<(u32, usize)> {
    if rounds < 1 {
        return Err(PyValueError::new_err("iteration value must be greater than 0."));
    }
    let rounds = u32::try_from(rounds)
        .map_err(|_| PyOverflowError::new_err("iteration value is too great."))?;
    let size = algorithm.output_size();
    let dklen = dklen.unwrap_or(size as i64);
    if dklen < 1 {
        return Err(PyValueError::new_err("key length must be greater than 0."));
    }
    // RFC 8018 allows 2^32 - 1 digests, OpenSSL 2^31 - 1 bytes
    match usize::try_from(dklen) {
        Ok(dklen) if i32::try_from(dklen).is_ok() => Ok((rounds, dklen)),
        _ => Err(PyOverflowError::new_err("key length is too great.")),
    }
}

/// The number of bytes to hash for one password.
pub(crate) fn cost(algorithm: Algorithm, (rounds, dklen): (u32, usize)) -> usize {
    let passes = dklen.div_ceil(algorithm.output_size()).saturating_mul(rounds as usize);
    passes.saturating_mul(2 * algorithm.block_size())
}

/// Writes the key of each password and its salt to `out`.
fn derive(
    py: Python<'_>,
    algorithm: Algorithm,
    (passwords, salts): (&[&[u8]], Keys<'_>),
    (rounds, dklen): (u32, usize),
    threads: isize,
    out: &mut [u8],
) -> PyResult<()> {
    // one for all passwords, or one for each
    let salts = match &salts {
        Keys::One(salt) => slice::from_ref(salt),
        Keys::Each(salts) => salts,
    };
    let pool = Threads::new(threads)?.pool()?;
    let cost = cost(algorithm, (rounds, dklen));
    if cost >= LONG_COST_BYTES {
        let copy = |all: &[&[u8]]| -> PyResult<Vec<_>> {
            all.iter().map(|bytes| buffer::copied(bytes)).collect()
        };
        let (passwords, salts) = (copy(passwords)?, copy(salts)?);
        let lanes = Job::new(&algorithm.into(), pool.as_deref())?.lanes;
        let many = FULL_LANES * pool.as_ref().map_or(1, |pool| pool.current_num_threads());
        let watch = Arc::new(Watch::new());
        let watched = Arc::clone(&watch);
        let mut keys = buffer::zeros(out.len())?;
        let keys = threads::apart(py, &watch, move || {
            let mut salts = salts.iter().map(|salt| &**salt).cycle();
            for (out, passwords) in keys.chunks_mut(many * dklen).zip(passwords.chunks(many)) {
                if !watched.go_on() {
                    break;
                }
                let passwords: Vec<&[u8]> = passwords.iter().map(|bytes| &**bytes).collect();
                let salts: Vec<_> = salts.by_ref().take(passwords.len()).collect();
                let (passwords, salts) = (Messages::slices(&passwords), Messages::slices(&salts));
                let derive = || lanes.pbkdf2(passwords, salts, rounds, dklen, out);
                threads::run(pool.as_deref(), derive).map_err(|error| error.to_string())?;
            }
            Ok::<_, String>(keys)
        })?;
        out.copy_from_slice(&keys.map_err(PyValueError::new_err)?);
        return Ok(());
    }
    let salts = inputs::gathered(passwords.len(), |i| salts[i % salts.len()])?;
    let job = Job::new(&algorithm.into(), pool.as_deref())?;
    job.run(
        py,
        |_| cost,
        dklen,
        out,
        |lanes, first, out| {
            let count = out.len() / dklen;
            lanes.pbkdf2(
                Messages::slices(&passwords[first..][..count]),
                Messages::slices(&salts[first..][..count]),
                rounds,
                dklen,
                out,
            )
        },
    )
}

/// Keys derived from many passwords with PBKDF2 and HMAC, in order. `salts` is one bytes-like object, or a
/// list with a salt for each password; for a column of passwords it may be a column.
#[pyfunction]
#[pyo3(signature = (hash_name, passwords, salts, iterations, dklen=None, *, threads=1))]
pub(crate) fn pbkdf2_many<'py>(
    hash_name: Name<'_>,
    passwords: &Bound<'py, PyAny>,
    salts: &Bound<'py, PyAny>,
    iterations: i64,
    dklen: Option<i64>,
    threads: isize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = passwords.py();
    if let Some(pbkdf2) = of_columns(passwords, "pbkdf2")? {
        let options = [("threads", threads)].into_py_dict(py)?;
        return pbkdf2.call((&*hash_name, passwords, salts, iterations, dklen), Some(&options));
    }
    let algorithm = names::parse(&hash_name)?;
    let (rounds, dklen) = check_sizes(algorithm, iterations, dklen)?;
    inputs::with_keys(salts, |salts| {
        let (keys, count) =
            map_messages(passwords, dklen, Form::Bytes, &mut |first, part, out| {
                let salts = salts.part(first, part.len(), UNEVEN)?;
                derive(py, algorithm, (&*part.slices()?, salts), (rounds, dklen), threads, out)
            })?;
        salts.check(count, UNEVEN)?;
        Ok(keys)
    })
}

/// A key derived from a password with PBKDF2 and HMAC.
#[pyfunction]
#[pyo3(signature = (hash_name, password, salt, iterations, dklen=None))]
pub(crate) fn pbkdf2_hmac<'py>(
    hash_name: Name<'_>,
    password: &Bound<'py, PyAny>,
    salt: &Bound<'py, PyAny>,
    iterations: i64,
    dklen: Option<i64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = password.py();
    let algorithm = names::parse(&hash_name)?;
    let password = inputs::to_vec(password)?;
    let salt = inputs::to_vec(salt)?;
    let (rounds, dklen) = check_sizes(algorithm, iterations, dklen)?;
    PyBytes::new_with(py, dklen, |out| {
        derive(py, algorithm, (&[&password], Keys::One(&salt)), (rounds, dklen), 1, out)
    })
}
