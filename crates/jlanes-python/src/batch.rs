//! Digests and HMAC tags of many messages, in sequences or buffers; columns go to `jlanes.column` ([`of_columns`]).
//!
//! [`map_messages`] cuts a list into blocks, which stay in the caches. [`Job::run`] hashes a block in parts, without
//! the GIL and on all lanes of its threads, and checks for Ctrl-C after each. PBKDF2 uses both.

use std::{iter, mem, ops::Range};

use jlanes::{
    algorithm::{AnyHash, AnyLanes, BaseHash, Fixed, Kind},
    multi::{LayoutError, Messages},
};
use pyo3::{
    exceptions::{PyOverflowError, PyValueError},
    prelude::*,
    types::{IntoPyDict, PyByteArray},
};
use rayon::ThreadPool;

use crate::{
    buffer,
    collisions::{self, Collisions},
    inputs::{self, Keys, Many, Shape},
    message::MAX_ATTACHED_BYTES,
    names::{self, Name},
    output::{self, Form},
    threads::{self, Threads, Watch},
};

/// Bytes hashed between two checks for Ctrl-C: a few milliseconds.
pub(crate) const BYTES_PER_CHECK: usize = 8 << 20;

/// The number of messages that fill all lanes. A smaller batch takes as long.
pub(crate) const FULL_LANES: usize = 16;

/// The lanes and the threads of a call.
pub(crate) struct Job<'a> {
    pub(crate) lanes: AnyLanes,
    pool: Option<&'a ThreadPool>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(hash: &AnyHash, pool: Option<&'a ThreadPool>) -> PyResult<Self> {
        let lanes = hash.lanes();
        let lanes = lanes.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { lanes: if pool.is_some() { lanes.parallel() } else { lanes }, pool })
    }

    /// Runs `work` on parts of the messages without the GIL, and checks for Ctrl-C between the parts.
    /// Message `i` takes as long as hashing `cost(i)` bytes; its result is `width` bytes of `out`.
    pub(crate) fn run<E: std::fmt::Display + Send>(
        &self,
        py: Python<'_>,
        cost: impl Fn(usize) -> usize + Sync,
        width: usize,
        out: &mut [u8],
        work: impl Fn(&AnyLanes, usize, &mut [u8]) -> Result<(), E> + Sync,
    ) -> PyResult<()> {
        let count = out.len().checked_div(width).unwrap_or(0);
        let first_costs = (0..count.min(FULL_LANES + 1)).map(&cost);
        if first_costs.fold(0, usize::saturating_add) <= MAX_ATTACHED_BYTES && count <= FULL_LANES {
            // releasing the GIL would take longer than hashing
            let done = work(&self.lanes, 0, out);
            return done.map_err(|error| PyValueError::new_err(error.to_string()));
        }
        let threads = self.pool.map_or(1, ThreadPool::current_num_threads);
        let watch = Watch::new();
        let hash_all = || {
            let (mut first, mut unwritten) = (0, out);
            while first < count && watch.go_on() {
                let (mut end, mut bytes) = (first, 0_usize);
                while end < count && bytes < threads * BYTES_PER_CHECK {
                    let last = count.min(end + threads * FULL_LANES);
                    let costs = (end..last).map(&cost);
                    bytes = costs.fold(bytes, |bytes, cost| {
                        bytes.saturating_add(cost.saturating_add(width))
                    });
                    end = last;
                }
                let (next, later) = mem::take(&mut unwritten).split_at_mut((end - first) * width);
                work(&self.lanes, first, next)?;
                (first, unwritten) = (end, later);
            }
            Ok::<_, E>(())
        };
        let done = threads::watched(py, self.pool, &watch, hash_all)?;
        done.map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.check_signals()
    }

    /// Writes the digests of messages to `out`.
    fn digest(&self, py: Python<'_>, messages: Many<'_>, out: &mut [u8]) -> PyResult<()> {
        let width = self.lanes.output_size();
        self.run(
            py,
            |i| messages.get(i).len(),
            width,
            out,
            |lanes, first, out| {
                let part = part(messages, first, out.len() / width)?;
                lanes.digest(part, out);
                Ok::<_, LayoutError>(())
            },
        )
    }

    /// Writes the HMAC tags of messages to `out`.
    fn hmac(
        &self,
        py: Python<'_>,
        key: Keys<'_>,
        messages: Many<'_>,
        out: &mut [u8],
    ) -> PyResult<()> {
        let width = self.lanes.output_size();
        self.run(
            py,
            |i| messages.get(i).len(),
            width,
            out,
            |lanes, first, out| {
                let count = out.len() / width;
                let part = part(messages, first, count).map_err(|error| error.to_string())?;
                let done = match key {
                    Keys::One(key) => lanes.hmac(key, part, out),
                    Keys::Each(keys) => {
                        lanes.hmac_keyed(Messages::slices(&keys[first..][..count]), part, out)
                    }
                };
                done.map_err(|error| error.to_string())
            },
        )
    }
}

