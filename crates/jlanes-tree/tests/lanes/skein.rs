//! Skein's trees, by every scheduler, compared with the literal reference.

use digest::DynDigest;
use jlanes_core::{hashes::skein::Threefish256, simd::portable::Portable};
use jlanes_reference as reference;
use jlanes_testing::{message, paint};
use jlanes_tree::{
    cost_model::skein::FullTree,
    join::Join,
    skein::{LeafError, Schedule, SkeinConfig, SkeinDigest, TreeParams, TreeState},
};

/// Skein-256-256 on four lanes.
pub(crate) struct Skein256;

impl SkeinDigest for Skein256 {
    type Threefish = Threefish256;
    type Backend = Portable<4>;
    const BITS: u64 = 256;

    fn backend() -> Portable<4> {
        Portable
    }
}

const BLOCK: usize = 32;

/// Short and long leaves, wide and narrow nodes, heights with an end and without.
const TREES: [[u8; 3]; 6] = [[1, 1, 255], [1, 2, 255], [2, 1, 3], [1, 3, 2], [3, 1, 5], [2, 2, 4]];

pub(crate) const SCHEDULES: [Schedule; 9] = [
    Schedule::Sequential,
    Schedule::LowerLevelFirst,
    Schedule::HigherLevelFirst,
    Schedule::SameLevel { nodes: 0 },
    Schedule::SameLevel { nodes: 3 },
    Schedule::SameLevel { nodes: 16 },
    Schedule::Subtrees { height: 1 },
    Schedule::Subtrees { height: 3 },
    Schedule::Subtrees { height: 200 },
];

fn params([yl, yf, ym]: [u8; 3]) -> TreeParams {
    TreeParams::new(yl, yf, ym).unwrap()
}

pub(crate) fn config(tree: [u8; 3]) -> SkeinConfig<Skein256> {
    SkeinConfig::<Skein256>::builder().tree(params(tree)).build().unwrap()
}

fn skein(tree: [u8; 3]) -> reference::skein::Skein<'static> {
    reference::skein::Skein { state_bytes: BLOCK, output_bits: 256, tree, ..Default::default() }
}

/// Lengths around leaves and nodes.
fn lengths([yl, yf, _]: [u8; 3]) -> Vec<usize> {
    let (leaf, node) = (BLOCK << yl, BLOCK << yl << yf);
    vec![0, 1, leaf - 1, leaf, leaf + 1, node, node + 1, 3 * node + leaf, 37 * leaf + 5, 64 * leaf]
}

#[test]
fn every_scheduler_has_the_same_digest() {
    for tree in TREES {
        for len in lengths(tree) {
            let data = message(len as u64, len);
            let expected = skein(tree).hash(&data, 0);
            for schedule in SCHEDULES {
                for join in [Join::Serial, Join::available()] {
                    let config = config(tree).with_join(join);
                    let case = format!("{schedule:?}, {tree:?}, {len} bytes, {join:?}");
                    assert_eq!(config.hash_with(schedule, &data)[..], expected, "{case}");
                    for piece in [50, 1000] {
                        let mut hasher = config.hasher_with(schedule);
                        data.chunks(piece).for_each(|piece| hasher.update(piece));
                        assert_eq!(hasher.finalize()[..], expected, "{case}, in {piece}");
                    }
                }
            }
        }
    }
}

#[test]
fn many_messages_share_the_lanes() {
    for tree in TREES.into_iter().chain([[0; 3]]) {
        let messages: Vec<_> = (0..20).map(|i| message(i, (i * i * 61 % 2999) as usize)).collect();
        for count in [0, 1, 3, 20] {
            let slices: Vec<_> = messages[..count].iter().map(Vec::as_slice).collect();
            let digests = config(tree).hash_many(&slices);
            let expected: Vec<_> = slices.iter().map(|data| skein(tree).hash(data, 0)).collect();
            assert!(digests.iter().map(|digest| &digest[..]).eq(&expected), "{tree:?}");
        }
    }
}

#[test]
fn messages_may_end_within_a_byte() {
    for tree in [[0; 3], [1, 1, 255], [2, 1, 3], [50, 1, 255]] {
        for len in [1, 64, 65, 700] {
            let data = message(6, len);
            for bits in [1, 7] {
                let expected = skein(tree).hash(&data, bits);
                let all = 8 * (len as u128 - 1) + u128::from(bits);
                assert_eq!(
                    config(tree).hash_bits(&data, all)[..],
                    expected,
                    "{tree:?}, {all} bits"
                );
            }
            assert_eq!(config(tree).hash_bits(&data, 8 * len as u128), config(tree).hash(&data));
        }
    }
}

