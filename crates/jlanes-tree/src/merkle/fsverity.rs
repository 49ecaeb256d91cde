//! fs-verity: the file digest that Linux measures, and its root hash.
//!
//! Data blocks and nodes have the same size, are padded with zeros, and follow the salt, which is
//! padded to whole blocks of the hash. The file digest is the hash of a descriptor of 256 bytes
//! with the root, the parameters and the file's length.

use alloc::vec::Vec;
use core::{convert::Infallible, marker::PhantomData};

use digest::OutputSizeUser;
use jlanes_core::{
    batch::MultiDigest,
    compression::Compression,
    engine::Engine,
    hashes::sha2::{Sha256, Sha512},
};

use super::{
    CompressionOf, DigestOf, Error, Format, Frame, FunctionOf, Leaf, LeafKind, Node, NodeHash, Odd,
    Summary, digest_bytes,
};
use crate::linear::Linear;

mod many;

/// A hash function with a number in fs-verity.
pub trait Algorithm: NodeHash {
    /// `FS_VERITY_HASH_ALG_*`.
    const NUMBER: u8;
}

impl Algorithm for Sha256 {
    const NUMBER: u8 = 1;
}

impl Algorithm for Sha512 {
    const NUMBER: u8 = 2;
}

/// The maximum number of bytes of a salt.
const MAX_SALT: usize = 32;

/// The file digest: the hash of the descriptor.
#[derive(Clone, Debug)]
pub struct FsVerity<H> {
    block: usize,
    salt: Vec<u8>,
    hash: PhantomData<H>,
}

/// The root hash alone. It is zeros for an empty file.
#[derive(Clone, Debug)]
pub struct Root<H>(pub FsVerity<H>);

impl<H: OutputSizeUser> FsVerity<H> {
    /// Blocks of `block` bytes and a salt, which may be empty.
    ///
    /// # Errors
    /// [`Error::BlockSize`] if the block size is not a power of two from 1024 to 65536,
    /// [`Error::SaltTooLong`] above 32 bytes, [`Error::FanOut`] if a block cannot hold two digests.
    pub fn new(block: usize, salt: &[u8]) -> Result<Self, Error> {
        Error::check_block(block, 1 << 10, 64 << 10)?;
        Error::check_salt(salt, MAX_SALT)?;
        Error::check_fan_out(block, H::output_size())?;
        Ok(Self { block, salt: salt.to_vec(), hash: PhantomData })
    }
}

impl<H> FsVerity<H> {
    /// `struct fsverity_descriptor`, without a signature.
    fn descriptor<F: Algorithm>(&self, root: &[u8], len: u64) -> [u8; 256] {
        let mut descriptor = [0; 256];
        descriptor[..4].copy_from_slice(&[
            1, // version
            F::NUMBER,
            self.block.ilog2() as u8,
            self.salt.len() as u8,
        ]);
        descriptor[8..16].copy_from_slice(&len.to_le_bytes());
        descriptor[16..][..root.len()].copy_from_slice(root);
        descriptor[80..][..self.salt.len()].copy_from_slice(&self.salt);
        descriptor
    }

    fn frame<F: NodeHash>(&self) -> Frame {
        let mut salt = self.salt.clone();
        salt.resize(salt.len().next_multiple_of(F::Compression::BLOCK), 0);
        Frame::prefix(salt)
    }
}

impl<H: MultiDigest<Function: Algorithm> + Clone> Format for FsVerity<H> {
    type Hash = H;
    type Output = DigestOf<Self>;
    type Error = Infallible;

    fn leaf(&self) -> Leaf {
        let frame = self.frame::<FunctionOf<Self>>();
        Leaf { size: self.block, frame, kind: LeafKind::Filled }
    }

    fn node(&self) -> Node {
        let cell = digest_bytes::<FunctionOf<Self>>();
        Node {
            fan_out: self.block / cell,
            cell,
            size: self.block,
            frame: self.frame::<FunctionOf<Self>>(),
            odd: Odd::Zeros,
            height: 0,
        }
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        tree: Summary<FunctionOf<Self>>,
    ) -> Result<DigestOf<Self>, Infallible> {
        let root = tree.root.unwrap_or_default();
        let descriptor = self.descriptor::<FunctionOf<Self>>(&root, tree.len);
        Ok(Linear::<FunctionOf<Self>, E>::new(engine).chain(&descriptor).finish())
    }
}

impl<H: MultiDigest<Function: Algorithm> + Clone> Format for Root<H> {
    type Hash = H;
    type Output = DigestOf<Self>;
    type Error = Infallible;

    fn leaf(&self) -> Leaf {
        self.0.leaf()
    }

    fn node(&self) -> Node {
        self.0.node()
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        _engine: E,
        tree: Summary<FunctionOf<Self>>,
    ) -> Result<DigestOf<Self>, Infallible> {
        Ok(tree.root.unwrap_or_default())
    }
}
