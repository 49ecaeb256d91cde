//! Trees over one buffer, compared with one plain SHA-256 of it and with BLAKE3, on one thread and on
//! two.

use digest::{Digest, FixedOutput};
use jlanes::{
    Sha256, Sha512,
    merkle::{
        BitTorrent, DmVerity, Dropbox, Error, Format, FsVerity, Glacier, Rfc6962, Sha256Tree,
    },
    tree::{JLanes, MhSha256, ParUpdate, par_digest},
};

use crate::{
    contest::Contest,
    cpu::{PortModel, target},
    method::{Method, another, lanes_on, linear_on, one_by_one, tree},
    peers::{Function, peer},
    workload::{KIB, MIB, Workload},
};

/// Bytes of a buffer that fits a core's second-level cache, with the lanes that it is dealt out to.
const IN_CACHE_BYTES: usize = MIB / 2;

pub(crate) fn contests() -> Vec<Contest> {
    let tables: [Vec<Contest>; 4] = [lanes(), four_lanes(), threads(), merkle_trees()];
    tables.into_iter().flatten().collect()
}

/// j-lanes compared with one linear hash.
fn lanes() -> Vec<Contest> {
    let j_16 = |bytes| buffer::<JLanes<Sha256, 16>>("j-lanes, j = 16", bytes);
    let eight = lanes_on::<Sha256, 8>("avx512vl");
    vec![
        j_16(64 * KIB).limited_to(PortModel::SHA256).against(plain(), target(2.5, 2.0, 3.5)),
        j_16(64 * MIB)
            .limited_to(PortModel::SHA256)
            .against(plain(), target(3.3, 2.0, 3.5))
            .beside([peer("BLAKE3", Function::Own)]),
        buffer::<JLanes<Sha256, 32>>("j-lanes, j = 32", IN_CACHE_BYTES)
            .limited_to(PortModel::SHA256)
            .beside([plain()])
            .against(peer("BLAKE3", Function::Own), target(0.6, 0.6, 0.8)),
        Contest::new("j-lanes, j = 8", Workload::equal(1, 64 * KIB), eight).against(plain(), 1.7),
        buffer::<MhSha256>("mh_sha256", IN_CACHE_BYTES).beside([plain()]),
    ]
}

/// j = 4 on one instruction set, compared with the best linear hash that it allows ([SMS]): what the
/// paper promises for messages of 2 to 128 KiB.
fn four_lanes() -> Vec<Contest> {
    let of = |backend: &'static str| {
        [2, 8, 32, 128].map(|kib| {
            let name = format!("j = 4 beside linear on {backend}");
            Contest::new(name, Workload::equal(1, kib * KIB), lanes_on::<Sha256, 4>(backend))
                .against(linear_on::<Sha256>(backend).named("linear").of_another_function(), 1.5)
        })
    };
    ["sse41", "avx"].map(of).into_iter().flatten().collect()
}

/// Two threads compared with one.
fn threads() -> Vec<Contest> {
    let two = |bytes, target| {
        let name = "j = 32 on two threads";
        two_threads::<JLanes<Sha256, 32>>(name, bytes, target)
    };
    vec![
        two(MIB, 1.9),
        two(256 * MIB, 1.7),
        two_threads::<JLanes<Sha256, 16>>(
            "j = 16 on two threads",
            256 * MIB,
            target(1.3, 1.3, 1.0),
        ),
        two_threads::<JLanes<Sha256, 8>>("j = 8 on two threads", 256 * MIB, target(1.3, 1.3, 1.0)),
        merkle_threads("fs-verity on two threads", |data| {
            Ok(FsVerity::sha256(4096, &[])?.parallel().digest(data)?)
        })
        .beside([peer("BLAKE3", Function::OwnOnAllCores)]),
        merkle_threads("BitTorrent v2 on two threads", |data| {
            Ok(BitTorrent::default().parallel().digest(data)?.root)
        }),
    ]
}

