//! The hashes outside SHA-2, all lanes live, compared with RustCrypto's crates; and KangarooTwelve with
//! BLAKE3.

use digest::{Digest, ExtendableOutput, Update, XofReader};
use jlanes::{
    Blake2b512, Blake2s256, Keccak256, Md5, Ripemd160, Sha3_256, Sha256, Shake128, Sm3,
    multi::{Lanes, MultiDigest, Xofs},
    tree::{Kt128, par_digest},
};

use crate::{
    contest::Contest,
    cpu::target,
    method::{Method, many, one_by_one, outputs},
    peers::{Function, peer},
    workload::{KIB, MIB, Workload},
};

/// Bytes of a message in cache.
const MESSAGE_BYTES: usize = 64 * KIB;

pub(crate) fn contests() -> Vec<Contest> {
    let md5 = [32, 16].map(|count| {
        let targets = [target(20.0, 10.0, 20.0), target(5.0, 5.0, 5.0)];
        let target = targets[usize::from(count == 16)];
        lanes::<Md5, md5::Md5>("MD5", "md-5", count, target)
    });
    let others = [
        lanes::<Ripemd160, ripemd::Ripemd160>("RIPEMD-160", "ripemd", 16, target(9.0, 6.0, 9.0)),
        lanes::<Sm3, sm3::Sm3>("SM3", "sm3", 16, target(6.0, 4.0, 6.0)),
        lanes::<Sha3_256, sha3::Sha3_256>("SHA3-256", "sha3", 8, target(6.0, 4.0, 6.0)),
        lanes::<Keccak256, sha3::Keccak256>("Keccak-256", "sha3", 8, target(6.0, 4.0, 6.0)),
        lanes::<Blake2b512, blake2::Blake2b512>("BLAKE2b", "blake2", 8, target(3.5, 2.2, 3.5)),
        lanes::<Blake2s256, blake2::Blake2s256>("BLAKE2s", "blake2", 16, target(6.0, 4.0, 6.0)),
    ];
    // 532 bytes are a full branch of Ethereum's trie
    let nodes = [32, 100, 136, 532].map(|length| {
        Contest::new("Keccak-256 batch", Workload::equal(1024, length), many::<Keccak256>())
            .against(keccak_asm(), target(4.0, 2.5, 4.0))
            .beside([one_by_one::<sha3::Keccak256>("sha3")])
    });
    let mut contests: Vec<Contest> = md5.into_iter().chain(others).chain(nodes).collect();
    contests.extend([shake(), continued(), hash160()]);
    contests.extend(alone());
    contests.extend(kangaroo());
    contests.extend(super::blake3::contests());
    contests.extend(super::sha1dc::contests());
    contests
}

/// As many messages in cache as the widest kernel has lanes.
fn lanes<H: MultiDigest, P: Digest>(
    hash: &str,
    peer: &'static str,
    count: usize,
    target: Option<f64>,
) -> Contest {
    Contest::new(format!("{hash} batch"), Workload::equal(count, MESSAGE_BYTES), many::<H>())
        .against(one_by_one::<P>(peer), target)
}

/// One message alone, which is not to be slower than the crate that is replaced.
fn alone() -> [Contest; 7] {
    [
        one::<Md5, md5::Md5>("MD5", "md-5").beside([peer("OpenSSL", Function::Md5)]),
        one::<Ripemd160, ripemd::Ripemd160>("RIPEMD-160", "ripemd"),
        one::<Sm3, sm3::Sm3>("SM3", "sm3"),
        one::<Sha3_256, sha3::Sha3_256>("SHA3-256", "sha3")
            .beside([peer("OpenSSL", Function::Sha3)]),
        one::<Keccak256, sha3::Keccak256>("Keccak-256", "sha3").beside([keccak_asm()]),
        one::<Blake2b512, blake2::Blake2b512>("BLAKE2b", "blake2"),
        one::<Blake2s256, blake2::Blake2s256>("BLAKE2s", "blake2"),
    ]
}

fn one<H: Digest, P: Digest>(hash: &str, peer: &'static str) -> Contest {
    let name = format!("{hash}, in cache");
    Contest::new(name, Workload::equal(1, MESSAGE_BYTES), one_by_one::<H>("jlanes"))
        .against(one_by_one::<P>(peer), 1.0)
}

