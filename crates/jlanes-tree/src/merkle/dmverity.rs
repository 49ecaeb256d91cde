//! dm-verity: root hash and hash tree of a device, as `veritysetup` computes them.
//!
//! Version 1 puts the salt before a block and pads each digest to a power of two of bytes. Version
//! 0 (Chrome OS) puts the salt after the block and packs the digests. In both, a node holds a power
//! of two of digests, padded with zeros. The number of data blocks is stored elsewhere.

use alloc::{boxed::Box, vec::Vec};

use jlanes_core::function::DigestOnKernels;
use jlanes_simd::Backend;

use super::{Error, Format, Frame, Keep, Leaf, Node, NodeFunction, Odd, Rules, Summary};

/// The maximum number of bytes of a salt.
const MAX_SALT_BYTES: usize = 256;
/// The range of block sizes that `veritysetup` accepts.
const BLOCK_SIZES: (usize, usize) = (512, 512 << 10);

/// The place of the salt and the layout of digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Version {
    /// Chrome OS's version.
    V0,
    /// The standard version.
    #[default]
    V1,
}

/// A device with given parameters.
#[derive(Clone, Debug)]
pub struct DmVerity {
    function: NodeFunction,
    data_block: usize,
    hash_block: usize,
    salt: Vec<u8>,
    version: Version,
    keeps_tree: bool,
}

/// The hashes of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verity {
    /// The root hash.
    pub root: Box<[u8]>,
    /// The hash device without its superblock: the root's level first, the lowest last. Empty for a
    /// single data block, and without [`DmVerity::with_tree`].
    pub tree: Vec<u8>,
}

impl DmVerity {
    /// Data and hash blocks of `block` bytes under `H`, and a salt, which may be empty; version 1.
    ///
    /// # Errors
    /// [`Error::BlockSize`] if the block size is not a power of two from 512 to 524288,
    /// [`Error::SaltTooLong`] above 256 bytes, [`Error::FanOut`] if a hash block cannot hold two
    /// digests.
    pub fn new<H: DigestOnKernels<Backend = Backend>>(
        block: usize,
        salt: &[u8],
    ) -> Result<Self, Error> {
        Self::with_blocks::<H>(block, block, salt)
    }

    /// Data blocks of one size and hash blocks of another.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_blocks<H: DigestOnKernels<Backend = Backend>>(
        data_block: usize,
        hash_block: usize,
        salt: &[u8],
    ) -> Result<Self, Error> {
        Error::check_block_size(data_block, BLOCK_SIZES.0, BLOCK_SIZES.1)?;
        Error::check_block_size(hash_block, BLOCK_SIZES.0, BLOCK_SIZES.1)?;
        Error::check_salt(salt, MAX_SALT_BYTES)?;
        let function = NodeFunction::of::<H>();
        Error::check_fan_out(hash_block, function.output_size())?;
        let salt = salt.to_vec();
        let version = Version::default();
        Ok(Self { function, data_block, hash_block, salt, version, keeps_tree: false })
    }

    /// Uses another version.
    #[must_use]
    pub fn version(self, version: Version) -> Self {
        Self { version, ..self }
    }

    /// Also computes [`Verity::tree`], which takes about one digest of memory per data block.
    #[must_use]
    pub fn with_tree(self) -> Self {
        Self { keeps_tree: true, ..self }
    }

    fn frame(&self) -> Frame {
        match self.version {
            Version::V0 => Frame::suffix(&*self.salt),
            Version::V1 => Frame::prefix(&*self.salt),
        }
    }
}

impl Format for DmVerity {
    type Output = Verity;
    type Error = Error;

    fn rules(&self) -> Rules {
        let digest = self.function.output_size();
        let node = Node {
            fan_out: 1 << (self.hash_block / digest).ilog2(),
            cell: match self.version {
                Version::V0 => digest,
                Version::V1 => digest.next_power_of_two(),
            },
            size: self.hash_block,
            frame: self.frame(),
            odd: Odd::Zeros,
            min_height: 0,
        };
        let leaf = Leaf::plain(self.data_block).framed(self.frame());
        let keep = if self.keeps_tree { Keep::All } else { Keep::Nothing };
        Rules { function: self.function, leaf, node, keep }
    }

    fn output(&self, mut tree: Summary<'_>) -> Result<Verity, Error> {
        let (len, block) = (tree.len, self.data_block);
        let root = tree.root.ok_or(Error::Empty)?;
        if !len.is_multiple_of(block as u64) {
            return Err(Error::Partial { len, block });
        }
        tree.kept.reverse();
        Ok(Verity { root, tree: tree.kept.concat() })
    }
}
