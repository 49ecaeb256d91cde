//! Criterion's view of the table of kernels.

mod table;

use criterion::{criterion_group, criterion_main};
use jlanes_bench::sections::kernels;

fn bench(criterion: &mut criterion::Criterion) {
    table::bench(criterion, kernels::contests());
}

criterion_group!(kernel_table, bench);
criterion_main!(kernel_table);
