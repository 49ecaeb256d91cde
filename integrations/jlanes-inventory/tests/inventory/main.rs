//! The program, over files and over a real S3 server, s3s-fs, which builds within the test.

#![allow(clippy::unwrap_used)] // helpers of tests are tests, too

#[cfg(feature = "cluster")]
mod cluster;
mod files;
mod hostile;
mod log;
mod s3;
mod server;
#[cfg(feature = "sql")]
mod sql;

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, SystemTime},
};

use arrow::{
    array::{Array, AsArray},
    datatypes::UInt64Type,
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::TempDir;

/// The program with its arguments.
pub(crate) fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jlanes-inventory"));
    command.args(args);
    command
}

/// Runs the program and checks its exit status.
pub(crate) fn run(args: &[&str], status: i32) -> Output {
    check(program(args), status)
}

pub(crate) fn check(mut command: Command, status: i32) -> Output {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{command:?}: {text}");
    output
}

/// The size of an object in a manifest, and its digest or error under one algorithm.
pub(crate) type Entry = (Option<u64>, Result<Vec<u8>, String>);

/// The rows of a manifest by URL and algorithm. Checks that each is there once.
pub(crate) fn rows(directory: &Path) -> BTreeMap<(String, String), Entry> {
    let mut rows = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "parquet") {
            continue;
        }
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let text = |name: &str| batch.column_by_name(name).unwrap().as_string::<i32>().clone();
            let (urls, algorithms, errors) = (text("url"), text("algorithm"), text("error"));
            let sizes = batch.column_by_name("size").unwrap().as_primitive::<UInt64Type>();
            let digests = batch.column_by_name("digest").unwrap().as_binary::<i32>();
            for i in 0..batch.num_rows() {
                let key = (urls.value(i).to_owned(), algorithms.value(i).to_owned());
                let digest = match errors.is_valid(i) {
                    true => Err(errors.value(i).to_owned()),
                    false => Ok(digests.value(i).to_vec()),
                };
                let size = sizes.is_valid(i).then(|| sizes.value(i));
                let before = rows.insert(key.clone(), (size, digest));
                assert!(before.is_none(), "{key:?} is there twice");
            }
        }
    }
    rows
}

/// A directory for a test, with paths for objects and for a manifest.
pub(crate) fn scratch() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let [root, out] = ["root", "out"].map(|name| folder.path().join(name));
    (folder, root, out)
}

/// Gives a file a time of change that is long over.
pub(crate) fn age(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
}

/// Bytes that differ from one object to the next.
pub(crate) fn content(seed: usize, size: usize) -> Vec<u8> {
    (0..size).map(|i| (i * 31 + seed * 7 + (i >> 8)) as u8).collect()
}

/// A CRC with reflected input and result, bit by bit. It starts with all ones, and is inverted at the
/// end.
pub(crate) fn crc(polynomial: u64, width: u32, data: &[u8]) -> Vec<u8> {
    let ones = u64::MAX >> (64 - width);
    let reflected = polynomial.reverse_bits() >> (64 - width);
    let mut sum = ones;
    for byte in data {
        sum ^= u64::from(*byte);
        for _ in 0..8 {
            sum = sum >> 1 ^ if sum & 1 == 1 { reflected } else { 0 };
        }
    }
    (sum ^ ones).to_be_bytes()[8 - width as usize / 8..].to_vec()
}

/// S3's checksums: names, polynomials, and numbers of bits.
pub(crate) const CRCS: [(&str, u64, u32); 3] = [
    ("crc32", 0x04c1_1db7, 32),
    ("crc32c", 0x1edc_6f41, 32),
    ("crc64nvme", 0xad93_d235_94c9_3659, 64),
];

#[test]
fn the_reference_has_the_catalogue_s_check_values() {
    let sums = ["cbf43926", "e3069283", "ae8b14860a799888"];
    for ((_, polynomial, width), sum) in CRCS.into_iter().zip(sums) {
        assert_eq!(hex::encode(crc(polynomial, width, b"123456789")), sum);
    }
}
