//! Batches of SHA-256 messages, beside sha2 message after message and beside tape-sha256.

use jlanes::Sha256;

use crate::{
    contest::Contest,
    method::{many, one_by_one, tape},
    peers::{Function, peer},
    workload::{KIB, Workload},
};

/// The lines of the table, each with the ratio to sha2 that is meant to be reached.
#[must_use]
pub fn contests() -> Vec<Contest> {
    let equal = [
        (64, 64, 3.0),
        (1024, 64, 3.0),
        (64, KIB, 2.1),
        (16, 4 * KIB, 2.25),
        (64, 4 * KIB, 2.25),
        (16, 64 * KIB, 2.3),
        (5, 4 * KIB, 1.2),
        (8, 4 * KIB, 1.6),
        (12, 4 * KIB, 1.65),
        (20, 4 * KIB, 1.9),
    ]
    .map(|(count, length, target)| (Workload::equal(count, length), target));
    let unequal = [
        (Workload::log_normal(256, 8 * KIB), 2.1),
        (Workload::with_straggler(15, KIB, 100 * KIB), 1.05),
        (Workload::with_straggler(255, KIB, 100 * KIB), 1.6),
    ];
    let single = [0, 64, KIB, 4 * KIB, 64 * KIB].map(|length| (Workload::equal(1, length), 0.97));

    equal.into_iter().chain(unequal).chain(single).map(|(w, target)| contest(w, target)).collect()
}

fn contest(workload: Workload, target: f64) -> Contest {
    Contest::new("SHA-256 batch", workload, many::<Sha256>())
        .against(one_by_one::<sha2::Sha256>("sha2"), target)
        .against(tape(), 1.0)
        .beside([peer("stringzilla", Function::Sha256)])
}
