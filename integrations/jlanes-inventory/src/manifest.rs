//! Manifests: directories of Parquet files, one row per object and algorithm.
//!
//! A file gets its name when it is complete, so a kill leaves only complete files. A new generation
//! of files is written into its own directory, which is renamed when it is complete; from then on
//! it replaces the one before, by whichever process finishes it.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow::{
    array::{
        Array, ArrayRef, AsArray, BinaryBuilder, RecordBatch, StringBuilder,
        TimestampMillisecondBuilder, UInt64Builder,
    },
    datatypes::{
        DataType, Field, Schema, SchemaRef, TimeUnit, TimestampMillisecondType, UInt64Type,
    },
};
use parquet::{
    arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder},
    basic::Compression,
    file::{metadata::KeyValue, properties::WriterProperties},
};

use crate::location::Meta;

/// The key of the files' metadata with the parameters of the manifest.
const LOCATIONS: &str = "jlanes.locations";
const ALGORITHMS: &str = "jlanes.algorithms";

/// The directory of a new generation, while incomplete and when complete.
const NEW: &str = ".new";
const COMPLETE: &str = ".complete";

/// One object under one algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) url: String,
    pub(crate) meta: Meta,
    pub(crate) algorithm: String,
    /// The digest, or the error.
    pub(crate) digest: Result<Vec<u8>, String>,
    /// Milliseconds since 1970.
    pub(crate) checked_at: i64,
}

/// Why a manifest cannot be read or written.
#[derive(Debug)]
pub(crate) struct Error(String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn error(path: &Path, reason: &dyn std::fmt::Display) -> Error {
    Error(format!("{}: {reason}", path.display()))
}

fn schema() -> SchemaRef {
    let time = || DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        Field::new("url", DataType::Utf8, false),
        Field::new("size", DataType::UInt64, true),
        Field::new("mtime", time(), true),
        Field::new("etag", DataType::Utf8, true),
        Field::new("version_id", DataType::Utf8, true),
        Field::new("algorithm", DataType::Utf8, false),
        Field::new("digest", DataType::Binary, true),
        Field::new("error", DataType::Utf8, true),
        Field::new("checked_at", time(), false),
    ]))
}

/// The parameters of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) locations: Vec<String>,
    pub(crate) algorithms: Vec<String>,
}

/// A manifest's files.
pub(crate) struct Manifest {
    files: Vec<PathBuf>,
    pub(crate) about: About,
    generation: u32,
}

impl Manifest {
    /// Opens the manifest in a directory; `None` if it does not exist.
    pub(crate) fn open(directory: &Path) -> Result<Option<Self>, Error> {
        let fail = |reason: &dyn std::fmt::Display| error(directory, reason);
        if directory.join(COMPLETE).exists() {
            replace(directory).map_err(|reason| fail(&reason))?;
        }
        let files = match parts(directory) {
            Ok(files) => files,
            Err(reason) if reason.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(reason) => return Err(fail(&reason)),
        };
        let Some((_, first)) = files.first() else {
            return Ok(None);
        };
        let generation = generation(first).unwrap_or_default();
        let reader = open(first)?;
        let pairs = reader.metadata().file_metadata().key_value_metadata();
        let list = |key: &str| {
            let pair = pairs?.iter().find(|pair| pair.key == key)?;
            Some(pair.value.as_ref()?.lines().map(String::from).collect())
        };
        let (Some(locations), Some(algorithms)) = (list(LOCATIONS), list(ALGORITHMS)) else {
            return Err(error(first, &"it is no part of a manifest"));
        };
        let files = files.into_iter().map(|(_, path)| path).collect();
        Ok(Some(Self { files, about: About { locations, algorithms }, generation }))
    }

    /// Opens an existing manifest.
    pub(crate) fn existing(directory: &Path) -> Result<Self, Error> {
        Self::open(directory)?.ok_or_else(|| error(directory, &"there is no manifest"))
    }

    /// Passes every row to `each`.
    pub(crate) fn rows(&self, mut each: impl FnMut(Row)) -> Result<(), Error> {
        for path in &self.files {
            let batches = open(path)?.build().map_err(|reason| error(path, &reason))?;
            for batch in batches {
                let batch = batch.map_err(|reason| error(path, &reason))?;
                if batch.schema().fields() != schema().fields() {
                    return Err(error(path, &"it is no part of a manifest"));
                }
                (0..batch.num_rows()).for_each(|i| each(row(&batch, i)));
            }
        }
        Ok(())
    }

    /// A writer of further files.
    pub(crate) fn append(&self, directory: &Path) -> Writer {
        Writer::new(directory.into(), self.about.clone(), self.generation, self.files.len())
    }
}

fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, Error> {
    let file = File::open(path).map_err(|reason| error(path, &reason))?;
    ParquetRecordBatchReaderBuilder::try_new(file).map_err(|reason| error(path, &reason))
}

fn row(batch: &RecordBatch, i: usize) -> Row {
    let column = |at: usize| batch.column(at);
    let text = |at: usize| {
        let array = column(at).as_string::<i32>();
        array.is_valid(i).then(|| array.value(i).to_owned())
    };
    let time = |at: usize| {
        let array = column(at).as_primitive::<TimestampMillisecondType>();
        array.is_valid(i).then(|| array.value(i))
    };
    let size = column(1).as_primitive::<UInt64Type>();
    let digest = column(6).as_binary::<i32>();
    Row {
        url: text(0).unwrap_or_default(),
        meta: Meta {
            size: size.is_valid(i).then(|| size.value(i)),
            mtime: time(2),
            etag: text(3),
            version: text(4),
        },
        algorithm: text(5).unwrap_or_default(),
        digest: match text(7) {
            Some(reason) => Err(reason),
            None => Ok(digest.value(i).to_vec()),
        },
        checked_at: time(8).unwrap_or_default(),
    }
}

