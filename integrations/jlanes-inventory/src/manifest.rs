//! Manifests: tables in Parquet files, with one row for each object and algorithm. A log lists their
//! versions.

use std::{
    mem,
    panic::catch_unwind,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow::{
    array::{
        Array, ArrayRef, AsArray, BinaryArray, RecordBatch, StringArray, TimestampMillisecondArray,
        UInt64Array,
    },
    datatypes::{
        DataType, Field, FieldRef, Schema, SchemaRef, TimeUnit, TimestampMillisecondType,
        UInt64Type,
    },
};
use bytes::{Bytes, buf::Reader};
use chrono::DateTime;
use parquet::{
    arrow::{
        ArrowWriter,
        arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder},
    },
    basic::Compression,
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        reader::{ChunkReader, Length},
    },
};

use crate::{
    location::Place,
    log::{self, About, Log, Part, Version},
    meta::Meta,
    stores::Listing,
};

/// The metadata keys of version 0.3's files, where the parameters of the manifest are.
const LOCATIONS: &str = "jlanes.locations";
const ALGORITHMS: &str = "jlanes.algorithms";

/// The number of columns in files of version 0.3.
const OLD_COLUMNS: usize = 9;

/// The number of rows, and their memory, from which on a part is full.
pub(crate) const ROWS: usize = 1 << 16;
const ROW_BYTES: usize = MAX_ROW_BYTES / 2;

/// The maximum memory of a part's rows: `MAX_ROW_BYTES`, and `MAX_GROWTH` bytes for each byte of its file. Rows with the
/// same error under many algorithms grow most.
const MAX_ROW_BYTES: usize = 256 << 20;
const MAX_GROWTH: usize = 256;

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
    /// The metadata in the listing. Some stores have other times and ETags there than in their answers.
    pub(crate) listed: Meta,
}

impl Row {
    /// The memory that it takes.
    fn weight(&self) -> usize {
        let digest = self.digest.as_ref().map_or_else(String::len, Vec::len);
        let Meta { etag, version, .. } = &self.meta;
        let texts = [etag, version, &self.listed.etag].into_iter().flatten().map(String::len);
        size_of::<Self>() + self.url.len() + self.algorithm.len() + digest + texts.sum::<usize>()
    }
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
        Field::new("listed_mtime", time(), true),
        Field::new("listed_etag", DataType::Utf8, true),
    ]))
}

/// A version of a manifest.
pub(crate) struct Manifest {
    directory: PathBuf,
    version: Version,
}

impl Manifest {
    /// Opens a version of the manifest in a directory, by default the last one; `None` if there is no
    /// manifest.
    pub(crate) fn open(directory: &Path, number: Option<u32>) -> Result<Option<Self>, String> {
        let version = match log::open(directory, number)? {
            Some(version) => Some(version),
            None => without_log(directory)?,
        };
        if version.as_ref().is_some_and(|version| version.about.algorithms.is_empty()) {
            return Err(format!("{}: it has no algorithm", directory.display()));
        }
        Ok(version.map(|version| Self { directory: directory.into(), version }))
    }

    /// Opens an existing manifest.
    pub(crate) fn existing(directory: &Path, number: Option<u32>) -> Result<Self, String> {
        Self::open(directory, number)?
            .ok_or_else(|| format!("{}: there is no manifest", directory.display()))
    }

    pub(crate) fn about(&self) -> &About {
        &self.version.about
    }

    pub(crate) fn number(&self) -> u32 {
        self.version.number
    }

    /// The time of the last change, in UTC.
    pub(crate) fn time(&self) -> String {
        let time = DateTime::from_timestamp_millis(self.version.time).unwrap_or_default();
        time.format("%Y-%m-%dT%H:%M:%SZ").to_string()
    }

    /// The reason why objects may be missing, if they may.
    pub(crate) fn gap(&self) -> Option<&str> {
        match &self.version.listing {
            Some(Listing::Complete(_)) => None,
            Some(Listing::Incomplete(reason)) => Some(reason),
            None => Some("create has not come to its end"),
        }
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.version.parts
    }

