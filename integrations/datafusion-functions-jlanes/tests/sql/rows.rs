//! Scalar functions, against RustCrypto's hashers.

use arrow::{
    array::{Array, AsArray},
    datatypes::DataType,
};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use crate::{LAYOUTS, ROWS, bytes, one, run, value, with_functions};

#[tokio::test]
async fn every_layout() {
    let context = with_functions();
    for name in LAYOUTS {
        let sql = format!(
            "select i, jl_sha256({name}), jl_sha256_hex({name}), jl_sha512({name}), \
             jl_digest({name}, 'sha1'), digest_hex({name}, 'SHA1') from t order by i"
        );
        let batch = run(&context, &sql).await.unwrap();
        assert_eq!(batch.num_rows(), ROWS);
        let types: Vec<_> = batch.columns().iter().map(|array| array.data_type()).collect();
        let (raw, hex) = (&DataType::Binary, &DataType::Utf8);
        assert_eq!(types[1..], [raw, hex, raw, raw, hex], "{name}");
        for i in 0..ROWS {
            let message = value(name, i);
            let expect = |digest: fn(&[u8]) -> Vec<u8>| message.as_deref().map(digest);
            let sha256 = expect(|message| Sha256::digest(message).to_vec());
            let sha1 = expect(|message| Sha1::digest(message).to_vec());
            let hex = |digest: &Option<Vec<u8>>| {
                digest.as_ref().map(|digest| hex::encode(digest).into_bytes())
            };
            assert_eq!(bytes(batch.column(1), i), sha256, "{name} {i}");
            assert_eq!(bytes(batch.column(2), i), hex(&sha256), "{name} {i}");
            let sha512 = expect(|message| Sha512::digest(message).to_vec());
            assert_eq!(bytes(batch.column(3), i), sha512, "{name} {i}");
            assert_eq!(bytes(batch.column(4), i), sha1, "{name} {i}");
            assert_eq!(bytes(batch.column(5), i), hex(&sha1), "{name} {i}");
        }
    }
}

#[tokio::test]
async fn slices_and_no_rows() {
    let context = with_functions();
    for name in LAYOUTS {
        let sql = format!(
            "select jl_sha256({name}) from (select * from t order by i limit 50 offset 33)"
        );
        let batch = run(&context, &sql).await.unwrap();
        assert_eq!(batch.num_rows(), 50);
        for i in 0..50 {
            let digest = value(name, 33 + i).map(|message| Sha256::digest(message).to_vec());
            assert_eq!(bytes(batch.column(0), i), digest, "{name} {i}");
        }
        let sql = format!("select jl_sha256({name}) from t where i < 0");
        assert_eq!(run(&context, &sql).await.unwrap().num_rows(), 0);
    }
}

