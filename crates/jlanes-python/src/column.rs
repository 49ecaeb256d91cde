//! Columns: digests, HMAC tags and derived keys of every row.

use jlanes_columns::{Array, DataType, Encoding, Error, Kernel, Key, ffi::Imported};
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::ThreadPool;

use crate::{
    capsule::{ArrowColumn, Chunks, wrong},
    gate, names,
    threads::{self, Threads},
};

/// What a call does to every chunk.
struct Job {
    kernel: Kernel,
    pool: Option<std::sync::Arc<ThreadPool>>,
    hex: bool,
}

impl Job {
    fn new(name: &str, hex: bool, threads: usize) -> PyResult<Self> {
        Self::keyed(name, None, hex, threads)
    }

    /// With the algorithm's own key, if there is one.
    fn keyed(
        name: &str,
        key: Option<&Bound<'_, PyAny>>,
        hex: bool,
        threads: usize,
    ) -> PyResult<Self> {
        let kernel = Kernel::new(names::parse(name)?);
        let mut kernel = kernel.map_err(|error| PyValueError::new_err(error.to_string()))?;
        if let Some(key) = key {
            let made = gate::with_one(key, |key| kernel.clone().keyed(key))?;
            let len = key.len().unwrap_or_default();
            let wrong = |_| PyValueError::new_err(format!("{name} has no key of {len} bytes"));
            kernel = made.map_err(wrong)?;
        }
        let pool = Threads::new(threads)?.pool()?;
        let kernel = if pool.is_some() { kernel.parallel() } else { kernel };
        Ok(Self { kernel, pool, hex })
    }

    /// The encoding of results: with long offsets where the input may have more bytes than short
    /// ones can count.
    fn encoding(&self, large: bool) -> Encoding {
        match (self.hex, large) {
            (false, false) => Encoding::Binary,
            (false, true) => Encoding::LargeBinary,
            (true, false) => Encoding::Hex,
            (true, true) => Encoding::LargeHex,
        }
    }

    /// Runs `work` on every chunk of `first` with the chunks of `others` beside it.
    fn run(
        &self,
        first: &Bound<'_, PyAny>,
        other: Option<&Bound<'_, PyAny>>,
        width: usize,
        work: impl Fn(&Kernel, &Imported, Option<&Imported>, Encoding) -> Result<Array, Error> + Sync,
    ) -> PyResult<ArrowColumn> {
        let py = first.py();
        let mut large = None;
        let mut others = other.map(Chunks::of).transpose()?;
        let mut arrays = Vec::new();
        for chunk in Chunks::of(first)? {
            let chunk = chunk?;
            // what the first chunk is decides, for all chunks have one type
            let encoding = self.encoding(*large.get_or_insert_with(|| is_large(&chunk, width)));
            let beside = match &mut others {
                Some(others) => Some(others.next().ok_or_else(unequal)??),
                None => None,
            };
            let array = py.detach(|| {
                let work = || work(&self.kernel, &chunk, beside.as_ref(), encoding);
                threads::run(self.pool.as_deref(), work)
            });
            arrays.push(array.map_err(wrong)?);
            py.check_signals()?;
        }
        if let Some(others) = &mut others
            && others.next().is_some()
        {
            return Err(unequal());
        }
        let data_type = match arrays.first() {
            Some(array) => array.data_type().clone(),
            None => self.encoding(false).data_type(width),
        };
        Ok(ArrowColumn::new(data_type, arrays))
    }
}

/// Whether a result has long offsets: where its column has, or views, which can be as many; and where
/// short ones would not do.
fn is_large(chunk: &Imported, width: usize) -> bool {
    let Ok(column) = chunk.column() else { return false }; // a table
    let many = column.len().saturating_mul(2 * width) > i32::MAX as usize;
    let large = matches!(
        column.data_type(),
        DataType::LargeUtf8 | DataType::LargeBinary | DataType::Utf8View | DataType::BinaryView
    );
    large || many
}

fn unequal() -> PyErr {
    PyValueError::new_err("the two columns are not chunked in the same way")
}

/// digest(name, column, key, hex, threads): the digest of every row, under the algorithm's own key if
/// there is one.
#[pyfunction]
pub(crate) fn column_digest(
    name: &str,
    column: &Bound<'_, PyAny>,
    key: Option<&Bound<'_, PyAny>>,
    hex: bool,
    threads: usize,
) -> PyResult<ArrowColumn> {
    let job = Job::keyed(name, key, hex, threads)?;
    let width = job.kernel.output_size();
    job.run(column, None, width, |kernel, chunk, _, encoding| {
        kernel.digest(&chunk.column()?, encoding)
    })
}

