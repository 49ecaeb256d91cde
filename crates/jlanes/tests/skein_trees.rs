//! Random trees: every scheduler, thread count and chunking against the reference; what each
//! scheduler holds against its bound; trees that are kept.
#![cfg(feature = "alloc")]

use jlanes::{
    Backend,
    skein::{LeafError, Schedule, Skein256, Skein512, SkeinConfig, TreeParams, TreeState},
};
use jlanes_core::{hashes::skein::Threefish512, kernel::HasKernels};
use jlanes_reference::skein::Skein;
use jlanes_testing::{message, paint};
use jlanes_tree::{cost_model::skein::FullTree, join::Join, skein::Footprint};
use proptest::prelude::*;

const BLOCK: usize = 64;

fn config(yl: u8, yf: u8, ym: u8) -> SkeinConfig<Skein512> {
    let tree = TreeParams::new(yl, yf, ym).expect("a legal tree");
    SkeinConfig::<Skein512>::builder().tree(tree).build().expect("legal parameters")
}

fn reference(yl: u8, yf: u8, ym: u8, data: &[u8]) -> Vec<u8> {
    let skein =
        Skein { state_bytes: BLOCK, output_bits: 512, tree: [yl, yf, ym], ..Skein::default() };
    skein.hash(data, 0)
}

/// Runs `work` where rayon has `threads` threads.
#[cfg(feature = "rayon")]
fn on_threads<R: Send>(threads: usize, work: impl FnOnce(Join) -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| work(Join::Rayon))
}

#[cfg(not(feature = "rayon"))]
fn on_threads<R>(_threads: usize, work: impl FnOnce(Join) -> R) -> R {
    work(Join::Serial)
}

fn schedule() -> impl Strategy<Value = Schedule> {
    prop_oneof![
        Just(Schedule::Sequential),
        Just(Schedule::LowerLevelFirst),
        Just(Schedule::HigherLevelFirst),
        (0..40_usize).prop_map(|nodes| Schedule::SameLevel { nodes }),
        (0..6_u8).prop_map(|height| Schedule::Subtrees { height }),
    ]
}

fn height() -> impl Strategy<Value = u8> {
    prop_oneof![Just(255), 2..7_u8]
}

proptest! {
    #[test]
    fn random_trees_match_the_reference(
        (yl, yf, ym) in (1..5_u8, 1..4_u8, height()),
        len in prop_oneof![0..3000_usize, 0..60_000_usize],
        schedule in schedule(),
        chunk in 1..9000_usize,
        threads in 1..5_usize,
    ) {
        let data = message(len as u64, len);
        let digest = reference(yl, yf, ym, &data);
        let config = config(yl, yf, ym);
        let (whole, pieces) = on_threads(threads, |join| {
            let config = config.with_join(join);
            let mut hasher = config.hasher_with(schedule);
            for chunk in data.chunks(chunk) {
                hasher.update(chunk);
            }
            (config.hash_with(schedule, &data), hasher.finalize())
        });
        prop_assert_eq!(&whole[..], &digest[..]);
        prop_assert_eq!(&pieces[..], &digest[..]);
    }

    #[test]
    fn a_pipe_gives_every_message_its_digest(
        (yl, yf, ym) in (1..4_u8, 1..4_u8, height()),
        lens in prop::collection::vec(0..5000_usize, 0..12),
        threads in 1..4_usize,
    ) {
        let messages: Vec<_> = lens.iter().map(|len| message(*len as u64, *len)).collect();
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let config = config(yl, yf, ym);
        let digests = on_threads(threads, |join| config.with_join(join).hash_many(&slices));
        prop_assert_eq!(digests.len(), messages.len());
        for (digest, data) in digests.iter().zip(&messages) {
            prop_assert_eq!(&digest[..], &reference(yl, yf, ym, data)[..]);
        }
    }

    #[test]
    fn a_kept_tree_has_the_digest_as_from_scratch(
        (yl, yf, ym) in (1..4_u8, 1..4_u8, height()),
        pieces in prop::collection::vec(0..3000_usize, 1..6),
        replaced in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let mut state = TreeState::new(config(yl, yf, ym)).expect("a tree");
        let mut data = Vec::new();
        for (i, len) in pieces.iter().enumerate() {
            let piece = message(i as u64, *len);
            state.append(&piece);
            data.extend(piece);
            prop_assert_eq!(&state.digest()[..], &reference(yl, yf, ym, &data)[..]);
        }
        let leaf = BLOCK << yl;
        if data.is_empty() {
            return Ok(());
        }
        for index in replaced {
            let index = index.index(data.len().div_ceil(leaf));
            let old = &mut data[index * leaf..];
            let len = old.len().min(leaf);
            old[..len].copy_from_slice(&paint(len, index));
            state.replace_leaf(index, &paint(len, index)).expect("a leaf of this length");
            prop_assert_eq!(&state.digest()[..], &reference(yl, yf, ym, &data)[..]);
        }
    }
}

