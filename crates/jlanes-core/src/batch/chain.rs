//! Digests that are hashed again: chains, double digests, and HMAC's outer hash.

use core::array;

use super::{
    Start, list,
    rows::{self, Rows},
};
use crate::{
    engine::{Engine, MAX_LANES},
    hash::{HashFunction, Output},
    wipe,
};

/// Replaces every digest `d` by the digest of `prefix || d`, `steps` times.
///
/// Where the prefix is whole blocks and the hash Merkle-Damgård's, a step is one compression, and
/// between steps the digests stay in the lanes.
pub fn digest<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    prefix: &[u8],
    digests: &mut [Output<H>],
    steps: u64,
) {
    let (mut start, rest) = Start::<H>::after(engine, prefix);
    if let (true, Some(rows)) = (rest.is_empty(), Rows::after(start.total)) {
        on_lanes(engine, &start, rows, digests, steps);
    } else {
        for group in digests.chunks_mut(MAX_LANES) {
            for _ in 0..steps {
                let mut inner = copy::<H>(group);
                list::digest(engine, start, |l| [rest, &inner[l]], group);
                wipe::digests::<H>(&mut inner);
            }
        }
    }
    start.wipe();
}

fn on_lanes<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    start: &Start<H>,
    mut rows: Rows<H>,
    digests: &mut [Output<H>],
    steps: u64,
) {
    let mut first = rows::broadcast::<H>(&start.state);
    let mut states = first;
    for group in digests.chunks_mut(MAX_LANES) {
        for (l, digest) in group.iter().enumerate() {
            rows.put(l, digest);
        }
        for _ in 0..steps {
            states = first;
            engine.advance(rows::columns::<H>(&mut states), rows.input(), group.len(), 1, &[]);
            rows.take(&states);
        }
        for (l, digest) in group.iter_mut().enumerate() {
            *digest = rows.get(l);
        }
    }
    for states in [&mut first, &mut states] {
        wipe::words(states.as_mut().as_flattened_mut());
    }
}

/// The digests of up to [`MAX_LANES`] lanes, which are to be inputs and outputs at once.
pub(crate) fn copy<H: HashFunction>(digests: &[Output<H>]) -> [Output<H>; MAX_LANES] {
    array::from_fn(|l| digests.get(l).cloned().unwrap_or_default())
}
