//! The cost model of Skein's trees against trees that are walked node by node.

use jlanes_tree::{
    cost_model::skein::{FullTree, level_counts, speed_up, t_nt, t_st},
    skein::TreeParams,
};

/// Blocks of every node, level by level, of a tree over `n` blocks.
fn walk(n: u64, yl: u8, yf: u8, ym: u8) -> Vec<Vec<u64>> {
    let pieces = |blocks: u64, size: u64| -> Vec<u64> {
        let whole = (0..blocks / size).map(|_| size);
        whole.chain((!blocks.is_multiple_of(size)).then_some(blocks % size)).collect()
    };
    let mut levels = vec![if n == 0 { vec![1] } else { pieces(n, 1 << yl) }];
    while levels[levels.len() - 1].len() > 1 {
        let values = levels[levels.len() - 1].len() as u64;
        let cut = levels.len() + 1 == usize::from(ym);
        levels.push(if cut { vec![values] } else { pieces(values, 1 << yf) });
    }
    levels
}

/// Time of one level on `threads` threads: rounds of `threads` nodes, each as long as its longest.
fn time(nodes: &[u64], threads: usize) -> u64 {
    nodes.chunks(threads).map(|round| round.iter().max().expect("a round has nodes")).sum()
}

fn shapes() -> impl Iterator<Item = (u8, u8, u8)> {
    (1..5).flat_map(|yl| (1..4).flat_map(move |yf| [2, 3, 4, 255].map(|ym| (yl, yf, ym))))
}

#[test]
fn counts_and_times_match_trees_that_are_walked() {
    for n in (0..600).chain([4095, 4096, 4097, 10_000]) {
        for (yl, yf, ym) in shapes() {
            let tree = TreeParams::new(yl, yf, ym).expect("a legal tree");
            let levels = walk(n, yl, yf, ym);
            let counts: Vec<u64> = levels.iter().map(|level| level.len() as u64).collect();
            assert_eq!(level_counts(n, tree), counts, "{n} blocks, {yl}.{yf}.{ym}");
            assert_eq!(t_st(n, Some(tree)), levels.iter().flatten().sum::<u64>());
            for threads in [1, 2, 3, 8, 1000] {
                let walked: u64 = levels.iter().map(|level| time(level, threads)).sum();
                let bound = t_nt(n, tree, threads as u64);
                assert!(walked <= bound, "{n} blocks, {yl}.{yf}.{ym}, {threads} threads");
                let simple = t_st(n, None) as f64;
                assert_eq!(speed_up(n, tree, threads as u64), simple / bound as f64);
            }
        }
    }
}

#[test]
fn closed_forms_match_full_trees() {
    let mut trees = 0;
    for (yl, yf) in (1..6).flat_map(|yl| (1..6).map(move |yf| (yl, yf))) {
        for p in 1..=(20 - yl) / yf {
            let n = 1 << (yl + (p - 1) * yf);
            let tree = FullTree::of(n, yl, yf).expect("a full tree");
            let levels = walk(n, yl, yf, 255);
            let blocks = |level: &Vec<u64>| level.iter().sum::<u64>();
            assert_eq!((tree.n(), tree.levels()), (n, u32::from(p)));
            assert_eq!(tree.n_s(), levels.iter().map(blocks).sum::<u64>());
            assert_eq!(tree.n_p(), levels.iter().map(|level| level[0]).sum::<u64>());
            assert_eq!(tree.m_p(), levels.iter().map(blocks).max().expect("leaves"));
            let params = TreeParams::new(yl, yf, 255).expect("a legal tree");
            assert_eq!(t_nt(n, params, n), tree.n_p());
            assert_eq!(t_nt(n, params, 1), tree.n_s());
            assert_eq!(tree.ps(), n as f64 / tree.n_p() as f64);
            assert_eq!(tree.tree_ps(), tree.n_s() as f64 / tree.n_p() as f64);
            assert!(tree.tree_ps() >= tree.ps());
            trees += 1;
        }
    }
    assert!(trees > 100);
}

#[test]
fn only_full_trees_have_closed_forms() {
    assert_eq!(FullTree::of(24, 1, 1), None);
    assert_eq!(FullTree::of(8, 1, 3), None);
    assert_eq!(FullTree::of(2, 2, 1), None);
    assert_eq!(FullTree::of(0, 1, 1), None);
    assert_eq!(FullTree::of(8, 1, 0), None);
    assert_eq!(FullTree::of(2, 1, 0), None);
    assert!(FullTree::of(8, 1, 2).is_some());
}

#[test]
fn sizes_without_end_are_one_leaf() {
    for log in [63, 64, 255] {
        let tree = TreeParams::new(log, log, 255).expect("a legal tree");
        assert_eq!(level_counts(1 << 40, tree), [1]);
        assert_eq!(t_nt(1 << 40, tree, 8), 1 << 40);
    }
}