#[test]
fn changes_of_a_kept_tree_cost_a_path() {
    let mut state = TreeState::new(config(2, 1, 255)).expect("a tree");
    let leaf = BLOCK << 2;
    state.append(&paint(1000 * leaf + 7, 0));
    let _ = state.digest();
    let height = 11 + 1;
    for change in [0, 511, 999] {
        let before = state.hashed();
        state.replace_leaf(change, &paint(leaf, change)).expect("a full leaf");
        let _ = state.digest();
        assert!(state.hashed() - before <= 2 * height, "leaf {change}");
    }
    let before = state.hashed();
    state.append(b"abc");
    let _ = state.digest();
    assert!(state.hashed() - before <= 2 * height);
    // 1,000 leaves, and all full nodes above them
    let mut full = TreeState::new(config(2, 1, 255)).expect("a tree");
    for part in [300, 700] {
        full.append(&paint(part * leaf, 0));
    }
    let nodes = (0..10).map(|level| 1000 >> level).sum::<u64>();
    assert_eq!(full.hashed(), nodes);
}

#[test]
fn leaves_that_are_not_there_cannot_be_replaced() {
    let mut state = TreeState::new(config(1, 1, 255)).expect("a tree");
    assert_eq!(state.replace_leaf(0, b""), Err(LeafError::NoSuchLeaf));
    state.append(&[0; 2 * BLOCK + 1]);
    assert_eq!(state.replace_leaf(0, b"x"), Err(LeafError::Length { expected: 2 * BLOCK }));
    assert_eq!(state.replace_leaf(1, b"xy"), Err(LeafError::Length { expected: 1 }));
    assert_eq!(state.replace_leaf(2, b"x"), Err(LeafError::NoSuchLeaf));
    assert_eq!(LeafError::Length { expected: 7 }.to_string(), "the leaf has 7 bytes");
    assert_ne!(LeafError::NoSuchLeaf.to_string(), "");
}

#[test]
fn simple_hashing_has_no_tree_to_keep() {
    let simple = SkeinConfig::<Skein256>::builder().build().expect("legal parameters");
    assert!(TreeState::new(simple).is_none());
}

/// Values of each level of a tree of `len` bytes, leaves first.
fn levels(yl: u8, yf: u8, ym: u8, len: usize) -> Vec<usize> {
    let mut counts = vec![len.div_ceil(BLOCK << yl).max(1)];
    while *counts.last().expect("leaves") > 1 {
        let count = counts.last().expect("leaves").div_ceil(1 << yf);
        counts.push(if counts.len() + 1 == usize::from(ym) { 1 } else { count });
    }
    counts
}

