//! Repeated hashing of digests: chains, double digests, and digests by another function.

use digest::array::Array as ByteArray;

use super::{list, start::Start};
use crate::{
    engine::Engine,
    hash::{Output, WordOf, digest_size},
    jobs::{
        BatchFunction, Jobs as _,
        list::source::{MessageSource, filling},
    },
    wipe,
};

/// Replaces every digest `d` by the digest of `prefix || d`, `steps` times.
///
/// If the prefix is whole blocks and a digest with its padding fits one block, a step is one
/// compression, and the digests stay in the lanes between steps.
#[inline]
pub fn digest<H: BatchFunction, E: Engine<H::Compression>>(
    engine: E,
    prefix: &[u8],
    digests: &mut [Output<H>],
    steps: u64,
) {
    let digests = ByteArray::slice_as_flattened_mut(digests);
    WordOf::<H>::chains(&Start::<H>::new().on(engine), prefix, digests, steps);
}

/// The digests of the messages' digests: `out[i]` is the digest of the digest of `message(i)`, with
/// its pieces hashed from `start`.
#[inline]
pub fn double<'a, H: BatchFunction, E: Engine<H::Compression>, const P: usize>(
    engine: E,
    start: &Start<H>,
    message: impl Fn(usize) -> [&'a [u8]; P],
    out: &mut [Output<H>],
) {
    let fill = filling(message);
    let messages = MessageSource::filled(out.len(), P, &fill);
    let mut hashing = start.on(engine);
    WordOf::<H>::digest_twice(&hashing, &messages, ByteArray::slice_as_flattened_mut(out));
    hashing.wipe();
}

/// Messages per batch; their digests are kept for the other function.
const KEPT: usize = 512;

/// The digests by `G` of the messages' digests by `H`: `out[i]` is the digest of the digest of
/// `message(i)`.
pub fn composed<'a, H, G, E>(engine: E, message: impl Fn(usize) -> &'a [u8], out: &mut [Output<G>])
where
    H: BatchFunction,
    G: BatchFunction,
    E: Engine<H::Compression> + Engine<G::Compression>,
{
    let mut digests: [Output<H>; KEPT] = core::array::from_fn(|_| Output::<H>::default());
    for (c, out) in out.chunks_mut(KEPT).enumerate() {
        let digests = &mut digests[..out.len()];
        list::digest(engine, &Start::<H>::new(), |i| [message(c * KEPT + i)], digests);
        let bytes = ByteArray::slice_as_flattened(digests);
        list::records(engine, &Start::<G>::new(), (bytes, digest_size::<H>()), out);
    }
    wipe::digests(&mut digests);
}
