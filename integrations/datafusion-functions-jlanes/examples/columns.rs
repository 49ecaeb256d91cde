//! Times queries with our functions and with DataFusion's own, or, if DataFusion has none, with a
//! function that hashes row by row.
//!
//! ```sh
//! JLANES_KEY_BENCH=6b6579 cargo run --release --example columns -- 10000000 16 32 100
//! JLANES_KEY_BENCH=6b6579 cargo run --release --example columns -- 1000000 4096 16-200
//! ```
//!
//! The table has rows of text of one length, or of lengths in a range, in memory and in one partition,
//! and a column `bits` for Spark's `sha2`. Each query is `select max(f(x)) from t`, and the minimum of
//! five runs in turns is printed, with and without the time of `max(x)`. With `--explain` before the
//! number, EXPLAIN ANALYZE follows.

use std::{env, error::Error, ops::RangeInclusive, sync::Arc, time::Instant};

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, BinaryArray, Int32Array, RecordBatch, StringArray},
        datatypes::{DataType, Field, Schema},
    },
    datasource::MemTable,
    logical_expr::{ColumnarValue, Volatility, create_udf},
    prelude::{SessionConfig, SessionContext},
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Sha256, Sha512};

/// The number of rows in a batch: DataFusion's default.
const BATCH: usize = 8192;

const TIMES: usize = 5;

/// Numbers of bits, of which `sha2` has each in a quarter of rows.
const BITS: [i32; 4] = [224, 256, 384, 512];

/// Pairs of calls with the same result: first without our functions, then with them.
const PAIRS: [[&str; 2]; 8] = [
    ["sha256(x)", "jl_sha256(x)"],
    ["sha512(x)", "jl_sha512(x)"],
    ["md5(x)", "md5(x)"],
    ["sha1(x)", "sha1(x)"],
    ["sha2(x, 256)", "sha2(x, 256)"],
    ["sha2(x, bits)", "sha2(x, bits)"],
    ["row_hmac_sha256(x)", "jl_hmac(x, 'bench', 'sha256')"],
    ["row_hmac_sha512(x)", "jl_hmac(x, 'bench', 'sha512')"],
];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1).peekable();
    let explain = args.next_if_eq("--explain").is_some();
    let rows: usize = args.next().ok_or("how many rows, and how long?")?.parse()?;
    let key =
        env::var("JLANES_KEY_BENCH").map_err(|_| "JLANES_KEY_BENCH: any key in hexadecimal")?;
    let key = hex::decode(key)?;
    println!("{rows} rows of text; seconds of a query, and ns a row beyond max(x)");
    println!("bytes  | theirs or row by row     | ours                          | ratio");
    for length in args {
        let (least, most) = length.split_once('-').unwrap_or((&length, &length));
        let table = Arc::new(table(rows, least.parse()?..=most.parse()?)?);
        let [mut theirs, mut ours] = [(); 2].map(|()| {
            let config = SessionConfig::new().with_target_partitions(1).with_batch_size(BATCH);
            SessionContext::new_with_config(config)
        });
        datafusion_spark::register_all(&mut theirs)?;
        row_by_row(&theirs, &key);
        datafusion_functions_jlanes::register_all(&mut ours)?;
        datafusion_functions_jlanes::register_spark(&mut ours)?;
        let contexts = [theirs, ours];
        for context in &contexts {
            context.register_table("t", table.clone())?;
        }
        let [base, _] = time(&contexts, ["x", "x"]).await?;
        for pair in PAIRS {
            let [a, b] = time(&contexts, pair).await?;
            let row = |seconds: f64| (seconds - base) * 1e9 / rows as f64;
            println!(
                "{length:6} | {:24} {a:6.2} {:6.1} | {:29} {b:6.2} {:6.1} | {:5.2}",
                pair[0],
                row(a),
                pair[1],
                row(b),
                a / b
            );
            if explain {
                for (context, call) in contexts.iter().zip(pair) {
                    let query = format!("explain analyze select max({call}) from t");
                    context.sql(&query).await?.show().await?;
                }
            }
        }
    }
    Ok(())
}

