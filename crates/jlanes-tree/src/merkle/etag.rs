//! S3's entity tag of a multipart upload: the MD5 of the parts' MD5s, and their number. An object that
//! is no longer than a part has its MD5 alone.

use core::{convert::Infallible, fmt, marker::PhantomData};

use jlanes_core::{batch::MultiDigest, engine::Engine, hash::Output, hashes::md5::Md5};

use super::{CompressionOf, Error, Format, Leaf, Node, Summary};
use crate::linear::Linear;

/// The entity tag of an object that was uploaded in parts of one size, without encryption by KMS.
///
/// Parts of more than 1 MiB run on the lanes where they come whole, many in one slice.
#[derive(Clone, Copy, Debug)]
pub struct ETag<H> {
    part: usize,
    hash: PhantomData<H>,
}

impl<H> ETag<H> {
    /// Parts of `part` bytes, the last one as long as it is.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn new(part: usize) -> Result<Self, Error> {
        Error::check_leaf(part)?;
        Ok(Self { part, hash: PhantomData })
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

impl<H: MultiDigest<Function = Md5> + Clone> Format for ETag<H> {
    type Hash = H;
    type Output = EntityTag;
    type Error = Infallible;

    fn leaf(&self) -> Leaf {
        Leaf::plain(self.part)
    }

    fn node(&self) -> Node {
        Node::list::<Md5>()
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        tree: Summary<Md5>,
    ) -> Result<EntityTag, Infallible> {
        let parts = tree.len.div_ceil(self.part as u64).max(1);
        let one = || Linear::<Md5, E>::new(engine);
        let kept = tree.kept.concat();
        let digest = match parts {
            1 if tree.len == 0 => one().finish(),
            1 => Output::<Md5>::try_from(&kept[..]).unwrap_or_default(),
            _ => one().chain(&kept).finish(),
        };
        Ok(EntityTag { digest, parts })
    }
}
