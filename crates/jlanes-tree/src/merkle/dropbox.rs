//! Dropbox's content hash: the hash of the hashes of blocks of 4 MiB.

use core::convert::Infallible;

use jlanes_core::{hash::Output, hashes::sha2::Sha256};

use super::{Format, Leaf, NodeFunction, Rules, Summary, digest_of};

/// Bytes of a block.
const BLOCK_BYTES: usize = 4 << 20;

/// The content hash of a file. There are always two levels: a single block's hash is hashed again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dropbox;

impl Format for Dropbox {
    type Output = Output<Sha256>;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        Rules::single_node(NodeFunction::SHA256, Leaf::plain(BLOCK_BYTES))
    }

    fn output(&self, tree: Summary<'_>) -> Result<Output<Sha256>, Infallible> {
        Ok(digest_of::<Sha256>(&tree.root_or_empty()))
    }
}