    /// The rows of a part.
    pub(crate) fn read(&self, part: &Part) -> Result<Vec<Row>, String> {
        let content = Bytes::from(part.read(&self.directory)?);
        // the decoder panics at some wrong files
        let read = catch_unwind(|| decode(content)).unwrap_or_else(|_| Err("it is damaged".into()));
        read.map_err(|reason| format!("{}: {reason}", self.directory.join(&part.name).display()))
    }

    /// Passes every row to `each`.
    pub(crate) fn rows(&self, mut each: impl FnMut(Row)) -> Result<(), String> {
        for part in self.parts() {
            self.read(part)?.into_iter().for_each(&mut each);
        }
        Ok(())
    }
}

/// The metadata of a Parquet file. Its texts are views, so that each is in memory once.
fn metadata(content: &Bytes) -> parquet::errors::Result<ArrowReaderMetadata> {
    // Parquet's own types are enough, and the decoder of Arrow's panics at wrong ones
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let found = ArrowReaderMetadata::load(content, options.clone())?;
    ArrowReaderMetadata::try_new(
        found.metadata().clone(),
        options.with_schema(views(found.schema())),
    )
}

fn views(schema: &Schema) -> SchemaRef {
    let view = |field: &FieldRef| match field.data_type() {
        DataType::Utf8 => Field::clone(field).with_data_type(DataType::Utf8View),
        DataType::Binary => Field::clone(field).with_data_type(DataType::BinaryView),
        _ => Field::clone(field),
    };
    Arc::new(Schema::new(schema.fields().iter().map(view).collect::<Vec<_>>()))
}

