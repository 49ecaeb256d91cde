//! [`PrefixedFunction`], a hash function of messages that share lanes, with the bytes before each and a second hash.

use alloc::boxed::Box;

use jlanes_core::{
    function::{AnyFunction, Batch},
    wipe::Buffer,
};

use super::AnyHasher;

/// A hash function of messages that share lanes, as jobs and schedulers use it.
pub(super) struct PrefixedFunction {
    pub(super) function: AnyFunction,
    /// The bytes before every message: the block of a key, or the leaf prefix of j-pointers.
    pub(super) own_prefix: Buffer,
    /// HMAC's second hash, after the key's block.
    pub(super) outer: Option<Box<dyn AnyHasher>>,
}

impl PrefixedFunction {
    /// Writes the digests of `messages` after `prefix`, without a second hash.
    pub(super) fn digests(mut self, prefix: &[u8], messages: &[&[u8]], out: &mut [u8]) {
        self.own_prefix.append(prefix);
        self.function.digest(&self.own_prefix, &Batch::slices(messages), out);
        self.function.wipe();
    }
}
