//! Merkle trees in the formats of other tools.

mod log;

use jlanes::{Sha1, Sha256, Sha512, merkle};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyList},
};

use crate::{
    gate,
    threads::{self, Threads},
};

fn wrong(error: merkle::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Calls `serial` or `parallel` with the bytes of `data`, without the GIL.
fn tree<R: Send>(
    data: &Bound<'_, PyAny>,
    threads: isize,
    serial: impl FnOnce(&[u8]) -> Result<R, merkle::Error> + Send,
    parallel: impl FnOnce(&[u8]) -> Result<R, merkle::Error> + Send,
) -> PyResult<R> {
    let pool = Threads::new(threads)?.pool()?;
    let made = gate::with_one(data, |bytes| {
        data.py().detach(|| match &pool {
            Some(pool) => threads::run(Some(pool), || parallel(bytes)),
            None => serial(bytes),
        })
    })?;
    made.map_err(wrong)
}

fn bytes<'py>(py: Python<'py>, digest: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, digest)
}

/// Defines functions without parameters.
macro_rules! plain {
    ($($name:ident $par:ident: $doc:literal;)*) => {$(
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (data, *, threads=1))]
        pub(crate) fn $name<'py>(
            data: &Bound<'py, PyAny>,
            threads: isize,
        ) -> PyResult<Bound<'py, PyBytes>> {
            Ok(bytes(data.py(), &tree(data, threads, merkle::$name, merkle::$par)?))
        }
    )*};
}
plain! {
    btv2 par_btv2: "BitTorrent v2's pieces root of a file.";
    glacier par_glacier: "Amazon Glacier's tree hash.";
    dropbox par_dropbox: "Dropbox's content hash.";
    bitcoin par_bitcoin: "Bitcoin's Merkle root of concatenated transaction ids of 32 bytes.";
}

/// SHA256TREE of a blob, as in Bazel's Remote Execution API.
#[pyfunction]
#[pyo3(signature = (data, *, threads=1))]
pub(crate) fn sha256tree<'py>(
    data: &Bound<'py, PyAny>,
    threads: isize,
) -> PyResult<Bound<'py, PyBytes>> {
    let serial = |data: &[u8]| Ok(merkle::sha256tree(data));
    let parallel = |data: &[u8]| Ok(merkle::par_sha256tree(data));
    Ok(bytes(data.py(), &tree(data, threads, serial, parallel)?))
}

/// A function from data, block size and salt to the root.
type Verity = fn(&[u8], usize, &[u8]) -> Result<Vec<u8>, merkle::Error>;

/// The serial and the parallel form of a function, for one hash.
macro_rules! verity {
    ($serial:ident $parallel:ident $hash:ty) => {{
        let forms: [Verity; 2] = [
            |data, block, salt| Ok(merkle::$serial::<$hash>(data, block, salt)?.to_vec()),
            |data, block, salt| Ok(merkle::$parallel::<$hash>(data, block, salt)?.to_vec()),
        ];
        Some(forms)
    }};
}

/// The root of a tree, serial or parallel. Without `forms` the tree does not exist with this hash.
fn verity<'py>(
    forms: Option<[Verity; 2]>,
    data: &Bound<'py, PyAny>,
    hash: &str,
    block: usize,
    salt: Option<&Bound<'py, PyAny>>,
    threads: isize,
) -> PyResult<Bound<'py, PyBytes>> {
    let Some([serial, parallel]) = forms else {
        return Err(PyValueError::new_err(format!("this tree cannot use {hash}")));
    };
    let salt = salt.map(|salt| gate::to_vec(salt)).transpose()?;
    let salt = salt.unwrap_or_default();
    let serial = |data: &[u8]| serial(data, block, &salt);
    let parallel = |data: &[u8]| parallel(data, block, &salt);
    Ok(bytes(data.py(), &tree(data, threads, serial, parallel)?))
}

/// fs-verity's file digest.
#[pyfunction]
#[pyo3(signature = (data, hash="sha256", *, block=4096, salt=None, threads=1))]
pub(crate) fn fsverity<'py>(
    data: &Bound<'py, PyAny>,
    hash: &str,
    block: usize,
    salt: Option<&Bound<'py, PyAny>>,
    threads: isize,
) -> PyResult<Bound<'py, PyBytes>> {
    let forms = match hash {
        "sha256" => verity!(fsverity par_fsverity Sha256),
        "sha512" => verity!(fsverity par_fsverity Sha512),
        _ => None,
    };
    verity(forms, data, hash, block, salt, threads)
}

/// dm-verity's root hash, of version 1.
#[pyfunction]
#[pyo3(signature = (data, hash="sha256", *, block=4096, salt=None, threads=1))]
pub(crate) fn dmverity<'py>(
    data: &Bound<'py, PyAny>,
    hash: &str,
    block: usize,
    salt: Option<&Bound<'py, PyAny>>,
    threads: isize,
) -> PyResult<Bound<'py, PyBytes>> {
    let forms = match hash {
        "sha1" => verity!(dmverity par_dmverity Sha1),
        "sha256" => verity!(dmverity par_dmverity Sha256),
        "sha512" => verity!(dmverity par_dmverity Sha512),
        _ => None,
    };
    verity(forms, data, hash, block, salt, threads)
}

