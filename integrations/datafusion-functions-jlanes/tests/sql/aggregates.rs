//! Aggregate functions, against the reference in this file.

use std::sync::Arc;

use arrow::array::{ArrayRef, BinaryArray, Int64Array, RecordBatch, UInt64Array};
use datafusion::{
    datasource::MemTable,
    prelude::{SessionConfig, SessionContext},
};
use datafusion_functions_jlanes::register_all;
use jlanes::merkle::{Format, Rfc6962};
use sha2::{Digest, Sha256};
use turboshake::TurboShake128;
use turboshake::digest::{ExtendableOutput, Update};

use crate::{ROWS, bytes, one, run, value, with_functions};

/// A session with a table `leaves` of `rows` rows, shuffled over partitions and batches.
fn leaves(rows: u64, partitions: usize, size: usize) -> (SessionContext, Vec<u8>) {
    let digest = |i: u64| Sha256::digest(i.to_le_bytes()).to_vec();
    let mut order: Vec<u64> = (0..rows).collect();
    order.sort_by_key(|i| Sha256::digest((i / 5 + rows).to_be_bytes()));
    let batch = |rows: &[u64]| {
        let digests: BinaryArray = rows.iter().map(|i| Some(digest(*i))).collect();
        let columns: [(&str, ArrayRef); 2] = [
            ("digest", Arc::new(digests)),
            ("index", Arc::new(rows.iter().copied().collect::<UInt64Array>())),
        ];
        RecordBatch::try_from_iter(columns).unwrap()
    };
    let mut parts = vec![Vec::new(); partitions];
    for (i, rows) in order.chunks(size).enumerate() {
        parts[i % partitions].push(batch(rows));
    }
    let mut context =
        SessionContext::new_with_config(SessionConfig::new().with_target_partitions(3));
    register_all(&mut context).unwrap();
    let table = MemTable::try_new(batch(&[]).schema(), parts).unwrap();
    context.register_table("leaves", Arc::new(table)).unwrap();
    (context, (0..rows).flat_map(digest).collect())
}

#[tokio::test]
async fn roots_of_partitions() {
    for rows in (0..20).chain([31, 32, 33, 1000, 4095, 4096, 5003]) {
        for (partitions, size) in [(1, 4096), (3, 7), (4, 100)] {
            let (context, all) = leaves(rows, partitions, size);
            let root = Rfc6962::chunks::<jlanes::Sha256>(32).unwrap().digest(&all).unwrap();
            let found = one(&context, "select merkle_root(digest, index) from leaves").await;
            assert_eq!(found.as_deref(), Some(&root[..]), "{rows} {partitions} {size}");
        }
    }
}

#[tokio::test]
async fn roots_of_numbered_rows() {
    let (context, all) = leaves(300, 3, 20);
    let root = Rfc6962::chunks::<jlanes::Sha256>(32).unwrap().digest(&all).unwrap();
    let sql = "select jl_merkle_root(digest, i) from \
               (select digest, row_number() over (order by index) - 1 as i from leaves)";
    assert_eq!(one(&context, sql).await.as_deref(), Some(&root[..]));
}

#[tokio::test]
async fn roots_of_groups() {
    let context = with_functions();
    let sql = "select i % 3 as g, jl_merkle_root(arrow_cast(coalesce(s, ''), 'Utf8View'), i / 3) \
               from t group by i % 3 order by g";
    let batch = run(&context, sql).await.unwrap();
    assert_eq!(batch.num_rows(), 3);
    for g in 0..3 {
        let entries = (0..ROWS).filter(|i| i % 3 == g).map(|i| value("s", i).unwrap_or_default());
        let leaf = |entry: Vec<u8>| Sha256::digest([vec![0], entry].concat()).to_vec();
        let mut level: Vec<Vec<u8>> = entries.map(leaf).collect();
        while level.len() > 1 {
            let node = |pair: &[Vec<u8>]| match pair {
                [left, right] => Sha256::digest([&[1], &left[..], right].concat()).to_vec(),
                odd => odd[0].clone(),
            };
            level = level.chunks(2).map(node).collect();
        }
        assert_eq!(bytes(batch.column(1), g).as_ref(), level.first(), "{g}");
    }
}

