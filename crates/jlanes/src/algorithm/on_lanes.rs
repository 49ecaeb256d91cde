//! Hash functions of messages that share lanes.

use alloc::boxed::Box;
use core::iter::repeat_n;

use jlanes_core::{
    batch::{MessageSource, function::AnyFunction},
    compression::MAX_LANES,
    hash::MAX_DIGEST,
    room::list,
    wipe::Buffer,
};

/// Writes a digest from the output of a lane.
pub(super) type ToDigest = Box<dyn Fn(&[u8], &mut [u8]) + Send>;

/// A hash function of messages that share lanes.
pub(super) struct OnLanes {
    pub(super) function: AnyFunction,
    /// What precedes every message: the block of BLAKE2's key, or the leaf prefix of j-pointers.
    pub(super) first: Buffer,
    pub(super) digest: ToDigest,
}

impl OnLanes {
    /// A function with digests that are the start of the lanes' output.
    pub(super) fn of(function: AnyFunction) -> Self {
        let digest = |end: &[u8], out: &mut [u8]| out.copy_from_slice(&end[..out.len()]);
        Self { function, first: Buffer::new(), digest: Box::new(digest) }
    }

    /// Writes the digests of `messages`, each of `size` bytes, after `prefix`.
    pub(super) fn digests(self, prefix: &[u8], messages: &[&[u8]], size: usize, out: &mut [u8]) {
        let Self { function, mut first, digest } = self;
        first.append(prefix);
        let width = function.output_size();
        let digests = |messages: &[&[u8]], ends: &mut [u8], out: &mut [u8]| {
            function.digest(&first, &MessageSource::slices(messages), ends);
            for (end, out) in ends.chunks_exact(width).zip(out.chunks_exact_mut(size)) {
                digest(end, out);
            }
        };
        if let Some(mut ends) = list(repeat_n(0, messages.len() * width)) {
            return digests(messages, &mut ends, out);
        }
        // without memory for all ends, as many as there are lanes
        let mut ends = [0; MAX_LANES * MAX_DIGEST];
        for (messages, out) in messages.chunks(MAX_LANES).zip(out.chunks_mut(MAX_LANES * size)) {
            digests(messages, &mut ends[..messages.len() * width], out);
        }
    }
}
