//! Our functions under DataFusion's names, against its own.

use datafusion_functions_jlanes::replace_builtin;

use arrow::util::display::array_value_to_string;
use datafusion::execution::registry::FunctionRegistry;

use crate::{LAYOUTS, context, run};

const NAMES: [&str; 5] = ["md5", "sha224", "sha256", "sha384", "sha512"];
const DIGESTS: [&str; 8] =
    ["md5", "sha224", "sha256", "sha384", "sha512", "blake2s", "blake2b", "blake3"];

/// Every query has the same schema and the same rows with both, or an error with both.
#[tokio::test]
async fn same_types_and_results() {
    let theirs = context();
    let mut ours = context();
    replace_builtin(&mut ours).unwrap();
    let mut queries = Vec::new();
    let layouts = ["Binary", "LargeUtf8", "Utf8View", "Dictionary(Int32, Utf8)"];
    let layouts = layouts.map(|layout| format!("arrow_cast('tom', '{layout}')"));
    let arguments = ["'tom'", "''", "NULL", "X'00ff'", "7", "1.5"];
    for x in LAYOUTS
        .into_iter()
        .chain(arguments)
        .chain(layouts.iter().map(String::as_str))
        .chain(["i", "arrow_cast(s, 'Dictionary(Int8, Utf8)')"])
    {
        let calls = NAMES.iter().map(|name| format!("{name}({x})"));
        let digests = DIGESTS.iter().map(|name| format!("digest({x}, '{name}')"));
        queries.extend(calls.chain(digests).map(|call| format!("select {call} from t order by i")));
    }
    queries.extend(
        [
            "select digest('tom', 'sha1')",
            "select digest('tom', NULL)",
            "select digest('tom', s) from t",
            "select sha256('a', 'b')",
            "select sha256()",
            "select count(*) from t where sha256(s) = sha256(sv)",
            "select count(distinct md5(s)) from t",
            "select md5(s) || 'x' from t order by i",
        ]
        .map(String::from),
    );
    let mut answered = 0;
    for sql in &queries {
        match (run(&theirs, sql).await, run(&ours, sql).await) {
            (Ok(theirs), Ok(ours)) => {
                assert_eq!(theirs, ours, "{sql}");
                answered += 1;
            }
            (Err(_), Err(_)) => {}
            (theirs, ours) => panic!("{sql}: {theirs:?}, and with ours {ours:?}"),
        }
    }
    assert!(answered > queries.len() / 2, "{answered} of {} queries have results", queries.len());
}

#[tokio::test]
async fn ours_is_called() {
    let mut context = context();
    let before = format!("{:?}", context.udf("sha256").unwrap().inner());
    replace_builtin(&mut context).unwrap();
    let after = format!("{:?}", context.udf("sha256").unwrap().inner());
    assert!(!before.contains("Replacement") && after.contains("Replacement"), "{after}");
}

/// The examples in DataFusion's documentation of its hashing functions, and similar calls.
#[tokio::test]
async fn documented_results() {
    let results = [
        ("md5", "acbd18db4cc2f85cedef654fccc4a4d8"),
        ("sha224", "0808f64e60d58979fcb676c96ec938270dea42445aeefcd3a4e6f8db"),
        ("sha256", "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"),
        (
            "sha384",
            "98c11ffdfdd540676b1a137cb1a22b2a70350c9a44171d6b1180c6be5cbb2ee3\
             f79d532c8a1dd9ef2e8e08e752a3babb",
        ),
        (
            "sha512",
            "f7fbba6e0636f890e56fbbf3283e524c6fa3204ae298382d624741d0dc663832\
             6e282c41be5e4254d8820772c5518a2c5a8c0c7f7eda19594a7eb539453e1ed7",
        ),
        ("blake2s", "08d6cad88075de8f192db097573d0e829411cd91eb6ec65e8fc16c017edfdb74"),
        (
            "blake2b",
            "ca002330e69d3e6b84a46a56a6533fd79d51d97a3bb7cad6c2ff43b354185d6d\
             c1e723fb3db4ae0737e120378424c714bb982d9dc5bbd7a0ab318240ddd18f8d",
        ),
        ("blake3", "04e0bb39f30b1a3feb89f536c93be15055482df748674b00d26e5a75777702e9"),
    ];
    let mut context = context();
    replace_builtin(&mut context).unwrap();
    for (name, hex) in results {
        let mut calls = vec![
            (format!("digest('foo', '{name}')"), hex),
            (format!("digest(cast('foo' as bytea), '{name}')"), hex),
            (format!("digest(null, '{name}')"), ""),
        ];
        if NAMES.contains(&name) {
            calls.push((format!("{name}('foo')"), hex));
            calls.push((format!("{name}(cast('foo' as bytea))"), hex));
            calls.push((format!("{name}(null)"), ""));
        }
        for (call, expected) in calls {
            let batch = run(&context, &format!("select {call}")).await.unwrap();
            // bytes are shown in hexadecimal
            assert_eq!(array_value_to_string(batch.column(0), 0).unwrap(), expected, "{call}");
        }
    }
}
