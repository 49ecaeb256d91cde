//! Cuts bytes that come in pieces into runs of whole blocks, and copies as few as it can.

use alloc::vec::Vec;

use crate::append::append;

/// Short blocks are hashed in batches of so many bytes at least, or a batch would cost more than
/// its blocks.
const LEAST: usize = 4 << 10;

/// Long blocks do not wait for all lanes if that took more bytes than this, but for these lanes.
const MOST: usize = 8 << 20;
const FEW: usize = 16;

/// Bytes that do not make a batch yet.
#[derive(Clone, Debug)]
pub(super) struct Gather {
    buffer: Vec<u8>,
    /// Bytes of a block.
    size: usize,
    /// Bytes that are worth hashing: whole blocks for all lanes.
    batch: usize,
}

impl Gather {
    /// For blocks of `size` bytes on so many lanes.
    pub(super) fn new(size: usize, lanes: usize) -> Self {
        let most = (MOST / size).max(FEW);
        let all_lanes = size.saturating_mul(lanes.min(most));
        let batch = if all_lanes < LEAST { LEAST.next_multiple_of(all_lanes) } else { all_lanes };
        Self { buffer: Vec::new(), size, batch }
    }

    /// The bytes that wait for others.
    pub(super) fn pending(&self) -> &[u8] {
        &self.buffer
    }

    /// Takes the last `n` bytes back.
    pub(super) fn take_back(&mut self, n: usize) {
        self.buffer.truncate(self.buffer.len() - n);
    }

    /// Adds bytes; hands whole batches to `run`, out of `data` itself where it can.
    pub(super) fn push(&mut self, mut data: &[u8], run: impl FnMut(&[u8])) {
        self.push_blocks(&mut data, self.batch, run);
        append(&mut self.buffer, data, self.batch);
    }

    /// Adds the last bytes; hands all whole blocks to `run` and returns the incomplete one.
    pub(super) fn finish(&mut self, mut data: &[u8], mut run: impl FnMut(&[u8])) -> Vec<u8> {
        self.push_blocks(&mut data, self.size, &mut run);
        append(&mut self.buffer, data, self.batch);
        let mut buffer = core::mem::take(&mut self.buffer);
        let whole = buffer.len() / self.size * self.size;
        if whole > 0 {
            run(&buffer[..whole]);
            buffer.drain(..whole);
        }
        buffer
    }

    /// Fills the buffer's batch up, then takes multiples of `unit` from `data`.
    fn push_blocks(&mut self, data: &mut &[u8], unit: usize, mut run: impl FnMut(&[u8])) {
        if !self.buffer.is_empty() {
            let (fill, rest) = data.split_at(data.len().min(self.batch - self.buffer.len()));
            append(&mut self.buffer, fill, self.batch);
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
