//! [`SkeinHasher`]: a message that arrives in pieces, hashed sequentially or as a tree.
//!
//! Without tree parameters it is one chain of blocks, which [`Absorber`] advances. With them, a [`TreeHasher`] hashes
//! nodes in lanes in the order of its [`Schedule`], which affects time and memory but never the digest.

use alloc::boxed::Box;
use core::fmt;

use digest::{DynDigest, InvalidBufferSize};
use jlanes_core::hashes::skein::ubi::Absorber;

use super::{
    config::Config,
    levels::Footprint,
    schedule::{Schedule, TreeHasher},
};

/// A message in progress, under a [`SkeinConfig`](super::SkeinConfig).
//
// Parts of a message are in boxes. An enum without boxes is copied whole when it moves: the bytes that its variant
// does not use would be stale ones of the stack.
#[derive(Clone)]
pub struct SkeinHasher {
    config: Config,
    schedule: Schedule,
    mode: Mode,
}

#[derive(Clone)]
enum Mode {
    Simple(Box<Absorber>),
    Tree(Box<TreeHasher>),
}

impl Mode {
    fn new(config: &Config, schedule: Schedule) -> Self {
        let nodes = &config.nodes;
        if nodes.params.is_tree() {
            return Self::Tree(Box::new(TreeHasher::new(nodes.clone(), schedule)));
        }
        Self::Simple(Box::new(Absorber::new(nodes.kernels(), nodes.node.start())))
    }
}

impl SkeinHasher {
    pub(super) fn new(config: Config, schedule: Schedule) -> Self {
        let mode = Mode::new(&config, schedule);
        Self { config, schedule, mode }
    }

    /// Hashes `data`.
    pub fn update(&mut self, data: impl AsRef<[u8]>) {
        match &mut self.mode {
            Mode::Simple(absorber) => absorber.update(data.as_ref()),
            Mode::Tree(tree) => tree.update(data.as_ref()),
        }
    }

    /// The digest.
    #[must_use]
    pub fn finalize(self) -> Box<[u8]> {
        self.finish(&[], 0).0
    }

    /// The digest, and the peak memory of the scheduler.
    #[must_use]
    pub fn finalize_counted(self) -> (Box<[u8]>, Footprint) {
        self.finish(&[], 0)
    }

    /// Forgets the message.
    pub fn reset(&mut self) {
        self.mode = Mode::new(&self.config, self.schedule);
    }

    /// The digest after `data`; only `bits` bits of its last byte count (0 for all).
    pub(super) fn finish(mut self, data: &[u8], bits: u32) -> (Box<[u8]>, Footprint) {
        let (root, peak) = match &mut self.mode {
            Mode::Simple(absorber) => {
                absorber.update(data);
                let root = self.config.nodes.value(absorber.finish(bits));
                (root, Footprint { values: 0, blocks: 1 })
            }
            Mode::Tree(tree) => tree.finish(data, bits),
        };
        (self.config.output(&root), peak)
    }
}

#[cfg(feature = "rayon")]
impl crate::ParUpdate for SkeinHasher {
    fn par_update(&mut self, data: &[u8]) {
        if let Mode::Tree(tree) = &mut self.mode {
            tree.use_rayon();
        }
        self.update(data);
    }
}

impl fmt::Debug for SkeinHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SkeinHasher { ... }")
    }
}

impl DynDigest for SkeinHasher {
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }

    fn finalize_into(self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        if out.len() != self.output_size() {
            return Err(InvalidBufferSize);
        }
        out.copy_from_slice(&self.finalize());
        Ok(())
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.clone().finalize_into(out)?;
        self.reset();
        Ok(())
    }

    fn reset(&mut self) {
        Self::reset(self);
    }

    fn output_size(&self) -> usize {
        self.config.output_size()
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}
