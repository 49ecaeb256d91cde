//! The attacks that profile v1's prefixes prevent, and the bytes of these prefixes.

use std::cell::RefCell;

use jlanes::{
    Digest, Sha256,
    digest::{
        FixedOutput, HashMarker, Output, OutputSizeUser, Update,
        block_api::BlockSizeUser,
        consts::{U32, U64},
    },
    tree::{GenericJLanes, JLanes, JLanesRaw},
};
use jlanes_testing::{
    message,
    model::lanes::{prefix, slices},
};

/// The digests of the slices.
fn leaves(message: &[u8], j: usize) -> Vec<u8> {
    slices(message, j, 4).iter().flat_map(Sha256::digest).collect()
}

#[test]
fn a_raw_digest_is_the_plain_hash_of_a_string_that_anyone_may_hash() {
    let message = message(1, 1000);
    let string = leaves(&message, 4);
    assert_eq!(string.len(), 4 * 32);
    assert_eq!(JLanesRaw::<Sha256, 4>::digest(&message), Sha256::digest(&string));
    assert_ne!(JLanes::<Sha256, 4>::digest(&message), Sha256::digest(&string));
}

/// A message with `slice` as slice 0 of `j`; the other slices are zeros.
fn message_with_slice(slice: &[u8], j: usize) -> Vec<u8> {
    slice.chunks(4).flat_map(|word| [word, &vec![0; 4 * (j - 1)]].concat()).collect()
}

#[test]
fn raw_trees_of_different_j_are_confused_and_v1_trees_are_not() {
    let secret = message(2, 777);
    // the root of two lanes is made a leaf of four: their digest follows from the two lanes' digest
    let grafted = message_with_slice(&leaves(&secret, 2), 4);
    let others = Sha256::digest([0; 64]);
    let known = JLanesRaw::<Sha256, 2>::digest(&secret);
    let forged = Sha256::digest([known, others, others, others].concat());
    assert_eq!(JLanesRaw::<Sha256, 4>::digest(&grafted), forged);

    // no leaf of profile v1 can hold a root's input, as its own prefix comes first
    let leaf = prefix("jlanes/1 leaf", 4, 4, 0, 64);
    let root = prefix("jlanes/1 root", 4, 4, grafted.len(), 64);
    let zeros = Sha256::digest([&leaf[..], &[0; 64]].concat());
    let known = JLanes::<Sha256, 2>::digest(&secret);
    let forged = Sha256::digest([&root[..], &known, &zeros, &zeros, &zeros].concat());
    assert_ne!(JLanes::<Sha256, 4>::digest(&grafted), forged);
}

thread_local! {
    /// The inputs of all [`Recorder`]s that were finished.
    static INPUTS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// SHA-256 that leaves its input behind.
#[derive(Clone, Default)]
struct Recorder(Vec<u8>);

impl Update for Recorder {
    fn update(&mut self, data: &[u8]) {
        self.0.extend_from_slice(data);
    }
}

impl OutputSizeUser for Recorder {
    type OutputSize = U32;
}

impl BlockSizeUser for Recorder {
    type BlockSize = U64;
}

impl FixedOutput for Recorder {
    fn finalize_into(self, out: &mut Output<Self>) {
        *out = Sha256::digest(&self.0);
        INPUTS.with_borrow_mut(|inputs| inputs.push(self.0));
    }
}

impl HashMarker for Recorder {}

#[test]
fn every_node_of_v1_starts_with_a_block_that_says_what_it_is() {
    for (j, word, len) in [(1, 4, 0), (4, 4, 1000), (4, 8, 1000), (256, 4, 70_000)] {
        let message = message(3, len);
        let hasher = GenericJLanes::<Recorder>::new(j, word).expect("legal parameters");
        let digest = hasher.chain_update(&message).finalize();
        let inputs = INPUTS.take();
        let (root, leaves) = inputs.split_last().expect("a root");
        assert_eq!(leaves.len(), j);
        let mut digests = Vec::new();
        for (leaf, slice) in leaves.iter().zip(slices(&message, j, word)) {
            assert_eq!(leaf[..64], prefix("jlanes/1 leaf", j, word, 0, 64));
            assert_eq!(leaf[64..], slice);
            digests.extend(Sha256::digest(leaf));
        }
        assert_eq!(root[..64], prefix("jlanes/1 root", j, word, len, 64));
        assert_eq!(root[64..], digests);
        assert_eq!(Sha256::digest(root), digest);
    }
}

#[test]
fn prefixes_are_the_documented_bytes() {
    let mut expected = [0; 64];
    expected[..13].copy_from_slice(b"jlanes/1 root");
    expected[16..32].copy_from_slice(&[0, 0, 1, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 3, 0xe8]);
    assert_eq!(prefix("jlanes/1 root", 256, 8, 1000, 64), expected);
}
