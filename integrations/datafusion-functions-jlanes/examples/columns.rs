//! Times queries with our functions and with DataFusion's own, or, if DataFusion has none, with a
//! function that hashes row by row.
//!
//! ```sh
//! JLANES_KEY_BENCH=6b6579 cargo run --release --example columns -- 10000000 16 32 100
//! JLANES_KEY_BENCH=6b6579 cargo run --release --example columns -- 1000000 4096
//! ```
//!
//! The table has rows of text of one length, in memory and in one partition. Each query is `select
//! max(f(x)) from t`, and the minimum of five runs is printed, with and without the time of
//! `max(x)`. With `--explain` before the number, EXPLAIN ANALYZE follows.

use std::{env, error::Error, sync::Arc, time::Instant};

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, BinaryArray, RecordBatch, StringArray},
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

/// Pairs of calls with the same result: first without our functions, then with them.
const PAIRS: [[&str; 2]; 5] = [
    ["sha256(x)", "jl_sha256(x)"],
    ["sha512(x)", "jl_sha512(x)"],
    ["md5(x)", "jl_md5_hex(x)"],
    ["row_hmac_sha256(x)", "jl_hmac(x, 'bench', 'sha256')"],
    ["row_hmac_sha512(x)", "jl_hmac(x, 'bench', 'sha512')"],
];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1).peekable();
    let explain = args.next_if_eq("--explain").is_some();
    let numbers: Vec<usize> = args.map(|arg| arg.parse()).collect::<Result<_, _>>()?;
    let [rows, lengths @ ..] = &numbers[..] else {
        return Err("how many rows, and how long?".into());
    };
    let key =
        env::var("JLANES_KEY_BENCH").map_err(|_| "JLANES_KEY_BENCH: any key in hexadecimal")?;
    let key = hex::decode(key)?;
    println!("{rows} rows of text; seconds of a query, and ns a row beyond max(x)");
    println!("bytes  | theirs or row by row     | ours                          | ratio");
    for length in lengths {
        let mut context = SessionContext::new_with_config(
            SessionConfig::new().with_target_partitions(1).with_batch_size(BATCH),
        );
        datafusion_functions_jlanes::register_all(&mut context)?;
        row_by_row(&context, &key);
        context.register_table("t", Arc::new(table(*rows, *length)?))?;
        let (base, _) = time(&context, "x").await?;
        for pair in PAIRS {
            let [theirs, ours] = [time(&context, pair[0]).await?, time(&context, pair[1]).await?];
            if theirs.1 != ours.1 {
                return Err(format!("{pair:?}: {} and {}", theirs.1, ours.1).into());
            }
            let row = |seconds: f64| (seconds - base) * 1e9 / *rows as f64;
            let [a, b] = [theirs.0, ours.0];
            println!(
                "{length:6} | {:24} {a:6.2} {:6.1} | {:29} {b:6.2} {:6.1} | {:5.2}",
                pair[0],
                row(a),
                pair[1],
                row(b),
                a / b
            );
            if explain {
                for call in pair {
                    let query = format!("explain analyze select max({call}) from t");
                    context.sql(&query).await?.show().await?;
                }
            }
        }
    }
    Ok(())
}

/// The minimum time of a query, and its result.
async fn time(context: &SessionContext, call: &str) -> Result<(f64, String), Box<dyn Error>> {
    let query = format!("select max({call}) from t");
    let (mut least, mut result) = (f64::INFINITY, String::new());
    for _ in 0..TIMES {
        let begin = Instant::now();
        let batches = context.sql(&query).await?.collect().await?;
        least = least.min(begin.elapsed().as_secs_f64());
        let column = batches.first().ok_or("no rows")?.column(0);
        // texts of different types count as equal
        result = match column.data_type() {
            DataType::Binary => hex::encode(column.as_binary::<i32>().value(0)),
            DataType::Utf8View => column.as_string_view().value(0).to_owned(),
            _ => column.as_string::<i32>().value(0).to_owned(),
        };
    }
    Ok((least, result))
}

fn table(rows: usize, length: usize) -> Result<MemTable, Box<dyn Error>> {
    let schema = Arc::new(Schema::new(vec![Field::new("x", DataType::Utf8, false)]));
    let mut state = 1_u64;
    let mut text = String::with_capacity(length);
    let mut batch = |rows: usize| {
        let values = (0..rows).map(|_| {
            text.clear();
            while text.len() < length {
                // xorshift64
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let digits = format!("{state:016x}");
                text.push_str(&digits[..digits.len().min(length - text.len())]);
            }
            text.clone()
        });
        let column: ArrayRef = Arc::new(StringArray::from_iter_values(values));
        RecordBatch::try_new(schema.clone(), vec![column])
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
