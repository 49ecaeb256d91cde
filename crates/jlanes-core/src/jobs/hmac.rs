//! HMAC (RFC 2104) of many messages at once, under one key or one key per message.
//!
//! `HMAC(K, m) = H(K ^ opad || H(K ^ ipad || m))`, with the key `K` zero-padded to a block; a key
//! longer than a block is hashed first. Both hashes are batches. With one key, the states after `K
//! ^ ipad` and `K ^ opad` are computed once.

use super::{
    chains,
    hashing::Hashing,
    in_memory::batch::{Batch, filling},
};
use crate::{
    compression::{LaneBuffer, LaneStart, MAX_BLOCK_BYTES, MAX_LANES},
    lanes::{
        messages::{LaneWork, Route},
        rehash::DigestBlock,
    },
    simd::vector::{Array, Word},
    wipe,
};

/// [`hmac`](crate::function::Function::hmac).
pub(crate) fn one_key<W: Word>(
    plain: &Hashing<'_, W>,
    key: &[u8],
    prefix: &[u8],
    messages: &Batch<'_, '_>,
    out: &mut [u8],
) {
    let hash = plain.hash;
    let mut pads = [Pads::EMPTY];
    Pads::add_keys(plain, &[key], &mut pads);
    let block = hash.shape.block_bytes;
    let (ipad, opad) = (pads[0].inner(block), pads[0].outer(block));
    let mut outer = if messages.len() > 1 { plain.outer_after(opad) } else { None };
    let inner = Hashing { outer: outer.as_ref(), ..*plain };
    if hash.padding.held_back() > 0 && prefix.is_empty() && messages.has_empty() {
        // the key's block is the message's last one, which is compressed differently
        inner.digest(&messages.prefixed_by(&[ipad]), out);
    } else {
        let mut keyed = inner.after_blocks(ipad);
        keyed.digest_prefixed(prefix, messages, out);
        keyed.wipe();
    }
    match &mut outer {
        Some(outer) => outer.wipe(),
        None => chains::chains(plain, opad, out, 1),
    }
}

/// Messages with keys that are expanded together: enough that in a batch of unequal lengths short
/// messages make up for long ones; few enough that the blocks stay in the first-level cache and
/// that they and the states, of 200 bytes each with 64-bit words, leave half of a small stack.
const GROUP_KEYS: usize = 64;

/// [`hmac_keyed`](crate::function::Function::hmac_keyed).
pub(crate) fn many_keys<W: Word>(
    plain: &Hashing<'_, W>,
    keys: &Batch<'_, '_>,
    prefix: &[u8],
    messages: &Batch<'_, '_>,
    out: &mut [u8],
) {
    let hash = plain.hash;
    let outer = DigestBlock::after(hash, plain.digest_bytes, hash.shape.block_bytes as u128);
    let groups = out.chunks_mut(GROUP_KEYS * plain.digest_bytes);
    for (first, out) in (0..).step_by(GROUP_KEYS).zip(groups) {
        let count = out.len() / plain.digest_bytes;
        let mut pads = [const { Pads::EMPTY }; GROUP_KEYS];
        let pads = &mut pads[..count];
        let mut slices = [&[] as &[u8]; GROUP_KEYS];
        keys.part_keeping_indices(first..first + count).fill_own_pieces(&mut slices[..count]);
        Pads::add_keys(plain, &slices[..count], pads);
        let mut slices = [&[] as &[u8]; GROUP_KEYS];
        let slices = &mut slices[..count];
        messages.part_keeping_indices(first..first + count).fill_own_pieces(slices);
        let message = |i: usize| [prefix, slices[i], &[]];
        match &outer {
            Some(block) => {
                // where a key's block may be the last one, which is compressed differently, its midstate does not help
                if prefix.is_empty() && hash.padding.held_back() == 0 {
                    digest_from_midstates(plain, pads, slices, out);
                } else {
                    inner_digests(plain, pads, message, out);
                }
                outer_digests(plain, pads, block, out);
            }
            None => tags(plain, pads, message, out),
        }
    }
}

/// The inner digests of up to [`GROUP_KEYS`] messages in one piece, each under its own key.
fn digest_from_midstates<W: Word>(
    plain: &Hashing<'_, W>,
    pads: &[Pads],
    messages: &[&[u8]],
    out: &mut [u8],
) {
    let shape = &plain.hash.shape;
    let mut inner = [W::State::splat(W::default()); GROUP_KEYS];
    let inner = &mut inner[..pads.len()];
    for (pads, inner) in pads.chunks(shape.max_lanes).zip(inner.chunks_mut(shape.max_lanes)) {
        let mut states = midstates(plain, pads, |pads| pads.inner(shape.block_bytes));
        for (l, inner) in inner.iter_mut().enumerate() {
            states.get_into(l, &mut inner.as_mut()[..shape.state_words]);
        }
        states.wipe();
    }
    let keyed = Hashing { before: shape.block_bytes as u128, ..*plain };
    keyed.digest_from_each(&Batch::slices(messages), inner, out);
    inner.iter_mut().for_each(|state| wipe::words(state.as_mut()));
}

