//! A thread for every node of a tree: the simplest way to use several cores, and the slowest.
//!
//! \[SK\], section 5, starts from it. It is here alone, because nobody should use it.

use std::thread;

use jlanes::skein::{SkeinDigest, TreeParams};
use jlanes_core::{
    compression::Compression,
    engine::Engine,
    hashes::skein::{
        params::{self, Arguments},
        ubi::{self, BlockType, Chain, Ubi},
    },
};

use crate::method::Method;

/// Threads that exist at a time: the system allows no thread for each of a large tree's leaves.
const AT_A_TIME: usize = 64;

/// The tree's digest.
pub(super) fn one_thread_a_node<H: SkeinDigest + 'static>((leaf, fan_out): (u8, u8)) -> Method {
    let tree = TreeParams::new(leaf, fan_out, u8::MAX).expect("a legal tree");
    Method::each("a thread a node", (H::BITS / 8) as usize, move |message, digest| {
        let engine = H::engine();
        let start =
            params::initial::<H::Threefish, _>(engine, &Arguments::default(), H::BITS, tree);
        let block = H::Threefish::BLOCK;
        let mut values = level::<H::Threefish, _>(engine, &start, 1, message, block << leaf);
        for number in 2.. {
            if values.len() == block {
                break;
            }
            values = level::<H::Threefish, _>(engine, &start, number, &values, block << fan_out);
        }
        ubi::output::<H::Threefish, _>(engine, &words::<H::Threefish>(&values), 0, digest);
    })
}

/// The values of a level's nodes, each of which takes `size` bytes of the level below.
fn level<T: Ubi, E: Engine<T>>(
    engine: E,
    start: &Chain<T>,
    level: u8,
    input: &[u8],
    size: usize,
) -> Vec<u8> {
    let node = |index: usize, data: &[u8]| {
        let state = ubi::start::<T>(start, BlockType::Message, level, (index * size) as u128);
        let mut value = vec![0; T::BLOCK];
        ubi::write(ubi::once(engine, state, data, 0).as_ref(), &mut value);
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

/// A chaining value from its bytes.
fn words<T: Ubi>(bytes: &[u8]) -> Chain<T> {
    let mut chain = ubi::zero::<T>();
    for (word, bytes) in chain.as_mut().iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    chain
}
