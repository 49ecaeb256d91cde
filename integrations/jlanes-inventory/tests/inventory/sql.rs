//! The function `object_digest` in DataFusion.

use std::{env, fs, process::Command};

use arrow::{
    array::{Array, AsArray, StructArray},
    datatypes::{TimestampMillisecondType, UInt64Type},
};
use datafusion::{
    common::ScalarValue,
    error::Result,
    logical_expr::lit,
    prelude::{DataFrame, SessionContext},
};
use sha2::{Digest, Sha256};
use url::Url;

use crate::{
    check, content,
    server::{Fault, Server},
};

/// The size of an object that arrives in three parts.
const LARGE: usize = 40 << 20;

/// The structs in the result of a query with one column.
async fn collect(frame: DataFrame) -> Result<StructArray> {
    let batches = frame.collect().await?;
    let batch = arrow::compute::concat_batches(&batches[0].schema(), &batches)?;
    Ok(batch.column(0).as_struct().clone())
}

fn text(of: &StructArray, name: &str, i: usize) -> String {
    of.column_by_name(name).unwrap().as_string::<i32>().value(i).to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_function_of_datafusions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b");
    let bytes = content(1, 700_000);
    fs::write(&path, &bytes).unwrap();
    let url = String::from(Url::from_file_path(&path).unwrap());
    let context = SessionContext::new();
    let function = jlanes_inventory::object_digest(8, 1 << 20, 0);
    context.register_udf(function.clone());

    let values = format!("(values ('{url}'), (null), ('file:///no/such/file'), ('http://x/y'))");
    let query = format!("select object_digest(url, 'sha256,md5') from {values} as t(url)");
    let read = collect(context.sql(&query).await.unwrap()).await.unwrap();
    let names: Vec<_> = read.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["size", "mtime", "etag", "version_id", "error", "sha256", "md5"]);
    assert_eq!((0..4).map(|i| read.is_null(i)).collect::<Vec<_>>(), [false, true, false, false]);
    let (sizes, digests) = (read.column(0).as_primitive::<UInt64Type>(), read.column(5));
    assert_eq!(sizes.value(0), 700_000);
    assert_eq!(digests.as_binary::<i32>().value(0), Sha256::digest(&bytes).as_slice());
    assert_eq!((0..4).map(|i| digests.is_null(i)).collect::<Vec<_>>(), [false, true, true, true]);
    assert!(text(&read, "error", 2).contains("No such file"), "{}", text(&read, "error", 2));
    assert_eq!(text(&read, "error", 3), "objects of http:// are not read");

    let query = "select object_digest('s3://bucket/', 'sha256')";
    let empty = collect(context.sql(query).await.unwrap()).await.unwrap();
    assert_eq!(text(&empty, "error", 0), "without a key, it is no object");

    // known metadata is compared
    let time = read.column(1).as_primitive::<TimestampMillisecondType>().value(0);
    for (size, time, etag, changed) in [
        (Some(700_000), Some(time), None, false),
        (Some(7), Some(time), None, true),
        (Some(700_000), None, None, false),
        (None, Some(time), None, false),
        (None, Some(time + 1), None, true),
        (None, None, Some("e".into()), true),
    ] {
        let listed = [
            lit(ScalarValue::UInt64(size)),
            lit(ScalarValue::TimestampMillisecond(time, Some("UTC".into()))),
            lit(ScalarValue::Utf8(etag)),
        ];
        let arguments = [lit(url.clone()), lit("sha256")].into_iter().chain(listed).collect();
        let frame = context.read_empty().unwrap().select([function.call(arguments)]).unwrap();
        let read = collect(frame).await.unwrap();
        assert_eq!(text(&read, "error", 0) == "it changed while it was read", changed);
    }
    // a file that was listed has become a device
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/null", &path).unwrap();
    for (size, found, is_read) in [
        (Some(700_000), None, false),
        (None, Some(true), false),
        (None, Some(false), true),
        (None, None, true),
    ] {
        let listed = [
            ScalarValue::UInt64(size),
            ScalarValue::TimestampMillisecond(None, Some("UTC".into())),
            ScalarValue::Utf8(None),
        ];
        let listed = listed.into_iter().chain(found.map(ScalarValue::from)).map(lit);
        let arguments = [lit(url.clone()), lit("sha256")].into_iter().chain(listed).collect();
        let frame = context.read_empty().unwrap().select([function.call(arguments)]).unwrap();
        let read = collect(frame).await.unwrap();
        assert_eq!(read.column_by_name("error").unwrap().is_null(0), is_read, "{size:?} {found:?}");
    }
    for wrong in ["'no such hash'", "url", "'md5,md5'", "null"] {
        let query = format!("select object_digest(url, {wrong}) from {values} as t(url)");
        let failed = match context.sql(&query).await {
            Ok(frame) => frame.collect().await.is_err(),
            Err(_) => true,
        };
        assert!(failed, "{wrong}");
    }
}

/// Another process runs the query, because it needs other environment variables.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_object_of_unknown_size() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bucket")).unwrap();
    fs::write(folder.path().join("bucket/large"), content(3, LARGE)).unwrap();
    let server = Server::start(folder.path(), |_, _| Fault::None).await;
    let mut command = server.environment(Command::new(env::current_exe().unwrap()));
    command.args(["--exact", "sql::asks_for_a_large_object", "--ignored"]);
    let output = tokio::task::spawn_blocking(|| check(command, 0)).await.unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    assert_eq!(server.gets("large"), 3);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "another test starts it, with a server"]
async fn asks_for_a_large_object() {
    let context = SessionContext::new();
    context.register_udf(jlanes_inventory::object_digest(8, 1 << 20, 0));
    let query = "select object_digest('s3://bucket/large', 'sha256')";
    let read = collect(context.sql(query).await.unwrap()).await.unwrap();
    let digest = read.column_by_name("sha256").unwrap().as_binary::<i32>().value(0);
    assert_eq!(digest, Sha256::digest(content(3, LARGE)).as_slice());
}
