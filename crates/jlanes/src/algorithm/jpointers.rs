//! The parts of j-pointers, for callers with messages that are not in memory.

use alloc::vec::Vec;

use jlanes_tree::profile::JPOINTERS;

use super::BaseHash;

impl BaseHash {
    /// The bytes that precede a message as a leaf of [`JPointers`](crate::tree::JPointers).
    pub(super) fn leaf_prefix(self, raw: bool) -> Vec<u8> {
        if raw { Vec::new() } else { JPOINTERS.leaf(0, self.word_size()).fill(self.block_size()) }
    }

    /// The block that precedes the digests of `count` leaves with `total` bytes of messages, which
    /// [`Parameters::leaf`](super::Parameters::leaf) selects.
    ///
    /// ```
    /// use jlanes::{
    ///     Algorithm, Backend, Sha512,
    ///     algorithm::{Fixed, BaseHash, Parameters},
    ///     multi::Messages,
    ///     tree::JPointers,
    /// };
    ///
    /// let messages = [&b"one"[..], b"another"];
    /// let leaves = "jpointers-sha512".parse::<Algorithm>()?.with(Parameters::leaf())?.lanes()?;
    /// let hash = BaseHash::Fixed(Fixed::Sha512);
    /// let mut root = hash.hasher_on(Backend::detect());
    /// root.update(&hash.pointers_root(2, 3 + 7));
    /// root.update(&leaves.digests(Messages::slices(&messages)));
    /// assert_eq!(*root.finalize(), *JPointers::<Sha512>::digest(&messages));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pointers_root(self, count: u32, total: u64) -> Vec<u8> {
        JPOINTERS.root(count, self.word_size(), total).fill(self.block_size())
    }
}
