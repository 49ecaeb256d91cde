//! Spark's functions, against published results and against the crate datafusion-spark.

use std::sync::Arc;

use arrow::{
    array::{
        ArrayRef, AsArray, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray,
        Int32Array, LargeBinaryArray, LargeStringArray, RecordBatch, StringArray, StringViewArray,
    },
    datatypes::{DataType, Int8Type},
    util::display::array_value_to_string,
};
use datafusion::{
    datasource::MemTable, execution::registry::FunctionRegistry, prelude::SessionContext,
};
use datafusion_functions_jlanes::{register_all, register_spark, replace_builtin};

use crate::{LAYOUTS, run};

const SHA224_FOO: &str = "0808f64e60d58979fcb676c96ec938270dea42445aeefcd3a4e6f8db";
const SHA256_FOO: &str = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
const SHA384_FOO: &str = "98c11ffdfdd540676b1a137cb1a22b2a70350c9a44171d6b1180c6be5cbb2ee3\
                          f79d532c8a1dd9ef2e8e08e752a3babb";
const SHA512_FOO: &str = "f7fbba6e0636f890e56fbbf3283e524c6fa3204ae298382d624741d0dc663832\
                          6e282c41be5e4254d8820772c5518a2c5a8c0c7f7eda19594a7eb539453e1ed7";
const SHA1_SPARK: &str = "85f5955f4b27a9a4c2aab6ffe5d7189fc298b92c";
const SHA256_SPARK: &str = "529bc3b07127ecb7e53a4dcf1991d9152c24537d919178022b2c42657f79a26b";
const MD5_SPARK: &str = "8cde774d6f7333752ed72cacddb05126";

/// Numbers below a bound, from xorshift64.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 0x5eed_u64;
    move |bound| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    }
}

/// Random rows of every layout and of bits, in slices of larger arrays.
fn table() -> MemTable {
    const ROWS: usize = 3000;
    let mut below = numbers();
    let texts: Vec<Option<String>> = (0..ROWS)
        .map(|_| {
            let length = if below(2) == 0 { below(20) } else { below(300) };
            (below(5) > 0).then(|| (0..length).map(|_| ['a', 'é', '漢', '0'][below(4)]).collect())
        })
        .collect();
    let bytes: Vec<_> = texts.iter().map(|text| text.as_ref().map(String::as_bytes)).collect();
    let fixed = (0..ROWS).map(|_| (below(5) > 0).then(|| [below(256) as u8; 16]));
    let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size(fixed, 16).unwrap();
    let chosen: DictionaryArray<Int8Type> =
        (0..ROWS).map(|_| texts[below(50)].as_deref()).collect();
    let all = [0, 224, 256, 384, 512, 128, -1, 1, i32::MIN, i32::MAX];
    let bits: Int32Array =
        (0..ROWS).map(|_| (below(6) > 0).then(|| all[below(2) * 5 + below(5)])).collect();
    let columns: [(&str, ArrayRef); 9] = [
        ("s", Arc::new(texts.iter().collect::<StringArray>())),
        ("ls", Arc::new(texts.iter().collect::<LargeStringArray>())),
        ("sv", Arc::new(texts.iter().collect::<StringViewArray>())),
        ("b", Arc::new(bytes.iter().collect::<BinaryArray>())),
        ("lb", Arc::new(bytes.iter().collect::<LargeBinaryArray>())),
        ("bv", Arc::new(bytes.iter().collect::<BinaryViewArray>())),
        ("f", Arc::new(fixed)),
        ("d", Arc::new(chosen)),
        ("bits", Arc::new(bits)),
    ];
    let rows = columns.map(|(name, array)| (name, array, true));
    let rows = RecordBatch::try_from_iter_with_nullable(rows).unwrap();
    let batches = [(3, 1000), (1003, 5), (1008, 0), (1011, 1900)];
    let batches = batches.map(|(first, count)| rows.slice(first, count)).into();
    MemTable::try_new(rows.schema(), vec![batches]).unwrap()
}

