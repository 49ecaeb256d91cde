//! Dropbox's content hash: the hash of the hashes of blocks of 4 MiB.

use core::{convert::Infallible, marker::PhantomData};

use jlanes_core::{batch::MultiDigest, engine::Engine, hashes::sha2::Sha256};

use super::{CompressionOf, DigestOf, Format, Leaf, Node, Summary};
use crate::linear::Linear;

/// Bytes of a block.
const BLOCK: usize = 4 << 20;

/// The content hash of a file. There are always two levels: a single block's hash is hashed again.
#[derive(Clone, Copy, Debug)]
pub struct Dropbox<H>(PhantomData<H>);

impl<H> Default for Dropbox<H> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<H: MultiDigest<Function = Sha256> + Clone> Format for Dropbox<H> {
    type Hash = H;
    type Output = DigestOf<Self>;
    type Error = Infallible;

    fn leaf(&self) -> Leaf {
        Leaf::plain(BLOCK)
    }

    fn node(&self) -> Node {
        Node::list::<Sha256>()
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        tree: Summary<Sha256>,
    ) -> Result<DigestOf<Self>, Infallible> {
        let root = Linear::<Sha256, E>::new(engine);
        Ok(tree.kept.iter().fold(root, |root, digests| root.chain(digests)).finish())
    }
}