#[test]
fn arguments_and_lengths_of_digests() {
    for tree in [[0; 3], [1, 1, 255]] {
        for bits in [1, 8, 255, 256, 257, 1000] {
            let expected = reference::skein::Skein {
                output_bits: bits,
                key: b"key",
                personalization: Some(b"personalization"),
                public_key: Some(b"public key"),
                key_identifier: Some(b"identifier"),
                nonce: Some(b""),
                ..skein(tree)
            };
            let builder = SkeinConfig::<Skein256>::builder().tree(params(tree)).output_bits(bits);
            let builder = builder.key(b"key").personalization(b"personalization");
            let builder = builder.public_key(b"public key").key_id(b"identifier").nonce(b"");
            let config = builder.build().unwrap();
            assert_eq!(config.hash(&[7; 300])[..], expected.hash(&[7; 300], 0), "{bits} bits");
            assert_eq!((config.output_bits(), config.block_size()), (bits, BLOCK));
            assert_eq!(config.tree(), params(tree));
        }
    }
    assert!(SkeinConfig::<Skein256>::builder().output_bits(0u8).build().is_err());
    assert!(SkeinConfig::<Skein256>::builder().output_bits(-1).build().is_err());
}

#[test]
fn hashers_begin_again() {
    for tree in [[0; 3], [1, 1, 255]] {
        let [one, two] = [[1; 500], [2; 500]].map(|data| skein(tree).hash(&data, 0));
        let mut hasher = config(tree).hasher();
        hasher.update([7; 99]);
        hasher.reset();
        hasher.update([1; 250]);
        let mut copy = hasher.clone();
        hasher.update([1; 250]);
        let mut out = [0; 32];
        hasher.finalize_into_reset(&mut out).unwrap();
        assert_eq!(out[..], one);
        DynDigest::update(&mut hasher, &[2; 500]);
        DynDigest::finalize_into(hasher, &mut out).unwrap();
        assert_eq!(out[..], two);
        DynDigest::update(&mut copy, &[1; 250]);
        assert_eq!((copy.output_size(), &copy.box_clone().finalize()[..]), (32, &one[..]));
        assert!(copy.finalize_into_reset(&mut [0; 31]).is_err());
        copy.clone().finalize_into_reset(&mut out).unwrap();
        assert_eq!(out[..], one, "the message is still there");
        DynDigest::reset(&mut copy);
        copy.update([2; 500]);
        assert_eq!(copy.finalize()[..], two);
    }
}

#[test]
fn long_leaves_are_absorbed() {
    // of 8 MiB: longer than what is gathered; and so long that there is but one
    for (tree, len) in [([18, 1, 255], 3000), ([50, 1, 255], 1000), ([58, 1, 255], 1)] {
        let data = message(2, len);
        let mut hasher = config(tree).hasher();
        data.chunks(99).for_each(|piece| hasher.update(piece));
        let (digest, held) = hasher.finalize_counted();
        assert_eq!(digest[..], skein(tree).hash(&data, 0)[..]);
        assert_eq!(held.blocks, 1, "{tree:?}");
    }
}

#[test]
fn the_sequential_scheduler_holds_what_the_model_says() {
    for (yl, yf, log) in [(1, 1, 7), (2, 2, 8), (1, 3, 7), (4, 1, 5)] {
        let tree = FullTree::of(1 << log, yl, yf).unwrap();
        let mut hasher = config([yl, yf, 255]).hasher_with(Schedule::Sequential);
        message(3, BLOCK << log).chunks(99).for_each(|piece| hasher.update(piece));
        let held = hasher.finalize_counted().1;
        // the last leaf gives its blocks up before its value comes
        assert_eq!(held.values - 1 + held.blocks, u128::from(tree.m_s()), "{yl}.{yf}, 2^{log}");
    }
}