/// The ranges of `count` messages between two checks for Ctrl-C. Message `i` takes as long as hashing
/// `cost(i)` bytes.
pub(crate) fn parts(
    count: usize,
    cost: impl Fn(usize) -> usize,
) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    iter::from_fn(move || {
        let (first, mut bytes) = (end, 0);
        while end < count && bytes < BYTES_PER_CHECK {
            bytes += cost(end) + 64; // 64 for the work besides hashing
            end += 1;
        }
        (first < end).then_some(first..end)
    })
}

/// `count` messages from index `first` on.
fn part(messages: Many<'_>, first: usize, count: usize) -> Result<Messages<'_>, LayoutError> {
    match messages {
        Many::Slices(slices) => Ok(Messages::slices(&slices[first..][..count])),
        Many::Records { bytes, width } => {
            Messages::records(&bytes[first * width..][..count * width], width)
        }
    }
}

/// The number of messages of a list that are hashed at a time. With fewer, buffers stay in the caches;
/// with more, the GIL is released less often.
const BLOCK_MESSAGES: usize = 1 << 14;

/// The work for a block of messages.
type BlockWork<'f> = dyn FnMut(usize, Many<'_>, &mut [u8]) -> PyResult<()> + 'f;

/// Calls `job` with the index of the first message of each block, the block, and room for `width` bytes
/// for each of its messages. Returns the results as a list or a matrix, and their number.
pub(crate) fn map_messages<'py>(
    messages: &Bound<'py, PyAny>,
    width: usize,
    form: Form,
    job: &mut BlockWork<'_>,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let py = messages.py();
    let (mut list, mut matrix) = (None, None);
    let mut out = Vec::new();
    let mut first = 0;
    // fewer messages if results are long, so that a block's results stay in the caches
    let block = (BLOCK_MESSAGES * 64 / width.max(1)).clamp(FULL_LANES, BLOCK_MESSAGES);
    inputs::in_blocks(messages, block, &mut |many, shape| {
        let count = many.len();
        let len = count.checked_mul(width);
        let len = len.ok_or_else(|| PyOverflowError::new_err("too many digests"))?;
        if shape != Shape::List && matches!(form, Form::Bytes) {
            let out = PyByteArray::new_with(py, len, |out| job(0, many, out))?;
            matrix = Some(output::matrix(shape, out, (count, width))?);
        } else {
            if first == 0 && count == block {
                // fail now, and not in the last block
                buffer::check_memory(messages.len().unwrap_or(0).saturating_mul(width))?;
            }
            if out.len() < len {
                out = buffer::zeros(len)?;
            }
            job(first, many, &mut out[..len])?;
            list = Some(output::list(py, list.take(), &out[..len], (count, width), form)?);
        }
        first += count;
        Ok(())
    })?;
    let results = matrix.or(list.map(Bound::into_any));
    Ok((results.unwrap_or_else(|| unreachable!("there is a block")), first))
}

/// The function of `jlanes.column` named `function`, if the messages are an Arrow column.
pub(crate) fn of_columns<'py>(
    messages: &Bound<'py, PyAny>,
    function: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !inputs::is_column(messages)? {
        return Ok(None);
    }
    let py = messages.py();
    py.import("jlanes.column")?.getattr(function).map(Some)
}

