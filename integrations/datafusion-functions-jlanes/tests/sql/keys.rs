//! Keys by name. They come from the environment, so the queries run in another process.

use std::{env, fs, process::Command};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{ROWS, bytes, run, value, with_functions};

/// The variable that makes `queries` run.
const INNER: &str = "JLANES_TEST_KEYS";

const SECRET: [u8; 20] = *b"\x0bmost secret of keys";

#[test]
fn from_the_environment() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("in-file"), SECRET).unwrap();
    fs::write(directory.path().join("empty"), "").unwrap();
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "keys::queries", "--nocapture"])
        .env(INNER, "1")
        .env("JLANES_KEYS", directory.path())
        .env("JLANES_KEY_IN_VARIABLE", hex::encode(SECRET))
        .env("JLANES_KEY_BAD", "this is no hexadecimal")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("all queries ran"), "{text}");
}

#[tokio::test]
async fn queries() {
    if env::var_os(INNER).is_none() {
        return; // `from_the_environment` calls this again
    }
    let context = with_functions();
    for name in ["in-file", "in-variable"] {
        let sql = format!(
            "select hmac(s, '{name}', 'sha256') as tag, hmac_hex(d, '{name}', 'sha256'), \
             verify_hmac(s, hmac(s, '{name}', 'sha256'), '{name}', 'sha256') as good from t order by i"
        );
        let batch = run(&context, &sql).await.unwrap();
        let tag = |message: Vec<u8>| {
            let mut mac = Hmac::<Sha256>::new_from_slice(&SECRET).unwrap();
            mac.update(&message);
            mac.finalize().into_bytes().to_vec()
        };
        for i in 0..ROWS {
            assert_eq!(bytes(batch.column(0), i), value("s", i).map(tag), "{name} {i}");
            let hex = value("d", i).map(|message| hex::encode(tag(message)).into_bytes());
            assert_eq!(bytes(batch.column(1), i), hex, "{name} {i}");
        }
        let wrong = format!("select i from ({sql}) where not good");
        assert!(run(&context, &wrong).await.is_err(), "i is no column of the query");
        let wrong = format!("select 1 from ({sql}) where good is not null and not good");
        assert_eq!(run(&context, &wrong).await.unwrap().num_rows(), 0);

        // the key is in no plan
        let explained = run(&context, &format!("explain verbose {sql}")).await.unwrap();
        let plan = arrow::util::pretty::pretty_format_batches(&[explained]).unwrap().to_string();
        assert!(plan.contains(name), "{plan}");
        assert!(!plan.contains("secret") && !plan.contains(&hex::encode(SECRET)), "{plan}");
    }
    for (name, reason) in [
        ("missing", "no key"),
        ("empty", "no bytes"),
        ("bad", "not hexadecimal"),
        ("../in-file", "no name of a key"),
        ("", "no name of a key"),
    ] {
        let sql = format!("select hmac(s, '{name}', 'sha256') from t");
        let error = run(&context, &sql).await.expect_err(name).to_string();
        assert!(error.contains(reason), "{name}: {error}");
        assert!(!error.contains("this is"), "{error}");
    }
    println!("all queries ran");
}
