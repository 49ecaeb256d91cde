//! Criterion's view of the table of batches.

mod table;

use criterion::{criterion_group, criterion_main};
use jlanes_bench::sections::batches;

fn bench(criterion: &mut criterion::Criterion) {
    table::bench(criterion, batches::contests());
}

criterion_group!(batch_table, bench);
criterion_main!(batch_table);
