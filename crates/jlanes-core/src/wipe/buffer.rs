//! Bytes on the heap that are wiped.

use alloc::vec::Vec;
use core::{
    fmt,
    ops::{Deref, DerefMut},
};

use crate::memory;

/// Bytes of a key or a message, or values derived from them. With the feature `zeroize` they are wiped
/// when the buffer is dropped and when it moves because it grows.
///
/// Every method that grows it panics without memory.
#[derive(Default)]
pub struct Buffer(Vec<u8>);

impl Buffer {
    /// An empty buffer.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Appends `data`.
    pub fn append(&mut self, data: &[u8]) {
        self.append_within(data, usize::MAX);
    }

    /// Appends `data` to a buffer that never exceeds `max_len` bytes. It doubles as vectors do up to half
    /// of `max_len`, and then reserves exactly `max_len`: doubling a buffer of long leaves would waste as
    /// much again.
    pub fn append_within(&mut self, data: &[u8], max_len: usize) {
        self.grow(self.len() + data.len(), max_len);
        self.0.extend_from_slice(data);
    }

    /// Cuts or appends zeros.
    pub fn resize(&mut self, len: usize) {
        self.grow(len, usize::MAX);
        self.0.resize(len, 0);
    }

    /// Makes room for `len` bytes.
    fn grow(&mut self, len: usize, max_len: usize) {
        if len > self.0.capacity() {
            let doubled = self.0.capacity().saturating_mul(2).max(len);
            self.reserve(if doubled >= max_len / 2 { max_len.max(len) } else { doubled });
        }
    }

    /// Makes room for `capacity` bytes in total.
    #[cfg(not(feature = "zeroize"))]
    fn reserve(&mut self, capacity: usize) {
        memory::reserve(&mut self.0, capacity);
    }

    /// Makes room for `capacity` bytes in total, and wipes the old place.
    #[cfg(feature = "zeroize")]
    fn reserve(&mut self, capacity: usize) {
        let mut grown = Vec::new();
        memory::reserve(&mut grown, capacity);
        grown.extend_from_slice(self);
        *self = Self(grown);
    }

    /// Removes all bytes, which stay in memory until others overwrite them or the buffer is dropped.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the first `n` bytes.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn remove_front(&mut self, n: usize) {
        self.0.drain(..n);
    }
}

/// Never shows the bytes.
impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.len())
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&[u8]> for Buffer {
    fn from(bytes: &[u8]) -> Self {
        let mut copy = Self::new();
        copy.append_within(bytes, bytes.len());
        copy
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        Self::from(&self[..])
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

#[cfg(feature = "zeroize")]
impl Drop for Buffer {
    fn drop(&mut self) {
        // the whole capacity, because removed bytes are still there
        self.0.resize(self.0.capacity(), 0);
        super::bytes(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn its_bytes_are_not_shown() {
        let key = Buffer::from(&b"secret"[..]);
        assert_eq!(alloc::format!("{key:?}"), "Buffer(6 bytes)");
    }

    #[test]
    fn it_doubles_up_to_half_of_its_most() {
        let mut buffer = Buffer::new();
        let mut capacities = Vec::new();
        for _ in 0..100 {
            buffer.append_within(&[7], 100);
            capacities.push(buffer.0.capacity());
        }
        capacities.dedup();
        assert_eq!((&buffer.0, capacities), (&vec![7; 100], vec![1, 2, 4, 8, 16, 32, 100]));
    }
}
