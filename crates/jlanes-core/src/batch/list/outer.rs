//! A second hash of the digests: HMAC's outer hash, digests of digests.

use core::slice;

use super::MessageSource;
use crate::{
    batch::hashing::Hashing,
    engine::rehash::{self, DigestBlock, Rehash},
    hash::compression::{LaneBuffer, LaneStates},
    kernel::MAX_LANES,
    simd::lanes::{Word, copy},
};

/// A second hash of digests, with one start for all.
#[derive(Debug)]
pub(crate) struct OuterHash<W: Word> {
    start: rehash::StartStates<W>,
    block: DigestBlock<W>,
}

impl<W: Word> OuterHash<W> {
    /// The hash of `before || digest`, if that is one compression after the whole blocks `before`.
    pub(crate) fn behind(plain: &Hashing<'_, W>, before: &[u8]) -> Option<Self> {
        let block = DigestBlock::after(plain.hash, before.len() as u128)?;
        let mut after = plain.after_blocks(before);
        let start = block.starting_at(rehash::StartStates::Same(after.start));
        after.wipe();
        Some(Self { start, block })
    }

    /// The block around a digest, and the start of the second hash.
    pub(super) fn again(&self) -> (&DigestBlock<W>, &[W]) {
        let rehash::StartStates::Same(start) = &self.start else {
            unreachable!("it is the same for all messages")
        };
        (&self.block, &start.as_ref()[..self.block.state()])
    }

    /// The second hash of `live` lanes' digests.
    pub(super) fn work<'a>(&'a self, digests: LaneStates<'a, W>, live: usize) -> Rehash<'a, W> {
        let starts = slice::from_ref(&self.start);
        Rehash { digests, block: &self.block, starts, rounds: 1, sum: None, live, out: None }
    }

    /// The second hash of messages with digests that have left the lanes.
    pub(super) fn of_digests(
        &self,
        hashing: &Hashing<'_, W>,
        messages: &MessageSource<'_, '_>,
        out: &mut [u8],
    ) {
        let size = hashing.hash.digest;
        let mut order = messages.numbers();
        hashing.with_digests(|digests| {
            loop {
                let mut owners = [0; MAX_LANES];
                let mut live = 0;
                for i in order.by_ref().take(hashing.hash.shape.lanes) {
                    copy(&mut digests[live * size..], &out[i * size..][..size]);
                    owners[live] = i;
                    live += 1;
                }
                if live == 0 {
                    return;
                }
                let digests = &mut digests[..live * size];
                hashing.rehash(&self.block, slice::from_ref(&self.start), 1, digests);
                for (i, digest) in owners.iter().zip(digests.chunks_exact(size)) {
                    copy(&mut out[i * size..], digest);
                }
            }
        });
    }

    /// Wipes the start, which may come from a key.
    pub(crate) fn wipe(&mut self) {
        self.start.wipe();
    }
}

impl<W: Word> Hashing<'_, W> {
    /// Hashes digests again in lanes, if there are enough: `rounds` times, each time from all
    /// starts in turn.
    pub(crate) fn rehash(
        &self,
        block: &DigestBlock<W>,
        starts: &[rehash::StartStates<W>],
        rounds: u64,
        digests: &mut [u8],
    ) {
        let Self { kernels, hash, .. } = self;
        let (mut states, size) = (self.in_lanes(digests), hash.digest);
        kernels.rehash(Rehash {
            digests: states.states(),
            block,
            starts,
            rounds,
            sum: None,
            live: digests.len() / size,
            out: Some((digests, size)),
        });
        states.wipe();
    }

    /// Digests as the first words of lanes' states.
    pub(crate) fn in_lanes(&self, digests: &[u8]) -> LaneBuffer<W> {
        let mut states = LaneBuffer::new(&self.hash.shape);
        for (l, digest) in digests.chunks_exact(self.hash.digest).enumerate() {
            rehash::put_digest(self.hash, &mut states.states(), l, digest);
        }
        states
    }
}
