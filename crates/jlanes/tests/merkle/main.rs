//! The Merkle trees: against the answers of other tools, against models written a second way, in
//! every chunking, on every backend, on one thread and many.

#![allow(clippy::unwrap_used)] // the helpers too are tests

mod bad_input;
mod bitcoin;
mod chunking;
mod corpora;
mod framed;
mod hash_requests;
mod kept;
mod many;
mod models;
mod node_proofs;
mod objects;
mod proofs;
mod sha256tree;
mod subtree_proofs;
mod subtrees;
mod tiles;
mod vectors;
mod zeros;
