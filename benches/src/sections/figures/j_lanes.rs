//! \[JL\]: one message, linear or dealt out to lanes.

use digest::{Digest, block_api::BlockSizeUser};
use jlanes::{
    Sha256,
    tree::{GenericJLanesRaw, JLanesRaw, ParUpdate},
};

use super::{Figure, Plot};
use crate::{
    contest::Contest,
    cpu::PortModel,
    method::{Method, lanes_on, linear_on, one_by_one},
    peers::{Blake256, Function, peer},
    workload::{KIB, MIB, Workload},
};

pub(super) fn all() -> Vec<Figure> {
    let bars = |title, length| Figure::new(title, METHODS, Plot::Methods, [methods(length)]);
    vec![
        bars("[JL] Fig. 1: a message of 8 KiB", 8 * KIB),
        bars("[JL] Fig. 2: a message of 128 KiB", 128 * KIB),
        bars("[JL] Fig. 3: a message of 1 MiB", MIB),
        Figure::new("[JL] Fig. 4: one message by its length", LENGTHS, Plot::Sizes, by_length()),
        Figure::new("[JL] Fig. 5: three hash functions", FUNCTIONS, Plot::Methods, [functions()]),
    ]
}

const METHODS: &str = "\
SHA-256 of one message: linear by each method, and in j lanes (raw, as in the paper) by serial code \
and by vectors of each width. The digest depends on j, and is not that of linear hashing.";
const LENGTHS: &str = "From 2 KiB to 1 MiB, on the widest vectors for each j.";
const FUNCTIONS: &str = "\
SHA-256, BLAKE-256 and Keccak-256 of 1 MiB, linear, in 4 lanes one after the other, and in 4 lanes \
on two threads. The latter two functions have no kernel here: lanes are hashers of other crates.";

/// Linear hashing and lanes on all instruction sets.
fn methods(length: usize) -> Contest {
    let linear = [
        ("linear, portable", "portable"),
        ("linear, SSE4.1", "sse41"),
        ("linear, AVX2", "avx2"),
        ("linear, AVX-512VL", "avx512vl"),
        ("linear, SHA-NI", "shani"),
    ]
    .map(|(name, backend)| linear_on::<Sha256>(backend).named(name));
    let lanes = [
        lanes_on::<Sha256, 4>("portable").named("j = 4, portable"),
        lanes_on::<Sha256, 4>("sse41").named("j = 4, SSE4.1"),
        lanes_on::<Sha256, 4>("avx").named("j = 4, AVX"),
        lanes_on::<Sha256, 8>("avx2").named("j = 8, AVX2"),
        lanes_on::<Sha256, 8>("avx512vl").named("j = 8, AVX-512VL"),
    ];
    Contest::new("", Workload::equal(1, length), lanes_on::<Sha256, 16>("avx512"))
        .ours_named("j = 16, AVX-512")
        .limited_to(PortModel::SHA256)
        .beside(linear.into_iter().chain(lanes).map(Method::of_another_function))
}

fn by_length() -> impl Iterator<Item = Contest> {
    let lengths = [2, 4, 8, 16, 32, 64, 128, 256, 1024].map(|kib| kib * KIB);
    lengths.into_iter().map(|length| {
        let ours = lanes_on::<Sha256, 16>("avx512");
        let rivals = [
            lanes_on::<Sha256, 8>("avx512vl").named("j = 8, AVX-512VL"),
            lanes_on::<Sha256, 4>("avx").named("j = 4, AVX"),
            linear_on::<Sha256>("portable").named("linear, portable"),
            linear_on::<Sha256>("avx2").named("linear, AVX2"),
            one_by_one::<Sha256>("linear"),
            peer("BLAKE3", Function::Own),
        ];
        Contest::new("", Workload::equal(1, length), ours)
            .ours_named("j = 16, AVX-512")
            .limited_to(PortModel::SHA256)
            .beside(rivals.map(Method::of_another_function))
    })
}

fn functions() -> Contest {
    let rivals = [
        one_by_one::<Sha256>("SHA-256, linear"),
        two_threads::<JLanesRaw<Sha256, 4>>("SHA-256, 4 lanes, 2 threads", JLanesRaw::default),
        one_by_one::<Blake256>("BLAKE-256, linear"),
        serial("BLAKE-256, 4 lanes", generic::<Blake256, 4>),
        two_threads("BLAKE-256, 4 lanes, 2 threads", generic::<Blake256, 4>),
        one_by_one::<sha3::Keccak256>("Keccak-256, linear"),
        serial("Keccak-256, 4 lanes", generic::<sha3::Keccak256, 8>),
        two_threads("Keccak-256, 4 lanes, 2 threads", generic::<sha3::Keccak256, 8>),
    ];
    Contest::new(
        "",
        Workload::equal(1, MIB),
        one_by_one::<JLanesRaw<Sha256, 4>>("SHA-256, 4 lanes"),
    )
    .on_all_cores()
    .beside(rivals.map(Method::of_another_function))
}

/// Four lanes of any hasher with words of `WORD` bytes.
fn generic<D: Digest + BlockSizeUser, const WORD: usize>() -> GenericJLanesRaw<D> {
    GenericJLanesRaw::new(4, WORD).expect("four lanes of such words are legal")
}

fn serial<T: Digest + 'static>(name: &'static str, hasher: fn() -> T) -> Method {
    Method::each(name, 32, move |message, digest| {
        digest.copy_from_slice(&hasher().chain_update(message).finalize());
    })
}

fn two_threads<T: Digest + ParUpdate + 'static>(name: &'static str, hasher: fn() -> T) -> Method {
    let method = Method::each(name, 32, move |message, digest| {
        let mut hasher = hasher();
        hasher.par_update(message);
        digest.copy_from_slice(&hasher.finalize());
    });
    method.on_threads(2)
}
