//! HMAC over hashers that are chosen at run time.
//!
//! The library has it for every hash on lanes. That is as much code once more as the hashes
//! themselves; here their lanes start after the key's block, and the outer hash is of one digest.

use std::io;

use jlanes::algorithm::AnyHasher;

use super::files::FileHasher;

/// Hashers that have taken the key's blocks, each its own.
pub(super) struct Hmac {
    pub(super) inner: Box<dyn AnyHasher>,
    pub(super) outer: Box<dyn AnyHasher>,
}

impl Hmac {
    /// HMAC with `hasher`, of a hash with such blocks, under `key`.
    pub(super) fn new(hasher: Box<dyn AnyHasher>, key: &[u8], block: usize) -> Self {
        let [inner, outer] = pads(&*hasher, key, block).map(|pad| {
            let mut hasher = hasher.clone_box();
            hasher.update(&pad);
            hasher
        });
        Self { inner, outer }
    }

    pub(super) fn boxed(
        hasher: Box<dyn AnyHasher>,
        key: &[u8],
        block: usize,
    ) -> Box<dyn FileHasher> {
        Box::new(Self::new(hasher, key, block))
    }

    /// The tag of a message that has this inner digest.
    pub(super) fn tag(&self, digest: &[u8]) -> Box<[u8]> {
        let mut outer = self.outer.clone_box();
        outer.update(digest);
        outer.finalize()
    }
}

impl FileHasher for Hmac {
    fn update(&mut self, data: &[u8]) {
        self.inner.update(data);
    }

    fn finish(mut self: Box<Self>) -> io::Result<Box<[u8]>> {
        self.outer.update(&self.inner.finalize());
        Ok(self.outer.finalize())
    }
}

/// The blocks that are hashed before the message and before its digest (RFC 2104).
pub(super) fn pads(hasher: &dyn AnyHasher, key: &[u8], block: usize) -> [Vec<u8>; 2] {
    let mut own = key.to_vec();
    if key.len() > block {
        let mut hasher = hasher.clone_box();
        hasher.update(key);
        own = hasher.finalize().into();
    }
    own.resize(block, 0);
    [0x36, 0x5c].map(|pad| own.iter().map(|byte| byte ^ pad).collect())
}
