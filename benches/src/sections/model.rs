//! The papers' cost model compared with the clock: what counting compressions predicts, and what is
//! measured.

use jlanes::{
    Backend, Sha256,
    skein::{Schedule, Skein512, TreeParams},
};
use jlanes_core::{hashes::skein::Threefish512, kernel::HasKernels};
use jlanes_tree::cost_model::{
    HashSizes,
    skein::{t_nt, t_st},
    updates,
};

use super::figures::skein_tree;
use crate::{
    contest::Contest,
    method::{another, lanes_on, linear_on},
    workload::{KIB, MIB, Workload},
};

/// The lines of the table: speed-ups, each with what counting compressions predicts.
pub(crate) fn contests() -> Vec<Contest> {
    let tables = [serial_lanes(), serial_trees(), two_threads()].into_iter().flatten();
    tables.map(|(predicted, line)| line.with(|row| row.predicted = Some(predicted))).collect()
}

/// [JL], Figs. 1 and 2: on one lane at a time, lanes cost their additional Updates.
fn serial_lanes() -> Vec<(f64, Contest)> {
    let sizes = HashSizes { word: 4, block: 64, digest: 32 };
    let lanes = [
        (4, lanes_on::<Sha256, 4>("portable")),
        (8, lanes_on::<Sha256, 8>("portable")),
        (16, lanes_on::<Sha256, 16>("portable")),
    ];
    let contests = lanes.map(|(j, lanes)| {
        let length = 8 * KIB;
        let predicted =
            updates(length as u64, 64) as f64 / sizes.jlanes_raw(length as u64, j) as f64;
        let name = format!("{j} lanes by serial code, speed over linear hashing");
        let linear = linear_on::<Sha256>("portable").of_another_function();
        (predicted, Contest::new(name, Workload::equal(1, length), lanes).beside([linear]))
    });
    contests.into()
}

/// [SK], 6.4: a tree on one lane costs its nodes.
fn serial_trees() -> Vec<(f64, Contest)> {
    let contests = [(1, 1), (2, 2), (4, 4)].map(|shape| {
        let length = MIB;
        let blocks = (length / 64) as u64;
        let predicted = t_st(blocks, None) as f64 / t_st(blocks, Some(params(shape))) as f64;
        let (leaf, fan_out) = shape;
        let name = format!("Skein tree {leaf}.{fan_out}, sequential, speed over simple hashing");
        let tree = skein_tree::<Skein512>("tree", shape, Schedule::Sequential);
        let simple = another::<Skein512>("simple");
        (predicted, Contest::new(name, Workload::equal(1, length), tree).beside([simple]))
    });
    contests.into()
}

/// [SK], 6.4: threads and lanes take whole nodes.
fn two_threads() -> Vec<(f64, Contest)> {
    let backend = Backend::detect();
    let lanes = HasKernels::<Threefish512>::lanes_to_fill(&backend) as u64;
    let shape = (8, 8);
    let contests = [256 * KIB, MIB, 64 * MIB].map(|length| {
        let blocks = (length / 64) as u64;
        let time = |threads| t_nt(blocks, params(shape), threads * lanes) as f64;
        let tree = |threads| {
            skein_tree::<Skein512>("tree", shape, Schedule::default()).on_threads(threads)
        };
        let name = "Skein tree 8.8, speed of two threads over one".to_owned();
        let contest = Contest::new(name, Workload::equal(1, length), tree(2));
        (time(1) / time(2), contest.on_all_cores().beside([tree(1)]))
    });
    contests.into()
}

fn params((leaf, fan_out): (u8, u8)) -> TreeParams {
    TreeParams::new(leaf, fan_out, u8::MAX).expect("a legal tree")
}