/// The minimum times of two queries, which run in turns and must have the same result.
async fn time(
    contexts: &[SessionContext; 2],
    calls: [&str; 2],
) -> Result<[f64; 2], Box<dyn Error>> {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..TIMES {
        let mut results = Vec::new();
        for ((context, call), least) in contexts.iter().zip(calls).zip(&mut least) {
            let query = format!("select max({call}) from t");
            let begin = Instant::now();
            let batches = context.sql(&query).await?.collect().await?;
            *least = least.min(begin.elapsed().as_secs_f64());
            results.push(result(batches.first().ok_or("no rows")?.column(0)));
        }
        if results[0] != results[1] {
            return Err(format!("{calls:?}: {results:?}").into());
        }
    }
    Ok(least)
}

/// The text of a result; texts of different types count as equal.
fn result(column: &ArrayRef) -> String {
    match column.data_type() {
        DataType::Binary => hex::encode(column.as_binary::<i32>().value(0)),
        DataType::Utf8View => column.as_string_view().value(0).to_owned(),
        _ => column.as_string::<i32>().value(0).to_owned(),
    }
}

fn table(rows: usize, lengths: RangeInclusive<usize>) -> Result<MemTable, Box<dyn Error>> {
    let schema = Arc::new(Schema::new(vec![
        Field::new("x", DataType::Utf8, false),
        Field::new("bits", DataType::Int32, false),
    ]));
    let mut state = 1_u64;
    let mut random = || {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let span = lengths.end() - lengths.start() + 1;
    let mut batch = |rows: usize| {
        let (mut values, mut bits) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        for _ in 0..rows {
            let length = lengths.start() + random() as usize % span;
            let mut text = String::with_capacity(length + 16);
            while text.len() < length {
                text.push_str(&format!("{:016x}", random()));
            }
            text.truncate(length);
            values.push(text);
            bits.push(BITS[random() as usize % BITS.len()]);
        }
        let columns: Vec<ArrayRef> =
            vec![Arc::new(StringArray::from(values)), Arc::new(Int32Array::from(bits))];
        RecordBatch::try_new(schema.clone(), columns)
    };
    let sizes = (0..rows).step_by(BATCH).map(|done| BATCH.min(rows - done));
    let batches = sizes.map(&mut batch).collect::<Result<Vec<_>, _>>()?;
    Ok(MemTable::try_new(schema.clone(), vec![batches])?)
}

/// The code that users write today.
fn row_by_row(context: &SessionContext, key: &[u8]) {
    fn tags<M: Mac + KeyInit + Clone>(key: &[u8], column: &dyn Array) -> BinaryArray {
        let mac = <M as KeyInit>::new_from_slice(key).expect("HMAC has keys of any length");
        let tag = |text: &str| {
            let mut mac = mac.clone();
            mac.update(text.as_bytes());
            mac.finalize().into_bytes()
        };
        column.as_string::<i32>().iter().map(|text| text.map(tag)).collect()
    }
    type Tags = fn(&[u8], &dyn Array) -> BinaryArray;
    let tags: [(&str, Tags); 2] =
        [("row_hmac_sha256", tags::<Hmac<Sha256>>), ("row_hmac_sha512", tags::<Hmac<Sha512>>)];
    for (name, tags) in tags {
        let key = key.to_vec();
        let function = move |args: &[ColumnarValue]| {
            let column = ColumnarValue::values_to_arrays(args)?.remove(0);
            Ok(ColumnarValue::Array(Arc::new(tags(&key, &column)) as ArrayRef))
        };
        context.register_udf(create_udf(
            name,
            vec![DataType::Utf8],
            DataType::Binary,
            Volatility::Immutable,
            Arc::new(function),
        ));
    }
}
