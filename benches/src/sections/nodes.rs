//! Nodes of Merkle trees: two digests in a block of 64 bytes, and trees of nothing else.

use digest::Digest;
use jlanes::{
    Sha256,
    merkle::{Bitcoin, Format, Ssz},
    multi::Lanes,
};

use crate::{
    contest::Contest,
    cpu::target,
    method::{Method, one_by_one, outputs, tree},
    peers::{Function, peer},
    workload::Workload,
};

/// Numbers of nodes in one call.
const NODE_COUNTS: [usize; 4] = [1 << 4, 1 << 10, 1 << 16, 1 << 20];
/// The number of nodes from which no peer may be faster.
const COMPARED_FROM: usize = 1 << 10;

pub(crate) fn contests() -> Vec<Contest> {
    let pairs = NODE_COUNTS.into_iter().map(pairs);
    let nodes = NODE_COUNTS.into_iter().map(nodes);
    let doubled = NODE_COUNTS.into_iter().map(double_nodes);
    pairs.chain(nodes).chain(doubled).chain([ssz(), bitcoin()]).collect()
}

/// A level of a tree: nodes side by side.
fn nodes(count: usize) -> Contest {
    let ours = side_by_side(|nodes, out| {
        Lanes::<Sha256>::new().nodes(nodes, 64, outputs::<Sha256>(out));
    });
    Contest::new("nodes side by side", Workload::equal(count, 64), ours)
        .against(one_by_one::<sha2::Sha256>("sha2"), target(3.4, 2.8, 4.5))
        .against(peer("hashtree-rs", Function::Node), margin(count))
}

/// The ratio to peers for nodes that we mean to reach: with few nodes, not to be slower.
fn margin(count: usize) -> Option<f64> {
    if count < COMPARED_FROM { Some(1.0) } else { target(1.05, 1.0, 1.3) }
}

/// A function of messages of 64 bytes that lie side by side.
fn side_by_side(hash: fn(&[u8], &mut [u8])) -> Method {
    Method::prepared("jlanes", 32, move |messages| {
        let nodes = messages.concat();
        Box::new(move |out| hash(&nodes, out))
    })
}

/// Digests of pairs, left and right in different places.
fn pairs(count: usize) -> Contest {
    let ours = halves(|left, right, out| {
        Lanes::<Sha256>::new().pairs(left, right, outputs::<Sha256>(out));
    });
    let tape = halves(|left, right, out| {
        tape_sha256::hash_pairs(&[], left, right, out.as_chunks_mut().0);
    });
    let peers = [tape.named("tape-sha256"), peer("hashtree-rs", Function::Node)];
    Contest::new("nodes of two digests", Workload::equal(count, 64), ours)
        .against(one_by_one::<sha2::Sha256>("sha2"), target(3.4, 2.8, 4.5))
        .against_all(peers, margin(count))
}

/// Hashes left and right halves, pair by pair.
type HashPairs = fn(&[&[u8]], &[&[u8]], &mut [u8]);

/// A function of the left and the right halves of messages of 64 bytes.
fn halves(hash: HashPairs) -> Method {
    Method::prepared("jlanes", 32, move |messages| {
        let (left, right): (Vec<&[u8]>, Vec<&[u8]>) =
            messages.iter().map(|message| message.split_at(32)).unzip();
        Box::new(move |out| hash(&left, &right, out))
    })
}

/// Nodes of Bitcoin's trees.
fn double_nodes(count: usize) -> Contest {
    let ours = side_by_side(|nodes, out| {
        Lanes::<Sha256>::new().double_nodes(nodes, 64, outputs::<Sha256>(out));
    });
    let sha2 = Method::each("sha2", 32, |node, out| out.copy_from_slice(&sha256d(node)));
    Contest::new("nodes, hashed twice", Workload::equal(count, 64), ours)
        .against(sha2, target(3.4, 2.8, 4.5))
        .against(peer("bitcoin_hashes", Function::DoubleNode), margin(count))
}

fn ssz() -> Contest {
    let ours = tree("jlanes", 32, |chunks| Ssz::default().digest(chunks));
    let sha2 = levels("sha2", |node| sha2::Sha256::digest(node).into());
    Contest::new("SSZ root", Workload::equal(1, 32 << 16), ours).against(sha2, 3.4)
}

fn bitcoin() -> Contest {
    let ours = tree("jlanes", 32, |ids| Ok(Bitcoin.digest(ids)?.root));
    let sha2 = levels("sha2", |node| sha256d(node));
    Contest::new("Bitcoin root", Workload::equal(1, 32 * 9001), ours).against(sha2, 3.4)
}

fn sha256d(message: &[u8]) -> [u8; 32] {
    sha2::Sha256::digest(sha2::Sha256::digest(message)).into()
}

/// The way of programs without lanes: all nodes of a level, then the next level.
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
