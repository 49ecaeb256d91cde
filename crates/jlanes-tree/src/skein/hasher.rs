//! [`SkeinHasher`]: a message that arrives in pieces.

use alloc::boxed::Box;
use core::fmt;

use digest::{DynDigest, InvalidBufferSize};
use jlanes_core::{
    engine::Engine,
    hashes::skein::ubi::{self, Absorber, BlockType},
};

use super::{
    SkeinConfig,
    config::SkeinDigest,
    levels::Footprint,
    schedule::{Schedule, TreeHasher},
};

/// A message in progress, under a [`SkeinConfig`].
pub struct SkeinHasher<H: SkeinDigest, E = <H as SkeinDigest>::Engine> {
    config: SkeinConfig<H, E>,
    schedule: Schedule,
    mode: Mode<H, E>,
}

enum Mode<H: SkeinDigest, E> {
    Simple(Absorber<H::Threefish, E>),
    Tree(Box<TreeHasher<H::Threefish, E>>),
}

impl<H: SkeinDigest, E: Engine<H::Threefish>> Mode<H, E> {
    fn new(config: &SkeinConfig<H, E>, schedule: Schedule) -> Self {
        let nodes = config.nodes.clone();
        if nodes.params.is_tree() {
            return Self::Tree(Box::new(TreeHasher::new(nodes, schedule)));
        }
        let start = ubi::start::<H::Threefish>(&nodes.chain, BlockType::Message, 0, 0);
        Self::Simple(Absorber::new(nodes.engine, start))
    }
}

impl<H: SkeinDigest, E: Engine<H::Threefish>> SkeinHasher<H, E> {
    pub(super) fn new(config: SkeinConfig<H, E>, schedule: Schedule) -> Self {
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
        let (root, held) = match &mut self.mode {
            Mode::Simple(absorber) => {
                absorber.update(data);
                (absorber.finish(bits), Footprint { values: 0, blocks: 1 })
            }
            Mode::Tree(tree) => tree.finish(data, bits),
        };
        (self.config.output(&root), held)
    }
}

#[cfg(feature = "rayon")]
impl<H: SkeinDigest, E: Engine<H::Threefish>> crate::ParUpdate for SkeinHasher<H, E> {
    fn par_update(&mut self, data: &[u8]) {
        if let Mode::Tree(tree) = &mut self.mode {
            tree.use_rayon();
        }
        self.update(data);
    }
}

impl<H: SkeinDigest, E: Engine<H::Threefish>> Clone for SkeinHasher<H, E> {
    fn clone(&self) -> Self {
        let mode = match &self.mode {
            Mode::Simple(absorber) => Mode::Simple(absorber.clone()),
            Mode::Tree(tree) => Mode::Tree(tree.clone()),
        };
        Self { config: self.config.clone(), schedule: self.schedule, mode }
    }
}

impl<H: SkeinDigest, E> fmt::Debug for SkeinHasher<H, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SkeinHasher { ... }")
    }
}

impl<H, E> DynDigest for SkeinHasher<H, E>
where
    H: SkeinDigest + 'static,
    E: Engine<H::Threefish>,
{
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
        let message = self.clone();
        self.reset();
        message.finalize_into(out)
    }

    fn reset(&mut self) {
        Self::reset(self);
    }

    fn output_size(&self) -> usize {
        usize::try_from(self.config.output_bits.div_ceil(8)).unwrap_or(usize::MAX)
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}