#[test]
fn no_scheduler_holds_more_blocks_than_a_step_has() {
    let (tree, leaves) = ([2, 1, 255], 64);
    let data = message(5, leaves * (BLOCK << 2));
    for schedule in SCHEDULES {
        // the others take a mebibyte at a time
        let step = match schedule {
            Schedule::Sequential => 1,
            Schedule::SameLevel { nodes } if nodes > 0 => nodes,
            _ => leaves,
        };
        let mut hasher = config(tree).hasher_with(schedule);
        data.chunks(99).for_each(|piece| hasher.update(piece));
        assert_eq!(hasher.finalize_counted().1.blocks, 4 * step as u128, "{schedule:?}");
    }
}

/// From the fourth mebibyte on, a level has values that wait and nodes that are done before them.
#[test]
fn long_messages_are_hashed_in_steps() {
    let (tree, data) = ([1, 3, 255], message(6, (3 << 20) + 70_001));
    let expected = skein(tree).hash(&data, 0);
    for schedule in
        [Schedule::HigherLevelFirst, Schedule::default(), Schedule::Subtrees { height: 3 }]
    {
        assert_eq!(config(tree).hash_with(schedule, &data)[..], expected, "{schedule:?}");
    }
}

#[test]
fn trees_that_are_kept() {
    for tree in TREES {
        let mut state = TreeState::new(config(tree)).unwrap();
        let mut data = Vec::new();
        assert_eq!(state.digest()[..], skein(tree).hash(&data, 0));
        for (i, len) in [0, 1, 31, 200, 2000, 3, 1024].into_iter().enumerate() {
            let piece = message(i as u64, len);
            state.append(&piece);
            data.extend(piece);
            assert_eq!(state.digest()[..], skein(tree).hash(&data, 0), "{tree:?}");
        }
        let leaf = BLOCK << tree[0];
        let last = (data.len() - 1) / leaf;
        for index in [0, 1, last / 2, last - 1, last] {
            let old = &mut data[index * leaf..];
            let len = old.len().min(leaf);
            old[..len].copy_from_slice(&paint(len, index));
            state.replace_leaf(index, &paint(len, index)).unwrap();
            assert_eq!(state.digest()[..], skein(tree).hash(&data, 0), "leaf {index}, {tree:?}");
        }
    }
    assert!(TreeState::new(config([0; 3])).is_none());
}

#[test]
fn changes_of_a_kept_tree_cost_a_path() {
    let (mut state, leaf) = (TreeState::new(config([2, 1, 255])).unwrap(), BLOCK << 2);
    state.append(&paint(128 * leaf, 0));
    assert_eq!(state.hashed(), 255, "all nodes of a full tree");
    state.replace_leaf(77, &paint(leaf, 1)).unwrap();
    assert_eq!(state.hashed(), 255 + 8, "a leaf and the seven nodes above it");
    let _ = state.digest();
    assert_eq!(state.hashed(), 255 + 8, "nothing is missing");
    state.append(b"abc");
    let _ = state.digest();
    assert!(state.hashed() <= 255 + 8 + 9, "one leaf more, and its nodes");
}

#[test]
fn leaves_that_are_not_there_cannot_be_replaced() {
    let (mut state, leaf) = (TreeState::new(config([1, 1, 255])).unwrap(), BLOCK << 1);
    assert_eq!(state.replace_leaf(0, b""), Err(LeafError::NoSuchLeaf));
    state.append(&vec![0; leaf + 1]);
    assert_eq!(state.replace_leaf(0, b"x"), Err(LeafError::Length { expected: leaf }));
    assert_eq!(state.replace_leaf(1, b"xy"), Err(LeafError::Length { expected: 1 }));
    assert_eq!(state.replace_leaf(2, b"x"), Err(LeafError::NoSuchLeaf));
}

#[test]
fn subtrees_hold_their_values_and_those_of_one() {
    let config = config([1, 1, 255]).with_join(Join::Serial);
    let mut hasher = config.hasher_with(Schedule::Subtrees { height: 3 });
    // a step of 16,384 leaves, in place: 4,096 subtrees, and the four values of the one in progress
    hasher.update(vec![7; 1 << 20]);
    let held = hasher.finalize_counted().1;
    assert_eq!((held.values, held.blocks), (4100, 32_768));
}

#[test]
#[should_panic = "a chaining value has the size of a block"]
fn a_chaining_value_has_the_size_of_a_block() {
    let _ = config([1, 1, 255]).digest_of(&[0; BLOCK - 1]);
}
