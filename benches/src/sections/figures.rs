//! Speed by size: the figures of the papers, redrawn.

use jlanes::{
    Digest, Sha256,
    skein::{Skein512, SkeinConfig, TreeParams},
    tree::{JLanes, MhSha256},
};
use jlanes_tree::join::Join;

use crate::{
    contest::Contest,
    method::{Method, many, one_by_one, tape},
    peers::{Function, peer},
    workload::{KIB, MIB, Workload},
};

/// The lines of the table: those of one name are one figure.
#[must_use]
pub fn contests() -> Vec<Contest> {
    j_lanes().chain(s_hash()).chain(skein_tree()).collect()
}

/// [JL], Figs. 3 to 5: one message by its length, dealt out to lanes or not, and Keccak.
fn j_lanes() -> impl Iterator<Item = Contest> {
    let lengths = [128, 512, KIB, 2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB, 64 * KIB, 256 * KIB];
    lengths.into_iter().map(|length| {
        let ours = one_by_one::<JLanes<Sha256, 16>>("16 lanes");
        Contest::new("j-lanes by length", Workload::equal(1, length), ours).beside([
            other::<JLanes<Sha256, 8>>("8 lanes"),
            other::<JLanes<Sha256, 4>>("4 lanes"),
            other::<MhSha256>("mh_sha256"),
            other::<Sha256>("plain"),
            other::<sha2::Sha256>("sha2"),
            peer("SHA3-256", Function::Own),
            peer("BLAKE3", Function::Own),
        ])
    })
}

/// [SH], Fig. 2: 16 messages that lie in the first cache, the second, the third, and in memory.
fn s_hash() -> impl Iterator<Item = Contest> {
    let lengths = [64, 256, KIB, 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB];
    lengths.into_iter().map(|length| {
        Contest::new("S-HASH by length of 16", Workload::equal(16, length), many::<Sha256>())
            .beside([one_by_one::<sha2::Sha256>("sha2"), tape()])
            .beside([peer("stringzilla", Function::Sha256), peer("BLAKE3", Function::Own)])
    })
}

/// [SK], Fig. 8: one message by its length, in a tree or not.
fn skein_tree() -> impl Iterator<Item = Contest> {
    let lengths = [KIB, 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB];
    lengths.into_iter().map(|length| {
        Contest::new("Skein-512 by length", Workload::equal(1, length), tree("tree 2, 2", 2))
            .beside([
                tree("tree 4, 4", 4).of_another_function(),
                other::<Skein512>("plain"),
                other::<skein::Skein512<digest::consts::U64>>("skein"),
                other::<sha2::Sha512>("sha2's SHA-512"),
            ])
    })
}

/// Skein-512 over a tree of any height, on this thread alone.
fn tree(name: &'static str, leaf_and_node: u8) -> Method {
    Method::prepared(name, 64, move |messages| {
        let tree = TreeParams::new(leaf_and_node, leaf_and_node, 255).expect("a legal tree");
        let config = SkeinConfig::<Skein512>::builder().tree(tree).build();
        let config = config.expect("no argument is too long").with_join(Join::Serial);
        Box::new(move |out| out.copy_from_slice(&config.hash(messages[0])))
    })
}

fn other<D: Digest>(name: &'static str) -> Method {
    one_by_one::<D>(name).of_another_function()
}
