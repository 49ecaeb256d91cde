//! fs-verity: the file digest that Linux measures, and its root hash.
//!
//! Data blocks and nodes have the same size, are padded with zeros, and follow the salt, which is
//! padded to whole blocks of the hash. The file digest is the hash of a descriptor of 256 bytes
//! with the root, the parameters and the file's length.

use alloc::{boxed::Box, vec, vec::Vec};
use core::convert::Infallible;

use super::{Error, Format, Frame, Keep, Leaf, LeafKind, Node, NodeFunction, Odd, Rules, Summary};

mod many;

/// The maximum number of bytes of a salt.
const MAX_SALT_BYTES: usize = 32;

/// The file digest: the hash of the descriptor.
#[derive(Clone, Debug)]
pub struct FsVerity {
    function: NodeFunction,
    /// `FS_VERITY_HASH_ALG_*`.
    number: u8,
    block: usize,
    salt: Vec<u8>,
    root_only: bool,
}

impl FsVerity {
    /// SHA-256, blocks of `block` bytes and a salt, which may be empty.
    ///
    /// # Errors
    /// [`Error::BlockSize`] if the block size is not a power of two from 1024 to 65536,
    /// [`Error::SaltTooLong`] above 32 bytes.
    pub fn sha256(block: usize, salt: &[u8]) -> Result<Self, Error> {
        Error::check_block_size(block, 1 << 10, 64 << 10)?;
        Error::check_salt(salt, MAX_SALT_BYTES)?;
        let (function, salt) = (NodeFunction::SHA256, salt.to_vec());
        Ok(Self { function, number: 1, block, salt, root_only: false })
    }

    /// SHA-512, blocks of `block` bytes and a salt, which may be empty.
    ///
    /// # Errors
    /// As [`sha256`](Self::sha256).
    pub fn sha512(block: usize, salt: &[u8]) -> Result<Self, Error> {
        Ok(Self { function: NodeFunction::SHA512, number: 2, ..Self::sha256(block, salt)? })
    }

    /// The root hash instead of the file digest. It is zeros for an empty file.
    #[must_use]
    pub fn root_only(self) -> Self {
        Self { root_only: true, ..self }
    }

    /// `struct fsverity_descriptor`, without a signature.
    fn descriptor(&self, root: &[u8], len: u64) -> [u8; 256] {
        let mut descriptor = [0; 256];
        descriptor[..4].copy_from_slice(&[
            1, // version
            self.number,
            self.block.ilog2() as u8,
            self.salt.len() as u8,
        ]);
        descriptor[8..16].copy_from_slice(&len.to_le_bytes());
        descriptor[16..][..root.len()].copy_from_slice(root);
        descriptor[80..][..self.salt.len()].copy_from_slice(&self.salt);
        descriptor
    }

    fn frame(&self) -> Frame {
        let mut salt = self.salt.clone();
        salt.resize(salt.len().next_multiple_of(self.function.block_size()), 0);
        Frame::prefix(salt)
    }
}

impl Format for FsVerity {
    type Output = Box<[u8]>;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        let (cell, frame) = (self.function.output_size(), self.frame());
        let (fan_out, size) = (self.block / cell, self.block);
        let node = Node { fan_out, cell, size, frame, odd: Odd::Zeros, min_height: 0 };
        let leaf = Leaf { size, frame: self.frame(), kind: LeafKind::Filled };
        Rules { function: self.function, leaf, node, keep: Keep::Nothing }
    }

    fn output(&self, mut tree: Summary<'_>) -> Result<Box<[u8]>, Infallible> {
        let zeros = || vec![0; self.function.output_size()];
        let root = tree.root.take().unwrap_or_else(|| zeros().into());
        Ok(if self.root_only { root } else { tree.hash([&self.descriptor(&root, tree.len)]) })
    }
}