/// A session with the functions of datafusion-spark, and one with ours in their place.
fn contexts() -> [SessionContext; 2] {
    let table = Arc::new(table());
    let [theirs, mut ours] = [(); 2].map(|()| {
        let mut context = SessionContext::new();
        datafusion_spark::register_all(&mut context).unwrap();
        context.register_table("r", table.clone()).unwrap();
        context
    });
    register_spark(&mut ours).unwrap();
    [theirs, ours]
}

/// The cases that Spark and datafusion-spark document and test.
#[tokio::test]
async fn published_results() {
    let foo = [
        ("0", Some(SHA256_FOO)),
        ("224", Some(SHA224_FOO)),
        ("256", Some(SHA256_FOO)),
        ("384", Some(SHA384_FOO)),
        ("512", Some(SHA512_FOO)),
        ("128", None),
        ("-256", None),
        ("NULL", None),
        ("NULL::int", None),
    ];
    let mut cases = vec![
        ("sha('Spark')".to_owned(), Some(SHA1_SPARK)),
        ("sha1('Spark')".to_owned(), Some(SHA1_SPARK)),
        ("md5('Spark')".to_owned(), Some(MD5_SPARK)),
        ("sha2('Spark', 256)".to_owned(), Some(SHA256_SPARK)),
        (
            "sha2('', 0)".to_owned(),
            Some("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ),
        ("md5(X'010203040506')".to_owned(), Some("6ac1e56bc78f031059be7be854522c4c")),
        ("sha1('ABC')".to_owned(), Some("3c01bdbb26f358bab27f267924aa2c9a03fcfdb8")),
        ("sha1(NULL)".to_owned(), None),
        ("md5(NULL)".to_owned(), None),
        ("sha2(NULL, 0)".to_owned(), None),
        // a number that Spark's INT does not have is no number of bits either
        ("sha2('foo', 4294967552)".to_owned(), None),
        ("sha2('foo', arrow_cast(18446744073709551615, 'UInt64'))".to_owned(), None),
    ];
    for (bits, expected) in foo {
        cases.push((format!("sha2('foo', {bits})"), expected));
    }
    for layout in ["Utf8", "LargeUtf8", "Utf8View", "Binary", "LargeBinary", "BinaryView"] {
        for packed in [layout.to_owned(), format!("Dictionary(Int32, {layout})")] {
            let cast = |text: &str| format!("arrow_cast('{text}', '{packed}')");
            cases.push((format!("sha1({})", cast("Spark")), Some(SHA1_SPARK)));
            cases.push((format!("md5({})", cast("Spark")), Some(MD5_SPARK)));
            cases.push((format!("sha2({}, 224)", cast("foo")), Some(SHA224_FOO)));
            cases.push((format!("sha1(arrow_cast(NULL, '{packed}'))"), None));
        }
    }
    for integer in ["Int16", "Int32", "Int64", "UInt16", "UInt32", "UInt64"] {
        cases.push((format!("sha2('foo', arrow_cast(384, '{integer}'))"), Some(SHA384_FOO)));
    }
    let fixed = "arrow_cast(arrow_cast('Spark', 'Binary'), 'FixedSizeBinary(5)')";
    cases.push((format!("sha1({fixed})"), Some(SHA1_SPARK)));
    cases.push((format!("sha2({fixed}, 256)"), Some(SHA256_SPARK)));

    let [_, context] = contexts();
    for (call, expected) in cases {
        let batch = run(&context, &format!("select {call}")).await.expect(&call);
        let column = batch.column(0).as_string::<i32>();
        assert_eq!(column.iter().collect::<Vec<_>>(), [expected], "{call}");
    }

    let sql =
        "select sha2('foo', bits) from (values (0), (256), (224), (384), (512), (128)) v(bits)";
    let batch = run(&context, sql).await.unwrap();
    let found: Vec<_> = batch.column(0).as_string::<i32>().iter().collect();
    let foo = [SHA256_FOO, SHA256_FOO, SHA224_FOO, SHA384_FOO, SHA512_FOO].map(Some);
    assert_eq!(found, [&foo[..], &[None]].concat());
    let sql =
        "select sha2(x, bits) from (values ('foo', 0), ('bar', 224), ('qux', 128)) v(x, bits)";
    let batch = run(&context, sql).await.unwrap();
    let found: Vec<_> = batch.column(0).as_string::<i32>().iter().collect();
    let bar = "07daf010de7f7f0d8d76a76eb8d1eb40182c8d1e7a3877a6686c9bf0";
    assert_eq!(found, [Some(SHA256_FOO), Some(bar), None]);
}

/// Every query has the same schema and the same rows with both.
#[tokio::test]
async fn as_datafusion_spark() {
    let [theirs, ours] = contexts();
    for x in LAYOUTS {
        let mut calls: Vec<_> = ["sha1({x})", "sha({x})", "sha2({x}, bits)", "sha2('foo', bits)"]
            .map(|call| call.replace("{x}", x))
            .into();
        for bits in [
            "0",
            "224",
            "256",
            "384",
            "512",
            "100",
            "NULL",
            "bits::bigint",
            "arrow_cast(bits, 'Dictionary(Int16, Int32)')",
        ] {
            calls.push(format!("sha2({x}, {bits})"));
        }
        for call in calls {
            // layouts that only ours accept
            let plain = call
                .replace("(d", "(arrow_cast(d, 'Utf8')")
                .replace("(f", "(arrow_cast(f, 'Binary')");
            let theirs = run(&theirs, &format!("select {plain} as y from r")).await.expect(&plain);
            let ours = run(&ours, &format!("select {call} as y from r")).await.expect(&call);
            assert_eq!(theirs, ours, "{call}");
            assert_eq!(ours.num_rows(), 2905);
        }
        // DataFusion's own MD5 has views
        let plain =
            format!("select arrow_cast(md5(arrow_cast({x}, 'Binary')), 'Utf8') as y from r");
        let md5 = run(&theirs, &plain).await.unwrap();
        assert_eq!(md5, run(&ours, &format!("select md5({x}) as y from r")).await.unwrap(), "{x}");
    }
    for sql in [
        "select count(*) from r where sha2(s, 256) = sha2(sv, 0) and sha1(s) = sha1(bv)",
        "select count(distinct sha2(s, bits)) from r",
        "select sha2(s, 256) || 'x', sha2(sha1(s), 224) from r",
    ] {
        assert_eq!(run(&theirs, sql).await.unwrap(), run(&ours, sql).await.unwrap(), "{sql}");
    }
}

#[tokio::test]
async fn wrong_arguments_are_refused_by_name() {
    let [theirs, ours] = contexts();
    for (sql, reason) in [
        ("select sha1(7)", "sha1: Int64 is neither text nor bytes"),
        ("select md5(1.5)", "md5: Float64 is neither text nor bytes"),
        ("select sha2(bits, 256) from r", "sha2: Int32 is neither text nor bytes"),
        ("select sha1(interval '1 day')", "sha1: Interval"),
        ("select sha1(true)", "sha1: Boolean is neither text nor bytes"),
        ("select sha2('x', 256.0)", "sha2: Float64 is no integer"),
        ("select sha2('x', '256')", "sha2: Utf8 is no integer"),
        ("select sha2('x')", "sha2: 1 arguments"),
        ("select sha1('x', 'y')", "sha1: 2 arguments"),
    ] {
        let error = run(&ours, sql).await.expect_err(sql).to_string();
        assert!(error.contains(reason), "{sql}: {error}");
        if !sql.contains("md5") {
            run(&theirs, sql).await.expect_err(sql);
        }
    }
}

/// Whatever is registered before or after, Spark's names have Spark's functions.
#[tokio::test]
async fn any_order_of_registration() {
    type Register = fn(&mut dyn FunctionRegistry) -> datafusion::error::Result<()>;
    let before_or_after: [Register; 2] = [register_all, replace_builtin];
    for register in before_or_after {
        for first in [true, false] {
            let mut context = SessionContext::new();
            if first {
                register(&mut context).unwrap();
            }
            register_spark(&mut context).unwrap();
            if !first {
                register(&mut context).unwrap();
            }
            let batch = run(&context, "select md5('Spark'), sha('Spark')").await.unwrap();
            for (column, expected) in batch.columns().iter().zip([MD5_SPARK, SHA1_SPARK]) {
                assert_eq!(column.data_type(), &DataType::Utf8);
                assert_eq!(array_value_to_string(column, 0).unwrap(), expected);
            }
        }
    }
}