/// BitTorrent v1's digests of the pieces of a torrent's files, which follow each other, as a list.
#[pyfunction]
#[pyo3(signature = (data, piece, *, threads=1))]
pub(crate) fn btv1_pieces<'py>(
    data: &Bound<'py, PyAny>,
    piece: usize,
    threads: isize,
) -> PyResult<Bound<'py, PyList>> {
    let py = data.py();
    let serial = |data: &[u8]| merkle::btv1_pieces(data, piece);
    let parallel = |data: &[u8]| merkle::par_btv1_pieces(data, piece);
    let pieces = tree(data, threads, serial, parallel)?;
    PyList::new(py, pieces.iter().map(|digest| bytes(py, digest)))
}

/// BitTorrent v2's pieces root of a file, and its piece layer as a list.
#[pyfunction]
#[pyo3(signature = (data, piece, *, threads=1))]
pub(crate) fn btv2_pieces<'py>(
    data: &Bound<'py, PyAny>,
    piece: usize,
    threads: isize,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyList>)> {
    let py = data.py();
    let serial = |data: &[u8]| merkle::btv2_pieces(data, piece);
    let parallel = |data: &[u8]| merkle::par_btv2_pieces(data, piece);
    let pieces = tree(data, threads, serial, parallel)?;
    let layer = PyList::new(py, pieces.layer.iter().map(|digest| bytes(py, digest)))?;
    Ok((bytes(py, &pieces.root), layer))
}

/// S3's composite SHA-256 of an object in parts of `part` bytes, and the number of parts.
#[pyfunction]
#[pyo3(signature = (data, part, *, threads=1))]
pub(crate) fn s3_composite<'py>(
    data: &Bound<'py, PyAny>,
    part: usize,
    threads: isize,
) -> PyResult<(Bound<'py, PyBytes>, u64)> {
    let serial = |data: &[u8]| merkle::s3_composite(data, part);
    let parallel = |data: &[u8]| merkle::par_s3_composite(data, part);
    let composite = tree(data, threads, serial, parallel)?;
    Ok((bytes(data.py(), &composite.digest), composite.parts))
}

/// S3's entity tag of an object that was uploaded in parts of `part` bytes, as text.
#[pyfunction]
#[pyo3(signature = (data, part, *, threads=1))]
pub(crate) fn etag(data: &Bound<'_, PyAny>, part: usize, threads: isize) -> PyResult<String> {
    // without a parallel form
    let etag = |data: &[u8]| merkle::etag(data, part);
    Ok(tree(data, threads, etag, etag)?.to_string())
}

/// SSZ's root of concatenated chunks of 32 bytes, in a tree for `limit` chunks.
#[pyfunction]
#[pyo3(signature = (chunks, limit=None, *, threads=1))]
pub(crate) fn ssz<'py>(
    chunks: &Bound<'py, PyAny>,
    limit: Option<u64>,
    threads: isize,
) -> PyResult<Bound<'py, PyBytes>> {
    let serial = |data: &[u8]| merkle::ssz(data, limit);
    let parallel = |data: &[u8]| merkle::par_ssz(data, limit);
    Ok(bytes(chunks.py(), &tree(chunks, threads, serial, parallel)?))
}

/// RFC 6962's tree hash of chunks of `leaf` bytes, with SHA-256.
#[pyfunction]
#[pyo3(signature = (data, leaf, *, threads=1))]
pub(crate) fn rfc6962<'py>(
    data: &Bound<'py, PyAny>,
    leaf: usize,
    threads: isize,
) -> PyResult<Bound<'py, PyBytes>> {
    let serial = |data: &[u8]| merkle::rfc6962::<Sha256>(data, leaf);
    let parallel = |data: &[u8]| merkle::par_rfc6962::<Sha256>(data, leaf);
    Ok(bytes(data.py(), &tree(data, threads, serial, parallel)?))
}

/// go.sum's `h1:` hash of (name, content) pairs.
#[pyfunction]
pub(crate) fn go_h1(files: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut owned = Vec::new();
    for file in files.try_iter()? {
        let (name, content): (String, Bound<'_, PyAny>) = file?.extract()?;
        owned.push((name, gate::to_vec(&content)?));
    }
    let pairs: Vec<(&str, &[u8])> =
        owned.iter().map(|(name, content)| (&**name, &**content)).collect();
    files.py().detach(|| merkle::go_h1(&pairs)).map_err(wrong)
}

/// Adds the functions to the native module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<log::Log>()?;
    module.add_function(wrap_pyfunction!(btv1_pieces, module)?)?;
    module.add_function(wrap_pyfunction!(btv2, module)?)?;
    module.add_function(wrap_pyfunction!(btv2_pieces, module)?)?;
    module.add_function(wrap_pyfunction!(sha256tree, module)?)?;
    module.add_function(wrap_pyfunction!(glacier, module)?)?;
    module.add_function(wrap_pyfunction!(dropbox, module)?)?;
    module.add_function(wrap_pyfunction!(bitcoin, module)?)?;
    module.add_function(wrap_pyfunction!(fsverity, module)?)?;
    module.add_function(wrap_pyfunction!(dmverity, module)?)?;
    module.add_function(wrap_pyfunction!(s3_composite, module)?)?;
    module.add_function(wrap_pyfunction!(etag, module)?)?;
    module.add_function(wrap_pyfunction!(ssz, module)?)?;
    module.add_function(wrap_pyfunction!(rfc6962, module)?)?;
    module.add_function(wrap_pyfunction!(go_h1, module)?)?;
    module.add_function(wrap_pyfunction!(log::verify_inclusion, module)?)?;
    module.add_function(wrap_pyfunction!(log::verify_consistency, module)?)?;
    Ok(())
}
