//! Columns start threads for work that wants them, and where none can start the caller's does it all.
#![cfg(all(feature = "rayon", target_os = "linux", target_pointer_width = "64"))]

use jlanes::Algorithm;
use jlanes_columns::{Column, ColumnHasher, Encoding};
use jlanes_testing::{THREADS, alone, threads, without_threads};

/// Hashes `rows` rows of `len` bytes on all threads, watched and not, and compares with one thread.
fn hash(rows: usize, len: usize) {
    let bytes = vec![7; rows * len];
    let offsets: Vec<i32> = (0..=rows).map(|i| i32::try_from(i * len).expect("few")).collect();
    let column = Column::binary(&offsets, &bytes).expect("a column");
    let one = ColumnHasher::new(Algorithm::SHA256).expect("a digest");
    let all = one.clone().parallel();
    for hasher in [all.clone(), all.watched(|| true)] {
        let (wide, serial) =
            (hasher.digest(&column, Encoding::Binary), one.digest(&column, Encoding::Binary));
        assert_eq!(wide, serial, "{rows} rows of {len} bytes");
    }
}

#[test]
fn small_columns_start_no_thread() {
    alone("small_columns_start_no_thread", || {
        let before = threads();
        for (rows, len) in [(0, 0), (1, 32), (8, 100), (1000, 40), (1, 1 << 20)] {
            hash(rows, len);
            assert_eq!(threads(), before, "{rows} rows of {len} bytes");
        }
        hash(60_000, 32);
        assert_eq!(threads(), before + THREADS, "many rows");
    });
}

#[test]
fn without_threads_the_callers_does_the_work() {
    without_threads("without_threads_the_callers_does_the_work", || {
        for (rows, len) in [(8, 32), (60_000, 32), (20, 200_000)] {
            hash(rows, len);
        }
    });
}
