//! Python's functions for Merkle trees in the formats of other tools. They hash data in pieces, without the GIL,
//! and between pieces Ctrl-C stops them.

mod log;

use jlanes::{
    Md5, Sha1, Sha256, Sha512,
    merkle::{
        self, BitTorrent, BitTorrentV1, Bitcoin, DmVerity, Dropbox, ETag, Format, FsVerity,
        Glacier, Rfc6962, S3, Sha256Tree, Ssz,
    },
    tree::ParUpdate as _,
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyList},
};

use crate::{
    batch::{BYTES_PER_CHECK, FULL_LANES},
    inputs,
    threads::{self, Threads, Watch},
};

fn to_py_err(error: impl Into<merkle::Error>) -> PyErr {
    PyValueError::new_err(error.into().to_string())
}

/// The maximum number of bytes that a thread hashes between two checks for Ctrl-C, for formats with
/// long leaves.
const MAX_PIECE_BYTES: usize = 512 << 20;

/// The result of a format for `data`, computed without the GIL. Ctrl-C stops it between pieces.
fn tree<F>(
    data: &Bound<'_, PyAny>,
    threads: isize,
    format: Result<F, merkle::Error>,
) -> PyResult<F::Output>
where
    F: Format<Output: Send, Error: Send> + Send,
{
    let format = format.map_err(to_py_err)?;
    let mut hasher = format.hasher();
    in_pieces(data, threads, format.rules().leaf.size, &mut |piece, parallel| match parallel {
        true => hasher.par_update(piece),
        false => hasher.update(piece),
    })?;
    data.py().detach(|| hasher.finalize()).map_err(to_py_err)
}

/// Calls `update` with pieces of `data`, and with a flag for running on a pool.
fn in_pieces(
    data: &Bound<'_, PyAny>,
    threads: isize,
    leaf: usize,
    update: &mut (dyn FnMut(&[u8], bool) + Send),
) -> PyResult<()> {
    let pool = Threads::new(threads)?.pool()?;
    let threads = pool.as_ref().map_or(1, |pool| pool.current_num_threads());
    // whole leaves for all lanes; each costs two more blocks, its own padding and a node
    let leaves = BYTES_PER_CHECK / leaf.saturating_add(128) / FULL_LANES * FULL_LANES;
    let piece = leaf
        .saturating_mul(leaves.max(FULL_LANES))
        .clamp(1, MAX_PIECE_BYTES)
        .saturating_mul(threads);
    let watch = Watch::new();
    inputs::with_one(data, |bytes| {
        threads::watched(data.py(), pool.as_deref(), &watch, || {
            let pieces = bytes.chunks(piece).take_while(|_| watch.go_on());
            pieces.for_each(|piece| update(piece, pool.is_some()));
        })
    })?
}

fn bytes<'py>(py: Python<'py>, digest: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, digest)
}

/// Defines functions of formats without parameters.
macro_rules! plain {
    ($($name:ident $format:expr, |$output:ident| $digest:expr; $doc:literal;)*) => {$(
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (data, *, threads=1))]
        pub(crate) fn $name<'py>(
            data: &Bound<'py, PyAny>,
            threads: isize,
        ) -> PyResult<Bound<'py, PyBytes>> {
            let $output = tree(data, threads, Ok($format))?;
            Ok(bytes(data.py(), &$digest))
        }
    )*};
}
plain! {
    btv2 BitTorrent::default(), |of| of.root; "BitTorrent v2's pieces root of a file.";
    sha256tree Sha256Tree::default(), |digest| digest; "SHA256TREE of a blob, as in Bazel's Remote Execution API.";
    glacier Glacier, |digest| digest; "Amazon Glacier's tree hash.";
    dropbox Dropbox, |digest| digest; "Dropbox's content hash.";
    bitcoin Bitcoin, |of| of.root; "Bitcoin's Merkle root of concatenated transaction ids of 32 bytes.";
}

