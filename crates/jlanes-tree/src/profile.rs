//! The prefixes of the leaves and the root of j-lanes and j-pointers.
//!
//! A prefix has the node's role, so no input of a root is one of a leaf. The constructions of the papers, the
//! raw profile, have no prefixes; [`soundness`](crate::soundness) shows the attack and the bytes of a prefix.

use alloc::vec::Vec;

use jlanes_core::compression::MAX_BLOCK_BYTES;

/// A family of trees, identified by the names in its prefixes.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name in the prefix of a leaf.
    leaf: &'static str,
    /// The name in the prefix of the root.
    root: &'static str,
}

/// j-lanes: one message, with its words on `j` lanes in turn.
pub const JLANES: Family = Family { leaf: "jlanes/1 leaf", root: "jlanes/1 root" };
/// j-pointers: a list of messages.
pub const JPOINTERS: Family = Family { leaf: "jptrs/1 leaf", root: "jptrs/1 root" };

/// The bytes of a prefix that are not zero padding.
pub(crate) const PREFIX_BYTES: usize = 32;

impl Family {
    /// The prefix of a leaf: the name, the number `j` of lanes or messages, the bytes of a `word`, and 0 in
    /// place of a length.
    ///
    /// # Panics
    /// If `word` exceeds `u32`.
    #[must_use]
    pub fn leaf(self, j: u32, word: usize) -> Prefix {
        Prefix::new(self.leaf, j, word, 0)
    }

    /// The prefix of the root: the same with its name, and the message's `length` in bytes.
    ///
    /// # Panics
    /// If `word` exceeds `u32`.
    #[must_use]
    pub fn root(self, j: u32, word: usize, length: u64) -> Prefix {
        Prefix::new(self.root, j, word, length)
    }
}

/// A prefix; zeros follow up to the end of a block.
#[derive(Clone, Copy, Debug)]
pub struct Prefix([u8; PREFIX_BYTES]);

impl Prefix {
    fn new(name: &str, j: u32, word: usize, length: u64) -> Self {
        let word = u32::try_from(word).expect("a word is no longer than a block");
        let mut bytes = [0; PREFIX_BYTES];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        bytes[16..20].copy_from_slice(&j.to_be_bytes());
        bytes[20..24].copy_from_slice(&word.to_be_bytes());
        bytes[24..].copy_from_slice(&length.to_be_bytes());
        Self(bytes)
    }

    /// The prefix without its zero padding.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The prefix and its zero padding: a block of `block` bytes, at least 32.
    #[must_use]
    pub fn fill(&self, block: usize) -> Vec<u8> {
        let mut bytes = self.0.to_vec();
        bytes.resize(block.max(PREFIX_BYTES), 0);
        bytes
    }

    /// The longest block with the prefix; shorter blocks are its beginning.
    pub(crate) fn block(&self) -> [u8; MAX_BLOCK_BYTES] {
        let mut block = [0; MAX_BLOCK_BYTES];
        block[..PREFIX_BYTES].copy_from_slice(&self.0);
        block
    }
}