/// Cryptogams' assembly, which Ethereum's Rust programs use.
fn keccak_asm() -> Method {
    Method::each("keccak-asm", 32, |message, digest| {
        digest.copy_from_slice(&<keccak_asm::Keccak256 as keccak_asm::Digest>::digest(message));
    })
}

/// Bytes that a row of ML-KEM's and ML-DSA's matrices wants of a seed and an index.
const OUTPUT_BYTES: usize = 672;

/// Outputs that are longer than their messages.
fn shake() -> Contest {
    let ours = Method::plain("jlanes", OUTPUT_BYTES, |seeds, out| {
        let mut outs: Vec<&mut [u8]> = out.chunks_mut(OUTPUT_BYTES).collect();
        Xofs::<Shake128>::new().fill(seeds, &mut outs);
    });
    let theirs = Method::each("shake", OUTPUT_BYTES, |seed, out| {
        <shake::Shake128 as ExtendableOutput>::digest_xof(seed, out);
    });
    Contest::new("SHAKE128, 672 B of each", Workload::equal(8, 32), ours)
        .against(theirs, target(5.0, 3.5, 5.0))
}

/// Bytes of three blocks, which most polynomials of ML-KEM's matrix need, and of one more.
const THREE_BLOCKS: usize = 3 * 168;
const FOUR_BLOCKS: usize = 4 * 168;

/// Outputs of which some continue: the matrix of ML-KEM-768.
fn continued() -> Contest {
    let ours = Method::plain("jlanes", FOUR_BLOCKS, |seeds, out| {
        let mut xofs = Xofs::<Shake128>::new();
        xofs.absorb(seeds);
        let parts = out.chunks_mut(FOUR_BLOCKS).map(|out| out.split_at_mut(THREE_BLOCKS));
        let (mut first, more): (Vec<_>, Vec<_>) = parts.unzip();
        let mut more: Vec<_> = more.into_iter().step_by(4).collect();
        xofs.squeeze(&mut first);
        let which: Vec<usize> = (0..seeds.len()).step_by(4).collect();
        xofs.squeeze_some(&which, &mut more);
    });
    let theirs = Method::plain("shake", FOUR_BLOCKS, |seeds, out| {
        for (i, (seed, out)) in seeds.iter().zip(out.chunks_mut(FOUR_BLOCKS)).enumerate() {
            let mut reader = shake::Shake128::default().chain(seed).finalize_xof();
            let (first, more) = out.split_at_mut(THREE_BLOCKS);
            reader.read(first);
            if i % 4 == 0 {
                reader.read(more);
            }
        }
    });
    Contest::new("SHAKE128, 504 B and then 168 B of some", Workload::equal(9, 34), ours)
        .against(theirs, 2.0)
}

/// RIPEMD-160 of SHA-256, as Bitcoin's addresses have it.
fn hash160() -> Contest {
    let ours = Method::plain("jlanes", 20, |keys, digests| {
        let inner = Lanes::<Sha256>::new().digests(keys);
        Lanes::<Ripemd160>::new().digest(&inner, outputs::<Ripemd160>(digests));
    });
    let theirs = Method::each("ripemd of sha2", 20, |key, digest| {
        digest.copy_from_slice(&ripemd::Ripemd160::digest(sha2::Sha256::digest(key)));
    });
    Contest::new("hash160", Workload::equal(1024, 33), ours).against(theirs, target(5.0, 3.0, 5.0))
}

/// A standard tree over one buffer, and the fastest tree that people use.
fn kangaroo() -> [Contest; 2] {
    let one = Method::each("jlanes", 32, |message, digest| {
        digest.copy_from_slice(&<Kt128 as Digest>::digest(message));
    });
    // the same function, so that the digests are compared
    let k12 = Method { other_function: false, ..peer("KT128", Function::Own).named("k12") };
    let threads = |name| {
        Method::each(name, 32, |message, digest| {
            digest.copy_from_slice(&par_digest::<Kt128>(message));
        })
    };
    [
        Contest::new("KT128", Workload::equal(1, 64 * MIB), one)
            .against(peer("BLAKE3", Function::Own), target(0.9, 0.7, 1.0))
            .beside([k12]),
        Contest::new(
            "KT128 on two threads",
            Workload::equal(1, 64 * MIB),
            threads("2 threads").on_threads(2),
        )
        .on_all_cores()
        .against(threads("1 thread").on_threads(1), 1.9),
    ]
}
