//! BLAKE3's tree in parts: values of subtrees, and Bao, which verifies ranges of a message against the
//! digest that `b3sum` prints.
//!
//! An [`Outboard`] is the proof, made in one pass; [`Layout`] names Bao's and iroh's. With the feature `std`,
//! `Verified` and `verify_range` read ranges with it from files, and each block is verified before it is
//! given out. A slice is a range with its own proof.
//!
//! ```
//! use jlanes::bao::{Bao, Layout};
//!
//! let message = vec![7; 1 << 20];
//! let outboard = Bao::default().outboard(Layout::OBAO4, &message);
//! assert_eq!(outboard.root(), *<jlanes::Blake3 as jlanes::Digest>::digest(&message));
//! assert_eq!(outboard.parents().len(), 63 * 64); // of 64 groups
//! ```
//!
//! Several machines compute one digest: each [`subtree`](Bao::subtree) is a value, and
//! [`merge`](Bao::merge) and [`merge_root`](Bao::merge_root) join them. A subtree begins at a multiple of
//! 1024 bytes, and has [`max_len`] bytes, or fewer if the message ends in it.

pub use jlanes_tree::bao::{Bao, Layout, Outboard, SubtreeError, Value, left_len, max_len};
#[cfg(feature = "std")]
pub use jlanes_tree::bao::{Decoded, Error, Verified, verify_range};
