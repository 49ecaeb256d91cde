//! Roots of trees, and of proofs for many leaves.

mod contest;

use contest::{contest, noise};

macro_rules! version {
    ($krate:ident, $leaves:expr) => {{
        use $krate::{MerkleTree, algorithms::Sha256};
        let root = || MerkleTree::<Sha256>::from_leaves($leaves).root();
        let tree = MerkleTree::<Sha256>::from_leaves($leaves);
        let indices: Vec<usize> = (0..$leaves.len()).step_by(8).collect();
        let proven: Vec<[u8; 32]> = indices.iter().map(|i| $leaves[*i]).collect();
        let proof = tree.proof(&indices);
        let count = $leaves.len();
        (root, move || proof.root(&indices, &proven, count).expect("a proof"))
    }};
}

fn main() {
    for count in [1 << 10, 1 << 17] {
        let noise = noise(32 * count, 1);
        let leaves: Vec<[u8; 32]> =
            noise.chunks_exact(32).map(|leaf| leaf.try_into().expect("32 bytes")).collect();
        let (theirs, their_proof) = version!(theirs, &leaves);
        let (ours, our_proof) = version!(ours, &leaves);
        contest(&format!("tree of {count} leaves"), 1, theirs, ours);
        contest(&format!("proof of {} leaves in {count}", count / 8), 1, their_proof, our_proof);
    }
}
