//! Tests of digests that are hashed again in their lanes: chains, double digests.

use digest::consts::U7;
use jlanes_core::{
    compression::{LaneBuffer, LaneStart},
    function::Start,
    hash::{Output, WordOf},
    hashes::{keccak::functions::Keccak256Full, skein},
    kernel::HasKernels,
    lanes::rehash::{DigestBlock, RehashDigests, RehashWork, get_digest, put_digest},
};
use jlanes_testing::{message, paint};

use crate::{Function, backend, block, by_value, edges, expected, outs};

for_every_function!(chains, double_digests, digests_in_lanes);

pub(crate) fn chains<H: Function>() {
    for prefix in [0, 5, block::<H>(), block::<H>() + 1] {
        let prefix = paint(prefix, 50);
        for (count, steps) in [(0, 1), (1, 2), (17, 0), (17, 1), (33, 4)] {
            let first: Vec<_> = (0..count).map(|i| expected::<H>(&[i])).collect();
            let mut digests = first.clone();
            by_value::chains::<H, _>(backend::<H>(), &prefix, &mut digests, steps);
            for (first, digest) in first.into_iter().zip(digests) {
                let step = |before: Output<H>, _| expected::<H>(&[&prefix, &before[..]].concat());
                assert_eq!(digest, (0..steps).fold(first, step), "{steps} of {count} chains");
            }
        }
    }
}

/// One block each, but the digest is no state.
#[test]
fn outputs_of_skein() {
    chains::<skein::Skein<skein::Threefish512, U7>>();
}

/// Longer than a block, so that they are messages.
#[test]
fn states_of_keccak() {
    chains::<Keccak256Full>();
    double_digests::<Keccak256Full>();
}

/// Digests that stay in the lanes, and their exclusive or over the rounds.
fn digests_in_lanes<H: Function>() {
    let kernels = backend::<H>().kernels();
    let Some(block) = DigestBlock::after(H::DESCRIPTOR, H::DESCRIPTOR.digest_bytes, 0) else {
        return;
    };
    let mut start = H::DESCRIPTOR.start();
    let start = &mut start.as_mut()[..kernels.shape.state_words];
    block.prepare_start(start);
    let starts = [LaneStart::Same(start)];
    for live in [1, kernels.lanes_to_fill() - 1, kernels.lanes_to_fill()] {
        let first: Vec<_> = (0..live).map(|l| expected::<H>(&[l as u8])).collect();
        let mut lanes = [(); 2].map(|()| LaneBuffer::<WordOf<H>>::new(kernels.shape));
        let [digests, xor_sum] = &mut lanes;
        for (l, digest) in first.iter().enumerate() {
            put_digest(H::DESCRIPTOR, &mut digests.states(), l, digest);
        }
        kernels.rehash(RehashWork {
            digests: RehashDigests::States(digests.states()),
            block: &block,
            starts: &starts,
            rounds: 3,
            xor_sum: Some(xor_sum.states()),
            live,
        });
        for (l, first) in first.into_iter().enumerate() {
            let [mut last, mut sum] = [outs::<H>(1), outs::<H>(1)];
            get_digest(H::DESCRIPTOR, &digests.states(), l, &mut last[0]);
            get_digest(H::DESCRIPTOR, &xor_sum.states(), l, &mut sum[0]);
            let one = expected::<H>(&first);
            let two = expected::<H>(&one);
            let three = expected::<H>(&two);
            let xor = |i: usize| one[i] ^ two[i] ^ three[i];
            assert_eq!(last[0], three, "lane {l} of {live}");
            assert_eq!(sum[0][..], (0..three.len()).map(xor).collect::<Vec<_>>());
        }
    }
}

pub(crate) fn double_digests<H: Function>() {
    let text = message(4, 700);
    for len in edges::<H>() {
        for count in [0, 1, 9, 50] {
            // alike, and not
            for more in [0, 7] {
                let one = |i: usize| &text[i..][..len + i * more % 90];
                let mut out = outs::<H>(count);
                by_value::double::<H, _, 1>(backend::<H>(), &Start::new(), |i| [one(i)], &mut out);
                for (i, digest) in out.iter().enumerate() {
                    assert_eq!(*digest, expected::<H>(&expected::<H>(one(i))), "{i} of {count}");
                }
            }
        }
    }
}
