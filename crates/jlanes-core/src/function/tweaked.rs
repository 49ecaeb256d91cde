//! Chains of hashes with a tweak for every step, as in hash-based signatures. The hash is a function from
//! records to digests, so the chains are compiled once for all hashes.

use alloc::vec::Vec;
use core::{cmp::Reverse, fmt, ops::Range};

use crate::{lanes::outputs::Destinations, simd::copy::copy, wipe};

/// Chains of hashes in which every step of every chain has its own tweak, as in WOTS+:
///
/// ```text
/// value = digest(prefix || tweak(chain, step) || value), truncated to the length of the value
/// ```
#[derive(Clone, Copy)]
pub struct TweakedChains<'c> {
    /// Returns the steps of a chain: from the step that its value is at, up to the step after the last.
    pub steps: &'c (dyn Fn(usize) -> Range<u64> + Sync),
    /// Bytes of a tweak.
    pub size: usize,
    /// Writes the tweak of a chain's step. It gets the chain and the step.
    pub tweak: &'c (dyn Fn(usize, u64, &mut [u8]) + Sync),
}

impl fmt::Debug for TweakedChains<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TweakedChains {{ size: {}, .. }}", self.size)
    }
}

/// Hashes contiguous records of a number of bytes to contiguous digests.
pub type DigestRecords<'d> = dyn FnMut(&[u8], usize, &mut [u8]) + 'd;

/// Chains that advance together: enough that short ones hardly ever leave lanes empty, and few enough
/// that their records stay in the first-level cache.
const LIVE_CHAINS: usize = 256;

/// A chain in progress.
#[derive(Clone)]
struct LiveChain {
    chain: usize,
    steps: Range<u64>,
}

impl TweakedChains<'_> {
    /// Calls `run` with the same chains without the first `first`.
    pub fn skip(&self, first: usize, run: &mut dyn FnMut(&TweakedChains<'_>)) {
        if first == 0 {
            return run(self);
        }
        run(&TweakedChains {
            steps: &|chain| (self.steps)(first + chain),
            size: self.size,
            tweak: &|chain, step, tweak| (self.tweak)(first + chain, step, tweak),
        });
    }

    /// The number of steps of a chain.
    #[must_use]
    pub fn count(&self, chain: usize) -> u64 {
        let Range { start, end } = (self.steps)(chain);
        end.saturating_sub(start)
    }

    /// Advances `count` chains to their ends. `digest` hashes records to digests of `size` bytes.
    ///
    /// # Panics
    /// If the values are not of one length, from 1 to `size` bytes.
    pub fn run(
        &self,
        count: usize,
        values: &mut dyn Destinations,
        size: usize,
        digest: &mut DigestRecords<'_>,
    ) {
        if count == 0 {
            return;
        }
        let value = values.get(0).len();
        assert!((1..=size).contains(&value), "a value is 1 to {size} bytes");
        let equal = (0..count).all(|chain| values.get(chain).len() == value);
        assert!(equal, "all values have the same length");

        let mut order: Vec<usize> = (0..count).filter(|chain| self.count(*chain) > 0).collect();
        // the longest chains first, so none of them is left alone
        order.sort_by_cached_key(|chain| Reverse(self.count(*chain)));
        let room = order.len().min(LIVE_CHAINS);
        let mut waiting =
            order.into_iter().map(|chain| LiveChain { chain, steps: (self.steps)(chain) });
        let width = self.size + value;
        let (mut records, mut digests) =
            (alloc::vec![0; room * width], alloc::vec![0; room * size]);
        let mut live: Vec<LiveChain> = waiting.by_ref().take(room).collect();
        for (LiveChain { chain, .. }, record) in live.iter().zip(records.chunks_exact_mut(width)) {
            copy(&mut record[self.size..], values.get(*chain));
        }
        while !live.is_empty() {
            for (live, record) in live.iter().zip(records.chunks_exact_mut(width)) {
                (self.tweak)(live.chain, live.steps.start, &mut record[..self.size]);
            }
            let digests = &mut digests[..live.len() * size];
            digest(&records[..live.len() * width], width, digests);
            // a chain that ends leaves its place to a waiting one; without one, those behind it move up
            let mut kept = 0;
            for (l, digest) in digests.chunks_exact(size).enumerate() {
                let mut advanced = live[l].clone();
                advanced.steps.start += 1;
                let mut next = &digest[..value];
                if advanced.steps.is_empty() {
                    copy(values.get(advanced.chain), next);
                    let Some(other) = waiting.next() else { continue };
                    advanced = other;
                    next = values.get(advanced.chain);
                }
                copy(&mut records[kept * width + self.size..][..value], next);
                live[kept] = advanced;
                kept += 1;
            }
            live.truncate(kept);
        }
        wipe::bytes(&mut records);
        wipe::bytes(&mut digests);
    }
}
