//! A custom format with leaves that include their length: the same root from a kept tree and from data
//! in pieces, for leaves of any length.

use core::convert::Infallible;

use jlanes::{
    Sha256,
    merkle::{Format, Frame, Leaf, NodeFunction, Odd, Rules, Summary, Tree},
};
use jlanes_testing::message;

/// Leaves of a number of bytes, each after its length.
#[derive(Clone)]
struct Measured(usize);

impl Measured {
    fn frame(len: usize) -> Frame {
        Frame::prefix((len as u64).to_le_bytes())
    }
}

impl Format for Measured {
    type Output = Option<Box<[u8]>>;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        let leaf = Leaf::plain(self.0).framed(Self::frame(self.0));
        Rules::pairs(NodeFunction::of::<Sha256>(), leaf, Frame::NONE, Odd::Promote)
    }

    fn last_leaf(&self, len: usize) -> Option<Frame> {
        Some(Self::frame(len))
    }

    fn output(&self, tree: Summary<'_>) -> Result<Self::Output, Infallible> {
        Ok(tree.root)
    }
}

#[test]
fn a_short_last_leaf_is_framed_at_its_own_length() {
    for size in [1 << 10, 1 << 20, (1 << 20) + 1, 3 << 20] {
        let format = Measured(size);
        for len in [1, size - 1, size, size + 1, 2 * size + size / 3] {
            let data = message(1, len);
            let leaves: Vec<_> = data.chunks(size).collect();
            let mut tree = Tree::new(format.clone());
            tree.extend(&leaves).unwrap();
            let expected = tree.digest();
            assert_eq!(format.digest(&data), expected, "{len} bytes, leaves of {size}");
            for piece in [100_000, size] {
                let mut hasher = format.hasher();
                data.chunks(piece).for_each(|piece| hasher.update(piece));
                assert_eq!(hasher.finalize(), expected, "{len} bytes in pieces of {piece}");
            }
        }
    }
}