/// The rows in a Parquet file. In a few bytes, it can repeat a long text any number of times.
fn decode(content: Bytes) -> Result<Vec<Row>, String> {
    let mut room = MAX_ROW_BYTES + MAX_GROWTH * content.len();
    let metadata = metadata(&content).map_err(|reason| reason.to_string())?;
    let (fields, known) = (metadata.schema().fields(), views(&schema()));
    if fields != known.fields() && fields[..] != known.fields()[..OLD_COLUMNS] {
        return Err("it is no part of a manifest".into());
    }
    let pages = Pages(content);
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(pages, metadata).build();
    let mut rows = Vec::new();
    for batch in reader.map_err(|reason| reason.to_string())? {
        let batch = batch.map_err(|reason| reason.to_string())?;
        for row in (0..batch.num_rows()).map(|i| row(&batch, i)) {
            room = room.checked_sub(row.weight()).ok_or("it has more rows than a part")?;
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The content of a Parquet file. The decoder allocates the size in a page's header, gigabytes even for
/// a few bytes, of which Snappy can only make 22 times as many.
struct Pages(Bytes);

const MAX_RATIO: u64 = 32;

impl Length for Pages {
    fn len(&self) -> u64 {
        Length::len(&self.0)
    }
}

impl ChunkReader for Pages {
    type T = Reader<Bytes>;

    /// Opens the page at `start`.
    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        let page = self.0.get_read(start)?;
        match page_sizes(page.get_ref()) {
            Some([size, compressed]) if size <= MAX_RATIO * compressed => Ok(page),
            Some(_) | None => Err(ParquetError::General("a page is too large".into())),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

/// The size of a page and its compressed size, both doubled: after its type, the first numbers of its
/// header in Thrift's compact protocol.
fn page_sizes(mut header: &[u8]) -> Option<[u64; 2]> {
    let mut next = || {
        header = header.strip_prefix(b"\x15")?; // the next field, of 32 bits
        let end = header.iter().take(5).position(|byte| *byte < 0x80)?;
        let (number, rest) = header.split_at(end + 1);
        header = rest;
        let number = number.iter().rev().fold(0, |all, byte| all << 7 | u64::from(byte & 0x7f));
        u32::try_from(number).ok().map(u64::from)
    };
    next()?;
    Some([next()?, next()?])
}

/// A manifest of version 0.3, which consists of parts only.
fn without_log(directory: &Path) -> Result<Option<Version>, String> {
    let found = log::parts_without_log(directory);
    let (number, parts) = found.map_err(|error| format!("{}: {error}", directory.display()))?;
    let Some(first) = parts.first() else { return Ok(None) };
    let metadata = metadata(&first.read(directory)?.into());
    let metadata =
        metadata.map_err(|it| format!("{}: {it}", directory.join(&first.name).display()))?;
    let pairs = metadata.metadata().file_metadata().key_value_metadata();
    let list = |key: &str| {
        let pair = pairs?.iter().find(|pair| pair.key == key)?;
        Some(pair.value.as_ref()?.lines().map(String::from).collect::<Vec<_>>())
    };
    let (Some(locations), Some(algorithms)) = (list(LOCATIONS), list(ALGORITHMS)) else {
        return Err(format!("{}: it is no manifest", directory.display()));
    };
    let locations = locations.iter().map(|text| Ok(Place::parse(text)?.to_string()));
    let about = About { locations: locations.collect::<Result<_, String>>()?, algorithms };
    Ok(Some(Version::new(number, about, parts, Some(Listing::Complete(0)))))
}

fn row(batch: &RecordBatch, i: usize) -> Row {
    let column = |at: usize| batch.column(at);
    let text = |at: usize| {
        let array = column(at).as_string_view();
        array.is_valid(i).then(|| array.value(i).to_owned())
    };
    let time = |at: usize| {
        let array = column(at).as_primitive::<TimestampMillisecondType>();
        array.is_valid(i).then(|| array.value(i))
    };
    let size = column(1).as_primitive::<UInt64Type>();
    let digest = column(6).as_binary_view();
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
            None if digest.is_null(i) => Err("it has no digest".into()),
            None => Ok(digest.value(i).to_vec()),
        },
        checked_at: time(8).unwrap_or_default(),
        listed: match batch.num_columns() {
            OLD_COLUMNS => Meta::default(),
            _ => Meta { mtime: time(9), etag: text(10), ..Meta::default() },
        },
    }
}

/// Writes a version of a manifest.
pub(crate) struct Writer {
    log: Log,
    version: Version,
    /// Whether files join the version as soon as they are written.
    is_growing: bool,
    parts: Vec<Part>,
    rows: Vec<Row>,
    /// The memory that the rows take.
    weight: usize,
}

impl Writer {
    /// Takes the right to write a manifest, and opens its last version.
    pub(crate) fn open(directory: &Path) -> Result<(Self, Option<Manifest>), String> {
        let log = Log::lock(directory)?;
        let old = match log::open(directory, None)? {
            Some(version) => Some(version),
            None => without_log(directory)?.map(|version| log.adopt(version)).transpose()?,
        };
        log.clean(old.as_ref())?;
        let version = old.clone().unwrap_or_default();
        let old = old.map(|version| Manifest { directory: directory.into(), version });
        let (parts, rows) = (Vec::new(), Vec::new());
        Ok((Self { log, version, is_growing: true, parts, rows, weight: 0 }, old))
    }

    /// Starts the next version, which takes effect as a whole when it is finished.
    pub(crate) fn begin(&mut self, about: About) {
        self.version = Version::new(self.version.number + 1, about, Vec::new(), None);
        self.is_growing = false;
    }

    /// Starts the next version, which grows with every file.
    pub(crate) fn grow(&mut self, about: About) -> Result<(), String> {
        self.begin(about);
        self.is_growing = true;
        self.commit(None)
    }

    /// Adds a row. All rows of an object are in one file.
    pub(crate) fn push(&mut self, row: Row) -> Result<(), String> {
        let is_full = self.rows.len() >= ROWS || self.weight >= ROW_BYTES;
        if is_full && self.rows.last().is_some_and(|last| last.url != row.url) {
            self.flush()?;
        }
        self.weight += row.weight();
        self.rows.push(row);
        Ok(())
    }

    /// Adds a part of the previous version, unchanged.
    pub(crate) fn keep(&mut self, part: &Part) {
        self.parts.push(part.clone());
    }

    /// Writes the waiting rows into a file.
    pub(crate) fn flush(&mut self) -> Result<(), String> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let part = self.part()?;
        self.parts.push(part);
        if self.is_growing { self.commit(None) } else { Ok(()) }
    }

    fn part(&mut self) -> Result<Part, String> {
        self.weight = 0;
        let content = content(&mem::take(&mut self.rows)).map_err(|reason| reason.to_string())?;
        self.log
            .write(self.version.number, &content)
            .map_err(|reason| format!("{}: {reason}", self.log.directory().display()))
    }

    fn commit(&mut self, listing: Option<Listing>) -> Result<(), String> {
        let parts = mem::take(&mut self.parts);
        self.version = self.log.commit(self.version.clone(), parts, listing)?;
        Ok(())
    }

    /// Finishes the version, which becomes the last one.
    pub(crate) fn finish(mut self, listing: Listing) -> Result<(), String> {
        if !self.rows.is_empty() || self.parts.is_empty() && self.version.parts.is_empty() {
            // engines do not accept an empty directory as a table
            let part = self.part()?;
            self.parts.push(part);
        }
        self.commit(Some(listing))
    }
}

/// The content of a Parquet file with these rows.
fn content(rows: &[Row]) -> parquet::errors::Result<Vec<u8>> {
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let batch = batch(rows)?;
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.into_inner()
}

fn batch(rows: &[Row]) -> Result<RecordBatch, arrow::error::ArrowError> {
    let texts = |of: fn(&Row) -> Option<&str>| {
        Arc::new(rows.iter().map(of).collect::<StringArray>()) as ArrayRef
    };
    let times = |of: fn(&Row) -> Option<i64>| {
        let times: TimestampMillisecondArray = rows.iter().map(of).collect();
        Arc::new(times.with_timezone("UTC")) as ArrayRef
    };
    let columns = vec![
        texts(|row| Some(&row.url)),
        Arc::new(rows.iter().map(|row| row.meta.size).collect::<UInt64Array>()),
        times(|row| row.meta.mtime),
        texts(|row| row.meta.etag.as_deref()),
        texts(|row| row.meta.version.as_deref()),
        texts(|row| Some(&row.algorithm)),
        Arc::new(rows.iter().map(|row| row.digest.as_deref().ok()).collect::<BinaryArray>()),
        texts(|row| row.digest.as_ref().err().map(String::as_str)),
        times(|row| Some(row.checked_at)),
        times(|row| row.listed.mtime),
        texts(|row| row.listed.etag.as_deref()),
    ];
    RecordBatch::try_new(schema(), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let (mut writer, _) = Writer::open(folder.path()).unwrap();
        let algorithms = vec!["sha256".into()];
        writer.begin(About { algorithms, ..About::default() });
        let reason = "x".repeat(1 << 16);
        for i in 0..5000 {
            let row = Row {
                url: format!("s3://bucket/{}", i / 3),
                meta: Meta::default(),
                algorithm: "sha256".into(),
                digest: Err(reason.clone()),
                checked_at: 0,
                listed: Meta::default(),
            };
            writer.push(row).unwrap();
        }
        writer.finish(Listing::Complete(0)).unwrap();
        let manifest = Manifest::existing(folder.path(), None).unwrap();
        let (mut count, mut last) = (0, None);
        for part in manifest.parts() {
            let rows = manifest.read(part).unwrap();
            assert_ne!(last, Some(rows[0].url.clone()), "an object is in two parts");
            count += rows.len();
            last = rows.last().map(|row| row.url.clone());
        }
        assert_eq!((count, manifest.parts().len()), (5000, 3));
    }
}
