//! The parts of j-pointers, for callers with messages that are not in memory.

use alloc::vec::Vec;

use jlanes_tree::profile::JPOINTERS;

use super::Hash;

impl Hash {
    /// The block that precedes a message as a leaf of [`JPointers`](crate::tree::JPointers).
    ///
    /// ```
    /// use jlanes::{Backend, Sha512, algorithm::{Fixed, Hash}, tree::JPointers};
    ///
    /// let (hash, messages) = (Hash::Fixed(Fixed::Sha512), [&b"one"[..], b"another"]);
    /// let mut root = hash.hasher_on(Backend::detect());
    /// root.update(&hash.pointers_root(2, 3 + 7));
    /// for message in messages {
    ///     let mut leaf = hash.hasher_on(Backend::detect());
    ///     leaf.update(&hash.pointers_leaf());
    ///     leaf.update(message);
    ///     root.update(&leaf.finalize());
    /// }
    /// assert_eq!(*root.finalize(), *JPointers::<Sha512>::digest(&messages));
    /// ```
    #[must_use]
    pub fn pointers_leaf(self) -> Vec<u8> {
        JPOINTERS.leaf(0, self.word_size()).fill(self.block_size())
    }

    /// The block that precedes the digests of `count` leaves with `total` bytes of messages.
    #[must_use]
    pub fn pointers_root(self, count: u32, total: u64) -> Vec<u8> {
        JPOINTERS.root(count, self.word_size(), total).fill(self.block_size())
    }
}
