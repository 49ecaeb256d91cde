//! Our functions by DataFusion's names against its own.

use datafusion_functions_jlanes::replace_builtin;

use datafusion::execution::registry::FunctionRegistry;

use crate::{LAYOUTS, context, run};

const NAMES: [&str; 5] = ["md5", "sha224", "sha256", "sha384", "sha512"];
const DIGESTS: [&str; 8] =
    ["md5", "sha224", "sha256", "sha384", "sha512", "blake2s", "blake2b", "blake3"];

/// Every query has the same schema, the same rows, or an error with both.
#[tokio::test]
async fn same_types_and_results() {
    let theirs = context();
    let mut ours = context();
    replace_builtin(&mut ours).unwrap();
    let mut queries = Vec::new();
    let arguments =
        ["'tom'", "''", "NULL", "arrow_cast('tom', 'LargeUtf8')", "X'00ff'", "7", "1.5"];
    for x in
        LAYOUTS.into_iter().chain(arguments).chain(["i", "arrow_cast(s, 'Dictionary(Int8, Utf8)')"])
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