fn two_threads<T>(name: &str, bytes: usize, target: impl Into<Option<f64>>) -> Contest
where
    T: Digest + FixedOutput + ParUpdate + Default + 'static,
{
    let method = |name| {
        Method::each(name, <T as Digest>::output_size(), |message, digest| {
            digest.copy_from_slice(&par_digest::<T>(message));
        })
    };
    Contest::new(name, Workload::equal(1, bytes), method("2 threads").on_threads(2))
        .on_all_cores()
        .against(method("1 thread").on_threads(1), target)
}

fn merkle_threads<D: AsRef<[u8]> + 'static>(
    name: &str,
    root: fn(&[u8]) -> Result<D, Error>,
) -> Contest {
    let two = tree("2 threads", 32, root).on_threads(2);
    Contest::new(name, Workload::equal(1, 64 * MIB), two)
        .on_all_cores()
        .beside([tree("1 thread", 32, root).on_threads(1)])
}

fn merkle_trees() -> Vec<Contest> {
    let fs_verity = |name| tree(name, 32, |data| Ok(FsVerity::sha256(4096, &[])?.digest(data)?));
    let sha256tree = || tree("jlanes", 32, |data| Ok(Sha256Tree::default().digest(data)?));
    let plain_512 = || another::<sha2::Sha512>("plain sha2");
    let beside_plain =
        |name, bytes, ours| Contest::new(name, Workload::equal(1, bytes), ours).beside([plain()]);
    let merkle =
        |name, bytes, ours| beside_plain(name, bytes, ours).beside([peer("BLAKE3", Function::Own)]);
    let beside_fs_verity = |name, bytes, ours| {
        let rival = fs_verity("fs-verity by jlanes").of_another_function();
        beside_plain(name, bytes, ours).against(rival, 0.95)
    };
    vec![
        beside_plain("fs-verity, 4 KiB", IN_CACHE_BYTES, fs_verity("jlanes"))
            .against(peer("fs-verity", Function::FsVerity), 2.0)
            .against(peer("BLAKE3", Function::Own), target(0.6, 0.6, 0.8)),
        merkle("fs-verity, 4 KiB", 64 * MIB, fs_verity("jlanes")),
        merkle(
            "dm-verity, 4 KiB",
            IN_CACHE_BYTES,
            tree("jlanes", 32, |data| Ok(DmVerity::new::<Sha256>(4096, &[])?.digest(data)?.root)),
        ),
        Contest::new(
            "fs-verity with SHA-512, 4 KiB",
            Workload::equal(1, IN_CACHE_BYTES),
            tree("jlanes", 64, |data| Ok(FsVerity::sha512(4096, &[])?.digest(data)?)),
        )
        .beside([peer("fs-verity", Function::FsVerity512), plain_512()]),
        Contest::new(
            "dm-verity with SHA-512, 4 KiB",
            Workload::equal(1, IN_CACHE_BYTES),
            tree("jlanes", 64, |data| Ok(DmVerity::new::<Sha512>(4096, &[])?.digest(data)?.root)),
        )
        .beside([plain_512()]),
        beside_fs_verity("SHA256TREE", IN_CACHE_BYTES, sha256tree()),
        beside_fs_verity("SHA256TREE", 64 * MIB, sha256tree()),
        merkle(
            "BitTorrent v2",
            IN_CACHE_BYTES,
            tree("jlanes", 32, |data| Ok(BitTorrent::default().digest(data)?.root)),
        ),
        merkle("Glacier", 16 * MIB, tree("jlanes", 32, |data| Ok(Glacier.digest(data)?))),
        merkle("Dropbox", 16 * MIB, tree("jlanes", 32, |data| Ok(Dropbox.digest(data)?))),
        merkle(
            "RFC 6962, leaves of 1 KiB",
            IN_CACHE_BYTES,
            tree("jlanes", 32, |data| Ok(Rfc6962::chunks::<Sha256>(KIB)?.digest(data)?)),
        ),
    ]
}

/// A buffer hashed by one of our trees.
fn buffer<D: Digest>(name: &str, bytes: usize) -> Contest {
    Contest::new(name, Workload::equal(1, bytes), one_by_one::<D>("jlanes"))
}

/// The hash that a tree of a buffer replaces.
fn plain() -> Method {
    another::<sha2::Sha256>("plain sha2")
}