#[tokio::test]
async fn known_answers() {
    let context = with_functions();
    let answers = [
        ("md5_hex", "900150983cd24fb0d6963f7d28e17f72"),
        ("sha1_hex", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("sha3_256_hex", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        ("blake2s_hex", "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"),
        ("ripemd160_hex", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        ("sha512_256_hex", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    ];
    for (name, digest) in answers {
        let found = one(&context, &format!("select jl_{name}('abc')")).await;
        assert_eq!(found.as_deref(), Some(digest.as_bytes()), "{name}");
    }
    assert_eq!(one(&context, "select jl_sha256(NULL)").await, None);
    let found = one(&context, "select jl_digest_hex('abc', 'sha256')").await.unwrap();
    assert!(found.starts_with(b"ba7816bf"));
}

#[tokio::test]
async fn several_digests() {
    let context = with_functions();
    let sql = "select digests(s, 'sha256, sha1') as d from t order by i";
    let batch = run(&context, sql).await.unwrap();
    let digests = batch.column(0).as_struct();
    assert_eq!(digests.column_names(), ["sha256", "sha1"]);
    for i in 0..ROWS {
        let message = value("s", i);
        assert_eq!(digests.is_null(i), message.is_none());
        let digest = message.as_ref().map(|message| Sha256::digest(message).to_vec());
        assert_eq!(bytes(digests.column(0), i), digest);
        let digest = message.as_ref().map(|message| Sha1::digest(message).to_vec());
        assert_eq!(bytes(digests.column(1), i), digest);
    }
}

#[tokio::test]
async fn derived_keys() {
    let context = with_functions();
    let sql = "select pbkdf2(s, 'salt', 3, 40, 'sha256'), pbkdf2_hex(f, d, 2, 7, 'sha512') \
               from t order by i";
    let batch = run(&context, sql).await.unwrap();
    for i in 0..ROWS {
        let key = value("s", i).map(|password| {
            pbkdf2::pbkdf2_hmac_array::<Sha256, 40>(&password, b"salt", 3).to_vec()
        });
        assert_eq!(bytes(batch.column(0), i), key, "{i}");
        let key = value("f", i).zip(value("d", i)).map(|(password, salt)| {
            hex::encode(pbkdf2::pbkdf2_hmac_array::<Sha512, 7>(&password, &salt, 2)).into_bytes()
        });
        assert_eq!(bytes(batch.column(1), i), key, "{i}");
    }
}

#[tokio::test]
async fn verification() {
    let context = with_functions();
    let sql = "select verify(s, jl_sha256(sv)), verify(s, jl_sha1_hex(b), 'sha1'), \
               verify(s, jl_sha256('0 ')) from t order by i";
    let batch = run(&context, sql).await.unwrap();
    for i in 0..ROWS {
        for (column, right) in [(0, true), (1, true), (2, false)] {
            let array = batch.column(column).as_boolean();
            let found = array.is_valid(i).then(|| array.value(i));
            assert_eq!(found, value("s", i).map(|_| right), "{column} {i}");
        }
    }
}

#[tokio::test]
async fn digests_of_rows() {
    let context = with_functions();
    // the layout of a column does not change the encoding of rows
    for name in ["ls", "sv"] {
        let sql = format!(
            "select row_digest('sha256', i, s, i > 9, cast(i as double)) as x, \
             row_digest('sha256', i, {name}, i > 9, cast(i as double)) as y from t order by i"
        );
        let batch = run(&context, &sql).await.unwrap();
        assert_eq!(batch.column(0), batch.column(1), "{name}");
        assert!(!batch.schema().field(0).is_nullable());
        for i in 0..ROWS {
            let mut row = b"JLR1\x04\0\0\0\x05".to_vec();
            row.extend((i as i64).to_le_bytes());
            match value("s", i) {
                None => row.push(0xa0),
                Some(text) => {
                    row.push(0x20);
                    row.extend((text.len() as u64).to_le_bytes());
                    row.extend(text);
                }
            }
            row.extend([0x01, u8::from(i > 9), 0x0c]);
            row.extend((i as f64).to_le_bytes());
            assert_eq!(bytes(batch.column(0), i), Some(Sha256::digest(row).to_vec()), "{i}");
        }
    }
    let types = "select row_digest_hex('sha256', \
                 cast(i as smallint), cast(i as tinyint unsigned), cast(1.5 as decimal(9, 2)), \
                 cast(i as date), cast(i as timestamp), cast(i as real), NULL) from t where i < 100";
    assert_eq!(run(&context, types).await.unwrap().num_rows(), 100);
}

#[tokio::test]
async fn all_columns_of_the_input() {
    let context = with_functions();
    let all = "i, s, ls, sv, b, lb, bv, f, d";
    for (x, y, from) in [
        ("*", all, "t"),
        ("t.*", all, "t"),
        ("i > 9, *", "i > 9, i, s, ls, sv, b, lb, bv, f, d", "t"),
        ("*", "i, s", "(select i, s from t)"),
        ("*", "i, j, c.s", "(select i from t) a join (select i as j, s from t) c on i = j"),
        ("c.*", "j, c.s", "t join (select i as j, s from t) c on i = j"),
    ] {
        let digests = |x: &str| format!("row_digest_hex('sha256', {x})");
        let sql = format!("select {} as x from {from} order by 1", digests(x));
        let expected = format!("select {} as x from {from} order by 1", digests(y));
        let (found, expected) = (run(&context, &sql).await, run(&context, &expected).await);
        assert_eq!(found.unwrap(), expected.unwrap(), "{sql}");
    }
    let sql = format!(
        "select jl_table_fingerprint(*) = jl_table_fingerprint({all}) from t \
         where jl_row_digest('sha256', *) = jl_row_digest('sha256', {all})"
    );
    let batch = run(&context, &sql).await.unwrap();
    assert!(batch.column(0).as_boolean().value(0));
    // names of columns keep their spelling, so that two digests have different names
    let batch = run(&context, "select jl_row_digest('sha1', *), jl_row_digest('md5', *) from t");
    assert_eq!(batch.await.unwrap().num_columns(), 2);
    let sql = "select jl_sha256_hex(sv) as d, count(*) from t group by jl_sha256_hex(sv)";
    let distinct: std::collections::HashSet<_> = (0..ROWS).map(|i| value("sv", i)).collect();
    assert_eq!(run(&context, sql).await.unwrap().num_rows(), distinct.len());
}

#[tokio::test]
async fn what_is_refused() {
    let context = with_functions();
    for (sql, reason) in [
        ("select jl_sha256(5)", "neither text nor bytes"),
        ("select jl_sha256(i) from t", "neither text nor bytes"),
        ("select jl_sha256()", "arguments"),
        ("select jl_digest('x', 'no-such')", "unknown algorithm"),
        ("select jl_digest('x', s) from t", "literals"),
        ("select jl_digests('x', s) from t", "literal"),
        ("select jl_digests('x', 'sha1,sha1')", "twice"),
        ("select jl_digest('x', 'dmverity-sha256')", "no digest"),
        ("select jl_pbkdf2('x', 'salt', 0, 10, 'sha256')", "positive"),
        ("select jl_pbkdf2('x', 'salt', 1, 10, 'fsverity-sha256')", "HMAC is not defined"),
        ("select jl_row_digest('sha256', make_interval(i)) from t", "make_interval"),
        ("select jl_row_digest('sha256', interval '1 day')", "no digest"),
        ("select jl_row_digest('sha256', *)", "needs a table"),
        ("select jl_sha256(*) from t", "name it"),
    ] {
        let error = run(&context, sql).await.expect_err(sql).to_string();
        assert!(error.contains(reason), "{sql}: {error}");
    }
}