/// hmac(key, column, name, hex, threads): the HMAC tag of every row, under one key or a column of
/// them.
#[pyfunction]
pub(crate) fn column_hmac(
    key: &Bound<'_, PyAny>,
    column: &Bound<'_, PyAny>,
    name: &str,
    hex: bool,
    threads: usize,
) -> PyResult<ArrowColumn> {
    let job = Job::new(name, hex, threads)?;
    let width = job.kernel.output_size();
    match gate::one_key(key)? {
        Some(key) => job.run(column, None, width, |kernel, chunk, _, encoding| {
            kernel.hmac(Key::One(&key), &chunk.column()?, encoding)
        }),
        None => job.run(column, Some(key), width, |kernel, chunk, keys, encoding| {
            let keys = keys.map(Imported::column).transpose()?.ok_or(Error::Rows)?;
            kernel.hmac(Key::Each(&keys), &chunk.column()?, encoding)
        }),
    }
}

/// pbkdf2(name, passwords, salt, iterations, dklen, hex, threads): a derived key for every row.
#[pyfunction]
pub(crate) fn column_pbkdf2(
    name: &str,
    passwords: &Bound<'_, PyAny>,
    salt: &Bound<'_, PyAny>,
    iterations: i64,
    dklen: Option<i64>,
    hex: bool,
    threads: usize,
) -> PyResult<ArrowColumn> {
    let (rounds, width) = crate::pbkdf2::sizes(names::parse(name)?, iterations, dklen)?;
    let job = Job::new(name, hex, threads)?;
    match gate::one_key(salt)? {
        Some(salt) => job.run(passwords, None, width, |kernel, chunk, _, encoding| {
            kernel.pbkdf2(&chunk.column()?, Key::One(&salt), rounds, width, encoding)
        }),
        None => job.run(passwords, Some(salt), width, |kernel, chunk, salts, encoding| {
            let salts = salts.map(Imported::column).transpose()?.ok_or(Error::Rows)?;
            kernel.pbkdf2(&chunk.column()?, Key::Each(&salts), rounds, width, encoding)
        }),
    }
}

/// verify(name, column, expected, key, threads): whether the digest, or the HMAC tag under `key`, of
/// every row is the expected one.
#[pyfunction]
pub(crate) fn column_verify(
    name: &str,
    column: &Bound<'_, PyAny>,
    expected: &Bound<'_, PyAny>,
    key: Option<&Bound<'_, PyAny>>,
    threads: usize,
) -> PyResult<ArrowColumn> {
    let job = Job::new(name, false, threads)?;
    let key = key.map(|key| gate::to_vec(key)).transpose()?;
    let made = job.run(column, Some(expected), 0, |kernel, chunk, expected, _| {
        let expected = expected.map(Imported::column).transpose()?.ok_or(Error::Rows)?;
        match &key {
            Some(key) => kernel.verify_hmac(Key::One(key), &chunk.column()?, &expected),
            None => kernel.verify(&chunk.column()?, &expected),
        }
    })?;
    Ok(made.or_empty(DataType::Boolean))
}

/// rows(name, table, hex, threads): one digest of every row of a table, whatever the layouts of its
/// columns.
#[pyfunction]
pub(crate) fn column_rows(
    name: &str,
    table: &Bound<'_, PyAny>,
    hex: bool,
    threads: usize,
) -> PyResult<ArrowColumn> {
    let job = Job::new(name, hex, threads)?;
    let width = job.kernel.output_size();
    job.run(table, None, width, |kernel, chunk, _, encoding| {
        kernel.row_digest(&chunk.columns()?, encoding)
    })
}

/// Adds the functions to the native module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ArrowColumn>()?;
    module.add_function(wrap_pyfunction!(column_digest, module)?)?;
    module.add_function(wrap_pyfunction!(column_hmac, module)?)?;
    module.add_function(wrap_pyfunction!(column_pbkdf2, module)?)?;
    module.add_function(wrap_pyfunction!(column_verify, module)?)?;
    module.add_function(wrap_pyfunction!(column_rows, module)?)?;
    Ok(())
}
