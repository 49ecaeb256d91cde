//! The report's contests as criterion groups: one group a line, one function a method.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use jlanes_bench::contest::{Contest, Line};

/// Runs every method of every contest that can be run here.
pub(crate) fn bench(criterion: &mut Criterion, contests: Vec<Contest>) {
    for contest in contests {
        let messages = contest.workload.messages();
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut group = criterion.benchmark_group(contest.title());
        group.throughput(Throughput::Bytes(contest.workload.bytes()));
        for method in contest.methods() {
            let Ok(prepare) = &method.prepare else { continue };
            let mut run = prepare(&messages);
            let mut digests = vec![0; messages.len() * method.digest_bytes];
            let id = BenchmarkId::from_parameter(&method.name);
            group.bench_function(id, |bencher| bencher.iter(|| run(black_box(&mut digests))));
        }
        group.finish();
    }
}
