//! `object_digest(url, algorithms)`: digests of objects as a DataFusion function.

use std::{
    collections::HashMap,
    fmt,
    hash::{Hash, Hasher},
    num::NonZero,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use arrow::{
    array::{
        Array, ArrayRef, AsArray, BinaryBuilder, BooleanArray, StringArray, StringBuilder,
        StructArray, TimestampMillisecondArray, TimestampMillisecondBuilder, UInt64Array,
        UInt64Builder,
    },
    buffer::NullBuffer,
    compute::cast,
    datatypes::{DataType, Field, FieldRef, Fields, TimeUnit},
};
use async_trait::async_trait;
use datafusion::{
    common::{Result, ScalarValue, exec_datafusion_err, internal_err, plan_err},
    logical_expr::{
        ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
        TypeSignature, Volatility,
        async_udf::{AsyncScalarUDF, AsyncScalarUDFImpl},
    },
};
use jlanes_files::Cancel;
use tokio::{runtime::Handle, sync::Semaphore, task::JoinSet};

use crate::{
    computation::{self, Computation},
    fetch::{Fetched, Fetcher, Memory},
    files::{self, Local},
    hash::Pool,
    location::{At, Stored},
    meta::Meta,
    options::Reading,
    stores::Stores,
};

/// The name in SQL.
pub(crate) const NAME: &str = "object_digest";

/// The fields of the result before the digests. A digest's field has its algorithm's name.
const FIELDS: [&str; 5] = ["size", "mtime", "etag", "version_id", "error"];

fn time() -> DataType {
    DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()))
}

/// The function. It reads `reading` objects at once over all queries, in the runtime that created it,
/// because engines shut their own runtimes down while tasks are running.
pub(crate) fn function(reading: &Reading, runtime: Handle) -> ScalarUDF {
    // optional size, time and ETag of the listing: an object with other values is an error
    let text = DataType::Utf8;
    let listed = vec![text.clone(), text.clone(), DataType::UInt64, time(), text];
    // and whether a walk found it, so that a pipe or a device is another object
    let found = [&listed[..], &[DataType::Boolean]].concat();
    let signatures =
        vec![TypeSignature::String(2), TypeSignature::Exact(listed), TypeSignature::Exact(found)];
    let function = ObjectDigest {
        // objects change, so the planner must not evaluate it early
        signature: Signature::one_of(signatures, Volatility::Volatile),
        engine: Arc::new(Engine {
            stores: Stores::new(reading.retries),
            memory: Memory::new(reading.memory),
            in_flight: Arc::new(Semaphore::new(reading.in_flight)),
            files: tokio::sync::Mutex::default(),
            fetchers: Mutex::default(),
            runtime,
        }),
    };
    AsyncScalarUDF::new(Arc::new(function)).into_scalar_udf()
}

/// The state that all calls share.
struct Engine {
    stores: Stores,
    memory: Memory,
    in_flight: Arc<Semaphore>,
    /// Held by the call that is reading files.
    files: tokio::sync::Mutex<()>,
    /// By list of algorithms, so that objects of several queries share lanes.
    fetchers: Mutex<HashMap<String, Arc<Fetcher>>>,
    runtime: Handle,
}

