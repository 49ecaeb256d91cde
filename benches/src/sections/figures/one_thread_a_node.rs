//! A thread for every node of a tree: the simplest way to use several cores, and the slowest.
//!
//! \[SK\], section 5, starts from it. It is here alone, because nobody should use it.

use std::thread;

use jlanes::skein::{SkeinDigest, TreeParams};
use jlanes_core::{
    hashes::skein::{
        params::{self, Arguments},
        ubi::{self, BlockType},
    },
    kernel::{HasKernels as _, Kernels},
    simd::{
        vector::ByteOrder,
        words::{read_words, write_words},
    },
};

use crate::method::Method;

/// Threads that exist at a time: the system allows no thread for each of a large tree's leaves.
const AT_A_TIME: usize = 64;

/// The tree's digest.
pub(super) fn one_thread_a_node<H: SkeinDigest + 'static>((leaf, fan_out): (u8, u8)) -> Method {
    let tree = TreeParams::new(leaf, fan_out, u8::MAX).expect("a legal tree");
    Method::each("a thread a node", (H::BITS / 8) as usize, move |message, digest| {
        let kernels = H::backend().kernels();
        let block = kernels.shape.block;
        let mut start = vec![0; kernels.shape.state];
        params::initial(kernels, &Arguments::default(), H::BITS, tree, &mut start);
        let mut values = level(kernels, &start, 1, message, block << leaf);
        for number in 2.. {
            if values.len() == block {
                break;
            }
            values = level(kernels, &start, number, &values, block << fan_out);
        }
        read_words(ByteOrder::Little, &values, &mut start);
        ubi::output(kernels, &start, 0, digest);
    })
}

/// The values of a level's nodes, each of which takes `size` bytes of the level below.
fn level(kernels: Kernels<u64>, start: &[u64], level: u8, input: &[u8], size: usize) -> Vec<u8> {
    let node = |index: usize, data: &[u8]| {
        let mut state = start.to_vec();
        ubi::begin(&mut state, BlockType::Message, level, (index * size) as u128);
        ubi::once(kernels, &mut state, data, 0);
        let mut value = vec![0; kernels.shape.block];
        write_words(ByteOrder::Little, &state, &mut value);
        value
    };
    let nodes: Vec<(usize, &[u8])> = input.chunks(size).enumerate().collect();
    let mut values = Vec::new();
    for group in nodes.chunks(AT_A_TIME) {
        thread::scope(|scope| {
            let threads: Vec<_> =
                group.iter().map(|&(index, data)| scope.spawn(move || node(index, data))).collect();
            for thread in threads {
                values.extend(thread.join().expect("hashing does not panic"));
            }
        });
    }
    values
}
