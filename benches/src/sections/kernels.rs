//! Kernels in cache, one backend at a time, compared with the peers' single streams.

use digest::Digest;
use jlanes::{
    Backend, Sha1, Sha256, Sha512, digest::consts::U64, multi::MultiDigest, skein::Skein512,
};
use jlanes_core::{hash::HashFunction, kernel::HasKernels};

use crate::{
    contest::Contest,
    cpu::{PortModel, target},
    method::{Method, forced, linear_on, one_by_one, tape},
    peers::{Function, libraries, peer},
    workload::{KIB, MIB, Workload},
};

/// Bytes of a message in cache.
const MESSAGE_BYTES: usize = 64 * KIB;

pub(crate) fn contests() -> Vec<Contest> {
    let hashes = [sha256_lanes(), sha256_streams(), sha1(), sha512(), skein512()];
    hashes.into_iter().flatten().collect()
}

fn sha256_lanes() -> Vec<Contest> {
    let lanes = |backend, count| lanes::<Sha256>("SHA-256", backend, count);
    let sha2 = || one_by_one::<sha2::Sha256>("sha2");
    let portable = || forced::<Sha256>("portable");
    let one_stream = ["sse41", "avx", "avx2", "avx512vl"];
    let mut contests = vec![
        lanes("avx512", 16)
            .limited_to(PortModel::SHA256_BUFFERS)
            .against(sha2(), target(2.35, 2.0, 3.6))
            .against(tape(), target(1.05, 1.0, 1.15))
            .against(peer("stringzilla", Function::Sha256), 1.0)
            .beside(["BLAKE3", "KT128"].map(|name| peer(name, Function::Own))),
        lanes("avx512vl", 8).against(sha2(), target(1.7, 1.7, 1.5)),
        lanes("avx2", 8).against(portable(), 5.0),
        lanes("sse41", 4).against(portable(), 2.5),
        lanes("shani", 2).against(sha2(), 1.25),
    ];
    // One stream without SHA-NI: schedules in vectors.
    contests.extend(one_stream.map(|backend| {
        schedules::<Sha256>("SHA-256", backend).against(linear_on::<Sha256>("portable"), 1.3)
    }));
    contests
}

fn sha256_streams() -> Vec<Contest> {
    let sha2 = || one_by_one::<sha2::Sha256>("sha2");
    vec![
        one::<Sha256>("SHA-256, in cache", MESSAGE_BYTES)
            .against(sha2(), 1.0)
            .beside(libraries(Function::Sha256)),
        one::<Sha256>("SHA-256, beyond L2", 64 * MIB)
            .against(sha2(), 1.35)
            .against_all(libraries(Function::Sha256), 1.35),
    ]
}

fn sha1() -> Vec<Contest> {
    let lanes = |backend, count| lanes::<Sha1>("SHA-1", backend, count);
    let sha1 = || one_by_one::<sha1::Sha1>("sha1");
    let portable = || forced::<Sha1>("portable");
    vec![
        lanes("avx512", 16).against(sha1(), 3.8),
        lanes("avx512vl", 8).beside([sha1()]),
        lanes("avx2", 8).beside([portable(), sha1()]),
        lanes("sse41", 4).beside([portable(), sha1()]),
        lanes("shani", 2).beside([sha1()]),
        one::<Sha1>("SHA-1, in cache", MESSAGE_BYTES)
            .against(sha1(), 1.0)
            .beside(libraries(Function::Sha1)),
    ]
}

fn sha512() -> Vec<Contest> {
    let lanes = |backend, count| lanes::<Sha512>("SHA-512", backend, count);
    let sha2 = || one_by_one::<sha2::Sha512>("sha2");
    let linear = || linear_on::<Sha512>("portable");
    vec![
        lanes("avx512", 8).limited_to(PortModel::SHA512).against(sha2(), target(5.0, 4.8, 7.0)),
        lanes("avx512vl", 4).beside([sha2()]),
        lanes("avx2", 4).against(sha2(), 1.9),
        schedules::<Sha512>("SHA-512", "avx2").against(sha2(), 1.15).beside([linear()]),
        schedules::<Sha512>("SHA-512", "avx512vl").against(sha2(), 1.15).beside([linear()]),
        one::<Sha512>("SHA-512, in cache", MESSAGE_BYTES)
            .against(sha2(), 1.15)
            .beside(libraries(Function::Sha512)),
    ]
}

fn skein512() -> Vec<Contest> {
    let lanes = |backend, count| lanes::<Skein512>("Skein-512", backend, count);
    let skein = || one_by_one::<skein::Skein512<U64>>("skein");
    vec![
        one::<Skein512>("Skein-512, in cache", MESSAGE_BYTES).against(skein(), 1.6),
        lanes("avx512", 8)
            .limited_to(PortModel::THREEFISH512)
            .against(skein(), target(10.0, 10.0, 15.0)),
        lanes("avx512vl", 4).beside([skein()]),
        lanes("avx2", 4).against(skein(), 5.0),
    ]
}

/// As many messages as one backend has lanes, or takes streams.
fn lanes<H: MultiDigest<Backend = Backend>>(
    hash: &str,
    backend: &'static str,
    count: usize,
) -> Contest {
    let name = format!("{hash} on {backend}");
    Contest::new(name, Workload::equal(count, MESSAGE_BYTES), forced::<H>(backend))
}

/// One message on one backend, by the schedules of several blocks at once.
fn schedules<H>(hash: &str, backend: &'static str) -> Contest
where
    H: MultiDigest<Backend = Backend>,
    Backend: HasKernels<<H::Hash as HashFunction>::Compression>,
{
    let name = format!("{hash}, one stream on {backend}");
    Contest::new(name, Workload::equal(1, MESSAGE_BYTES), linear_on::<H>(backend))
}

/// One message on all that the CPU has.
fn one<D: Digest>(name: &str, bytes: usize) -> Contest {
    let ours: Method = one_by_one::<D>("jlanes");
    Contest::new(name, Workload::equal(1, bytes), ours)
}
