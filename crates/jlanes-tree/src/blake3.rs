//! BLAKE3 on all cores: large subtrees are split in halves.

use digest::Update;
use jlanes_core::{
    engine::Engine,
    hashes::blake3::{
        Blake3Compression, CHUNK,
        hasher::Hasher,
        tree::{Tree, Value},
    },
};

use crate::{ParUpdate, join::Join, parallel::THRESHOLD};

/// Bytes of the subtrees that a thread computes alone.
const PART: usize = THRESHOLD;

impl<E: Engine<Blake3Compression>> ParUpdate for Hasher<E> {
    fn par_update(&mut self, data: &[u8]) {
        if data.len() < THRESHOLD {
            self.update(data);
        } else {
            self.update_with(data, PART / CHUNK, &mut halves);
        }
    }
}

fn halves(tree: &Tree, data: &[u8], first: u64) -> [Value; 2] {
    if data.len() <= PART {
        return tree.halves(data, first);
    }
    let (left, right) = data.split_at(data.len() / 2);
    let value = |data, first| tree.parent(&halves(tree, data, first));
    let middle = first + (left.len() / CHUNK) as u64;
    let (left, right) = Join::Rayon.join(|| value(left, first), || value(right, middle));
    [left, right]
}
