//! [`BatchBuffer`], a buffer that makes batches of whole blocks from bytes that arrive in pieces, with few copies.

use jlanes_core::wipe::Buffer;

/// The minimum number of bytes of a batch of short blocks: the constant cost of a batch would
/// exceed its blocks' otherwise.
const MIN_BATCH_BYTES: usize = 4 << 10;

/// The maximum number of bytes that wait for full lanes. Longer blocks fill fewer lanes.
const MAX_WAITING_BYTES: usize = 8 << 20;
/// The number of lanes that long blocks fill in any case.
const MIN_LANES_OF_LONG_BLOCKS: usize = 16;

/// Bytes that do not fill a batch yet.
#[derive(Clone, Debug)]
pub(crate) struct BatchBuffer {
    buffer: Buffer,
    /// Bytes of a block.
    size: usize,
    /// Bytes of a batch: whole blocks for all lanes.
    batch: usize,
}

impl BatchBuffer {
    /// A buffer for blocks of `size` bytes on `lanes` lanes.
    pub(crate) fn new(size: usize, lanes: usize) -> Self {
        let most = (MAX_WAITING_BYTES / size).max(MIN_LANES_OF_LONG_BLOCKS);
        let all_lanes = size.saturating_mul(lanes.min(most));
        let batch = if all_lanes < MIN_BATCH_BYTES {
            MIN_BATCH_BYTES.next_multiple_of(all_lanes)
        } else {
            all_lanes
        };
        Self::of(size, batch)
    }

    /// A buffer for blocks of `size` bytes, in batches of `batch` bytes.
    pub(crate) fn of(size: usize, batch: usize) -> Self {
        Self { buffer: Buffer::new(), size, batch }
    }

    /// Changes the size of batches to `batch` bytes, which are more than are waiting.
    #[cfg(feature = "skein")]
    pub(crate) fn widen(&mut self, batch: usize) {
        self.batch = batch;
    }

    /// Takes the buffer with the waiting bytes, to work on them. An empty one with the same sizes stays, so that a
    /// panic in between leaves it usable.
    #[cfg(any(feature = "sha3", feature = "skein"))]
    pub(crate) fn take(&mut self) -> Self {
        Self { buffer: core::mem::take(&mut self.buffer), ..*self }
    }

    /// Forgets the waiting bytes.
    #[cfg(feature = "sha3")]
    pub(crate) fn clear(&mut self) {
        self.buffer.clear();
    }

    /// The waiting bytes.
    pub(crate) fn pending(&self) -> &[u8] {
        &self.buffer
    }

    /// The waiting bytes, to change them.
    #[cfg(feature = "skein")]
    pub(crate) fn pending_mut(&mut self) -> &mut [u8] {
        &mut self.buffer
    }

    /// Calls `run` with the waiting bytes, which are whole blocks, if there are any.
    pub(crate) fn flush(&mut self, run: impl FnOnce(&[u8])) {
        debug_assert!(self.buffer.len().is_multiple_of(self.size));
        if !self.buffer.is_empty() {
            run(&self.buffer);
            self.buffer.clear();
        }
    }

    /// Appends bytes; calls `run` with whole batches, in place in `data` if possible.
    pub(crate) fn push(&mut self, mut data: &[u8], run: impl FnMut(&[u8])) {
        self.push_blocks(&mut data, self.batch, run);
        self.buffer.append_within(data, self.batch);
    }

    /// Appends the last bytes; calls `run` with all whole blocks and returns the incomplete one.
    pub(crate) fn finish(&mut self, mut data: &[u8], mut run: impl FnMut(&[u8])) -> Buffer {
        self.push_blocks(&mut data, self.size, &mut run);
        self.buffer.append_within(data, self.batch);
        let mut buffer = core::mem::take(&mut self.buffer);
        let whole = buffer.len() / self.size * self.size;
        if whole > 0 {
            run(&buffer[..whole]);
            buffer.remove_front(whole);
        }
        buffer
    }

    /// Completes the buffered batch, then takes multiples of `unit` from `data`.
    fn push_blocks(&mut self, data: &mut &[u8], unit: usize, mut run: impl FnMut(&[u8])) {
        if !self.buffer.is_empty() {
            let (fill, rest) = data.split_at(data.len().min(self.batch - self.buffer.len()));
            self.buffer.append_within(fill, self.batch);
            *data = rest;
            if self.buffer.len() < self.batch {
                return;
            }
            run(&self.buffer);
            self.buffer.clear();
        }
        let (whole, rest) = data.split_at(data.len() / unit * unit);
        if !whole.is_empty() {
            run(whole);
        }
        *data = rest;
    }
}