impl Engine {
    fn fetcher(&self, names: &str) -> Result<Arc<Fetcher>> {
        let mut fetchers = self.fetchers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fetcher) = fetchers.get(names) {
            return Ok(fetcher.clone());
        }
        let computations =
            computations(names)?.into_iter().map(|(_, computation)| computation).collect();
        let workers = thread::available_parallelism().map_or(1, NonZero::get);
        let fetcher = Arc::new(Fetcher::new(Pool::new(computations, workers), self.memory.clone()));
        fetchers.insert(names.into(), fetcher.clone());
        Ok(fetcher)
    }

    /// Reads an object of a store in its turn.
    fn read(
        &self,
        fetcher: Arc<Fetcher>,
        url: String,
        meta: Meta,
        at: Result<Stored, String>,
    ) -> impl Future<Output = Fetched> + use<> {
        let in_flight = self.in_flight.clone();
        async move {
            let _turn = in_flight.acquire().await;
            fetcher.digests(url, meta, at).await
        }
    }

    /// Reads the files of one call, on all threads.
    async fn read_files(
        &self,
        list: &str,
        files: Vec<Local<usize>>,
    ) -> Result<Vec<(Fetched, usize)>> {
        let computations: Vec<_> = computations(list)?.into_iter().map(|(_, it)| it).collect();
        let _turn = self.files.lock().await;
        let cancel = Cancel::new();
        // reading stops when the query is dropped
        let _guard = CancelOnDrop(cancel.clone());
        let read = move || {
            let mut results = Vec::with_capacity(files.len());
            let take = |fetched, row| {
                results.push((fetched, row));
                Ok(())
            };
            files::hash(&computations, files.into_iter(), &cancel, take).map(|()| results)
        };
        let read = self.runtime.spawn_blocking(read).await;
        read.map_err(|error| exec_datafusion_err!("{NAME}: {error}"))?
            .map_err(|error| exec_datafusion_err!("{NAME}: {error}"))
    }
}

struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The computations of a list, with their names in it.
fn computations(list: &str) -> Result<Vec<(&str, Computation)>> {
    let mut computations: Vec<(&str, Computation)> = Vec::new();
    for name in list.split(',').map(str::trim) {
        let computation = match computation::parse(name) {
            Ok(computation) => computation,
            Err(error) => return plan_err!("{NAME}: {error}"),
        };
        if computations.iter().any(|(other, _)| *other == name) {
            return plan_err!("{NAME}: '{name}' is there twice");
        }
        computations.push((name, computation));
    }
    Ok(computations)
}

/// The fields of a result.
fn fields(list: &str) -> Result<Fields> {
    let types = [DataType::UInt64, time(), DataType::Utf8, DataType::Utf8, DataType::Utf8];
    let known = FIELDS.iter().zip(types).map(|(name, of)| Field::new(*name, of, true));
    let digests = computations(list)?;
    let digests = digests.iter().map(|(name, _)| Field::new(*name, DataType::Binary, true));
    Ok(known.chain(digests).collect())
}

struct ObjectDigest {
    signature: Signature,
    engine: Arc<Engine>,
}

impl fmt::Debug for ObjectDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)
    }
}

impl PartialEq for ObjectDigest {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.engine, &other.engine)
    }
}

impl Eq for ObjectDigest {}

impl Hash for ObjectDigest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        NAME.hash(state);
    }
}

/// The list of algorithms, which must be a literal.
fn list(argument: Option<&ScalarValue>) -> Result<&str> {
    match argument.map(ScalarValue::try_as_str) {
        Some(Some(Some(list))) => Ok(list),
        _ => plan_err!("{NAME}: the list of algorithms is a literal"),
    }
}

impl ScalarUDFImpl for ObjectDigest {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        internal_err!("return_field_from_args is there instead")
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let list = list(args.scalar_arguments.get(1).copied().flatten())?;
        Ok(Arc::new(Field::new(NAME, DataType::Struct(fields(list)?), true)))
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        internal_err!("{NAME} is asynchronous")
    }
}

