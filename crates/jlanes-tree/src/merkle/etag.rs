//! S3's entity tag of a multipart upload: the MD5 of the parts' MD5s, and their number. An object that
//! is no longer than a part has its MD5 alone.

use core::{convert::Infallible, fmt};

use jlanes_core::{hash::Output, hashes::md5::Md5};

use super::{Error, Format, Leaf, NodeFunction, Rules, Summary, digest_of};

/// The entity tag of an object that was uploaded in parts of one size, without encryption by KMS.
///
/// Parts of more than 1 MiB run on the lanes where they come whole, many in one slice.
#[derive(Clone, Copy, Debug)]
pub struct ETag {
    part: usize,
}

impl ETag {
    /// Parts of `part` bytes, the last one as long as it is.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn new(part: usize) -> Result<Self, Error> {
        Error::check_leaf_size(part)?;
        Ok(Self { part })
    }
}

/// An entity tag. It is displayed as S3 shows it, in hexadecimal, and with `-` and the number of parts
/// behind it if there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntityTag {
    /// MD5 of the object, or of its parts' MD5s.
    pub digest: Output<Md5>,
    /// Number of parts; an empty object is one empty part.
    pub parts: u64,
}

impl fmt::Display for EntityTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        if self.parts > 1 { write!(f, "-{}", self.parts) } else { Ok(()) }
    }
}

impl Format for ETag {
    type Output = EntityTag;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        let mut rules = Rules::single_node(NodeFunction::MD5, Leaf::plain(self.part));
        // the digest of a single part is the tag
        rules.node.min_height = 0;
        rules
    }

    fn output(&self, tree: Summary<'_>) -> Result<EntityTag, Infallible> {
        let parts = tree.len.div_ceil(self.part as u64).max(1);
        Ok(EntityTag { digest: digest_of::<Md5>(&tree.root_or_empty()), parts })
    }
}