/// Replaces the inner digests of messages, each under its own key, by their tags.
fn outer_digests<W: Word>(
    plain: &Hashing<'_, W>,
    pads: &[Pads],
    block: &DigestBlock<W>,
    out: &mut [u8],
) {
    let shape = &plain.hash.shape;
    let size = shape.max_lanes * plain.digest_bytes;
    for (pads, out) in pads.chunks(shape.max_lanes).zip(out.chunks_mut(size)) {
        let mut outer = midstates(plain, pads, |pads| pads.outer(shape.block_bytes));
        block.prepare_starts(&mut outer);
        plain.rehash_bytes(block, &[LaneStart::Each(outer.rows(0))], 1, out);
        outer.wipe();
    }
}

/// A key as the two blocks that HMAC hashes first.
pub(super) struct Pads {
    inner: [u8; MAX_BLOCK_BYTES],
    outer: [u8; MAX_BLOCK_BYTES],
}

impl Pads {
    /// The blocks of an empty key.
    pub(super) const EMPTY: Self =
        Self { inner: [0x36; MAX_BLOCK_BYTES], outer: [0x5c; MAX_BLOCK_BYTES] };

    /// Writes keys into the pads in place: two arrays of pads would be too large for the stack.
    pub(super) fn add_keys<W: Word>(plain: &Hashing<'_, W>, keys: &[&[u8]], pads: &mut [Self]) {
        let (block, size) = (plain.hash.shape.block_bytes, plain.digest_bytes);
        for (keys, pads) in keys.chunks(MAX_LANES).zip(pads.chunks_mut(MAX_LANES)) {
            let mut long = [&[] as &[u8]; MAX_LANES];
            let mut owners = [0; MAX_LANES];
            let mut count = 0;
            for (i, key) in keys.iter().enumerate() {
                if key.len() > block {
                    (long[count], owners[count]) = (key, i);
                    count += 1;
                } else {
                    pads[i].add(key);
                }
            }
            if count == 0 {
                continue;
            }
            plain.with_digest_buffer(|digests| {
                let digests = &mut digests[..count * size];
                plain.digest(&Batch::slices(&long[..count]), digests);
                for (owner, digest) in owners.iter().zip(digests.chunks_exact(size)) {
                    // no hash that HMAC is defined for has digests longer than its blocks;
                    // RustCrypto's `SimpleHmac` truncates the others the same way
                    pads[*owner].add(&digest[..size.min(block)]);
                }
            });
        }
    }

    /// Xors a key into the pads.
    fn add(&mut self, key: &[u8]) {
        for pad in [&mut self.inner, &mut self.outer] {
            pad.iter_mut().zip(key).for_each(|(pad, key)| *pad ^= key);
        }
    }

    /// `K ^ ipad`, for blocks of `block` bytes.
    pub(super) fn inner(&self, block: usize) -> &[u8] {
        &self.inner[..block]
    }

    /// `K ^ opad`, for blocks of `block` bytes.
    pub(super) fn outer(&self, block: usize) -> &[u8] {
        &self.outer[..block]
    }
}

#[cfg(feature = "zeroize")]
impl Drop for Pads {
    fn drop(&mut self) {
        wipe::bytes(&mut self.inner);
        wipe::bytes(&mut self.outer);
    }
}

/// The states after one block per lane, `pad` of each key.
pub(super) fn midstates<W: Word>(
    plain: &Hashing<'_, W>,
    pads: &[Pads],
    pad: impl Fn(&Pads) -> &[u8],
) -> LaneBuffer<W> {
    let mut runs = [&[] as &[u8]; MAX_LANES];
    runs.iter_mut().zip(pads).for_each(|(run, pads)| *run = pad(pads));
    let mut states = LaneBuffer::new(&plain.hash.shape);
    let route = Route::StartToStates { start: plain.start(), states: states.states() };
    LaneWork::new(&runs[..pads.len()], 1).run(route, &plain.kernels);
    states
}

/// The tags of messages of three pieces, each under its own key.
pub(super) fn tags<'a, W: Word>(
    plain: &Hashing<'_, W>,
    keys: &[Pads],
    message: impl Fn(usize) -> [&'a [u8]; 3] + Sync,
    out: &mut [u8],
) {
    let (block, size) = (plain.hash.shape.block_bytes, plain.digest_bytes);
    inner_digests(plain, keys, message, out);
    for (keys, out) in keys.chunks(MAX_LANES).zip(out.chunks_mut(MAX_LANES * size)) {
        plain.with_digest_buffer(|inner| {
            let inner = &mut inner[..out.len()];
            inner.copy_from_slice(out);
            let fill = filling(|l| [keys[l].outer(block), &inner[l * size..][..size]]);
            plain.digest(&Batch::filled(keys.len(), &fill), out);
        });
    }
}

/// The inner digests of messages of three pieces, each under its own key.
pub(super) fn inner_digests<'a, W: Word>(
    plain: &Hashing<'_, W>,
    keys: &[Pads],
    message: impl Fn(usize) -> [&'a [u8]; 3] + Sync,
    out: &mut [u8],
) {
    let block = plain.hash.shape.block_bytes;
    let fill = filling(|i| {
        let [first, second, third] = message(i);
        [keys[i].inner(block), first, second, third]
    });
    plain.digest(&Batch::filled(keys.len(), &fill), out);
}