fn digests<'py>(
    name: &str,
    messages: &Bound<'py, PyAny>,
    [prefix, key]: [Option<&Bound<'py, PyAny>>; 2],
    threads: isize,
    collisions: Option<Collisions>,
    form: Form,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let mut name = name;
    if collisions.is_some() {
        let is_sha1 = names::parse(name)?.kind() == Kind::Hash(BaseHash::Fixed(Fixed::Sha1));
        if !is_sha1 || prefix.is_some() || inputs::is_column(messages)? {
            let message = "collisions is for sha1 of messages without prefix, and not for columns";
            return Err(PyValueError::new_err(message));
        }
        name = "sha1dc";
    }
    let function = match form {
        Form::Bytes => "digest",
        Form::Hex => "digest_hex",
    };
    if let Some(digest) = of_columns(messages, function)? {
        let threads = threads.into_pyobject(py)?.into_any();
        let (prefix, key) = (prefix.into_pyobject(py)?, key.into_pyobject(py)?);
        let options = [("prefix", prefix), ("key", key), ("threads", threads)];
        return digest.call((name, messages), Some(&options.into_py_dict(py)?));
    }
    let hash = names::keyed(name, key)?;
    let pool = Threads::new(threads)?.pool()?;
    let mut job = Job::new(&hash, pool.as_deref())?;
    if let Some(prefix) = prefix {
        let lanes = job.lanes.clone();
        job.lanes = inputs::with_one(prefix, |prefix| lanes.prefix(prefix))?;
    }
    let raises = collisions == Some(Collisions::Raise);
    let digest = &mut |first, part: Many<'_>, out: &mut [u8]| {
        if raises { collisions::digests(py, part, first, out) } else { job.digest(py, part, out) }
    };
    Ok(map_messages(messages, hash.algorithm().output_size(), form, digest)?.0)
}

/// The digests of many messages, in order. A list of bytes-like objects gives a list of bytes, an array
/// with a message in each row gives an array, and an Arrow column gives a column. Every message begins with
/// `prefix`, which is hashed once. `key` is the key of BLAKE2, BLAKE3 or Skein. `collisions` detects attacks on
/// sha1: with 'raise', on one thread, the first message of an attack raises CollisionError; with 'safe',
/// such messages get the safe hash of sha1dc.
#[pyfunction]
#[pyo3(signature = (name, messages, *, prefix=None, key=None, threads=1, collisions=None))]
pub(crate) fn digest_many<'py>(
    name: Name<'_>,
    messages: &Bound<'py, PyAny>,
    prefix: Option<&Bound<'py, PyAny>>,
    key: Option<&Bound<'py, PyAny>>,
    threads: isize,
    collisions: Option<Collisions>,
) -> PyResult<Bound<'py, PyAny>> {
    digests(&name, messages, [prefix, key], threads, collisions, Form::Bytes)
}

/// As digest_many, in hexadecimal: a list of strings, or a column of strings.
#[pyfunction]
#[pyo3(signature = (name, messages, *, prefix=None, key=None, threads=1, collisions=None))]
pub(crate) fn hexdigest_many<'py>(
    name: Name<'_>,
    messages: &Bound<'py, PyAny>,
    prefix: Option<&Bound<'py, PyAny>>,
    key: Option<&Bound<'py, PyAny>>,
    threads: isize,
    collisions: Option<Collisions>,
) -> PyResult<Bound<'py, PyAny>> {
    digests(&name, messages, [prefix, key], threads, collisions, Form::Hex)
}

const UNEVEN: &str = "not as many keys as messages: pass one for each, or one as bytes";

/// The HMAC tags of many messages, in order. `key` is one bytes-like object, or a list with a key for each
/// message; for a column of messages it may be a column.
#[pyfunction]
#[pyo3(signature = (key, messages, digest, *, threads=1))]
pub(crate) fn hmac_many<'py>(
    key: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    digest: Name<'_>,
    threads: isize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    if let Some(hmac) = of_columns(messages, "hmac")? {
        let options = [("threads", threads)].into_py_dict(py)?;
        return hmac.call((key, messages, &*digest), Some(&options));
    }
    let algorithm = names::parse(&digest)?;
    let pool = Threads::new(threads)?.pool()?;
    let job = Job::new(&algorithm.into(), pool.as_deref())?;
    let width = algorithm.output_size();
    inputs::with_keys(key, |keys| {
        let (tags, count) = map_messages(messages, width, Form::Bytes, &mut |first, many, out| {
            job.hmac(py, keys.part(first, many.len(), UNEVEN)?, many, out)
        })?;
        keys.check(count, UNEVEN)?;
        Ok(tags)
    })
}
