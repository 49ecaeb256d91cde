//! Columns of extension types, in which only the name says what values mean.

use std::{collections::HashMap, sync::Arc};

use arrow::{
    array::{ArrayRef, AsArray, FixedSizeBinaryArray, Int64Array, RecordBatch, StringArray},
    datatypes::{DataType, Field, Schema},
};
use datafusion::{datasource::MemTable, prelude::SessionContext};
use datafusion_functions_jlanes::register_spark;
use sha2::{Digest, Sha256};

use crate::{bytes, run, with_functions};

/// A session with the table `e` of extension types, and with a table that has other metadata.
fn context() -> SessionContext {
    let field = |name: &str, data_type, key: &str, value: &str| {
        Field::new(name, data_type, false)
            .with_metadata(HashMap::from([(key.to_owned(), value.to_owned())]))
    };
    const NAME: &str = "ARROW:extension:name";
    let schema = Arc::new(Schema::new(vec![
        field("uuid", DataType::FixedSizeBinary(16), NAME, "arrow.uuid"),
        field("point", DataType::Utf8, NAME, "geoarrow.wkt"),
        field("json", DataType::Utf8, NAME, "arrow.json"),
        field("text", DataType::Utf8, "comment", "arrow.uuid"),
        Field::new("i", DataType::Int64, false),
    ]));
    let text: ArrayRef = Arc::new(StringArray::from(vec!["[1]", "{}"]));
    let uuids = FixedSizeBinaryArray::try_from_iter([[1_u8; 16], [2; 16]].iter()).unwrap();
    let numbers = Int64Array::from(vec![0, 1]);
    let columns: Vec<ArrayRef> =
        vec![Arc::new(uuids), text.clone(), text.clone(), text, Arc::new(numbers)];
    let batch = RecordBatch::try_new(schema.clone(), columns).unwrap();
    let mut context = with_functions();
    register_spark(&mut context).unwrap();
    let table = MemTable::try_new(schema, vec![vec![batch]]).unwrap();
    context.register_table("e", Arc::new(table)).unwrap();
    context
}

/// A call of each function, on column `x`.
fn calls(x: &str) -> Vec<String> {
    [
        "jl_sha256({x})",
        "jl_sha256_hex({x})",
        "jl_digest({x}, 'sha1')",
        "jl_digests({x}, 'sha1,md5')",
        "jl_pbkdf2({x}, 'salt', 1, 20, 'sha256')",
        "jl_pbkdf2('password', {x}, 1, 20, 'sha256')",
        "jl_row_digest('sha256', i, {x})",
        "jl_verify({x}, 'ff')",
        "jl_verify('ff', {x})",
        "sha2({x}, 256)",
        "sha1({x})",
        "md5({x})",
        "jl_merkle_root({x}, i)",
        "jl_table_fingerprint(i, {x})",
    ]
    .map(|call| call.replace("{x}", x))
    .into()
}

#[tokio::test]
async fn they_are_refused_by_name() {
    let context = context();
    for (column, name) in [("uuid", "arrow.uuid"), ("point", "geoarrow.wkt")] {
        for call in calls(column) {
            for from in ["e", "(select * from e order by i limit 1)"] {
                let sql = format!("select {call} from {from}");
                let error = run(&context, &sql).await.expect_err(&sql).to_string();
                assert!(error.contains(name) && error.contains("cast it"), "{sql}: {error}");
            }
        }
        // not only in the select list
        for sql in [
            format!("select i from e where jl_sha256({column}) is not null"),
            format!("select count(*) from e group by jl_sha256({column})"),
            format!("select i from e order by jl_sha256({column})"),
        ] {
            let error = run(&context, &sql).await.expect_err(&sql).to_string();
            assert!(error.contains(name), "{sql}: {error}");
        }
    }
}

#[tokio::test]
async fn json_and_other_metadata_are_what_they_seem() {
    let context = context();
    for column in ["json", "text"] {
        for call in calls(column) {
            run(&context, &format!("select {call} from e")).await.expect(&call);
        }
        let sql = format!("select jl_sha256({column}) from e order by i");
        let batch = run(&context, &sql).await.unwrap();
        assert_eq!(bytes(batch.column(0), 0), Some(Sha256::digest("[1]").to_vec()));
    }
}

/// The casts that the error message suggests.
#[tokio::test]
async fn casts_have_digests() {
    let context = context();
    let sql = "select jl_sha256(arrow_cast(uuid, 'Binary')) from e order by i";
    let batch = run(&context, sql).await.unwrap();
    assert_eq!(batch.column(0).as_binary::<i32>().value(1), &Sha256::digest([2; 16])[..]);
    let sql = "select jl_sha256_hex(arrow_cast(point, 'LargeUtf8')) from e";
    assert_eq!(run(&context, sql).await.unwrap().num_rows(), 2);
}