/// The generation in a file's name, `GENERATION-NUMBER.parquet`.
fn generation(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?.strip_suffix(".parquet")?;
    name.split_once('-')?.0.parse().ok()
}

/// The files of a directory with their generations, in order of their names.
fn parts(directory: &Path) -> io::Result<Vec<(u32, PathBuf)>> {
    let mut parts = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if let Some(generation) = generation(&path) {
            parts.push((generation, path));
        }
    }
    parts.sort();
    Ok(parts)
}

/// Replaces the files by the complete new generation. An interruption loses nothing.
fn replace(directory: &Path) -> io::Result<()> {
    let complete = directory.join(COMPLETE);
    let new = parts(&complete)?;
    // files that were moved earlier are already in the directory
    let newest = parts(directory)?.into_iter().chain(new.iter().cloned()).map(|(g, _)| g).max();
    for (generation, path) in parts(directory)? {
        if Some(generation) < newest {
            fs::remove_file(path)?;
        }
    }
    for (_, path) in new {
        fs::rename(&path, directory.join(path.file_name().unwrap_or_default()))?;
    }
    fs::remove_dir(complete)
}

/// Writes files of a manifest.
pub(crate) struct Writer {
    directory: PathBuf,
    about: About,
    generation: u32,
    next: usize,
    rows: Vec<Row>,
}

impl Writer {
    fn new(directory: PathBuf, about: About, generation: u32, next: usize) -> Self {
        Self { directory, about, generation, next, rows: Vec::new() }
    }

    /// Starts a manifest in an empty directory.
    pub(crate) fn create(directory: &Path, about: About) -> Result<Self, Error> {
        fs::create_dir_all(directory).map_err(|reason| error(directory, &reason))?;
        Ok(Self::new(directory.into(), about, 0, 0))
    }

    /// Starts the generation that will replace the current one.
    pub(crate) fn replacing(directory: &Path, old: &Manifest) -> Result<Self, Error> {
        let new = directory.join(NEW);
        let begin = || {
            if new.exists() {
                fs::remove_dir_all(&new)?; // another one broke off
            }
            fs::create_dir(&new)
        };
        begin().map_err(|reason| error(&new, &reason))?;
        Ok(Self::new(new, old.about.clone(), old.generation + 1, 0))
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Rows that are not in a file yet.
    pub(crate) fn waiting(&self) -> usize {
        self.rows.len()
    }

    /// Writes the waiting rows into a file; an empty file, if there is no file at all.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        if self.rows.is_empty() && self.next > 0 {
            return Ok(());
        }
        let name = format!("{:04}-{:06}.parquet", self.generation, self.next);
        let path = self.directory.join(&name);
        let whole = self.directory.join(format!("{name}.tmp"));
        self.write(&whole).map_err(|reason| error(&whole, &reason))?;
        fs::rename(&whole, &path).map_err(|reason| error(&path, &reason))?;
        self.rows.clear();
        self.next += 1;
        Ok(())
    }

    fn write(&self, path: &Path) -> parquet::errors::Result<()> {
        let pair = |key: &str, list: &[String]| KeyValue::new(key.to_owned(), list.join("\n"));
        let about =
            vec![pair(LOCATIONS, &self.about.locations), pair(ALGORITHMS, &self.about.algorithms)];
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(about))
            .build();
        let batch = batch(&self.rows)?;
        let file = File::create(path)?;
        let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties))?;
        writer.write(&batch)?;
        // reported rows must survive a power failure
        writer.into_inner()?.sync_all()?;
        Ok(())
    }

    /// Finishes a generation, which replaces the current one.
    pub(crate) fn commit(mut self) -> Result<(), Error> {
        self.flush()?;
        let directory = self.directory.parent().unwrap_or(Path::new("."));
        let commit = || {
            fs::rename(&self.directory, directory.join(COMPLETE))?;
            replace(directory)
        };
        commit().map_err(|reason| error(directory, &reason))
    }
}

fn batch(rows: &[Row]) -> Result<RecordBatch, arrow::error::ArrowError> {
    let mut urls = StringBuilder::new();
    let mut sizes = UInt64Builder::new();
    let mut mtimes = TimestampMillisecondBuilder::new().with_timezone("UTC");
    let mut etags = StringBuilder::new();
    let mut versions = StringBuilder::new();
    let mut algorithms = StringBuilder::new();
    let mut digests = BinaryBuilder::new();
    let mut errors = StringBuilder::new();
    let mut times = TimestampMillisecondBuilder::new().with_timezone("UTC");
    for row in rows {
        urls.append_value(&row.url);
        sizes.append_option(row.meta.size);
        mtimes.append_option(row.meta.mtime);
        etags.append_option(row.meta.etag.as_ref());
        versions.append_option(row.meta.version.as_ref());
        algorithms.append_value(&row.algorithm);
        digests.append_option(row.digest.as_ref().ok());
        errors.append_option(row.digest.as_ref().err());
        times.append_value(row.checked_at);
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(urls.finish()),
        Arc::new(sizes.finish()),
        Arc::new(mtimes.finish()),
        Arc::new(etags.finish()),
        Arc::new(versions.finish()),
        Arc::new(algorithms.finish()),
        Arc::new(digests.finish()),
        Arc::new(errors.finish()),
        Arc::new(times.finish()),
    ];
    RecordBatch::try_new(schema(), columns)
}
