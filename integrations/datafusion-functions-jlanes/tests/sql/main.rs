//! Functions in queries, against RustCrypto's hashers and against DataFusion's own functions.

#![allow(clippy::unwrap_used)] // helpers of tests are tests, too

mod aggregates;
mod builtin;
mod extensions;
mod keys;
mod rows;
mod spark;

use std::sync::Arc;

use arrow::{
    array::{
        Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, DictionaryArray,
        FixedSizeBinaryArray, Int64Array, LargeBinaryArray, LargeStringArray, RecordBatch,
        StringArray, StringViewArray,
    },
    compute::concat_batches,
    datatypes::Int16Type,
};
use datafusion::{datasource::MemTable, error::Result, prelude::SessionContext};

/// The columns of the table `t`, in all layouts.
pub(crate) const LAYOUTS: [&str; 8] = ["s", "ls", "sv", "b", "lb", "bv", "f", "d"];

/// Rows of the table `t`.
pub(crate) const ROWS: usize = 700;

/// The text of row `i` of the table `t`: null, empty, short, and longer than a view has room for.
pub(crate) fn text(i: usize) -> Option<String> {
    match i % 7 {
        3 => None,
        5 => Some(String::new()),
        n => Some(format!("{i} ").repeat(n * n)),
    }
}

/// The value of a column of the table in row `i`.
pub(crate) fn value(column: &str, i: usize) -> Option<Vec<u8>> {
    match column {
        "f" => (i % 5 != 1).then(|| vec![i as u8; 16]),
        "d" => text(i % 11).map(String::into_bytes),
        _ => text(i).map(String::into_bytes),
    }
}

fn batch(rows: std::ops::Range<usize>) -> RecordBatch {
    let texts: Vec<Option<String>> = rows.clone().map(text).collect();
    let bytes: Vec<Option<&[u8]>> =
        texts.iter().map(|text| text.as_ref().map(String::as_bytes)).collect();
    let fixed = rows.clone().map(|i| value("f", i));
    let chosen: Vec<Option<String>> = rows.clone().map(|i| text(i % 11)).collect();
    let dictionary: DictionaryArray<Int16Type> = chosen.iter().map(Option::as_deref).collect();
    let columns: [(&str, ArrayRef); 9] = [
        ("i", Arc::new(rows.map(|i| i as i64).collect::<Int64Array>())),
        ("s", Arc::new(texts.iter().collect::<StringArray>())),
        ("ls", Arc::new(texts.iter().collect::<LargeStringArray>())),
        ("sv", Arc::new(texts.iter().collect::<StringViewArray>())),
        ("b", Arc::new(bytes.iter().collect::<BinaryArray>())),
        ("lb", Arc::new(bytes.iter().collect::<LargeBinaryArray>())),
        ("bv", Arc::new(bytes.iter().collect::<BinaryViewArray>())),
        ("f", Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(fixed, 16).unwrap())),
        ("d", Arc::new(dictionary)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
        .unwrap()
}

/// A session with the table `t` in several partitions of several batches, one of them empty.
pub(crate) fn context() -> SessionContext {
    let context = SessionContext::new();
    let partitions = vec![
        vec![batch(0..100), batch(100..100), batch(100..113)],
        vec![batch(400..ROWS), batch(113..200)],
        vec![],
        vec![batch(200..400)],
    ];
    let table = MemTable::try_new(batch(0..0).schema(), partitions).unwrap();
    context.register_table("t", Arc::new(table)).unwrap();
    context
}

/// A session with our functions.
pub(crate) fn with_functions() -> SessionContext {
    let mut context = context();
    datafusion_functions_jlanes::register_all(&mut context).unwrap();
    context
}

/// The result of a query in one batch.
pub(crate) async fn run(context: &SessionContext, sql: &str) -> Result<RecordBatch> {
    let frame = context.sql(sql).await?;
    let schema = Arc::new(frame.schema().as_arrow().clone());
    let batches = frame.collect().await?;
    Ok(concat_batches(batches.first().map_or(&schema, |batch| batch.schema_ref()), &batches)?)
}

/// The bytes of a row, of text or bytes.
pub(crate) fn bytes(array: &ArrayRef, i: usize) -> Option<Vec<u8>> {
    if array.is_null(i) {
        return None;
    }
    Some(match array.as_binary_opt::<i32>() {
        Some(array) => array.value(i).to_vec(),
        None => array.as_string::<i32>().value(i).as_bytes().to_vec(),
    })
}

/// The only value in the result of a query.
pub(crate) async fn one(context: &SessionContext, sql: &str) -> Option<Vec<u8>> {
    let batch = run(context, sql).await.unwrap();
    assert_eq!((batch.num_rows(), batch.num_columns()), (1, 1), "{sql}");
    bytes(batch.column(0), 0)
}
