//! Repeated hashing of digests: chains, double digests, and digests by another function.

use digest::array::Array as ByteArray;

use super::{
    Start,
    hashing::Hashing,
    jobs::Jobs,
    list::{self, MessageSource, OuterHash, filling},
};
use crate::{
    compression::LaneStart,
    engine::{Engine, rehash::DigestBlock},
    hash::{HashFunction, Output, WordOf, digest_size},
    simd::lanes::Word,
    wipe,
};

/// Replaces every digest `d` by the digest of `prefix || d`, `steps` times.
///
/// If the prefix is whole blocks and a digest with its padding fits one block, a step is one
/// compression, and the digests stay in the lanes between steps.
#[inline]
pub fn digest<H: HashFunction, E: Engine<H::Compression>>(
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
pub fn double<'a, H: HashFunction, E: Engine<H::Compression>, const P: usize>(
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
    wipe::digests(&mut digests);
}

/// [`digest()`].
pub(crate) fn chains<W: Word>(
    plain: &Hashing<'_, W>,
    prefix: &[u8],
    digests: &mut [u8],
    steps: u64,
) {
    let (mut after, rest) = plain.after(prefix);
    let (hash, size) = (plain.hash, plain.hash.digest);
    // a single digest does not justify a lane
    let in_lanes = rest.is_empty() && (digests.len() > size || steps > 1);
    let block = if in_lanes { DigestBlock::after(hash, after.before) } else { None };
    let mut start = after.start;
    let start = &mut start.as_mut()[..hash.shape.state];
    if let Some(block) = &block {
        block.finish_start(start);
    }
    // avoids groups of size 0 for empty digests
    for group in digests.chunks_mut((hash.shape.lanes * size).max(1)) {
        let Some(block) = &block else {
            plain.with_digests(|before| {
                let before = &mut before[..group.len()];
                for _ in 0..steps {
                    before.copy_from_slice(group);
                    let records = MessageSource::records(group.len() / size, before, size);
                    after.digest(&records.behind(&[rest]), group);
                }
            });
            continue;
        };
        plain.rehash(block, &[LaneStart::Same(start)], steps, group);
    }
    wipe::words(start);
    after.wipe();
}

/// [`double()`].
pub(crate) fn digest_twice<W: Word>(
    first: &Hashing<'_, W>,
    messages: &MessageSource<'_, '_>,
    out: &mut [u8],
) {
    let plain = Hashing { start: first.hash.start(), before: 0, ..*first };
    let outer = if messages.len() > 1 { OuterHash::behind(&plain, &[]) } else { None };
    Hashing { outer: outer.as_ref(), ..*first }.digest(messages, out);
    if outer.is_none() {
        chains(&plain, &[], out, 1);
    }
}
