//! Roots of lists of numbers, and of short vectors.

mod contest;

use contest::{contest, noise};

fn main() {
    for (chunks, runs) in [(4, 10_000), (64, 2000), (8192, 20), (250_000, 1)] {
        let bytes = noise(32 * chunks, 3);
        let limit = chunks.next_power_of_two();
        macro_rules! version {
            ($krate:ident) => {
                || {
                    let root = |_| $krate::merkle_root(std::hint::black_box(&bytes), limit);
                    (0..runs).map(root).last().expect("a root").0
                }
            };
        }
        contest(&format!("root of {chunks} chunks"), runs, version!(theirs), version!(ours));
    }
}
