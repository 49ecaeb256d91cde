//! Kernels in cache, one backend at a time, beside the peers' single streams.

use jlanes::{Sha256, digest::consts::U64, skein::Skein512};

use crate::{
    contest::Contest,
    method::{Method, forced, many, one_by_one, tape},
    peers::{Function, libraries, peer},
    workload::{KIB, MIB, Workload},
};

/// The lines of the table.
#[must_use]
pub fn contests() -> Vec<Contest> {
    [sha256_lanes(), sha256_streams(), skein512()].into_iter().flatten().collect()
}

fn sha256_lanes() -> Vec<Contest> {
    let lanes = |name, backend, lanes| {
        Contest::new(name, Workload::equal(lanes, 64 * KIB), forced::<Sha256>(backend))
    };
    let portable = || forced::<Sha256>("portable");
    vec![
        lanes("SHA-256, 16 lanes, AVX-512", "avx512", 16)
            .limited_to(0.832)
            .against(sha2_256(), 2.35)
            .against_all([tape(), peer("stringzilla", Function::Sha256)], 1.0)
            .beside(["BLAKE3", "KT128"].map(|name| peer(name, Function::Own))),
        lanes("SHA-256, 8 lanes, AVX-512VL", "avx512vl", 8).against(sha2_256(), 1.7),
        lanes("SHA-256, 8 lanes, AVX2", "avx2", 8).against(portable(), 5.0),
        lanes("SHA-256, 4 lanes, AVX", "avx", 4).against(portable(), 2.5),
        lanes("SHA-256, 4 lanes, SSE4.1", "sse41", 4).against(portable(), 2.5),
        lanes("SHA-256, SHA-NI, 2 streams", "shani", 2).against(sha2_256(), 1.25),
    ]
}

fn sha256_streams() -> Vec<Contest> {
    let one =
        |name, bytes| Contest::new(name, Workload::equal(1, bytes), one_by_one::<Sha256>("jlanes"));
    let nodes = Workload::equal(1024, 64);
    vec![
        one("SHA-256, one message in cache", 64 * KIB)
            .against(sha2_256(), 1.0)
            .beside(libraries(Function::Sha256)),
        one("SHA-256, one message beyond L2", 64 * MIB)
            .against(sha2_256(), 1.35)
            .against_all(libraries(Function::Sha256), 1.35),
        Contest::new("SHA-256, messages of one block", nodes, many::<Sha256>())
            .against(sha2_256(), 3.4)
            .beside([tape(), peer("hashtree-rs", Function::Node)]),
    ]
}

fn skein512() -> Vec<Contest> {
    let peer = || one_by_one::<skein::Skein512<U64>>("skein");
    let one = one_by_one::<Skein512>("jlanes");
    let lanes = |name, backend, lanes| {
        Contest::new(name, Workload::equal(lanes, 64 * KIB), forced::<Skein512>(backend))
    };
    vec![
        Contest::new("Skein-512, one message", Workload::equal(1, 64 * KIB), one)
            .against(peer(), 1.6),
        lanes("Skein-512, 8 lanes, AVX-512", "avx512", 8).limited_to(1.077).against(peer(), 10.0),
        lanes("Skein-512, 4 lanes, AVX2", "avx2", 4).against(peer(), 5.0),
    ]
}

fn sha2_256() -> Method {
    one_by_one::<sha2::Sha256>("sha2")
}