/// The salt, which may be left out.
fn salted(salt: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<u8>> {
    salt.map_or_else(|| Ok(Vec::new()), inputs::to_vec)
}

fn unknown<T>(hash: &str) -> PyResult<T> {
    Err(PyValueError::new_err(format!("this tree cannot use {hash}")))
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
    let (py, salt) = (data.py(), salted(salt)?);
    Ok(match hash {
        "sha256" => bytes(py, &tree(data, threads, FsVerity::sha256(block, &salt))?),
        "sha512" => bytes(py, &tree(data, threads, FsVerity::sha512(block, &salt))?),
        _ => return unknown(hash),
    })
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
    let (py, salt) = (data.py(), salted(salt)?);
    Ok(match hash {
        "sha1" => bytes(py, &tree(data, threads, DmVerity::new::<Sha1>(block, &salt))?.root),
        "sha256" => bytes(py, &tree(data, threads, DmVerity::new::<Sha256>(block, &salt))?.root),
        "sha512" => bytes(py, &tree(data, threads, DmVerity::new::<Sha512>(block, &salt))?.root),
        _ => return unknown(hash),
    })
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
    let pieces = tree(data, threads, BitTorrentV1::new(piece))?;
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
    let pieces = tree(data, threads, BitTorrent::with_pieces(piece))?;
    let layer = PyList::new(py, pieces.layer.iter().map(|digest| bytes(py, digest)))?;
    Ok((bytes(py, &pieces.root), layer))
}

/// S3's composite checksum, with SHA-1, SHA-256, SHA-512 or MD5, of an object in parts of `part` bytes, and
/// the number of parts.
#[pyfunction]
#[pyo3(signature = (data, part, hash="sha256", *, threads=1))]
pub(crate) fn s3_composite<'py>(
    data: &Bound<'py, PyAny>,
    part: usize,
    hash: &str,
    threads: isize,
) -> PyResult<(Bound<'py, PyBytes>, u64)> {
    let format = match hash {
        "sha1" => S3::of::<Sha1>(part),
        "sha256" => S3::new(part),
        "sha512" => S3::of::<Sha512>(part),
        "md5" => S3::of::<Md5>(part),
        _ => return unknown(hash),
    };
    let composite = tree(data, threads, format)?;
    Ok((bytes(data.py(), &composite.digest), composite.parts))
}

/// S3's entity tag of an object that was uploaded in parts of `part` bytes, as text.
#[pyfunction]
#[pyo3(signature = (data, part, *, threads=1))]
pub(crate) fn etag(data: &Bound<'_, PyAny>, part: usize, threads: isize) -> PyResult<String> {
    Ok(tree(data, threads, ETag::new(part))?.to_string())
}

/// SSZ's root of concatenated chunks of 32 bytes, in a tree for `limit` chunks.
#[pyfunction]
#[pyo3(signature = (chunks, limit=None, *, threads=1))]
pub(crate) fn ssz<'py>(
    chunks: &Bound<'py, PyAny>,
    limit: Option<u64>,
    threads: isize,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = limit.map_or_else(Ssz::default, Ssz::with_limit);
    Ok(bytes(chunks.py(), &tree(chunks, threads, Ok(format))?))
}

/// RFC 6962's tree hash of chunks of `leaf` bytes, with SHA-256.
#[pyfunction]
#[pyo3(signature = (data, leaf, *, threads=1))]
pub(crate) fn rfc6962<'py>(
    data: &Bound<'py, PyAny>,
    leaf: usize,
    threads: isize,
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(bytes(data.py(), &tree(data, threads, Rfc6962::chunks::<Sha256>(leaf))?))
}

/// go.sum's `h1:` hash of (name, content) pairs.
#[pyfunction]
pub(crate) fn go_h1(files: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut owned = Vec::new();
    for file in files.try_iter()? {
        let (name, content): (String, Bound<'_, PyAny>) = file?.extract()?;
        owned.push((name, inputs::to_vec(&content)?));
    }
    let pairs: Vec<(&str, &[u8])> =
        owned.iter().map(|(name, content)| (&**name, &**content)).collect();
    files.py().detach(|| merkle::go_h1(&pairs)).map_err(to_py_err)
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
    module.add_function(wrap_pyfunction!(log::leaf_hash, module)?)?;
    module.add_function(wrap_pyfunction!(log::cover, module)?)?;
    module.add_function(wrap_pyfunction!(log::verify_leaf_inclusion, module)?)?;
    module.add_function(wrap_pyfunction!(log::verify_subtree_consistency, module)?)?;
    Ok(())
}