#[tokio::test]
async fn rows_that_are_no_list() {
    let (context, _) = leaves(1000, 3, 10);
    for (sql, reason) in [
        (
            "select merkle_root(digest, index) from leaves where index <> 517",
            "index 517 is missing",
        ),
        ("select merkle_root(digest, index) from leaves where index > 0", "index 0 is missing"),
        (
            "select merkle_root(digest, index) from \
             (select * from leaves union all select * from leaves where index = 512)",
            "index 512 is there twice",
        ),
        (
            "select merkle_root(digest, index) from \
             (select * from leaves union all select * from leaves)",
            "is there twice",
        ),
        ("select merkle_root(digest, cast(index as bigint) - 1) from leaves", "negative"),
        ("select merkle_root(nullif(digest, digest), index) from leaves", "is null"),
        ("select merkle_root(digest, nullif(index, 3)) from leaves", "is null"),
        ("select merkle_root(distinct digest, index) from leaves", "DISTINCT"),
        ("select merkle_root(index, index) from leaves", "neither text nor bytes"),
        ("select merkle_root(digest, digest) from leaves", "integer"),
    ] {
        let error = run(&context, sql).await.expect_err(sql).to_string();
        assert!(error.contains(reason), "{sql}: {error}");
    }
}

/// The documented fingerprint of a table with one column of integers.
fn fingerprint(rows: impl Iterator<Item = i64>) -> Vec<u8> {
    let mut count = 0_u64;
    let mut sum = vec![0_u32; 1024];
    for row in rows {
        let row = Sha256::digest([&b"JLR1\x01\0\0\0\x05"[..], &row.to_le_bytes()].concat());
        let mut numbers = [0; 4096];
        let mut turboshake = TurboShake128::default();
        turboshake.update(&row);
        turboshake.finalize_xof_into(&mut numbers);
        for (sum, number) in sum.iter_mut().zip(numbers.chunks(4)) {
            *sum = sum.wrapping_add(u32::from_le_bytes(number.try_into().unwrap()));
        }
        count += 1;
    }
    let mut text = b"JLTF1".to_vec();
    text.extend(count.to_le_bytes());
    text.extend(sum.into_iter().flat_map(u32::to_le_bytes));
    Sha256::digest(text).to_vec()
}

#[tokio::test]
async fn fingerprints() {
    let context = with_functions();
    let rows = ROWS as i64;
    let found = one(&context, "select table_fingerprint(i) from t").await;
    assert_eq!(found, Some(fingerprint(0..rows)));
    let found = one(&context, "select table_fingerprint(i) from t where i < 0").await;
    assert_eq!(found, Some(fingerprint(0..0)));
    let found = one(&context, "select table_fingerprint(i / 100) from t").await;
    assert_eq!(found, Some(fingerprint((0..rows).map(|i| i / 100))));

    let all = "select table_fingerprint(i, s, d, f) from t";
    let all = one(&context, all).await;
    for (sql, same) in [
        ("select table_fingerprint(i, sv, d, f) from (select * from t order by s, i desc)", true),
        ("select table_fingerprint(i, s, d, f) from t where i <> 77", false),
        ("select table_fingerprint(s, i, d, f) from t", false),
        ("select table_fingerprint(i, s, d) from t", false),
        ("select table_fingerprint(i, coalesce(s, ''), d, f) from t", false),
        (
            "select table_fingerprint(i, s, d, f) from (select * from t union all select * from t)",
            false,
        ),
    ] {
        let found = one(&context, sql).await;
        assert_eq!(found == all, same, "{sql}");
    }
}

/// 2^16 equal rows must not cancel out, as they would with numbers of 16 bits.
#[tokio::test]
async fn many_equal_rows() {
    let mut context = SessionContext::new();
    register_all(&mut context).unwrap();
    let table = |number: i64| {
        let array: ArrayRef = Arc::new(Int64Array::from(vec![number; 1 << 16]));
        RecordBatch::try_from_iter([("x", array)]).unwrap()
    };
    context.register_batch("one", table(1)).unwrap();
    context.register_batch("two", table(2)).unwrap();
    let one_ = one(&context, "select table_fingerprint(x) from one").await;
    let two = one(&context, "select table_fingerprint(x) from two").await;
    assert_ne!(one_, two);
}
