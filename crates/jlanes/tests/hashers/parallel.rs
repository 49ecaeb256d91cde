//! Tests of batches over rayon's pool.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jlanes::{
    Sha256, Shake128,
    multi::{Lanes, TweakedChains, Xofs},
};
use jlanes_testing::message;
use rayon::ThreadPoolBuilder;

use crate::table::{Hasher, expected_each};

for_every_hasher!(parallel_batches_equal_serial_ones);

fn parallel_batches_equal_serial_ones<H: Hasher>() {
    // batches that stay whole, cannot be split (one message), are split often, or unevenly
    let mut one_long = [3_000; 60];
    one_long[1] = 2_000_000;
    let shapes: [&[usize]; 6] =
        [&[], &[1 << 20], &[5; 100], &[20_000; 50], &[400_000, 1, 0, 90_000], &one_long];
    for threads in [1, 2, 5] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        for lengths in shapes {
            let messages: Vec<_> = (0..).zip(lengths).map(|(i, len)| message(i, *len)).collect();
            let messages: Vec<_> = messages.iter().map(Vec::as_slice).collect();
            let mut out = vec![Default::default(); messages.len()];
            pool.install(|| Lanes::<H>::new().parallel().digest(&messages, &mut out));
            assert_eq!(out, expected_each::<H>(&messages), "{threads} threads, {lengths:?}");
        }
    }
}

/// Parts of a batch have values of one length here, which differs between parts.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn values_that_differ_between_parts_panic() {
    let half = 1 << 15;
    let chains = TweakedChains { steps: &|_| 0..4, size: 2, tweak: &|_, _, _| () };
    let values = || [vec![vec![0; 16]; half], vec![vec![0; 20]; half]].concat();
    let pool = ThreadPoolBuilder::new().num_threads(4).build().expect("a few threads");
    let lanes = || Lanes::<Sha256>::new().parallel().tweaked_chains(&chains, &mut values());
    assert!(pool.install(|| catch_unwind(AssertUnwindSafe(lanes))).is_err());
    let xofs = || Xofs::<Shake128>::new().parallel().tweaked_chains(&chains, &mut values());
    assert!(pool.install(|| catch_unwind(AssertUnwindSafe(xofs))).is_err());
}
