//! Hashes of digests in memory: the outer one of HMAC and of double digests, and chains.

use super::batch::Batch;
use crate::{
    compression::{ContiguousDigests, LaneBuffer, LaneStart, MAX_LANES},
    jobs::hashing::Hashing,
    lanes::rehash::{self, DigestBlock, OuterHash, RehashDigests, RehashWork},
    simd::{copy::copy, vector::Word},
};

impl<W: Word> Hashing<'_, W> {
    /// The hash of `before || digest`, if that is one compression after the whole blocks `before`.
    pub(crate) fn outer_after(&self, before: &[u8]) -> Option<OuterHash<W>> {
        let block = DigestBlock::after(self.hash, self.digest_bytes, before.len() as u128)?;
        let mut after = self.after_blocks(before);
        let outer = OuterHash::new(after.start, block);
        after.wipe();
        Some(outer)
    }

    /// Replaces the digests of messages, which have left the lanes, by their outer hashes.
    pub(super) fn hash_digests(
        &self,
        outer: &OuterHash<W>,
        messages: &Batch<'_, '_>,
        out: &mut [u8],
    ) {
        let size = self.digest_bytes;
        let mut order = messages.indices();
        self.with_digest_buffer(|digests| {
            loop {
                let mut owners = [0; MAX_LANES];
                let mut live = 0;
                for i in order.by_ref().take(self.hash.shape.max_lanes) {
                    copy(&mut digests[live * size..], &out[i * size..][..size]);
                    owners[live] = i;
                    live += 1;
                }
                if live == 0 {
                    return;
                }
                let digests = &mut digests[..live * size];
                self.rehash_bytes(&outer.block, &[LaneStart::Same(outer.start())], 1, digests);
                for (i, digest) in owners.iter().zip(digests.chunks_exact(size)) {
                    copy(&mut out[i * size..], digest);
                }
            }
        });
    }

    /// Hashes digests again in lanes, if there are enough: `rounds` times, each time from all
    /// starts in turn.
    pub(crate) fn rehash_bytes(
        &self,
        block: &DigestBlock<W>,
        starts: &[LaneStart<'_, W>],
        rounds: u64,
        digests: &mut [u8],
    ) {
        let size = self.digest_bytes;
        let live = digests.len() / size;
        let digests = RehashDigests::Bytes(ContiguousDigests { bytes: digests, size });
        self.kernels.rehash(RehashWork { digests, block, starts, rounds, xor_sum: None, live });
    }

    /// Digests as the first words of lanes' states.
    pub(crate) fn digest_states(&self, digests: &[u8]) -> LaneBuffer<W> {
        let mut states = LaneBuffer::new(&self.hash.shape);
        for (l, digest) in digests.chunks_exact(self.digest_bytes).enumerate() {
            rehash::put_digest(self.hash, &mut states.states(), l, digest);
        }
        states
    }
}