/// The most that may be held: values, then blocks.
fn bound(schedule: Schedule, (yl, yf, ym): (u8, u8, u8), len: usize, threads: usize) -> [usize; 2] {
    let counts = levels(yl, yf, ym, len);
    let below = counts.len() - 1;
    let spare = (1 << yf) - 1;
    let leaf = 1 << yl;
    let lanes = HasKernels::<Threefish512>::lanes_to_fill(&Backend::detect());
    let busy = (threads << 20).div_ceil(leaf * BLOCK).next_multiple_of(threads * lanes);
    // the root of a cut tree holds one child
    let root = usize::from(ym < 255);
    let same = |nodes: usize| (below * spare + 1) * nodes + root;
    match schedule {
        Schedule::Sequential => [same(1), leaf],
        Schedule::LowerLevelFirst => [counts[0] + counts.get(1).unwrap_or(&0), busy * leaf],
        // a node in flight holds its children, and the siblings on its path up wait for it; the root
        // of a cut tree absorbs values when the step ends
        Schedule::HigherLevelFirst => {
            let in_flight = threads * lanes * (counts.len() * spare + (1 << yf));
            [if ym < 255 { counts.len() * spare + busy + root } else { in_flight }, busy * leaf]
        }
        Schedule::SameLevel { nodes: 0 } => [same(busy), busy * leaf],
        Schedule::SameLevel { nodes } => [same(nodes), nodes * leaf],
        Schedule::Subtrees { height } => {
            let height = height.clamp(1, ym - 1);
            let subtree = 1 << (usize::from(yf) * (usize::from(height) - 1));
            let subtrees = (busy / subtree).max(threads);
            let tasks = threads * (usize::from(height) * spare + 1) * lanes;
            [tasks + subtrees + same(threads * lanes), subtrees * subtree * leaf]
        }
        other => panic!("no bound is known for {other:?}"),
    }
}

/// Checks what every scheduler holds.
fn bounds_hold(yl: u8, yf: u8, ym: u8) {
    let schedules = [
        Schedule::Sequential,
        Schedule::LowerLevelFirst,
        Schedule::HigherLevelFirst,
        Schedule::SameLevel { nodes: 0 },
        Schedule::SameLevel { nodes: 16 },
        Schedule::SameLevel { nodes: 5 },
        Schedule::Subtrees { height: 1 },
        Schedule::Subtrees { height: 3 },
    ];
    let full = (BLOCK << 1) * (1 << 12);
    for len in [0, 1, full, full - 1, full + 1, full / 3, 3 * full + 12_345] {
        let data = message(1, len);
        for schedule in schedules {
            for threads in [1, 3] {
                let hold = |join| hold(yl, yf, ym, &data, schedule, join);
                let held =
                    if threads == 1 { hold(Join::Serial) } else { on_threads(threads, hold) };
                let [values, blocks] = bound(schedule, (yl, yf, ym), len, threads);
                let case = format!("{schedule:?}, {yl}.{yf}.{ym}, {len} bytes, {threads} threads");
                assert!(held.values <= values as u128, "{case}: {} values", held.values);
                assert!(held.blocks <= blocks as u128, "{case}: {} blocks", held.blocks);
            }
        }
    }
}

#[test]
fn schedulers_of_narrow_trees_keep_their_bounds() {
    bounds_hold(1, 1, 255);
}

#[test]
fn schedulers_of_wide_trees_keep_their_bounds() {
    bounds_hold(1, 2, 255);
    bounds_hold(1, 3, 255);
}

#[test]
fn schedulers_of_cut_trees_keep_their_bounds() {
    bounds_hold(2, 1, 3);
    bounds_hold(1, 2, 2);
    bounds_hold(3, 1, 6);
}

