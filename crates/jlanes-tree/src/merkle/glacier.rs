//! Amazon Glacier's tree hash: leaves of 1 MiB, combined in pairs; an odd digest is promoted.
//!
//! Leaves and nodes are not separated: the 64 bytes of two leaves' digests have the same tree hash
//! as the two leaves. Compare it together with the archive's length.

use core::convert::Infallible;

use jlanes_core::{hash::Output, hashes::sha2::Sha256};

use super::{Format, Frame, Leaf, NodeFunction, Odd, Rules, Summary, digest_of};

/// Bytes of a leaf.
const LEAF_BYTES: usize = 1 << 20;

/// The tree hash of an archive. For an empty archive it is the hash of the empty string.
#[derive(Clone, Copy, Debug, Default)]
pub struct Glacier;

impl Format for Glacier {
    type Output = Output<Sha256>;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        Rules::pairs(NodeFunction::SHA256, Leaf::plain(LEAF_BYTES), Frame::NONE, Odd::Promote)
    }

    fn output(&self, tree: Summary<'_>) -> Result<Output<Sha256>, Infallible> {
        Ok(digest_of::<Sha256>(&tree.root_or_empty()))
    }
}
