//! Trees over one buffer, beside one plain SHA-256 of it and beside BLAKE3; Merkle nodes of 64
//! bytes, beside loops over them.

use jlanes::{
    Digest, Sha256,
    merkle::{self, Error},
    tree::{JLanes, MhSha256},
};
use jlanes_core::hash::Output;

use crate::{
    contest::Contest,
    method::{Method, one_by_one},
    peers::{Function, peer},
    workload::{MIB, Workload},
};

type Sha256Output = Output<jlanes_core::sha2::Sha256>;

/// The lines of the table.
#[must_use]
pub fn contests() -> Vec<Contest> {
    let in_memory = || Workload::equal(1, 64 * MIB);
    let fs_verity = || tree("jlanes", |data| merkle::fsverity::<Sha256>(data, 4096, &[]));
    let par_fs_verity = tree("jlanes", |data| merkle::par_fsverity::<Sha256>(data, 4096, &[]));
    vec![
        j_lanes::<JLanes<Sha256, 16>>("j-lanes, j = 16").limited_to(0.801).against(plain(), 2.5),
        j_lanes::<JLanes<Sha256, 32>>("j-lanes, j = 32").limited_to(0.801).against(plain(), 2.5),
        j_lanes::<JLanes<Sha256, 8>>("j-lanes, j = 8").against(plain(), 1.7),
        j_lanes::<MhSha256>("mh_sha256").beside([plain()]),
        buffer("fs-verity, 4 KiB", in_cache(), fs_verity())
            .beside([peer("fs-verity", Function::FsVerity)]),
        buffer("fs-verity, 4 KiB", in_memory(), fs_verity()),
        buffer("BitTorrent v2", in_cache(), tree("jlanes", merkle::btv2)),
        buffer("Glacier", in_cache(), tree("jlanes", merkle::glacier)),
        Contest::new("fs-verity on all cores", in_memory(), par_fs_verity)
            .on_all_cores()
            .beside([peer("BLAKE3", Function::OwnOnAllCores)]),
        Contest::new("SSZ root", Workload::equal(1, 32 << 16), tree("jlanes", ssz))
            .against(levels("sha2", sha2_nodes), 3.4),
        Contest::new(
            "Bitcoin root",
            Workload::equal(1, 32 * 9001),
            tree("jlanes", merkle::bitcoin),
        )
        .against(levels("sha2", sha2_double_nodes), 3.4),
    ]
}

/// A tree of one buffer beside functions of the buffer that are no such tree.
fn buffer(name: &str, workload: Workload, ours: Method) -> Contest {
    Contest::new(name, workload, ours).beside([plain(), peer("BLAKE3", Function::Own)])
}

/// A buffer in cache, dealt out to lanes.
fn j_lanes<D: Digest>(name: &str) -> Contest {
    Contest::new(name, in_cache(), one_by_one::<D>("jlanes"))
}

/// What the tree of a buffer is instead of.
fn plain() -> Method {
    one_by_one::<sha2::Sha256>("plain sha2").of_another_function()
}

/// The second cache's size on small cores.
fn in_cache() -> Workload {
    Workload::equal(1, MIB / 2)
}

/// A tree of one buffer.
fn tree(name: &'static str, root: fn(&[u8]) -> Result<Sha256Output, Error>) -> Method {
    Method::plain(name, 32, move |messages, out| {
        for (message, digest) in messages.iter().zip(out.chunks_exact_mut(32)) {
            digest.copy_from_slice(&root(message).expect("parameters and sizes are legal"));
        }
    })
}

fn ssz(chunks: &[u8]) -> Result<Sha256Output, Error> {
    merkle::ssz(chunks, None)
}

/// What programs without lanes do: all nodes of a level, then the next level.
fn levels(name: &'static str, hash: fn(&[u8; 64]) -> [u8; 32]) -> Method {
    Method::prepared(name, 32, move |messages| {
        let mut level: Vec<[u8; 32]> = Vec::new();
        Box::new(move |out| {
            level.clear();
            level.extend(messages[0].as_chunks().0);
            while level.len() > 1 {
                for i in 0..level.len().div_ceil(2) {
                    let left = level[2 * i];
                    let right = *level.get(2 * i + 1).unwrap_or(&left); // Bitcoin's rule
                    let mut node = [0; 64];
                    node[..32].copy_from_slice(&left);
                    node[32..].copy_from_slice(&right);
                    level[i] = hash(&node);
                }
                level.truncate(level.len().div_ceil(2));
            }
            out.copy_from_slice(&level[0]);
        })
    })
}

fn sha2_nodes(node: &[u8; 64]) -> [u8; 32] {
    sha2::Sha256::digest(node).into()
}

fn sha2_double_nodes(node: &[u8; 64]) -> [u8; 32] {
    sha2::Sha256::digest(sha2::Sha256::digest(node)).into()
}