#[test]
fn full_trees_hold_what_the_model_says() {
    for (yl, yf, log) in [(1, 1, 9), (2, 2, 10), (1, 3, 10), (4, 1, 5)] {
        let tree = FullTree::of(1 << log, yl, yf).expect("a full tree");
        let data = message(3, BLOCK << log);
        let held = hold(yl, yf, 255, &data, Schedule::Sequential, Join::Serial);
        // the last leaf gives its blocks up before its value comes
        assert_eq!(held.values - 1 + held.blocks, u128::from(tree.m_s()), "{yl}.{yf}, 2^{log}");
    }
    // the root of a cut tree absorbs the leaves' values as they come
    let held = hold(1, 1, 2, &message(3, BLOCK << 6), Schedule::Sequential, Join::Serial);
    assert_eq!((held.values, held.blocks), (1, 2));
    // these take all leaves at once
    let data = message(3, BLOCK << 9);
    for (schedule, least) in
        [(Schedule::HigherLevelFirst, 1), (Schedule::Subtrees { height: 3 }, 64)]
    {
        let held = hold(1, 1, 255, &data, schedule, Join::Serial);
        assert_eq!(held.blocks, 512, "{schedule:?}");
        assert!(held.values >= least, "{schedule:?}: {} values", held.values);
    }
}

fn hold(yl: u8, yf: u8, ym: u8, data: &[u8], schedule: Schedule, join: Join) -> Footprint {
    let mut hasher = config(yl, yf, ym).with_join(join).hasher_with(schedule);
    for chunk in data.chunks(10_007) {
        hasher.update(chunk);
    }
    hasher.finalize_counted().1
}

#[test]
fn leaves_too_long_to_hold_are_absorbed() {
    for (yl, len) in [(17, (9 << 20) + 5), (17, 16 << 20), (60, 100_000), (255, 1)] {
        let data = message(2, len);
        let config = config(yl, 1, 255);
        let mut hasher = config.hasher();
        for chunk in data.chunks(1 << 20) {
            hasher.update(chunk);
        }
        let (digest, held) = hasher.finalize_counted();
        assert_eq!(digest, config.hash(&data), "leaves of 2^{yl} blocks, {len} bytes");
        assert_eq!(held.blocks, 1);
    }
}

/// Leaves of 8 MiB that end with a piece, within one, and with a bit.
#[test]
fn long_leaves_end_anywhere() {
    let config = config(17, 1, 255);
    let data = message(2, 17 << 20);
    let expected = |data: &[u8], bits| {
        let skein =
            Skein { state_bytes: BLOCK, output_bits: 512, tree: [17, 1, 255], ..Skein::default() };
        skein.hash(data, bits)
    };
    for (len, piece) in [(8 << 20, 1 << 20), (16 << 20, 3_000_000), (17 << 20, 5_000_000)] {
        let mut hasher = config.hasher();
        data[..len].chunks(piece).for_each(|piece| hasher.update(piece));
        assert_eq!(*hasher.finalize(), *expected(&data[..len], 0), "{len} bytes");
        let bits = 8 * len as u128 - 3;
        assert_eq!(
            *config.hash_bits(&data[..len], bits),
            *expected(&data[..len], 5),
            "{bits} bits"
        );
    }
}

#[cfg(feature = "rayon")]
#[test]
fn pieces_may_be_hashed_on_threads() {
    use jlanes::tree::ParUpdate as _;
    let data = message(4, 700_001);
    for (yl, yf, ym) in [(1, 2, 255), (4, 1, 255), (3, 1, 3)] {
        let expected = reference(yl, yf, ym, &data);
        on_threads(3, |_| {
            let schedules = [
                Schedule::Sequential,
                Schedule::LowerLevelFirst,
                Schedule::SameLevel { nodes: 0 },
                Schedule::Subtrees { height: 0 },
            ];
            for schedule in schedules {
                let mut hasher = config(yl, yf, ym).hasher_with(schedule);
                for piece in data.chunks(300_000) {
                    hasher.par_update(piece);
                }
                assert_eq!(*hasher.finalize(), *expected, "{yl}.{yf}.{ym}, {schedule:?}");
            }
        });
    }
}

#[test]
fn a_hasher_can_forget_its_message() {
    let mut hasher = config(1, 1, 255).hasher();
    hasher.update(message(5, 1000));
    digest::DynDigest::reset(&mut hasher);
    hasher.update(message(6, 200));
    assert_eq!(*hasher.finalize(), *reference(1, 1, 255, &message(6, 200)));
}
