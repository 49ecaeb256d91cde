//! Digests that are hashed again: chains, double digests, and digests by another function.

use digest::array::Array as ByteArray;

use super::{
    Start,
    list::{self, Again, List},
};
use crate::{
    engine::{
        Engine, Work,
        rehash::{self, DigestBlock, Rehash},
    },
    hash::{
        HashFunction, Output,
        compression::{AllLanes, max_lanes},
        digest_size,
    },
    wipe,
};

/// Replaces every digest `d` by the digest of `prefix || d`, `steps` times.
///
/// Where the prefix is whole blocks and a digest makes one block with its padding, a step is one
/// compression, and between steps the digests stay in the lanes.
pub fn digest<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    prefix: &[u8],
    digests: &mut [Output<H>],
    steps: u64,
) {
    let (mut start, rest) = Start::<H>::after(engine, prefix);
    let block = DigestBlock::after::<H>(start.total).filter(|_| rest.is_empty());
    for group in digests.chunks_mut(max_lanes::<H::Compression>()) {
        if let Some(block) = &block {
            on_lanes::<H, E>(engine, &start, block, group, steps);
            continue;
        }
        for _ in 0..steps {
            let mut inner = copy::<H>(group);
            list::digest(engine, &start, |l| [rest, &inner[l]], group);
            wipe::digests::<H>(&mut inner);
        }
    }
    start.wipe();
}

fn on_lanes<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    start: &Start<H>,
    block: &DigestBlock<H::Compression>,
    digests: &mut [Output<H>],
    steps: u64,
) {
    let mut states = AllLanes::<H::Compression>::default();
    for (l, digest) in digests.iter().enumerate() {
        rehash::put_digest::<H>(&mut states.states(), l, digest);
    }
    engine.run(Work::Rehash(Rehash {
        digests: states.states(),
        block,
        starts: &[block.starting_at(start.in_all_lanes())],
        rounds: steps,
        sum: None,
        live: digests.len(),
        out: Some((ByteArray::slice_as_flattened_mut(digests), digest_size::<H>())),
    }));
    states.wipe();
}

/// The digests of the messages' digests: `out[i]` is that of the digest of `message(i)`, whose pieces
/// are hashed from `start`.
pub fn double<'a, H: HashFunction, E: Engine<H::Compression>, const P: usize>(
    engine: E,
    start: &Start<H>,
    message: impl Fn(usize) -> [&'a [u8]; P],
    out: &mut [Output<H>],
) {
    match DigestBlock::after::<H>(0) {
        Some(block) => {
            let again = Again { start: block.starting_at(Start::<H>::new().in_all_lanes()), block };
            List { engine, start, again: Some(&again) }.digest(message, out);
        }
        None => {
            list::digest(engine, start, message, out);
            digest::<H, E>(engine, &[], out, 1);
        }
    }
}

/// Messages whose digests are kept to be hashed by another function.
const KEPT: usize = 512;

/// The digests by `G` of the messages' digests by `H`: `out[i]` is that of the digest of `message(i)`.
pub fn composed<'a, H, G, E>(engine: E, message: impl Fn(usize) -> &'a [u8], out: &mut [Output<G>])
where
    H: HashFunction,
    G: HashFunction,
    E: Engine<H::Compression> + Engine<G::Compression>,
{
    let mut digests: [Output<H>; KEPT] = core::array::from_fn(|_| Output::<H>::default());
    for (c, out) in out.chunks_mut(KEPT).enumerate() {
        let digests = &mut digests[..out.len()];
        list::digest(engine, &Start::<H>::new(), |i| [message(c * KEPT + i)], digests);
        let bytes = ByteArray::slice_as_flattened(digests);
        list::records(engine, &Start::<G>::new(), (bytes, digest_size::<H>()), out);
    }
    wipe::digests::<H>(&mut digests);
}

/// The digests of up to as many lanes as there are, which are to be inputs and outputs at once.
fn copy<H: HashFunction>(digests: &[Output<H>]) -> [Output<H>; crate::engine::MAX_LANES] {
    core::array::from_fn(|l| digests.get(l).cloned().unwrap_or_default())
}
