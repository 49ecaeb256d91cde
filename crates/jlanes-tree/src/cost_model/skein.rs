//! The cost of Skein's trees (\[SK\] section 6), in calls of the compression function.
//!
//! Symbols: `n` blocks of message; `Y_l`, `Y_f`, `Y_m` as in
//! [`TreeParams`]; `k_i` nodes in level `i`, leaves being level 1; `p` levels, the last of which is
//! the root (`k_p = 1`); `N_t` threads, or lanes, each of which takes one node at a time. The output
//! transform and the blocks before the message, a constant, are left out.
//!
//! [`FullTree`] has the closed forms of sections 6.1 to 6.3, for trees without a ragged edge.
//! [`t_st`], [`t_nt`] and [`speed_up`] are the estimates of section 6.4 for any `n`.
//!
//! ```
//! use jlanes_tree::{cost_model::skein::{FullTree, speed_up}, skein::TreeParams};
//!
//! // 1 MiB in leaves of 4 blocks and nodes of 4 children
//! let tree = FullTree::of(16384, 2, 2).expect("4^7 blocks fill a tree");
//! assert_eq!((tree.levels(), tree.n_s(), tree.n_p()), (7, 21844, 28));
//! let params = TreeParams::new(2, 2, 255)?;
//! assert!(speed_up(16384, params, 16) > 11.9);
//! # Ok::<(), jlanes_tree::skein::Error>(())
//! ```

use alloc::vec::Vec;

use crate::skein::TreeParams;

/// A tree with only full leaves and nodes: `n = 2^(Y_l + (p - 1) Y_f)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullTree {
    yl: u32,
    yf: u32,
    p: u32,
}

impl FullTree {
    /// The full tree over `n` blocks; `None` if the last leaf or node would not be full, or if
    /// `yf` is 0.
    #[must_use]
    pub fn of(n: u64, yl: u8, yf: u8) -> Option<Self> {
        let (yl, yf) = (u32::from(yl), u32::from(yf));
        let above = n.is_power_of_two().then(|| n.ilog2().checked_sub(yl)).flatten()?;
        (yf > 0 && above.is_multiple_of(yf)).then(|| Self { yl, yf, p: above / yf + 1 })
    }

    /// `p`.
    #[must_use]
    pub fn levels(self) -> u32 {
        self.p
    }

    /// `n`, which is also the time of simple hashing.
    #[must_use]
    pub fn n(self) -> u64 {
        1 << (self.yl + (self.p - 1) * self.yf)
    }

    /// `N_s = n + 2^Y_f (n / 2^Y_l - 1) / (2^Y_f - 1)`: the time on one thread. Every node below
    /// the root is one block of its parent.
    #[must_use]
    pub fn n_s(self) -> u64 {
        let arity = 1 << self.yf;
        self.n() + arity * ((self.n() >> self.yl) - 1) / (arity - 1)
    }

    /// `M_s = (p - 1) (2^Y_f - 1) + 2^Y_l`: the blocks and values that one thread holds, if the
    /// highest node goes first: a leaf, and in each level one value less than a full node.
    #[must_use]
    pub fn m_s(self) -> u64 {
        u64::from(self.p - 1) * ((1 << self.yf) - 1) + (1 << self.yl)
    }

    /// `N_p = 2^Y_l + (p - 1) 2^Y_f`: the time with one thread per leaf. The path from a leaf to
    /// the root has one node per level.
    #[must_use]
    pub fn n_p(self) -> u64 {
        (1 << self.yl) + (u64::from(self.p - 1) << self.yf)
    }

    /// `M_p = n`: the blocks held with one thread per leaf: all leaves at once. No later level has
    /// as many.
    #[must_use]
    pub fn m_p(self) -> u64 {
        self.n()
    }

    /// `PS = n / N_p`: the potential speed-up over simple hashing. (The form printed in the paper
    /// holds for `Y_l = Y_f` alone.)
    #[must_use]
    pub fn ps(self) -> f64 {
        self.n() as f64 / self.n_p() as f64
    }

    /// `N_s / N_p`: the potential speed-up over the same tree on one thread.
    #[must_use]
    pub fn tree_ps(self) -> f64 {
        self.n_s() as f64 / self.n_p() as f64
    }
}

/// `k_1, .., k_p` for `n` blocks. An empty message has one leaf.
#[must_use]
pub fn level_counts(n: u64, tree: TreeParams) -> Vec<u64> {
    let mut counts = Vec::from([shrunk(n, tree.yl()).max(1)]);
    loop {
        match counts[..] {
            [.., 1] => return counts,
            // the root of a cut tree absorbs all remaining values
            _ if counts.len() + 1 == usize::from(tree.ym()) => counts.push(1),
            [.., last] => counts.push(shrunk(last, tree.yf())),
            [] => unreachable!("there is at least one leaf"),
        }
    }
}

/// `T_st(n, 0)` without a tree, `T_st(n, 1)` with one: the time on one thread. An empty message
/// costs a call.
#[must_use]
pub fn t_st(n: u64, tree: Option<TreeParams>) -> u64 {
    let below_root: u64 = tree.map_or(0, |tree| {
        let counts = level_counts(n, tree);
        counts[..counts.len() - 1].iter().sum()
    });
    n.max(1) + below_root
}

/// `T_Nt(n, 1)`: the time of a tree on `threads` threads, level by level, if every node costs as
/// much as a full one: an upper bound. The root of a cut tree costs `k_(p-1)`.
///
/// # Panics
/// If `threads` is 0.
#[must_use]
pub fn t_nt(n: u64, tree: TreeParams, threads: u64) -> u64 {
    let counts = level_counts(n, tree);
    let mut time = counts[0].div_ceil(threads) * grown(tree.yl(), n.max(1));
    for (i, pair) in counts.windows(2).enumerate() {
        let cut = i + 2 == usize::from(tree.ym());
        let node = if cut { pair[0] } else { grown(tree.yf(), pair[0]) };
        time += pair[1].div_ceil(threads) * node;
    }
    time
}

/// `S = T_st(n, 0) / T_Nt(n, 1)`: the speed-up of a tree on `threads` threads over simple hashing.
///
/// # Panics
/// If `threads` is 0.
#[must_use]
pub fn speed_up(n: u64, tree: TreeParams, threads: u64) -> f64 {
    t_st(n, None) as f64 / t_nt(n, tree, threads) as f64
}

/// `n / 2^log`, rounded up.
fn shrunk(n: u64, log: u8) -> u64 {
    if log < 64 { n.div_ceil(1 << log) } else { n.min(1) }
}

/// `2^log`, but at most `most`.
fn grown(log: u8, most: u64) -> u64 {
    if log < 64 { most.min(1 << log) } else { most }
}
