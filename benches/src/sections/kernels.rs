//! Kernels in cache, one backend at a time, beside the peers' single streams.

use jlanes::{Backend, Sha256, Sha512, digest::consts::U64, multi::MultiDigest, skein::Skein512};
use jlanes_core::{engine::Engine, hash::HashFunction};

use crate::{
    contest::Contest,
    method::{forced, many, one_by_one, tape},
    peers::{Function, libraries, peer},
    workload::{KIB, MIB, Workload},
};

/// Bytes of a message in cache.
const MESSAGE: usize = 64 * KIB;

/// The lines of the table.
#[must_use]
pub fn contests() -> Vec<Contest> {
    [sha256_lanes(), sha256_streams(), sha512(), skein512()].into_iter().flatten().collect()
}

fn sha256_lanes() -> Vec<Contest> {
    let lanes = |backend, count| lanes::<Sha256>("SHA-256", backend, count);
    let sha2 = || one_by_one::<sha2::Sha256>("sha2");
    let portable = || forced::<Sha256>("portable");
    vec![
        lanes("avx512", 16)
            .limited_to(0.832)
            .against(sha2(), 2.35)
            .against_all([tape(), peer("stringzilla", Function::Sha256)], 1.0)
            .beside(["BLAKE3", "KT128"].map(|name| peer(name, Function::Own))),
        lanes("avx512vl", 8).against(sha2(), 1.7),
        lanes("avx2", 8).against(portable(), 5.0),
        lanes("avx", 4).against(portable(), 2.5),
        lanes("sse41", 4).against(portable(), 2.5),
        lanes("shani", 2).against(sha2(), 1.25),
        // One stream without SHA-NI: schedules of several blocks at once ([SMS]).
        lanes("sse41", 1).against(portable(), 1.3),
        lanes("avx", 1).against(portable(), 1.3),
        lanes("avx2", 1).against(portable(), 1.3),
        lanes("avx512vl", 1).against(portable(), 1.3),
    ]
}

fn sha256_streams() -> Vec<Contest> {
    let one =
        |name, bytes| Contest::new(name, Workload::equal(1, bytes), one_by_one::<Sha256>("jlanes"));
    let sha2 = || one_by_one::<sha2::Sha256>("sha2");
    let nodes = Workload::equal(1024, 64);
    vec![
        one("SHA-256, in cache", MESSAGE).against(sha2(), 1.0).beside(libraries(Function::Sha256)),
        one("SHA-256, beyond L2", 64 * MIB)
            .against(sha2(), 1.35)
            .against_all(libraries(Function::Sha256), 1.35),
        Contest::new("SHA-256, messages of one block", nodes, many::<Sha256>())
            .against(sha2(), 3.4)
            .beside([tape(), peer("hashtree-rs", Function::Node)]),
    ]
}

fn sha512() -> Vec<Contest> {
    let lanes = |backend, count| lanes::<Sha512>("SHA-512", backend, count);
    let sha2 = || one_by_one::<sha2::Sha512>("sha2");
    let one = one_by_one::<Sha512>("jlanes");
    vec![
        lanes("avx512", 8).limited_to(1.043).against(sha2(), 5.0),
        lanes("avx512vl", 4).beside([sha2()]),
        lanes("avx2", 4).against(sha2(), 1.9),
        lanes("avx2", 1).against(sha2(), 1.15),
        lanes("avx512vl", 1).against(sha2(), 1.15),
        Contest::new("SHA-512, in cache", Workload::equal(1, MESSAGE), one)
            .against(sha2(), 1.15)
            .beside(libraries(Function::Sha512)),
    ]
}

fn skein512() -> Vec<Contest> {
    let lanes = |backend, count| lanes::<Skein512>("Skein-512", backend, count);
    let skein = || one_by_one::<skein::Skein512<U64>>("skein");
    let one = one_by_one::<Skein512>("jlanes");
    vec![
        Contest::new("Skein-512, in cache", Workload::equal(1, MESSAGE), one).against(skein(), 1.6),
        lanes("avx512", 8).limited_to(1.077).against(skein(), 10.0),
        lanes("avx2", 4).against(skein(), 5.0),
    ]
}

/// As many messages as one backend has lanes, or takes streams.
fn lanes<H>(hash: &str, backend: &'static str, count: usize) -> Contest
where
    H: MultiDigest,
    Backend: Engine<<H::Function as HashFunction>::Compression>,
{
    let name = format!("{hash} on {backend}");
    Contest::new(name, Workload::equal(count, MESSAGE), forced::<H>(backend))
}
