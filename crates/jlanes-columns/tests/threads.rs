//! Columns start threads for work that wants them, and where none can start the caller's does it all.
//!
//! Every test is a process of its own: rayon's global pool is there once or never.
#![cfg(all(feature = "rayon", target_os = "linux", target_pointer_width = "64"))]

use std::{env, fs, process::Command};

use jlanes::Algorithm;
use jlanes_columns::{Column, Encoding, Kernel};

/// Runs `body` in a process that executes this test alone.
fn alone(test: &str, stack: Option<&str>, body: fn()) {
    const CHILD: &str = "JLANES_TEST_ALONE";
    if env::var_os(CHILD).is_some() {
        return body();
    }
    let mut child = Command::new(env::current_exe().expect("a test has a path"));
    child.args([test, "--exact", "--test-threads=1"]).env(CHILD, "1");
    child.env("RAYON_NUM_THREADS", "3").envs(stack.map(|stack| ("RUST_MIN_STACK", stack)));
    let out = child.output().expect("this program runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
}

fn threads() -> usize {
    fs::read_dir("/proc/self/task").expect("Linux").count()
}

/// Hashes `rows` rows of `len` bytes on all threads, watched and not, and compares with one thread.
fn hash(rows: usize, len: usize) {
    let bytes = vec![7; rows * len];
    let offsets: Vec<i32> = (0..=rows).map(|i| i32::try_from(i * len).expect("few")).collect();
    let column = Column::binary(&offsets, &bytes).expect("a column");
    let one = Kernel::new(Algorithm::SHA256).expect("a digest");
    let all = one.clone().parallel();
    for kernel in [all.clone(), all.watched(|| true)] {
        let (wide, serial) =
            (kernel.digest(&column, Encoding::Binary), one.digest(&column, Encoding::Binary));
        assert_eq!(wide, serial, "{rows} rows of {len} bytes");
    }
}

#[test]
fn small_columns_start_no_thread() {
    alone("small_columns_start_no_thread", None, || {
        let before = threads();
        for (rows, len) in [(0, 0), (1, 32), (8, 100), (1000, 40), (1, 1 << 20)] {
            hash(rows, len);
            assert_eq!(threads(), before, "{rows} rows of {len} bytes");
        }
        hash(60_000, 32);
        assert_eq!(threads(), before + 3, "many rows");
    });
}

/// No address space has a stack of 2^50 bytes.
#[test]
fn without_threads_the_callers_does_the_work() {
    let stack = (1u64 << 50).to_string();
    alone("without_threads_the_callers_does_the_work", Some(&stack), || {
        assert!(std::thread::Builder::new().spawn(|| {}).is_err());
        for (rows, len) in [(8, 32), (60_000, 32), (20, 200_000)] {
            hash(rows, len);
        }
    });
}
