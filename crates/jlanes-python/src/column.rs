//! Columns: digests, HMAC tags, derived keys and verification of each row.

use std::sync::Arc;

use jlanes_columns::{Array, ColumnHasher, DataType, Encoding, Error, Key, ffi::Imported};
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::ThreadPool;

use crate::{
    aligned::{Aligned, Piece},
    batch::FULL_LANES,
    capsule::{ArrowColumn, Chunks, to_py_err},
    inputs,
    message::MAX_ATTACHED_BYTES,
    names::{self, Name},
    pbkdf2::{self, LONG_COST_BYTES},
    threads::{self, Threads, Watch},
};

/// The work for pieces of the columns of a call.
type ColumnWork =
    Arc<dyn Fn(&ColumnHasher, &[Piece], Encoding) -> Result<Array, Error> + Send + Sync>;

/// Pieces that a thread keeps. They are dropped with the GIL, because they are Python objects.
#[pyclass(frozen, module = "jlanes.column")]
struct Pieces(Vec<Piece>);

/// The operation and the threads of a call.
struct ColumnJob {
    hasher: ColumnHasher,
    pool: Option<Arc<ThreadPool>>,
    watch: Arc<Watch>,
    hex: bool,
}

impl ColumnJob {
    fn new(name: &str, hex: bool, threads: isize) -> PyResult<Self> {
        Self::prefixed(name, [None, None], hex, threads)
    }