#[async_trait]
impl AsyncScalarUDFImpl for ObjectDigest {
    async fn invoke_async_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let list = match args.args.get(1) {
            Some(ColumnarValue::Scalar(scalar)) => list(Some(scalar))?.to_owned(),
            _ => list(None)?.to_owned(),
        };
        let column = |at: usize, of: DataType| -> Result<Option<ArrayRef>> {
            let Some(argument) = args.args.get(at) else { return Ok(None) };
            Ok(Some(cast(&argument.to_array(rows)?, &of)?))
        };
        let Some(urls) = column(0, DataType::Utf8)? else {
            return internal_err!("{NAME} has arguments");
        };
        let listed = Listed {
            sizes: column(2, DataType::UInt64)?.map(|array| array.as_primitive().clone()),
            times: column(3, time())?.map(|array| array.as_primitive().clone()),
            etags: column(4, DataType::Utf8)?.map(|array| array.as_string().clone()),
            found: column(5, DataType::Boolean)?.map(|array| array.as_boolean().clone()),
        };
        let urls: &StringArray = urls.as_string();
        let fetcher = self.engine.fetcher(&list)?;
        // reading stops when the query is dropped
        let mut readers = JoinSet::new();
        let mut files = Vec::new();
        for (i, url) in urls.iter().enumerate() {
            let Some(url) = url else { continue };
            let (url, meta) = (url.to_owned(), listed.meta(i));
            let at = match self.engine.stores.open(&url, meta.size) {
                Ok(At::File(path) | At::Named(path)) => {
                    let is_named = !listed.is_file(i);
                    files.push(Local { url, path, is_named, listed: meta, tag: i });
                    continue;
                }
                Ok(At::Store(stored)) => Ok(stored),
                Err(reason) => Err(reason),
            };
            let reading = self.engine.read(fetcher.clone(), url, meta, at);
            let reading = async move { (i, reading.await) };
            readers.spawn_on(reading, &self.engine.runtime);
        }
        let mut results: Vec<Option<Fetched>> = (0..rows).map(|_| None).collect();
        if !files.is_empty() {
            for (fetched, i) in self.engine.read_files(&list, files).await? {
                results[i] = Some(fetched);
            }
        }
        while let Some(read) = readers.join_next().await {
            let (i, fetched) = read.map_err(|error| exec_datafusion_err!("{NAME}: {error}"))?;
            results[i] = Some(fetched);
        }
        Ok(ColumnarValue::Array(Arc::new(array(fields(&list)?, &results)?)))
    }
}

/// Metadata of objects from listings.
struct Listed {
    sizes: Option<UInt64Array>,
    times: Option<TimestampMillisecondArray>,
    etags: Option<StringArray>,
    found: Option<BooleanArray>,
}

impl Listed {
    /// Whether it was a regular file: a walk finds no others, and pipes and devices have no size.
    fn is_file(&self, i: usize) -> bool {
        let is_found = self.found.as_ref().is_some_and(|all| all.is_valid(i) && all.value(i));
        is_found || self.meta(i).size.is_some_and(|size| size > 0)
    }

    fn meta(&self, i: usize) -> Meta {
        Meta {
            size: self.sizes.as_ref().filter(|all| all.is_valid(i)).map(|all| all.value(i)),
            mtime: self.times.as_ref().filter(|all| all.is_valid(i)).map(|all| all.value(i)),
            etag: self.etags.as_ref().filter(|all| all.is_valid(i)).map(|all| all.value(i).into()),
            version: None,
        }
    }
}

/// The results of objects; rows without one are null.
fn array(fields: Fields, results: &[Option<Fetched>]) -> Result<StructArray> {
    let mut sizes = UInt64Builder::new();
    let mut times = TimestampMillisecondBuilder::new().with_timezone("UTC");
    let mut etags = StringBuilder::new();
    let mut versions = StringBuilder::new();
    let mut errors = StringBuilder::new();
    let mut digests: Vec<BinaryBuilder> = Vec::new();
    digests.resize_with(fields.len() - FIELDS.len(), BinaryBuilder::new);
    for result in results {
        let meta = result.as_ref().map(|fetched| &fetched.meta);
        sizes.append_option(meta.and_then(|meta| meta.size));
        times.append_option(meta.and_then(|meta| meta.mtime));
        etags.append_option(meta.and_then(|meta| meta.etag.as_ref()));
        versions.append_option(meta.and_then(|meta| meta.version.as_ref()));
        let read = result.as_ref().map(|fetched| fetched.digests.as_ref());
        errors.append_option(read.and_then(|read| read.err()));
        for (i, column) in digests.iter_mut().enumerate() {
            column.append_option(read.and_then(|read| read.ok()).map(|all| &all[i]));
        }
    }
    let nulls: NullBuffer = results.iter().map(Option::is_some).collect();
    let mut columns: Vec<ArrayRef> = vec![
        Arc::new(sizes.finish()),
        Arc::new(times.finish()),
        Arc::new(etags.finish()),
        Arc::new(versions.finish()),
        Arc::new(errors.finish()),
    ];
    columns.extend(digests.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef));
    Ok(StructArray::try_new(fields, columns, Some(nulls))?)
}
