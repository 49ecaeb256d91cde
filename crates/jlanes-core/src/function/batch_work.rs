//! [`BatchWork`], the size of a batch: how many parts for threads are worth it, by the costs of the kernels.

use crate::{kernel::Kernels, simd::vector::Word};

/// The parameters that determine the time of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchWork {
    /// Number of messages.
    pub messages: usize,
    /// Blocks of all messages.
    pub blocks: u64,
    /// Blocks of the longest message.
    pub longest: u64,
}

/// The minimum number of bytes of a part: a task costs some microseconds, as much as hashing this.
const MIN_PART_BYTES: u64 = 64 << 10;

/// Parts per thread, so that a delayed thread does not delay the others for long.
const PARTS_PER_THREAD: usize = 16;

impl BatchWork {
    /// `messages` messages of `blocks` blocks each.
    #[must_use]
    pub fn of_equal(messages: usize, blocks: u64) -> Self {
        Self { messages, blocks: blocks.saturating_mul(messages as u64), longest: blocks }
    }

    /// This batch with one more message, of `blocks` blocks.
    #[must_use]
    pub fn with(self, blocks: u64) -> Self {
        Self {
            messages: self.messages + 1,
            blocks: self.blocks.saturating_add(blocks),
            longest: self.longest.max(blocks),
        }
    }

    /// The number of bytes that threads can share, in blocks of `block` bytes: none of a single message.
    #[must_use]
    pub fn shared_bytes(self, block: usize) -> usize {
        let blocks = if self.messages > 1 { self.blocks } else { 0 };
        usize::try_from(blocks).map_or(usize::MAX, |blocks| blocks.saturating_mul(block))
    }

    /// The best number of parts, of about equal numbers of blocks, for a number of threads.
    ///
    /// Half-filled lanes may run at half their speed. Then two threads take as long as one and cost
    /// twice as much, so this is the smallest number of parts that takes hardly longer than the
    /// best number. If all threads have full lanes, there are more parts of full lanes.
    #[must_use]
    pub fn parts<W: Word>(self, kernels: &Kernels<W>, threads: usize) -> usize {
        let bytes = self.blocks.saturating_mul(kernels.shape.block_bytes as u64);
        self.best_parts(bytes, kernels.lanes_to_fill(), &|live| kernels.step_cycles(live), threads)
    }

    /// [`parts`](Self::parts) of `bytes` bytes on kernels that fill `lanes` lanes. `step` returns the cycles of
    /// one block in a number of lanes.
    fn best_parts(
        self,
        bytes: u64,
        lanes: usize,
        step: &dyn Fn(usize) -> u32,
        threads: usize,
    ) -> usize {
        let max_parts = usize::try_from(bytes / MIN_PART_BYTES).unwrap_or(usize::MAX);
        let most = threads.min(self.messages).min(max_parts);
        if most <= 1 {
            return 1;
        }
        let time = |parts: usize| self.largest_part(parts).cycles(lanes, step);
        let best = (1..=most).map(time).min().unwrap_or_default();
        let fewest = (1..most).find(|parts| time(*parts) <= best + best / 8).unwrap_or(most);
        if fewest < threads {
            return fewest;
        }
        (self.messages / lanes).min(max_parts).clamp(fewest, PARTS_PER_THREAD * threads)
    }

    /// The largest of `parts` parts.
    fn largest_part(self, parts: usize) -> Self {
        Self {
            messages: self.messages.div_ceil(parts),
            blocks: self.blocks.div_ceil(parts as u64).max(self.longest),
            longest: self.longest,
        }
    }

    /// The approximate time on one thread: of the longest message alone, or of all blocks on as
    /// many lanes as they keep filled.
    fn cycles(self, lanes: usize, step: &dyn Fn(usize) -> u32) -> u64 {
        let filled = self.blocks / self.longest.max(1);
        let lanes = lanes.min(self.messages).min(filled as usize).max(1);
        let steps = self.blocks.div_ceil(lanes as u64).max(self.longest);
        steps.saturating_mul(step(lanes).into())
    }
}

#[cfg(test)]
mod tests {
    use super::BatchWork;

    /// Parts on eight lanes: at half their speed with four live lanes, at the speed of one stream below.
    fn parts(load: BatchWork, threads: usize) -> usize {
        let step = |live| if live < 4 { 200 * live as u32 } else { 650 };
        load.best_parts(load.blocks.saturating_mul(64), 8, &step, threads)
    }

    #[test]
    fn messages_are_added() {
        let load = BatchWork::of_equal(2, 3).with(5).with(4);
        assert_eq!(load, BatchWork { messages: 4, blocks: 15, longest: 5 });
        assert_eq!(BatchWork::of_equal(3, u64::MAX).blocks, u64::MAX);
        assert_eq!(load.shared_bytes(64), 15 * 64);
        assert_eq!(BatchWork::of_equal(1, 1 << 30).shared_bytes(64), 0);
        assert_eq!(BatchWork::of_equal(3, u64::MAX).shared_bytes(64), usize::MAX);
    }

    #[test]
    fn lanes_of_one_thread_are_filled_first() {
        let long = 1 << 20;
        assert_eq!(parts(BatchWork::of_equal(8, long), 2), 1, "half the lanes take as long");
        assert_eq!(parts(BatchWork::of_equal(8, long), 4), 4, "two streams are faster");
        assert_eq!(parts(BatchWork::of_equal(4, long), 2), 2);
        assert_eq!(parts(BatchWork::of_equal(16, long), 2), 2);
        assert_eq!(parts(BatchWork::of_equal(24, long), 3), 3);
    }

    #[test]
    fn parts_are_lanes_full_and_worth_a_task() {
        assert_eq!(parts(BatchWork::of_equal(1000, 1), 2), 1, "62 KiB");
        assert_eq!(parts(BatchWork::of_equal(2500, 1), 2), 2);
        assert_eq!(parts(BatchWork::of_equal(80, 1 << 20), 2), 10);
        assert_eq!(parts(BatchWork::of_equal(1 << 20, 1 << 10), 2), 32);
        assert_eq!(parts(BatchWork::of_equal(1 << 20, 1 << 10), 1), 1);
        assert_eq!(parts(BatchWork::default(), 8), 1);
    }

    #[test]
    fn a_message_that_is_longer_than_all_others_bounds_the_time() {
        let alone = BatchWork::of_equal(1, 1 << 30);
        assert_eq!(parts(alone, 8), 1);
        let beside = (0..15).fold(alone, |load, _| load.with(1 << 10));
        assert_eq!(parts(beside, 8), 1);
    }
}