    /// A job with a prefix and the algorithm's own key, if they are given.
    fn prefixed(
        name: &str,
        [prefix, key]: [Option<&Bound<'_, PyAny>>; 2],
        hex: bool,
        threads: isize,
    ) -> PyResult<Self> {
        let lanes = names::keyed(name, key)?.lanes();
        let mut lanes = lanes.map_err(|error| PyValueError::new_err(error.to_string()))?;
        if let Some(prefix) = prefix {
            lanes = inputs::with_one(prefix, |prefix| lanes.prefix(prefix))?;
        }
        let hasher = ColumnHasher::from(lanes);
        let pool = Threads::new(threads)?.pool()?;
        let hasher = if pool.is_some() { hasher.parallel() } else { hasher };
        let watch = Arc::new(Watch::new());
        let watched = Arc::clone(&watch);
        let hasher = hasher.watched(move || watched.go_on());
        Ok(Self { hasher, pool, watch, hex })
    }

    /// The encoding of results, with offsets of 32 or 64 bits.
    fn encoding(&self, large: bool) -> Encoding {
        match (self.hex, large) {
            (false, false) => Encoding::Binary,
            (false, true) => Encoding::LargeBinary,
            (true, false) => Encoding::Hex,
            (true, true) => Encoding::LargeHex,
        }
    }

    /// Runs `work` on all pieces of the columns. Its results have `width` bytes for each row.
    fn run<const N: usize>(
        &self,
        columns: [&Bound<'_, PyAny>; N],
        width: usize,
        work: impl Fn(&ColumnHasher, &[Piece; N], Encoding) -> Result<Array, Error>
        + Send
        + Sync
        + 'static,
    ) -> PyResult<ArrowColumn> {
        self.run_long(columns, (width, 0), work)
    }

    /// [`run`](Self::run) for rows that take as long as hashing `cost` more bytes than they have.
    fn run_long<const N: usize>(
        &self,
        columns: [&Bound<'_, PyAny>; N],
        row: (usize, usize),
        work: impl Fn(&ColumnHasher, &[Piece; N], Encoding) -> Result<Array, Error>
        + Send
        + Sync
        + 'static,
    ) -> PyResult<ArrowColumn> {
        let work = move |hasher: &ColumnHasher, pieces: &[Piece], encoding| {
            work(hasher, pieces.try_into().map_err(|_| Error::Rows)?, encoding)
        };
        self.run_any(&columns, row, &(Arc::new(work) as ColumnWork))
    }

    /// [`run`](Self::run), compiled once.
    fn run_any(
        &self,
        columns: &[&Bound<'_, PyAny>],
        (width, cost): (usize, usize),
        work: &ColumnWork,
    ) -> PyResult<ArrowColumn> {
        let py = columns[0].py();
        let chunks =
            columns.iter().map(|column| Chunks::of(column)).collect::<PyResult<Vec<_>>>()?;
        let is_one = matches!(chunks[0], (Chunks::One(_), _));
        // offsets of 32 bits limit the number of rows in a result
        let most = i32::MAX as usize / (width << usize::from(self.hex)).max(1);
        let mut aligned = Aligned::new(chunks);
        let (mut arrays, mut large) = (Vec::new(), None);
        loop {
            let limit = |chunk: &Imported| {
                // all chunks of a stream have one type, and so have their results
                let large = *large.get_or_insert_with(|| is_large(chunk, is_one.then_some(most)));
                if large { usize::MAX } else { most }
            };
            let Some(pieces) = aligned.next(limit).map_err(to_py_err)? else { break };
            let encoding = self.encoding(large == Some(true));
            let mut bytes = cost;
            for piece in &pieces {
                bytes = bytes.saturating_add(piece.size().map_err(to_py_err)?);
            }
            let array = if bytes <= MAX_ATTACHED_BYTES && pieces[0].rows() <= FULL_LANES {
                // releasing the GIL would take longer than hashing
                Ok(work(&self.hasher, &pieces, encoding))
            } else if bytes < LONG_COST_BYTES {
                threads::watched(py, self.pool.as_deref(), &self.watch, || {
                    work(&self.hasher, &pieces, encoding)
                })
            } else {
                let (hasher, pool, work) =
                    (self.hasher.clone(), self.pool.clone(), Arc::clone(work));
                let pieces = Py::new(py, Pieces(pieces))?;
                threads::apart(py, &self.watch, move || {
                    let pieces = &pieces.get().0;
                    threads::run(pool.as_deref(), || work(&hasher, pieces, encoding))
                })
            };
            arrays.push(array?.map_err(to_py_err)?);
            py.check_signals()?;
        }
        let data_type = match arrays.first() {
            Some(array) => array.data_type().clone(),
            None => self.encoding(false).data_type(width),
        };
        Ok(ArrowColumn::new(data_type, arrays))
    }
}

/// Whether results have offsets of 64 bits: if the column has them, if it has views, or if an array has
/// more than `most` rows. The chunks of a stream are split instead.
fn is_large(chunk: &Imported, most: Option<usize>) -> bool {
    let Ok(column) = chunk.column() else { return false }; // a table
    let large = matches!(
        column.data_type(),
        DataType::LargeUtf8 | DataType::LargeBinary | DataType::Utf8View | DataType::BinaryView
    );
    large || most.is_some_and(|most| column.len() > most)
}

/// digest(name, column, prefix, key, hex, threads): the digest of each row, with a prefix and the
/// algorithm's own key if they are given.
#[pyfunction]
pub(crate) fn column_digest(
    name: Name<'_>,
    column: &Bound<'_, PyAny>,
    prefix: Option<&Bound<'_, PyAny>>,
    key: Option<&Bound<'_, PyAny>>,
    hex: bool,
    threads: isize,
) -> PyResult<ArrowColumn> {
    let job = ColumnJob::prefixed(&name, [prefix, key], hex, threads)?;
    let width = job.hasher.output_size();
    job.run([column], width, |hasher, [column], encoding| {
        hasher.digest(&column.column()?, encoding)
    })
}

/// hmac(key, column, name, hex, threads): the HMAC tag of each row, with one key or a column of keys.
#[pyfunction]
pub(crate) fn column_hmac(
    key: &Bound<'_, PyAny>,
    column: &Bound<'_, PyAny>,
    name: Name<'_>,
    hex: bool,
    threads: isize,
) -> PyResult<ArrowColumn> {
    let job = ColumnJob::new(&name, hex, threads)?;
    let width = job.hasher.output_size();
    match inputs::one_key(key)? {
        Some(key) => job.run([column], width, move |hasher, [column], encoding| {
            hasher.hmac(Key::One(&key), &column.column()?, encoding)
        }),
        None => job.run([column, key], width, |hasher, [column, keys], encoding| {
            hasher.hmac(Key::Each(&keys.column()?), &column.column()?, encoding)
        }),
    }
}

/// pbkdf2(name, passwords, salt, iterations, dklen, hex, threads): a derived key for each row.
#[pyfunction]
pub(crate) fn column_pbkdf2(
    name: Name<'_>,
    passwords: &Bound<'_, PyAny>,
    salt: &Bound<'_, PyAny>,
    iterations: i64,
    dklen: Option<i64>,
    hex: bool,
    threads: isize,
) -> PyResult<ArrowColumn> {
    let algorithm = names::parse(&name)?;
    let (rounds, width) = pbkdf2::check_sizes(algorithm, iterations, dklen)?;
    let job = ColumnJob::new(&name, hex, threads)?;
    let row = (width, pbkdf2::cost(algorithm, (rounds, width)));
    match inputs::one_key(salt)? {
        Some(salt) => job.run_long([passwords], row, move |hasher, [passwords], encoding| {
            hasher.pbkdf2(&passwords.column()?, Key::One(&salt), rounds, width, encoding)
        }),
        None => {
            job.run_long([passwords, salt], row, move |hasher, [passwords, salts], encoding| {
                let (passwords, salts) = (passwords.column()?, salts.column()?);
                hasher.pbkdf2(&passwords, Key::Each(&salts), rounds, width, encoding)
            })
        }
    }
}

/// verify(name, column, expected, key, threads): whether each row has the expected digest, or with `key`
/// the expected HMAC tag.
#[pyfunction]
pub(crate) fn column_verify(
    name: Name<'_>,
    column: &Bound<'_, PyAny>,
    expected: &Bound<'_, PyAny>,
    key: Option<&Bound<'_, PyAny>>,
    threads: isize,
) -> PyResult<ArrowColumn> {
    let job = ColumnJob::new(&name, false, threads)?;
    let key = key.map(inputs::to_vec).transpose()?;
    let made = job.run([column, expected], 0, move |hasher, [column, expected], _| {
        let (column, expected) = (column.column()?, expected.column()?);
        match &key {
            Some(key) => hasher.verify_hmac(Key::One(key), &column, &expected),
            None => hasher.verify(&column, &expected),
        }
    })?;
    Ok(made.or_empty(DataType::Boolean))
}

/// rows(name, table, hex, threads): one digest for each row of a table. It does not depend on the layouts of
/// the columns.
#[pyfunction]
pub(crate) fn column_rows(
    name: Name<'_>,
    table: &Bound<'_, PyAny>,
    hex: bool,
    threads: isize,
) -> PyResult<ArrowColumn> {
    let job = ColumnJob::new(&name, hex, threads)?;
    let width = job.hasher.output_size();
    job.run([table], width, |hasher, [table], encoding| {
        hasher.row_digest(&table.columns()?, encoding)
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
